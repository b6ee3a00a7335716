"""A pool matched by blocks of the similarity matrix: the base of every kernel that has no index of its own.

A kernel says how similar a few candidates are to all texts of the pool; neighbours are counted block by block, so
the whole candidates × pool matrix never exists.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.kernels.neighbors import SLACK, NeighborRule, NeighborTally, quality_in_units
from bleu_neighbors_metric.parallel import in_batches

BLOCK_CELLS = 1 << 20
"""Similarities to a block, at most (unless the pool alone is larger): 8 MB, and thrice that while they are tallied."""

_MOST_ROWS = 512


class MatrixPool(ABC):
    """A pool that is matched by blocks of similarities.

    Args:
        size: how many texts the pool holds.
    """

    def __init__(self, size: int) -> None:
        self._size = size

    def __len__(self) -> int:
        return self._size

    @abstractmethod
    def compare(self, candidates: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Compare candidates with the pool.

        It is called from several threads at once, and a candidate's row depends on no other candidate.

        Returns:
            The similarity of each candidate and each pool text, shape (c, n), and the number of tokens of each
            candidate, shape (c,): one without any has no neighbours, even at threshold 0.
        """

    def similarities(self, candidates: Sequence[str]) -> NDArray[np.float64]:
        """Return the similarity of each candidate and each pool text, shape (c, n): the matrix, for few candidates."""
        return self.compare(candidates)[0]

    def tally(
        self,
        candidates: Sequence[str],
        quality: NDArray[np.float64],
        rule: NeighborRule,
        *,
        excluded: NDArray[np.int64] | None = None,
        n_jobs: int | None = None,
    ) -> Iterator[tuple[slice, NeighborTally]]:
        """Count neighbours and sum their quality, block by block.

        Args:
            candidates: c texts.
            quality: the pool's quality, shape (n,), in the pool's order.
            rule: the threshold on the similarity and the weights of neighbours.
            excluded: for each candidate the pool text that must not count (itself, when leaving one out), or -1;
                shape (c,).
            n_jobs: threads, as in scikit-learn: None for one, -1 for all processors. Results depend on neither
                threads nor blocks.

        Returns:
            An iterator over batches: which candidates, and their tally.
        """
        units, unit = quality_in_units(quality)
        least = rule.threshold * (1.0 - SLACK)

        def task(batch: slice) -> tuple[slice, NeighborTally]:
            similarity, n_tokens = self.compare(candidates[batch])
            hit = (similarity >= least) & (n_tokens > 0)[:, None]
            if excluded is not None:
                which = excluded[batch]
                rows = np.flatnonzero(which >= 0)
                hit[rows, which[rows]] = False
            n_neighbors = hit.sum(axis=1, dtype=np.int64)
            if rule.weights == "uniform":
                total = np.where(hit, units, 0).sum(axis=1) * unit if len(units) else (hit * quality).sum(axis=1)
                return batch, NeighborTally(n_neighbors, n_neighbors.astype(np.float64), total)
            weight = np.where(hit, similarity, 0.0)
            return batch, NeighborTally(n_neighbors, weight.sum(axis=1), (weight * quality).sum(axis=1))

        height = max(1, min(_MOST_ROWS, BLOCK_CELLS // max(1, self._size)))
        return in_batches(task, len(candidates), height, n_jobs)
