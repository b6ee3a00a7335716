"""Similarity weights in whole units, beside Python's whole numbers and fractions, and in any order."""

import random
from fractions import Fraction

import bleu_neighbors_reference as reference
import numpy as np
import pytest
import text_strategies as strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.kernels.bleu_star import BleuStarPool
from bleu_neighbors_metric.kernels.kernel import Pool, TextOptions
from bleu_neighbors_metric.kernels.neighbors import LEAST_WHOLE, ExactSums, NeighborRule, Ratings

ORDERS = st.sampled_from([(2, 3, 4), (1,), (1, 2), (1, 2, 3, 4)])
SMOOTHINGS = st.sampled_from(["none", "none", "floor", "add-k", "exp"])
RATINGS = st.sampled_from([0.0, 0.3, 1.0, -2.5, 1e-9, 7e8, 0.1])


def whole_sums(similarity, ratings, threshold):
    """Return the summed weights, in units of 2^-36, and the weighted ratings of one candidate."""
    weights = [int(value * 2**36 + 0.5) if value >= threshold * (1 - 1e-9) else 0 for value in similarity]
    return sum(weights), sum(weight * Fraction(rating) for weight, rating in zip(weights, ratings, strict=True))


@settings(max_examples=150, deadline=None)
@given(strategies.candidates, strategies.pools, ORDERS, SMOOTHINGS, st.booleans(),
       st.sampled_from([LEAST_WHOLE, 0.08, 0.5]), st.data())  # fmt: skip
def test_sums_equal_the_twins(candidates, pool, orders, smooth_method, clip, threshold, data):
    ratings = data.draw(st.lists(RATINGS, min_size=len(pool), max_size=len(pool)))
    index = BleuStarPool(pool, TextOptions(ngram_orders=orders, smooth_method=smooth_method, clip=clip))
    rows = reference.similarities(candidates, pool, reference.Options("char", orders, smooth_method, None, clip))
    rule = NeighborRule(threshold, "similarity")
    ((_, tally),) = index.tally(candidates, Ratings.of(np.array(ratings)), rule)
    assert isinstance(tally.weight, ExactSums)
    for i, row in enumerate(rows):
        weight, rated = whole_sums(row, ratings, threshold)
        assert tally.n_neighbors[i] == sum(value >= threshold * (1 - 1e-9) for value in row)
        # The last bit of a similarity may round its weight to the next unit.
        assert tally.weight.words[0, i] == pytest.approx(weight, abs=int(tally.n_neighbors[i]))
        if weight:
            spread = 2.0**-36 / threshold * max(map(abs, ratings))
            assert tally.mean()[i] == pytest.approx(float(rated / weight), rel=1e-14, abs=2 * spread)


@pytest.mark.parametrize("small", [0.2, 1e-12])
@pytest.mark.parametrize("smooth_method", ["none", "add-k"])
def test_neither_the_pools_order_nor_threads_nor_blocks_change_a_bit(small, smooth_method):
    rng = random.Random(1)
    words = "tree trees river stone sky the a of and zebra".split()
    texts = list(dict.fromkeys(" ".join(rng.choices(words, k=rng.randint(2, 9))) for _ in range(1300)))
    ratings = [small, *(rng.random() for _ in texts[1:])]
    options = {"weights": "similarity", "smooth_method": smooth_method, "progress": False}
    metric = BLEUNeighbors(0.1, 1, 1.0, **options).fit(texts, ratings)
    expected = metric.leave_one_out().values
    shuffled = rng.sample(range(len(texts)), len(texts))
    other = BLEUNeighbors(0.1, 1, 1.0, n_jobs=2, **options).fit(
        [texts[i] for i in shuffled], [ratings[i] for i in shuffled]
    )
    assert_array_equal(other.leave_one_out().values, expected[shuffled])
    assert_array_equal([metric.predict([text]).values[0] for text in texts[:20]], metric.predict(texts).values[:20])


@settings(max_examples=100, deadline=None)
@given(strategies.candidates, strategies.pools, ORDERS, SMOOTHINGS, st.data())
def test_neighbours_at_many_thresholds_are_those_of_the_matrix(candidates, pool, orders, smooth_method, data):
    index = BleuStarPool(pool, TextOptions(ngram_orders=orders, smooth_method=smooth_method))
    thresholds = np.array(sorted(data.draw(st.sets(st.sampled_from([0.0, 0.01, 0.08, 0.25, 0.5, 1.0]), min_size=1))))
    place = st.integers(-1, len(pool) - 1)
    excluded = np.array(data.draw(st.lists(place, min_size=len(candidates), max_size=len(candidates))))
    expected = Pool.count_neighbors(index, candidates, thresholds, excluded=excluded)
    assert_array_equal(index.count_neighbors(candidates, thresholds, excluded=excluded, n_jobs=2), expected)
