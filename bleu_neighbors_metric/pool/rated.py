"""The rated pool: its distinct texts, a random part of them and the error of that, and a threshold that covers them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bleu_neighbors_metric.kernels.base import Pool
from bleu_neighbors_metric.kernels.neighbors import NeighborRule, most_neighbors
from metric_commons.support.linear_algebra import matmul
from metric_commons.support.types import Floats, Integers

GRID = np.round(np.concatenate([np.arange(0.0, 0.30, 0.01), np.arange(0.30, 0.96, 0.05)]), 2)
"""The thresholds that are tried, ascending, shape (44,): by words, or by embeddings, short texts are very similar."""

SAMPLE = 2_000
"""Of a larger pool so many texts are tried: their coverage is that of the pool within two points."""

_SAMPLE_OF_ERROR = 500
_SEED = 3


class RatedPool(NamedTuple):
    """Rated texts, equal ones merged, or a random part of them.

    Attributes:
        texts: n distinct texts, in order of first appearance.
        ratings: their mean ratings, shape (n,).
        counts: how many ratings each one had, shape (n,), int64.
        n_distinct: how many there were before a part was drawn.
    """

    texts: Sequence[str]
    ratings: Floats
    counts: Integers
    n_distinct: int


def rated_pool(texts: Sequence[str], ratings: Floats, max_pool: int | None = None, random_state: int = 0) -> RatedPool:
    """Return the distinct texts of a pool; of more than `max_pool`, so many drawn at random, each as likely."""
    places: dict[str, int] = {}
    where = np.fromiter((places.setdefault(text, len(places)) for text in texts), np.int64, len(texts))
    n_distinct = len(places)
    counts = np.bincount(where, minlength=n_distinct).astype(np.int64)
    means = np.bincount(where, weights=ratings, minlength=n_distinct) / counts
    distinct = list(places)
    if max_pool is not None and n_distinct > max_pool:
        drawn = np.sort(np.random.default_rng(random_state).choice(n_distinct, max_pool, replace=False))
        distinct, means, counts = [distinct[place] for place in drawn.tolist()], means[drawn], counts[drawn]
    return RatedPool(distinct, means, counts, n_distinct)


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
    sample = _sampled(len(pool), SAMPLE)
    n_neighbors = pool.count_neighbors([texts[i] for i in sample.tolist()], GRID, excluded=sample, n_jobs=n_jobs)
    covered = ((n_neighbors >= max(min_neighbors, 1)) & (n_neighbors <= most)).sum(axis=1)
    return float(GRID[np.flatnonzero(covered == covered.max())[-1]]) if covered.any() else 0.0


@dataclass(frozen=True)
class DrawError:
    """How far estimates lie from those of the whole pool, because a random part of it was drawn.

    Attributes:
        standard_error: root mean square over the texts that the part covers, in the unit of the ratings.
        share: the same in standard deviations of the ratings.
        n_drawn: how many texts were drawn.
        n_distinct: out of how many.
    """

    standard_error: float
    share: float
    n_drawn: int
    n_distinct: int

    def __str__(self) -> str:
        return (
            f"{self.n_drawn:,} of {self.n_distinct:,} distinct rated texts were drawn: estimates have a standard error "
            f"of {self.standard_error:.3g} from this ({self.share:.2g} standard deviations of the ratings)"
        )


def draw_error(
    pool: Pool,
    rated: RatedPool,
    rule: NeighborRule,
    min_neighbors: int,
    max_fraction: float,
    n_jobs: int | None = None,
) -> DrawError:
    """Return the error that drawing a part of a pool adds to estimates, as leaving out each of its texts shows it.

    A text's neighbours in the part are a random part of those in the whole pool, and their weighted mean is a ratio of
    two sums over them; its variance is that of sampling theory, Σ w²(q - q̂)² / (Σ w)² · k / (k - 1) for k neighbours,
    times the share of the pool that was not drawn (Cochran 1977, "Sampling Techniques", section 2.11). What a single
    neighbour's rating varies by is that of all ratings. The threshold is taken as given.

    Args:
        pool: the part, prepared for matching.
        rated: the part, with the size of the whole.
        rule: who is a neighbour.
        min_neighbors: a.
        max_fraction: b.
        n_jobs: threads.
    """
    n, most = len(pool), int(most_neighbors(max_fraction, len(pool) - 1))
    ratings = rated.ratings - rated.ratings.mean()
    powers = np.stack([np.ones(n), ratings, ratings**2], axis=1)
    variance = float(ratings.var())

    def variances(_: slice, similarity: Floats) -> Floats:
        weight = rule.weigh(similarity)
        k, (total, summed, _) = (similarity >= rule.least).sum(axis=1), matmul(weight, powers).T
        use = (k >= min_neighbors) & (k <= most) & (total > 0)
        k, total, mean = k[use], total[use], summed[use] / total[use]
        squares, first, second = matmul(weight[use] ** 2, powers).T
        spread = np.maximum(second - 2 * mean * first + mean**2 * squares, 0.0) / total**2
        return np.where(k > 1, spread * k / np.maximum(k - 1, 1), variance)

    sample = _sampled(n, _SAMPLE_OF_ERROR)
    found = np.concatenate(
        list(pool.in_blocks(variances, [rated.texts[place] for place in sample.tolist()], sample, n_jobs))
    )
    error = float(np.sqrt(found.mean() * (1 - n / rated.n_distinct))) if len(found) else float("nan")
    return DrawError(error, error / variance**0.5 if variance else float("nan"), n, rated.n_distinct)


def _sampled(n: int, most: int) -> Integers:
    """Return the places of n texts, or of `most` of them drawn at random, ascending."""
    if n <= most:
        return np.arange(n, dtype=np.int64)
    return np.sort(np.random.default_rng(_SEED).choice(n, most, replace=False))
