"""A vocabulary as bytes: tens of thousands of words that are read at each start, of which few are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np

from referenceless_metrics.core.files.archive import unpack_strings
from referenceless_metrics.core.support.validation import Integers, Unsigned8

_LINE_END, _FIRST_SIGN, _QUOTE, _COMMA, _BACKSLASH, _OPENING, _CLOSING = map(ord, '\n ",\\[]')
_MOST_ESCAPES = 1000
"""Most backslashes that are looked at one by one."""


class PackedStrings(Sequence[str]):
    """Strings without line ends, in UTF-8, with a line end after each. A string is made when it is asked for.

    Args:
        text: the bytes, shape (b,).

    Attributes:
        ends: the place of the line end after each string, shape (n,).

    >>> strings = PackedStrings.of(["a", "cat", "sat"])
    >>> len(strings), strings[1], strings[1:]
    (3, 'cat', ['cat', 'sat'])
    """

    def __init__(self, text: Unsigned8) -> None:
        self.text = text
        self.ends: Integers = np.flatnonzero(text == _LINE_END)

    @classmethod
    def of(cls, strings: Sequence[str]) -> PackedStrings:
        """Pack strings, unless they are packed already.

        Raises:
            ValueError: for a string with a line end.
        """
        if isinstance(strings, PackedStrings):
            return strings
        text = "\n".join([*strings, ""]).encode("utf-8", "surrogatepass")
        packed = cls(np.frombuffer(text, dtype=np.uint8))
        if len(packed) != len(strings):
            raise ValueError("Expected words without line ends")
        return packed

    @property
    def joined(self) -> str:
        """All strings, each with its line end."""
        return self._lines(0, len(self))

    def __len__(self) -> int:
        return len(self.ends)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            first, last, step = place.indices(len(self))
            return list(self)[place] if step != 1 else self._lines(first, max(first, last)).split("\n")[:-1]
        place = range(len(self))[place]
        return self._lines(place, place + 1)[:-1]

    def __iter__(self) -> Iterator[str]:
        return iter(self[:])

    def _lines(self, first: int, last: int) -> str:
        """Return the strings from one place to another, each with its line end."""
        begin, end = (int(self.ends[place - 1]) + 1 if place else 0 for place in (first, last))
        return self.text[begin:end].tobytes().decode("utf-8", "surrogatepass")


def unpack_lines(packed: Unsigned8) -> PackedStrings:
    """Return what `unpack_strings` returns, in a small part of the time.

    Raises:
        ValueError: for bytes that are no JSON list of strings of valid Unicode, and for a string with a line end.
    """
    lines = _lines_of(packed)
    return PackedStrings.of(unpack_strings(packed)) if lines is None else PackedStrings(lines)


def _lines_of(packed: Unsigned8) -> Unsigned8 | None:
    """Return a JSON list of strings as lines; None for what `pack_strings` writes seldom or never."""
    backslashes = np.flatnonzero(packed == _BACKSLASH)
    if len(backslashes) > _MOST_ESCAPES or (packed < _FIRST_SIGN).any():
        return None
    is_escaped = np.zeros(len(packed) + 1, dtype=bool)
    is_left_out = np.zeros(len(packed), dtype=bool)
    for place in backslashes.tolist():
        if not is_escaped[place]:
            if packed[place + 1 : place + 2].tobytes() not in (b'"', b"\\", b"/"):
                return None
            is_left_out[place] = is_escaped[place + 1] = True
    quotes = np.flatnonzero((packed == _QUOTE) & ~is_escaped[:-1])
    opening, closing = quotes[::2], quotes[1::2]
    if not len(closing) or len(opening) != len(closing):
        return None
    between = packed[closing[:-1] + 1]
    ends = packed[0], opening[0], closing[-1], packed[-1]
    is_plain = (opening[1:] == closing[:-1] + 2).all() and (between == _COMMA).all()
    if not is_plain or ends != (_OPENING, 1, len(packed) - 2, _CLOSING):
        return None
    is_left_out[0] = True
    is_left_out[opening] = True
    is_left_out[closing + 1] = True  # a comma, or the bracket at the end
    lines = packed.copy()
    lines[closing] = _LINE_END
    lines = lines[~is_left_out]
    try:
        lines.tobytes().decode("utf-8")
    except UnicodeDecodeError:
        return None
    return lines
