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

from bleu_neighbors_metric.kernels.kernel import Pool, PoolData
from bleu_neighbors_metric.tokenizers import ROUGE_SCORE, Vocabulary, tokenize_all, word_tokenizer
from metric_commons.support.compiled import compiled
from metric_commons.support.validation import Floats, Integers, describe
from metric_commons.support.words import rouge_stemmer

LONG = 256
"""Candidates of more words are compared by `lcs_lengths`, which is faster then: by a third at 1,000 words."""

_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_ONE = np.uint64(1)


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
        self._tokens, self._begins = self._numbers.encode(self._words(texts), learning=True)
        self._texts = _cut(self._tokens, self._begins)

    def _words(self, texts: Sequence[str]) -> list[list[str]]:
        texts_words = tokenize_all(texts, self._tokenizer)
        if not self._stem:
            return texts_words
        stem = rouge_stemmer("the kernel rouge_l")
        return [[stem(word) for word in words] for words in texts_words]

    def compare(self, candidates: Sequence[str]) -> tuple[Floats, Integers]:
        """Return ROUGE-L F of each candidate and each pool text, and the candidates' numbers of words."""
        tokens, begins = self._numbers.encode(self._words(candidates))
        lengths, known = np.diff(begins), tokens >= 0  # words that the pool lacks have nothing in common with it
        tokens, begins = tokens[known], np.concatenate([[0], np.cumsum(known)])[begins]
        if lengths.max(initial=0) <= LONG:
            common = cdist(_cut(tokens, begins), self._texts, scorer=LCSseq.similarity, dtype=np.int32)
        else:
            common = np.empty((len(candidates), len(self)), dtype=np.int32)
            lcs_lengths(tokens, begins, self._tokens, self._begins, len(self._numbers), common)
        total = np.maximum(
            lengths[:, None] + np.diff(self._begins), 1
        )  # two texts without words have nothing in common
        return 2.0 * common / total, lengths


def _cut(tokens: Integers, begins: Integers) -> list[array[int]]:
    """Return the tokens of each text."""
    flat = array("q", tokens.tobytes())
    return [flat[begin:end] for begin, end in pairwise(begins.tolist())]


def rouge_l_pool(data: PoolData) -> RougeLPool:
    """Prepare a pool with the options `stem` and `tokenize`."""
    options = data.kernel_options
    stem, tokenizer = options.get("stem", True), word_tokenizer(options.get("tokenize", ROUGE_SCORE))
    if not isinstance(stem, (bool, np.bool_)):
        raise TypeError(f"Expected `kernel_options['stem']` of rouge_l to be True or False, but got {describe(stem)}")
    return RougeLPool(data.texts, stem=bool(stem), tokenizer=tokenizer)


@compiled()
def lcs_lengths(tokens, begins, pool_tokens, pool_begins, n_types, out):  # type: ignore[no-untyped-def]
    """Write the length of the longest common subsequence of each candidate and each pool text.

    Hyyrö (2004), "Bit-parallel LCS-length computation revisited", 64 tokens to a machine word: the rows of the dynamic
    programme become bit vectors, and a token of the pool text updates all positions of the candidate at once. A zero
    bit of the final vector is one token of the common subsequence. A word that the candidate lacks costs nothing,
    which is what RapidFuzz, faster on shorter texts, does not do.

    Args:
        tokens (array): the candidates' tokens, flat, each in [0, n_types).
        begins (array): where each candidate begins, shape (c + 1,).
        pool_tokens (array): the pool's tokens, flat, each in [0, n_types).
        pool_begins (array): where each pool text begins, shape (n + 1,).
        n_types (int): how many token types there are.
        out (array): shape (c, n), whole numbers.
    """
    row_of_type = np.zeros(n_types, np.int32)  # 0 for types that the candidate lacks
    for candidate in range(len(begins) - 1):
        own = tokens[begins[candidate] : begins[candidate + 1]]
        n_words = (len(own) + 63) // 64
        places = np.zeros((len(own) + 1, n_words), np.uint64)  # of each type the candidate has; row 0 stays empty
        state = np.empty(n_words, np.uint64)
        n_rows = 1
        for place in range(len(own)):
            if row_of_type[own[place]] == 0:
                row_of_type[own[place]] = n_rows
                n_rows += 1
            places[row_of_type[own[place]], place >> 6] |= _ONE << np.uint64(place & 63)
        for text in range(len(pool_begins) - 1):
            state[:] = _ALL  # bits beyond the candidate never match, so they stay set
            for at in range(pool_begins[text], pool_begins[text + 1]):
                row = row_of_type[pool_tokens[at]]
                if row == 0:
                    continue
                carry = np.uint64(0)
                for which in range(n_words):
                    word = state[which]
                    matching = word & places[row, which]
                    first = word + matching
                    total = first + carry
                    carry = np.uint64(first < word) | np.uint64(total < first)
                    state[which] = total | (word - matching)
            common = 0
            for which in range(n_words):
                unset = ~state[which]
                while unset:
                    unset &= unset - _ONE
                    common += 1
            out[candidate, text] = common
        for token in own:
            row_of_type[token] = 0
