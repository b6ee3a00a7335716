"""Files and standard input as streams of bytes, compressed ones decompressed as they are read, within bounds."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any
from weakref import WeakKeyDictionary

from referenceless_metrics.core.support.validation import InputError

STDIN = "-"

MOST_AT_ONCE = 2**26
"""Most bytes that any compressed file may unpack to."""

MOST_RATIO = 200
"""Largest ratio of bytes to compressed bytes beyond `MOST_AT_ONCE`; text and ratings stay below 20."""

_UNPACKED: dict[str, Any] = {
    ".gz": lambda stream: gzip.GzipFile(fileobj=stream),
    ".xz": lzma.LZMAFile,
    ".bz2": bz2.BZ2File,
}

PACKED = tuple(_UNPACKED)
"""Suffixes of compressed files; the suffix before them tells the format."""

_BINARY = {
    b"PAR1": "parquet",
    b"PK\x03\x04": "xlsx",
    b"\xd0\xcf\x11\xe0": "xlsx",  # workbooks of an older format
}
_SNIFFED = 2**16


class Bounded(io.RawIOBase):
    """Content of a compressed file, which ends in an error if it is far more than the file holds.

    Args:
        content: the decompressed stream.
        packed: the stream of the file.
        name: the file's name in messages.
    """

    def __init__(self, content: IO[bytes], packed: IO[bytes], name: str) -> None:
        self._content, self._packed, self._name = content, packed, name

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes.

        Raises:
            InputError: beyond the bounds.
        """
        if size is None or size < 0:
            parts = list(iter(lambda: self.read(2**20), b""))
            return b"".join(parts)
        part = self._content.read(size)
        whole, packed = self._content.tell(), self._packed.tell()
        if whole > MOST_AT_ONCE and whole > MOST_RATIO * max(packed, 1):
            raise InputError(
                f"{self._name}: it unpacks to more than {MOST_RATIO} times its size, beyond {MOST_AT_ONCE:,} bytes; if "
                "that is right, decompress it first"
            )
        return part

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place of the decompressed stream."""
        return self._content.seek(offset, whence)

    def tell(self) -> int:
        """Return the place in the decompressed stream."""
        return self._content.tell()

    def seekable(self) -> bool:
        """Return True: a compressed file is read anew to go back."""
        return True

    def readable(self) -> bool:
        """Return True."""
        return True


@contextmanager
def opened(source: str, name: str) -> Iterator[IO[bytes]]:
    """Open a file, or standard input for `-`.

    Args:
        source: the file.
        name: the file's name in messages.

    Raises:
        InputError: for a file that cannot be opened or decompressed.
    """
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
    with stream:
        content: Any = stream
        suffix = Path(source).suffix.lower()
        if suffix in PACKED:
            content = Bounded(_UNPACKED[suffix](stream), stream, name)
        try:
            yield content
        except (EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError) as error:
            raise InputError(f"{source}: not a {suffix} file, or a damaged one ({error})") from None


_begun: WeakKeyDictionary[Any, bytes] = WeakKeyDictionary()
"""The beginning of each standard input that was looked at: it is told once, also after it was read."""

_OBJECT = re.compile(rb'\{\s*"[^"\n]*"\s*:')
_OBJECTS = re.compile(rb'\[\s*\{\s*"')


def sniffed_stdin() -> str | None:
    """Return the format that the beginning of standard input tells, as `sniffed`, without reading it; None for another.

    A text may begin with a bracket: only objects with a name in quotation marks tell JSON.
    """
    stream = None if sys.stdin is None else sys.stdin.buffer
    if stream is None:
        return None
    if stream not in _begun:
        _begun[stream] = _begin_of(stream)
    begin = _begun[stream]
    for magic, format in _BINARY.items():
        if begin.startswith(magic):
            return format
    text = begin.removeprefix(b"\xef\xbb\xbf").lstrip()
    if _OBJECT.match(text):
        first, end, _ = text.partition(b"\n")
        return "jsonl" if first.rstrip().endswith(b"}") or not end else "json"
    return "json" if _OBJECTS.match(text) else None


def _begin_of(stream: Any) -> bytes:
    """Return the beginning of a stream, which stays unread; nothing for a stream of another kind."""
    if hasattr(stream, "peek"):
        return bytes(stream.peek(_SNIFFED))
    if not stream.seekable():
        return b""
    place = stream.tell()
    begin = bytes(stream.read(_SNIFFED))
    stream.seek(place)
    return begin


def sniffed(source: str, *, is_text: bool) -> str | None:
    """Return the format that the beginning of a file tells: parquet, xlsx, xml, json or jsonl; None for other text.

    Args:
        source: the file.
        is_text: whether its suffix says that it is text, which may hold a zero byte.

    Raises:
        InputError: for a file that cannot be opened, and for one that holds no text and nothing that is known.
    """
    with opened(source, source) as stream:
        begin = stream.read(_SNIFFED)
    for magic, format in _BINARY.items():
        if begin.startswith(magic):
            return format
    if begin.startswith((b"\xff\xfe", b"\xfe\xff")):  # UTF-16
        return None
    if begin[5:9] == b"\0\0\0{":  # as a file of safetensors begins
        if b"referenceless-metrics" not in begin:
            raise InputError(f"{source}: it holds the weights of a model, and no texts")
        raise InputError(
            f"{source}: it holds a fitted model and no texts; commands take it by --model-file or --pool, and the "
            "folder of `advise` by --advice"
        )
    n_zeros = begin.count(0)
    if n_zeros > len(begin) // 4:
        raise InputError(
            f"{source}: it holds zero bytes, as UTF-16 without a mark does; if it is that, --encoding utf-16-le (or "
            "utf-16-be) reads it"
        )
    if n_zeros and not is_text:
        raise InputError(f"{source}: it holds neither text nor a table that can be read")
    text = begin.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith((b"<?xml", b"<dataset")):
        return "xml"
    if text.startswith((b"{", b"[")):
        first = text.partition(b"\n")[0].rstrip()
        return "jsonl" if first.startswith(b"{") and first.endswith(b"}") else "json"
    return None
