"""Candidates in files: a list of them in a column, a row an input; or a row a candidate, those of an input together."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metric_commons.files.formats import TEXT
from metric_commons.files.tables import Table
from metric_commons.support.errors import InputError
from metric_commons.support.validation import describe
from referenceless_metrics.selection.lists import Lists, check_lists


@dataclass(frozen=True)
class ListsInCells:
    """A row an input, whose candidates a cell holds: a list of texts, in a text file's columns as JSON writes one.

    Attributes:
        column: the column of the lists.
    """

    column: str

    def lists(self, table: Table) -> Lists:
        """Return the candidates of each row.

        Raises:
            InputError: for a missing column, or a cell that is no list of at least one text.
        """
        return check_lists(
            [self._list(table, row, cell) for row, cell in enumerate(table.column(self.column, "--candidates-column"))]
        )

    def inputs(self, table: Table) -> Table:
        """Return the rows of the inputs, for what stands beside the candidates."""
        return table

    def chosen(self, table: Table, lists: Lists, places: Sequence[int]) -> Table:
        """Return a row for each of some candidates: that of its input, with its text in place of the list.

        Raises:
            InputError: for another column that is named `text`.
        """
        if TEXT in table.columns and self.column != TEXT:
            raise InputError(
                f"{table.source}: it has a column {TEXT!r} already, as the chosen texts will have; rename it"
            )
        chosen = _rows_of(table, lists.of[np.asarray(places, dtype=np.int64)].tolist())
        rows = [
            {**{name: cell for name, cell in row.items() if name != self.column}, TEXT: lists.texts[place]}
            for row, place in zip(chosen.rows, places, strict=True)
        ]
        return replace(chosen, columns=self.columns(table.columns), rows=rows)

    def columns(self, columns: Sequence[str]) -> tuple[str, ...]:
        """Return the columns of the chosen from those of the input."""
        return (*(name for name in columns if name != self.column), TEXT)

    def _list(self, table: Table, row: int, cell: Any) -> list[str]:
        found = cell
        if isinstance(cell, str):
            with suppress(ValueError, RecursionError):
                found = json.loads(cell)
        if not isinstance(found, list) or not found:
            raise InputError(
                f"{table.where(row)}: expected a list of one or more candidates in column {self.column!r}, but got "
                f"{describe(cell)}"
            )
        for text in found:
            table.check_text(row, self.column, text)
        return found


@dataclass(frozen=True)
class RowsOfInputs:
    """A row a candidate; rows that follow one another with the same value in a column are those of one input.

    Attributes:
        key: the column that tells inputs apart.
        text: the column of the candidates.
    """

    key: str
    text: str

    def lists(self, table: Table) -> Lists:
        """Return the candidates of each input.

        Raises:
            InputError: for a missing column, or a candidate that is no text.
        """
        texts = table.texts(self.text)
        return Lists(texts, np.array([*self._starts(table), len(texts)], dtype=np.int64))

    def inputs(self, table: Table) -> Table:
        """Return the first row of each input, for what stands beside the candidates."""
        return _rows_of(table, self._starts(table))

    def chosen(self, table: Table, lists: Lists, places: Sequence[int]) -> Table:
        """Return the rows of some candidates."""
        return _rows_of(table, places)

    def columns(self, columns: Sequence[str]) -> tuple[str, ...]:
        """Return the columns of the chosen: those of the input."""
        return tuple(columns)

    def whole_inputs(self, blocks: Iterator[Table]) -> Iterator[Table]:
        """Yield blocks cut anew, so that none parts an input.

        Raises:
            InputError: for an input whose rows do not stand together.
        """
        seen: set[int] = set()
        held: Table | None = None
        for block in blocks:
            table = block if held is None else _joined(held, block)
            starts = self._starts(table)
            for row in starts[1:] if held is not None else starts:  # what was held is known already
                key = hash(str(table.rows[row][self.key]))
                if key in seen:
                    raise InputError(
                        f"{table.where(row)}: the rows of {self.key} {table.rows[row][self.key]!r} do not stand "
                        "together; sort the file by that column"
                    )
                seen.add(key)
            last = starts[-1] if starts else 0
            if last:
                yield replace(table, rows=table.rows[:last], lines=table.lines[:last])
            held = replace(table, rows=table.rows[last:], lines=table.lines[last:], first=table.first + last)
        if held is not None and held.rows:
            yield held

    def _starts(self, table: Table) -> list[int]:
        keys = table.column(self.key, "--input-column")
        return [row for row, key in enumerate(keys) if not row or key != keys[row - 1]]


def _rows_of(table: Table, places: Sequence[int]) -> Table:
    rows, lines = table.rows, table.lines
    return replace(table, rows=[rows[place] for place in places], lines=[lines[place] for place in places if lines])


def _joined(held: Table, block: Table) -> Table:
    return replace(block, rows=[*held.rows, *block.rows], lines=[*held.lines, *block.lines], first=held.first)
