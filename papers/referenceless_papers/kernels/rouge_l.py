"""The ROUGE-L kernel: F over the longest common subsequence of words (Lin 2004), as the rouge-score package computes.

With LCS the length of the longest common subsequence of candidate x and pool text s in words, P = LCS / |x|,
R = LCS / |s| and F = 2PR / (P + R) = 2 LCS / (|x| + |s|). Words are lower-cased runs of ASCII letters and digits;
those of more than three letters are Porter-stemmed.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist

from bleu_neighbors_metric.kernels.kernel import KernelInput, Pool
from bleu_neighbors_metric.tokenizers import Vocabulary
from referenceless_metrics.core.support.validation import Floats, Integers, check_flag
from referenceless_metrics.core.support.words import rouge_stemmer
from referenceless_papers.kernels.tokens import ROUGE_SCORE, word_tokenizer, words_of


class RougeLPool(Pool):
    """A pool matched by ROUGE-L F.

    Args:
        texts: the pool, n texts.
        stem: whether words are Porter-stemmed (English; extra `rouge`).
        tokenizer: `rouge_score`, or a name that `BLEUNeighbors(tokenize=…)` takes (`intl` for other scripts).

    Raises:
        ImportError: for `stem=True` without nltk.
    """

    def __init__(self, texts: Sequence[str], *, stem: bool = True, tokenizer: str = ROUGE_SCORE) -> None:
        super().__init__(len(texts))
        self._stem = stem
        self._tokenizer = tokenizer
        self._numbers = Vocabulary()
        tokens, begins = self._numbers.encode(self._words(texts), learning=True)
        self._texts, self._lengths = _cut(tokens, begins), np.diff(begins)

    def _words(self, texts: Sequence[str]) -> list[list[str]]:
        texts_words = words_of(texts, self._tokenizer)
        if not self._stem:
            return texts_words
        stem = rouge_stemmer("the kernel rouge_l")
        return [[stem(word) for word in words] for words in texts_words]

    def compare(self, candidates: Sequence[str]) -> tuple[Floats, Integers]:
        """Return ROUGE-L F of each candidate and each pool text, and the candidates' numbers of words."""
        tokens, begins = self._numbers.encode(self._words(candidates))
        lengths, known = np.diff(begins), tokens >= 0  # words that the pool lacks have nothing in common with it
        tokens, begins = tokens[known], np.concatenate([[0], np.cumsum(known)])[begins]
        common = cdist(_cut(tokens, begins), self._texts, scorer=LCSseq.similarity, dtype=np.int32)
        total = np.maximum(lengths[:, None] + self._lengths, 1)  # two texts without words have nothing in common
        return 2.0 * common / total, lengths


def _cut(tokens: Integers, begins: Integers) -> list[array[int]]:
    """Return the tokens of each text."""
    flat = array("q", tokens.tobytes())
    return [flat[begin:end] for begin, end in pairwise(begins.tolist())]


def rouge_l_pool(data: KernelInput) -> RougeLPool:
    """Prepare a pool with the options `stem` and `tokenize`."""
    stem = data.kernel_options.get("stem", True)
    check_flag(stem, "kernel_options['stem']")
    tokenizer = word_tokenizer(data.kernel_options.get("tokenize", ROUGE_SCORE))
    return RougeLPool(data.texts, stem=bool(stem), tokenizer=tokenizer)
