"""Interface of the compiled kernel: it counts shared n-gram features of candidates and pool, block by block.

The kernel is `native/levels/matching.cpp`, with the functions `tally`, `count_neighbors` and `similarities`.

The pool is sorted by length and cut into tiles of `TILE` texts. For one candidate and one tile, the counts of each
n-gram order are a row of small integers. A feature of many pool texts has a *dense row* with one bit per text, and
carry-save adders count such rows. A rarer feature has a *posting list* of pool texts; the entries of a batch's lists
are sorted by tile first (see `inverted_index`). A tile's counts become neighbours or similarities at once, so that the
n × m matrix never exists.

For several thresholds, the n-grams of a pair are counted once. Without smoothing, BLEU* ≥ τ if the product of the
counts, times β^N over the product of possible n-grams, is at least τ^N: no root is needed. BLEU* itself is compared if
the lowest τ^N would round to 0.

Similarity weights are whole multiples of 2^-36, so that their sums are exact. Without smoothing, BLEU* is
β / (Π possible n-grams)^(1/N), which depends on lengths alone, times the N-th root of each order's count. A table holds
these roots, so that a neighbour costs a few multiplications. Weights are multiplied with short pieces of ratings
(limbs), and the products are summed in 64 bits, one tile at a time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referenceless_metrics.core.support.validation import Floats, Integers, Integers32, Unsigned64


class Index(NamedTuple):
    """A pool of n texts in ascending order of length, indexed by feature.

    Attributes:
        lengths: number of tokens of each text, shape (n,), int64.
        orders: the n-gram orders, ascending, int64.
        dense: bit rows of frequent features (see `inverted_index`), shape (tiles, rows, words), uint64.
        texts: the posting lists of all features, int32.
    """

    lengths: Integers
    orders: Integers
    dense: Unsigned64
    texts: Integers32


class Batch(NamedTuple):
    """The features of c candidates in ascending order of length, with one list per (candidate, order).

    Attributes:
        lengths: number of tokens of each candidate, shape (c,), int64.
        rows: numbers of the dense rows of each list, padded with the empty row to a multiple of eight, flat, uint16. 16
            bits, because they are read again for each tile.
        row_begins: begin of each list in `rows`, shape (lists + 1,), int64.
        begins: begin of each rare feature's posting list, int64.
        ends: end of each rare feature's posting list, int64.
        list_begins: begin of each list in `begins` and `ends`, shape (lists + 1,), int64.
        excluded: the pool text that must not count for each candidate, or -1, shape (c,), int64.
    """

    lengths: Integers
    rows: NDArray[np.uint16]
    row_begins: Integers
    begins: Integers
    ends: Integers
    list_begins: Integers
    excluded: Integers


class Scoring(NamedTuple):
    """The threshold of neighbours, and the number of the smoothing method with its value (see `kernel.SMOOTHING`)."""

    threshold: float
    smoothing: int
    smooth_value: float


class Sums(NamedTuple):
    """Sums over the neighbours of each of c candidates.

    Attributes:
        n_neighbors: the number of neighbours, shape (c,), int64.
        words: their summed ratings in words (see `neighbors`), shape (n_words, c), int64; with similarity weights in
            whole units, first the summed weights and then the weighted ratings.
        weight: summed similarity, if similarity weights are not whole, shape (c,), float64.
        ratings: summed ratings with such weights, shape (c,), float64.
    """

    n_neighbors: Integers
    words: Integers
    weight: Floats
    ratings: Floats
