"""Local data files: where they must be, what they contain, and delimited text with errors that say where."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from metric_commons.files.formats import ByteLines, csv_rows
from metric_commons.support.validation import InputError, PathName


def require_files(data_dir: PathName, names: Sequence[str], dataset: str) -> list[str]:
    """Return the paths of the files `names` in the folder `data_dir`.

    Args:
        data_dir: a local folder; `~` stands for the home directory.
        names: the file names that the data set needs.
        dataset: the data set's name, for the error message.

    Raises:
        FileNotFoundError: where the folder or one of the files is absent; it names every absent file.
    """
    folder = Path(data_dir).expanduser()
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        found = f"no {', '.join(missing)}" if folder.is_dir() else "no such folder"
        raise FileNotFoundError(
            f"Expected argument `data_dir` to be the folder that holds {', '.join(names)} for {dataset!r}, but there "
            f"is {found} at {str(folder)!r}"
        )
    return [str(folder / name) for name in names]


def fingerprint(paths: Iterable[str]) -> str:
    """Hash the names and the contents of files: 16 hexadecimal digits, the same wherever the files lie."""
    total = hashlib.sha256()
    for path in paths:
        content = hashlib.sha256(Path(path).read_bytes()).hexdigest()
        total.update(f"{Path(path).name}\0{content}\n".encode())
    return total.hexdigest()[:16]


class Row(dict[str, str]):
    """One row of a `DelimitedText`: its cells by column, without those behind its end, as Mechanical Turk writes it.

    Args:
        table: what it is a row of.
        line: the number of its first line, from 1.
        cells: its cells.
    """

    def __init__(self, table: DelimitedText, line: int, cells: dict[str, str]) -> None:
        super().__init__(cells)
        self.table = table
        self.line = line

    def __missing__(self, column: str) -> str:
        raise self.error(f"expected {len(self.table.header)} cells, but the row ends before {column!r}")

    def error(self, message: str) -> InputError:
        """Return an error that names the file and the line."""
        return self.table.error(self.line, message)

    def integer(self, column: str) -> int:
        """Return the cell of `column` as a whole number.

        Raises:
            InputError: where the row ends before that column, or the cell is anything else.
        """
        cell = self[column]
        try:
            return int(cell)
        except ValueError:
            raise self.error(f"expected a whole number in {column!r}, but got {cell!r}") from None


class DelimitedText:
    r"""A delimited text file (CSV, TSV) with a header: UTF-8, minimal quoting, doubled quotes.

    A row may be shorter than the header, but not longer. Blank lines are skipped, a
    byte-order mark is ignored.

    Args:
        content: the file's bytes.
        source: the file's path or address, for error messages.
        columns: what the header must have.
        delimiter: the character between cells.

    Raises:
        InputError: for an empty file, a header that names a column twice, or one that lacks columns.

    >>> [(row.line, row["text"]) for row in DelimitedText(b'id,text\n1,"a, b"\n', "pool.csv").rows]
    [(2, 'a, b')]
    >>> DelimitedText(b"id,text\n", "pool.csv", ["id", "score"])
    Traceback (most recent call last):
    ...
    metric_commons.support.validation.InputError: pool.csv:1: no column 'score' among the 2 columns of the header
    """

    def __init__(self, content: bytes, source: str, columns: Iterable[str] = (), *, delimiter: str = ",") -> None:
        self.source = source
        header: dict[str, None] = {}
        lines = ByteLines(io.BytesIO(content), source)
        self.rows = [Row(self, line, cells) for line, cells in csv_rows(lines, header, delimiter, ragged=True)]
        self.header = list(header)
        self.require(columns)

    def require(self, columns: Iterable[str]) -> None:
        """Check that the header has all of `columns`.

        Raises:
            InputError: naming the first columns that are absent.
        """
        absent = [repr(column) for column in columns if column not in self.header]
        if absent:
            shown = ", ".join(absent[:3]) + (f" and {len(absent) - 3} more" if len(absent) > 3 else "")
            raise self.error(1, f"no column {shown} among the {len(self.header)} columns of the header")

    def error(self, line: int, message: str) -> InputError:
        """Return an error that names the file and the line."""
        return InputError(f"{self.source}:{line}: {message}")
