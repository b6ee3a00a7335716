"""Ranks without `scipy.stats`, whose import takes longer than most scores; binomials; numbers as they are printed."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from referenceless_metrics.core.support.validation import Floats

_USUAL_LEVEL = 0.05
_MOST_DECIMALS = 8


def ranks(values: ArrayLike) -> Floats:
    """Return the ranks of values, from 1, ties by their mean rank, shape (n,).

    >>> ranks([3.0, 1.0, 3.0]).tolist()
    [2.5, 1.0, 2.5]
    """
    _, place, counts = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    mean_ranks: Floats = np.cumsum(counts) - (counts - 1) / 2.0
    return mean_ranks[place]


def log_binomial(n: int, chosen: ArrayLike) -> Floats:
    """Return the logarithm of the number of ways to choose so many of n things, shape of `chosen`.

    >>> np.exp(log_binomial(4, [0, 2])).round(9).tolist()
    [1.0, 6.0]
    """
    from scipy.special import gammaln

    numbers = np.asarray(chosen)
    logs: Floats = gammaln(n + 1) - gammaln(numbers + 1) - gammaln(n - numbers + 1)
    return logs


def in_one_rounding(*figures: float) -> list[str]:
    """Return figures with equally many decimals: those of three digits of the largest.

    >>> in_one_rounding(1.75, -0.2339, 3.7339), in_one_rounding(0.3163, 0.0958, 0.5368)
    (['1.75', '-0.23', '3.73'], ['0.316', '0.096', '0.537'])
    """
    sizes = [abs(figure) for figure in figures if math.isfinite(figure) and figure]
    decimals = 2 - math.floor(math.log10(max(sizes))) if sizes else 2
    decimals = min(max(decimals, 0), 8)
    return [fixed(figure, decimals) for figure in figures]


def fixed(value: float, decimals: int) -> str:
    """Return a number with so many decimals.

    Two ways of summing the same ratings may differ in the last bits, and by them alone a half would be rounded up here
    and down there. So digits behind the twelfth count for nothing.

    >>> fixed(-1.5137499999999998, 4), fixed(-1.5137500000000002, 4), fixed(-0.00001, 4)
    ('-1.5137', '-1.5137', '0.0000')
    """
    rounded = round(float(f"{value:.12g}"), decimals) if math.isfinite(value) else value
    return f"{rounded + 0.0:.{decimals}f}"  # which makes 0 of -0


def p_text(value: float, *, is_least: bool = False, decimals: int = 4) -> str:
    """Return a p in the form in which commands and pages print it.

    Args:
        value: the p.
        is_least: whether it is the least that the shuffles or permutations of its test can give: an upper limit.
        decimals: number of decimals.

    >>> p_text(0.00001), p_text(0.0312), p_text(0.0002, is_least=True), p_text(0.0312, decimals=3)
    ('p < 0.0001', 'p = 0.0312', 'p ≤ 0.0002', 'p = 0.031')

    A p beside the usual level has the decimals that tell on which side it lies.

    >>> p_text(0.049996), p_text(0.05)
    ('p = 0.049996', 'p = 0.0500')
    """
    least = 10**-decimals
    if value < least:
        return f"p < {least:.{decimals}f}"
    while decimals < _MOST_DECIMALS and value != _USUAL_LEVEL and float(f"{value:.{decimals}f}") == _USUAL_LEVEL:
        decimals += 1
    return f"p {'≤' if is_least else '='} {value:.{decimals}f}"
