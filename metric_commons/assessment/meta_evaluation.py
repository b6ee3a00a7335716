"""How well a metric agrees with human ratings: correlations and errors, with their uncertainty.

Everything here is aware of coverage: pairs in which the metric or the rating is NaN are left out, and results say
how many were used. Metrics with different coverage are compared on the texts that all of them cover, see
`metric_comparison`; tests that need coefficients alone (Fisher, Williams) are in `correlation_tests`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metric_commons.assessment.correlation_resampling import kendall_of_rows, pearson_of_rows, resampled_correlations
from metric_commons.assessment.correlation_tests import WilliamsTest, fisher_interval, fisher_z_test, williams_test
from metric_commons.support.validation import check_choice, check_number, describe

__all__ = [
    "CORRELATIONS",
    "Correlation",
    "WilliamsTest",
    "constant_baseline",
    "correlation",
    "covered_pairs",
    "fisher_interval",
    "fisher_z_test",
    "linear_map_mse",
    "mean_absolute_error",
    "mean_squared_error",
    "permutation_p_value",
    "rank_correlation",
    "root_mean_squared_error",
    "williams_test",
]

CORRELATIONS = ("pearson", "spearman", "kendall")
_VARIANCE = {"pearson": 1.0, "spearman": 1.06, "kendall": 0.437}  # of z, times n − 3 (Fieller, Hartley & Pearson 1957)
_BLOCK = 1 << 20  # pairs that are resampled at a time, which bounds the memory


@dataclass(frozen=True)
class Correlation:
    """A correlation coefficient and how far to trust it.

    Attributes:
        value: the coefficient; NaN where it is undefined (fewer than three pairs, a side that does not vary, or for
            Pearson an infinite value).
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
        TypeError: for values that are not numbers.
        ValueError: for unequal lengths or more than one dimension.
    """
    left, right = _numbers(estimates, "estimates"), _numbers(ratings, "ratings")
    if left.ndim != 1 or left.shape != right.shape:
        raise ValueError(
            f"Expected arguments `estimates` and `ratings` to be vectors of one length, but got shapes {left.shape} "
            f"and {right.shape}"
        )
    both = ~(np.isnan(left) | np.isnan(right))
    return left[both], right[both]


def _numbers(values: ArrayLike, name: str) -> NDArray[np.float64]:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"Expected argument `{name}` to hold numbers, but got {describe(values)}") from None


def _is_undefined(left: NDArray[np.float64], right: NDArray[np.float64], method: str) -> bool:
    """Return whether pairs have no correlation: fewer than three, a constant side, an infinite value for Pearson."""
    if len(left) < 3 or bool((left == left[0]).all() or (right == right[0]).all()):
        return True
    return method == "pearson" and not bool(np.isfinite([left, right]).all())


def mean_squared_error(estimates: ArrayLike, ratings: ArrayLike) -> float:
    """Return the mean squared error over the covered pairs; NaN where there are none."""
    left, right = covered_pairs(estimates, ratings)
    return float(np.mean((left - right) ** 2)) if len(left) else float("nan")


def mean_absolute_error(estimates: ArrayLike, ratings: ArrayLike) -> float:
    """Return the mean absolute error over the covered pairs; NaN where there are none."""
    left, right = covered_pairs(estimates, ratings)
    return float(np.mean(np.abs(left - right))) if len(left) else float("nan")


def root_mean_squared_error(estimates: ArrayLike, ratings: ArrayLike) -> float:
    """Return the root of the mean squared error over the covered pairs; NaN where there are none."""
    return float(np.sqrt(mean_squared_error(estimates, ratings)))


def linear_map_mse(scores: ArrayLike, ratings: ArrayLike) -> float:
    """Return the mean squared error after the best linear map from scores to ratings (Kann et al. 2018, Eq. 6).

    Scores and ratings may live on different scales, so it measures min over a, b of mean((a · score + b − rating)²),
    which is var(rating) · (1 − r²) over the covered pairs.

    Args:
        scores: shape (n,), NaN where undefined.
        ratings: shape (n,).

    Returns:
        In squared units of the ratings; their variance where the scores do not vary, NaN where no pair is covered.

    >>> round(linear_map_mse([0.1, 0.2, 0.3], [1, 2, 3]), 12)
    0.0
    """
    left, right = covered_pairs(scores, ratings)
    if not len(left):
        return float("nan")
    r = float(pearson_of_rows(left[None], right[None])[0])
    return float(right.var()) * (1.0 - (0.0 if np.isnan(r) else r) ** 2)


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
    covered = rated & ~np.isnan(left)
    n = int(rated.sum())
    if n < 2 or not covered.any():
        return float("nan")
    others = (right[rated].sum() - right[covered]) / (n - 1)
    return float(np.mean((others - right[covered]) ** 2))


def permutation_p_value(
    estimates: ArrayLike,
    ratings: ArrayLike,
    method: str = "spearman",
    *,
    n_permutations: int = 9999,
    seed: int = 12345,
) -> float:
    """Two-sided p-value of no association, by permuting the ratings over the covered pairs.

    It needs no assumption on the distribution of either side, so it also holds for few texts and many ties. For so
    few pairs that all permutations are fewer than `n_permutations`, it is exact.

    Args:
        estimates: a metric's values, shape (n,), NaN where undefined.
        ratings: human ratings, shape (n,).
        method: `pearson`, `spearman` or `kendall` (τ-b).
        n_permutations: random permutations; the smallest p of them is 2 / (n_permutations + 1), twice the smaller tail.
        seed: of the permutations.

    Returns:
        p in (0, 1]; NaN where the coefficient is undefined.

    Raises:
        ValueError: for an unknown method, unequal lengths, or a number outside its range.

    >>> permutation_p_value([1, 2, 3, 4], [1, 2, 3, 4])  # 2 of the 24 orders are as extreme
    0.0833...
    """
    check_choice(method, "method", CORRELATIONS)
    check_number(n_permutations, "n_permutations", minimum=1, integer=True)
    check_number(seed, "seed", minimum=0, integer=True)
    from scipy import stats

    left, right = covered_pairs(estimates, ratings)
    if _is_undefined(left, right, method):
        return float("nan")
    if method != "pearson":  # the others are of ranks alone, which are finite
        left, right = stats.rankdata(left), stats.rankdata(right)

    def statistic(permuted: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
        rows = np.moveaxis(permuted, axis, -1)
        shape = rows.shape[:-1]
        rows = rows.reshape(-1, len(left))
        compare = kendall_of_rows if method == "kendall" else pearson_of_rows
        return compare(rows, np.broadcast_to(right, rows.shape)).reshape(shape)

    test = stats.permutation_test(
        (left,),
        statistic,
        permutation_type="pairings",
        vectorized=True,
        n_resamples=n_permutations,
        batch=max(1, _BLOCK // len(left)),
        random_state=np.random.default_rng(seed),
    )
    return float(test.pvalue)


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
        n_resamples: bootstrap resamples of pairs; 0 for an interval by Fisher's transformation, at once.
        seed: of the bootstrap, so that results can be repeated.

    Raises:
        ValueError: for an unknown method, unequal lengths, or a number outside its range.
    """
    check_choice(method, "method", CORRELATIONS)
    check_number(confidence, "confidence", minimum=0, maximum=1)
    check_number(n_resamples, "n_resamples", minimum=0, integer=True)
    check_number(seed, "seed", minimum=0, integer=True)
    from scipy import stats

    left, right = covered_pairs(estimates, ratings)
    nan = float("nan")
    if _is_undefined(left, right, method):
        return Correlation(nan, nan, nan, nan, confidence, len(left))
    test = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}[method]
    result = test(left, right)
    if n_resamples == 0:
        low, high = fisher_interval(float(result.statistic), len(left), confidence, variance=_VARIANCE[method])
        return Correlation(float(result.statistic), float(result.pvalue), low, high, confidence, len(left))
    resampled = resampled_correlations(left, right, method, n_resamples, seed)
    tail = (1 - confidence) / 2
    # A resample in which a side does not vary has no correlation.
    defined = resampled[~np.isnan(resampled)]
    low, high = np.quantile(defined, [tail, 1 - tail]) if len(defined) else (nan, nan)
    return Correlation(float(result.statistic), float(result.pvalue), float(low), float(high), confidence, len(left))


def rank_correlation(left: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    """Return Spearman's ρ alone, without interval or p; NaN where it is undefined."""
    from scipy.stats import rankdata

    if len(left) < 3 or np.ptp(left) == 0 or np.ptp(right) == 0:
        return float("nan")
    return float(np.corrcoef(rankdata(left), rankdata(right))[0, 1])
