"""Calibration: its figures against their definitions, and what it says in words."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.example import example_pool
from bleu_neighbors_metric.tuning.calibration import calibrate, figures
from metric_commons.results import TOO_FEW, TOO_MANY


@pytest.fixture(scope="module")
def pool():
    return example_pool()


def test_figures_equal_their_definitions(pool):
    from scipy.stats import pearsonr, spearmanr

    metric = BLEUNeighbors().fit(pool.texts, pool.quality)
    result = calibrate(metric)
    errors, baseline, estimates, ratings = [], [], [], []
    few = many = 0
    for i, text in enumerate(pool.texts):
        others = BLEUNeighbors().fit(pool.texts[:i] + pool.texts[i + 1 :], np.delete(pool.quality, i))
        one = others.predict([text])
        few += one.abstentions[TOO_FEW]
        many += one.abstentions[TOO_MANY]
        if one.covered[0]:
            errors.append((one.values[0] - pool.quality[i]) ** 2)
            baseline.append((np.delete(pool.quality, i).mean() - pool.quality[i]) ** 2)
            estimates.append(one.values[0])
            ratings.append(pool.quality[i])
    assert (result.n_texts, result.n_ratings) == (96, 96)
    assert (result.n_too_few, result.n_too_many) == (few, many)
    assert result.coverage == len(errors) / 96
    assert result.mean_squared_error == pytest.approx(np.mean(errors), abs=1e-12)
    assert result.baseline_error == pytest.approx(np.mean(baseline), abs=1e-12)
    for figure, test in ((result.spearman, spearmanr), (result.pearson, pearsonr)):
        assert figure.value == pytest.approx(test(estimates, ratings).statistic, abs=1e-9)
        assert figure.p_value == pytest.approx(test(estimates, ratings).pvalue, rel=1e-6)
        assert figure.low < figure.value < figure.high
        assert figure.n == len(errors)
    assert result.trustworthy
    assert "better than chance" in result.findings[0]
    assert figures(result)["spearman"] == result.spearman.value


def test_an_empty_text_counts_among_those_with_too_few_neighbours(pool):
    result = calibrate(BLEUNeighbors().fit(["", *pool.texts], [0.5, *pool.quality]))
    assert result.n_too_few >= 1
    assert result.n_too_few + result.n_too_many == round((1 - result.coverage) * result.n_texts)


def test_a_pool_of_random_ratings_is_said_to_predict_no_better_than_its_mean(pool):
    shuffled = np.random.default_rng(1).permutation(pool.quality)
    result = calibrate(BLEUNeighbors().fit(pool.texts, shuffled))
    assert not result.trustworthy
    assert any("predicts no better than its mean" in finding for finding in result.findings)


def test_word_tokens_on_headlines_are_explained(data_dir):
    from metric_commons.datasets import load_rated

    pool = load_rated("huse:summarization", data_dir=str(data_dir("huse")))
    result = calibrate(BLEUNeighbors(tokenize="none").fit(pool.texts, pool.quality))
    assert result.coverage == 0.0
    assert math.isnan(result.mean_squared_error)
    said = " ".join(result.findings)
    assert "Coverage is 0.00: 198 of 198 texts have fewer than 5 neighbours" in said
    assert "99.9% of the pairs have similarity 0, because without smoothing two texts must share a 4-gram" in said
    assert "--tokenize char" in said
    assert "--smooth-method exp" in said


def test_too_many_neighbours_are_explained(pool):
    result = calibrate(BLEUNeighbors(0.0).fit(pool.texts, pool.quality))
    assert (result.coverage, result.n_too_many) == (0.0, 96)
    assert any("a higher threshold, or max_fraction=1" in finding for finding in result.findings)


@pytest.mark.filterwarnings("ignore:no text can be covered")
def test_pools_that_hold_no_information_are_explained(pool):
    one = calibrate(BLEUNeighbors().fit(["a text", "a text"], [0.1, 0.2]))
    assert one.findings == ("The pool holds one distinct text: nothing can be left out. Rate more texts.",)
    constant = calibrate(BLEUNeighbors().fit(pool.texts, np.full(96, 0.5)))
    assert math.isnan(constant.spearman.value)
    assert any("same rating" in finding for finding in constant.findings)
    assert not constant.trustworthy
