"""A fitted estimator from whatever holds one: an estimator, a file, or rated texts."""

from __future__ import annotations

import os
from typing import Any

from metric_commons.metric import one_source
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
    sources = {"rated_texts": rated_texts, "model_file": model_file, "estimator": estimator}
    source = one_source((QualityEstimator,), sources, ratings, parameters, rated_sources)
    if ratings is not None:
        return QualityEstimator(**parameters).fit(source, ratings, sources=rated_sources)
    if not (source is None or isinstance(source, (str, os.PathLike))):
        fitted: QualityEstimator = source
        return fitted
    unknown = sorted(set(parameters) - {"level"})
    if unknown:
        raise TypeError(
            f"Expected no argument beside `model_file` but `level`, since the model in the file is fitted, but got "
            f"{', '.join(f'`{name}`' for name in unknown)}"
        )
    found = QualityEstimator.load(source or DEFAULT)
    return found.set_params(**parameters) if parameters else found
