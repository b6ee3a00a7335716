"""Rows in which nobody rated anything and a name is missing, such as the rows of a form that are not filled in yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referenceless_metrics.core.files.reading import MISSING, cell_of
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import Record, shortened
from referenceless_metrics.human_evaluation.ratings.columns import is_missing


def without_unrated_rows(table: Table, rated: Sequence[str], names: Sequence[str]) -> tuple[Table, list[str]]:
    """Return a table without the rows that have no number to read and no name to read it by, and a note on these.

    A row with all its names stays: its rating is missing, and it counts as one that was asked for.

    Args:
        table: the table.
        rated: the columns of ratings or scores.
        names: the columns of items, systems, raters and the like.
    """
    known = [name for name in names if table.has(name)]
    if not known or not all(table.has(name) for name in rated):
        return table, []
    left_out = [_holds_nothing(row, rated) and not _holds_all(row, known) for row in table.rows]
    n_left_out = sum(left_out)
    if n_left_out in (0, len(table.rows)):
        return table, []
    kept = [place for place, is_left_out in enumerate(left_out) if not is_left_out]
    unnamed = [row for row, is_left_out in zip(table.rows, left_out, strict=True) if is_left_out]
    blank = [name for name in known if not all(_is_filled(row, name) for row in unnamed)]
    lines = [table.lines[place] for place in kept] if table.lines else []
    rows = "1 row has" if n_left_out == 1 else f"{n_left_out} rows have"
    listed = shortened(", ".join(repr(str(name)) for name in [*blank, *rated]), 120)
    note = f"{table.source}: left out: {rows} nothing in columns {listed}"
    return replace(table, rows=[table.rows[place] for place in kept], lines=lines), [note]


def _holds_nothing(row: Record, rated: Sequence[str]) -> bool:
    return not any(_is_filled(row, name) for name in rated)


def _holds_all(row: Record, names: Sequence[str]) -> bool:
    return all(_is_filled(row, name) for name in names)


def _is_filled(row: Record, name: str) -> bool:
    cell = cell_of(row, name)
    return cell is not MISSING and not is_missing(cell)
