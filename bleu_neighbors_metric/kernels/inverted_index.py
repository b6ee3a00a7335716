"""Index from features to the texts of a pool: rows of bits for frequent features, posting lists for rare ones.

Lists are walked once for all tiles: walking each tile's share of each list would cost more than the matches in it. Rows
have one bit a pool text, and are added by carry-save adders.

Rows stand in tiles of 512 texts, a cache line each, so that all rows of a tile stay in the second-level cache while the
candidates of a batch pass by. The counts of a vector's texts are eight bit planes that never leave the registers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.validation import Integers, Integers32

TILE_BITS = 9
TILE = 1 << TILE_BITS
"""Texts to a tile."""

WORDS = TILE // 64
"""Words of 64 bits to a tile's row."""

MOST_DENSE = 2**16 - 1
"""As many features may have rows: with the empty one, a row's number is one of 16 bits."""

ROWS_AHEAD = 64
"""So many rows are read ahead: as ROWS_AHEAD of `native/index.h`, which has the other sizes too."""


def postings(features: Integers32, begins: Integers, n_orders: int, n_features: int) -> tuple[Integers, Integers32]:
    """Transpose texts → features into features → texts (ascending).

    Args:
        features: of all texts, order by order (see `ngrams`).
        begins: where each (text, order) begins in them, shape (n · n_orders + 1,).
        n_orders: how many n-gram orders there are.
        n_features: how many features there are.

    Returns:
        Where each feature's posting list begins, shape (n_features + 1,), and the lists.
    """
    starts, texts = np.empty(n_features + 1, dtype=np.int64), np.empty(len(features), dtype=np.int32)
    native.call("postings", features, begins, n_orders, starts, texts)
    return starts, texts


def split_features(
    features: Integers32, begins: Integers, starts: Integers, dense_row: Integers32, empty: int
) -> tuple[NDArray[np.uint16], Integers, Integers, Integers, Integers]:
    """Part each (candidate, order)'s features into dense rows and posting lists.

    Args:
        features: of the candidates (see `ngrams`).
        begins: where each (candidate, order) begins in them.
        starts: where each feature's posting list begins, shape (m + 1,).
        dense_row: each feature's dense row, or -1, shape (m,).
        empty: the row that is empty.

    Returns:
        The dense rows, those of a list filled up with the row `empty` to a multiple of eight, and where they begin
        (`ROWS_AHEAD` more follow the last, to be looked ahead at); and of the others where their postings begin and
        end, and where these begin.
    """
    n_lists = len(begins) - 1
    rows = np.empty(len(features) + 7 * n_lists + ROWS_AHEAD, dtype=np.uint16)
    row_begins, list_begins = np.empty((2, n_lists + 1), dtype=np.int64)
    rare_begins, rare_ends = np.empty((2, len(features)), dtype=np.int64)
    lists = rows, row_begins, rare_begins, rare_ends, list_begins
    n_rare = native.call("split_features", features, begins, starts, dense_row, empty, *lists)
    return rows[: row_begins[-1] + ROWS_AHEAD], row_begins, rare_begins[:n_rare], rare_ends[:n_rare], list_begins
