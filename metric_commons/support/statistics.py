"""Ranks and a few distributions by numpy alone: `scipy.stats` takes longer to import than most scores take."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from metric_commons.support.validation import Floats

_MOST_TERMS = 10_000
_PRECISION = 1e-15


def ranks(values: ArrayLike) -> Floats:
    """Return the ranks of values, from 1, ties by their mean rank, shape (n,).

    >>> ranks([3.0, 1.0, 3.0]).tolist()
    [2.5, 1.0, 2.5]
    """
    _, place, counts = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    mean_ranks: Floats = np.cumsum(counts) - (counts - 1) / 2.0
    return mean_ranks[place]


def correlation_p_value(r: float, n: int) -> float:
    """Return the two-sided p of a correlation of n pairs, by Student's t with n − 2 degrees of freedom.

    >>> round(correlation_p_value(0.5, 20), 4)
    0.0248
    """
    return 1.0 if n <= 2 else beta_below(1.0 - min(abs(r), 1.0) ** 2, n / 2 - 1, 0.5)


def normal_quantile(share: float) -> float:
    """Return the value below which a share of the standard normal distribution lies."""
    return NormalDist().inv_cdf(share)


def beta_below(x: float, a: float, b: float) -> float:
    """Return the share of the beta distribution of `a` and `b` that lies below `x`, in [0, 1].

    The regularised incomplete beta function by its continued fraction (Lentz's method; Press et al. 2007, "Numerical
    Recipes", 6.4).

    >>> round(beta_below(0.25, 1.0, 2.0), 4)
    0.4375
    """
    if x <= 0 or x >= 1:
        return float(x > 0)
    if x > (a + 1) / (a + b + 2):
        return 1.0 - beta_below(1 - x, b, a)
    log_front = a * math.log(x) + b * math.log1p(-x) - (math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b))
    above, below = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    fraction = below
    for m in range(1, _MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for numerator in (even, odd):
            above, below = 1 + numerator / above, 1 / (1 + numerator * below)
            fraction *= above * below
        if abs(above * below - 1) < _PRECISION:
            break
    return math.exp(log_front) / a * fraction
