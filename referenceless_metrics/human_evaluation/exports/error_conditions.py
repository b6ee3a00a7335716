"""Conditions of `--where` on tables with a row for each marked error.

A condition on a column of errors, such as their severity, chooses errors: a judgement that is left without one has
none. Any other condition chooses rows, and so whole judgements.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from referenceless_metrics.core.files.reading import MISSING, Condition, InputNote, Reading, cell_of, cell_text
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import InputError, Record
from referenceless_metrics.human_evaluation.exports.rows import ScoreRow
from referenceless_metrics.human_evaluation.forms import Sighting


class ErrorRows(NamedTuple):
    """A table of errors, and the conditions on its rows.

    Attributes:
        table: the rows of the judgements that meet the conditions.
        whole: all rows.
        on_errors: the conditions that choose errors.
        on_judgements: the conditions that choose rows.
    """

    table: Table
    whole: Table
    on_errors: tuple[Condition, ...] = ()
    on_judgements: tuple[Condition, ...] = ()

    def counts(self, row: Record) -> bool:
        """Say whether the error of a row counts."""
        return all(condition.holds(row) for condition in self.on_errors)

    def check_judgements(self, keys: Sequence[str], same: Sequence[str], of_errors: Sequence[str]) -> None:
        """Check that the conditions on rows are on columns in which the rows of a judgement do not differ.

        Args:
            keys: the columns that tell judgements.
            same: further columns that are of judgements, whatever they hold.
            of_errors: the columns of errors, for the message.

        Raises:
            InputError: for a condition that would leave out a part of a judgement.
        """
        for condition in self.on_judgements:
            if condition.column not in (*keys, *same) and self._parts_judgements(keys, condition.column):
                raise InputError(
                    f"{self.table.source}: --where {condition}: rows of one judgement differ in {condition.column!r}, "
                    "and it cannot be told whether a judgement that is left without a row has no errors or is left "
                    f"out; conditions on {' and '.join(map(repr, of_errors))} choose errors, and those on "
                    f"{', '.join(map(repr, keys))} judgements"
                )

    def _parts_judgements(self, keys: Sequence[str], column: str) -> bool:
        """Say whether rows of one judgement differ in a column."""
        held: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for row in self.whole.rows:
            cell = cell_of(row, column)
            key = tuple(str(row.get(name)) for name in keys)
            held[key].add("" if cell is MISSING else cell_text(cell))
        return any(len(cells) > 1 for cells in held.values())

    def notes(self, rows: Sequence[ScoreRow], n_left_out: int) -> list[str]:
        """Return a note on the conditions that choose errors, if there are any.

        Args:
            rows: the judgements.
            n_left_out: the number of errors that are left out.
        """
        if not self.on_errors:
            return []
        asked = " ".join(f"--where {condition}" for condition in self.on_errors)
        none = sum(not row.spans for row in rows)
        return [
            f"{asked} chooses errors, and no judgements: {n_left_out} other errors are left out, and the {none} of "
            f"{len(rows)} judgements without a chosen error count 0"
        ]


def read_errors(
    sighting: Sighting, reading: Reading, of_errors: Callable[[Sequence[str]], Sequence[str | None]]
) -> ErrorRows:
    """Read a table with a row for each error.

    Args:
        sighting: the file.
        reading: the way to read it.
        of_errors: the columns of errors among all columns.

    Raises:
        InputError: for a file that cannot be read, and if no row meets the conditions.
    """
    path = str(sighting.path)
    if not reading.where:
        table = read_table(path, reading)
        return ErrorRows(table, table)
    with warnings.catch_warnings():  # the file is read again, and notes are told then
        warnings.simplefilter("ignore", InputNote)
        whole = read_table(path, replace(reading, where=()))
        names = of_errors(whole.columns)
        on_errors = tuple(each for each in reading.where if each.column in names)
        if on_errors:
            read_table(path, replace(reading, where=on_errors))  # it refuses conditions that no error meets
    on_judgements = tuple(each for each in reading.where if each.column not in names)
    table = read_table(path, replace(reading, where=on_judgements))
    return ErrorRows(table, whole, on_errors, on_judgements)
