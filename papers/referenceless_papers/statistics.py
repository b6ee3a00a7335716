"""Tests and errors that papers report and no command of the product does."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from referenceless_metrics.assessment.meta_evaluation import (
    CORRELATIONS,
    covered_pairs,
    is_undefined,
    mean_of_others,
    mean_squared_error,
)
from referenceless_metrics.core.support.validation import Floats, check_choice, check_number, check_whole

ALTERNATIVES = ("two-sided", "greater", "less")
_BLOCK = 1 << 20  # pairs that are permuted at a time, which bounds the memory


def constant_baseline(estimates: ArrayLike, ratings: ArrayLike) -> float:
    """Return the error of always predicting the mean of the other ratings, over the pairs that estimates cover.

    A metric that abstains is measured on the texts that it covers; this is the error without any knowledge of the same
    texts: each one is predicted as the mean of all ratings but its own, covered or not.

    Returns:
        The mean squared error; NaN if no pair is covered or there are fewer than two ratings.

    >>> constant_baseline([0.1, 0.2, float("nan")], [0.0, 1.0, 0.5])
    0.5625
    """
    covered_pairs(estimates, ratings)
    left, right = np.asarray(estimates, dtype=np.float64), np.asarray(ratings, dtype=np.float64)
    rated = ~np.isnan(right)
    others = np.full(len(right), np.nan)
    others[rated] = mean_of_others(right[rated])
    return mean_squared_error(np.where(np.isnan(left), np.nan, others), right)


def fisher_z_test(higher: float, lower: float, n_higher: int, n_lower: int) -> float:
    """One-tailed p-value of the hypothesis that one correlation is not larger than another (Fisher 1921).

    Fisher's transformation makes atanh(r) about normal with variance 1 / (n − 3). The two correlations are taken
    as independent; correlations of two metrics with the same ratings are not, which makes the test conservative. For
    those, use `williams_test`.

    Args:
        higher: the correlation that is claimed to be larger.
        lower: the other one.
        n_higher: number of texts of the first, at least 4.
        n_lower: number of texts of the second, at least 4.

    Returns:
        p in [0, 1]; NaN if a correlation is NaN.

    >>> round(fisher_z_test(0.5, 0.3, 103, 103), 4)
    0.045
    """
    from scipy.stats import norm

    _check_correlations(higher=higher, lower=lower)
    check_whole(n_higher, "n_higher", 4)
    check_whole(n_lower, "n_lower", 4)
    if math.isnan(higher) or math.isnan(lower):
        return math.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        difference = float(np.arctanh(higher) - np.arctanh(lower))
    if math.isnan(difference):  # both 1 or both −1
        difference = 0.0
    z = difference / math.sqrt(1.0 / (n_higher - 3) + 1.0 / (n_lower - 3))
    return float(norm.sf(z))


@dataclass(frozen=True)
class WilliamsTest:
    """The result of Williams' test.

    Attributes:
        statistic: t; NaN if it is undefined.
        p_value: p of the alternative that was asked for.
        degrees_of_freedom: n − 3.
    """

    statistic: float
    p_value: float
    degrees_of_freedom: int


def williams_test(r12: float, r13: float, r23: float, n: int, *, alternative: str = "two-sided") -> WilliamsTest:
    """Test whether two correlations that share a variable differ (Williams 1959; Steiger 1980, Eq. 7).

    Two metrics that are compared with the same ratings have dependent correlations; a test that takes them as
    independent loses power. With |R| = 1 − r12² − r13² − r23² + 2 r12 r13 r23 and r̄ = (r12 + r13) / 2,

    t = (r12 − r13) √[(n − 1)(1 + r23) / (2 |R| (n − 1)/(n − 3) + r̄² (1 − r23)³)], with n − 3 degrees of freedom.

    It is made for Pearson's r. For Spearman's ρ, which is Pearson's r of ranks, it is a usual approximation.

    Args:
        r12: correlation of the ratings (1) with the first metric (2).
        r13: correlation of the ratings with the second metric (3).
        r23: correlation of the two metrics with one another.
        n: number of texts of all three, at least 4.
        alternative: `two-sided`, `greater` (r12 is larger) or `less`.

    Returns:
        t and p; NaN if a correlation is NaN; t is 0 and p is that of no difference if r12 equals r13.

    Raises:
        TypeError: for anything but numbers.
        ValueError: for a correlation outside [-1, 1], fewer than four texts, or an unknown alternative.

    >>> result = williams_test(0.65, 0.55, 0.3, 50, alternative="greater")
    >>> round(result.statistic, 4), round(result.p_value, 6)
    (0.8161, 0.209286)
    """
    from scipy.stats import t as students_t

    _check_correlations(r12=r12, r13=r13, r23=r23)
    check_whole(n, "n", 4)
    check_choice(alternative, "alternative", ALTERNATIVES)
    freedom = int(n) - 3
    if math.isnan(r12) or math.isnan(r13) or math.isnan(r23):
        return WilliamsTest(math.nan, math.nan, freedom)
    # A determinant below 0 belongs to no three variables; rounded coefficients can give one that is barely so.
    determinant = max(0.0, 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23)
    mean = (r12 + r13) / 2
    below = 2 * determinant * (n - 1) / (n - 3) + mean**2 * (1 - r23) ** 3
    difference = r12 - r13
    if difference == 0:
        statistic = 0.0
    elif below <= 0:
        statistic = math.copysign(math.inf, difference)
    else:
        statistic = difference * math.sqrt((n - 1) * (1 + r23) / below)
    if alternative == "two-sided":
        p_value = 2 * float(students_t.sf(abs(statistic), freedom))
    else:
        p_value = float(students_t.sf(statistic if alternative == "greater" else -statistic, freedom))
    return WilliamsTest(statistic, min(1.0, p_value), freedom)


def _check_correlations(**correlations: float) -> None:
    for name, value in correlations.items():
        if not (isinstance(value, (float, np.floating)) and math.isnan(value)):
            check_number(value, name, -1.0, 1.0)


def pearson_of_rows(x: NDArray[Any], y: NDArray[Any]) -> Floats:
    """Return Pearson's r of each pair of rows; NaN if one does not vary."""
    varies = (np.ptp(x, axis=1) > 0) & (np.ptp(y, axis=1) > 0)  # sums of squares are not 0 after rounding
    x = x - x.mean(axis=1, keepdims=True)
    y = y - y.mean(axis=1, keepdims=True)
    spread = np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(varies, np.clip((x * y).sum(axis=1) / spread, -1.0, 1.0), np.nan)


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
        estimates: a metric's values, shape (n,), NaN if undefined.
        ratings: human ratings, shape (n,).
        method: `pearson` or `spearman`.
        n_permutations: random permutations; the smallest p of them is 2 / (n_permutations + 1), twice the smaller tail.
        seed: seed of the permutations.

    Returns:
        p in (0, 1]; NaN if the coefficient is undefined.

    Raises:
        ValueError: for an unknown method, unequal lengths, or a number outside its range.

    >>> permutation_p_value([1, 2, 3, 4], [1, 2, 3, 4])  # 2 of the 24 orders are as extreme
    0.0833...
    """
    check_choice(method, "method", CORRELATIONS)
    check_whole(n_permutations, "n_permutations", 1)
    check_whole(seed, "seed", 0)
    from scipy import stats

    left, right = covered_pairs(estimates, ratings)
    if is_undefined(left, right, method):
        return float("nan")
    if method != "pearson":  # the others are of ranks alone, which are finite
        left, right = stats.rankdata(left), stats.rankdata(right)

    def statistic(permuted: Floats, axis: int) -> Floats:
        rows = np.moveaxis(permuted, axis, -1)
        shape = rows.shape[:-1]
        rows = rows.reshape(-1, len(left))
        return pearson_of_rows(rows, np.broadcast_to(right, rows.shape)).reshape(shape)

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


def linear_map_mse(scores: ArrayLike, ratings: ArrayLike) -> float:
    """Return the mean squared error after the best linear map from scores to ratings (Kann et al. 2018, Eq. 6).

    Scores and ratings may live on different scales, so it measures min over a, b of mean((a · score + b − rating)²),
    which is var(rating) · (1 − r²) over the covered pairs.

    Args:
        scores: shape (n,), NaN if undefined.
        ratings: shape (n,).

    Returns:
        In squared units of the ratings; their variance if the scores do not vary, NaN if no pair is covered.

    >>> round(linear_map_mse([0.1, 0.2, 0.3], [1, 2, 3]), 12)
    0.0
    """
    left, right = covered_pairs(scores, ratings)
    if not len(left):
        return float("nan")
    r = float(pearson_of_rows(left[None], right[None])[0])
    return float(right.var()) * (1.0 - (0.0 if np.isnan(r) else r) ** 2)


def mean_absolute_error(estimates: ArrayLike, ratings: ArrayLike) -> float:
    """Return the mean absolute error over the covered pairs; NaN if there are none."""
    left, right = covered_pairs(estimates, ratings)
    return float(np.mean(np.abs(left - right))) if len(left) else float("nan")


def root_mean_squared_error(estimates: ArrayLike, ratings: ArrayLike) -> float:
    """Return the root of the mean squared error over the covered pairs; NaN if there are none."""
    return float(np.sqrt(mean_squared_error(estimates, ratings)))
