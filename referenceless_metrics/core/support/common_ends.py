"""Beginnings and ends that several texts have in common."""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORD = re.compile(r"[^\W_]")


def common_ends(texts: Sequence[str]) -> tuple[int, int]:
    """Return the lengths of what all texts begin with, and of what their rests all end with, in whole words.

    >>> common_ends(["run.base.txt", "run.best.txt"])
    (4, 4)
    """
    start = _in_whole_words(texts)
    return start, _in_whole_words([text[start:][::-1] for text in texts])


def n_common(texts: Sequence[str]) -> int:
    """Return the number of characters that all texts begin with.

    >>> n_common(["base", "best"])
    1
    """
    first, last = min(texts), max(texts)
    unlike = (place for place, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1])
    return next(unlike, min(len(first), len(last)))


def _in_whole_words(texts: Sequence[str]) -> int:
    """Return the length of what texts begin with, without a part of a word that goes on in one of them."""
    length = n_common(texts)
    goes_on = any(_WORD.match(text, length) for text in texts)
    while goes_on and length and _WORD.match(texts[0][length - 1]):
        length -= 1
    return length
