"""Numbers that a table holds already, as a result: conditions of `filter --scored` are on these."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.results import MetricResult
from referenceless_metrics.core.support.validation import Floats, InputError, finite_number

SIGNATURE = "the numbers of the columns as they are: nothing was scored"


def result_of_columns(table: Table, names: Sequence[str]) -> MetricResult:
    """Return columns of a table as a result: the first one's numbers as its values, the others as its columns.

    A row that lacks one of the numbers has no value.

    Args:
        table: n rows.
        names: the columns.

    Raises:
        InputError: for a column that the table does not have, and for a cell that is no number.
    """
    columns = {name: _numbers(table, name) for name in dict.fromkeys(names)}
    values = columns[names[0]].copy()
    reasons: list[str | None] = [None] * len(values)
    for name, numbers in columns.items():
        for place in np.flatnonzero(np.isnan(numbers)).tolist():
            reasons[place] = reasons[place] or f"no number in {name}"
            values[place] = np.nan
    return MetricResult(values, tuple(reasons), SIGNATURE, columns)


def _numbers(table: Table, name: str) -> Floats:
    """Return a column's numbers, shape (n,); NaN for a blank cell.

    Raises:
        InputError: for a column that the table does not have, and for a cell that is no number.
    """
    cells = table.column(name, "--keep")
    numbers = np.full(len(cells), np.nan)
    for place, cell in enumerate(cells):
        if cell is None or is_blank(cell):
            continue
        number = finite_number(cell)
        if number is None:
            raise InputError(f"{table.where(place)}: expected a number in column {name!r}, but got {str(cell)[:40]!r}")
        numbers[place] = number
    return numbers
