"""BLEU* (Ethayarajh & Sadigh 2020, Eq. 2): how similar a candidate x is to a rated text s.

BLEU*(x, s) = β · (Π_n P_n(x, s))^(1/N) over the N n-gram orders (2, 3 and 4 in the paper), with the brevity penalty
β = exp(min(0, 1 - |s|/|x|)) and P_n the share of x's n-grams that stand in s, lengths and n-grams in tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import matching
from .ngrams import NgramTrie
from .parallel import thread_count
from .tally import NeighborRule, NeighborTally, quality_in_units
from .tokenizers import TokenEncoder

_BATCH = 512
"""Candidates to a task: few enough that their features stay in cache, enough to amortise a task's set-up."""

_COUNT_TYPES = (np.uint8, np.uint16, np.int32)

_DENSE_SHARE = 1 / 128
"""A feature in a larger share of the pool than this is added as a dense row: about where both ways cost the same."""

_MOST_DENSE_BYTES = 128 * 2**20

DEFAULT_SMOOTH_VALUE = {"none": 0.0, "floor": 0.1, "add-k": 1.0, "exp": 0.0}
"""sacrebleu's defaults."""


class BleuStarPool:
    """A pool of texts, indexed by n-gram, against which candidates are matched.

    Args:
        texts: the pool, n texts; results refer to them in this order.
        tokenize: a tokeniser's name (see `tokenizers.known_tokenizers`).
        ngram_orders: the n-gram orders, ascending.
        smooth_method: sacrebleu's: `none`, `floor`, `add-k` or `exp`.
        smooth_value: the value for `floor` and `add-k`; None for sacrebleu's default.
        clip: clipped counts (as BLEU's reference implementations count) or Eq. 1 as it is written.
    """

    def __init__(
        self,
        texts: Sequence[str],
        *,
        tokenize: str = "char",
        ngram_orders: tuple[int, ...] = (2, 3, 4),
        smooth_method: str = "none",
        smooth_value: float | None = None,
        clip: bool = True,
    ) -> None:
        self._encoder = TokenEncoder(tokenize)
        self._trie = NgramTrie(ngram_orders, clip)
        self._orders = np.array(ngram_orders, dtype=np.int64)
        self._smoothing = matching.SMOOTHING[smooth_method]
        self._smooth_value = float(DEFAULT_SMOOTH_VALUE[smooth_method] if smooth_value is None else smooth_value)

        # By length, so that a block's brevity penalties are alike and blocks of far longer texts are passed over.
        tokens, offsets = self._encoder.encode(texts, learning=True)
        lengths = np.diff(offsets)
        self._order = np.argsort(lengths, kind="stable")
        self._lengths = lengths[self._order]
        self._place = np.empty(len(texts), dtype=np.int64)
        self._place[self._order] = np.arange(len(texts))
        tokens, offsets = _reordered(tokens, offsets, self._order)

        features, begins = self._trie.learn(tokens, offsets)
        n_nodes = self._trie.n_nodes
        self._starts, self._texts = matching.postings(features, begins, len(ngram_orders), n_nodes)
        del features, begins
        frequency = np.diff(self._starts)
        n_blocks = -(-len(texts) // matching.BLOCK)
        words = 8 * -(-len(texts) // (512 * n_blocks))  # whole SIMD registers of the widest kind
        share = max(_DENSE_SHARE * len(texts), 8)
        dense = np.flatnonzero(frequency > share)
        most = _MOST_DENSE_BYTES // (n_blocks * words * 8)
        if len(dense) > most:
            dense = dense[np.argsort(-frequency[dense], kind="stable")[:most]]
        self._dense_row = np.full(n_nodes, -1, dtype=np.int32)
        self._dense_row[dense] = np.arange(len(dense), dtype=np.int32)
        self._dense = np.zeros((n_blocks, len(dense) + 1, words), dtype=np.uint64)
        matching.fill_dense(self._starts, self._texts, dense, self._dense)

    def __len__(self) -> int:
        return len(self._lengths)

    def _matchable(self, texts: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64], tuple[Any, ...]]:
        """Return the order of `texts` by length, their lengths, and their features as the kernel takes them."""
        tokens, offsets = self._encoder.encode(texts)
        lengths = np.diff(offsets)
        order = np.argsort(lengths, kind="stable")
        tokens, offsets = _reordered(tokens, offsets, order)
        features, begins = self._trie.features(tokens, offsets)
        return order, lengths[order], matching.split_features(features, begins, self._starts, self._dense_row)

    def _scratch(self, longest: int) -> tuple[NDArray[Any], NDArray[np.uint64], NDArray[np.uint64], NDArray[Any]]:
        """Return scratch for one block: counts, bit planes, unpacked planes, least products (see `matching.tally`)."""
        n_orders, words = len(self._orders), self._dense.shape[2]
        kind = next(kind for kind in _COUNT_TYPES if longest <= np.iinfo(kind).max)
        exact = np.float32 if longest**n_orders < 2**23 else np.float64  # whole numbers up to 2^24 are float32
        return (
            np.empty((n_orders, 64 * words), dtype=kind),
            np.empty((8, words), dtype=np.uint64),
            np.empty(8 * words, dtype=np.uint64),
            np.empty(64 * words, dtype=exact),
        )

    def tally(
        self,
        candidates: Sequence[str],
        quality: NDArray[np.float64],
        rule: NeighborRule,
        *,
        excluded: NDArray[np.int64] | None = None,
        n_jobs: int | None = None,
    ) -> Iterator[tuple[slice, NeighborTally]]:
        """Count the neighbours of each candidate and sum their quality, batch by batch.

        Args:
            candidates: c texts.
            quality: the pool's quality, shape (n,), in the pool's order.
            rule: the threshold on BLEU* and the weights of neighbours.
            excluded: for each candidate the pool text that must not count (itself, when leaving one out), or -1;
                shape (c,).
            n_jobs: threads, as in scikit-learn: None for one, -1 for all processors. Results do not depend on it.

        Yields:
            Which candidates, and their tally.
        """
        units, unit = quality_in_units(quality)
        quality = quality[self._order]
        units = units[self._order] if len(units) else units

        def task(batch: slice) -> tuple[slice, NeighborTally]:
            texts = candidates[batch]
            order, lengths, features = self._matchable(texts)
            if excluded is None:
                own = np.full(len(texts), -1, dtype=np.int64)
            else:
                which = excluded[batch][order]
                own = np.where(which >= 0, self._place[which], -1)
            n_neighbors, unit_sums = np.zeros((2, len(texts)), dtype=np.int64)
            weight_sums, weighted_quality = _zeros(len(texts)), _zeros(len(texts))
            matching.tally(
                lengths,
                *features,
                own,
                self._lengths,
                self._dense,
                self._texts,
                quality,
                units,
                self._orders,
                float(rule.threshold),
                self._smoothing,
                self._smooth_value,
                matching.WEIGHTS[rule.weights],
                *self._scratch(int(lengths[-1])),
                n_neighbors,
                unit_sums,
                weight_sums,
                weighted_quality,
            )
            if rule.weights == "uniform":
                weight_sums[:] = n_neighbors
                if len(units):
                    weighted_quality[:] = unit_sums * unit
            back = np.argsort(order)
            return batch, NeighborTally(n_neighbors[back], weight_sums[back], weighted_quality[back])

        batches = [slice(at, at + _BATCH) for at in range(0, len(candidates), _BATCH)]
        threads = min(thread_count(n_jobs), len(batches))
        if threads <= 1:
            yield from map(task, batches)
        else:
            with ThreadPoolExecutor(threads) as pool:
                yield from pool.map(task, batches)

    def similarities(self, candidates: Sequence[str]) -> NDArray[np.float64]:
        """Return BLEU* of each candidate and each pool text, shape (c, n): the matrix, for few candidates."""
        order, lengths, features = self._matchable(candidates)
        by_length = np.zeros((len(candidates), len(self)), dtype=np.float64)
        if len(candidates):
            matching.similarities(
                lengths,
                *features,
                self._lengths,
                self._dense,
                self._texts,
                self._orders,
                self._smoothing,
                self._smooth_value,
                *self._scratch(int(lengths[-1]))[:3],
                by_length,
            )
        out = np.empty_like(by_length)
        out[np.ix_(order, self._order)] = by_length
        return out


def bleu_star(
    candidates: Sequence[str],
    pool: Sequence[str],
    *,
    tokenize: str = "char",
    ngram_orders: tuple[int, ...] = (2, 3, 4),
    smooth_method: str = "none",
    smooth_value: float | None = None,
    clip: bool = True,
) -> NDArray[np.float64]:
    """Return BLEU* (Eq. 2) of every candidate and every pool text, shape (len(candidates), len(pool)), in [0, 1].

    For a fitted pool, thresholds and large inputs use `BLEUNeighbors`, which never builds this matrix.

    >>> bleu_star(["the cat sat"], ["the cat sat", "the cat sat down"]).round(3).tolist()
    [[1.0, 0.635]]
    """
    index = BleuStarPool(
        pool,
        tokenize=tokenize,
        ngram_orders=ngram_orders,
        smooth_method=smooth_method,
        smooth_value=smooth_value,
        clip=clip,
    )
    return index.similarities(candidates)


def _zeros(length: int) -> NDArray[np.float64]:
    return np.zeros(length, dtype=np.float64)


def _reordered(
    tokens: NDArray[np.int64], offsets: NDArray[np.int64], order: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the flat tokens and offsets of the same texts in another order."""
    lengths = np.diff(offsets)[order]
    moved = np.zeros_like(offsets)
    np.cumsum(lengths, out=moved[1:])
    source = np.arange(len(tokens)) - np.repeat(moved[:-1] - offsets[:-1][order], lengths)
    return tokens[source], moved
