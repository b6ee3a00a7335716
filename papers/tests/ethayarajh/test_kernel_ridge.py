"""Kernel ridge against scikit-learn and against fitting anew without each text."""

import numpy as np
import pytest
from example_fits import CANDIDATES, POOL, RATED_POOL, fit
from numpy.testing import assert_allclose

from referenceless_papers.ethayarajh.kernel_ridge import NeighborKernelRidge


@pytest.mark.parametrize("alpha", [0.01, 0.03])
def test_estimates_are_those_of_ridge_regression_on_similarities(alpha):
    from sklearn.linear_model import Ridge

    ridge, fitted = NeighborKernelRidge(alphas=[alpha]).fit(*RATED_POOL), fit()
    rows, ratings = fitted.pool_.similarities(fitted.texts_), fitted.ratings_
    reference = Ridge(alpha=alpha * np.linalg.svd(rows - rows.mean(axis=0))[1][0] ** 2)
    expected = reference.fit(rows, ratings).predict(fitted.pool_.similarities(CANDIDATES))
    assert_allclose(ridge.predict(CANDIDATES), expected, atol=1e-8)
    for i in (0, 17, 95):  # leaving one out is fitting without it
        kept = np.arange(96) != i
        alone = reference.fit(rows[kept], ratings[kept]).predict(rows[i : i + 1])[0]
        assert ridge.leave_one_out()[i] == pytest.approx(alone, abs=1e-6)


def test_the_strength_has_the_least_left_out_error():
    chosen = NeighborKernelRidge().fit(*RATED_POOL)
    errors = {}
    for alpha in chosen.alphas:
        one = NeighborKernelRidge(alphas=[alpha]).fit(*RATED_POOL)
        errors[alpha] = np.mean((one.leave_one_out() - POOL.ratings) ** 2)
    assert errors[chosen.alpha_] == min(errors.values())
