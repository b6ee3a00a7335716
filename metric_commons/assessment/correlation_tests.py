"""Tests and intervals of correlation coefficients, from the coefficients alone: Fisher's z and Williams' test."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from metric_commons.support.validation import check_choice, check_number

ALTERNATIVES = ("two-sided", "greater", "less")


def fisher_z_test(higher: float, lower: float, n_higher: int, n_lower: int) -> float:
    """One-tailed p-value of the hypothesis that one correlation is not larger than another (Fisher 1921).

    Fisher's transformation makes atanh(r) about normal with variance 1 / (n − 3). The two correlations are taken
    as independent; correlations of two metrics with the same ratings are not, which makes the test conservative. For
    those, use `williams_test`.

    Args:
        higher: the correlation that is claimed to be larger.
        lower: the other one.
        n_higher: how many texts the first is over, at least 4.
        n_lower: how many texts the second is over, at least 4.

    Returns:
        p in [0, 1]; NaN where a correlation is NaN.

    >>> round(fisher_z_test(0.5, 0.3, 103, 103), 4)
    0.045
    """
    from scipy.stats import norm

    _check_correlations(higher=higher, lower=lower)
    check_number(n_higher, "n_higher", minimum=4, integer=True)
    check_number(n_lower, "n_lower", minimum=4, integer=True)
    if math.isnan(higher) or math.isnan(lower):
        return math.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        difference = float(np.arctanh(higher) - np.arctanh(lower))
    if math.isnan(difference):  # both 1 or both −1
        difference = 0.0
    z = difference / math.sqrt(1.0 / (n_higher - 3) + 1.0 / (n_lower - 3))
    return float(norm.sf(z))


def fisher_interval(r: float, n: int, level: float = 0.95, *, variance: float = 1.0) -> tuple[float, float]:
    """Confidence interval of a correlation by Fisher's transformation; NaN where it is undefined.

    Args:
        r: Pearson's correlation, or another one.
        n: of so many pairs.
        level: of the interval.
        variance: of the transformed correlation, times n − 3: 1 for Pearson's, 1.06 for Spearman's, 0.437 for Kendall's
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


@dataclass(frozen=True)
class WilliamsTest:
    """The result of Williams' test.

    Attributes:
        statistic: t; NaN where it is undefined.
        p_value: of the alternative that was asked for.
        degrees_of_freedom: n − 3.
    """

    statistic: float
    p_value: float
    degrees_of_freedom: int


def williams_test(r12: float, r13: float, r23: float, n: int, *, alternative: str = "two-sided") -> WilliamsTest:
    """Test whether two correlations that share a variable differ (Williams 1959; Steiger 1980, Eq. 7).

    Two metrics that are held against the same ratings have dependent correlations; a test that takes them as
    independent loses power. With |R| = 1 − r12² − r13² − r23² + 2 r12 r13 r23 and r̄ = (r12 + r13) / 2,

    t = (r12 − r13) √[(n − 1)(1 + r23) / (2 |R| (n − 1)/(n − 3) + r̄² (1 − r23)³)], with n − 3 degrees of freedom.

    It is made for Pearson's r. For Spearman's ρ, which is Pearson's r of ranks, it is a usual approximation.

    Args:
        r12: correlation of the ratings (1) with the first metric (2).
        r13: correlation of the ratings with the second metric (3).
        r23: correlation of the two metrics with one another.
        n: how many texts all three are over, at least 4.
        alternative: `two-sided`, `greater` (r12 is larger) or `less`.

    Returns:
        t and p; NaN where a correlation is NaN, t is 0 and p is that of no difference where r12 equals r13.

    Raises:
        TypeError: for anything but numbers.
        ValueError: for a correlation outside [-1, 1], fewer than four texts, or an unknown alternative.

    >>> result = williams_test(0.65, 0.55, 0.3, 50, alternative="greater")
    >>> round(result.statistic, 4), round(result.p_value, 6)
    (0.8161, 0.209286)
    """
    from scipy.stats import t as students_t

    _check_correlations(r12=r12, r13=r13, r23=r23)
    check_number(n, "n", minimum=4, integer=True)
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
            check_number(value, name, minimum=-1.0, maximum=1.0)
