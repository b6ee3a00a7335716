"""Kernel ridge against scikit-learn and against fitting anew without each text."""

import numpy as np
import pytest
from example_fits import CANDIDATES, POOL, RATED_POOL, fit
from numpy.testing import assert_allclose, assert_array_equal

from bleu_neighbors_metric import BLEUNeighbors
from referenceless_papers.ethayarajh.kernel_ridge import NeighborKernelRidge


@pytest.mark.parametrize("alpha", [0.01, 0.03])
def test_estimates_are_those_of_ridge_regression_on_similarities(alpha):
    from sklearn.linear_model import Ridge

    ridge, fitted = NeighborKernelRidge(alphas=[alpha]).fit(*RATED_POOL), fit()
    rows, ratings = fitted.pool.similarities(fitted.texts_), fitted.ratings_
    reference = Ridge(alpha=alpha * np.linalg.svd(rows - rows.mean(axis=0))[1][0] ** 2)
    expected = reference.fit(rows, ratings).predict(fitted.pool.similarities(CANDIDATES))
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


@pytest.mark.filterwarnings("ignore:no text can be covered")
def test_pools_without_information_predict_their_mean():
    unlike = NeighborKernelRidge().fit(["aaaaaa", "bbbbbb"], [0.2, 0.4])
    assert unlike.predict(["zzzzzz"])[0] == pytest.approx(0.3, abs=0.05)
    constant = NeighborKernelRidge().fit(["a text", "another text", "a third"], [0.5] * 3)
    assert_allclose(constant.predict(["some text", "a"]), 0.5)
    alone = NeighborKernelRidge().fit(["a text"], [0.5])
    assert alone.predict(["x"])[0] == 0.5


def test_a_text_without_tokens_is_undefined_as_for_the_estimator():
    pool, ratings = ["a b c d e", "a b c d f", "x y z w v"], [1.0, 0.9, 0.0]
    estimator = BLEUNeighbors(0.0, 1, 1.0, tokenize="none")
    candidates = ["   ", "", "a b c d"]
    undefined = np.isnan(estimator.fit(pool, ratings).predict(candidates).values)
    assert undefined.tolist() == [True, True, False]
    assert_array_equal(np.isnan(NeighborKernelRidge(estimator).fit(pool, ratings).predict(candidates)), undefined)
