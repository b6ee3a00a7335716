"""A threshold τ that covers a pool, found without looking at any rating."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.kernels.base import Pool
from bleu_neighbors_metric.kernels.neighbors import SLACK, leave_absent, most_neighbors
from metric_commons.support.parallel import in_batches

AUTO = "auto"
"""The value of `threshold` that asks for `covering_threshold`."""

GRID = np.round(np.concatenate([np.arange(0.0, 0.30, 0.01), np.arange(0.30, 0.96, 0.05)]), 2)
"""The thresholds that are tried, ascending, shape (44,): by words, or by embeddings, short texts are very similar."""

SAMPLE = 2_000
"""Of a larger pool so many texts are tried: their coverage is that of the pool within two points."""

_CELLS = 1 << 22  # similarities that are held at once, for each thread
_SEED = 3


def covering_threshold(
    pool: Pool, texts: Sequence[str], min_neighbors: int, max_fraction: float, n_jobs: int | None = None
) -> float:
    """Return the highest threshold of `GRID` that covers the most of a pool, each text being left out in turn.

    The highest, because what covers alike rates by the nearer neighbours. No rating plays a part, so whatever is
    measured on the pool by leave-one-out with this threshold is not flattered by its choice.

    Args:
        pool: the n texts, prepared for matching.
        texts: the same texts.
        min_neighbors: a.
        max_fraction: b.
        n_jobs: threads.

    Returns:
        A member of `GRID`; 0 where no threshold covers any text.
    """
    n = len(pool)
    sample = np.arange(n, dtype=np.int64)
    if n > SAMPLE:
        sample = np.sort(np.random.default_rng(_SEED).choice(n, SAMPLE, replace=False))
    least = GRID * (1.0 - SLACK)
    most = most_neighbors(max_fraction, n - 1)

    def n_covered(which: slice) -> NDArray[np.int64]:
        own = sample[which]
        similarity, n_tokens = pool.compare([texts[i] for i in own])
        reached = np.searchsorted(least, leave_absent(similarity, n_tokens, own), side="right")
        width = len(GRID) + 1
        place = reached + width * np.arange(len(own))[:, None]
        counts = np.bincount(place.ravel(), minlength=width * len(own)).reshape(len(own), width)
        n_neighbors = np.cumsum(counts[:, :0:-1], axis=1)[:, ::-1]  # of each threshold, in ascending order
        return np.asarray(((n_neighbors >= min_neighbors) & (n_neighbors <= most)).sum(axis=0), dtype=np.int64)

    rows = max(1, min(256, _CELLS // max(1, n)))
    covered = sum(in_batches(n_covered, len(sample), rows, n_jobs), np.zeros(len(GRID), dtype=np.int64))
    if not covered.any():
        return 0.0
    return float(GRID[np.flatnonzero(covered == covered.max())[-1]])
