"""Counting n-grams: from token ids to sorted tables, one for each order.

The tables are a trie. The n-grams of order k are sorted by (parent, word), where the parent is the position of the
n-gram's first k − 1 words in the table of order k − 1, so that all continuations of a context lie together. Each
n-gram also knows its suffix: the position of its last k − 1 words in the table below.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slor_metric.tokenizers.words import BOS, EOS


@dataclass
class CountTable:
    """All n-grams of one order, m of them.

    Attributes:
        words: the last word of each, shape (m,), uint32.
        parents: the position of its first words in the table of the order below, shape (m,), int32; 0 for unigrams.
        suffixes: the position of its last words there, shape (m,), int32; 0 for unigrams.
        counts: how often it was seen, shape (m,), int64.
        at_start: whether it begins with ``<s>``, shape (m,), bool.
    """

    words: NDArray[np.uint32]
    parents: NDArray[np.int32]
    suffixes: NDArray[np.int32]
    counts: NDArray[np.int64]
    at_start: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.words)


def count_ngrams(tokens: NDArray[np.uint32], order: int, vocab_size: int) -> list[CountTable]:
    """Count all n-grams of orders 1 to `order` within sentences.

    Each position of the text carries the rank of the n-gram that starts there; a longer n-gram's key is that rank and
    the next word, so that one 64-bit sort an order is enough, whatever the vocabulary and the order.

    Args:
        tokens: ids of all sentences after one another, each as ``<s> … </s>``, shape (t,).
        order: the highest order, at least 1.
        vocab_size: the number of ids; ids never seen get count 0.

    Returns:
        The tables of order 1, 2, …; the memory needed is about 50 bytes a token.
    """
    tokens = np.ascontiguousarray(tokens, dtype=np.uint32)
    size = len(tokens)
    unigram_counts = np.bincount(tokens, minlength=vocab_size).astype(np.int64)
    at_start = np.zeros(vocab_size, dtype=np.bool_)
    at_start[BOS] = True
    zeros = np.zeros(vocab_size, dtype=np.int32)
    tables = [CountTable(np.arange(vocab_size, dtype=np.uint32), zeros, zeros, unigram_counts, at_start)]
    ranks = tokens.astype(np.int32)  # of the (k−1)-gram that starts at each position
    starts = np.arange(size, dtype=np.int32)  # positions at which a (k−1)-gram starts
    for k in range(2, order + 1):
        # A longer n-gram starts where the shorter one does not end its sentence.
        starts = starts[tokens[starts + (k - 2)] != EOS]
        keys = ranks[starts].astype(np.uint64) << np.uint64(32)
        keys |= tokens[starts + (k - 1)]
        by_key = np.argsort(keys)
        keys = keys[by_key]
        first = np.empty(len(keys), dtype=np.bool_)
        first[:1] = True
        np.not_equal(keys[1:], keys[:-1], out=first[1:])
        heads = np.flatnonzero(first)
        keys = keys[heads]
        counts = np.diff(heads, append=len(by_key)).astype(np.int64)
        suffixes = ranks[starts[by_key[heads]] + 1]
        ranks_of_run = np.cumsum(first, dtype=np.int32) - np.int32(1)
        ranks = np.full(size, -1, dtype=np.int32)
        ranks[starts[by_key]] = ranks_of_run
        del by_key, first, heads, ranks_of_run
        parents = (keys >> np.uint64(32)).astype(np.int32)
        words = (keys & np.uint64(0xFFFFFFFF)).astype(np.uint32)
        tables.append(CountTable(words, parents, suffixes, counts, tables[-1].at_start[parents]))
    return tables
