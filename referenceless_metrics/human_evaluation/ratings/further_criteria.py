"""Ratings by further criteria beside those that are asked for: p is corrected for comparisons by the latter alone."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote

import numpy as np

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.human_evaluation.ratings.column_grid import CRITERIA_WORDS
from referenceless_metrics.human_evaluation.ratings.columns import CRITERIA, RatingColumns

_OPTION = "--rating-column"


def further_criteria(tables: Sequence[Table], columns: RatingColumns) -> tuple[str, ...]:
    """Return columns of numbers, in all of some tables, that are called as criteria and that nobody named.

    There are none if several columns of ratings are of raters or systems each, or if a column names the criteria.
    """
    are_of_others = len(columns.ratings) > 1 and columns.columns_are != CRITERIA
    if not columns.ratings or are_of_others or columns.criterion is not None:
        return ()
    named = {*columns.named, *columns.ratings}
    names = [name for name in tables[0].names() if name not in named and name.strip().lower() in CRITERIA_WORDS]
    return tuple(name for name in names if all(table.has(name) and _holds_numbers(table, name) for table in tables))


def _holds_numbers(table: Table, name: str) -> bool:
    """Say whether a column holds numbers, beside blank cells."""
    cells = [cell for cell in table.column(name) if not is_blank(cell)]
    return bool(cells) and bool(np.isfinite(table.as_numbers(cells)).all())


def note_on_further_criteria(ratings: Sequence[str], further: Sequence[str]) -> str:
    """Return the note on criteria that nobody named.

    >>> note_on_further_criteria(["fluency"], ["style"]).partition(":")[0]
    "column 'style' may hold ratings by a further criterion"
    """
    columns, criteria = ("column", "a further criterion") if len(further) == 1 else ("columns", "further criteria")
    listed = ", ".join(map(repr, further))
    options = " ".join(f"{_OPTION} {quote(name)}" for name in (*ratings, *further))
    return (
        f"{columns} {listed} may hold ratings by {criteria}: p and intervals are corrected for comparisons by "
        f"{', '.join(ratings)} alone; if you report the others, too, ask for all together ({options} --columns-are "
        "criteria)"
    )
