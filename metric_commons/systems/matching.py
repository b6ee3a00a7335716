"""Ratings brought to the outputs that they are of, by their text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metric_commons.support.errors import InputError
from metric_commons.support.validation import check_quality, check_texts, describe


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
    values = check_quality(ratings, "ratings", length=len(rated))
    places: dict[str, list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        places[text].append(place)
    strangers = [text for text in rated if text not in places]
    if strangers:
        which = "none of" if len(strangers) == len(rated) else f"{len(strangers)} of"
        raise InputError(
            f"{source}: {which} the {len(rated)} rated texts {'are' if len(rated) > 1 else 'is'} among the outputs of "
            f"the system (for example {describe(strangers[0])}); ratings count for the system whose outputs they are of"
        )
    by_text: dict[str, list[float]] = defaultdict(list)
    for text, value in zip(rated, values, strict=True):
        by_text[text].append(float(value))
    result = np.full(len(texts), np.nan)
    for text, given in by_text.items():
        result[places[text][: len(given)]] = np.mean(given)
    return result
