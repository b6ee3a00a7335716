"""The estimator's contract: parameters, results, errors, and the independence of results."""

import math
import pickle
import warnings

import numpy as np
import pytest
import sklearn.exceptions
from example_fits import CANDIDATES, POOL, RATED_POOL, assert_same, check_leave_one_out, fit
from numpy.testing import assert_allclose, assert_array_equal
from refusals import refusals, refused

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.estimator import LONGEST_RATED
from bleu_neighbors_metric.kernels.neighbors import TOO_FEW, TOO_MANY
from bleu_neighbors_metric.tuning.calibration import attach_calibration, calibrate
from referenceless_metrics.core.results import EMPTY
from referenceless_metrics.core.support.validation import NotFittedError


@pytest.fixture(scope="module")
def fitted():
    return fit()


# --- real data


HUSE = [
    # parameters, Spearman, MSE, coverage
    ({}, 0.324, 0.0214, 0.995),
    ({"clip": False}, 0.326, 0.0214, 0.995),
    ({"weights": "similarity", "threshold": "auto"}, 0.337, 0.0211, 0.995),  # the default
    ({"weights": "similarity", "threshold": 0.0, "min_neighbors": 1, "max_fraction": 1.0}, 0.349, 0.0214, 1.0),
    ({"tokenize": "none"}, None, None, 0.0),  # headlines hardly share word 4-grams
    ({"kernel": "rouge_l", "threshold": 0.06}, 0.248, 0.0227, 0.970),
]


@pytest.mark.parametrize("parameters, rho, mse, coverage", HUSE)
def test_huse_summarization_leave_one_out(huse, parameters, rho, mse, coverage):
    metric = BLEUNeighbors.published(**parameters)
    check_leave_one_out(metric, huse, rho, mse, coverage, tolerance=(0.003, 0.0002, 0.001))
    assert len(metric.texts_) == 198


# --- results


def test_estimates_are_means_over_the_neighbours_with_their_coverage():
    texts = ["the cat sat on the mat", "the cat sat on a mat", "the dog sat on the mat", "qqqqq"]
    metric = BLEUNeighbors(0.3, 2, 1.0, weights="uniform").fit(texts, [1.0, 0.5, 0.0, 9.0])
    estimates = metric.predict([texts[0], "qqqqq", ""])
    assert estimates.n_neighbors.tolist() == [3, 1, 0]
    assert_allclose(estimates.values, [0.5, np.nan, np.nan])
    assert (estimates.coverage, estimates.mean) == (pytest.approx(1 / 3), pytest.approx(0.5))
    assert estimates.reasons == (None, TOO_FEW, EMPTY)
    nothing = BLEUNeighbors(0.0, 1, 1.0, weights="similarity").fit(["abcdef"], [1.0])  # a neighbour that weighs nothing
    assert nothing.predict(["uvwxyz"]).abstentions == {TOO_FEW: 1}


@pytest.mark.parametrize("max_fraction, covered", [(0.29, True), (0.28, False)])
def test_too_many_neighbours_are_as_undefined_as_too_few(max_fraction, covered):
    texts = [f"the cat sat on mat {i}" for i in range(29)] + [f"{i} zzz {i} qqq {i}" for i in range(71)]
    estimates = BLEUNeighbors(0.5, 1, max_fraction).fit(texts, range(100)).predict(["the cat sat on mat", "alike"])
    assert estimates.n_neighbors.tolist() == [29, 0]
    assert estimates.reasons == (None if covered else TOO_MANY, TOO_FEW)
    assert (estimates.most, estimates.coverage, math.isnan(estimates.mean)) == (28 + covered, covered / 2, not covered)


def test_equal_texts_count_once_with_their_mean_rating():
    metric = BLEUNeighbors(min_neighbors=1, max_fraction=1.0)
    metric.fit(["same words here", "quick jumbo vixen", "same words here"], [0.0, 1.0, 0.5])
    assert metric.texts_ == ["same words here", "quick jumbo vixen"]
    assert metric.ratings_.tolist() == [0.25, 1.0]
    assert metric.counts_.tolist() == [2, 1]
    assert metric.predict(["same words here"]).values.tolist() == [0.25]


def test_the_unit_of_quality_does_not_matter(fitted):
    for scale in (1e-200, 1e-3, 100.0, -5.0, 1e150):
        scaled = BLEUNeighbors().fit(POOL.texts, POOL.ratings * scale).predict(CANDIDATES).values
        assert_allclose(scaled / scale, fitted.predict(CANDIDATES).values, rtol=1e-12)


def test_ratings_of_very_different_size_keep_their_precision():
    texts = ["the cat sat on the mat", "colourless green ideas sleep", "furiously quick jumbo vixens"]
    for weights in ("uniform", "similarity"):
        metric = BLEUNeighbors(0.5, 1, 1.0, weights=weights).fit(texts, [0.1, 1e20, -1e-9])
        assert_allclose(metric.predict(texts).values, [0.1, 1e20, -1e-9], rtol=1e-9)
    with refused(r"`ratings` to hold numbers whose sum is finite, but got 1\.7e\+308"):
        BLEUNeighbors().fit(texts, [1.7e308, -1.7e308, 0.0])


def test_a_failed_fit_changes_nothing():
    metric = fit(kernel="rouge_l", kernel_options={"stem": True})
    before = metric.predict(CANDIDATES)
    metric.kernel_options["stem"] = "yes"
    with refused("to be True or False", TypeError):
        metric.fit(list("xyzuvwqpo"), range(9))
    metric.kernel_options["stem"] = True
    assert_same(metric.predict(CANDIDATES), before)


def test_nearest_neighbours_explain_an_estimate(fitted):
    candidate = CANDIDATES[1]
    estimate = fitted.predict([candidate])
    nearest = fitted.kneighbors(candidate, k=len(POOL))
    assert [n.similarity for n in nearest] == sorted((n.similarity for n in nearest), reverse=True)
    counting = [n for n in nearest if n.counts]
    assert len(counting) == estimate.n_neighbors[0]
    weighted = np.average([n.rating for n in counting], weights=[n.similarity for n in counting])
    assert weighted == pytest.approx(estimate.values[0])
    assert all(n.rating == POOL.ratings[POOL.texts.index(n.text)] for n in nearest)
    at_any_similarity = fit(0.0, 1, 1.0, tokenize="none")
    for metric, text in ((fitted, ""), (at_any_similarity, "  ")):  # no tokens, no neighbours
        assert not any(n.counts for n in metric.kneighbors(text, k=3))
    with refused(r"`text` to be a string, but got list \['a'\]", TypeError):
        fitted.kneighbors(["a"])
    with refused(r"`k` to be a whole number of at least 1, but got 0"):
        fitted.kneighbors("a", k=0)


# --- scikit-learn's habits


def test_parameters_are_stored_as_given_and_cloned():
    from sklearn.base import clone

    metric = BLEUNeighbors(0.1, kernel="rouge_l", ngram_orders=[1, 2], n_jobs=2)
    assert clone(metric).get_params() == metric.get_params()
    assert repr(metric) == "BLEUNeighbors(threshold=0.1, ngram_orders=[1, 2], kernel='rouge_l', n_jobs=2)"


def test_parameters_count_from_the_next_fit_on():
    metric = fit()
    before = metric.predict(CANDIDATES)
    for changed in (
        {"threshold": 0.2},
        {"tokenize": "13a", "smooth_method": "exp"},
        {"ngram_orders": (3,)},
        {"kernel": "rouge_l"},
        {"kernel_options": {"stem": False}},
        {"kernel_options": None},
    ):
        metric.set_params(**changed)
        assert_same(metric.predict(CANDIDATES), before)
        assert metric.signature == before.signature
        before = metric.fit(*RATED_POOL).predict(CANDIDATES)
        assert_same(before, fit(**metric.get_params()).predict(CANDIDATES))
    with refused(r"one of .*'threshold'.* but got 'tau'"):
        metric.set_params(tau=0.1)


TOLD = "kernel:bleu_star|tok:char|orders:2,3,4|smooth:none|clip:yes|tau:{}|a:5|b:0.66|weights:{}|preset:{}|pool:96."


def test_signatures_of_the_presets(fitted):
    assert fitted.signature.startswith(TOLD.format("0.11", "similarity", "default"))
    published = BLEUNeighbors.published().fit(*RATED_POOL)
    assert published.signature.startswith(TOLD.format("0.08", "uniform", "published"))
    assert fit(0.11).signature == fitted.signature.replace("preset:default", "preset:own")
    assert BLEUNeighbors().fit(POOL.texts, POOL.ratings * 0.5).signature != fitted.signature


@pytest.mark.parametrize(
    "parameters, same",
    [
        ({"threshold": 0.11 + 1e-9}, False),
        ({"threshold": "auto"}, True),
        ({"min_neighbors": 4}, False),
        ({"max_fraction": 0.7}, False),
        ({"tokenize": "13a"}, False),
        ({"ngram_orders": (2, 3)}, False),
        ({"smooth_method": "floor"}, False),
        ({"clip": False}, False),
        ({"weights": "uniform"}, False),
        ({"ngram_orders": (4, 3, 2)}, True),
        ({"n_jobs": 2, "progress": False}, True),
    ],
)
def test_the_signature_names_everything_that_scores_depend_on(fitted, parameters, same):
    assert (fit(**parameters).signature == fitted.signature) == same


# --- bad input

# Every kind of wrong value is tested with the validators.
test_bad_pools_are_refused = refusals(
    BLEUNeighbors().fit,
    [
        ("a text", [1.0], "`texts` to be a list of strings, but got a bare str", TypeError),
        ([], [], "`texts` to hold at least one text, but it is empty"),
        (["a", "b"], [1.0], "`ratings` to have one value for each of the 2 texts, but got 1"),
        (["a"], [math.nan], "`ratings` to hold finite numbers only, but item 0 is nan"),
    ],
)


BAD_PARAMETERS = [  # an unknown kernel is tested with the kernels, the threshold and the tokeniser with the commands
    ({"min_neighbors": 0}, ValueError, r"`min_neighbors` to be a whole number of at least 1, but got 0"),
    ({"max_fraction": 1.1}, ValueError, r"`max_fraction` to be a number in \[0, 1\], but got 1.1"),
    ({"smooth_method": "laplace"}, ValueError, r"`smooth_method` to be one of {'none', 'floor', 'add-k', 'exp'}"),
    ({"smooth_method": "floor", "smooth_value": 1.5}, ValueError, r"`smooth_value` to be a number in \[0, 1\]"),
    ({"weights": "distance"}, ValueError, r"`weights` to be one of {'uniform', 'similarity'}, but got 'distance'"),
    ({"ngram_orders": (2, 2)}, ValueError, r"`ngram_orders` to hold 1 to 32 distinct n-gram orders"),
    ({"ngram_orders": (2**70,)}, ValueError, r"`ngram_orders` to be a whole number in "),
    ({"ngram_orders": 4}, TypeError, r"`ngram_orders` to be a tuple of whole numbers, but got int 4"),
    ({"clip": "yes"}, TypeError, r"`clip` to be True or False, but got str 'yes'"),
    ({"progress": "yes"}, TypeError, r"`progress` to be None, True or False, but got str 'yes'"),
    ({"n_jobs": 0}, ValueError, r"`n_jobs`"),
]


@pytest.mark.parametrize("parameters, error, message", BAD_PARAMETERS)
def test_bad_parameters_are_refused(parameters, error, message):
    with refused(message, error):
        fit(**parameters)
    metric = fit()
    metric.predict(["a"])
    with refused(message, error):
        metric.set_params(**parameters).fit(*RATED_POOL)


def test_a_pool_that_cannot_cover_anything_warns():
    with pytest.warns(UserWarning, match=r"no text can be covered: it would need at least 5 neighbours .*pool of 2"):
        metric = BLEUNeighbors().fit(["a text", "another text"], [0.1, 0.2])
    assert metric.threshold_ == metric.predict(["a text"]).coverage == 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        BLEUNeighbors(min_neighbors=2, max_fraction=1.0).fit(["a text", "another text"], [0.1, 0.2])


def test_nothing_works_before_fit():
    metric = BLEUNeighbors()
    for name, *given in (("predict", ["a"]), ("leave_one_out",), ("kneighbors", "a"), ("save", "x")):
        with refused("call `fit` or `load` first", NotFittedError):
            getattr(metric, name)(*given)


def test_scikit_learns_error_of_this_name_catches_ours():
    with pytest.raises(sklearn.exceptions.NotFittedError) as caught:
        BLEUNeighbors().predict(["a"])
    assert isinstance(caught.value, NotFittedError)
    assert type(pickle.loads(pickle.dumps(caught.value))) is type(caught.value)


def test_an_automatic_threshold_stands_in_the_signature_and_follows_the_parameters():
    metric = BLEUNeighbors()
    assert "tau:auto" in metric.signature
    assert not hasattr(metric, "threshold_")
    metric.fit(*RATED_POOL)
    chosen = metric.threshold_
    assert f"tau:{chosen:g}|" in metric.signature
    assert metric.threshold == "auto"
    assert_array_equal(fit(chosen).leave_one_out().values, metric.leave_one_out().values)
    assert metric.set_params(max_fraction=1.0).fit(*RATED_POOL).threshold_ < chosen


@pytest.mark.long
def test_as_many_orders_as_there_may_be_on_long_texts():
    texts = ["abcdefghij" * 2000, "abcdefghij" * 1999 + "x", "y" * 20_000]
    metric = BLEUNeighbors(0.9, 1, 1.0, ngram_orders=tuple(range(1, 33))).fit(texts, [1.0, 0.5, 0.0])
    assert metric.predict([texts[0]]).n_neighbors.tolist() == [2]
    assert metric.kneighbors(texts[0], k=1)[0].similarity == pytest.approx(1.0)


def test_intervals_end_where_the_ratings_seen_do():
    draw = np.random.default_rng(0)
    texts = [" ".join(draw.choice(list("abcdefgh"), 8)) for _ in range(60)]
    metric = BLEUNeighbors(0.05, 1, 1.0).fit(texts, draw.integers(0, 2, 60))
    uncalibrated = metric.predict(texts[:20], level=0.9)
    attach_calibration(metric, calibrate(metric))
    for found in (uncalibrated, metric.predict(texts[:20])):
        assert (found.lower.min(), found.upper.max()) == (0, 1)
        assert (found.lower < found.upper).all()


def test_a_rated_text_has_a_greatest_length():
    texts = ["a rated text", "a" * (LONGEST_RATED + 1)]
    with pytest.raises(ValueError, match="at most 1,000,000 characters, but item 1 has 1,000,001: give the outputs"):
        BLEUNeighbors().fit(texts, [1.0, 2.0])
