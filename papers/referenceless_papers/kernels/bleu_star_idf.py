"""BLEU* with n-grams weighted by inverse document frequency, as section 6 of Ethayarajh & Sadigh (2020) suggests.

A match on an n-gram that few pool texts hold says more than one on an n-gram that nearly all hold. In Eq. 1 each
n-gram g counts w(g) = 1 + ln((1 + N) / (1 + N_g)) instead of 1, N pool texts, N_g of them with g (the smoothed weights
of scikit-learn's tf-idf; never 0). Only texts of the pool are counted, never ratings.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import njit

from bleu_neighbors_metric.kernels.kernel import ADD_K, EXP, FLOOR, KernelInput, Pool, TextOptions
from bleu_neighbors_metric.kernels.ngrams import NgramTrie
from bleu_neighbors_metric.tokenizers import TokenEncoder
from referenceless_metrics.core.support.validation import Floats, Integers


@njit(nogil=True, cache=True)
def log_bleu_star(matched, possible, smoothing, smooth_value, orders, brevity):  # type: ignore[no-untyped-def]
    """Return ln BLEU* (Eq. 2) from the matched and possible n-gram counts of each order; -inf if it is 0.

    As in sacrebleu, smoothing makes nothing of texts that share no n-gram of any order.
    """
    n_orders = len(possible)
    total = 0.0
    halved = 1.0
    any_match = False
    for which in range(n_orders):
        hits: float = np.float64(matched[which])
        out_of: float = np.float64(possible[which])
        if out_of <= 0.0:
            return -np.inf
        any_match = any_match or hits > 0.0
        if smoothing == ADD_K and orders[which] > 1:
            hits += smooth_value
            out_of += smooth_value
        elif hits == 0.0:
            if smoothing == FLOOR:
                hits = smooth_value
            elif smoothing == EXP:
                halved *= 0.5
                hits = halved
        if hits <= 0.0:
            return -np.inf
        total += np.log(hits / out_of)
    if not any_match:
        return -np.inf
    return brevity + total / n_orders


@njit(nogil=True, cache=True)
def log_brevity(candidate_length, pool_length):  # type: ignore[no-untyped-def]
    """Return ln β = min(0, 1 - |s|/|x|) (Eq. 2)."""
    if candidate_length == 0:
        return 0.0
    return min(0.0, 1.0 - pool_length / candidate_length)


@njit(nogil=True, cache=True)
def _counted(features, begins):  # type: ignore[no-untyped-def]
    """Count repetitions: return the distinct n-grams of each (text, order), their counts, and their begins."""
    grams = np.empty(len(features), np.int64)
    counts = np.empty(len(features), np.int64)
    starts = np.zeros(len(begins), np.int64)
    written = 0
    for which in range(len(begins) - 1):
        own = np.sort(features[begins[which] : begins[which + 1]])
        for at in range(len(own)):
            if at > 0 and own[at] == own[at - 1]:
                counts[written - 1] += 1
            else:
                grams[written] = own[at]
                counts[written] = 1
                written += 1
        starts[which + 1] = written
    return grams[:written], counts[:written], starts


@njit(nogil=True, cache=True)
def _postings(grams, counts, starts, n_orders, n_nodes):  # type: ignore[no-untyped-def]
    """Transpose texts → n-grams into n-grams → texts with their counts."""
    heads = np.zeros(n_nodes + 1, np.int64)
    for gram in grams:
        heads[gram + 1] += 1
    for node in range(n_nodes):
        heads[node + 1] += heads[node]
    texts = np.empty(len(grams), np.int64)
    text_counts = np.empty(len(grams), np.int64)
    cursor = heads[:-1].copy()
    for which in range(len(starts) - 1):
        for at in range(starts[which], starts[which + 1]):
            place = cursor[grams[at]]
            texts[place] = which // n_orders
            text_counts[place] = counts[at]
            cursor[grams[at]] += 1
    return heads, texts, text_counts


@njit(nogil=True, cache=True)
def _similarities(  # type: ignore[no-untyped-def]
    lengths,
    grams,
    counts,
    starts,
    pool_lengths,
    heads,
    texts,
    text_counts,
    weight,
    weight_of_unknown,
    orders,
    clip,
    smoothing,
    smooth_value,
    out,
):
    n_orders = len(orders)
    n_pool = len(pool_lengths)
    matched = np.empty((n_orders, n_pool), np.float64)
    possible = np.empty(n_orders, np.float64)
    for candidate in range(len(lengths)):
        matched[:] = 0.0
        for which in range(n_orders):
            row = matched[which]
            unknown = max(0, lengths[candidate] - orders[which] + 1)
            total = 0.0
            for at in range(starts[candidate * n_orders + which], starts[candidate * n_orders + which + 1]):
                gram, count = grams[at], counts[at]
                unknown -= count
                total += weight[gram] * count
                for place in range(heads[gram], heads[gram + 1]):
                    common = min(count, text_counts[place]) if clip else count
                    row[texts[place]] += weight[gram] * common
            possible[which] = total + weight_of_unknown * unknown
        for text in range(n_pool):
            brevity = log_brevity(lengths[candidate], pool_lengths[text])
            out[candidate, text] = np.exp(
                log_bleu_star(matched[:, text], possible, smoothing, smooth_value, orders, brevity)
            )


class IdfPool(Pool):
    """A pool matched by BLEU* with n-grams weighted by inverse document frequency.

    Args:
        texts: the pool, n texts.
        options: the reading of texts; smoothing adds to weighted counts.
    """

    def __init__(self, texts: Sequence[str], options: TextOptions) -> None:
        super().__init__(len(texts))
        self._encoder = TokenEncoder(options.tokenize)
        self._trie = NgramTrie(options.ngram_orders, clip=False)  # one node an n-gram, listed at each occurrence
        self._orders = np.array(options.ngram_orders, dtype=np.int64)
        self._clip = options.clip
        self._smoothing = options.smoothing

        tokens, offsets = self._encoder.encode(texts, learning=True)
        self._lengths = np.diff(offsets)
        self._trie.features(tokens, offsets, learning=True)
        counted = _counted(*self._trie.features(tokens, offsets))
        self._postings = _postings(*counted, len(self._orders), self._trie.n_nodes)
        n_texts_with = np.diff(self._postings[0])
        self._weight = 1.0 + np.log((1.0 + len(texts)) / (1.0 + n_texts_with))

    def compare(self, candidates: Sequence[str]) -> tuple[Floats, Integers]:
        """Return the weighted BLEU* of each candidate and each pool text, and the candidates' numbers of tokens."""
        tokens, offsets = self._encoder.encode(candidates)
        lengths = np.diff(offsets)
        grams, counts, starts = _counted(*self._trie.features(tokens, offsets))
        out = np.empty((len(candidates), len(self)), dtype=np.float64)
        _similarities(
            lengths,
            grams,
            counts,
            starts,
            self._lengths,
            *self._postings,
            self._weight,
            float(1.0 + np.log(1.0 + len(self))),
            self._orders,
            self._clip,
            *self._smoothing,
            out,
        )
        return out, lengths


def idf_pool(data: KernelInput) -> IdfPool:
    """Prepare a pool."""
    return IdfPool(data.texts, data.options)
