"""Similarity weights in whole units: the same sums in any order."""

import random

import pytest
from numpy.testing import assert_array_equal

from bleu_neighbors_metric import BLEUNeighbors


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
