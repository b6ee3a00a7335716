"""Estimates for prediction-powered inference where the ratings also train the estimator.

Zrnic & Candès (2024), "Cross-prediction-powered inference", PNAS 121(15): the rated outputs are put into folds, and
each fold is estimated by a model that has not seen it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from metric_commons.assessment.folds import Fit, random_folds, splits
from metric_commons.support.validation import Floats, check_whole


def cross_fitted_estimates(
    fit: Fit,
    outputs: Sequence[str],
    ratings: Floats,
    *,
    pool_texts: Sequence[str] = (),
    pool_ratings: ArrayLike = (),
    n_folds: int = 10,
    seed: int = 12345,
) -> Floats:
    """Estimate all outputs of a system with models that its ratings help to train, no rated one with its own rating.

    An unrated output has the mean of the models' estimates. The estimates of a fold are shifted by how its model's mean
    over the unrated outputs differs from that of all models, so that the models' differences cancel.

    Args:
        fit: trains a model on rated texts.
        outputs: n texts.
        ratings: of the outputs, shape (n,), NaN for the unrated; at least one is rated.
        pool_texts: further rated texts, of any system, for every model.
        pool_ratings: their ratings, on the same scale.
        n_folds: at least 2; no more than there are rated outputs are used.
        seed: of the folds.

    Returns:
        Shape (n,), float64, finite: where a model abstains, its mean estimate of the unrated outputs stands.

    Raises:
        ValueError: for fewer than two folds.
    """
    check_whole(n_folds, "n_folds", 2)
    rated = np.flatnonzero(~np.isnan(ratings))
    unrated = np.flatnonzero(np.isnan(ratings))
    folds = random_folds(np.arange(len(rated)), min(n_folds, max(len(rated), 2)), seed)
    result = np.zeros(len(outputs))
    sum_unrated = np.zeros(len(unrated))
    means = np.zeros(len(rated))
    for others, fold in splits(folds):
        inside, outside = rated[fold], rated[others]
        predict = fit([*pool_texts, *(outputs[i] for i in outside)], np.concatenate([pool_ratings, ratings[outside]]))
        wanted = np.concatenate([inside, unrated])
        estimates = np.array(predict([outputs[i] for i in wanted]), dtype=np.float64)
        of_unrated = estimates[len(inside) :]
        known = of_unrated[~np.isnan(of_unrated)]
        if not len(known):  # no unrated output, or none that the model covers
            known = estimates[~np.isnan(estimates)]
        mean = float(known.mean()) if len(known) else 0.0
        estimates[np.isnan(estimates)] = mean
        result[inside] = estimates[: len(inside)]
        means[fold] = mean
        sum_unrated += estimates[len(inside) :] * (len(inside) / len(rated))
    result[unrated] = sum_unrated
    if len(unrated):
        result[rated] += sum_unrated.mean() - means
    return result
