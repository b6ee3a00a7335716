"""Columns whose cells another one decides: what tells of raters or systems, and texts of an item and a system."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace

from referenceless_metrics.advice.look.columns.choosing import first_of, is_function, texts_of, with_parts
from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.column_parts import names_comment, part_by_name, parted
from referenceless_metrics.core.files.tables import Table

ABOUT_RATERS = "about raters"
"""The part of a column of numbers that tell something of raters, as their age."""

ABOUT_SYSTEMS = "about systems"
"""The part of a column of labels that tell something of systems, as their kind, or their name again."""

_FEWEST_OF_A_RATER = 5  # rows, in the mean
_FEWEST_RATERS = 2
_FEWEST_SYSTEMS = 2
_MOST_SYSTEMS = 30
_NEARLY_ALL = 0.9  # share of all pairs of items and systems that are there
_COUNTS = re.compile(
    r"(?:.*[^a-z])?(?:n|no|nr|num|number|count|idx|index|rank|order|position|place|turn|sample|trial|round|run|seed|age|"
    r"step|session|batch|block)(?:[^a-z].*)?"
)
"""Names of columns whose numbers count something, and are no systems."""

_OF_ANYTHING = re.compile(r"type|category|subset|split|usage|kind|group")
"""Names of columns of slices that may part systems as well as items; others, as languages, part items."""

_KNOWN = ("system", "system_a", "criterion", "metric", "preference", "rating of a rater")


def numbers_about_raters(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell numbers that are the same in all rows of each rater, as an age: no ratings, which vary.

    Each rater has several rows. Columns that are called as ratings stay so.
    """
    rater = first_of(columns, "rater")
    if rater is None or rater.distinct < _FEWEST_RATERS or len(table.rows) < _FEWEST_OF_A_RATER * rater.distinct:
        return list(columns)
    raters = texts_of(table, rater.name)
    plain = [column for column in columns if not column.part and column.is_numeric and column.distinct > 1]
    found = [column.name for column in plain if is_function(raters, texts_of(table, column.name))]
    return with_parts(columns, dict.fromkeys(found, ABOUT_RATERS))


def labels_about_systems(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell labels that are the same in all rows of each system, as its kind: items do not begin again in each of them.

    All systems have the same items. Languages and the like, which part items, stay slices.
    """
    system, item = first_of(columns, "system"), first_of(columns, "item")
    if system is None or item is None or system.distinct < _FEWEST_SYSTEMS or system.blank:
        return list(columns)
    systems, items = texts_of(table, system.name), texts_of(table, item.name)
    if len(set(zip(systems, items, strict=True))) < system.distinct * item.distinct or item.distinct < 2:
        return list(columns)
    may_be = [
        column
        for column in columns
        if column.kind == "labels" and column.distinct > 1 and not column.blank and not column.holds_texts
    ]
    found = [
        column.name
        for column in may_be
        if (not column.part or (column.part == "slice" and _OF_ANYTHING.fullmatch(parted(column.name))))
        and is_function(systems, texts_of(table, column.name))
    ]
    return with_parts(columns, dict.fromkeys(found, ABOUT_SYSTEMS))


def systems_of_texts(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell systems by few names or numbers that decide, with the item, which text raters saw: one for each pair.

    Each text has the rows of several raters, each of whom has one row of it. No part of an item decides its text alone.
    """
    item, rater = first_of(columns, "item"), first_of(columns, "rater")
    if item is None or rater is None or first_of(columns, *_KNOWN) is not None or item.distinct < _FEWEST_RATERS:
        return list(columns)
    texts = [each for each in columns if each.holds_texts and each.part in ("", "text") and not each.blank]
    texts = [each for each in texts if each.distinct > item.distinct and not names_comment(each.name)]
    items, raters = texts_of(table, item.name), texts_of(table, rater.name)
    for column in columns:
        if not _may_tell_systems(column):
            continue
        names = texts_of(table, column.name)
        outputs = list(zip(items, names, strict=True))
        n_outputs = len(set(outputs))
        if n_outputs < _NEARLY_ALL * item.distinct * column.distinct or len(table.rows) < 2 * n_outputs:
            continue
        if len(set(zip(outputs, raters, strict=True))) < len(table.rows) or is_function(raters, names):
            continue
        for text in texts:
            written = texts_of(table, text.name)
            if is_function(outputs, written) and len(set(written)) >= _NEARLY_ALL * n_outputs:
                return with_parts(columns, {column.name: "system", text.name: "text"})
    return list(columns)


def remarks_on_texts(table: Table, columns: Sequence[Column]) -> Iterator[str]:
    """Yield the assumption on systems that the texts alone tell."""
    system, item = first_of(columns, "system"), first_of(columns, "item")
    if system is None or item is None or part_by_name(system) == "system":
        return
    plain = [replace(each, part="" if each.part in ("system", "rating", "score") else each.part) for each in columns]
    both = ["--item-column", item.name, "--item-column", system.name]
    if first_of(systems_of_texts(table, plain), "system") is not None:
        yield (
            f"column {system.name!r} is taken to name systems, for with {item.name!r} it tells the text that raters "
            f"saw (--system-column); if it numbers the outputs of one system: {shlex.join(both)}"
        )


def _may_tell_systems(column: Column) -> bool:
    """Say whether a column without a part has few names, or numbers that count nothing."""
    is_named = column.kind == "labels" and not column.holds_texts
    is_numbered = column.kind == "whole numbers" and not _COUNTS.fullmatch(parted(column.name))
    return not column.part and not column.blank and (is_named or is_numbered) and 1 < column.distinct <= _MOST_SYSTEMS
