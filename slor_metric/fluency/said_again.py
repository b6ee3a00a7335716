"""Sentences that a text says again: word for word, or nearly."""

from __future__ import annotations

import re
from collections.abc import Sequence

SAID_AGAIN = "says a sentence again"
#: Cost of a sentence that was said before.
COST_OF_SAYING_AGAIN = 2.0
#: Words that say little: two sentences that differ in them alone are nearly the same.
_LITTLE = frozenset(
    ("a", "an", "the", "am", "m", "is", "s", "are", "re", "was", "were", "be", "and", "but", "so", "very", "really")
)
#: Fewest words, apart from these, of sentences that are nearly the same if all but one of them are.
_MANY = 8
_WORD = re.compile(r"[^\W_]+")


def said_again(sentences: Sequence[str]) -> list[bool]:
    """Return True for sentences that repeat one before them in their text.

    Two sentences say the same if their words do, but for articles, forms of "be" and the like, and
    if of eight such words or more one differs. Numbers count as words: "Step 1" is not "Step 2".

    Args:
        sentences: the sentences of one text.

    >>> said_again(["I am happy to help.", "Add a cup of milk.", "I'm so happy to help!", "Add a cup of flour."])
    [False, False, True, False]
    """
    if len(sentences) < 2:
        return [False] * len(sentences)
    found: list[bool] = []
    said: set[tuple[str, ...]] = set()
    said_but_one: dict[int, tuple[str, ...]] = {}
    for sentence in sentences:
        words = tuple(_words(sentence))
        marks = _marks_but_one(words)
        nearly = (said_but_one[mark] for mark in marks if mark in said_but_one)
        found.append(words in said or any(_differ_in_one(words, other) for other in nearly))
        if words:
            said.add(words)
        for mark in marks:
            said_but_one.setdefault(mark, words)
    return found


def _marks_but_one(words: tuple[str, ...]) -> list[int]:
    """Return a number per place, equal for sentences that differ in the word there alone; none for few words.

    With them the time grows with the number of words; comparing each sentence with all others would grow with its
    square.
    """
    if len(words) < _MANY:
        return []
    # hashes of tuples would not do: of two words, those at one place and at the next often differ by the same number
    parts = [hash(f"{place} {word}") for place, word in enumerate(words)]
    total = sum(parts)
    return [hash((len(words), place, total - part)) for place, part in enumerate(parts)]


def _words(sentence: str) -> list[str]:
    words = _WORD.findall(sentence.lower())
    return [word for word in words if word not in _LITTLE] or words


def _differ_in_one(words: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Say whether two sentences of as many words differ in one; their marks are the same by chance, too."""
    return len(words) == len(other) and sum(a != b for a, b in zip(words, other, strict=True)) == 1
