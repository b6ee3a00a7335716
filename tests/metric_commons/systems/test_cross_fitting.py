"""Estimates that a system's own ratings help to make bias nothing."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from powered import less, means
from rated_systems import nlg_ratings
from refusals import refused

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.kernels.neighbors import leave_absent
from metric_commons.assessment.folds import cross_fitted_estimates


def remembering(texts, ratings):
    """Return an estimator that knows the ratings of texts that it has seen, and the mean of the others."""
    known = dict(zip(texts, ratings, strict=True))
    return lambda wanted: [known.get(text, float(np.mean(ratings))) for text in wanted]


def test_no_estimate_of_a_rated_output_knows_its_rating():
    ratings = np.array([1.0, 2.0, 3.0, 4.0, np.nan, np.nan])
    estimates = cross_fitted_estimates(remembering, list("abcdef"), ratings, n_folds=4)
    # Each rated one is the mean of the other three, moved by as much as its model differs from all models.
    assert_allclose(estimates, 2.5)


def test_the_pool_trains_every_model():
    seen = []

    def fit(texts, ratings):
        seen.append((tuple(texts), tuple(ratings)))
        return lambda wanted: [float("nan")] * len(wanted)

    ratings = np.array([1.0, 2.0, np.nan])
    estimates = cross_fitted_estimates(fit, ["a", "b", "c"], ratings, pool_texts=["p"], pool_ratings=[5.0])
    assert sorted(seen) == [(("p", "a"), (5.0, 1.0)), (("p", "b"), (5.0, 2.0))]
    assert_array_equal(estimates, 0.0)  # a model that abstains everywhere says nothing


def cross_fitted_coverage(data, systems, n_draws, n_rated=50):
    """Return how often 90 % intervals of two means and of their difference hold, and how much narrower they are.

    The labels train the estimator, beside the ratings of all other systems. Draws are with replacement, so that rated
    outputs recur among the unrated, as they do in real outputs. Similarities are looked up.
    """
    places = {}
    rows = np.array([places.setdefault(text, len(places)) for text in data.texts])
    similarity, n_tokens = (
        BLEUNeighbors(progress=False).fit(list(places), np.arange(len(places))).pool.compare(list(places))
    )
    similarity = leave_absent(similarity, n_tokens)
    names = np.array(data.systems)

    def fit(texts, ratings):
        known = [int(text) for text in texts]

        def predict(wanted):
            weights = similarity[np.ix_([int(text) for text in wanted], known)]
            sums = weights.sum(axis=1)
            return np.where(sums > 0, weights @ ratings / np.maximum(sums, 1e-12), np.nan)

        return predict

    generator = np.random.default_rng(1)
    held, narrower = np.zeros((n_draws, 3)), np.zeros((n_draws, 3))
    for draw in range(n_draws):
        found = []
        for system in systems:
            own, others = np.flatnonzero(names == system), np.flatnonzero(names != system)
            drawn = own[generator.integers(0, len(own), len(own))]
            ratings = np.where(np.arange(len(drawn)) < n_rated, data.ratings[drawn], np.nan)
            estimates = cross_fitted_estimates(
                fit,
                [str(row) for row in rows[drawn]],
                ratings,
                pool_texts=[str(row) for row in rows[others]],
                pool_ratings=data.ratings[others],
                n_folds=5,
                seed=draw,
            )
            alone, mean, _ = means(ratings[:n_rated], estimates[:n_rated], estimates[n_rated:])
            found.append((mean, alone, data.ratings[own].mean()))
        one, other = found
        found.append((less(one[0], other[0]), less(one[1], other[1]), one[2] - other[2]))
        for place, (mean, alone, truth) in enumerate(found):
            low, high = mean.interval(0.9)
            held[draw, place] = low <= truth <= high
            narrower[draw, place] = 1 - mean.width(0.9) / alone.width(0.9)
    return np.stack([held.mean(axis=0), narrower.mean(axis=0)])


def check_coverage(data_dir, n_draws):
    data = nlg_ratings(data_dir("nlg-ratings"))
    held, narrower = cross_fitted_coverage(data, ("SFRES/WEN", "SFRES/LOLS"), n_draws)
    assert_allclose(held, 0.9, atol=0.03 + 3.5 * np.sqrt(0.9 * 0.1 / n_draws))
    assert narrower[2] > -0.02


def test_intervals_cover_on_real_ratings_where_these_also_train(data_dir):
    check_coverage(data_dir, 40)


@pytest.mark.long
def test_they_cover_in_two_thousand_draws(data_dir):
    check_coverage(data_dir, 2000)


def test_fewer_than_two_folds_are_refused():
    with refused("`n_folds`"):
        cross_fitted_estimates(remembering, ["a"], np.array([1.0]), n_folds=1)
