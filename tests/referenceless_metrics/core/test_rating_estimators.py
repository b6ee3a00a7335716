"""Estimators of ratings in scikit-learn's hands: tags, scores, clones, and texts without an estimate.

Stacking runs in the guide to scikit-learn.
"""

import math
import warnings

import numpy as np
import pytest
from example_fits import RATED_POOL
from numpy.testing import assert_allclose, assert_array_equal
from refusals import refused
from scipy.stats import spearmanr
from sklearn.base import clone, is_regressor
from sklearn.metrics import mean_squared_error, r2_score
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict, cross_val_score
from sklearn.utils.estimator_checks import check_estimator

from bleu_neighbors_metric import BLEUNeighbors
from quality_estimation_metric import QualityEstimator
from referenceless_metrics.core.metric import check_metric
from slor_metric import ROUGELM, SLOR, WPSLOR
from slor_metric.fluency import FluencyNgram

TEXTS, RATINGS = RATED_POOL
KINDS = [BLEUNeighbors, pytest.param(QualityEstimator, marks=pytest.mark.long)]


def parts(n_splits=4):
    for train, test in KFold(n_splits).split(TEXTS):
        yield [TEXTS[i] for i in train], RATINGS[train], [TEXTS[i] for i in test], RATINGS[test]


def test_both_kinds_say_the_same_of_the_same_ratings_with_a_file_or_without(tmp_path):
    texts, ratings = [*TEXTS[:25], TEXTS[0]], [1.0] * 24 + [5.0, 1.0]
    words = "26 ratings of 25 distinct texts, from 1 to 5, whose mean is 1.15"
    pool, trained = (kind().fit(texts, ratings) for kind in (BLEUNeighbors, QualityEstimator))
    assert pool.learned_from_ == trained.learned_from_ == words
    assert trained.mean_rating_ == np.mean(ratings) != trained.model_.intercept
    trained.save(tmp_path / "of_ratings", texts=False)
    loaded = QualityEstimator.load(tmp_path / "of_ratings")
    assert loaded.mean_rating_ == trained.mean_rating_
    assert loaded.learned_from_ == words.replace(
        "of 25 distinct texts", "or means of several"
    )  # the texts are not there to be counted
    preferred = QualityEstimator().fit_preferences(TEXTS[:20], TEXTS[20:40])
    assert preferred.learned_from_ == "20 pairs of texts of which people preferred one"


@pytest.mark.parametrize("kind", [BLEUNeighbors, QualityEstimator])
def test_means_of_a_texts_ratings_are_not_counted_as_ratings(kind):
    rated = kind().fit(TEXTS[:25], [1.0] * 24 + [3.5])
    words = "25 texts, each with a rating or the mean of several, from 1 to 3.5, whose mean is 1.1"
    assert rated.learned_from_ == words


@pytest.mark.parametrize("kind", KINDS)
def test_they_are_regressors_whose_score_is_r_squared(kind):
    estimator = kind()
    assert is_regressor(estimator)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Can't test estimator")  # most checks are of tables of numbers
        assert {check["status"] for check in check_estimator(estimator, on_skip=None)} == {"passed"}
    for texts, ratings, others, theirs in parts():
        estimator.fit(texts, ratings)
        values = estimator.predict(others).values
        filled = np.where(np.isnan(values), estimator.mean_rating_, values)
        assert estimator.score(others, theirs) == pytest.approx(r2_score(theirs, filled))
        assert estimator.spearman(others, theirs) == pytest.approx(spearmanr(filled, theirs).statistic)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert math.isfinite(cross_val_score(kind(), TEXTS, RATINGS, cv=4).sum())


def test_texts_without_an_estimate_reach_scikit_learn_as_nan():
    estimates = cross_val_predict(BLEUNeighbors(), TEXTS, RATINGS, cv=4)
    expected = np.concatenate([BLEUNeighbors().fit(*part[:2]).predict(part[2]).values for part in parts()])
    assert np.isnan(expected).any()
    assert_array_equal(estimates, expected)


@pytest.mark.parametrize("kind", KINDS)
def test_fill_makes_every_text_finite_and_hides_nothing(kind):
    texts = [*TEXTS[:8], "", "ξένος"]
    plain, filled = kind().fit(TEXTS, RATINGS).predict(texts), kind(fill="mean").fit(TEXTS, RATINGS)
    result = filled.predict(texts)
    assert np.isfinite(result.values).all()
    assert_array_equal(result.filled, np.isnan(plain.values))
    assert_array_equal(result.values[result.filled], np.full(result.filled.sum(), filled.mean_rating_))
    assert (result.mean, result.coverage, result.reasons) == (plain.mean, plain.coverage, plain.reasons)
    assert "|fill:mean|" in result.signature
    with refused("`fill` to be one of {'mean'}, but got 'zero'"):
        kind(fill="zero").fit(TEXTS, RATINGS)
    with refused("Expected a metric without `fill`"):
        check_metric(filled)


def test_a_search_picks_what_a_loop_finds():
    def error(threshold):
        filled = [BLEUNeighbors(threshold, fill="mean").fit(*part[:2]).predict(part[2]) for part in parts()]
        return np.mean([mean_squared_error(part[3], result) for part, result in zip(parts(), filled, strict=True)])

    thresholds = ["auto", 0.02, 0.2]
    search = GridSearchCV(BLEUNeighbors(fill="mean"), {"threshold": thresholds}, scoring="neg_mean_squared_error", cv=4)
    search.fit(TEXTS, RATINGS)
    assert search.best_params_["threshold"] == min(thresholds, key=error)
    assert_allclose(-search.cv_results_["mean_test_score"], list(map(error, thresholds)))


@pytest.mark.parametrize("metric", [SLOR(), WPSLOR(measure="penlp"), ROUGELM(stem=False), FluencyNgram()])
def test_metrics_without_ratings_are_cloned(metric):
    twin = clone(metric)
    assert twin is not metric
    assert repr(twin) == repr(metric) != repr(type(metric)(max_unknown=0.9))
    assert (twin.signature, twin.get_params()) == (metric.signature, metric.get_params())
    assert twin.set_params(max_unknown=0.9).signature == metric.signature
    if twin.measure != "penlp":  # which is made without a unigram model, and learns nothing
        assert "abstain>0.9|" in twin.fit(TEXTS, RATINGS).signature
    with refused("parameter name"):
        twin.set_params(colour="red")
