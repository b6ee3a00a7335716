"""The columns of a table of scores: those that the user names, and those that are found by their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referenceless_metrics.core.files.tables import ColumnName, Table

KEYS = ("system", "item", "run", "rater", "cluster", "slice")
"""What tells rows of scores apart."""

SCORE = "score"
"""The column of scores where nobody names another."""

SYSTEM_NAMES = ("system", "model", "system_id", "system_name", "model_id", "model_name")
"""Columns that hold systems, if a table of several systems does not have the column `system`."""


@dataclass(frozen=True)
class ScoreColumns:
    """The columns that the user names; None for each that is not named.

    Attributes:
        scores: the scores to compare; none for `score`, or the only column of numbers.
        item: tells which rows are of one item.
        system: the system's name.
        cluster: what items depend on together, such as their document.
        slice: parts the items into slices.
        run: repeated runs, whose scores are averaged.
        rater: people or judges, whose scores are averaged.
        metric: names the metric of a row; each metric is a score.
    """

    scores: tuple[str, ...] = ()
    item: str | None = None
    system: str | None = None
    cluster: str | None = None
    slice: str | None = None
    run: str | None = None
    rater: str | None = None
    metric: str | None = None

    def named(self, kind: str) -> ColumnName | None:
        """Return the column of a kind with the option that names it, or None."""
        name = getattr(self, kind)
        return None if name is None else ColumnName(name, f"--{kind}-column")

    def in_use(self) -> set[str]:
        """Return the names that the user gave for anything but scores."""
        names = (getattr(self, kind) for kind in (*KEYS, "metric"))
        return {name for name in names if name is not None}


def numeric_columns(table: Table, besides: set[str]) -> list[str]:
    """Return the columns that hold numbers alone, or numbers and blanks, without those that are in use."""
    return [name for name in table.columns if name not in besides and _has_numbers(table, name)]


def _has_numbers(table: Table, name: str) -> bool:
    cells = [row.get(name) for row in table.rows]
    held = [cell for cell in cells if cell is not None and str(cell).strip()]
    return bool(held) and bool((table.as_numbers(held) == table.as_numbers(held)).all())


def system_column(table: Table, columns: ScoreColumns, *, alone: bool) -> ColumnName | None:
    """Return the column of systems; None for a table of one system.

    Args:
        table: the table.
        columns: what the user names.
        alone: whether this is the only file: then it should hold several systems, and other names are tried.
    """
    if columns.system is not None:
        return columns.named("system")
    known = SYSTEM_NAMES if alone else SYSTEM_NAMES[:1]
    name = next((name for name in known if name in table.columns and name not in columns.in_use()), None)
    return None if name is None else ColumnName(name, "--system-column")


def listed(names: Sequence[str], limit: int = 8) -> str:
    """Return names as messages list them, cut if there are many."""
    shown = ", ".join(map(repr, map(str, names[:limit])))
    return shown + (" …" if len(names) > limit else "")
