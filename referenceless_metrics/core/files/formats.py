r"""The rows of a file in each format: .txt, .csv, .tsv, .jsonl, .json and .parquet.

Lines end in \n, \r\n or \r, and nowhere else: U+2028 and others, at which `str.splitlines` splits, stand inside texts.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
from collections.abc import Iterator
from itertools import chain
from typing import IO, NamedTuple

from referenceless_metrics.core.support.validation import InputError, Record, describe, shortened

TEXT = "text"
"""The name of the one column of a .txt file."""

Columns = Record
"""Names of columns, in order, with their types (of pyarrow), where the file tells them."""

Rows = Iterator[tuple[int, Record]]
"""Rows, each with the line on which it begins, from 1, or its number in a format without lines."""

CHUNK = 2**20
_ROWS = 8192


class Place(NamedTuple):
    """How far a file has been read: the rows, and where the next line begins in a format that has lines."""

    row: int = 0
    offset: int = 0
    line: int = 0


START = Place()


class ByteLines(Iterator[str]):
    """The lines of a UTF-8 file, with their ends; a byte order mark is no part of the first.

    Args:
        stream: the file, at its beginning.
        name: what messages call it.

    Attributes:
        offset: how many bytes were read.
        number: how many lines were read.
        delimiter: what separates fields, where it was found out.
    """

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self.stream, self.name = stream, name
        self.offset = self.number = 0
        self.delimiter = ""
        self._lines = self._split()

    def go_to(self, place: Place) -> None:
        """Go on at a place that was reached earlier; 0 bytes is where the file is."""
        if place.offset:
            self.stream.seek(place.offset)
            self._lines = self._split()
            self.offset, self.number = place.offset, place.line

    def __next__(self) -> str:
        line = next(self._lines)
        self.offset += len(line)
        self.number += 1
        try:
            return line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(
                f"{self.name}:{self.number}: not UTF-8 (byte 0x{line[error.start]:02x}); convert the file to UTF-8"
            ) from None

    def _split(self) -> Iterator[bytes]:
        try:
            while chunk := self.stream.read(CHUNK) + self.stream.readline():  # up to the end of a line
                if not self.offset and chunk.startswith(codecs.BOM_UTF8):
                    self.offset = len(codecs.BOM_UTF8)
                    chunk = chunk.removeprefix(codecs.BOM_UTF8)
                yield from chunk.splitlines(keepends=True)
        except OSError as error:
            raise InputError(f"{self.name}: cannot be read ({error.strerror or error})") from None


def rows_of(kind: str, lines: ByteLines, columns: Columns, start: Place) -> Rows:
    """Return the rows of a file; the names of its columns are added to `columns` as they are met.

    Args:
        kind: the format.
        lines: the file.
        columns: none yet.
        start: where to begin.

    Raises:
        InputError: while the rows are read, for a file that is not of the format; the message names the line.
    """
    if kind in ("csv", "tsv"):
        return csv_rows(lines, columns, "\t" if kind == "tsv" else "", start)
    if kind in ("txt", "jsonl"):
        lines.go_to(start)
        if kind == "jsonl":
            return _jsonl_rows(lines, columns)
        columns[TEXT] = None
        return ((lines.number, {TEXT: line.rstrip("\r\n")}) for line in lines)
    stream = lines.stream
    if isinstance(stream, gzip.GzipFile) or not stream.seekable():
        stream = io.BytesIO(stream.read())
    if kind == "parquet":
        return _parquet_rows(stream, lines.name, columns, start.row)
    return enumerate(_json_rows(stream, lines.name, columns)[start.row :], start.row + 1)


def csv_rows(lines: ByteLines, columns: Columns, delimiter: str, start: Place = START, *, ragged: bool = False) -> Rows:
    """Yield the rows of delimited text.

    Args:
        lines: the text.
        columns: where the names of the columns are added once the header is read.
        delimiter: what separates the fields; "" for a semicolon where the first line holds one outside quotes, and no
            comma, and else for a comma.
        start: where to go on behind the header.
        ragged: whether rows may end early; the fields behind their end are then absent.

    Raises:
        InputError: for text without a header, or a malformed row; the message names the line.
    """
    begun: list[str] = []
    while not delimiter and not "".join(begun).strip() and (line := next(lines, "")):
        begun.append(line)
    unquoted = "".join("".join(begun).split('"')[::2])
    lines.delimiter = delimiter or (";" if ";" in unquoted and "," not in unquoted else ",")
    header: list[str] = []
    begin = 1
    try:
        for fields in csv.reader(chain(begun, lines), delimiter=lines.delimiter, strict=True):
            if fields and not header:
                header = fields
                columns.update(dict.fromkeys(header))
                if len(columns) < len(header):
                    raise InputError(f"{lines.name}:{begin}: a column name stands twice in the header")
                lines.go_to(start)
            elif fields:
                if len(fields) > len(header) or (len(fields) < len(header) and not ragged):
                    problem = f"expected {len(header)} fields ({shortened(', '.join(header))}), but got {len(fields)}"
                    raise InputError(f"{lines.name}:{begin}: {problem}")
                yield begin, dict(zip(header, fields, strict=False))
            begin = lines.number + 1
    except csv.Error as error:
        raise InputError(f"{lines.name}:{begin}: malformed row ({error})") from None
    if not header:
        raise InputError(f"{lines.name}: it is empty")


def _jsonl_rows(lines: ByteLines, columns: Columns) -> Rows:
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


def _parquet_rows(stream: IO[bytes], name: str, columns: Columns, start: int) -> Rows:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(stream, buffer_size=2**20)  # a group of rows may be most of the file
        columns.update(zip(file.schema_arrow.names, file.schema_arrow.types, strict=True))
        if len(columns) < len(file.schema_arrow):
            raise InputError(f"{name}: two columns have the same name")
        begin = 0
        for batch in file.iter_batches(_ROWS):
            skipped = min(start, len(batch))
            begin += skipped
            yield from enumerate(batch.slice(skipped).to_pylist(), begin + 1)
            begin += len(batch) - skipped
            start -= skipped
    except InputError:
        raise
    except (pa.ArrowException, OSError, ValueError) as error:  # the last: texts that are not UTF-8
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise InputError(f"{name}: not a Parquet file, or a damaged one ({reason})") from None


def _json_rows(stream: IO[bytes], name: str, columns: Columns) -> list[Record]:
    try:
        rows = json.loads(stream.read().decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{name}: not JSON ({error}); a file with an object on each line is JSON lines: --input-format jsonl"
        ) from None
    odd = [row for row in rows if not isinstance(row, dict)] if isinstance(rows, list) and rows else [rows]
    if odd:
        expected = 'expected a list of objects, one a row, as [{"text": "…"}, …]'
        raise InputError(f"{name}: {expected}, but got {describe(odd[0])}")
    for row in rows:
        columns.update(dict.fromkeys(row))
    return list(rows)
