r"""A file's lines one by one, with how many bytes and lines were read so far: what a reader needs to go on later.

Lines end in \n, \r\n or \r, and nowhere else: U+2028 and others, at which `str.splitlines` splits, stand inside texts.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import IO

from metric_commons.support.errors import InputError

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
