"""Kernel ridge against scikit-learn and against fitting anew without each text."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.example import example_candidates, example_pool
from referenceless_papers.ethayarajh.kernel_ridge import NeighborKernelRidge


@pytest.fixture(scope="module")
def pool():
    return example_pool()


def test_estimates_are_those_of_ridge_regression_on_similarities(pool):
    from sklearn.linear_model import Ridge

    ridge = NeighborKernelRidge(alphas=[0.01]).fit(pool.texts, pool.ratings)
    fitted = BLEUNeighbors().fit(pool.texts, pool.ratings)
    rows = fitted.pool.similarities(fitted.texts_)
    strength = 0.01 * np.linalg.svd(rows - rows.mean(axis=0))[1][0] ** 2
    expected = Ridge(alpha=strength).fit(rows, fitted.ratings_).predict(fitted.pool.similarities(example_candidates()))
    assert_allclose(ridge.predict(example_candidates()), expected, atol=1e-8)


def test_leaving_one_out_is_fitting_without_it(pool):
    from sklearn.linear_model import Ridge

    ridge = NeighborKernelRidge(alphas=[0.03]).fit(pool.texts, pool.ratings)
    fitted = BLEUNeighbors().fit(pool.texts, pool.ratings)
    rows = fitted.pool.similarities(fitted.texts_)
    strength = 0.03 * np.linalg.svd(rows - rows.mean(axis=0))[1][0] ** 2
    for i in (0, 17, 95):
        kept = np.arange(96) != i
        expected = Ridge(alpha=strength).fit(rows[kept], fitted.ratings_[kept]).predict(rows[i : i + 1])[0]
        assert ridge.leave_one_out()[i] == pytest.approx(expected, abs=1e-6)


def test_the_strength_has_the_least_left_out_error(pool):
    chosen = NeighborKernelRidge().fit(pool.texts, pool.ratings)
    errors = {}
    for alpha in chosen.alphas:
        one = NeighborKernelRidge(alphas=[alpha]).fit(pool.texts, pool.ratings)
        errors[alpha] = np.mean((one.leave_one_out() - pool.ratings) ** 2)
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
