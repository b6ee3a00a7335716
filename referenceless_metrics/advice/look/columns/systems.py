"""Rules that find systems: a column that names them, or a column of each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from referenceless_metrics.advice.look.columns.choosing import (
    first_of,
    is_circumstance,
    is_function,
    texts_of,
    with_parts,
)
from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.column_parts import part_by_name
from referenceless_metrics.advice.look.columns.metrics import may_name
from referenceless_metrics.advice.look.columns.ratings import RATINGS, is_criterion
from referenceless_metrics.core.files.nested_rows import KEY
from referenceless_metrics.core.files.reading import cell_of, from_json
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.human_evaluation.ratings.ranks import are_ranks, is_better_if_lower
from referenceless_metrics.human_evaluation.scores.columns import cells_of

_NEARLY_ALL = 0.9  # share of all pairs of items and systems that stand in rows

_WAY = re.compile(
    r"(?:generation|generator|decoding|decoder|prompting|training|summarization|translation|nlg|mt|llm|language)[ _.-]?"
    r"(?:method|model|strategy|approach|system|name|algorithm)",
    re.IGNORECASE,
)
"""Names of columns of ways to make texts."""


def find_verdicts_on_candidates(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which lists of true and false, one for each of a row's candidates, are no raters' answers."""
    candidates = first_of(columns, "candidates")
    if candidates is None:
        return list(columns)
    lengths = [len(from_json(cell)) for cell in cells_of(table, candidates.name) if _is_filled_list(cell)]
    verdicts = []
    for column in columns:
        if column.part != "rating" or column.kind != "lists of numbers":
            continue
        lists = [from_json(cell) for cell in cells_of(table, column.name) if _is_filled_list(cell)]
        if [len(each) for each in lists] == lengths and all(isinstance(each, bool) for of in lists for each in of):
            verdicts.append(column.name)
    return with_parts(columns, dict.fromkeys(verdicts, ""))


def _is_filled_list(cell: object) -> bool:
    """Say whether a cell holds a list, of one element at least."""
    inside = from_json(cell)
    return isinstance(inside, list) and bool(inside)


def find_ranks_of_systems(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell ratings by a column that is called as ranks, if its numbers put the systems of each item in an order."""
    system, item = first_of(columns, "system"), first_of(columns, "item")
    if system is None or item is None or first_of(columns, *RATINGS, "score", "preference") is not None:
        return list(columns)
    import pandas as pd

    told = [column for column in columns if column.part in ("item", "rater", "criterion", "cluster", "slice")]
    keys = {column.name: texts_of(table, column.name) for column in told}
    for column in columns:
        if column.is_numeric and not column.part and is_better_if_lower(column.name):
            numbers = table.as_numbers([cell_of(row, column.name) for row in table.rows])
            if are_ranks(pd.DataFrame({**keys, "its number": numbers}), list(keys), "its number"):
                return with_parts(columns, {column.name: "rating"})
    return list(columns)


def find_numbered_systems(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell systems by numbers in a column that is called as systems, each of which stands once with nearly each item.

    Numbers under such a name may also be the ratings of a judge of this kind, which are not so even.
    """
    item = first_of(columns, "item")
    if item is None or first_of(columns, "system", "preference", "system_a") is not None:
        return list(columns)
    keys = [column.name for column in columns if column.part in ("item", "rater", "criterion", "metric", "run")]
    rows = list(zip(*(texts_of(table, name) for name in keys), strict=True))
    for column in columns:
        is_called_so = part_by_name(replace(column, kind="labels")) == "system"
        if column.kind == "whole numbers" and not column.part and is_called_so:
            numbered = {*zip(rows, texts_of(table, column.name), strict=True)}
            n_all = len(set(rows)) * column.distinct
            if column.distinct > 1 and len(numbered) == len(rows) >= _NEARLY_ALL * n_all:
                return with_parts(columns, {column.name: "system"})
    return list(columns)


def find_systems(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell systems by their outputs or ratings: an item has several, and with the system only one.

    Without outputs, raters have to be known: one rater's ratings of an item may differ by system alone.
    """
    text = first_of(columns, "text")
    if first_of(columns, "system", "preference", "system_a") is not None:
        return list(columns)
    rater = first_of(columns, "rater")
    by = text or rater
    if by is None or first_of(columns, *RATINGS, "score") is None:
        return list(columns)
    values = texts_of(table, by.name)
    may_be = [column for column in columns if may_name(column, len(table.rows)) and not is_circumstance(column.name)]
    keys = [column for column in columns if column.part in ("item", "source")]
    cells = {column.name: texts_of(table, column.name) for column in (*keys, *may_be)}
    for item, column in product(keys, may_be):
        items, names = cells[item.name], cells[column.name]
        pairs = list(zip(items, names, strict=True))
        if all(is_criterion(name) for name in set(names)) or len(set(pairs)) == len(set(items)):
            continue
        if text is not None:
            is_told = is_function(pairs, values) and not is_function(items, values)
        else:
            rated = list(zip(items, values, strict=True))
            is_told = len(set(rated)) < len(rated) == len({*zip(rated, names, strict=True)})
        if is_told:
            return with_parts(columns, {column.name: "system"})
    return list(columns)


def find_ways(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell systems by a column of few names that is called as a way to make texts, as `Generation Method`."""
    known = ("system", "preference", "system_a", "rating of a rater")
    if first_of(columns, *known) is not None or first_of(columns, "rating", "score") is None:
        return list(columns)
    named = [column.name for column in columns if may_name(column, len(table.rows)) and _WAY.fullmatch(column.name)]
    return with_parts(columns, {named[0]: "system"} if len(named) == 1 else {})


def find_ways_with_an_item(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell items of a source in several slices, as a sentence under each of some prompts: the source is their cluster.

    Sources are texts of several words: numbers that stand in several slices may number other items in each.
    """
    item, part = first_of(columns, "item"), first_of(columns, "slice")
    if item is None or part is None or first_of(columns, "cluster") is not None:
        return list(columns)
    items = texts_of(table, item.name)
    n_ways = len({*zip(items, texts_of(table, part.name), strict=True)})
    if n_ways == len(set(items)) or not all(len(each.split()) > 2 for each in items):
        return list(columns)
    return with_parts(columns, {part.name: "item", item.name: "cluster"})


def find_variants(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell slices by a second column of systems, if each item is there in several of them: variants of each system."""
    item = first_of(columns, "item")
    systems = [column for column in columns if column.part == "system"]
    known = ("rater", "slice", "cluster", "run", "criterion", "metric")
    if item is None or len(systems) != 2 or first_of(columns, *known) is not None:
        return list(columns)
    rows = list(zip(texts_of(table, item.name), texts_of(table, systems[0].name), strict=True))
    whole = set(zip(rows, texts_of(table, systems[1].name), strict=True))
    is_told = len(set(rows)) < len(rows) == len(whole)
    return with_parts(columns, {systems[1].name: "slice"} if is_told else {})


def find_side_by_side(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell systems by the numbers of columns side by side, if these alone tell the rows of an item and rater apart."""
    key = first_of((column for column in columns if column.name == KEY), "")
    item, rater = first_of(columns, "item"), first_of(columns, "rater")
    if key is None or item is None or rater is None or first_of(columns, "system", "criterion") is not None:
        return list(columns)
    rows = list(zip(texts_of(table, item.name), texts_of(table, rater.name), strict=True))
    numbered = list(zip(rows, texts_of(table, KEY), strict=True))
    return with_parts(columns, {KEY: "system"} if len(set(rows)) < len(rows) == len(set(numbered)) else {})


_MODEL = re.compile(r"(?:model|system)(?:[ _.-]?(?:output|answer|response|text|summary|translation))?")
"""Names of columns that hold a model's text, once the model's mark is taken off."""


def find_texts_of_models(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell systems by the marks of texts side by side that are called as models, as `Model A` and `Model B`.

    A text beside them, which is repeated with each, is their source.
    """
    texts = [column for column in columns if column.holds_texts and _MODEL.fullmatch(column.name.lower())]
    if len(texts) != 1 or not any(column.name == KEY for column in columns):
        return list(columns)
    if first_of(columns, "system", "criterion", "reference") is not None:
        return list(columns)
    sources = [column.name for column in columns if column.part == "text" and column is not texts[0]]
    return with_parts(columns, {KEY: "system", texts[0].name: "text"} | dict.fromkeys(sources, "source"))


def are_side_by_side(columns: Sequence[Column]) -> bool:
    """Say whether systems are told by the numbers, or letters, of columns side by side alone."""
    key = first_of((column for column in columns if column.name == KEY), "system")
    return key is not None and (key.kind == "whole numbers" or all(len(mark) == 1 for mark in key.shown.split(", ")))
