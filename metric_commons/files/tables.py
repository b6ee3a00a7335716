"""Files with rows, read in blocks: .txt (one column, `text`), .csv, .tsv, .jsonl and .parquet.

A .csv file may have semicolons between its fields, as spreadsheets write it where the comma is the decimal mark.

Every error is an `InputError` that names the file and, where there is one, the line.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.files.byte_lines import ByteLines
from metric_commons.support.errors import InputError
from metric_commons.support.validation import describe, finite_number, lone_surrogate

FORMATS = ("txt", "csv", "tsv", "jsonl", "parquet")
STDIN = "-"
TEXT = "text"
"""The name of the one column of a .txt file."""


@dataclass(frozen=True)
class Place:
    """How far a file has been read: the rows, and where the next line begins in a format that has lines."""

    row: int = 0
    offset: int = 0
    line: int = 0


START = Place()


@dataclass(frozen=True)
class BlockSize:
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
        lines: the line on which each row begins, counted from 1; empty where a format has no lines.
        first: how many rows of the file stand before these.
        end: where these end.
        schema: the columns' types, a `pyarrow.Schema`, where the file tells them.
        comma: whether numbers may have a decimal comma, as where semicolons separate the fields.
    """

    source: str
    columns: tuple[str, ...]
    rows: list[dict[str, Any]]
    lines: list[int]
    first: int = 0
    end: Place = START
    schema: Any = None
    comma: bool = False

    def where(self, row: int) -> str:
        """Return `file:line` of a row."""
        return f"{self.source}:{self.lines[row]}" if self.lines else f"{self.source}, row {self.first + row + 1}"

    def column(self, name: str, option: str) -> list[Any]:
        """Return one column's values.

        Raises:
            InputError: where there is no such column; the message lists those that there are.
        """
        if name not in self.columns:
            known = ", ".join(repr(column) for column in self.columns)
            raise InputError(f"{self.source}: there is no column {name!r} ({option}); the columns are {known}")
        for row, values in enumerate(self.rows):
            if name not in values:
                raise InputError(f"{self.where(row)}: this row has no {name!r} ({option})")
        return [row[name] for row in self.rows]

    def numbers(self, name: str, option: str) -> NDArray[np.float64]:
        """Return one column's values as finite numbers, shape (rows,).

        Raises:
            InputError: as `column`, and for a value that is no finite number.
        """
        numbers = np.empty(len(self.rows), dtype=np.float64)
        for row, value in enumerate(self.column(name, option)):
            number = self.number(value)
            if number is None:
                raise InputError(
                    f"{self.where(row)}: expected a finite number in column {name!r}, but got {describe(value)}"
                )
            numbers[row] = number
        return numbers

    def number(self, value: object) -> float | None:
        """Return a cell as a finite number, or None where it is none; see `finite_number`."""
        if self.comma and isinstance(value, str) and "." not in value:
            value = value.replace(",", ".", 1)
        return finite_number(value)

    def texts(self, name: str, option: str = "--text-column") -> list[str]:
        """Return one column's values as texts.

        Raises:
            InputError: as `column`, and for a value that is no text, or none that a file can hold.
        """
        values = self.column(name, option)
        for row, value in enumerate(values):
            self.check_text(row, name, value)
        return values

    def check_text(self, row: int, name: str, value: object) -> None:
        """Check that a value of a row is a text that a file can hold.

        Raises:
            InputError: for anything else.
        """
        if not isinstance(value, str):
            raise InputError(f"{self.where(row)}: expected a text in column {name!r}, but got {describe(value)}")
        if lone_surrogate(value) is not None:  # JSON can escape one, and nothing can write it again
            raise InputError(
                f"{self.where(row)}: expected valid Unicode in column {name!r}, but got a lone surrogate in "
                f"{describe(value)}"
            )


@dataclass(frozen=True)
class RatedTexts:
    """Texts and their ratings, in the order in which they were read.

    Attributes:
        texts: n texts.
        ratings: one finite rating a text, shape (n,), float64, in whatever unit the source uses.
        groups: the group of each text, such as the system that wrote it, its topic or its source; None where not known.
    """

    texts: list[str]
    ratings: NDArray[np.float64]
    groups: tuple[str, ...] | None = None

    def __len__(self) -> int:
        return len(self.texts)


def read_blocks(
    source: str,
    *,
    format: str | None = None,
    default: str = "csv",
    size: BlockSize | None = None,
    start: Place = START,
) -> Iterator[Table]:
    """Yield a file block by block: at least one block, which is empty where the file holds no rows.

    Args:
        source: a file, or `-` for standard input.
        format: one of `FORMATS`; None to go by the file's suffix.
        default: the format of standard input where none is named.
        size: of the blocks; None for as large ones as there are. The blocks after a block's `end` do not
            depend on what was read before.
        start: where to begin: the `end` of a block that was read earlier.

    Raises:
        InputError: for a file that cannot be read, is not UTF-8 or is malformed.
    """
    kind = file_format(source, format, default)
    name = source_name(source)
    with _opened(source, name) as stream:
        if kind == "parquet":
            yield from _parquet_blocks(stream if source != STDIN else io.BytesIO(stream.read()), name, size, start)
        else:
            yield from _line_blocks(ByteLines(stream, name), kind, size, start)


def whole(blocks: Iterator[Table]) -> Table:
    """Return blocks as one table."""
    table = next(blocks)
    for block in blocks:
        table.rows.extend(block.rows)
        table.lines.extend(block.lines)
        table = replace(table, columns=block.columns, end=block.end)
    return table


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
    suffix = Path(source).suffix.lower().lstrip(".")
    if suffix not in FORMATS:
        with _opened(source, source):  # first of all, it should be a file
            pass
        found = f"the suffix {'.' + suffix!r} tells no format" if suffix else "there is no suffix to tell the format"
        raise InputError(f"{source}: {found}; name it with --input-format ({', '.join(FORMATS)})")
    return suffix


@contextmanager
def _opened(source: str, name: str) -> Iterator[IO[bytes]]:
    if source == STDIN:
        if sys.stdin is None:
            raise InputError("standard input: it is closed")
        yield sys.stdin.buffer
        return
    try:
        stream = Path(source).open("rb")  # noqa: SIM115  # errors in the block below are not of opening
    except OSError as error:
        known = {FileNotFoundError: "there is no such file", IsADirectoryError: "it is a folder, not a file"}
        raise InputError(f"{source}: {known.get(type(error), f'cannot be read ({error.strerror})')}") from None
    with stream:
        yield stream


_Rows = Iterator[tuple[int, dict[str, Any]]]
"""Rows, each with the line on which it begins."""


def _line_blocks(lines: ByteLines, kind: str, size: BlockSize | None, start: Place) -> Iterator[Table]:
    columns: dict[str, None] = {}
    rows: _Rows
    separator = ""
    if kind == "txt":
        columns[TEXT] = None
        lines.go_to(start.offset, start.line)
        rows = ((lines.number, {TEXT: line.rstrip("\r\n")}) for line in lines)
    elif kind == "jsonl":
        lines.go_to(start.offset, start.line)
        rows = _jsonl_rows(lines, columns)
    else:
        begun: list[str] = []
        separator = "\t" if kind == "tsv" else _separator(lines, begun)
        rows = csv_rows(lines, columns, separator, begun=begun, start=start)
    place = start
    while True:
        taken: list[dict[str, Any]] = []
        numbers: list[int] = []
        with _any_field_length():
            for number, row in rows:
                taken.append(row)
                numbers.append(number)
                if size is not None and (len(taken) >= size.rows or lines.offset - place.offset >= size.bytes):
                    break
        if not taken and place.row:
            return
        if not taken and kind == "jsonl":
            raise InputError(f"{lines.name}: it is empty")
        first, place = place.row, Place(place.row + len(taken), lines.offset, lines.number)
        yield Table(lines.name, tuple(columns), taken, numbers, first, place, comma=separator == ";")
        if not taken:
            return


@contextmanager
def _any_field_length() -> Iterator[None]:
    previous = csv.field_size_limit(2**31 - 1)  # a C long, which some systems make 32 bits
    try:
        yield
    finally:
        csv.field_size_limit(previous)


def _separator(lines: ByteLines, begun: list[str]) -> str:
    """Return what separates the fields: a semicolon where the first line holds one outside quotes, and no comma.

    The lines that were read for it, blank ones and the first other, are added to `begun`.
    """
    for line in lines:
        begun.append(line)
        if line.strip():
            unquoted = "".join(line.split('"')[::2])
            return ";" if ";" in unquoted and "," not in unquoted else ","
    return ","


def csv_rows(
    lines: ByteLines,
    columns: dict[str, None],
    delimiter: str,
    *,
    begun: Sequence[str] = (),
    start: Place = START,
    ragged: bool = False,
) -> _Rows:
    """Yield the rows of delimited text.

    Args:
        lines: the text.
        columns: where the names of the columns are added once the header is read.
        delimiter: what separates the fields.
        begun: lines that were read already.
        start: where to go on behind the header.
        ragged: whether rows may end early; the fields behind their end are then absent.

    Raises:
        InputError: for text without a header, or a malformed row; the message names the line.
    """
    name = lines.name
    header: list[str] | None = None
    begin = 1
    try:
        for fields in csv.reader(chain(begun, lines), delimiter=delimiter, strict=True):
            if fields and header is None:
                header = fields
                columns.update(dict.fromkeys(header))
                if len(columns) < len(header):
                    raise InputError(f"{name}:{begin}: a column name stands twice in the header")
                lines.go_to(start.offset, start.line)
            elif fields and header is not None:
                if len(fields) > len(header) or (len(fields) < len(header) and not ragged):
                    raise InputError(
                        f"{name}:{begin}: expected {len(header)} fields ({', '.join(header)}), but got {len(fields)}"
                    )
                yield begin, dict(zip(header, fields, strict=not ragged))
            begin = lines.number + 1
    except csv.Error as error:
        raise InputError(f"{name}:{begin}: malformed row ({error})") from None
    if header is None:
        raise InputError(f"{name}: it is empty")


def _jsonl_rows(lines: ByteLines, columns: dict[str, None]) -> _Rows:
    for line in lines:
        if not line.strip():
            continue
        where = f"{lines.name}:{lines.number}"
        try:
            row = json.loads(line.rstrip("\r\n"))
        except json.JSONDecodeError as error:
            raise InputError(f"{where}: not JSON ({error.msg}, column {error.colno})") from None
        except (RecursionError, ValueError) as error:  # nested too deeply, or a whole number of thousands of digits
            raise InputError(f"{where}: JSON beyond what can be read ({error})") from None
        if not isinstance(row, dict):
            raise InputError(f"{where}: expected a JSON object, but got {describe(row)}")
        columns.update(dict.fromkeys(row))
        yield lines.number, row


def _parquet_blocks(stream: IO[bytes], name: str, size: BlockSize | None, start: Place) -> Iterator[Table]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        # Buffered: a group of rows may be most of the file, and is not to be held at once.
        file = pq.ParquetFile(stream, buffer_size=2**20 if size is not None else 0)
        schema = file.schema_arrow
        columns = tuple(schema.names)
        if len(set(columns)) < len(columns):
            raise InputError(f"{name}: two columns have the same name")
        first = 0
        for group in range(file.num_row_groups):
            end = first + file.metadata.row_group(group).num_rows
            if end <= start.row:
                first = end
                continue
            for batch in file.iter_batches(size.rows if size is not None else 65536, row_groups=[group]):
                begun, first = first, first + len(batch)
                if begun >= start.row:
                    yield Table(name, columns, batch.to_pylist(), [], begun, Place(first), schema)
        if not first:
            yield Table(name, columns, [], [], schema=schema)
    except InputError:
        raise
    except (pa.ArrowException, OSError, ValueError) as error:  # the last: texts that are not UTF-8
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise InputError(f"{name}: not a Parquet file, or a damaged one ({reason})") from None
