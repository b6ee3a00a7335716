"""How well a metric agrees with human ratings: correlations and errors, with their uncertainty.

Everything here is aware of coverage: pairs in which the metric or the rating is NaN are left out, and results say
how many were used.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .validation import check_choice, check_number

CORRELATIONS = ("pearson", "spearman", "kendall")


@dataclass(frozen=True)
class Correlation:
    """A correlation coefficient and how far to trust it.

    Attributes:
        value: the coefficient; NaN where it is undefined (fewer than three pairs, or a side that does not vary).
        p_value: two-sided, of no association.
        low: lower end of the bootstrap confidence interval.
        high: its upper end.
        confidence: its level.
        n: how many pairs it is computed from.
    """

    value: float
    p_value: float
    low: float
    high: float
    confidence: float
    n: int


def covered_pairs(estimates: ArrayLike, ratings: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the pairs in which neither side is NaN.

    Raises:
        ValueError: for unequal lengths or more than one dimension.
    """
    left, right = np.asarray(estimates, dtype=np.float64), np.asarray(ratings, dtype=np.float64)
    if left.ndim != 1 or left.shape != right.shape:
        raise ValueError(
            f"Expected arguments `estimates` and `ratings` to be vectors of one length, but got shapes {left.shape} "
            f"and {right.shape}"
        )
    both = ~(np.isnan(left) | np.isnan(right))
    return left[both], right[both]


def mean_squared_error(estimates: ArrayLike, ratings: ArrayLike) -> float:
    """Return the mean squared error over the covered pairs; NaN where there are none."""
    left, right = covered_pairs(estimates, ratings)
    return float(np.mean((left - right) ** 2)) if len(left) else float("nan")


def correlation(
    estimates: ArrayLike,
    ratings: ArrayLike,
    method: str = "spearman",
    *,
    confidence: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 12345,
) -> Correlation:
    """Correlate estimates with ratings over the covered pairs.

    Args:
        estimates: a metric's values, shape (n,), NaN where undefined.
        ratings: human ratings, shape (n,).
        method: `pearson`, `spearman` or `kendall` (τ-b).
        confidence: level of the percentile bootstrap interval.
        n_resamples: bootstrap resamples of pairs.
        seed: of the bootstrap, so that results can be repeated.

    Raises:
        ValueError: for an unknown method, unequal lengths, or a number outside its range.
    """
    check_choice(method, "method", CORRELATIONS)
    check_number(confidence, "confidence", minimum=0, maximum=1)
    check_number(n_resamples, "n_resamples", minimum=1, integer=True)
    from scipy import stats

    left, right = covered_pairs(estimates, ratings)
    nan = float("nan")
    if len(left) < 3 or np.ptp(left) == 0 or np.ptp(right) == 0:
        return Correlation(nan, nan, nan, nan, confidence, len(left))
    test = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}[method]
    result = test(left, right)
    with warnings.catch_warnings():  # a resample in which nothing varies has no correlation; it is left out below
        warnings.simplefilter("ignore")
        resampled = _bootstrap(left, right, test, n_resamples, seed)
    tail = (1 - confidence) / 2
    defined = resampled[~np.isnan(resampled)]
    low, high = np.quantile(defined, [tail, 1 - tail]) if len(defined) else (nan, nan)
    return Correlation(float(result.statistic), float(result.pvalue), float(low), float(high), confidence, len(left))


def _bootstrap(
    left: NDArray[np.float64], right: NDArray[np.float64], test: Any, n_resamples: int, seed: int
) -> NDArray[np.float64]:
    """Return the statistic of `n_resamples` resamples of pairs."""
    from scipy import stats

    draws = np.random.default_rng(seed).integers(0, len(left), size=(n_resamples, len(left)))
    if test is stats.kendalltau:
        return np.array([stats.kendalltau(left[draw], right[draw]).statistic for draw in draws])
    x, y = left[draws], right[draws]
    if test is stats.spearmanr:  # Pearson of the ranks, which are of each resample
        x, y = stats.rankdata(x, axis=1), stats.rankdata(y, axis=1)
    x = x - x.mean(axis=1, keepdims=True)
    y = y - y.mean(axis=1, keepdims=True)
    spread = np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(spread > 0, (x * y).sum(axis=1) / spread, np.nan)
