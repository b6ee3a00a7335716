"""Numbers that stand for missing ratings: 0 on a scale from 1, say, in rows that nobody judged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.number_words import MISSING_MARKS, NO_ANSWERS
from referenceless_metrics.core.files.reading import MISSING, cell_of, from_json
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import Booleans, Floats, finite_numbers
from referenceless_metrics.human_evaluation.ratings.lists import lists_in

_PART = re.compile(r"(?:.*[^a-z])?(?:dataset|split|slice|set|subset|part|partition|status)", re.IGNORECASE)
_NO_PART = MISSING_MARKS | NO_ANSWERS
_FEWEST = 5  # other ratings, which tell the scale


def without_marks(table: Table, column: str, values: Floats) -> tuple[Floats, list[str]]:
    """Return ratings, NaN in place of a number that stands for a missing one, and a note.

    Such a number is the least one, at most 0, and below a scale from 1, or from 0; and it stands just in the rows
    whose other ratings are missing, or whose part of the data is called `none`.

    Args:
        table: the table.
        column: the column of ratings.
        values: its cells as numbers, shape (rows,).
    """
    known = np.isfinite(values)
    if not known.any():
        return values, []
    least = values[known].min()
    marked = values == least
    others = values[known & ~marked]
    if least > 0 or len(others) < _FEWEST or others.min() < (1 if least == 0 else 0):
        return values, []
    ends = float(others.min()), float(others.max())
    for name in table.names():
        if name == str(column):
            continue
        cells = [from_json(cell_of(row, name)) for row in table.rows]
        if _is_told_by(name, cells, marked, known, ends):
            note = (
                f"column {str(column)!r}: {least:g} stands in {int(marked.sum())} rows, outside the other ratings "
                f"({ends[0]:.4g} to {ends[1]:.4g}) and just where column {name!r} holds none: a missing rating, left "
                f'out (--values "{least:g}={least:g}" keeps it)'
            )
            return np.where(marked, np.nan, values), [note]
    return values, []


def without_marks_in_lists(table: Table, column: str, rows: Sequence[int], values: Floats) -> tuple[Floats, list[str]]:
    """Return ratings of cells that hold several, NaN in place of a 0 that stands for a missing one, and a note.

    A 0 does so below a scale from 1, if it stands at the same places in the lists of another column.

    Args:
        table: the table.
        column: the column of ratings.
        rows: the row of each rating, in order.
        values: the ratings, shape (n,).
    """
    marked = values == 0
    others = values[np.isfinite(values) & ~marked]
    if not marked.any() or len(others) < _FEWEST or others.min() < 1:
        return values, []
    for name in table.names():
        lists = [] if name == str(column) else lists_in([_filled(cell_of(row, name)) for row in table.rows])
        if not lists or not all(isinstance(each, (list, tuple)) for each in lists):
            continue
        if [place for place, each in enumerate(lists) for _ in each] != list(rows):
            continue
        beside = finite_numbers([each for cell in lists for each in cell])
        if ((beside == 0) == marked).all():
            note = (
                f"column {str(column)!r}: 0 stands {int(marked.sum())} times, outside the other ratings "
                f"({others.min():.4g} to {others.max():.4g}) and at the same places as in {name!r}: missing ratings, "
                'left out (--values "0=0" keeps them)'
            )
            return np.where(marked, np.nan, values), [note]
    return values, []


def _filled(cell: Any) -> Any:
    return None if cell is MISSING else cell


def _is_told_by(name: str, cells: Sequence[Any], marked: Booleans, known: Booleans, ends: tuple[float, float]) -> bool:
    """Say whether a column of ratings, or of parts of the data, holds nothing just in the rows that are marked."""
    is_part = _PART.fullmatch(name) is not None
    none = _NO_PART if is_part else MISSING_MARKS
    empty = np.array([_is_empty(cell) or str(cell).strip().lower() in none for cell in cells])
    if (empty != marked)[known].any():
        return False
    filled = [cell for cell, is_empty in zip(cells, empty.tolist(), strict=True) if not is_empty]
    if is_part and all(isinstance(cell, str) for cell in filled):
        return True
    numbers = finite_numbers([each for cell in filled for each in (cell if isinstance(cell, list) else [cell])])
    return bool(np.isfinite(numbers).all() and numbers.min() >= min(ends[0], 1) and numbers.max() <= np.ceil(ends[1]))


def _is_empty(cell: Any) -> bool:
    return cell is MISSING or is_blank(cell) or (isinstance(cell, (list, tuple)) and not cell)
