"""How many ratings an interval of a wanted width needs."""

from __future__ import annotations

import math

from metric_commons.assessment.conformal import check_level
from metric_commons.support.validation import check_number
from metric_commons.systems.inference import LEVEL


def expected_shrinkage(correlation: float, n_rated: int, n_outputs: int) -> float:
    """Return by which share estimates are expected to narrow an interval: 1 − √(1 − ρ² · (N − n) / N).

    PPI++ at its best λ has 1 − ρ² · (N − n) / N of the variance of the ratings alone (Angelopoulos et al. 2023, section
    6), with n of N outputs rated.

    Args:
        correlation: ρ of ratings and estimates; below 0 the estimates are not used.
        n_rated: n.
        n_outputs: N, at least n.

    >>> [round(expected_shrinkage(r, 50, 10_000), 2) for r in (0.3, 0.5, 0.7)]
    [0.05, 0.13, 0.28]
    """
    return 1 - math.sqrt(_share_left(correlation, n_rated, n_outputs))


def ratings_needed(
    width: float, spread: float, *, correlation: float = 0.0, n_outputs: int, level: float = LEVEL
) -> int:
    """Return how many of a system's outputs must be rated for an interval of its mean rating of a given width.

    Args:
        width: of the whole interval, from end to end, in the unit of the ratings, above 0.
        spread: the ratings' standard deviation.
        correlation: of ratings and estimates; 0 for ratings alone.
        n_outputs: how many outputs the system has.
        level: the interval's nominal level, in (0, 1).

    Returns:
        The least number that is enough. More than `n_outputs` means that even all outputs rated are too few; it then is
        the number of outputs that a larger sample would have to have, all of them rated.

    Raises:
        TypeError: for arguments that are not numbers.
        ValueError: for a width that is not above 0, or a level outside (0, 1).

    >>> ratings_needed(0.5, 1.0, n_outputs=1000), ratings_needed(0.5, 1.0, correlation=0.5, n_outputs=1000)
    (46, 35)
    """
    check_number(width, "width")
    check_number(spread, "spread", minimum=0)
    check_number(correlation, "correlation", minimum=-1, maximum=1)
    check_number(n_outputs, "n_outputs", minimum=1, integer=True)
    if not width > 0:
        raise ValueError(f"Expected argument `width` to be above 0, but got {width:g}")
    check_level(level)
    low, high = 2, 3
    while _width(high, spread, correlation, n_outputs, level) > width:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if _width(middle, spread, correlation, n_outputs, level) > width:
            low = middle
        else:
            high = middle
    return high


def _width(n: int, spread: float, correlation: float, n_outputs: int, level: float) -> float:
    """Return the expected width of the t interval with n ratings."""
    from scipy.special import stdtrit

    error = spread * math.sqrt(_share_left(correlation, n, n_outputs) / n)
    return 2 * error * float(stdtrit(n - 1, (1 + level) / 2))


def _share_left(correlation: float, n_rated: int, n_outputs: int) -> float:
    """Return the share of the variance that estimates leave."""
    unrated = max(n_outputs - n_rated, 0) / n_outputs
    return 1 - max(correlation, 0.0) ** 2 * unrated
