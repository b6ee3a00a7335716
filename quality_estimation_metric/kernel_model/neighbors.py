"""The rated texts that resemble a text, by the n-grams that a model reads."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from quality_estimation_metric.kernel_model.described import Described
from quality_estimation_metric.kernel_model.explanation import RatedNeighbor
from quality_estimation_metric.kernel_model.model import KernelModel


def similar_rated_texts(
    text: Described,
    rated: Described,
    ratings: NDArray[np.float64],
    model: KernelModel,
    k: int,
) -> tuple[RatedNeighbor, ...]:
    """Return the `k` rated texts most similar to one, by the mean cosine of their n-grams; equal ones in order."""
    kinds = [kind for kind in ("characters", "words") if kind in model.vectorisers]
    similarity = np.zeros(len(rated))
    for kind in kinds:
        vectoriser = model.vectorisers[kind]
        pool, one = vectoriser.transform(rated.counts[kind]), vectoriser.transform(text.counts[kind])
        similarity += (pool @ one.T).toarray()[:, 0] / len(kinds)
    nearest = np.argsort(-similarity, kind="stable")[:k]
    return tuple(
        RatedNeighbor(rated.readings[place].text, float(ratings[place]), min(1.0, float(similarity[place])))
        for place in nearest.tolist()
    )
