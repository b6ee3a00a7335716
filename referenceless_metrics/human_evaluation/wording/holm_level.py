"""Words on intervals of several comparisons, each at the level at which Holm's procedure tests it."""

from __future__ import annotations

HEADING = "interval, Holm's level"
"""Heading of a column of such intervals, whose levels differ by row."""


def interval_name(level: float, own_level: float, n: int) -> str:
    """Return the name of the interval of one of n comparisons.

    Args:
        level: the level for a single comparison.
        own_level: the level at which Holm's procedure tests this one; see `holm_levels`.
        n: the number of comparisons.

    >>> interval_name(0.95, 0.95, 1), interval_name(0.95, 0.975, 2)
    ('95% interval', "97.5% interval, Holm's level of 2 comparisons")
    """
    return f"{percent(level)} interval" if n < 2 else f"{percent(own_level)} interval, Holm's level of {n} comparisons"


def intervals_name(level: float, n: int) -> str:
    """Return the name of the intervals of n comparisons together, each of which has its own level.

    >>> intervals_name(0.95, 1), intervals_name(0.999, 1), intervals_name(0.95, 2)
    ('95% intervals', '99.9% intervals', "intervals at Holm's level of 2 comparisons")
    """
    return f"{percent(level)} intervals" if n < 2 else f"intervals at Holm's level of {n} comparisons"


def holm_sentence(level: float, n: int, equal: str = "0") -> str:
    """Describe the intervals of n comparisons, as a sentence; "" for a single comparison.

    Args:
        level: the level for a single comparison.
        n: the number of comparisons.
        equal: the difference of two systems that are alike: 0, or one half of a win rate.

    >>> print(holm_sentence(0.95, 2))
    Holm's level: an interval leaves out 0 if and only if its p, corrected for 2 comparisons, is at most 0.05. Such \
intervals need not all hold together in 95% of studies.
    """
    if n < 2:
        return ""
    return (
        f"Holm's level: an interval leaves out {equal} if and only if its p, corrected for {n} comparisons, is at most "
        f"{1 - level:.4g}. Such intervals need not all hold together in {percent(level)} of studies."
    )


def percent(level: float) -> str:
    """Return a level as a percentage.

    >>> percent(0.95), percent(1 - 0.05 / 3)
    ('95%', '98.33%')
    """
    return f"{100 * level:.4g}%"
