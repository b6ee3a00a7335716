"""BLEU* (Ethayarajh & Sadigh 2020, Eq. 2), the similarity of a candidate x to a rated text s.

BLEU*(x, s) = β · (Π_n P_n(x, s))^(1/N) over the N n-gram orders (2, 3 and 4 in the paper). β = exp(min(0, 1 - |s|/|x|))
is the brevity penalty, and P_n the share of x's n-grams that occur in s. Lengths and n-grams are of tokens.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from bleu_neighbors_metric.kernels import matching
from bleu_neighbors_metric.kernels.inverted_index import (
    MOST_DENSE,
    TILE,
    WORDS,
    postings,
    split_features,
)
from bleu_neighbors_metric.kernels.kernel import KernelInput, Pool, TextOptions
from bleu_neighbors_metric.kernels.neighbors import (
    LEAST_WHOLE,
    LIMB_BITS,
    SLACK,
    WEIGHT_BITS,
    NeighborRule,
    NeighborTally,
    Ratings,
    Unit,
)
from bleu_neighbors_metric.kernels.ngrams import NgramTrie
from bleu_neighbors_metric.tokenizers import TokenEncoder
from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.computing import in_batches
from referenceless_metrics.core.support.validation import Floats, Integers, Integers32, Record, Unsigned64

_MOST_IN_TASK = 2048
"""Most candidates of one task: its set-up and the loading of each tile into the cache are paid once for all of them."""

_FEWEST_IN_TASK = 512
"""Fewest candidates of one task, if smaller tasks are needed to keep all threads busy."""

_DENSE_SHARE = 1 / 256
"""A feature in a larger share of the pool than this gets a dense row. About there, both ways cost the same."""

_MOST_MATCHES = 2**22
"""Most posting-list matches that one task holds in memory (two bytes each). Candidates are taken in groups below it;
one alone may exceed it."""

_MOST_DENSE_BYTES = 128 * 2**20
"""Largest size of all dense rows."""

_LINE = 8
"""Words of 64 bits in a cache line."""

_DEFAULTS = TextOptions()


class IndexArrays(NamedTuple):
    """An index of n texts and m n-gram features.

    Attributes:
        lengths: number of tokens of each text, ascending, shape (n,), int64.
        order: the text that has each of these lengths, shape (n,), int64.
        starts: begin of each feature's posting list, shape (m + 1,), int64; that of a dense feature is empty.
        postings: the lists, in the order of `lengths`, int32.
        dense_row: each feature's dense row, or -1, shape (m,), int32.
        dense: the dense rows (see `inverted_index`), shape (tiles, rows + 1, words), uint64.
    """

    lengths: Integers
    order: Integers
    starts: Integers
    postings: Integers32
    dense_row: Integers32
    dense: Unsigned64


class _Worths(NamedTuple):
    """Summands of a pool's texts for one rule, in the order of the index. One of the first three is given.

    Attributes:
        words: the ratings as words of exact sums, for uniform weights.
        limbs: the ratings as shorter words, for weights in whole units.
        values: the ratings themselves, for other weights; their sums are not exact.
        units: the units of the exact sums: of the ratings; for `limbs` of the weights and of the weighted ratings.
    """

    words: Integers | None = None
    limbs: Integers32 | None = None
    values: Floats | None = None
    units: tuple[Unit, ...] = ()

    @classmethod
    def of(cls, ratings: Ratings, rule: NeighborRule, order: Integers) -> _Worths:
        if rule.weights == "uniform":
            return cls(words=np.ascontiguousarray(ratings.words[:, order]), units=(ratings.unit,))
        values, unit = ratings.values[order], ratings.limb_unit
        if rule.threshold < LEAST_WHOLE:
            return cls(values=values)
        of_weighted = Unit(unit.exponent + WEIGHT_BITS, LIMB_BITS, unit.n_words + 1)
        return cls(limbs=unit.words(values).astype(np.int32), units=(Unit(WEIGHT_BITS, 62, 1), of_weighted))


class BleuStarPool(Pool):
    """A pool of texts, indexed by n-gram, against which candidates are matched.

    Args:
        texts: the pool, n texts; results refer to them in this order.
        options: the reading of texts.

    Attributes:
        options: the reading of texts.
        arrays: the index.
    """

    def __init__(self, texts: Sequence[str], options: TextOptions = _DEFAULTS) -> None:
        self.options = options
        self._encoder = TokenEncoder(options.tokenize)
        self._trie = NgramTrie(options.ngram_orders, options.clip)

        # Texts stand in order of length: brevity penalties within a tile are then alike, and tiles of far longer texts
        # are passed over. Arrays are deleted as soon as they are not needed: a large pool's tokens and features fill
        # memory.
        order, lengths, tokens, offsets = self._by_length(texts, learning=True)
        features, begins = self._trie.features(tokens, offsets, learning=True)
        del tokens, offsets
        starts, lists = postings(features, begins, len(options.ngram_orders), self._trie.n_nodes)
        del features, begins
        dense = _dense_features(np.diff(starts), len(texts))
        dense_row = np.full(self._trie.n_nodes, -1, dtype=np.int32)
        dense_row[dense] = np.arange(len(dense), dtype=np.int32)
        rows = _bit_rows(starts, lists, dense, len(texts))
        starts, lists = _without_dense(starts, lists, dense_row)
        super().__init__(len(texts))
        self.arrays = IndexArrays(lengths, order, starts, lists, dense_row, rows)
        self._worths: tuple[Ratings, NeighborRule, _Worths] | None = None  # of the last tally
        self._smoothing = options.smoothing
        self._index = matching.Index(lengths, self._trie.orders, rows, lists)

    def __getstate__(self) -> Record:
        """Leave out the summands of the last tally; they can be made again."""
        return {**self.__dict__, "_worths": None}

    def _by_length(
        self, texts: Sequence[str], *, learning: bool = False
    ) -> tuple[Integers, Integers, Integers, Integers]:
        """Return the order of texts by length, and in that order their lengths, their tokens and each text's begin."""
        tokens, offsets = self._encoder.encode(texts, learning=learning)
        lengths = np.diff(offsets)
        order = np.argsort(lengths, kind="stable")
        lengths = lengths[order]
        moved = np.zeros_like(offsets)
        np.cumsum(lengths, out=moved[1:])
        source = np.arange(len(tokens)) - np.repeat(moved[:-1] - offsets[:-1][order], lengths)
        return order, lengths, tokens[source], moved

    def _batch(self, texts: Sequence[str], excluded: Integers | None = None) -> tuple[Integers, matching.Batch]:
        """Return the order of `texts` by length, and in that order the kernel's input."""
        order, lengths, tokens, offsets = self._by_length(texts)
        features, begins = self._trie.features(tokens, offsets)
        of_features = self.arrays.starts, self.arrays.dense_row
        empty = self.arrays.dense.shape[1] - 1
        lists = split_features(features, begins, *of_features, empty)
        left_out = np.full(len(texts), -1, dtype=np.int64)
        if excluded is not None:
            place = np.empty(len(self), dtype=np.int64)
            place[self.arrays.order] = np.arange(len(self))
            left_out = np.where(excluded >= 0, place[excluded], -1)[order]
        return order, matching.Batch(lengths, *lists, left_out)

    def tally(
        self,
        candidates: Sequence[str],
        ratings: Ratings,
        rule: NeighborRule,
        *,
        excluded: Integers | None = None,
        n_jobs: int | None = None,
    ) -> Iterator[tuple[slice, NeighborTally]]:
        """Count neighbours and sum their ratings, batch by batch; see `Pool.tally`."""
        if self._worths is None or self._worths[0] is not ratings or self._worths[1] != rule:
            self._worths = ratings, rule, _Worths.of(ratings, rule, self.arrays.order)
        worths = self._worths[2]
        scoring = matching.Scoring(float(rule.threshold), *self._smoothing)
        n_words = sum(unit.n_words for unit in worths.units)

        def task(which: slice) -> tuple[slice, NeighborTally]:
            order, batch = self._batch(candidates[which], None if excluded is None else excluded[which])
            numbers = np.zeros((1 + n_words, len(order)), dtype=np.int64)
            sums = matching.Sums(numbers[0], numbers[1:], *np.zeros((2, len(order))))
            native.call("tally", batch, self._index, _MOST_MATCHES, scoring, worths, sums)
            if worths.words is not None:
                weight = sums.n_neighbors.astype(float)
                rating_sums = worths.units[0].numbers(sums.words)
            elif worths.limbs is not None:
                of_weights, of_ratings = worths.units
                weight = of_weights.numbers(sums.words[:1])
                rating_sums = of_ratings.numbers(sums.words[1:])
            else:
                weight = sums.weight
                rating_sums = sums.ratings
            back = np.argsort(order)
            return which, NeighborTally(sums.n_neighbors[back], weight[back], rating_sums[back])

        return in_batches(task, len(candidates), _MOST_IN_TASK, n_jobs, fewest=_FEWEST_IN_TASK)

    def count_neighbors(
        self,
        candidates: Sequence[str],
        thresholds: Floats,
        *,
        excluded: Integers | None = None,
        n_jobs: int | None = None,
    ) -> Integers:
        """Count the neighbours of each candidate at several thresholds; see `Pool.count_neighbors`."""
        scoring = matching.Scoring(0.0, *self._smoothing)
        n_zero = int(np.searchsorted(thresholds, 0.0, side="right"))
        counts = np.zeros((len(thresholds), len(candidates)), dtype=np.int64)
        least = thresholds[n_zero:] * (1.0 - SLACK)

        def task(which: slice) -> None:
            left_out = None if excluded is None else excluded[which]
            order, batch = self._batch(candidates[which], left_out)
            by_length = np.zeros((len(thresholds), len(order)), dtype=np.int64)
            # At τ = 0 every pool text is a neighbour of every candidate that has a token.
            by_length[:n_zero] = np.where(batch.lengths > 0, len(self) - (batch.excluded >= 0), 0)
            if n_zero < len(thresholds):
                above_zero = by_length[n_zero:]
                native.call("count_neighbors", batch, self._index, _MOST_MATCHES, scoring, least, above_zero)
            counts[:, which] = by_length[:, np.argsort(order)]

        for _ in in_batches(task, len(candidates), _MOST_IN_TASK, n_jobs, fewest=_FEWEST_IN_TASK):
            pass
        return counts

    def compare(self, candidates: Sequence[str]) -> tuple[Floats, Integers]:
        """Return BLEU* of each candidate and each pool text, and the candidates' numbers of tokens."""
        order, batch = self._batch(candidates)
        by_length = np.zeros((len(candidates), len(self)))
        native.call(
            "similarities", batch, self._index, _MOST_MATCHES, matching.Scoring(0.0, *self._smoothing), by_length
        )
        similarity, n_tokens = np.empty_like(by_length), np.empty_like(batch.lengths)
        similarity[np.ix_(order, self.arrays.order)] = by_length
        n_tokens[order] = batch.lengths
        return similarity, n_tokens


def _dense_features(frequency: Integers, n_texts: int) -> Integers:
    """Return the features that get dense rows: the frequent ones, or as many of the most frequent as memory allows.

    Args:
        frequency: number of texts that have each of m features, shape (m,).
        n_texts: number of texts.
    """
    dense = np.flatnonzero(frequency > max(_DENSE_SHARE * n_texts, 8))
    bytes_of_row = _n_tiles(n_texts) * WORDS * 8
    most = min(_MOST_DENSE_BYTES // bytes_of_row, MOST_DENSE)
    if len(dense) > most:
        dense = dense[np.argsort(-frequency[dense], kind="stable")[:most]]
    return dense


def _bit_rows(starts: Integers, lists: Integers32, dense: Integers, n_texts: int) -> Unsigned64:
    """Return the dense rows, with one bit for each text, shape (tiles, rows + 1, words); the last row is empty.

    Bit 8b + k of word w stands for text 64k + 8w + b of the tile. In that order, transposing eight by eight bits turns
    bit planes into byte-wide counts of eight runs of neighbouring texts. Each row begins at a cache line.
    """
    shape = (_n_tiles(n_texts), len(dense) + 1, WORDS)
    size = math.prod(shape)
    room = np.zeros(size + _LINE, dtype=np.uint64)
    begin = -room.ctypes.data % (8 * _LINE) // 8
    rows = room[begin : begin + size].reshape(shape)
    native.call("fill_bit_rows", starts, lists, dense, rows)
    return rows


def _without_dense(starts: Integers, lists: Integers32, dense_row: Integers32) -> tuple[Integers, Integers32]:
    """Return the posting lists without those of features that have a dense row: nothing reads them."""
    kept = np.empty_like(starts)
    rare = np.empty_like(lists)
    n_rare = native.call("without_dense", starts, lists, dense_row, kept, rare)
    return kept, rare[:n_rare].copy()


def _n_tiles(n_texts: int) -> int:
    return -(-n_texts // TILE)


def bleu_star_pool(data: KernelInput) -> Pool:
    """Prepare a pool."""
    return BleuStarPool(data.texts, data.options)
