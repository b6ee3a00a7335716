"""The kernel model fitted to preferences: logistic ridge regression on the differences of pairs of texts.

The difference of two estimates is ln p / (1 - p), p being the probability that people prefer the first text (Bradley &
Terry 1952, "Rank analysis of incomplete block designs", Biometrika 39).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from metric_commons.assessment.conformal import ErrorScale
from metric_commons.support.types import Integers
from quality_estimation_metric.kernel_model.features import TextFeatures
from quality_estimation_metric.kernel_model.model import (
    KernelModel,
    Parts,
    feature_shares,
    feature_table,
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
        groups: of the pairs, shape (n,).
        min_df: in how many texts an n-gram must occur to have a weight.

    Returns:
        The model, whose training texts have 0 as mean estimate; and the share of pairs that models without their groups
        put in the right order, where equal estimates count half.
    """
    n = len(texts) // 2
    vectorisers, vectors = vectorise(texts, min_df)
    names, table = feature_table(texts, None)
    centre, spread, features = learn_scales(table)
    parts = Parts() if texts.sources else Parts(source=0.0, errors=False)
    kept, shares = feature_shares(names, parts)
    features = features[:, kept]
    differences = {kind: rows[:n] - rows[n:] for kind, rows in vectors.items() if part_weight(parts, kind) > 0}
    of_features = features[:n] - features[n:]
    kernel = kernel_of(gram_matrices(differences), of_features, shares, parts)
    fitted = choose_ridge(kernel, np.ones(n), groups, fit_logistic)
    model = KernelModel(
        vectorisers={kind: vectorisers[kind] for kind in differences},
        weights={
            kind: single(part_weight(parts, kind) * (rows.T @ fitted.coefficients))
            for kind, rows in differences.items()
        },
        names=tuple(np.array(names)[kept].tolist()),
        centre=centre[kept],
        spread=spread[kept],
        feature_weights=single(shares * (of_features.T @ fitted.coefficients)),
        intercept=0.0,
        bounds=_WITHOUT_BOUNDS,
        scale=ErrorScale(np.zeros(int(kept.sum())), 1.0),
        quotients=np.empty(0),
        penalty=fitted.penalty,
        parts=parts,
    )
    mean = float(model.raw_estimates(texts)[0].mean())
    correct = float(((np.sign(fitted.left_out) + 1) / 2).mean())
    return replace(model, intercept=-float(np.float32(mean))), correct
