"""Numbers that stand off the others on a scale: slips, in very few ratings, or codes, as -9 for no answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referenceless_metrics.core.support.validation import Floats

_FEWEST = 20  # ratings that tell the points of a scale
_MOST = 0.02  # share of ratings with a number that is no point
_MOST_POINTS = 12
_LONG = 3  # highest point of a scale that -1 does not begin
_MOST_CODES = 0.5  # share of ratings with codes


def note_on_stray_points(values: Floats, columns: Sequence[str]) -> list[str]:
    """Return a note on codes below a scale, or on a number in very few ratings that stands off it; none otherwise.

    Such a number is more than a point above all others or below.

    Args:
        values: ratings, shape (n,); NaN for a missing one. Nothing is told of those that are not all whole numbers.
        columns: the columns that hold them.

    >>> note_on_stray_points(np.array([0, 1] * 20 + [3.0]), ["error"])[0][:45]
    "column 'error': 3 stands in 1 of 41 ratings, "
    """
    known = values[np.isfinite(values)]
    if codes := codes_below(values):
        n = int(np.isin(known, codes).sum())
        return [_told(codes, n, known, columns)]
    if len(known) < _FEWEST or (known != np.floor(known)).any():
        return []
    points, counts = np.unique(known, return_counts=True)
    if not 3 <= len(points) <= _MOST_POINTS:
        return []
    for stray, others in ((0, points[1:]), (-1, points[:-1])):
        nearest = others[0] if stray == 0 else others[-1]
        is_whole = np.ptp(others) == len(others) - 1  # a scale without gaps
        if is_whole and abs(points[stray] - nearest) > 1 and counts[stray] <= max(1, _MOST * len(known)):
            return [_told([float(points[stray])], int(counts[stray]), known, columns)]
    return []


def codes_below(values: Floats) -> list[float]:
    """Return the negative whole numbers below a scale without gaps, as surveys mark answers that lack.

    There are none if the negative numbers go on with the scale, but for -1 alone below a long one, and none on a scale
    that goes as far below 0 as above.

    Args:
        values: ratings, shape (n,); NaN for a missing one.

    >>> codes_below(np.array([1, 2, 3, 4, 5, -9, -1])), codes_below(np.array([-2, -1, 0, 1, 2]))
    ([-9.0, -1.0], [])
    >>> codes_below(np.array([0, 1, 2, 3, -1])), codes_below(np.array([-1, 0, 1]))
    ([-1.0], [])
    """
    points = np.unique(values[np.isfinite(values)])
    codes, scale = points[points < 0], points[points >= 0]
    if not len(codes) or len(scale) < 2 or len(points) > _MOST_POINTS or (points != np.floor(points)).any():
        return []
    has_gaps = np.ptp(scale) != len(scale) - 1
    is_long = len(codes) == 1 and scale[-1] >= _LONG
    goes_on = np.ptp(points) == len(points) - 1 and not is_long
    are_most = np.isin(values, codes).sum() > _MOST_CODES * np.isfinite(values).sum()
    if scale[-1] > _MOST_POINTS or has_gaps or goes_on or codes[0] == -scale[-1] or are_most:
        return []
    return [float(code) for code in codes]


def _told(strays: Sequence[float], n: int, known: Floats, columns: Sequence[str]) -> str:
    """Return the note on numbers that stand in n ratings."""
    others = known[~np.isin(known, strays)]
    named = ", ".join(repr(str(name)) for name in columns[:4])
    numbers = " and ".join(f"{stray:g}" for stray in strays)
    stand, count, none, them = (
        ("stands", "it counts as a rating", "it is none", "it")
        if len(strays) == 1
        else ("stand", "they count as ratings", "they are none", "them")
    )
    left_out = ",".join(f"{stray:g}=" for stray in strays)
    return (
        f"column {named}: {numbers} {stand} in {n} of {len(known)} ratings, and the others go from {others.min():g} to "
        f'{others.max():g}: {count}; if {none}, --values "{left_out}" leaves {them} out'
    )
