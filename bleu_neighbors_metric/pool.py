"""Rated texts with equal ones merged, and the threshold with the greatest coverage of them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bleu_neighbors_metric.kernels.kernel import Pool
from bleu_neighbors_metric.kernels.neighbors import most_neighbors
from referenceless_metrics.core.support.validation import Floats, Integers

GRID = np.round(np.concatenate([np.arange(0.0, 0.30, 0.01), np.arange(0.30, 0.96, 0.05)]), 2)
"""Thresholds that are tried, ascending, shape (44,). High ones are for kernels of words or embeddings."""

SAMPLE = 2_000
"""Most texts that are tried. Their coverage is that of a larger pool within two points."""

_SEED = 3


class RatedPool(NamedTuple):
    """Rated texts, equal ones merged.

    Attributes:
        texts: n distinct texts, in order of first appearance.
        ratings: their mean ratings, shape (n,).
        counts: the number of ratings of each text, shape (n,), int64.
        digest: the digest of the texts and ratings: eight hexadecimal digits.
    """

    texts: list[str]
    ratings: Floats
    counts: Integers
    digest: str


def rated_pool(texts: Sequence[str], ratings: Floats) -> RatedPool:
    """Return the distinct texts of a pool with their mean ratings."""
    places: dict[str, int] = {}
    where = np.fromiter((places.setdefault(text, len(places)) for text in texts), np.int64, len(texts))
    distinct, counts = list(places), np.bincount(where)
    means = np.bincount(where, weights=ratings) / counts
    return RatedPool(distinct, means, counts, pool_digest(distinct, means))


def pool_digest(texts: Sequence[str], ratings: Floats) -> str:
    """Return the digest of a pool: eight hexadecimal digits."""
    content = hashlib.sha256()
    for text, rating in zip(texts, ratings, strict=True):
        content.update(text.encode("utf-8", "surrogatepass") + b"\0" + repr(float(rating)).encode() + b"\0")
    return content.hexdigest()[:8]


def covering_threshold(
    pool: Pool, texts: Sequence[str], min_neighbors: int, max_fraction: float, n_jobs: int | None = None
) -> float:
    """Return the threshold of `GRID` with the greatest coverage of a pool, each text being left out in turn.

    Ties go to the highest threshold: same coverage, nearer neighbours. The search reads no rating, so that it does not
    flatter leave-one-out figures of this pool.

    Args:
        pool: the n texts, prepared for matching.
        texts: the same texts.
        min_neighbors: a.
        max_fraction: b.
        n_jobs: threads.

    Returns:
        A member of `GRID`; 0 if no threshold covers any text.
    """
    most = int(most_neighbors(max_fraction, len(pool) - 1))
    sample = np.arange(len(pool))
    if len(pool) > SAMPLE:
        sample = np.sort(np.random.default_rng(_SEED).choice(len(pool), SAMPLE, replace=False))
    n_neighbors = pool.count_neighbors([texts[i] for i in sample.tolist()], GRID, excluded=sample, n_jobs=n_jobs)
    covered = ((n_neighbors >= max(min_neighbors, 1)) & (n_neighbors <= most)).sum(axis=1)
    return float(GRID[np.flatnonzero(covered == covered.max())[-1]]) if covered.any() else 0.0


MOST_LEFT_OUT = 5_000
"""Most texts of a pool that the command `fit` and the page calibrate."""
