"""Sentences that a text says again: word for word, or nearly."""

from __future__ import annotations

import re
from collections.abc import Sequence

SAID_AGAIN = "says a sentence again"
#: What a sentence that was said before loses.
COST_OF_SAYING_AGAIN = 2.0
#: Words that say little: two sentences that differ in them alone are nearly the same.
_LITTLE = frozenset(
    ("a", "an", "the", "am", "m", "is", "s", "are", "re", "was", "were", "be", "and", "but", "so", "very", "really")
)
#: Sentences of at least so many other words are nearly the same if all but one of them are.
_MANY = 8
_WORD = re.compile(r"[^\W_]+")


def said_again(sentences: Sequence[str]) -> list[bool]:
    """Tell which sentences of a text one before them has said.

    Two sentences say the same if their words do, but for articles, forms of "be" and the like, and
    if of eight such words or more one differs. Numbers count as words: "Step 1" is not "Step 2".

    Args:
        sentences: those of one text.

    >>> said_again(["I am happy to help.", "Add a cup of milk.", "I'm so happy to help!", "Add a cup of flour."])
    [False, False, True, False]
    """
    found: list[bool] = []
    before: list[list[str]] = []
    for sentence in sentences:
        words = _words(sentence)
        found.append(any(_says_the_same(words, other) for other in before))
        before.append(words)
    return found


def _words(sentence: str) -> list[str]:
    words = _WORD.findall(sentence.lower())
    return [word for word in words if word not in _LITTLE] or words


def _says_the_same(words: list[str], other: list[str]) -> bool:
    if words == other:
        return bool(words)
    if min(len(words), len(other)) < _MANY or len(words) != len(other):
        return False
    return sum(a != b for a, b in zip(words, other, strict=True)) == 1
