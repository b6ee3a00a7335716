"""Synthetic training texts: errors are put into texts whose rating is known, each lowering it (Section 3.2).

A text is distorted one to four times; each error picks a token at random, sparing articles and punctuation if it can,
and removes it, duplicates it in place or elsewhere, replaces it, or puts a random word before it. The text itself
comes along with its own rating, so that one text becomes five. These texts are tokens, so that a caller can hand over
delexicalised ones and fill the slots in again: an error then never falls inside a value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from referenceless_papers.gru_estimator.inputs import Prepared

MAX_ERRORS = 4
SPARED = frozenset(("!", "?", ",", ":", ".", "the", "a", "an"))
_REDRAWS = 100


def score_after(rating: float, errors: int) -> float:
    """Return the rating of a text after errors were put into it, which is never below 1.

    As the paper's text has it: the first error brings a rating of 5.5 or 6 to 4, and every other error takes off 1.

    Args:
        rating: rating of the text without errors.
        errors: number of errors.

    >>> [score_after(6, errors) for errors in range(5)]
    [6, 4.0, 3.0, 2.0, 1.0]
    >>> [score_after(5, errors) for errors in range(6)]
    [5, 4, 3, 2, 1.0, 1.0]
    """
    if errors == 0:
        return rating
    return max(1.0, 5.0 - errors if rating >= 5.5 else rating - errors)


class Distorter:
    """Puts errors into texts; random words come from the texts themselves, each by its frequency plus one.

    Args:
        texts: tokens of all texts that will be distorted.
        seed: seed of all random draws.

    Raises:
        ValueError: if no text holds a token.
    """

    def __init__(self, texts: Iterable[Sequence[str]], seed: int = 0) -> None:
        counts = Counter(token for text in texts for token in text)
        if not counts:
            raise ValueError("Expected argument `texts` to hold at least one token, but all are empty")
        self._words = list(counts)
        share = np.array([counts[word] + 1.0 for word in self._words])
        self._cumulative = np.cumsum(share / share.sum())
        self._rng = np.random.default_rng(seed)

    def distort(self, tokens: Sequence[str]) -> list[str]:
        """Return a text with one more error."""
        out = list(tokens)
        if not out:
            return [self._word("")]
        place = self._below(len(out))
        for _ in range(_REDRAWS):
            if out[place] not in SPARED:
                break
            place = self._below(len(out))
        kind = self._below(5 if len(out) > 1 else 4)
        if kind == 0:
            out.insert(place, out[place])
        elif kind == 1:
            out.insert(self._below(len(out) + 1), out[place])
        elif kind == 2:
            out[place] = self._word(out[place])
        elif kind == 3:
            out.insert(place, self._word(out[place]))
        else:
            del out[place]
        return out

    def _below(self, stop: int) -> int:
        return int(self._rng.random() * stop)

    def _word(self, other_than: str) -> str:
        word = other_than
        for _ in range(_REDRAWS):
            place = int(np.searchsorted(self._cumulative, self._rng.random(), side="right"))
            word = self._words[min(place, len(self._words) - 1)]
            if word != other_than:
                break
        return word


def synthesise(
    texts: Sequence[Prepared],
    ratings: Sequence[float],
    *,
    errors: int = MAX_ERRORS,
    after: Callable[[float, int], float] = score_after,
    seed: int = 0,
) -> list[tuple[Prepared, float]]:
    """Return each text as it is, and with 1 to `errors` errors, each version one error worse than the one before.

    Args:
        texts: n texts.
        ratings: rating of each, shape (n,); 6 for people's texts.
        errors: most errors.
        after: function from a rating and a number of errors to the new rating.
        seed: seed of all random draws.

    Returns:
        n × (1 + `errors`) texts with their ratings, those of a text one after another.

    >>> [rating for _, rating in synthesise([Prepared(("x", "is", "cheap"))], [6])]
    [6, 4.0, 3.0, 2.0, 1.0]
    """
    distorter = Distorter((text.tokens for text in texts), seed)
    made = []
    for text, rating in zip(texts, ratings, strict=True):
        made.append((text, rating))
        current = list(text.tokens)
        for number in range(1, errors + 1):
            current = distorter.distort(current)
            made.append((text._replace(tokens=tuple(current)), after(rating, number)))
    return made
