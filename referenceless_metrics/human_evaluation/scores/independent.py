"""Differences between two systems' scores of different items, which were assigned to the systems at random.

Welch's t-test of the two means, each with its cluster-robust error (see `paired`); for scores of 0 and 1 without
clusters Newcombe's interval of two independent shares.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple

from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_metrics.human_evaluation.inference.estimated_means import POWER, Inference
from referenceless_metrics.human_evaluation.scores.paired import mean_of_clusters, wilson_interval


def difference_of_means(ours: Floats, our_clusters: Integers, base: Floats, base_clusters: Integers) -> Inference:
    """Return the difference of the means of independent values (Welch 1947), which vary together within clusters.

    Args:
        ours: shape (n,).
        our_clusters: the cluster of each value, shape (n,): whole numbers from 0 up, none left out, at least two.
        base: the other values, shape (m,).
        base_clusters: their clusters, shape (m,).
    """
    our_mean = mean_of_clusters(ours, our_clusters)
    base_mean = mean_of_clusters(base, base_clusters)
    if our_mean.standard_error == 0:
        value = our_mean.value - base_mean.value
        return Inference(value, base_mean.standard_error, base_mean.degrees_of_freedom, 0.0)
    if base_mean.standard_error == 0:
        value = our_mean.value - base_mean.value
        return Inference(value, our_mean.standard_error, our_mean.degrees_of_freedom, 0.0)
    return our_mean.plus(-base_mean.value, base_mean.standard_error**2, base_mean.degrees_of_freedom)


def shares_interval(ours: int, n: int, base: int, m: int, level: float) -> tuple[float, float]:
    """Return the interval of the difference of two independent shares.

    Newcombe 1998, "Interval estimation for the difference between independent proportions", Statistics in Medicine 17,
    method 10.

    Args:
        ours: number of ones among n.
        n: the first system's items.
        base: number of ones among m.
        m: the second system's items.
        level: the nominal level, in (0, 1).

    >>> [round(end, 4) for end in shares_interval(56, 70, 48, 80, 0.95)]  # of his Table II
    [0.0524, 0.3339]
    """
    our_share, base_share = ours / n, base / m
    our_low, our_high = wilson_interval(ours, n, level)
    base_low, base_high = wilson_interval(base, m, level)
    difference = our_share - base_share
    below = math.hypot(our_share - our_low, base_high - base_share)
    above = math.hypot(our_high - our_share, base_share - base_low)
    return max(-1.0, difference - below), min(1.0, difference + above)


def shares_p(ours: int, n: int, base: int, m: int) -> float:
    """Return the two-sided p that two independent shares are equal: one less the highest level that leaves out 0.

    >>> round(shares_p(56, 70, 48, 80), 4)
    0.0081
    """
    if ours * m == base * n:
        return 1.0
    least, most = 0.0, 1.0
    for _ in range(40):
        middle = (least + most) / 2
        low, high = shares_interval(ours, n, base, m, 1 - middle)
        if low > 0 or high < 0:
            most = middle
        else:
            least = middle
    return most


class IndependentShares(NamedTuple):
    """Answers of 0 and 1 of two systems on items of their own: the numbers of answers of 1, and of all.

    Attributes:
        ours: number of the system's answers of 1.
        n: number of all its answers.
        base: number of the baseline's answers of 1.
        m: number of all its answers.
    """

    ours: int
    n: int
    base: int
    m: int

    @property
    def test(self) -> str:
        """The test of the difference, and its interval, in words."""
        return "Newcombe's interval of two shares"

    @property
    def p_value(self) -> float:
        """The two-sided p of `shares_p`."""
        return shares_p(*self)

    def interval(self, level: float) -> tuple[float, float]:
        """Return the interval of `shares_interval`."""
        return shares_interval(*self, level)

    def detectable(self, level: float, times: float) -> float:
        """Return the difference that several times as many answers find with a power of `POWER`; by the normal."""
        ours, base = self.ours / self.n, self.base / self.m
        variance = (ours * (1 - ours) / self.n + base * (1 - base) / self.m) / times
        normal = NormalDist()
        return math.sqrt(variance) * (normal.inv_cdf((1 + level) / 2) + normal.inv_cdf(POWER))
