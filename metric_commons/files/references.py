"""Reference texts in the columns of a table."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from typing import Any

from metric_commons.files.tables import Table
from metric_commons.support.errors import InputError
from metric_commons.support.validation import describe


def references_of(table: Table, patterns: Sequence[str]) -> list[list[str]]:
    """Return the reference texts of each row.

    Args:
        table: rows with columns.
        patterns: columns that hold references, by name or pattern (`reference_*`); a cell may hold a text, a list of
            texts, or nothing.

    Raises:
        InputError: for a column that is not there, a cell that is no text, or a row without any reference.
    """
    columns: list[str] = []
    for pattern in patterns:
        matching = [name for name in table.columns if fnmatch.fnmatchcase(name, pattern)]
        if not matching:
            table.column(pattern, "--reference-columns")  # says which columns there are
        columns += matching
    lists = []
    for row, cells in enumerate(table.rows):
        found: list[str] = []
        for column in columns:
            value: Any = cells.get(column)
            for item in value if isinstance(value, (list, tuple)) else [value]:
                if item is not None and not isinstance(item, str):
                    raise InputError(
                        f"{table.where(row)}: expected reference texts in column {column!r}, but got {describe(item)}"
                    )
                if item:
                    found.append(item)
        if not found:
            raise InputError(f"{table.where(row)}: no reference in columns {', '.join(columns)}")
        lists.append(found)
    return lists
