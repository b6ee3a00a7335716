"""Estimates had the pool been drawn anew: how much of an estimate is the accident of which texts were rated."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.kernels.neighbors import leave_absent
from metric_commons.support.linear_algebra import matmul
from metric_commons.support.parallel import in_batches

if TYPE_CHECKING:
    from bleu_neighbors_metric.estimator import BLEUNeighbors

_CELLS = 1 << 22  # similarities that are held at once, for each thread


def pool_resampler(
    metric: BLEUNeighbors, n_resamples: int, seed: int | None
) -> Callable[[list[str]], NDArray[np.float64]]:
    """Return what estimates texts from each of r resampled pools, shape (c, r), as `BLEUNeighbors.pool_resampler`.

    The neighbours of a text stay who they are; how much each counts is drawn (Rubin 1981, "The Bayesian bootstrap",
    Annals of Statistics 9(1)), so that a text that the pool covers is covered in every resample.
    """
    ratings = metric.quality_
    weights = np.random.default_rng(seed).standard_exponential((len(ratings), n_resamples))
    centre = float(ratings.mean())
    rated = weights * (ratings - centre)[:, None]
    rows = max(1, min(256, _CELLS // max(len(ratings), n_resamples)))

    def resampled(texts: list[str]) -> NDArray[np.float64]:
        def one(which: slice) -> NDArray[np.float64]:
            similarity = leave_absent(*metric.pool.compare(texts[which]))
            counts = similarity >= metric.rule.least
            kernel = np.where(counts, similarity if metric.weights == "similarity" else 1.0, 0.0)
            of_weight = matmul(kernel, weights)
            estimates = np.full(of_weight.shape, np.nan)
            np.divide(matmul(kernel, rated), of_weight, out=estimates, where=of_weight > 0)
            return estimates + centre

        return np.concatenate([np.empty((0, n_resamples)), *in_batches(one, len(texts), rows, metric.n_jobs)])

    return resampled
