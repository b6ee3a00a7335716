"""The share of texts that get an estimate, for each of several thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from bleu_neighbors_metric.kernels.neighbors import most_neighbors
from referenceless_metrics.core.support.validation import Floats, check_texts

if TYPE_CHECKING:
    from bleu_neighbors_metric.estimator import BLEUNeighbors

_LEAST = np.array([np.nextafter(0.0, 1.0)])
"""Smallest threshold above 0: a short text and a very long one share something and are barely similar."""


def coverage_by_threshold(estimator: BLEUNeighbors, texts: Sequence[str] | None, thresholds: ArrayLike) -> Floats:
    """Return the share of candidates that each of several thresholds covers (Eq. 3), without their estimates.

    Args:
        estimator: a fitted estimator; its own threshold plays no part.
        texts: n candidates, at least one; None for the pool's own texts, each from the others.
        thresholds: values of τ in [0, 1], ascending, shape (t,).

    Returns:
        Coverage, shape (t,), float64.

    Raises:
        NotFittedError: before `fit`.
        TypeError: for a bare string or an item that is not a string.
        ValueError: for no texts.

    Example:
        >>> pool = ["the cat sat on the mat", "the cat sat on a mat", "cat the on mat sat sat", "mat mat mat"]
        >>> from bleu_neighbors_metric import BLEUNeighbors
        >>> metric = BLEUNeighbors(min_neighbors=1).fit(pool, [0.9, 0.8, 0.2, 0.0])
        >>> coverage_by_threshold(metric, ["a cat sat on the mat", "colourless green ideas"], [0.7, 0.9]).tolist()
        [0.5, 0.0]
    """
    estimator.check_fitted()
    pool = estimator.pool_
    places = np.arange(len(pool), dtype=np.int64) if texts is None else None
    candidates = estimator.texts_ if texts is None else check_texts(texts, "texts", allow_empty=False)
    values = np.asarray(thresholds, dtype=float)
    n_neighbors = pool.count_neighbors(candidates, values, excluded=places, n_jobs=estimator.n_jobs)
    most = int(most_neighbors(estimator.rule_.max_fraction, len(pool) - (texts is None)))
    covered = (n_neighbors >= estimator.rule_.min_neighbors) & (n_neighbors <= most)
    if estimator.rule_.weights == "similarity":  # neighbours without any weight have no mean
        covered &= pool.count_neighbors(candidates, _LEAST, excluded=places, n_jobs=estimator.n_jobs) > 0
    return np.asarray(covered.mean(axis=1))


def coverage_curves(estimator: BLEUNeighbors, systems: Sequence[Sequence[str] | None]) -> tuple[Floats, list[Floats]]:
    """Return thresholds around the one in use, which is among them, and each system's coverage at each.

    Args:
        estimator: a fitted estimator.
        systems: the candidates of each system; None for the pool's own texts, each from the others.
    """
    last = min(1.0, max(0.3, 3 * estimator.threshold_))
    thresholds = np.union1d(np.linspace(0.0, last, 61), [estimator.threshold_])
    return thresholds, [coverage_by_threshold(estimator, texts, thresholds) for texts in systems]
