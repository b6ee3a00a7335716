"""Delimited text of published data sets, with errors that name the file and the line."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable

from referenceless_metrics.core.files.delimited import Dialect, csv_rows
from referenceless_metrics.core.files.lines import ByteLines
from referenceless_metrics.core.support.validation import InputError


class Row(dict[str, str]):
    """One row of delimited text: its cells by column. A row may end early, as in files of Mechanical Turk.

    Args:
        where: the file and the number of its first line, for messages.
        cells: its cells.
    """

    def __init__(self, where: str, cells: dict[str, str]) -> None:
        super().__init__(cells)
        self.where = where

    def __missing__(self, column: str) -> str:
        raise self.error(f"the row ends before {column!r}")

    def error(self, message: str) -> InputError:
        """Return an error that names the file and the line."""
        return InputError(f"{self.where}: {message}")

    def integer(self, column: str) -> int:
        """Return the cell of `column` as a whole number.

        Raises:
            InputError: if the row ends before that column, or the cell is no whole number.
        """
        cell = self[column]
        try:
            return int(cell)
        except ValueError:
            raise self.error(f"expected a whole number in {column!r}, but got {cell!r}") from None


def delimited_rows(
    content: bytes, source: str, columns: Iterable[str] = (), *, delimiter: str = ","
) -> tuple[list[str], list[Row]]:
    r"""Read a delimited text file (CSV, TSV) with a header: UTF-8, minimal quoting, doubled quotes.

    A row may be shorter than the header, but not longer. Blank lines are skipped, a byte-order mark is ignored.

    Args:
        content: the file's bytes.
        source: the file's path or address, for error messages.
        columns: columns that the header must have.
        delimiter: the character between cells.

    Returns:
        The header, and the rows.

    Raises:
        InputError: for an empty file, a header that names a column twice, or one that lacks columns.

    >>> delimited_rows(b'id,text\n1,"a, b"\n', "pool.csv")[1]
    [{'id': '1', 'text': 'a, b'}]
    >>> delimited_rows(b"id,text\n", "pool.csv", ["id", "score"])
    Traceback (most recent call last):
    ...
    referenceless_metrics...InputError: pool.csv:1: no column 'score' among the 2 columns of the header
    """
    header: dict[str, None] = {}
    lines = csv_rows(ByteLines(io.BytesIO(content), source), header, Dialect(delimiter), ragged=True)
    rows = [Row(f"{source}:{line}", cells) for line, cells in lines]
    check_columns(header, columns, source)
    return list(header), rows


def check_columns(header: Collection[str], columns: Iterable[str], source: str) -> None:
    """Check that a header has all of `columns`.

    Raises:
        InputError: for absent columns; the message names the first of them.
    """
    if absent := [repr(column) for column in columns if column not in header]:
        shown = ", ".join(absent[:3]) + (f" and {len(absent) - 3} more" if len(absent) > 3 else "")
        raise InputError(f"{source}:1: no column {shown} among the {len(header)} columns of the header")
