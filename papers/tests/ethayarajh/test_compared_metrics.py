"""Metrics of different coverage, compared on their common texts."""

import math

import numpy as np
import pytest
from scipy import stats

from referenceless_papers.ethayarajh.compared_metrics import compare_metrics, paired_error_p_value
from referenceless_papers.statistics import williams_test

NAN = math.nan


def data(n=80, seed=0):
    rng = np.random.default_rng(seed)
    ratings = rng.normal(size=n)
    return ratings + rng.normal(size=n), ratings + 3 * rng.normal(size=n), ratings


def test_each_metric_on_its_own_texts_and_all_on_the_common_ones():
    good, poor, ratings = data()
    good[:20] = NAN
    poor[10:30] = NAN
    result = compare_metrics({"good": good, "poor": poor}, ratings, n_resamples=50)
    common = slice(30, None)
    first, second = result.metrics
    assert (result.n, result.n_common) == (80, 50)
    assert "50 of 80 texts that all of them cover" in result.statement
    assert (first.coverage, second.coverage) == (0.75, 0.75)
    assert first.own.n == second.own.n == 60
    assert first.common.value == pytest.approx(stats.spearmanr(good[common], ratings[common]).statistic)
    assert second.common_mse == pytest.approx(np.mean((poor[common] - ratings[common]) ** 2))
    assert second.own_mse == pytest.approx(np.nanmean((poor - ratings) ** 2))
    assert math.isnan(first.williams_p)
    r = [stats.spearmanr(a[common], b[common]).statistic for a, b in ((poor, ratings), (good, ratings), (good, poor))]
    assert second.williams_p == pytest.approx(williams_test(*r, 50).p_value)
    assert second.williams_p < 0.05
    assert second.error_p < 0.05


def test_paired_error_p_value_is_exact_for_few_texts():
    first, second, ratings = np.array([0.1, 0.5, 0.2, 0.9]), np.array([0.4, 0.6, 0.9, 0.8]), np.zeros(4)
    difference = first**2 - second**2
    signs = np.array(np.meshgrid(*[[-1, 1]] * 4)).reshape(4, -1)
    sums = signs.T @ difference
    above, below = np.mean(sums >= difference.sum() - 1e-12), np.mean(sums <= difference.sum() + 1e-12)
    assert paired_error_p_value(first, second, ratings) == pytest.approx(min(1, 2 * min(above, below)))
    assert math.isnan(paired_error_p_value([NAN], [1.0], [1.0]))
