"""Ratings brought to the outputs that they are of, by their text, and on one scale."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metric_commons.support.errors import InputError
from metric_commons.support.validation import check_number, check_ratings, check_texts, describe

Outputs = Sequence[tuple[str, list[str]]]
"""Each system's name and outputs."""

FROM_OTHERS = (
    "on 16 systems of WebNLG 2020, intervals made from 300 ratings of the others at a nominal 90 % held a system's "
    "human mean in 8 % of the draws"
)
"""What `reproduce claims` measured of such intervals, over fluency and correctness."""


def check_ratings_found(outputs: Outputs, found: Sequence[NDArray[np.float64]], named: Sequence[str] | None) -> None:
    """Check that ratings which name their systems are of any of these.

    Raises:
        InputError: where none is.
    """
    known = {alias for name, _ in outputs for alias in aliases(name)}
    strange = sorted(set(named or ()) - known)
    if strange and all(np.isnan(ratings).all() for ratings in found):
        raise InputError(
            f"the ratings are of {', '.join(strange[:5])}, and the systems are {', '.join(name for name, _ in outputs)}"
            ": none of their outputs is rated, and ratings of other systems say nothing about what people think of "
            f"these ({FROM_OTHERS})"
        )


def places_of_texts(outputs: Sequence[str], rated: Sequence[str], source: str) -> dict[str, list[int]]:
    """Return where each text stands in a system's outputs, after checking that the rated texts do.

    Raises:
        InputError: for rated texts that are no outputs.
    """
    places: dict[str, list[int]] = defaultdict(list)
    for place, text in enumerate(outputs):
        places[text].append(place)
    strangers = [text for text in rated if text not in places]
    if strangers:
        which = "none of" if len(strangers) == len(rated) else f"{len(strangers)} of"
        raise InputError(
            f"{source}: {which} the {len(rated)} rated texts {'are' if len(rated) > 1 else 'is'} among the outputs of "
            f"the system (for example {describe(strangers[0])}); ratings count for the system whose outputs they are of"
        )
    return places


def ratings_of_outputs(
    outputs: Iterable[str], rated_texts: Iterable[str], ratings: ArrayLike, *, source: str = "the ratings"
) -> NDArray[np.float64]:
    """Return each output's rating, NaN for outputs that nobody rated.

    A text that several raters judged has the mean of their ratings. Where a text stands in the outputs several times,
    as many of them are rated as it has ratings, so that a random draw of outputs to rate stays one.

    Args:
        outputs: n texts of one system.
        rated_texts: m texts, each among the outputs.
        ratings: one for each of them, shape (m,), finite.
        source: what to call the ratings in a message, such as the file's name.

    Returns:
        Shape (n,), float64.

    Raises:
        TypeError: for texts that are not strings or ratings that are not numbers.
        ValueError: for no outputs, unequal lengths or a rating that is not finite.
        InputError: for rated texts that are no outputs.

    >>> ratings_of_outputs(["a", "b", "a"], ["a", "b", "b"], [3, 4, 5]).tolist()
    [3.0, 4.5, nan]
    """
    texts = check_texts(outputs, "outputs", allow_empty=False)
    rated = check_texts(rated_texts, "rated_texts")
    values = check_ratings(ratings, "ratings", length=len(rated))
    places = places_of_texts(texts, rated, source)
    by_text: dict[str, list[float]] = defaultdict(list)
    for text, value in zip(rated, values, strict=True):
        by_text[text].append(float(value))
    result = np.full(len(texts), np.nan)
    for text, given in by_text.items():
        result[places[text][: len(given)]] = np.mean(given)
    return result


def check_same_scale(ratings: Mapping[str, NDArray[np.float64]]) -> None:
    """Check that several sets of ratings can be of one scale.

    Scales are told apart by the power of ten that their largest rating needs (1, 10, 100, …): ratings from 0 to 1, from
    1 to 7 and from 0 to 100 are of three. Two scales of one size, such as 1 to 5 and 1 to 7, cannot be told from the
    ratings. Ratings without a scale, such as magnitudes, pass where some are negative or where no median is more than
    five times another.

    Args:
        ratings: from a name, such as a file's, to the ratings, shape (n,) each; NaN and empty ones are left aside.

    Raises:
        InputError: for scales of different sizes; the message names them.
    """
    sizes: dict[int, str] = {}
    medians: list[float] = []
    for name, values in ratings.items():
        known = values[~np.isnan(values)]
        if len(known):
            size = math.ceil(math.log10(max(1.0, np.abs(known).max())))
            sizes.setdefault(size, f"{name} from {known.min():g} to {known.max():g}")
            medians.append(float(np.median(known)) if known.min() >= 0 else -1.0)
    if len(sizes) > 1 and min(medians) >= 0 and max(medians) > 5 * min(medians):
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
    check_ratings(known, "ratings")
    outside = known[(known < low) | (known > high)]
    if len(outside):
        raise InputError(f"a rating of {outside[0]:g} lies outside the scale from {low:g} to {high:g}")
    return (values - low) / (high - low)


def aliases(name: str) -> tuple[str, ...]:
    """Return how ratings may name the system of a file: with or without folder and suffix."""
    return name, Path(name).name, Path(name).stem
