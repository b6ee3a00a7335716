"""Shared by the rules on columns: the columns of a part, their cells as texts, and columns with other parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.core.files.reading import MISSING, cell_of
from referenceless_metrics.core.files.tables import Table


def texts_of(table: Table, name: str) -> list[str]:
    """Return the cells of a column as texts; "" for none."""
    cells = (cell_of(row, name) for row in table.rows)
    return ["" if cell is MISSING or cell is None else str(cell) for cell in cells]


def first_of(columns: Iterable[Column], *parts: str) -> Column | None:
    """Return the first column that plays one of the parts; None for none."""
    return next((column for column in columns if column.part in parts), None)


def with_parts(columns: Sequence[Column], parts: Mapping[str, str]) -> list[Column]:
    """Return columns with other parts, by their names; those that are not named keep theirs."""
    return [replace(column, part=parts.get(column.name, column.part)) for column in columns]


def is_function(keys: Sequence[object], values: Sequence[str]) -> bool:
    """Say whether equal keys have equal values."""
    return len(set(keys)) == len(set(zip(keys, values, strict=True)))


def is_circumstance(name: str) -> bool:
    """Say whether a column's name is one of circumstances, and not of systems."""
    return re.search(r"country|region|city|channel|gender|browser|status|date|split|lang", name.lower()) is not None
