"""Many texts, read some at a time: memory is taken for few, and threads read side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from itertools import chain, pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from referenceless_metrics.core.support.computing import in_order, thread_count
from slor_metric.tokenizers.encoder import JoinedTexts

#: Most characters of texts that are read together, but for the rest of the last text: few enough to need little memory,
#: and so many that the tables of each compiled function come into the cache once for thousands of texts.
_PIECE = 1 << 19
#: The same if little is kept of each word, as by n-gram models alone.
LARGE_PIECE = 1 << 20
#: Fewest characters that are worth a thread.
_LEAST_PIECE = 1 << 14

Read = TypeVar("Read")


def in_pieces(texts: Sequence[str], n_jobs: int | None = None, most: int | None = None) -> list[slice]:
    """Return which texts are read together: so many that they have `most` characters, and the rest of the last one.

    Args:
        texts: n texts.
        n_jobs: threads, which have as much to do as one another if there are enough characters.
        most: None for `_PIECE`.
    """
    return pieces_of(JoinedTexts.of(texts).lengths, n_jobs, most or _PIECE) or [slice(0, 0)]


def pieces_of(lengths: ArrayLike, n_jobs: int | None, most: int) -> list[slice]:
    """Return which texts of these lengths are read together, as `in_pieces` does; none without texts."""
    ends = np.cumsum(lengths, dtype=np.int64)
    if not len(ends):
        return []
    total, threads = int(ends[-1]), thread_count(n_jobs)
    n_rounds = -(-total // (most * threads))  # in each of which every thread reads one piece
    n_pieces = max(min(n_rounds * threads, total // _LEAST_PIECE), 1)
    inner_ends = np.searchsorted(ends, np.arange(1, n_pieces) * total // n_pieces) + 1
    bounds = sorted({0, *inner_ends.tolist(), len(ends)})
    return [slice(start, end) for start, end in pairwise(bounds)]


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
