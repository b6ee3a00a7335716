"""A fitted estimator from whatever holds one: an estimator, a file, or rated texts."""

from __future__ import annotations

import os
from typing import Any

from metric_commons.metric import check_metric
from metric_commons.support.parameters import with_parameters_of
from quality_estimation_metric.estimator import QualityEstimator

DEFAULT = "default"


@with_parameters_of(QualityEstimator)
def quality_estimation(
    rated_texts: Any = None,
    ratings: Any = None,
    *,
    rated_sources: Any = None,
    model_file: Any = None,
    estimator: QualityEstimator | None = None,
    **parameters: Any,
) -> QualityEstimator:
    """Return quality estimation with a model bound: what frameworks' adapters and commands make it with.

    Args:
        rated_texts: rated texts to fit a model on. Alone in the first place, a path is a model file and a fitted
            estimator is itself.
        ratings: one rating for each of them.
        rated_sources: what each was made from; None without.
        model_file: instead of these, a file that `QualityEstimator.save` or `referenceless fit` wrote, or `"default"`
            for the packaged model of restaurants and hotels, which is taken where nothing else is given.
        estimator: instead of all these, a fitted estimator, which is returned.
        parameters: those of `QualityEstimator`; over a file, `level` alone.

    Raises:
        TypeError: for an unknown parameter.
        NotFittedError: for an estimator that was not fitted.
        ValueError: for more than one of the three, or texts without ratings; as `fit` and `load` raise.
        FileNotFoundError: where there is no such file.
    """
    if ratings is None and isinstance(rated_texts, (QualityEstimator, str, os.PathLike)):
        if model_file is not None or estimator is not None:
            raise ValueError("Expected either an estimator or what to make one from, but got both")
        if isinstance(rated_texts, QualityEstimator):
            estimator = rated_texts
        else:
            model_file = rated_texts
        rated_texts = None
    given = (rated_texts, ratings, rated_sources)
    if estimator is not None:
        if parameters or model_file is not None or any(part is not None for part in given):
            raise ValueError("Expected either a fitted `estimator` or what to make one from, but got both")
        check_metric(estimator)
        return estimator
    if any(part is not None for part in given):
        if model_file is not None:
            raise ValueError("Expected either `model_file` or `rated_texts` with `ratings`, but got both")
        if rated_texts is None or ratings is None:
            raise ValueError("Expected `rated_texts` with `ratings`, but got one without the other")
        return QualityEstimator(**parameters).fit(rated_texts, ratings, sources=rated_sources)
    unknown = sorted(set(parameters) - {"level"})
    if unknown:
        raise TypeError(
            f"Expected no argument beside `model_file` but `level`, since the model in the file is fitted, but got "
            f"{', '.join(f'`{name}`' for name in unknown)}"
        )
    found = QualityEstimator.load(DEFAULT if model_file is None else model_file)
    return found.set_params(**parameters) if parameters else found
