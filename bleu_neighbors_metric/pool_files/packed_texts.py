"""Texts in two arrays, their bytes and where each one ends: they are decoded as they are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from metric_commons.support.validation import Integers, Unsigned8

_CHUNK = 4096


class PackedTexts(Sequence[str]):
    """A sequence of texts that are decoded as they are read.

    Args:
        content: their UTF-8, one after the other, shape (bytes,), uint8.
        ends: where each ends in it, shape (n,), int64.
    """

    def __init__(self, content: Unsigned8, ends: Integers) -> None:
        self.content = content
        self.ends = ends
        self._by_length: tuple[Integers, Integers] | None = None

    @classmethod
    def of(cls, texts: Sequence[str]) -> PackedTexts:
        """Return the same texts, packed."""
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        ends = np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)), dtype=np.int64)
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), ends)

    def check(self) -> None:
        """Check texts of unknown origin.

        Raises:
            ValueError: for ends that do not part the bytes, what is no UTF-8, and texts that are equal; the message
                begins with the array's name.
        """
        ends = self.ends
        if not len(ends) or ends[0] < 0 or ends[-1] != len(self.content) or (np.diff(ends) < 0).any():
            raise ValueError("ends: its numbers do not part the texts")
        try:
            distinct = len(set(self))
        except UnicodeDecodeError:
            raise ValueError("texts: not UTF-8") from None
        if distinct < len(ends):
            raise ValueError("texts: a text stands in it twice")

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, which: Any) -> Any:
        place = range(len(self))[which]
        if isinstance(place, range):
            return [self[each] for each in place]
        begin = int(self.ends[place - 1]) if place else 0
        return self.content[begin : int(self.ends[place])].tobytes().decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        begin = 0
        for first in range(0, len(self), _CHUNK):
            ends = self.ends[first : first + _CHUNK].tolist()
            content = self.content[begin : ends[-1]].tobytes()
            at = 0
            for end in ends:
                yield content[at : end - begin].decode("utf-8", "surrogatepass")
                at = end - begin
            begin = ends[-1]

    def __contains__(self, text: object) -> bool:
        """Say whether a text is one of them: of those as long, byte by byte, what differs is left out."""
        if self._by_length is None:
            lengths = np.diff(self.ends, prepend=0)
            order = np.argsort(lengths, kind="stable")
            self._by_length = lengths[order], order
        wanted, (lengths, order) = str(text).encode("utf-8", "surrogatepass"), self._by_length
        first, last = np.searchsorted(lengths, (len(wanted), len(wanted) + 1))
        begins = self.ends[order[first:last]] - len(wanted)
        for place, byte in enumerate(wanted):
            if not len(begins):
                break
            begins = begins[self.content[begins + place] == byte]
        return len(begins) > 0

    def __repr__(self) -> str:
        return f"<{len(self)} texts>"
