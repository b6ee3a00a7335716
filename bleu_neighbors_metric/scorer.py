"""BLEU Neighbors with its pool bound: what the adapters of other frameworks are made from."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.pool_source import estimator_from
from metric_commons.text_scorer import TextScorer


def bleu_neighbors_scorer(
    estimator: BLEUNeighbors | None = None,
    *,
    training_texts: Any = None,
    training_quality: Any = None,
    index: Any = None,
    **parameters: Any,
) -> TextScorer:
    """Bind a pool of rated texts.

    Args:
        estimator: a fitted estimator; or else
        training_texts: the pool's texts, with
        training_quality: one rating for each; or else
        index: a file that `bleu-neighbors fit` or `BLEUNeighbors.save` wrote.
        parameters: those of `BLEUNeighbors`; over an index, they replace those that it was saved with.

    Raises:
        TypeError: for an unknown parameter.
        ValueError: where there is no pool, or more than one.
        FileNotFoundError: where there is no such index file.
    """
    if estimator is None:
        estimator = estimator_from(
            training_texts=training_texts, training_quality=training_quality, index=index, **parameters
        )
    elif parameters or any(value is not None for value in (training_texts, training_quality, index)):
        raise ValueError("Expected either a fitted `estimator` or what to make one from, but got both")
    # a partial of a function, and not a lambda: adapters are pickled
    return TextScorer("bleu_neighbors", estimator.signature, partial(_quality, estimator))


def _quality(estimator: BLEUNeighbors, texts: list[str], _: Any) -> NDArray[np.float64]:
    return estimator.predict(texts).quality
