"""Files with rows, read in blocks: .txt (one column, `text`), .csv, .tsv, .jsonl, .json and .parquet.

A .csv file may have semicolons between its fields, as spreadsheets write it where the comma is the decimal mark. A file
whose name ends in .gz is decompressed while it is read; the suffix before that says the format.

Every error is an `InputError` that names the file and, where there is one, the line.
"""

from __future__ import annotations

import csv
import gzip
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from referenceless_metrics.core.files.formats import START, ByteLines, Columns, Place, rows_of
from referenceless_metrics.core.files.reading import BY_SUFFIX, Condition, Reading, cell_text
from referenceless_metrics.core.support.validation import (
    Floats,
    InputError,
    Record,
    describe,
    finite_numbers,
    lone_surrogate,
    shortened,
)

FORMATS = ("txt", "csv", "tsv", "jsonl", "json", "parquet")
TABLES = ".csv, .tsv, .jsonl, .json or .parquet"
"""The files with columns, for messages and documentation."""
STDIN = "-"
WITHOUT_LINES = ("json", "parquet")
_MOST_VALUES = 5


class ColumnName(str):
    """A column's name that knows what chose it, such as the option `--pool-text-column`, for messages.

    >>> name = ColumnName("output", "--text-column")
    >>> name == "output", name.option
    (True, '--text-column')
    """

    option: str

    def __new__(cls, name: str, option: str = "") -> ColumnName:
        """Return the name; one that knows its option already keeps it."""
        self = super().__new__(cls, name)
        self.option = getattr(name, "option", option)
        return self


class BlockSize(NamedTuple):
    """How much a block holds: so many rows, or fewer where they take that many bytes of the file."""

    rows: int = 8192
    bytes: int = 2**22


@dataclass(frozen=True)
class Table:
    """Rows of a file, all or a block of them, and the line on which each one stands.

    Attributes:
        source: the file's name, for messages.
        columns: the column names; of JSON lines, those that were met so far.
        rows: one dict a row, from column to value.
        lines: the line on which each row begins, counted from 1, or in a format without lines the number of each row;
            none if the rows come from no file.
        first: how many rows of the file stand before these.
        end: where these end.
        types: the columns' types, of pyarrow, where the file tells them.
        comma: whether numbers may have a decimal comma, as where semicolons separate the fields.
        notes: what was assumed as the file was read, in sentences, each with the option that says otherwise; `tell`
            prints them.
        has_lines: whether the file's format has lines.
    """

    source: str
    columns: tuple[str, ...]
    rows: list[Record]
    lines: list[int] = field(default_factory=list)
    first: int = 0
    end: Place = START
    types: Columns = field(default_factory=dict)
    comma: bool = False
    notes: tuple[str, ...] = ()
    has_lines: bool = True

    def where(self, row: int) -> str:
        """Return `file:line` of a row, or its number in a format without lines."""
        number = self.lines[row] if self.lines else 0
        if number and self.has_lines:
            return f"{self.source}:{number}"
        return f"{self.source}, row {number or self.first + row + 1}"

    def column(self, name: str, option: str = "", *, numeric: bool = False) -> list[Any]:
        """Return one column's values.

        Args:
            name: the column; a `ColumnName` brings the option that chose it.
            option: what else chose it, for messages: an option or an argument.
            numeric: whether a message is to list the columns of numbers, with their ranges.

        Raises:
            InputError: where there is no such column; the message names the option and lists the columns.
        """
        if name not in self.columns:
            known = "the columns are " + shortened(", ".join(map(repr, self.columns)))
            if numeric:
                known = self.told_numeric() or f"no column holds numbers alone, and {known}"
            raise InputError(f"{self.source}: there is no column {str(name)!r}{_chosen_by(name, option)}; {known}")
        for row, values in enumerate(self.rows):
            if name not in values:
                raise InputError(f"{self.where(row)}: this row has no {name!r}{_chosen_by(name, option)}")
        return [row[name] for row in self.rows]

    def numbers(self, name: str, option: str, *, blank: bool = False) -> Floats:
        """Return one column's values as finite numbers, shape (rows,).

        Args:
            name: the column.
            option: what else chose it; see `column`.
            blank: whether a cell may hold nothing, which is NaN.

        Raises:
            InputError: as `column`, and for a value that is no finite number; the message lists the columns of numbers.
        """
        values = self.column(name, option, numeric=True)
        numbers = self.as_numbers(values)
        wrong = np.isnan(numbers)
        if blank:
            wrong &= [not is_blank(cell) for cell in values]
        if wrong.any():
            row = int(wrong.argmax())
            others, nothing = self.told_numeric() if wrong.all() else "", ", or nothing," if blank else ""
            raise InputError(
                f"{self.where(row)}: expected a finite number{nothing} in column {str(name)!r}"
                f"{_chosen_by(name, option)}, but got {describe(values[row])}{others and '; ' + others}"
            )
        return numbers

    def told_numeric(self) -> str:
        """Return the columns of numbers with their ranges, in words; nothing where there are none."""
        ranges = {name: self.range_of(name) for name in self.columns}
        described = [f"{str(name)!r} ({ends[0]:.6g} to {ends[1]:.6g})" for name, ends in ranges.items() if ends]
        return f"the columns of numbers are {shortened(', '.join(described))}" if described else ""

    def range_of(self, name: str) -> tuple[float, float] | None:
        """Return the least and the greatest number of a column; None for one that holds anything else."""
        numbers = self.as_numbers([row.get(name) for row in self.rows])
        return (float(numbers.min()), float(numbers.max())) if np.isfinite(numbers).all() and len(numbers) else None

    def as_numbers(self, cells: Sequence[object]) -> Floats:
        """Return cells as numbers, shape (cells,); NaN for each that is no finite number (see `finite_number`)."""
        if self.comma:
            cells = [cell.replace(",", ".", 1) if isinstance(cell, str) and "." not in cell else cell for cell in cells]
        return finite_numbers(cells)

    def texts(self, name: str) -> list[str]:
        """Return one column's values as texts.

        Raises:
            InputError: as `column`, and for a value that is no text, or none that a file can hold.
        """
        values = self.column(name, "text_column")
        try:
            "".join(values).encode()
        except (TypeError, UnicodeEncodeError):  # one of them is no text, or none that can be written
            for row, value in enumerate(values):
                self.check_text(row, name, value)
        return values

    def check_text(self, row: int, name: str, value: object) -> None:
        """Check that a value of a row is a text that a file can hold.

        Raises:
            InputError: for anything else, such as the lone surrogates that JSON can escape.
        """
        expected, came = "a text", describe(value)
        if isinstance(value, str):
            if lone_surrogate(value) is None:
                return
            expected, came = "valid Unicode", f"a lone surrogate in {came}"
        problem = f"expected {expected} in column {str(name)!r}{_chosen_by(name)}, but got {came}"
        raise InputError(f"{self.where(row)}: {problem}")


def is_blank(cell: object) -> bool:
    """Say whether there is nothing in a cell."""
    return cell is None or str(cell).strip() == ""


def _chosen_by(name: str, option: str = "") -> str:
    option = getattr(name, "option", option)
    return f" ({option})" if option else ""


@dataclass(frozen=True)
class RatedTexts:
    """Texts and their ratings, in the order in which they were read.

    Attributes:
        texts: n texts.
        ratings: one finite rating a text, shape (n,), float64, in whatever unit the source uses.
        groupings: by what is left out together (`systems`, `groups`), the name of each text's; what is not known lacks.
        sources: what each text was made from; None where not known.
    """

    texts: list[str]
    ratings: Floats
    groupings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sources: list[Any] | None = None

    def __len__(self) -> int:
        return len(self.texts)


def read_blocks(
    source: str,
    *,
    reading: Reading = BY_SUFFIX,
    default: str = "csv",
    size: BlockSize | None = None,
    start: Place = START,
) -> Iterator[Table]:
    """Yield a file block by block: at least one block, which is empty if the file holds no rows.

    Args:
        source: a file, or `-` for standard input.
        reading: how to read it.
        default: the format of standard input where none is named.
        size: of the blocks; None for as large ones as there are. The blocks after a block's `end` do not
            depend on what was read before.
        start: where to begin: the `end` of a block that was read earlier.

    Raises:
        InputError: for a file that cannot be read, is not UTF-8 or is malformed, and if no row meets the conditions.
    """
    kind, name = file_format(source, reading.format, default), source_name(source)
    most_rows, most_bytes = size or BlockSize(sys.maxsize, sys.maxsize)
    columns: Columns = {}
    chosen = _Chosen(reading.where, name, columns)
    is_first = not start.row
    with _opened(source, name) as stream:
        lines = ByteLines(stream, name)
        rows = rows_of(kind, lines, columns, start)
        while True:
            block: list[Record] = []
            numbers: list[int] = []
            n_read = 0
            longest = csv.field_size_limit(2**31 - 1)  # a C long, which some systems make 32 bits
            try:
                for number, row in rows:
                    n_read += 1
                    if not reading.where or chosen.takes(row):
                        block.append(row)
                        numbers.append(number)
                    if len(block) >= most_rows or lines.offset >= start.offset + most_bytes:
                        break
            finally:
                csv.field_size_limit(longest)
            first, start = start.row, Place(start.row + n_read, lines.offset, lines.number)
            if not block and n_read:  # other rows may meet the conditions
                continue
            if not block and not is_first:
                return
            if not block:
                chosen.check()
            if not block and kind == "jsonl":
                raise InputError(f"{name}: it is empty")
            types = columns.copy() if kind == "parquet" else {}
            yield Table(
                name,
                tuple(columns),
                block,
                numbers,
                first,
                start,
                types,
                comma=lines.delimiter == ";",
                has_lines=kind not in WITHOUT_LINES,
            )
            if not block:
                return
            is_first = False


class _Chosen:
    """The rows that meet all conditions, with what a message says if none does.

    Args:
        conditions: the conditions.
        name: the file's name, for messages.
        columns: the columns that were met so far.
    """

    def __init__(self, conditions: tuple[Condition, ...], name: str, columns: Columns) -> None:
        self._conditions, self._name, self._columns = conditions, name, columns
        self._others: dict[Condition, dict[str, None]] = {condition: {} for condition in conditions}

    def takes(self, row: Record) -> bool:
        """Say whether a row meets all conditions; keep the first values that do not."""
        for condition in self._conditions:
            if not condition.holds(row):
                others = self._others[condition]
                if len(others) < _MOST_VALUES:
                    others[cell_text(row.get(condition.column))] = None
                return False
        return True

    def check(self) -> None:
        """Say why no row was taken.

        Raises:
            InputError: if there are conditions; it names the first that cannot be met.
        """
        for condition in self._conditions:
            if condition.column not in self._columns:
                known = shortened(", ".join(map(repr, self._columns)))
                raise InputError(
                    f"{self._name}: there is no column {condition.column!r} (--where); the columns are {known}"
                )
        if self._conditions:
            asked = " ".join(f"--where {column}={value}" for column, value in self._conditions)
            others = [
                f"{each.column!r} is {', '.join(map(repr, values))}" for each, values in self._others.items() if values
            ]
            told = f"; in the first other rows {shortened('; '.join(others))}" if others else ""
            raise InputError(f"{self._name}: no row meets {asked}{told}")


def source_name(source: str) -> str:
    """Return a source as messages name it."""
    return "standard input" if source == STDIN else source


def file_format(source: str, format: str | None, default: str) -> str:
    """Return the format of a source: the one that is named, or that of its suffix.

    Raises:
        InputError: where there is none.
    """
    if format is not None:
        if format not in FORMATS:
            raise InputError(f"unknown input format {format!r}; the known ones are {', '.join(FORMATS)}")
        return format
    if source == STDIN:
        return default
    suffix = suffix_of(source)
    if suffix not in FORMATS:
        with _opened(source, source):  # first of all, it should be a file
            pass
        problem = f"the suffix {'.' + suffix!r} tells no format" if suffix else "there is no suffix to tell the format"
        raise InputError(f"{source}: {problem}; name it with --input-format ({', '.join(FORMATS)})")
    return suffix


def suffix_of(source: str) -> str:
    """Return what a file's suffix says of its format, without the dot; .gz says nothing.

    >>> suffix_of("a/ratings.CSV.gz")
    'csv'
    """
    return Path(source.lower().removesuffix(".gz")).suffix.lstrip(".")


@contextmanager
def _opened(source: str, name: str) -> Iterator[IO[bytes]]:
    if source == STDIN:
        if sys.stdin is None:
            raise InputError("standard input: it is closed")
        yield sys.stdin.buffer
        return
    if not source:
        raise InputError("expected the name of a file, but got nothing")
    try:
        stream: Any = Path(source).open("rb")  # noqa: SIM115  # errors in the block below are not of opening
    except OSError as error:
        known = {FileNotFoundError: "there is no such file", IsADirectoryError: "it is a folder, not a file"}
        raise InputError(f"{source}: {known.get(type(error), f'cannot be read ({error.strerror})')}") from None
    content: Any = gzip.open(stream) if source.lower().endswith(".gz") else stream  # noqa: SIM115
    with stream, content:
        try:
            yield content
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise InputError(f"{source}: not a .gz file, or a damaged one ({error})") from None
