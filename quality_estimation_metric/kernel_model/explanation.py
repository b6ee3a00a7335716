"""Explanation of an estimate: the part of each n-gram and feature, the slots, and rated texts like the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from quality_estimation_metric.kernel_model.features import TextFeatures
from quality_estimation_metric.kernel_model.model import Contribution, KernelModel
from quality_estimation_metric.kernel_model.vectors import CHARACTER_ORDERS
from quality_estimation_metric.sources.slot_errors import SlotErrors
from referenceless_metrics.core.support.validation import Floats


@dataclass(frozen=True)
class RatedNeighbor:
    """A rated text that resembles another.

    Attributes:
        text: the rated text.
        rating: its rating.
        similarity: the cosine of the two texts' n-grams, in [0, 1].
    """

    text: str
    rating: float
    similarity: float


@dataclass(frozen=True)
class Explanation:
    """Explanation of one estimate.

    Attributes:
        estimate: the estimate, within the range of the ratings.
        lower: the lower end of its interval.
        upper: the upper end.
        intercept: the estimate of a text about which nothing is known.
        contributions: addition of each term, the largest first; with `intercept` they sum to the estimate, except where
            the bounds of the ratings cut it off.
        characters: addition of each character of `text`: the contribution of every n-gram, shared out over its
            characters in all its occurrences.
        text: the text that `characters` belongs to: with white space as single spaces.
        slots: the text's slot errors against its source.
        neighbors: rated texts that resemble it most; none for a model that keeps no texts.
    """

    estimate: float
    lower: float
    upper: float
    intercept: float
    contributions: tuple[Contribution, ...]
    characters: tuple[float, ...]
    text: str
    slots: SlotErrors
    neighbors: tuple[RatedNeighbor, ...] = ()


def explain_text(model: KernelModel, text: TextFeatures, level: float) -> Explanation:
    """Explain the estimate of one text, without rated neighbours."""
    (reading,) = text.readings
    estimate, lower, upper = (end.item() for end in model.predict_interval(text, level))
    contributions = sorted(model.contributions(text), key=lambda item: (-abs(item.value), item.kind, item.term))
    return Explanation(
        estimate=estimate,
        lower=lower,
        upper=upper,
        intercept=model.intercept,
        contributions=tuple(contributions),
        characters=spread_over_characters(reading.text, contributions),
        text=reading.text,
        slots=reading.errors,
    )


def spread_over_characters(text: str, contributions: Sequence[Contribution]) -> tuple[float, ...]:
    """Share the contributions of character n-grams out over the characters of a text.

    Every occurrence of an n-gram takes an equal share, and every character of an occurrence an equal share of that; the
    share of the spaces around the text goes to none of its characters.
    """
    added = {item.term: item.value for item in contributions if item.kind == "characters"}
    padded = f" {text.lower()} "
    if len(padded) != len(text) + 2:  # lower-casing changed the length (İ): the places cannot be told
        return (0.0,) * len(text)
    places: dict[str, list[int]] = {}
    for order in CHARACTER_ORDERS:
        for begin in range(len(padded) - order + 1):
            places.setdefault(padded[begin : begin + order], []).append(begin)
    shares = [0.0] * len(padded)
    for term, begins in places.items():
        share = added.get(term, 0.0) / (len(begins) * len(term))
        for begin in begins:
            for place in range(begin, begin + len(term)):
                shares[place] += share
    return tuple(shares[1:-1])


def similar_rated_texts(
    text: TextFeatures,
    rated: TextFeatures,
    ratings: Floats,
    model: KernelModel,
    k: int,
) -> tuple[RatedNeighbor, ...]:
    """Return the `k` rated texts most similar to one, by the mean cosine of their n-grams; equal ones in order."""
    kinds = [kind for kind in ("characters", "words") if kind in model.vectorisers]
    similarity = np.zeros(len(rated))
    for kind in kinds:
        vectoriser = model.vectorisers[kind]
        pool, row = vectoriser.transform(rated.symbols[kind]), vectoriser.transform(text.symbols[kind])
        similarity += (pool @ row.T).toarray()[:, 0] / len(kinds)
    nearest = np.argsort(-similarity, kind="stable")[:k]
    return tuple(
        RatedNeighbor(rated.readings[place].text, float(ratings[place]), min(1.0, float(similarity[place])))
        for place in nearest.tolist()
    )
