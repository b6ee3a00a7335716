"""How well a metric agrees with human ratings: correlations and errors, with their uncertainty.

Everything here is aware of coverage: pairs in which the metric or the rating is NaN are left out, and results say
how many were used. Metrics with different coverage are compared on the texts that all of them cover, see
`comparison.metrics`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metric_commons.assessment.correlation_resampling import resampled_correlations
from metric_commons.support.validation import check_choice, check_number, describe

CORRELATIONS = ("pearson", "spearman")
_LEVEL = 0.95
_VARIANCE = {"pearson": 1.0, "spearman": 1.06}  # of z, times n − 3 (Fieller, Hartley & Pearson 1957)


@dataclass(frozen=True)
class Correlation:
    """A correlation coefficient and how far to trust it.

    Attributes:
        value: the coefficient; NaN where it is undefined (fewer than three pairs, a side that does not vary, or for
            Pearson an infinite value).
        p_value: two-sided, of no association.
        low: lower end of the 95 % interval.
        high: its upper end.
        n: how many pairs it is computed from.
    """

    value: float
    p_value: float
    low: float
    high: float
    n: int


def covered_pairs(estimates: ArrayLike, ratings: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the pairs in which neither side is NaN.

    Raises:
        TypeError: for values that are not numbers.
        ValueError: for unequal lengths or more than one dimension.
    """
    sides = []
    for name, values in (("estimates", estimates), ("ratings", ratings)):
        try:
            sides.append(np.asarray(values, dtype=np.float64))
        except (TypeError, ValueError):
            raise TypeError(f"Expected argument `{name}` to hold numbers, but got {describe(values)}") from None
    left, right = sides
    if left.ndim != 1 or left.shape != right.shape:
        raise ValueError(
            f"Expected arguments `estimates` and `ratings` to be vectors of one length, but got shapes {left.shape} "
            f"and {right.shape}"
        )
    both = ~(np.isnan(left) | np.isnan(right))
    return left[both], right[both]


def is_undefined(left: NDArray[np.float64], right: NDArray[np.float64], method: str) -> bool:
    """Return whether pairs have no correlation: fewer than three, a constant side, an infinite value for Pearson."""
    if len(left) < 3 or bool((left == left[0]).all() or (right == right[0]).all()):
        return True
    return method == "pearson" and not bool(np.isfinite([left, right]).all())


def mean_squared_error(estimates: ArrayLike, ratings: ArrayLike) -> float:
    """Return the mean squared error over the covered pairs; NaN where there are none."""
    left, right = covered_pairs(estimates, ratings)
    return float(np.mean((left - right) ** 2)) if len(left) else float("nan")


def mean_of_others(ratings: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each rating the mean of all others, shape (n,); NaN where it is the only one."""
    n = len(ratings)
    return (ratings.sum() - ratings) / (n - 1) if n > 1 else np.full(n, np.nan)


def constant_baseline(estimates: ArrayLike, ratings: ArrayLike) -> float:
    """Return the error of always predicting the mean of the other ratings, over the pairs that estimates cover.

    A metric that abstains is measured on the texts that it covers; this is what no knowledge of them gives on the
    same texts: each one is predicted as the mean of all ratings but its own, covered or not.

    Returns:
        The mean squared error; NaN where no pair is covered or there are fewer than two ratings.

    >>> constant_baseline([0.1, 0.2, float("nan")], [0.0, 1.0, 0.5])
    0.5625
    """
    covered_pairs(estimates, ratings)
    left, right = np.asarray(estimates, dtype=np.float64), np.asarray(ratings, dtype=np.float64)
    rated = ~np.isnan(right)
    others = np.full(len(right), np.nan)
    others[rated] = mean_of_others(right[rated])
    return mean_squared_error(np.where(np.isnan(left), np.nan, others), right)


def fisher_interval(r: float, n: int, level: float = 0.95, *, variance: float = 1.0) -> tuple[float, float]:
    """Confidence interval of a correlation by Fisher's transformation; NaN where it is undefined.

    Args:
        r: Pearson's correlation, or another one.
        n: of so many pairs.
        level: of the interval.
        variance: of the transformed correlation, times n − 3: 1 for Pearson's, 1.06 for Spearman's
            (Fieller, Hartley & Pearson 1957, "Tests for rank correlation coefficients", Biometrika 44).

    >>> tuple(round(bound, 3) for bound in fisher_interval(0.5, 103))
    (0.339, 0.632)
    """
    from scipy.stats import norm

    check_number(level, "level", minimum=0.0, maximum=1.0)
    if math.isnan(r) or n < 4 or abs(r) >= 1.0:
        return (math.nan, math.nan)
    half = float(norm.ppf(0.5 + level / 2)) * math.sqrt(variance / (n - 3))
    centre = math.atanh(r)
    return math.tanh(centre - half), math.tanh(centre + half)


def correlation(
    estimates: ArrayLike,
    ratings: ArrayLike,
    method: str = "spearman",
    *,
    n_resamples: int = 2000,
    seed: int = 12345,
) -> Correlation:
    """Correlate estimates with ratings over the covered pairs.

    Args:
        estimates: a metric's values, shape (n,), NaN where undefined.
        ratings: human ratings, shape (n,).
        method: `pearson` or `spearman`.
        n_resamples: resamples of pairs for a percentile bootstrap interval; 0 for Fisher's interval, at once.
        seed: of the bootstrap, so that results can be repeated.

    Raises:
        ValueError: for an unknown method, unequal lengths, or a number outside its range.
    """
    check_choice(method, "method", CORRELATIONS)
    check_number(n_resamples, "n_resamples", minimum=0, integer=True)
    check_number(seed, "seed", minimum=0, integer=True)
    from scipy import stats

    left, right = covered_pairs(estimates, ratings)
    nan = float("nan")
    if is_undefined(left, right, method):
        return Correlation(nan, nan, nan, nan, len(left))
    test = stats.pearsonr if method == "pearson" else stats.spearmanr
    result = test(left, right)
    if n_resamples == 0:
        low, high = fisher_interval(float(result.statistic), len(left), variance=_VARIANCE[method])
    else:
        resampled = resampled_correlations(left, right, method, n_resamples, seed)
        tail = (1 - _LEVEL) / 2
        # A resample in which a side does not vary has no correlation.
        defined = resampled[~np.isnan(resampled)]
        low, high = np.quantile(defined, [tail, 1 - tail]) if len(defined) else (nan, nan)
    return Correlation(float(result.statistic), float(result.pvalue), float(low), float(high), len(left))


def pearson(left: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    """Return Pearson's r alone, without interval or p; NaN where it is undefined."""
    if len(left) < 2 or np.ptp(left) == 0 or np.ptp(right) == 0:
        return math.nan
    return float(np.corrcoef(left, right)[0, 1])


def rank_correlation(left: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    """Return Spearman's ρ alone, without interval or p; NaN where it is undefined."""
    from scipy.stats import rankdata

    return pearson(rankdata(left), rankdata(right)) if len(left) > 2 else math.nan
