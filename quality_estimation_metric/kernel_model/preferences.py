"""The kernel model fitted to preferences: logistic ridge regression on the differences of pairs of texts.

The difference of two estimates is ln p / (1 - p), p being the probability that people prefer the first text (Bradley &
Terry 1952, "Rank analysis of incomplete block designs", Biometrika 39).
"""

from __future__ import annotations

import numpy as np

from metric_commons.assessment.conformal import ErrorScale
from metric_commons.support.validation import Integers
from quality_estimation_metric.kernel_model.features import TextFeatures
from quality_estimation_metric.kernel_model.model import (
    KernelModel,
    Parts,
    feature_shares,
    gram_matrices,
    kernel_of,
    learn_scales,
    part_weight,
    single,
    vectorise,
)
from quality_estimation_metric.kernel_model.ridge import choose_ridge, fit_logistic

_WITHOUT_BOUNDS = (-1e100, 1e100)


def fit_preferences(texts: TextFeatures, groups: Integers, *, min_df: int = 1) -> tuple[KernelModel, float]:
    """Fit on n pairs; the penalty is chosen by leaving groups out.

    Args:
        texts: the n better texts and then the n worse ones.
        groups: of the pairs, shape (n,), or their texts, shape (n, 2) (see `left_out_blocks`).
        min_df: in how many texts an n-gram must occur to have a weight.

    Returns:
        The model, and the share of pairs that models without their groups put in the right order.
    """
    n = len(texts) // 2
    vectorisers, vectors = vectorise(texts, min_df)
    centre, spread, features = learn_scales(texts.features)
    parts = Parts(source=0.5 if texts.sources else 0.0)
    _, shares = feature_shares(texts.names, parts)
    differences = {kind: rows[:n] - rows[n:] for kind, rows in vectors.items()}
    of_features = features[:n] - features[n:]
    kernel = kernel_of(gram_matrices(differences), of_features, shares, parts)
    fitted = choose_ridge(kernel, np.ones(n), groups, fit_logistic)
    model = KernelModel(
        vectorisers,
        {kind: single(part_weight(parts, kind) * (rows.T @ fitted.coefficients)) for kind, rows in differences.items()},
        texts.names,
        centre,
        spread,
        single(shares * (of_features.T @ fitted.coefficients)),
        intercept=0.0,
        bounds=_WITHOUT_BOUNDS,
        scale=ErrorScale(np.zeros(len(shares)), 1.0),
        quotients=np.empty(0),
        penalty=fitted.penalty,
        parts=parts,
    )
    return model, float(np.mean(fitted.left_out > 0))
