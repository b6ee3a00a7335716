"""Candidates in files: a list of them in a column, a row an input; or a row a candidate, those of an input together.

Both become tables of a row a candidate, with where the candidates of each input begin.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from metric_commons.files.formats import TEXT
from metric_commons.files.tables import Table
from metric_commons.support.errors import InputError
from metric_commons.support.validation import describe
from referenceless_metrics.selection.lists import Lists


def lists_in_cells(table: Table, column: str) -> tuple[Table, Lists]:
    """Return a row for each candidate of each row's list, with its text in place of the list.

    Args:
        table: rows, of which each holds the candidates of an input.
        column: holds the lists, in a text file's columns as JSON writes one.

    Raises:
        InputError: for a missing column, a cell that is no list of at least one text, or another column named `text`.
    """
    cells = table.column(column, "--candidates-column")
    if TEXT in table.columns and column != TEXT:
        raise InputError(f"{table.source}: it has a column {TEXT!r} already, as the chosen texts will have; rename it")
    rows: list[dict[str, Any]] = []
    lines: list[int] = []
    begins = [0]
    for place, (row, cell) in enumerate(zip(table.rows, cells, strict=True)):
        found = cell
        if isinstance(cell, str):
            with suppress(ValueError, RecursionError):
                found = json.loads(cell)
        if not isinstance(found, list) or not found:
            raise InputError(
                f"{table.where(place)}: expected a list of one or more candidates in column {column!r}, but got "
                f"{describe(cell)}"
            )
        beside = {name: value for name, value in row.items() if name != column}
        for text in found:
            table.check_text(place, column, text)
            rows.append({**beside, TEXT: text})
        lines += table.lines[place : place + 1] * len(found)
        begins.append(len(rows))
    columns = (*(name for name in table.columns if name != column), TEXT)
    return replace(table, columns=columns, rows=rows, lines=lines), _lists([row[TEXT] for row in rows], begins)


def rows_of_inputs(table: Table, key: str, column: str) -> tuple[Table, Lists]:
    """Return rows of candidates as they are; those that follow one another with the same key are of one input.

    Raises:
        InputError: for a missing column, a candidate that is no text, or an input whose rows do not stand together.
    """
    texts, keys = table.texts(column), table.column(key, "--input-column")
    starts = [row for row, value in enumerate(keys) if not row or value != keys[row - 1]]
    seen = set()
    for row in starts:
        if str(keys[row]) in seen:
            raise InputError(
                f"{table.where(row)}: the rows of {key} {keys[row]!r} do not stand together; sort the file by that "
                "column"
            )
        seen.add(str(keys[row]))
    return table, _lists(texts, [*starts, len(texts)])


def rows_at(table: Table, places: Sequence[int]) -> Table:
    """Return some of a table's rows."""
    lines = [table.lines[place] for place in places if table.lines]
    return replace(table, rows=[table.rows[place] for place in places], lines=lines)


def _lists(texts: list[str], begins: list[int]) -> Lists:
    return Lists(texts, np.array(begins, dtype=np.int64))
