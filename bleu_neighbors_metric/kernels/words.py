"""Words as the other kernels read them: tokenised and numbered."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.tokenizers import known_tokenizers, tokenize_all
from metric_commons.support.validation import check_choice
from metric_commons.support.words import rouge_words

ROUGE_SCORE = "rouge_score"
"""The tokeniser of the rouge-score package: lower-cased runs of ASCII letters and digits."""

_EARLIER_SPELLING = "rouge-score"  # stands in index files of format version 1


def word_tokenizer(name: object) -> str:
    """Check a tokeniser's name and return it: `rouge_score`, or any that `BLEUNeighbors(tokenize=…)` takes.

    Raises:
        ValueError: for an unknown name; the message lists the known ones.
    """
    if name == _EARLIER_SPELLING:
        return ROUGE_SCORE
    check_choice(name, "tokenize", (ROUGE_SCORE, *known_tokenizers()))
    return str(name)


def words_of(texts: Sequence[str], tokenizer: str) -> list[list[str]]:
    """Return the tokens of each text.

    >>> words_of(["It's 3 o'clock."], "rouge_score")
    [['it', 's', '3', 'o', 'clock']]
    """
    if tokenizer == ROUGE_SCORE:
        return [rouge_words(text) for text in texts]
    return tokenize_all(texts, tokenizer)


class WordNumbers:
    """Words → whole numbers, given out as words are met while learning; later, an unknown word becomes -1."""

    def __init__(self) -> None:
        self.vocabulary: dict[str, int] = {}

    def encode(
        self, texts: Sequence[Sequence[str]], *, learning: bool = False
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the numbers of all words, shape (total,), and where each text begins, shape (len(texts) + 1,)."""
        known = self.vocabulary
        if learning:
            for word in chain.from_iterable(texts):
                known.setdefault(word, len(known))
        begins = np.zeros(len(texts) + 1, dtype=np.int64)
        np.cumsum([len(words) for words in texts], out=begins[1:])
        get = known.get
        numbers = (get(word, -1) for word in chain.from_iterable(texts))
        return np.fromiter(numbers, dtype=np.int64, count=int(begins[-1])), begins
