"""Similarity weights in whole units, beside Python's whole numbers and fractions, and in any order."""

import random

import numpy as np
import pytest
import text_strategies as strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.kernels.bleu_star import BleuStarPool
from bleu_neighbors_metric.kernels.kernel import Pool, TextOptions

ORDERS = st.sampled_from([(2, 3, 4), (1,), (1, 2), (1, 2, 3, 4)])
SMOOTHINGS = st.sampled_from(["none", "none", "floor", "add-k", "exp"])


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
