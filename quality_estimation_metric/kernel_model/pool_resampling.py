"""Estimates had other texts been rated: how much of an estimate is the accident of which ones were.

Every group of rated texts gets a weight, drawn at random (Rubin 1981, "The Bayesian bootstrap", Annals of Statistics
9(1)). Ridge regression with weights w has coefficients a(w) = (K + αW⁻¹)⁻¹r, which would take a factorisation a draw.
What is computed instead is linear in w: a(w) ≈ a + A⁻¹(e ⊙ (w − 1)), where e is a row's influence (Efron 1982, "The
Jackknife, the Bootstrap and Other Resampling Plans", chapters 3 and 6). With the residuals αa the spread comes out too
small, with those of left-out groups (see `ridge`) too large; e is their geometric mean, which for single rows is what
MacKinnon & White (1985, "Some heteroskedasticity-consistent covariance matrix estimators", Journal of Econometrics 29)
call HC2. The vocabulary, the features' scales, the parts and the penalty stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from metric_commons.support.computing import matmul, one_blas_thread
from metric_commons.support.validation import Floats, Integers
from quality_estimation_metric.kernel_model.features import TextFeatures
from quality_estimation_metric.kernel_model.model import KernelModel, gram_matrices, kernel_of
from quality_estimation_metric.kernel_model.ridge import INTERCEPT, fit_ridge


def kernel_resampler(
    model: KernelModel,
    rated: TextFeatures,
    ratings: Floats,
    groups: Integers,
    n_resamples: int,
    seed: int | None,
) -> Callable[[TextFeatures], Floats]:
    """Return what estimates texts by each of r models that resampled ratings would have given, shape (c, r).

    Args:
        model: fitted, without references.
        rated: the n texts that it was fitted on.
        ratings: theirs, shape (n,).
        groups: of each, shape (n,); a group is drawn as a whole.
        n_resamples: r.
        seed: of the weights; None for others at each call.
    """
    from scipy.linalg import cho_factor, cho_solve

    vectors = {kind: vectoriser.transform(rated.symbols[kind]) for kind, vectoriser in model.vectorisers.items()}
    features = model.features(rated)
    kernel = kernel_of(gram_matrices(vectors), features, model.parts)
    ridge = fit_ridge(kernel, ratings - ratings.mean(), groups, model.penalty)
    influence = np.sign(ridge.left_out) * np.sqrt(np.maximum(ridge.left_out * model.penalty * ridge.coefficients, 0.0))
    _, group = np.unique(groups, return_inverse=True)
    drawn = np.random.default_rng(seed).standard_exponential((int(group.max()) + 1, n_resamples)) - 1
    matrix = kernel + INTERCEPT
    matrix[np.diag_indices(len(matrix))] += model.penalty
    with one_blas_thread():
        changes = cho_solve(cho_factor(matrix, lower=True, overwrite_a=True), influence[:, None] * drawn[group])
    of_intercept = INTERCEPT * changes.sum(axis=0)
    of_features = model.parts.features / len(model.names) * matmul(features.T, changes)

    def resampled(texts: TextFeatures) -> Floats:
        estimates, of_texts = model.raw_estimates(texts)
        changed = estimates[:, None] + of_intercept + matmul(of_texts, of_features)
        for kind, vectoriser in model.vectorisers.items():
            similarity = vectoriser.transform(texts.symbols[kind]) @ vectors[kind].T
            changed += model.parts.weight(kind) * (similarity @ changes)
        return np.asarray(np.clip(changed, *model.bounds))

    return resampled
