"""Rows of two kinds in one table: turns and whole dialogues, say, which are rated by criteria of their own."""

from __future__ import annotations

from collections.abc import Sequence

from referenceless_metrics.advice.look.columns import Column
from referenceless_metrics.core.files.reading import MISSING, Condition, cell_of
from referenceless_metrics.core.files.tables import Table, is_blank
from referenceless_metrics.core.support.validation import shortened

_RATED = ("rating", "score")


def kinds_of_rows(table: Table, columns: Sequence[Column]) -> tuple[Condition, Condition] | None:
    """Return the conditions that take the rows of either kind, those of the larger one first; None for one kind.

    Some ratings stand just in the rows in which a column is filled, and others just in the rows in which it is blank.
    """
    held = [column for column in columns if 0 < column.blank < 1]
    filled = {column.name: _filled(table, column.name) for column in held}
    rated = {filled[column.name] for column in held if column.part in _RATED}
    others = [column for column in held if column.part not in _RATED and not column.mark]
    for column in (*others, *(column for column in held if column.part in _RATED)):
        mask = filled[column.name]
        if {mask, tuple(not is_filled for is_filled in mask)} <= rated:
            both = (Condition(column.name, "", is_other=True), Condition(column.name, ""))
            return both if 2 * sum(mask) >= len(mask) else (both[1], both[0])
    return None


def _filled(table: Table, name: str) -> tuple[bool, ...]:
    """Return of each row whether a cell is filled."""
    cells = (cell_of(row, name) for row in table.rows)
    return tuple(cell is not MISSING and not is_blank(cell) for cell in cells)


def told_kinds(table: Table, columns: Sequence[Column], kinds: Sequence[Condition]) -> str:
    """Return the remark on rows of two kinds."""
    rated = [column for column in columns if column.part in _RATED and 0 < column.blank < 1]
    told = []
    for condition in kinds:
        mask = tuple(map(condition.holds, table.rows))
        names = [column.name for column in rated if _filled(table, column.name) == mask]
        told.append(f"{sum(mask)} ({condition}) are rated by {shortened(', '.join(names), 80)}")
    return f"rows are of two kinds: {'; '.join(told)}. Columns are shown over all rows, and lines take one kind each"
