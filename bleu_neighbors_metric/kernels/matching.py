"""Interface of the compiled kernel: it counts shared n-gram features of candidates and pool, block by block.

The kernel is `native/levels/matching.cpp`, with the functions `tally`, `count_neighbors` and `similarities`.

The pool stands sorted by length, in tiles of `TILE` texts. For one candidate and one tile, the counts of each order
are a row of small integers. A feature that stands in a large share of the pool owns a *dense row*, one bit a text;
such rows are added by carry-save adders. A rarer feature owns a *posting list* of pool texts; what the lists of a batch
hold is sorted by tile first (see `inverted_index`). The n × m matrix never exists: a tile's counts become neighbours,
or similarities, at once.

Of many thresholds, the n-grams of a pair are counted once for all. Without smoothing, BLEU* reaches τ where the product
of counts, times β^N over the product of possible n-grams, reaches τ^N: no root is taken.

Neighbours that count by their similarity have weights in whole numbers, which add up exactly. Without smoothing, BLEU*
is β / (Π possible n-grams)^(1/N), which lengths alone decide, times the N-th root of each order's count; those roots
stand in a table, so that a neighbour costs some multiplications. Its weight is the nearest multiple of 2^-36. Weights
times narrow pieces of ratings (limbs) are summed in 64 bits, a tile at a time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referenceless_metrics.core.support.validation import Floats, Integers, Integers32, Unsigned64


class Index(NamedTuple):
    """A pool of n texts in ascending order of length, indexed by feature.

    Attributes:
        lengths: tokens of each text, shape (n,), int64.
        orders: the n-gram orders, ascending, int64.
        dense: bit rows of frequent features (see `inverted_index`), shape (tiles, rows, words), uint64.
        texts: the posting lists of all features, int32.
    """

    lengths: Integers
    orders: Integers
    dense: Unsigned64
    texts: Integers32


class Batch(NamedTuple):
    """The features of c candidates in ascending order of length; a list is that of one (candidate, order).

    Attributes:
        lengths: tokens of each candidate, shape (c,), int64.
        rows: the dense rows of each list, filled up with empty ones to a multiple of eight, flat, uint16: read anew for
            each tile, they are nearly as many bytes as the rows themselves.
        row_begins: where each list begins in them, shape (lists + 1,), int64.
        begins: where each rare feature's posting list begins, int64.
        ends: where it ends, int64.
        list_begins: where each list begins in the two, shape (lists + 1,), int64.
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
    """Criterion of a neighbour: the threshold, and `kernel.SMOOTHING` with its value."""

    threshold: float
    smoothing: int
    smooth_value: float


class Sums(NamedTuple):
    """Sums over the neighbours of each of c candidates.

    Attributes:
        n_neighbors: the number of neighbours, shape (c,), int64.
        words: their summed ratings in words (see `neighbors`), shape (n_words, c), int64; with similarity weights in
            whole units, first the summed weights and then the weighted ratings.
        weight: with similarity weights that are not whole, their summed similarity, shape (c,), float64.
        ratings: with such weights, their weighted ratings, shape (c,), float64.
    """

    n_neighbors: Integers
    words: Integers
    weight: Floats
    ratings: Floats
