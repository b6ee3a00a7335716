"""Picking by a metric beats picking at random on rated outputs, by the gains that the documentation states."""

import numpy as np
import pytest

from referenceless_metrics.selection.mbr import check_lists
from referenceless_papers.reranking.gains import RatedLists, gain_of


def rated(ratings, clusters=None):
    lists = check_lists([["x"] * len(own) for own in ratings])
    flat = np.array([rating for own in ratings for rating in own])
    of = np.array(clusters or range(len(ratings)), dtype=np.int64)
    return RatedLists(lists, flat, [str(i) for i in range(len(ratings))], of)


@pytest.mark.long
def test_a_gain_is_of_the_pick_over_the_mean():
    data = rated([[1.0, 3.0], [5.0, 1.0, 3.0]])
    nan = float("nan")
    best = gain_of(data.ratings, data)
    assert (best.gain, best.random, best.best, best.n_inputs) == (1.5, 2.5, 4.0, 2)
    assert (best.low, best.high) == (1.0, 2.0)
    assert gain_of(-data.ratings, data).gain == -1.5
    for nothing in (np.zeros(5), np.full(5, nan)):  # ties, and abstentions, are draws
        found = gain_of(nothing, data)
        assert (found.gain, found.low, found.high) == (0.0, 0.0, 0.0)
    tied = gain_of(np.array([nan, -np.inf, 1.0, 0.0, 1.0]), data)
    assert tied.gain == pytest.approx((1.0 + 1.0) / 2)  # 3 of 1 and 3; then the mean of the tied 5 and 3
    assert tied.coverage == 0.8


@pytest.mark.long
def test_the_interval_is_of_clusters():
    generator = np.random.default_rng(1)
    ratings = [[float(r), 0.0] for r in generator.normal(1, 1, 60)]
    values = np.array([1.0, 0.0] * 60)
    apart = gain_of(values, rated(ratings))
    repeated = gain_of(np.tile(values, 4), rated(ratings * 4, list(range(60)) * 4))
    assert (repeated.low, repeated.high) == pytest.approx((apart.low, apart.high))
    standard_error = np.std([r[0] for r in ratings]) / 2 / np.sqrt(60)
    assert apart.high - apart.low == pytest.approx(2 * 1.96 * standard_error, rel=0.05)
