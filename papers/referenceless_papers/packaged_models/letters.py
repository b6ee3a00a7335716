"""Counting the letters of words, for the guess at the language of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from slor_metric.language_models.language import LetterModel
from slor_metric.language_models.signs import OTHER, SIZE, SPACE


def train_letters(words: Mapping[str, int]) -> LetterModel:
    """Estimate trigrams of letters from lower-cased words with their counts.

    >>> letters = train_letters({"the": 10, "then": 5, "hen": 3})
    >>> bool(np.diff(letters.mean_logprobs(["xq zzvv bkkz", "then the hen"]))[0] > 0)
    True
    """
    codes, owner = _encode(list(words))
    weights = np.fromiter(words.values(), np.float64, len(words))
    inside = _inside(codes)
    counts = np.bincount(_trigrams(codes)[inside], weights=weights[owner[2:][inside]], minlength=SIZE**3)
    table = counts.reshape(SIZE, SIZE, SIZE) + 1.0
    return LetterModel(np.log(table / table.sum(axis=2, keepdims=True)).ravel())


def _encode(texts: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Signs of all texts after one another, each text between spaces, and the text of each sign."""
    # text by text: a letter's lower case can be two
    joined = "".join(text.lower().replace("\n", " ") + "\n" for text in texts)
    points = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.int64)
    codes = np.full(len(points), SPACE, dtype=np.int64)
    latin = (points >= ord("a")) & (points <= ord("z"))
    codes[latin] = points[latin] - ord("a") + 1
    codes[points >= 0xAA] = OTHER  # all beyond ASCII: what matters is that it is not a to z
    ends = points == ord("\n")
    owner = np.concatenate(([0], np.cumsum(ends)[:-1]))
    # two spaces before each text: the first letter's context
    lengths = np.bincount(owner)
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1]))
    codes = np.insert(codes, np.repeat(starts, 2), SPACE)
    owner = np.insert(owner, np.repeat(starts, 2), np.repeat(np.arange(len(starts)), 2))
    return codes, owner


def _inside(codes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell which trigrams count: those that end in a letter, or in the space that ends a word."""
    return np.asarray((codes[2:] != SPACE) | (codes[1:-1] != SPACE))


def _trigrams(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    # before a space, nothing counts: a word's first letter is a first letter, whatever the last word ended in
    return (np.where(codes[1:-1] == SPACE, SPACE, codes[:-2]) * SIZE + codes[1:-1]) * SIZE + codes[2:]
