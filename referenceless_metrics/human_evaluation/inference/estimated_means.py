"""Estimated means: their intervals and tests, on a scale or as a share, and the differences that they detect."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from statistics import NormalDist
from typing import Any

import numpy as np

LEVEL = 0.95
"""Default level of intervals and statements."""

POWER = 0.8
"""Probability with which a planned study shall detect a difference."""


@dataclass(frozen=True)
class Inference:
    """An estimated mean, or difference of means, with the figures of its interval and its test.

    Intervals and tests are of Student's t with the skewness of the estimator taken out (Hall 1992, "On the removal of
    skewness by transformation", JRSS B 54(1)). Ratings crowd at the top of their scale, and with a few dozen of them
    the plain t interval of a mean covers less than its level. In a difference of two systems the skewness cancels
    except for noise, and is taken as 0 (measured on 16 systems with 40 ratings each: type-I error 4.8 %, against 6.2 %
    with estimated skewness).

    Attributes:
        value: the point estimate, in the unit of the ratings; it, its error and its degrees of freedom are numbers, or
            of several draws vectors, of which there are widths alone.
        standard_error: its standard error.
        degrees_of_freedom: degrees of freedom of Student's t (Welch 1947).
        skewness: skewness of the estimator: its third cumulant divided by the cube of its standard error.

    Example:
        >>> low, high = Inference(0.0, 1.0, 30.0, 0.0).interval(0.9)
        >>> round(low, 3), round(high, 3)
        (-1.697, 1.697)
    """

    value: Any
    standard_error: Any
    degrees_of_freedom: Any
    skewness: float

    @classmethod
    def unknown(cls, value: float = math.nan) -> Inference:
        """Return an estimate with an unknown error: its interval has no ends and its p is 1."""
        return cls(value, math.inf, 1.0, 0.0)

    @property
    def is_known(self) -> bool:
        """Whether the error is known."""
        return bool(np.isfinite(self.standard_error).all())

    @property
    def with_other_sign(self) -> Inference:
        """The same of the negative mean, or of the difference the other way."""
        return replace(self, value=-self.value, skewness=-self.skewness)

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Return the ends of the two-sided confidence interval at `level`, in (0, 1)."""
        if not self.is_known:
            return -math.inf, math.inf
        reach = self._t((1 + level) / 2)
        low, high = self._untransformed(reach), self._untransformed(-reach)
        return self.value - self.standard_error * low, self.value - self.standard_error * high

    def width(self, level: float = LEVEL) -> float:
        """Return the width of the interval at `level`, without the part of skewness."""
        width: float = 2 * self.standard_error * self._t((1 + level) / 2)
        return width

    def p_value(self, hypothesis: float = 0.0) -> float:
        """Return the two-sided p of the hypothesis that the true value equals `hypothesis`."""
        from scipy.special import stdtr

        distance = self.value - hypothesis
        if self.standard_error == 0:
            return float(distance == 0)
        if not self.is_known:
            return 1.0
        t = distance / self.standard_error
        skewness = self.skewness
        transformed = t + skewness * t**2 / 3 + skewness**2 * t**3 / 27 + skewness / 6
        return float(2 * stdtr(self.degrees_of_freedom, -abs(transformed)))

    def plus(self, value: float, variance: float, degrees_of_freedom: float, third: float | None = None) -> Inference:
        """Return the sum with a further, independent estimate.

        Args:
            value: the estimate.
            variance: its variance.
            degrees_of_freedom: the degrees of freedom of this variance.
            third: its third cumulant; None for a sum with skewness 0.
        """
        variance_before = self.standard_error**2
        total = variance_before + variance
        if total <= 0:
            return Inference(self.value + value, 0.0, self.degrees_of_freedom, 0.0)
        error = math.sqrt(total)
        freedom = total**2 / (variance_before**2 / self.degrees_of_freedom + variance**2 / degrees_of_freedom)
        skewness = 0.0 if third is None else (self.skewness * self.standard_error**3 + third) / error**3
        return Inference(self.value + value, error, freedom, skewness)

    def widened(self, variance: Any) -> Inference:
        """Return the estimate with a variance added to its own."""
        error = np.sqrt(self.standard_error**2 + variance)
        return replace(self, standard_error=error if np.ndim(error) else float(error))

    def times(self, factor: float) -> Inference:
        """Return the estimate times a factor, with its error."""
        return replace(self, value=factor * self.value, standard_error=factor * self.standard_error)

    def detectable(self, level: float = LEVEL, times: float = 1.0) -> float:
        """Return the true difference that a further study of this kind finds at `level` with a probability of `POWER`.

        Its error is estimated, and so is this one, from which that of the further study is foretold: with this error
        taken as known, as in the noncentral t distribution, the difference would be smaller, and found less often (with
        7 degrees of freedom in 72 % of further studies and not in 80). With ν degrees of freedom here and μ in the
        further study, k standard errors are found so if
        k (1 − 1 / 4ν) − t (1 − 1 / 4μ) = z √(1 + k² / 2ν + t² / 2μ), with the quantiles t and z of the test and of
        `POWER` (the normal approximation of an estimated error; off by less than .01 from 3 degrees of freedom on).

        Args:
            level: confidence level at which a difference is shown, in (0, 1).
            times: number of items of the further study, as a multiple of those of this one; its units that vary apart,
                such as clusters and raters, are as many times as many.
        """
        from scipy.special import stdtrit

        if not self.is_known:
            return math.inf
        freedom = self.degrees_of_freedom
        further = times * (freedom + 1) - 1
        t = float(stdtrit(further, (1 + level) / 2))
        z_squared = NormalDist().inv_cdf(POWER) ** 2
        of_k, of_t = 1 - 1 / (4 * freedom), 1 - 1 / (4 * further)
        square = of_k**2 - z_squared / (2 * freedom)
        if square <= 0:  # so few degrees of freedom that no difference is found as often
            return math.inf
        rest = (of_t * t) ** 2 - z_squared * (1 + t**2 / (2 * further))
        k = (of_k * of_t * t + math.sqrt((of_k * of_t * t) ** 2 - square * rest)) / square
        return float(self.standard_error / math.sqrt(times) * k)

    def _t(self, share: float) -> Any:
        """Return the quantile of Student's t below which a share lies."""
        from scipy.special import stdtrit

        quantile = stdtrit(self.degrees_of_freedom, share)
        return quantile if np.ndim(quantile) else float(quantile)

    def _untransformed(self, z: float) -> float:
        """Return the t that Hall's transformation takes to `z`."""
        if abs(self.skewness) < 1e-9:
            return z
        return 3 / self.skewness * (float(np.cbrt(1 + self.skewness * (z - self.skewness / 6))) - 1)


def on_scale(
    mean: Inference, level: float, scale: tuple[float, float], n: float, prior: float = 0.0
) -> tuple[float, float]:
    """Return an interval of a mean rating that stays on the scale, and also covers if ratings crowd at an end.

    The wider of Hall's interval, cut at the ends of the scale, and that of Korn & Graubard (1998), "Confidence
    intervals for proportions with small expected number of positive counts estimated from survey data", Survey
    Methodology 24(2): Clopper and Pearson's for the mean as a share of the scale and the number of ratings of 0 or 1
    that would have its standard error.

    Args:
        mean: the mean rating.
        level: the nominal level, in (0, 1).
        scale: the ends of the scale.
        n: number of rated outputs; it replaces the number of ratings of 0 or 1 if all ratings are alike.
        prior: 0 for Clopper and Pearson's; .5 for Jeffreys' (Brown, Cai & DasGupta 2001,
            "Interval estimation for a binomial proportion", Statistical Science 16(2)).

    >>> [round(end, 2) for end in on_scale(Inference(5.0, 0.0, 9.0, 0.0), 0.95, (1.0, 5.0), 10)]
    [3.77, 5.0]
    >>> [round(end, 2) for end in on_scale(Inference(1.0, 0.0, 9.0, 0.0), 0.95, (0.0, 1.0), 10, prior=0.5)]
    [0.78, 1.0]
    """
    from scipy.special import betaincinv

    low, high = scale
    size, ones = _as_share(mean, level, scale, n)
    left, tail = size - ones, (1 - level) / 2
    lower = 0.0 if ones + prior < 1e-9 else float(betaincinv(ones + prior, left + 1 - prior, tail))
    upper = 1.0 if left + prior < 1e-9 else float(betaincinv(ones + 1 - prior, left + prior, 1 - tail))
    ends = mean.interval(level)
    return (
        min(max(ends[0], low), low + (high - low) * lower),
        max(min(ends[1], high), low + (high - low) * upper),
    )


def share_p_value(mean: Inference, level: float, n: float) -> float:
    """Return the two-sided p that a share is one half: the greater of those of the two intervals' tests."""
    from scipy.special import betainc

    size, ones = _as_share(mean, level, (0.0, 1.0), n)
    below = float(betainc(ones + 0.5, size - ones + 0.5, 0.5))
    return max(mean.p_value(0.5), 2 * min(below, 1 - below))


def _as_share(mean: Inference, level: float, scale: tuple[float, float], n: float) -> tuple[float, float]:
    """Return the number of ratings of the lowest or highest value with the same error, and of the highest alone.

    If all ratings are alike, it is their own number.
    """
    from scipy.special import ndtri

    low, high = scale
    share = min(max((mean.value - low) / (high - low), 0.0), 1.0)
    error = mean.standard_error / (high - low)
    size = float(n)
    if error > 0:
        shrink = float(ndtri((1 + level) / 2)) / (mean.width(level) / (2 * mean.standard_error))
        size = max(share * (1 - share) / error**2 * shrink**2, 1e-9)
    return size, size * share


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p values adjusted for their number (Holm 1979, "A simple sequentially rejective multiple test procedure").

    >>> holm([0.04, 0.01, 0.03])
    [0.06, 0.03, 0.06]
    """
    raw = np.array(p_values)
    order = np.argsort(raw, kind="stable")
    adjusted = np.ones(len(raw))
    adjusted[order] = np.minimum(np.maximum.accumulate(raw[order] * np.arange(len(raw), 0, -1)), 1.0)
    return list(adjusted.tolist())


def first_level(level: float, n: int) -> float:
    """Return the level at which Holm's procedure tests the smallest p of n comparisons: all others have lower ones.

    >>> round(first_level(0.95, 5), 4)
    0.99
    """
    return 1 - (1 - level) / max(n, 1)


def holm_levels(p_values: Sequence[float], level: float) -> list[float]:
    """Return the levels of intervals that agree with Holm's procedure: without 0 if and only if it shows a difference.

    An interval at 1 − α / k leaves out 0 if and only if k · p ≤ α. With k the factor by which Holm's procedure raised
    p, at most the number of comparisons, the interval and the adjusted p cannot contradict one another.

    >>> [round(level, 4) for level in holm_levels([0.04, 0.01, 0.03], 0.95)]
    [0.9667, 0.9833, 0.975]
    """
    order = np.argsort(p_values, kind="stable")
    ascending, ranks = np.asarray(p_values, dtype=float)[order], np.arange(len(order), 0, -1)
    raised = np.maximum.accumulate(ascending * ranks)
    factors = np.ones(len(order))
    factors[order] = np.divide(raised, ascending, out=ranks.astype(float), where=ascending > 0)
    return [1 - (1 - level) / factor for factor in factors.tolist()]


def groups_alike(order: Sequence[str], apart: Collection[frozenset[str]]) -> list[list[str]]:
    """Return groups of systems without a pair that differs; each pair that does not differ is in one of them.

    Args:
        order: the systems.
        apart: the pairs that differ significantly.

    >>> groups_alike(["a", "b", "c"], [frozenset("ac"), frozenset("bc")])
    [['a', 'b'], ['c']]
    >>> groups_alike(["a", "b", "c"], [frozenset("ab")])
    [['a', 'c'], ['b', 'c']]
    """
    groups: list[list[str]] = []
    for pair in combinations_with_replacement(order, 2):
        if frozenset(pair) in apart or any(set(pair) <= set(group) for group in groups):
            continue
        group = list(dict.fromkeys(pair))
        for each in order:
            if each not in group and not any(frozenset((each, other)) in apart for other in group):
                group.append(each)
        groups.append(sorted(group, key=order.index))
    return groups
