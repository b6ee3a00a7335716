"""Columns that name the better of two systems in each row, although no two columns name both."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referenceless_metrics.advice.look.columns import Column
from referenceless_metrics.core.files.reading import cell_of
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.human_evaluation.ratings.columns import is_missing, name_of
from referenceless_metrics.human_evaluation.ratings.named_pairs import column_of_pairs, is_side, two_winners

_MOST_NAMES = 60
_DECIDES = re.compile(
    r"(?:.*[^a-z])?(?:winners?|preferred|preference|prefers?|better|best|chosen|choice|vote|picks?|picked|favou?rite)"
    r"(?:[^a-z].*)?",
    re.IGNORECASE,
)
"""Names of columns that say which of two systems is better."""


def winners_in(table: Table, columns: Sequence[Column]) -> list[str]:
    """Return the columns that name the better system of each row, or a tie; none beside columns of both systems.

    Another column names both systems in each of its cells, or a column that is called as a winner names just two. The
    columns are in order, those first whose name says that they are overall.
    """
    known = {"system_a", "system_b", "system"}
    if not table.rows or known & {column.part for column in columns}:
        return []
    found = []
    for column in columns:
        if column.kind != "labels" or not 1 < column.distinct <= _MOST_NAMES or column.part in ("item", "rater"):
            continue
        cells = [cell_of(row, column.name) for row in table.rows]
        is_called = _DECIDES.fullmatch(column.name.rpartition(".")[2]) is not None
        if column_of_pairs(table, cells, column.name) or (is_called and two_winners(cells) is not None):
            found.append(column.name)
    return sorted(found, key=lambda name: "overall" not in name.lower())


def n_named(table: Table, column: str) -> int:
    """Return the number of systems that a column of winners names."""
    cells = [cell_of(row, column) for row in table.rows]
    return len({name_of(cell) for cell in cells if not is_missing(cell) and not is_side(cell)})
