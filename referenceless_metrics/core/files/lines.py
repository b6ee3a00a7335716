r"""The lines of a text file, decoded.

Lines end in \n or \r\n; in a file whose beginning holds no \n they end in \r. They end nowhere else: U+2028 and others,
at which `str.splitlines` splits, stand inside texts, and so does a lone \r in a file with other line ends.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, islice
from typing import IO, NamedTuple

from referenceless_metrics.core.files.opening import opened
from referenceless_metrics.core.files.reading import BY_SUFFIX, Reading
from referenceless_metrics.core.support.validation import InputError, shortened

CHUNK = 2**20
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",  # begins as UTF-16's mark does
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_TRIED = ("cp1252", "mac_roman", "cp1250", "cp1251", "shift_jis", "gb18030", "euc_kr", "big5")
WINDOWS = "cp1252"
"""The encoding of Western Windows."""

_WINDOWS_QUOTES = frozenset(b"\x85\x91\x92\x93\x94\x96\x97")
_MOST_TRIED = 2**26  # bytes
_LATIN = ("cp1252", "mac_roman", "cp1250")
_SCRIPTS = {**dict.fromkeys(_LATIN, "LATIN"), "cp1251": "CYRILLIC"}
_SPECIAL = "‘’“”„–—…•·€£§°«»¿¡№"


class Place(NamedTuple):
    """Place up to which a file has been read: rows, and in a format with lines the beginning of the next line."""

    row: int = 0
    offset: int = 0
    line: int = 0


START = Place()


class ByteLines(Iterator[str]):
    """The lines of a file, with their ends; a mark of the encoding is no part of the first.

    Args:
        stream: the file, at its beginning.
        name: the file's name in messages.
        reading: the encoding, or None for that of a mark at the beginning, else UTF-8; and the longest line.

    Attributes:
        offset: number of bytes read, in UTF-8.
        number: number of lines read.
        delimiter: the separator of fields, if it was found out.
        notes: the assumptions made.
        counted: names of columns that count rows or places, and that the file does not have.
        has_lone_returns: whether a carriage return was met inside a line.
    """

    def __init__(self, stream: IO[bytes], name: str, reading: Reading = BY_SUFFIX) -> None:
        self.stream, self.name, self.reading = stream, name, reading
        self.offset = self.number = 0
        self.delimiter = ""
        self.notes: list[str] = []
        self.counted: set[str] = set()
        self.has_lone_returns = False
        self._lines = self._split()

    def go_to(self, place: Place) -> None:
        """Go on at a place that was reached earlier; 0 bytes stands for the current place."""
        if place.offset:
            self.stream.seek(0)
            self.offset, self.number = 0, place.line
            self._lines = self._split(place.offset)

    def whole(self) -> str:
        """Return all text that is left, of a format that is read at once; a mark of the encoding is no part of it.

        Raises:
            InputError: if it is not in the encoding.
        """
        content = b"".join(self._chunks(0))
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            part = content[max(0, error.start - 200) : error.start + 200]
            raise InputError(
                f"{self.name}:{line}: not UTF-8 (byte 0x{content[error.start]:02x}); {_tried(part)}"
            ) from None

    def peek(self, count: int) -> list[str]:
        """Return the next lines, which are still to be read; those that are not UTF-8 end the list."""
        begun = list(islice(self._lines, count))
        self._lines = chain(begun, self._lines)
        shown = []
        for line in begun:
            try:
                shown.append(line.decode("utf-8"))
            except UnicodeDecodeError:
                break
        return shown

    @contextmanager
    def again(self) -> Iterator[ByteLines]:
        """Give all lines of the file from its beginning, and leave the file's place as it was."""
        place = self.stream.tell()
        self.stream.seek(0)
        try:
            yield ByteLines(self.stream, self.name, self.reading)
        finally:
            self.stream.seek(place)

    def __next__(self) -> str:
        line = next(self._lines)
        self.offset += len(line)
        self.number += 1
        try:
            return line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(
                f"{self.name}:{self.number}: not UTF-8 (byte 0x{line[error.start]:02x}); {_tried(line)}"
            ) from None

    def _split(self, offset: int = 0) -> Iterator[bytes]:
        """Yield lines from an offset on, as bytes of UTF-8."""
        rest = b""
        end = b""
        number = self.number
        for chunk in self._chunks(offset):
            whole = rest + chunk if rest else chunk
            if not end and b"\n" in whole:
                end = b"\n"
            elif not end and b"\r" in whole[:-1]:
                end = b"\r"
            if end:
                *lines, rest = whole.split(end)
                self.has_lone_returns |= end == b"\n" and whole.count(b"\r") > whole.count(b"\r\n")
            else:
                lines, rest = [], whole
            for line in lines:
                number += 1
                self._check_length(line, number)
                yield line + end
            self._check_length(rest, number + 1)
        if rest:
            yield rest

    def _check_length(self, line: bytes, number: int) -> None:
        if len(line) > self.reading.longest_line:
            raise InputError(
                f"{self.name}:{number}: the line is longer than {self.reading.longest_line:,} bytes, the "
                "longest that is read; --longest-line BYTES allows more"
            )

    def _chunks(self, offset: int) -> Iterator[bytes]:
        """Yield the file's content in UTF-8 without a mark, from an offset on, chunk by chunk."""
        try:
            chunk = self.stream.read(CHUNK)
            marked = next((encoding for mark, encoding in _MARKS.items() if chunk.startswith(mark)), None)
            encoding = self.reading.encoding or marked or "utf-8"
            if encoding != "utf-8":
                if marked and not self.reading.encoding and not offset:
                    self.notes.append(f"{self.name}: read as {encoding}, which its mark says (--encoding)")
                self.offset = offset
                yield from self._recoded(chunk, encoding, offset)
                return
            if offset:
                self.stream.seek(offset)
                chunk = self.stream.read(CHUNK)
            elif marked == "utf-8":
                chunk = chunk.removeprefix(codecs.BOM_UTF8)
                offset = len(codecs.BOM_UTF8)
            self.offset = offset
            while chunk:
                yield chunk
                chunk = self.stream.read(CHUNK)
        except OSError as error:
            raise InputError(f"{self.name}: cannot be read ({error.strerror or error})") from None

    def _recoded(self, chunk: bytes, encoding: str, skipped: int) -> Iterator[bytes]:
        """Yield text of another encoding in UTF-8, without a mark and without so many of its first bytes."""
        decoder = codecs.getincrementaldecoder(encoding)()
        is_first = True
        n_feeds = n_returns = 0
        while True:
            state = decoder.getstate()
            try:
                text = decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                decoder.setstate(state)
                held_back = len(error.object) - len(chunk)  # the beginning of a character, at the last chunk's end
                right = decoder.decode(chunk[: max(0, error.start - held_back)])
                n_feeds += right.count("\n")
                n_returns += right.count("\r")
                line = (n_feeds if n_feeds else n_returns) + 1
                raise InputError(
                    f"{self.name}:{line}: not {encoding} ({error.reason}); name another --encoding, or save the file "
                    "anew if it was cut off"
                ) from None
            n_feeds += text.count("\n")
            n_returns += text.count("\r")
            if text and is_first:
                text = text.removeprefix("\ufeff")
                is_first = False
            content = text.encode("utf-8", "surrogatepass")
            part = content[skipped:]
            skipped = max(0, skipped - len(content))
            if part:
                yield part
            if not chunk:
                return
            chunk = self.stream.read(CHUNK)


def known_encoding(name: str) -> str:
    """Return the name of an encoding of texts.

    Raises:
        InputError: for a name that Python does not know, or of no encoding of texts.
    """
    try:
        "a".encode(name)
        return codecs.lookup(name).name.replace("utf-8-sig", "utf-8")
    except (LookupError, ValueError):
        raise InputError(
            f"there is no encoding {name!r}; common ones are utf-8, utf-16, cp1252 (Western Windows), "
            f"{', '.join(_TRIED[1:])}"
        ) from None


def are_windows_quotes(file: str) -> bool:
    """Say whether a file is text whose bytes beyond ASCII are all quotes, dashes and dots of Western Windows.

    In other encodings they would be letters and signs that no text holds alone.
    """
    with opened(file, file) as stream:
        content = stream.read(_MOST_TRIED)
    others = set(content.translate(None, bytes(range(128))))
    return 0 not in content and bool(others) and others <= _WINDOWS_QUOTES


def _tried(line: bytes) -> str:
    """Say in which of some common encodings a line that is not UTF-8 reads well."""
    if line.count(0) > len(line) // 4:
        return "it holds NUL bytes, as UTF-16 without a mark does: --encoding utf-16-le (or utf-16-be)"
    for encoding in _TRIED:
        try:
            text = line.decode(encoding)
        except UnicodeDecodeError:
            continue
        others = [character for character in text if ord(character) > 127]
        fewest = 1 if encoding in _SCRIPTS else 3  # nearly all pairs of bytes are a character of these
        is_strange = encoding in _LATIN and re.search("[^\\W\\d_\0-\x7f]{3}", text)  # as Cyrillic letters would be
        if len(others) >= fewest and not is_strange and all(_is_usual(character, encoding) for character in others):
            at = text.index(others[0])
            shown = shortened(repr(text[max(0, at - 15) : at + 15].strip()), 60)
            return f"--encoding {encoding} reads {shown}; if that is right, give it"
    return "convert the file to UTF-8, or name its encoding with --encoding"


def _is_usual(character: str, encoding: str) -> bool:
    """Say whether a character is usual in the texts that an encoding is for."""
    if character in _SPECIAL:
        return True
    name = unicodedata.name(character, "")
    if encoding not in _SCRIPTS:
        return name.startswith(("CJK", "HIRAGANA", "KATAKANA", "IDEOGRAPHIC", "FULLWIDTH", "HANGUL"))
    return name.startswith(_SCRIPTS[encoding]) and unicodedata.category(character).startswith("L")
