"""The rated texts that resemble a text, by the n-grams that a model reads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from quality_estimation_metric.kernel_model.explanation import RatedNeighbor
from quality_estimation_metric.kernel_model.model import KernelModel
from quality_estimation_metric.kernel_model.vectors import TERMS
from quality_estimation_metric.sources.reading import Reading


def similar_rated_texts(
    reading: Reading,
    rated: Sequence[Reading],
    ratings: NDArray[np.float64],
    model: KernelModel,
    k: int,
) -> tuple[RatedNeighbor, ...]:
    """Return the `k` rated texts most similar to one, by the mean cosine of their n-grams; equal ones in order."""
    kinds = [kind for kind in ("characters", "words") if kind in model.vectorisers]
    similarity = np.zeros(len(rated))
    for kind in kinds:
        vectoriser = model.vectorisers[kind]
        pool = vectoriser.transform([TERMS[kind](item) for item in rated])
        one = vectoriser.transform([TERMS[kind](reading)])
        similarity += (pool @ one.T).toarray()[:, 0] / len(kinds)
    nearest = np.argsort(-similarity, kind="stable")[:k]
    return tuple(
        RatedNeighbor(rated[place].text, float(ratings[place]), min(1.0, float(similarity[place])))
        for place in nearest.tolist()
    )
