"""Numbers that stand far off the others on a scale, in very few ratings: slips, or marks for something else."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referenceless_metrics.core.support.validation import Floats

_FEWEST = 20  # ratings that tell the points of a scale
_MOST = 0.02  # share of ratings with a number that is no point
_MOST_POINTS = 12


def note_on_stray_points(values: Floats, columns: Sequence[str]) -> list[str]:
    """Return a note on a number in very few ratings, more than a point above all others or below; none otherwise.

    Args:
        values: ratings, shape (n,); NaN for a missing one. Nothing is told of those that are not all whole numbers.
        columns: the columns that hold them.

    >>> note_on_stray_points(np.array([0, 1] * 20 + [3.0]), ["error"])[0][:45]
    "column 'error': 3 stands in 1 of 41 ratings, "
    """
    known = values[np.isfinite(values)]
    if len(known) < _FEWEST or (known != np.floor(known)).any():
        return []
    points, counts = np.unique(known, return_counts=True)
    if not 3 <= len(points) <= _MOST_POINTS:
        return []
    for stray, others in ((0, points[1:]), (-1, points[:-1])):
        nearest = others[0] if stray == 0 else others[-1]
        is_whole = np.ptp(others) == len(others) - 1  # a scale without gaps
        if is_whole and abs(points[stray] - nearest) > 1 and counts[stray] <= max(1, _MOST * len(known)):
            number = f"{points[stray]:g}"
            named = ", ".join(repr(str(name)) for name in columns[:4])
            return [
                f"column {named}: {number} stands in {counts[stray]} of {len(known)} ratings, and the others go from "
                f'{others[0]:g} to {others[-1]:g}: it counts as a rating; if it is none, --values "{number}=" leaves '
                "it out"
            ]
    return []
