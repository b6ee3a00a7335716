"""Estimates that a system's own ratings help to make bias nothing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from metric_commons.human_score.cross_fitting import cross_fitted_estimates
from metric_commons.human_score.inference import prediction_powered_mean


def remembering(texts: list[str], ratings: NDArray[np.float64]) -> Callable[[list[str]], ArrayLike]:
    """Return an estimator that knows the ratings of texts that it has seen, and the mean of the others."""
    known = dict(zip(texts, ratings, strict=True))
    return lambda wanted: [known.get(text, float(np.mean(ratings))) for text in wanted]


def nearest(texts: list[str], ratings: NDArray[np.float64]) -> Callable[[list[str]], ArrayLike]:
    """Return the mean rating of the three texts whose number is nearest."""
    numbers = np.array([float(text) for text in texts])

    def predict(wanted: list[str]) -> ArrayLike:
        distance = np.abs(numbers[None] - np.array([float(text) for text in wanted])[:, None])
        return ratings[np.argsort(distance, axis=1)[:, :3]].mean(axis=1)

    return predict


def test_no_estimate_of_a_rated_output_knows_its_rating() -> None:
    ratings = np.array([1.0, 2.0, 3.0, 4.0, np.nan, np.nan])
    estimates = cross_fitted_estimates(remembering, list("abcdef"), ratings, n_folds=4)
    # Each rated one is the mean of the other three, moved by as much as its model differs from all models.
    np.testing.assert_allclose(estimates, 2.5)


def test_the_pool_trains_every_model() -> None:
    seen = []

    def fit(texts: list[str], ratings: NDArray[np.float64]) -> Callable[[list[str]], ArrayLike]:
        seen.append((tuple(texts), tuple(ratings)))
        return lambda wanted: [float("nan")] * len(wanted)

    ratings = np.array([1.0, 2.0, np.nan])
    estimates = cross_fitted_estimates(fit, ["a", "b", "c"], ratings, pool_texts=["p"], pool_ratings=[5.0])
    assert sorted(seen) == [(("p", "a"), (5.0, 1.0)), (("p", "b"), (5.0, 2.0))]
    np.testing.assert_array_equal(estimates, 0.0)  # a model that abstains everywhere says nothing


def test_intervals_cover_where_the_ratings_also_train() -> None:
    generator = np.random.default_rng(3)
    covered, plain = [], []
    for seed in range(200):
        place = generator.random(150)
        truth = np.sin(6 * place) + generator.normal(size=150) * 0.5
        ratings = np.where(np.arange(150) < 40, truth, np.nan)
        outputs = [str(value) for value in place]
        estimates = cross_fitted_estimates(nearest, outputs, ratings, n_folds=5, seed=seed)
        mean, _ = prediction_powered_mean(truth[:40], estimates[:40], estimates[40:])
        low, high = mean.interval(0.9)
        covered.append(low <= (1 - np.cos(6)) / 6 <= high)
        plain.append(mean.standard_error / (truth[:40].std(ddof=1) / np.sqrt(40)))
    assert np.mean(covered) == pytest.approx(0.9, abs=0.05)
    assert np.mean(plain) < 0.85  # and they are narrower than those of the ratings alone


def test_fewer_than_two_folds_are_refused() -> None:
    with pytest.raises(ValueError, match="`n_folds`"):
        cross_fitted_estimates(remembering, ["a"], np.array([1.0]), n_folds=1)
