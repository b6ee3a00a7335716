"""Estimates of several metrics as one: useful ones get weight, and no output's own rating has a say in its estimate."""

import numpy as np
import pytest
from numpy.random import default_rng

from referenceless_metrics.human_evaluation.inference.combined_estimates import combined_estimates
from referenceless_metrics.human_evaluation.inference.human_score import human_scores
from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings


def drawn(generator, n_rated=60, n=300):
    """Two systems' ratings, and estimates of three metrics: of use, of some use, and of none."""
    estimates, ratings = [[], [], []], []
    for level in (4.0, 4.5):
        truth = generator.normal(size=n)
        for of_metric, correlation in zip(estimates, (0.6, 0.5, 0.0), strict=True):
            of_metric.append(correlation * truth + np.sqrt(1 - correlation**2) * generator.normal(size=n))
        ratings.append(np.where(np.arange(n) < n_rated, level + truth, np.nan))
    return estimates, ratings, [range(n)] * 2


@pytest.mark.long
def test_they_narrow_more_than_the_best_alone_and_useless_ones_get_no_weight():
    generator, narrower, weights = default_rng(0), [], []
    for _ in range(12):
        estimates, ratings, items = drawn(generator)
        combined, of_draw = combined_estimates(estimates, ratings, items)
        weights.append(of_draw)
        for of_metric in (combined, estimates[0]):
            systems = list(map(SystemRatings, "ab", ratings, of_metric))
            narrower.append(human_scores(systems).differences[0].shrinkage)
    assert np.mean(narrower[::2]) > np.mean(narrower[1::2]) + 0.03
    assert np.mean(weights, axis=0)[2] == pytest.approx(0, abs=0.05)
    assert min(np.mean(weights, axis=0)[:2]) > 0.2


def test_no_rating_of_an_item_moves_the_estimates_of_it():
    estimates, ratings, items = drawn(default_rng(1))
    before, _ = combined_estimates(estimates, ratings, items)
    ratings[0][7] += 10
    ratings[1][7] -= 10
    after, _ = combined_estimates(estimates, ratings, items)
    for one, other in zip(before, after, strict=True):
        assert one[7] == pytest.approx(other[7])
        assert one[8:20] != pytest.approx(other[8:20])


def test_one_metric_keeps_its_order_and_abstentions_are_the_mean():
    estimates, ratings, items = drawn(default_rng(2))
    estimates[0][0][200:] = np.nan
    (combined, _), (weight,) = combined_estimates(estimates[:1], ratings, items)
    assert weight > 0
    assert np.corrcoef(combined[60:200], estimates[0][0][60:200])[0, 1] == pytest.approx(1)
    assert np.ptp(combined[200:]) == pytest.approx(0)
    (alone, _), (none,) = combined_estimates([[np.ones(300)] * 2], ratings, items)
    assert (np.ptp(alone), none) == (0, 0)
