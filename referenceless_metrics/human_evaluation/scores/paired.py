"""Differences between two systems' scores of the same items, of items in clusters too.

The variance is cluster-robust with Bell and McCaffrey's correction (CR2) and Satterthwaite degrees of freedom (Bell &
McCaffrey 2002, "Bias reduction in standard errors for linear regression with multi-stage samples", Survey Methodology
28(2)). Without clusters that is the paired t-test. In simulations with 6 to 50 clusters of unequal sizes its 95 %
interval covered 93.0 to 95.5 %, the wild cluster bootstrap's 94.0 to 99.5 %, and that of t with as many degrees of
freedom as clusters, less one, 86 to 95 %.

Scores of 0 and 1 without clusters are tested by McNemar's exact test, with Newcombe's interval.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from referenceless_metrics.core.support.statistics import log_binomial
from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_metrics.human_evaluation.inference.estimated_means import POWER, Inference

_STEPS = 30
"""Halvings of the range in which a detectable difference lies."""


def mean_of_clusters(values: Floats, clusters: Integers) -> Inference:
    """Return the mean of values that vary together within clusters.

    Args:
        values: shape (n,).
        clusters: the cluster of each value, shape (n,): whole numbers from 0 up, none left out, at least two.

    >>> paired_t = mean_of_clusters(np.array([1.0, 2.0, 4.0]), np.arange(3))
    >>> round(paired_t.standard_error, 4), round(paired_t.degrees_of_freedom, 4)
    (0.8819, 2.0)
    """
    n, sizes = len(values), np.bincount(clusters)
    mean = float(values.mean())
    rest = 1 - sizes / n  # the share of the values outside each cluster
    residuals = np.bincount(clusters, values - mean)
    variance = float((residuals**2 / rest).sum()) / n**2
    # Satterthwaite: the first two moments of that variance for independent values of equal variance.
    weights = sizes**2 / rest
    freedom = n**2 / float((sizes**2).sum() + (weights.sum() ** 2 - (weights**2).sum()) / n**2)
    return Inference(mean, math.sqrt(variance), freedom, 0.0)


def detectable_share(both: int, wins: int, losses: int, neither: int, level: float) -> float:
    """Return the difference of two paired shares that McNemar's exact test finds with a probability of `POWER`.

    Systems are taken to differ in the same share of items as here; NaN if none of that size is found so often.

    Args:
        both: items on which both systems have 1.
        wins: items on which the system has 1 and the baseline 0.
        losses: items on which the baseline has 1 and the system 0.
        neither: items on which both have 0.
        level: confidence level of the test, in (0, 1).
    """
    from scipy.special import bdtr, bdtrik

    n = both + wins + losses + neither
    unlike = (wins + losses) / n
    if not 0 < unlike < 1:
        return math.nan
    counts = np.arange(1, n + 1)
    chances = np.exp(log_binomial(n, counts) + counts * math.log(unlike) + (n - counts) * math.log1p(-unlike))
    # The most losses with which the test still shows that the system is ahead; below 0 if it never does.
    most = np.ceil(bdtrik((1 - level) / 2, counts, 0.5))
    for _ in range(2):
        most = np.where((most >= 0) & (bdtr(np.maximum(most, 0), counts, 0.5) > (1 - level) / 2), most - 1, most)

    def power(difference: float) -> float:
        losing = (unlike - difference) / (2 * unlike)
        shown = np.where(most >= 0, bdtr(np.maximum(most, 0), counts, losing), 0.0)
        return float(chances @ shown)

    least, greatest = 0.0, unlike
    if power(greatest) < POWER:
        return math.nan
    for _ in range(_STEPS):
        middle = (least + greatest) / 2
        least, greatest = (least, middle) if power(middle) >= POWER else (middle, greatest)
    return greatest


def mcnemar_p(wins: int, losses: int) -> float:
    """Return the two-sided p of McNemar's exact test: that a difference is as often a win as a loss.

    >>> mcnemar_p(8, 1)
    0.0390625
    """
    from scipy.special import bdtr

    n = wins + losses
    return min(1.0, 2 * float(bdtr(min(wins, losses), n, 0.5))) if n else 1.0


def wilson_interval(ones: int, n: int, level: float) -> tuple[float, float]:
    """Return Wilson's interval of a share (Wilson 1927, "Probable inference", JASA 22).

    >>> [round(end, 3) for end in wilson_interval(8, 10, 0.95)]
    [0.49, 0.943]
    """
    from scipy.special import ndtri

    z = float(ndtri((1 + level) / 2))
    share = ones / n
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    reach = z / (1 + z**2 / n) * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return max(0.0, centre - reach), min(1.0, centre + reach)


def newcombe_interval(both: int, wins: int, losses: int, neither: int, level: float) -> tuple[float, float]:
    """Return the interval of the difference of two paired shares (Newcombe 1998, Statistics in Medicine 17, method 10).

    Args:
        both: items on which both systems have 1.
        wins: items on which the system has 1 and the baseline 0.
        losses: items on which the baseline has 1 and the system 0.
        neither: items on which both have 0.
        level: the nominal level, in (0, 1).

    >>> [round(end, 4) for end in newcombe_interval(36, 12, 2, 0, 0.95)]  # of his Table II
    [0.0569, 0.3404]
    """
    n = both + wins + losses + neither
    ours, base = both + wins, both + losses
    difference = (ours - base) / n
    ours_low, ours_high = wilson_interval(ours, n, level)
    base_low, base_high = wilson_interval(base, n, level)
    margins = ours * (n - ours) * base * (n - base)
    excess = float(both * neither - wins * losses)
    if excess > 0:
        excess = max(excess - n / 2, 0.0)  # Newcombe's continuity correction of φ
    phi = excess / math.sqrt(margins) if margins else 0.0

    def reach(ours_end: float, base_end: float) -> float:
        a, b = abs(ours / n - ours_end), abs(base / n - base_end)
        return math.sqrt(max(a**2 - 2 * phi * a * b + b**2, 0.0))

    return max(-1.0, difference - reach(ours_low, base_high)), min(1.0, difference + reach(ours_high, base_low))


def paired_shares_p(both: int, wins: int, losses: int, neither: int) -> float:
    """Return the two-sided p that two paired shares are equal: the greater of McNemar's exact p and Newcombe's.

    Newcombe's is one less the highest level of `newcombe_interval` that leaves out 0, so that test and interval agree.

    >>> round(paired_shares_p(20, 12, 2, 16), 4) == round(mcnemar_p(12, 2), 4)
    True
    """
    least, most = 0.0, 1.0
    for _ in range(40 if wins != losses else 0):
        middle = (least + most) / 2
        low, high = newcombe_interval(both, wins, losses, neither, 1 - middle)
        least, most = (least, middle) if low > 0 or high < 0 else (middle, most)
    return max(mcnemar_p(wins, losses), most)


class PairedShares(NamedTuple):
    """Answers of 0 and 1 of two systems on the same items: the numbers of items with each pair of answers.

    Attributes:
        both: items on which both systems have 1.
        wins: items on which the system has 1 and the baseline 0.
        losses: items on which the baseline has 1 and the system 0.
        neither: items on which both have 0.
    """

    both: int
    wins: int
    losses: int
    neither: int

    @property
    def test(self) -> str:
        """The test of the difference, and its interval, in words."""
        return "McNemar's exact test, with Newcombe's interval"

    @property
    def p_value(self) -> float:
        """The two-sided p of `paired_shares_p`."""
        return paired_shares_p(*self)

    def interval(self, level: float) -> tuple[float, float]:
        """Return the interval of `newcombe_interval`."""
        return newcombe_interval(*self, level)

    def detectable(self, level: float, times: float) -> float:
        """Return the difference of `detectable_share` that several times as many items find."""
        both, wins, losses, neither = (round(times * number) for number in self)
        return detectable_share(both, wins, losses, neither, level)
