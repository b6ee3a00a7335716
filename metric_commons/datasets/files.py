"""Local data files: where they must be, what they contain, and delimited text with errors that say where."""

from __future__ import annotations

import csv
import hashlib
import io
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from metric_commons.support.errors import InputError


def require_files(data_dir: str | os.PathLike[str], names: Sequence[str], dataset: str) -> list[str]:
    """Return the paths of the files `names` in the folder `data_dir`.

    Args:
        data_dir: a local folder; `~` stands for the home directory.
        names: the file names that the data set needs.
        dataset: the data set's name, for the error message.

    Raises:
        FileNotFoundError: where the folder or one of the files is absent; it names every absent file.
    """
    folder = Path(data_dir).expanduser()
    wanted = ", ".join(names)
    if not folder.is_dir():
        raise FileNotFoundError(
            f"Expected argument `data_dir` to be the folder that holds {wanted} for {dataset!r}, "
            f"but there is no folder {str(folder)!r}"
        )
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        raise FileNotFoundError(f"{dataset!r} needs {wanted} in {str(folder)!r}, but found no {', '.join(missing)}")
    return [str(folder / name) for name in names]


def fingerprint(paths: Iterable[str]) -> str:
    """Hash the names and the contents of files: 16 hexadecimal digits, the same wherever the files lie."""
    total = hashlib.sha256()
    for path in paths:
        content = hashlib.sha256(Path(path).read_bytes()).hexdigest()
        total.update(f"{Path(path).name}\0{content}\n".encode())
    return total.hexdigest()[:16]


class DelimitedText:
    r"""A delimited text file (CSV, TSV) with a header: UTF-8, minimal quoting, doubled quotes.

    Iterating yields `(line, cells)`: the number of the row's first line, from 1, and its cells by column
    name. A row may be shorter than the header (then `cells` lacks the last columns), as Mechanical Turk
    writes them, but not longer. Blank lines are skipped, a byte-order mark is ignored.

    >>> table = DelimitedText(b'id,text\n1,"a, b"\n', "pool.csv")
    >>> list(table)
    [(2, {'id': '1', 'text': 'a, b'})]
    >>> table.require(["id", "score"])
    Traceback (most recent call last):
    ...
    metric_commons.support.errors.InputError: pool.csv, line 1: no column 'score' among the 2 columns of the header
    """

    def __init__(self, content: bytes, source: str, *, delimiter: str = ",") -> None:
        """Read the header.

        Args:
            content: the file's bytes.
            source: the file's path or address, for error messages.
            delimiter: the character between cells.

        Raises:
            InputError: for an empty file, or a header that names a column twice.
        """
        self.source = source
        self._line = 0  # the last physical line read
        self._reader = csv.reader(self._decoded(content), delimiter=delimiter, strict=True)
        _, header = self._next_row() or (0, [])
        if not header:
            raise InputError(f"{source}: expected a header line and rows, but the file is empty")
        self.header: list[str] = header
        doubled = sorted({name for name in header if header.count(name) > 1})
        if doubled:
            raise self.error(1, f"column {doubled[0]!r} stands in the header twice")

    def error(self, line: int, message: str) -> InputError:
        """Return an error that names the file and the line."""
        return InputError(f"{self.source}, line {line}: {message}")

    def require(self, columns: Iterable[str]) -> None:
        """Check that the header has all of `columns`.

        Raises:
            InputError: naming the first columns that are absent.
        """
        absent = [repr(column) for column in columns if column not in self.header]
        if absent:
            shown = ", ".join(absent[:3]) + (f" and {len(absent) - 3} more" if len(absent) > 3 else "")
            raise self.error(1, f"no column {shown} among the {len(self.header)} columns of the header")

    def cell(self, line: int, cells: dict[str, str], column: str) -> str:
        """Return the cell of `column`.

        Raises:
            InputError: where the row ends before that column.
        """
        if column not in cells:
            raise self.error(line, f"expected {len(self.header)} cells, but the row ends before {column!r}")
        return cells[column]

    def integer(self, line: int, cells: dict[str, str], column: str) -> int:
        """Return the cell of `column` as a whole number.

        Raises:
            InputError: where the row ends before that column, or the cell is anything else.
        """
        value = self.cell(line, cells, column)
        try:
            return int(value)
        except ValueError:
            raise self.error(line, f"expected a whole number in {column!r}, but got {value!r}") from None

    def __iter__(self) -> Iterator[tuple[int, dict[str, str]]]:
        while (row := self._next_row()) is not None:
            line, cells = row
            if not cells:
                continue
            if len(cells) > len(self.header):
                raise self.error(line, f"expected {len(self.header)} cells, but got {len(cells)}")
            yield line, dict(zip(self.header, cells, strict=False))

    def _next_row(self) -> tuple[int, list[str]] | None:
        first = self._line + 1
        try:
            cells = next(self._reader, None)
        except csv.Error as error:
            raise self.error(first, f"malformed row: {error}") from None
        return None if cells is None else (first, cells)

    def _decoded(self, content: bytes) -> Iterator[str]:
        for line in io.BytesIO(content.removeprefix(b"\xef\xbb\xbf")):
            self._line += 1
            try:
                yield line.decode("utf-8")
            except UnicodeDecodeError as error:
                raise self.error(
                    self._line,
                    f"expected UTF-8, but byte {error.start + 1} of the line is 0x{line[error.start]:02x}",
                ) from None
