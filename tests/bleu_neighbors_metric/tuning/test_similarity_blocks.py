"""Figures from blocks of similarities equal those of the estimator, also for texts without any tokens."""

import example_fits
import numpy as np
import pytest
import text_strategies
from example_fits import check_texts_without_tokens
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import spearmanr

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.tuning.coverage import coverage_by_threshold
from bleu_neighbors_metric.tuning.parts import estimates_in_parts, pool_learning_curve
from bleu_neighbors_metric.tuning.sweep import sweep

THRESHOLDS = [0.0, 0.02, 0.08, 0.2, 0.5, 1.0]


@pytest.mark.parametrize("n_pool", [1, 8])
@pytest.mark.parametrize("kernel, tokenize", [("bleu_star", "char"), ("bleu_star", "13a"), ("rouge_l", "char")])
@pytest.mark.filterwarnings("ignore:no text can be covered")
def test_texts_without_tokens_have_no_neighbours_even_at_threshold_0(kernel, tokenize, n_pool):
    check_texts_without_tokens(BLEUNeighbors(0.0, 1, 1.0, kernel=kernel, tokenize=tokenize), n_pool)


@pytest.mark.parametrize("weights", ["uniform", "similarity"])
def test_ratings_of_very_different_size_are_summed_as_by_the_estimator(weights):
    """One rating of 1e-9 among others of 1: no single machine word holds such sums."""
    pool = example_fits.POOL
    ratings = pool.ratings.copy()
    ratings[3], ratings[5] = 1e-9, 1e-300
    metric = BLEUNeighbors(min_neighbors=1, weights=weights).fit(pool.texts, ratings)
    predicted, left_out = metric.predict(pool.texts), metric.leave_one_out()
    same = assert_array_equal if weights == "uniform" else assert_allclose
    whole = np.ones((len(metric.texts_), 1))
    same(estimates_in_parts(metric, whole, pool.texts)[:, 0], predicted.values)
    same(estimates_in_parts(metric, whole)[:, 0], left_out.values)
    (setting,) = sweep(
        metric, thresholds=[metric.threshold_], min_neighbors=[1], max_fractions=[metric.max_fraction]
    ).settings
    last = pool_learning_curve(metric, n_draws=2).points[-1]
    assert (last.size, last.n_draws, last.coverage) == (96, 1, left_out.coverage)
    kept = left_out.covered
    error = np.mean((left_out.values - ratings)[kept] ** 2)
    assert (last.mse, setting.mse) == pytest.approx((error, error))
    assert last.spearman == pytest.approx(spearmanr(left_out.values[kept], ratings[kept]).statistic)
    assert np.isnan([last.spearman_std, last.coverage_std]).all()  # of one draw


@pytest.mark.parametrize("length", [14, 300, 700, 740, 745, 746, 747, 2000])
@pytest.mark.filterwarnings("ignore:no text can be covered")
def test_a_short_text_beside_a_long_one_is_covered_if_its_weight_is_a_number(length):
    metric = BLEUNeighbors(0.0, 1, 1.0, weights="similarity", ngram_orders=(1,)).fit(["0" * length], [3.0])
    assert coverage_by_threshold(metric, ["0"], [0.0]) == metric.predict(["0"]).coverage


@pytest.mark.parametrize("threshold", [5e-324, 1e-200, 1e-120, 1e-100, 1e-3])
@pytest.mark.parametrize("orders", [(1,), (1, 2), (2, 3, 4)])
def test_texts_that_share_nothing_are_no_neighbours_at_the_least_threshold(threshold, orders):
    pool = ["", "0000", "0000 " * 60]
    metric = BLEUNeighbors(threshold, 1, 1.0, tokenize="char", ngram_orders=orders).fit(pool, [1.0, 2.0, 3.0])
    candidates = ["0000", "1111", ""]
    assert coverage_by_threshold(metric, candidates, [threshold]) == metric.predict(candidates).coverage
    assert coverage_by_threshold(metric, None, [threshold]) == metric.leave_one_out().coverage


def test_a_text_that_shares_nothing_has_no_weight_at_threshold_0():
    metric = BLEUNeighbors(0.0, 1, 1.0, weights="similarity").fit(["", "0000"], [1.0, 2.0])
    assert coverage_by_threshold(metric, None, [0.0]) == metric.leave_one_out().coverage == 0.0


@given(
    text_strategies.pools,
    text_strategies.candidates,
    st.integers(1, 3),
    st.sampled_from([0.3, 0.66, 1.0]),
    st.sampled_from(["uniform", "similarity"]),
    st.sampled_from([(2, 3, 4), (1,), (1, 2), (1, 2, 3, 4)]),
    st.sampled_from(["none", "floor", "add-k", "exp"]),
)
@pytest.mark.filterwarnings("ignore:no text can be covered")
def test_as_the_estimator_at_each_threshold(pool, candidates, min_neighbors, max_fraction, weights, orders, smoothing):
    options = {"weights": weights, "ngram_orders": orders, "smooth_method": smoothing, "n_jobs": 2}
    metric = BLEUNeighbors(0.1, min_neighbors, max_fraction, **options).fit(pool, np.arange(len(pool)))
    for texts, at_one in ((candidates, lambda: metric.predict(candidates)), (None, metric.leave_one_out)):
        got = coverage_by_threshold(metric, texts, THRESHOLDS)
        expected = []
        for threshold in THRESHOLDS:
            metric.set_params(threshold=threshold).fit(pool, np.arange(len(pool)))
            expected.append(at_one().coverage)
        assert_array_equal(got, expected)
