"""A pool matched by blocks of the similarity matrix: the base of every kernel that has no index of its own.

A kernel says how similar a few candidates are to all texts of the pool; neighbours are counted block by block, so
the whole candidates × pool matrix never exists.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.kernels.base import Pool
from bleu_neighbors_metric.kernels.exact_sums import Ratings
from bleu_neighbors_metric.kernels.neighbors import NeighborRule, NeighborTally, leave_absent, tally
from metric_commons.support.parallel import in_batches

BLOCK_CELLS = 1 << 20
"""Similarities to a block, at most (unless the pool alone is larger): 8 MB, and thrice that while they are tallied."""

_MOST_ROWS = 512


class MatrixPool(Pool):
    """A pool that is matched by blocks of similarities; a subclass implements `compare`.

    Args:
        size: how many texts the pool holds.
    """

    def __init__(self, size: int) -> None:
        self._size = size

    def __len__(self) -> int:
        return self._size

    def tally(
        self,
        candidates: Sequence[str],
        ratings: Ratings,
        rule: NeighborRule,
        *,
        excluded: NDArray[np.int64] | None = None,
        n_jobs: int | None = None,
    ) -> Iterator[tuple[slice, NeighborTally]]:
        """Count neighbours and sum their ratings, block by block; see `Pool.tally`."""

        def task(batch: slice) -> tuple[slice, NeighborTally]:
            similarity, n_tokens = self.compare(candidates[batch])
            leave_absent(similarity, n_tokens, None if excluded is None else excluded[batch])
            return batch, tally(similarity, ratings, rule)

        height = max(1, min(_MOST_ROWS, BLOCK_CELLS // max(1, self._size)))
        return in_batches(task, len(candidates), height, n_jobs)
