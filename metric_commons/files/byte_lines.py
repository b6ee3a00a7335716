r"""A file's lines one by one, with how far it was read, and the rows that they hold: CSV and JSON lines.

Lines end in \n, \r\n or \r, and nowhere else: U+2028 and others, at which `str.splitlines` splits, stand inside texts.
"""

from __future__ import annotations

import codecs
import csv
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import IO, Any

from metric_commons.support.errors import InputError
from metric_commons.support.validation import describe

_CHUNK = 2**20


class ByteLines(Iterator[str]):
    """The lines of a UTF-8 file, with their ends; a byte order mark is no part of the first.

    Args:
        stream: the file, at its beginning.
        name: what messages call it.

    Attributes:
        offset: how many bytes were read.
        number: how many lines were read.
    """

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self.name = name
        self.offset = 0
        self.number = 0
        self._stream = stream
        self._lines = self._split()

    def go_to(self, offset: int, number: int) -> None:
        """Go on at a place that was reached earlier; 0 bytes is where the file is."""
        if offset:
            self._stream.seek(offset)
            self._lines = self._split()
            self.offset, self.number = offset, number

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
            while chunk := self._stream.read(_CHUNK) + self._stream.readline():  # up to the end of a line
                if not self.offset and chunk.startswith(codecs.BOM_UTF8):
                    self.offset = len(codecs.BOM_UTF8)
                    chunk = chunk.removeprefix(codecs.BOM_UTF8)
                yield from chunk.splitlines(keepends=True)
        except OSError as error:
            raise InputError(f"{self.name}: cannot be read ({error.strerror or error})") from None


LineRows = Iterator[tuple[int, dict[str, Any]]]
"""Rows, each with the line on which it begins."""


@contextmanager
def any_field_length() -> Iterator[None]:
    """Let fields of CSV be of any length."""
    previous = csv.field_size_limit(2**31 - 1)  # a C long, which some systems make 32 bits
    try:
        yield
    finally:
        csv.field_size_limit(previous)


def separator_of(lines: ByteLines, begun: list[str]) -> str:
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
    offset: int = 0,
    line: int = 0,
    ragged: bool = False,
) -> LineRows:
    """Yield the rows of delimited text.

    Args:
        lines: the text.
        columns: where the names of the columns are added once the header is read.
        delimiter: what separates the fields.
        begun: lines that were read already.
        offset: how many bytes were read when it goes on behind the header.
        line: how many lines.
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
                lines.go_to(offset, line)
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


def jsonl_rows(lines: ByteLines, columns: dict[str, None]) -> LineRows:
    """Yield the rows of JSON lines; the names of columns are added to `columns` as they are met.

    Raises:
        InputError: for a line that is no JSON object; the message names it.
    """
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
