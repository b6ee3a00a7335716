"""Estimates had the pool been drawn anew: how much of an estimate is the accident of which texts were rated."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.kernels.base import Pool
from bleu_neighbors_metric.kernels.neighbors import NeighborRule
from metric_commons.support.linear_algebra import matmul


def pool_resampler(
    pool: Pool, ratings: NDArray[np.float64], rule: NeighborRule, n_jobs: int | None, n_resamples: int, seed: int | None
) -> Callable[[list[str]], NDArray[np.float64]]:
    """Return what estimates texts from each of r resampled pools, shape (c, r), as `BLEUNeighbors.pool_resampler`.

    The neighbours of a text stay who they are; how much each counts is drawn (Rubin 1981, "The Bayesian bootstrap",
    Annals of Statistics 9(1)), so that a text that the pool covers is covered in every resample.
    """
    weights = np.random.default_rng(seed).standard_exponential((len(ratings), n_resamples))
    mean_rating = float(ratings.mean())
    rated = weights * (ratings - mean_rating)[:, None]

    def one(_: slice, similarity: NDArray[np.float64]) -> NDArray[np.float64]:
        counts = similarity >= rule.least
        kernel = np.where(counts, similarity if rule.weights == "similarity" else 1.0, 0.0)
        of_weight = matmul(kernel, weights)
        estimates = np.full(of_weight.shape, np.nan)
        np.divide(matmul(kernel, rated), of_weight, out=estimates, where=of_weight > 0)
        return estimates + mean_rating

    return lambda texts: np.concatenate([np.empty((0, n_resamples)), *pool.in_blocks(one, texts, n_jobs=n_jobs)])
