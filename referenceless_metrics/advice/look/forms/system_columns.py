"""Columns, or lists in them, that hold the ratings or scores of a system each."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referenceless_metrics.advice.look.columns.averaged_ratings import QUESTION
from referenceless_metrics.advice.look.columns.choosing import texts_of
from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.column_parts import is_unnamed, names_value
from referenceless_metrics.advice.look.columns.ratings import is_criterion
from referenceless_metrics.advice.look.forms.called_systems import SYSTEM, called_systems
from referenceless_metrics.advice.look.lines.parts import Parts
from referenceless_metrics.core.files.nested_rows import plain_name
from referenceless_metrics.core.files.reading import cell_of, from_json
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.metric_names import names_metric

_MOST_SUMMED = 200  # rows that tell whether numbers make up one sum

RATED = ("rating", "rating of a rater", "score", "preference")
"""Parts of columns that value outputs."""

RATER = re.compile(r"(?:a|r|w|h|ann|annotator|rater|judge|worker|human)_?\d+", re.IGNORECASE)
"""Names that number raters."""


def lists_of_systems(table: Table, parts: Parts) -> tuple[str, ...]:
    """Return columns of lists of ratings, called as systems, of one length in each row of an item; else none."""
    lists = [column.name for column in parts.all("rating") if column.kind == "lists of numbers"]
    named = parts.first("system") or parts.first("rater") or parts.text
    if len(lists) < 2 or named or parts.first("item") is None or any(is_criterion(plain_name(each)) for each in lists):
        return ()
    return tuple(lists) if len({lengths_of_lists(table, name) for name in lists}) == 1 else ()


def columns_of_systems(table: Table, parts: Parts) -> tuple[str, ...]:
    """Return columns of numbers beside items that are called neither as criteria nor as metrics: of systems, or raters.

    Beside sources they are so if these are no rated texts themselves: there are references, too, or outputs of several
    systems, or no numbers are whole, as people's ratings are. Numbers beside one text are its own.

    Numbers that make up the same sum in each row are counts of answers, and there are none.
    """
    if family := called_systems(parts) or _rated_systems(parts):
        return family
    kinds = ("system", "text", "rater", "criterion", "rating of a rater", "preference")
    numeric = [column for column in parts.columns if column.part in ("rating", "score") and column.is_numeric]
    told = parts.first("item") is not None or parts.first("source") is not None
    has_items = told or _has_index(table, parts.columns)
    if len(numeric) < 2 or not has_items or any(parts.first(kind) for kind in kinds):
        return ()
    n_texts = len(parts.unnamed_texts)
    are_made = parts.has_references or n_texts > 1
    are_plain = any(column.kind != "numbers" for column in numeric)
    if parts.first("source") and (n_texts == 1 or (are_plain and not are_made)):
        return ()
    names = [column.name for column in numeric]
    if any(is_criterion(plain_name(name)) or names_value(name) for name in names) or _are_of_metrics(names):
        return ()
    parted = [re.split(r"[_ .-](?=[^_ .-]+$)", name) for name in names]
    if all(QUESTION.fullmatch(each[-1]) for each in parted):
        return ()
    if all(len(each) == 2 for each in parted):  # a system and a rater each, in an order that is not told
        n_first, n_last = (len({each[place] for each in parted}) for place in (0, 1))
        if n_first > 1 and n_last > 1 and n_first * n_last == len(names):
            return ()
    rows = [table.as_numbers([cell_of(row, name) for name in names]) for row in table.rows[:_MOST_SUMMED]]
    are_counts = len({float(numbers.sum()) for numbers in rows}) == 1
    return () if are_counts else tuple(names)


def _rated_systems(parts: Parts) -> tuple[str, ...]:
    """Return columns called as a score or rating of one system each, as `ours_score`; none if others hold numbers, too.

    Two such columns may be of a metric and of people.
    """
    numeric = [
        column.name
        for column in parts.columns
        if column.is_numeric and (column.part in RATED or (not column.part and _CALLED_RATING.fullmatch(column.name)))
    ]
    kinds = ("system", "criterion", "metric", "preference", "system_a")
    has_items = parts.first("item") is not None or parts.first("source") is not None
    outputs = parts.first("text") or parts.unnamed_texts
    if len(numeric) < _FEWEST_RATED or not has_items or outputs or any(parts.first(kind) for kind in kinds):
        return ()
    matches = [_CALLED_RATING.fullmatch(name) for name in numeric]
    names = [match["before"] or match["behind"] for match in matches if match is not None]
    if len(names) < len(numeric) or any(map(_is_no_system, names)) or not any(map(SYSTEM.search, names)):
        return ()
    rests = {name.replace(of, "", 1).lower() for name, of in zip(numeric, names, strict=True)}
    return tuple(numeric) if len(rests) == 1 and len(set(names)) == len(names) else ()


def _is_no_system(name: str) -> bool:
    """Say whether a word before `score` says of what or of whom the score is, and names no system."""
    return (
        is_criterion(name)
        or names_metric(name)
        or names_value(name)
        or RATER.fullmatch(name) is not None
        or _OF_WHOM.fullmatch(name) is not None
    )


_FEWEST_RATED = 3  # columns of systems

_CALLED_RATING = re.compile(
    r"(?P<before>.*[^_ :-])[_ :-](?:scores?|ratings?|points)|(?:scores?|ratings?|points)[_ :-](?P<behind>.*[^_ :-])",
    re.IGNORECASE,
)

_OF_WHOM = re.compile(
    r"(?:humans?|people|experts?|crowd|gold|judges?|auto\w*|users?|models?|systems?|mean|avg|average|total|sum|overall|"
    r"final|raw|norm\w*|std|min|max|z|q|question|item|part|section|task|test|pre|post|before|after)[ _-]?\d*|\d+|.",
    re.IGNORECASE,
)
"""Words before `score` that are no names of systems."""


def _are_of_metrics(names: Sequence[str]) -> bool:
    """Say whether names tell several metrics, which are no systems, as `COMET.ours` and `BLEU.ours` do.

    >>> _are_of_metrics(["COMET.ours", "BLEU.ours"]), _are_of_metrics(["COMET.ours", "COMET.base"])
    (True, False)
    """
    parts = [[part for part in re.split(r"[_ .:/()-]+", name) if names_metric(part)] for name in names]
    return all(parts) and len({of_name[0].lower() for of_name in parts}) > 1


def _has_index(table: Table, columns: Sequence[Column]) -> bool:
    """Say whether the first column has no name, and numbers the rows, as the index of a table of pandas does."""
    if not columns or not is_unnamed(columns[0].name):
        return False
    numbers = table.as_numbers(texts_of(table, columns[0].name)).tolist()
    return numbers in (list(range(len(numbers))), list(range(1, len(numbers) + 1)))


def lengths_of_lists(table: Table, name: str) -> tuple[int, ...]:
    """Return the length of the list in each row of a column, 0 for a cell that holds none."""
    cells = [from_json(cell_of(row, name)) for row in table.rows]
    return tuple(len(cell) if isinstance(cell, (list, tuple)) else 0 for cell in cells)
