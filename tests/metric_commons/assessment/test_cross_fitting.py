"""Estimates that a system's own ratings help to make bias nothing."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from refusals import refused

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


def test_fewer_than_two_folds_are_refused():
    with refused("`n_folds`"):
        cross_fitted_estimates(remembering, ["a"], np.array([1.0]), n_folds=1)
