"""Intervals for single texts, from what the ratings of left-out texts missed (conformal prediction).

The errors |rating − estimate| of left-out groups (the jackknife's; Barber et al. 2021) are divided by how large an
error is expected for such a text, and the interval is the estimate ± the quantile of these quotients at rank
⌈(n + 1) · level⌉, times the text's own expected error (Papadopoulos et al. 2008; Lei et al. 2018, section 5.2).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_LEAST_SCALE = 0.5  # of the mean error: a smaller expectation is chance
_PENALTY = 1.0


@dataclass(frozen=True)
class ErrorScale:
    """How large an error is expected, linear in standardised features.

    Attributes:
        weights: one a feature, shape (f,).
        mean: the mean error.
    """

    weights: NDArray[np.float64]
    mean: float

    def __call__(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the expected errors of n texts, shape (n,), from their features, shape (n, f)."""
        expected = self.mean + np.sum(features * self.weights, axis=1)
        return np.asarray(np.maximum(expected, _LEAST_SCALE * self.mean))


def fit_scale(features: NDArray[np.float64], errors: NDArray[np.float64]) -> tuple[ErrorScale, NDArray[np.float64]]:
    """Fit expected errors, and return them also for the rows themselves, each left out of its own fit.

    Args:
        features: standardised, shape (n, f).
        errors: absolute errors, shape (n,).

    Returns:
        The scale, and the left-out expectations, shape (n,).
    """
    n, width = features.shape
    mean = float(errors.mean())
    if mean == 0:  # nothing was missed: intervals have no width
        return ErrorScale(np.zeros(width), 1.0), np.ones(n)
    gram = features.T @ features + _PENALTY * n / 10 * np.eye(width)
    weights = np.linalg.solve(gram, features.T @ (errors - mean))
    leverage = np.sum(features * np.linalg.solve(gram, features.T).T, axis=1) + 1 / n
    residual = errors - mean - features @ weights
    left_out = errors - residual / np.maximum(1 - leverage, 1e-9)
    scale = ErrorScale(weights, mean)
    return scale, np.maximum(left_out, _LEAST_SCALE * mean)


def conformal_quantile(quotients: NDArray[np.float64], level: float) -> float:
    """Return the quotient at rank ⌈(n + 1) · level⌉; the largest where the rank is beyond n.

    >>> conformal_quantile(np.arange(1.0, 10.0), 0.8)
    8.0
    """
    rank = min(math.ceil((len(quotients) + 1) * level), len(quotients))
    return float(np.sort(quotients)[max(rank, 1) - 1])
