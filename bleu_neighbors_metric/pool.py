"""The rated pool: its distinct texts, and a threshold that covers them.

And what an estimator's parameters make of it: the index, the threshold in use, the signature.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from bleu_neighbors_metric.kernels.kernel import Pool, TextOptions
from bleu_neighbors_metric.kernels.neighbors import NeighborRule, Ratings, most_neighbors
from referenceless_metrics.core.results import MetricResult
from referenceless_metrics.core.support.validation import Floats, Integers, Record

if TYPE_CHECKING:
    from referenceless_metrics.assessment.agreement import Verdict


GRID = np.round(np.concatenate([np.arange(0.0, 0.30, 0.01), np.arange(0.30, 0.96, 0.05)]), 2)
"""The thresholds that are tried, ascending, shape (44,): by words, or by embeddings, short texts are very similar."""

SAMPLE = 2_000
"""Of a larger pool so many texts are tried: their coverage is that of the pool within two points."""

_SEED = 3


class RatedPool(NamedTuple):
    """Rated texts, equal ones merged.

    Attributes:
        texts: n distinct texts, in order of first appearance.
        ratings: their mean ratings, shape (n,).
        counts: how many ratings each one had, shape (n,), int64.
        name: eight hexadecimal digits that tell it from others.
    """

    texts: list[str]
    ratings: Floats
    counts: Integers
    name: str


def rated_pool(texts: Sequence[str], ratings: Floats) -> RatedPool:
    """Return the distinct texts of a pool with their mean ratings."""
    places: dict[str, int] = {}
    where = np.fromiter((places.setdefault(text, len(places)) for text in texts), np.int64, len(texts))
    distinct, counts = list(places), np.bincount(where)
    means = np.bincount(where, weights=ratings) / counts
    return RatedPool(distinct, means, counts, pool_hash(distinct, means))


def pool_hash(texts: Sequence[str], ratings: Floats) -> str:
    """Return eight hexadecimal digits that tell a pool from others."""
    digest = hashlib.sha256()
    for text, rating in zip(texts, ratings, strict=True):
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0" + repr(float(rating)).encode() + b"\0")
    return digest.hexdigest()[:8]


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
    most = int(most_neighbors(max_fraction, len(pool) - 1))
    sample = np.arange(len(pool))
    if len(pool) > SAMPLE:
        sample = np.sort(np.random.default_rng(_SEED).choice(len(pool), SAMPLE, replace=False))
    n_neighbors = pool.count_neighbors([texts[i] for i in sample.tolist()], GRID, excluded=sample, n_jobs=n_jobs)
    covered = ((n_neighbors >= max(min_neighbors, 1)) & (n_neighbors <= most)).sum(axis=1)
    return float(GRID[np.flatnonzero(covered == covered.max())[-1]]) if covered.any() else 0.0


MOST_LEFT_OUT = 5_000
"""Texts of the largest pool that is left out, text by text, where one is fitted for good: by `fit`, and on the page."""


Index: TypeAlias = tuple[str, TextOptions, Record]
"""What an index depends on, beside the texts: the kernel, how it reads texts, its own options."""


@dataclass
class PoolInUse:
    """What the parameters make of the pool: the fitted state.

    Attributes:
        parameters: their values when this was worked out, as text: one may change in place.
        index: what the index depends on.
        pool: the texts, indexed for the kernel.
        ratings: of the pool.
        covering: the threshold that `"auto"` chose, and `min_neighbors` and `max_fraction` then; None for no search.
        rule: who is a neighbour.
        signature: what determines estimates.
        verdict: what leaving each text out shows of the estimates, once it was asked for.
        left_out: the estimates of the pool's texts, each from the others, once they were asked for.
    """

    parameters: str
    index: Index
    pool: Pool
    ratings: Ratings
    covering: tuple[float, int, float] | None
    rule: NeighborRule
    signature: str
    verdict: Verdict | None = None
    left_out: MetricResult | None = None
