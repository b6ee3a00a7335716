"""Rows of two kinds in one table: turns and whole dialogues, say, which are rated by criteria of their own."""

from __future__ import annotations

from collections.abc import Sequence

from referenceless_metrics.advice.look.columns.choosing import texts_of
from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.core.files.reading import Condition
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import shortened
from referenceless_metrics.human_evaluation.ratings.row_kinds import filled, others

_RATED = ("rating", "score")
_MAY_NAME = ("", "slice", "cluster")
"""Parts of columns that may name kinds of rows."""


def kinds_of_rows(table: Table, columns: Sequence[Column]) -> tuple[Condition, Condition] | None:
    """Return the conditions that take the rows of either kind, those of the larger one first; None for one kind.

    Some ratings stand just in the rows in which a column is filled, or names one of two kinds, and others just in the
    other rows.
    """
    held = [column for column in columns if 0 < column.blank < 1]
    masks = {column.name: filled(table.rows, column.name) for column in held}
    rated = {masks[column.name] for column in held if column.part in _RATED}
    if not any(others(mask) in rated for mask in rated):
        return None
    for column in columns:
        if column.kind == "labels" and column.distinct == 2 and not column.blank and column.part in _MAY_NAME:
            both = [Condition(column.name, each) for each in dict.fromkeys(texts_of(table, column.name))]
            if {tuple(map(condition.holds, table.rows)) for condition in both} <= rated:
                return _larger_first(table, both[0], both[1])
    besides = [column for column in held if column.part not in _RATED and not column.mark]
    for column in (*besides, *(column for column in held if column.part in _RATED)):
        if {masks[column.name], others(masks[column.name])} <= rated:
            return _larger_first(table, Condition(column.name, "", is_other=True), Condition(column.name, ""))
    return None


def _larger_first(table: Table, first: Condition, other: Condition) -> tuple[Condition, Condition]:
    n_first = sum(map(first.holds, table.rows))
    return (first, other) if 2 * n_first >= len(table.rows) else (other, first)


def told_kinds(table: Table, columns: Sequence[Column], kinds: Sequence[Condition]) -> str:
    """Return the remark on rows of two kinds."""
    rated = [column for column in columns if column.part in _RATED and 0 < column.blank < 1]
    told = []
    for condition in kinds:
        mask = tuple(map(condition.holds, table.rows))
        names = [column.name for column in rated if filled(table.rows, column.name) == mask]
        told.append(f"{sum(mask)} ({condition}) are rated by {shortened(', '.join(names), 80)}")
    return f"rows are of two kinds: {'; '.join(told)}. Columns are shown over all rows, and lines take one kind each"
