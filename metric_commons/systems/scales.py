"""Rating scales: two sets of ratings are told apart by their size, and put on one scale by its declared ends."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metric_commons.support.errors import InputError
from metric_commons.support.validation import check_number, check_quality


def check_same_scale(ratings: Mapping[str, NDArray[np.float64]]) -> None:
    """Check that several sets of ratings can be of one scale.

    Scales are told apart by the power of ten that their largest rating needs (1, 10, 100, …): ratings from 0 to 1, from
    1 to 7 and from 0 to 100 are of three. Two scales of one size, such as 1 to 5 and 1 to 7, cannot be told from the
    ratings.

    Args:
        ratings: from a name, such as a file's, to the ratings, shape (n,) each; NaN and empty ones are left aside.

    Raises:
        InputError: for scales of different sizes; the message names them.
    """
    sizes: dict[float, str] = {}
    for name, values in ratings.items():
        known = values[~np.isnan(values)]
        if not len(known):
            continue
        largest = float(np.abs(known).max())
        size = 0.0 if largest <= 1 else math.ceil(math.log10(largest))
        sizes.setdefault(size, f"{name} from {known.min():g} to {known.max():g}")
    if len(sizes) > 1:
        listed = " and ".join(sizes.values())
        raise InputError(
            f"the ratings are on different scales: {listed}; name the ends of each one's scale to put them on one "
            "(`rescale`, --rescale LOW:HIGH once for each)"
        )


def rescaled(ratings: ArrayLike, low: float, high: float) -> NDArray[np.float64]:
    """Return ratings of a scale from `low` to `high` as shares of it, from 0 to 1.

    The ends are the scale's own, as raters saw them, and not those of the ratings: a system that nobody rated below 4
    of 5 would otherwise look as bad as any other.

    Args:
        ratings: shape (n,); NaN stays NaN.
        low: the lowest rating that the scale allows.
        high: the highest.

    Raises:
        ValueError: where `low` is not below `high`, or a rating lies outside.

    >>> rescaled([1, 4, 7], 1, 7).tolist()
    [0.0, 0.5, 1.0]
    """
    check_number(low, "low")
    check_number(high, "high")
    if not low < high:
        raise ValueError(f"Expected argument `high` to be above `low` ({low:g}), but got {high:g}")
    values = np.array(ratings, dtype=np.float64)
    known = values[~np.isnan(values)]
    check_quality(known, "ratings")
    outside = known[(known < low) | (known > high)]
    if len(outside):
        raise InputError(f"a rating of {outside[0]:g} lies outside the scale from {low:g} to {high:g}")
    return (values - low) / (high - low)
