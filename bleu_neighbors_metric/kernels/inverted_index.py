"""Index from features to the texts of a pool: rows of bits for frequent features, posting lists for rare ones.

Posting lists are read once for all tiles: reading each tile's share of each list would cost more than its matches.
Rows have one bit per pool text, and carry-save adders count them.

The pool is cut into tiles of 512 texts, so that a row of a tile is one cache line, and all rows of a tile stay in the
second-level cache while the candidates of a batch are matched with it. The counts are eight bit planes, which stay in
registers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.validation import Integers, Integers32

TILE_BITS = 9
TILE = 1 << TILE_BITS
"""Texts of one tile."""

WORDS = TILE // 64
"""Words of 64 bits in a row of one tile."""

MOST_DENSE = 2**16 - 1
"""Most features that may have rows: together with the empty row, 16 bits can number them."""

ROWS_AHEAD = 64
"""Rows are prefetched this many rows ahead; equal to ROWS_AHEAD of `native/index.h`, as are the other sizes."""


def postings(features: Integers32, begins: Integers, n_orders: int, n_features: int) -> tuple[Integers, Integers32]:
    """Transpose texts → features into features → texts (ascending).

    Args:
        features: the features of all texts, order by order (see `ngrams`).
        begins: the begin of each (text, order) in them, shape (n · n_orders + 1,).
        n_orders: the number of n-gram orders.
        n_features: the number of features.

    Returns:
        The begin of each feature's posting list, shape (n_features + 1,), and the lists.
    """
    starts, texts = np.empty(n_features + 1, dtype=np.int64), np.empty(len(features), dtype=np.int32)
    native.call("postings", features, begins, n_orders, starts, texts)
    return starts, texts


def split_features(
    features: Integers32, begins: Integers, starts: Integers, dense_row: Integers32, empty: int
) -> tuple[NDArray[np.uint16], Integers, Integers, Integers, Integers]:
    """Split the features of each (candidate, order) into dense rows and posting lists.

    Args:
        features: the features of the candidates (see `ngrams`).
        begins: the begin of each (candidate, order) in them.
        starts: the begin of each feature's posting list, shape (m + 1,).
        dense_row: each feature's dense row, or -1, shape (m,).
        empty: the number of the empty row.

    Returns:
        The dense rows of each (candidate, order), padded with `empty` to a multiple of eight, with `ROWS_AHEAD` more
        after the last for prefetching; the begin of each (candidate, order) in them; the begin and the end of each
        rare feature's posting list; and the begin of each (candidate, order) in these.
    """
    n_lists = len(begins) - 1
    rows = np.empty(len(features) + 7 * n_lists + ROWS_AHEAD, dtype=np.uint16)
    row_begins, list_begins = np.empty((2, n_lists + 1), dtype=np.int64)
    rare_begins, rare_ends = np.empty((2, len(features)), dtype=np.int64)
    lists = rows, row_begins, rare_begins, rare_ends, list_begins
    n_rare = native.call("split_features", features, begins, starts, dense_row, empty, *lists)
    return rows[: row_begins[-1] + ROWS_AHEAD], row_begins, rare_begins[:n_rare], rare_ends[:n_rare], list_begins
