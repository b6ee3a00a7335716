"""Agreement of a metric with human ratings, with the uncertainty of the figures.

Pairs in which the metric or the rating is NaN are left out, and results tell the number of pairs that were used.
Metrics with different coverage are compared on the texts that all of them cover, see `comparison.metrics`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from referenceless_metrics.core.support.statistics import ranks
from referenceless_metrics.core.support.validation import Floats

CORRELATIONS = ("pearson", "spearman")
VARIANCE = {"pearson": 1.0, "spearman": 1.06}
"""Variance of the transformed correlation, times n − 3 (Fieller, Hartley & Pearson 1957)."""


@dataclass(frozen=True)
class Correlation:
    """A correlation coefficient with its interval.

    Attributes:
        value: the coefficient; NaN if it is undefined (fewer than three pairs, a side that does not vary, or for
            Pearson an infinite value).
        low: lower end of the 95 % interval.
        high: its upper end.
        n: the number of pairs.
    """

    value: float
    low: float
    high: float
    n: int

    @property
    def p_value(self) -> float:
        """Two-sided p of no association, by Student's t with n − 2 degrees of freedom; NaN if there is no value."""
        from scipy.special import betainc  # its import takes longer than most scores

        return float(betainc(self.n / 2 - 1, 0.5, 1.0 - min(abs(self.value), 1.0) ** 2))


def covered_pairs(estimates: ArrayLike, ratings: ArrayLike) -> tuple[Floats, Floats]:
    """Return the pairs of two vectors of one length in which neither side is NaN."""
    left, right = np.asarray(estimates, dtype=float), np.asarray(ratings, dtype=float)
    both = ~(np.isnan(left) | np.isnan(right))
    return left[both], right[both]


def is_undefined(left: Floats, right: Floats, method: str) -> bool:
    """Return whether pairs have no correlation: fewer than three, a constant side, an infinite value for Pearson."""
    if len(left) < 3 or bool((left == left[0]).all() or (right == right[0]).all()):
        return True
    return method == "pearson" and not bool(np.isfinite([left, right]).all())


def mean_squared_error(estimates: ArrayLike, ratings: ArrayLike) -> float:
    """Return the mean squared error over the covered pairs; NaN if there are none."""
    left, right = covered_pairs(estimates, ratings)
    return float(np.mean((left - right) ** 2)) if len(left) else math.nan


def mean_of_others(ratings: Floats) -> Floats:
    """Return for each rating the mean of all others, shape (n,); NaN if it is the only one."""
    n = len(ratings)
    return (ratings.sum() - ratings) / (n - 1) if n > 1 else np.full(n, np.nan)


def fisher_interval(r: float, n: int, *, variance: float = 1.0) -> tuple[float, float]:
    """95 % confidence interval of a correlation by Fisher's transformation; NaN if it is undefined.

    The transformation of a correlation of 1 is infinite. Its interval begins at the lower end of that of 1 − 1 / n, as
    if one of n pairs were out of place, and ends at 1; that of −1 is its mirror image.

    Args:
        r: Pearson's correlation, or another one.
        n: the number of pairs.
        variance: the variance of the transformed correlation, times n − 3: 1 for Pearson's, 1.06 for Spearman's
            (Fieller, Hartley & Pearson 1957, "Tests for rank correlation coefficients", Biometrika 44).

    >>> tuple(round(bound, 3) for bound in fisher_interval(0.5, 103))
    (0.339, 0.632)
    """
    if math.isnan(r) or n < 4:
        return (math.nan, math.nan)
    if abs(r) >= 1.0:
        nearly = math.copysign(1 - 1 / n, r)
        low, high = fisher_interval(nearly, n, variance=variance)
        return (low, 1.0) if r > 0 else (-1.0, high)
    from statistics import NormalDist  # its import takes longer than most scores

    half = NormalDist().inv_cdf(0.975) * math.sqrt(variance / (n - 3))
    centre = math.atanh(r)
    return math.tanh(centre - half), math.tanh(centre + half)


def correlation(
    estimates: ArrayLike, ratings: ArrayLike, method: str = "spearman", *, inflation: float = 1.0
) -> Correlation:
    """Correlate estimates with ratings over the covered pairs, with Fisher's interval (see `fisher_interval`).

    Args:
        estimates: a metric's values, shape (n,), NaN if undefined.
        ratings: human ratings, shape (n,).
        method: `pearson` or `spearman`.
        inflation: factor of the correlation's variance, above 1 if pairs are not independent.
    """
    left, right = covered_pairs(estimates, ratings)
    n = len(left)
    if is_undefined(left, right, method):
        return Correlation(math.nan, math.nan, math.nan, n)
    r = pearson(left, right) if method == "pearson" else rank_correlation(left, right)
    return Correlation(r, *fisher_interval(r, n, variance=inflation * VARIANCE[method]), n)


def pearson(left: Floats, right: Floats) -> float:
    """Return Pearson's r alone, without interval or p; NaN if it is undefined."""
    if len(left) < 2 or np.ptp(left) == 0 or np.ptp(right) == 0:
        return math.nan
    return float(np.corrcoef(left, right)[0, 1])


def rank_correlation(left: Floats, right: Floats) -> float:
    """Return Spearman's ρ alone, without interval or p; NaN if it is undefined."""
    return pearson(ranks(left), ranks(right)) if len(left) > 2 else math.nan
