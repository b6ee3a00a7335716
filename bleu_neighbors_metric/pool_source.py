"""A fitted estimator from whatever holds the rated pool: an estimator, texts and ratings, or an index file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.several_ratings import SeveralRatings
from metric_commons.metric import check_metric
from metric_commons.support.parameters import with_parameters_of


@with_parameters_of(BLEUNeighbors)
def bleu_neighbors(
    training_texts: Any = None,
    training_quality: Any = None,
    *,
    index: Any = None,
    estimator: BLEUNeighbors | SeveralRatings | None = None,
    allow_models: bool = False,
    **parameters: Any,
) -> BLEUNeighbors | SeveralRatings:
    """Return BLEU Neighbors with a pool of rated texts bound: what frameworks' adapters and commands make it with.

    Args:
        training_texts: the pool of rated texts. Alone in the first place, a path is an index and a fitted estimator is
            itself.
        training_quality: one rating for each of them, or a mapping from names to such ratings (see `SeveralRatings`).
        index: instead of the two, a file that `referenceless fit` or `BLEUNeighbors.save` wrote.
        estimator: instead of all these, a fitted estimator, which is returned.
        allow_models: whether a model that the index names may be loaded; see `BLEUNeighbors.load`.
        parameters: those of `BLEUNeighbors`; over an index, they replace those that it was saved with.

    Raises:
        TypeError: for an unknown parameter.
        NotFittedError: for an estimator that was not fitted.
        ValueError: where there is no pool, half a pool, or more than one.
        FileNotFoundError: where there is no such index file.
    """
    if training_quality is None and isinstance(training_texts, (BLEUNeighbors, SeveralRatings, str, os.PathLike)):
        if index is not None or estimator is not None:
            raise ValueError("Expected one pool of rated texts, but got two: by place and by name")
        if isinstance(training_texts, (str, os.PathLike)):
            index = training_texts
        else:
            estimator = training_texts
        training_texts = None
    pool = {"training_texts": training_texts, "training_quality": training_quality}
    missing = [f"`{name}`" for name, value in pool.items() if value is None]
    if estimator is not None:
        if parameters or index is not None or len(missing) < len(pool):
            raise ValueError("Expected either a fitted `estimator` or what to make one from, but got both")
        check_metric(estimator)
        return estimator
    if index is not None:
        if len(missing) < len(pool):
            raise ValueError("Expected either `index` or `training_texts` with `training_quality`, but got both")
        metric = BLEUNeighbors.load(index, allow_models=allow_models)
        return metric.set_params(**parameters) if parameters else metric
    if missing:
        raise ValueError(
            "BLEU Neighbors needs a pool of rated texts: give `training_texts` and `training_quality`, or `index` "
            f"(with `evaluate`: at load or to compute); missing: {', '.join(missing)}"
        )
    if isinstance(training_quality, Mapping):
        return SeveralRatings(training_texts, training_quality, **parameters)
    return BLEUNeighbors(**parameters).fit(training_texts, training_quality)
