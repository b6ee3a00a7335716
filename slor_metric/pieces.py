"""Many texts, read some at a time: memory is taken for few, and threads read side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from itertools import chain
from typing import Any, TypeVar

import numpy as np

from referenceless_metrics.core.support.computing import in_order, thread_count

#: Characters of texts that are read together: few enough to need little memory, and so many that the tables of each
#: compiled function come into the cache once for thousands of texts.
_PIECE = 1 << 19
#: The same if little is kept of each word, as for SLOR.
LARGE_PIECE = 1 << 21
#: Fewest characters that are worth a thread.
_LEAST_PIECE = 1 << 14

Read = TypeVar("Read")


def in_pieces(texts: Sequence[str], n_jobs: int | None = None, most: int | None = None) -> list[slice]:
    """Return which texts are read together: so many that they have `most` characters, or one text that has more.

    Args:
        texts: n texts.
        n_jobs: threads, each of which has something to do if there are enough characters.
        most: None for `_PIECE`.
    """
    return pieces_of(list(map(len, texts)), n_jobs, most or _PIECE) or [slice(0, 0)]


def pieces_of(lengths: Sequence[int], n_jobs: int | None, most: int) -> list[slice]:
    """Return which texts of these lengths are read together, as `in_pieces` does; none without texts."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(lengths) else 0
    size = max(min(most, -(-total // thread_count(n_jobs))), _LEAST_PIECE)
    pieces, start = [], 0
    while start < len(lengths):
        before = int(ends[start - 1]) if start else 0
        end = max(int(np.searchsorted(ends, before + size, side="right")), start + 1)
        pieces.append(slice(start, end))
        start = end
    return pieces


def read_in_pieces(
    read: Callable[[slice, int | None], Read],
    texts: Sequence[str],
    n_jobs: int | None = None,
    most: int | None = None,
) -> Read:
    """Return the results for texts that are read one piece after another.

    Args:
        read: reads the texts of a slice, over so many threads: a dataclass whose arrays and lists have an item for each
            text or each part of a text.
        texts: n texts.
        n_jobs: threads, each of which reads pieces; those inside one piece if there is but one.
        most: characters of a piece, at most, unless one text has more; None for `_PIECE`.
    """
    pieces = in_pieces(texts, n_jobs, most)
    if len(pieces) == 1:
        return read(pieces[0], n_jobs)
    found: Read = joined(list(in_order(lambda piece: read(piece, None), pieces, n_jobs)))
    return found


def joined(parts: Sequence[Any]) -> Any:
    """Return the results for parts of some texts as one: arrays and lists one after the other, inside objects too.

    >>> joined([{"a": [1, 2]}, {"a": [3]}])
    {'a': [1, 2, 3]}
    """
    first = parts[0]
    if first is None or len(parts) == 1:
        return first
    if isinstance(first, np.ndarray):
        return np.concatenate(parts)
    if isinstance(first, list):
        return list(chain.from_iterable(parts))
    if isinstance(first, dict):
        return {name: joined([part[name] for part in parts]) for name in first}
    kind: Any = type(first)
    return kind(**{each.name: joined([getattr(part, each.name) for part in parts]) for each in fields(kind)})
