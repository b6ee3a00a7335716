"""Sums of ratings beside Python's fractions, which lose nothing."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_neighbors_metric.kernels.neighbors import Ratings

sized = st.builds(lambda size, sign, power: sign * size * 10.0**power, st.floats(1, 10), st.sampled_from([-1, 0, 1]),
                  st.integers(-30, 30))  # fmt: skip
alike = st.floats(-5, 5).filter(lambda value: value == 0 or abs(value) > 1e-3)


def summed(words, ratings):
    return ratings.unit.numbers(words.sum(axis=1, keepdims=True))[0]


@given(st.one_of(st.lists(sized, min_size=1, max_size=30), st.lists(alike, min_size=1, max_size=30)))
def test_sums_equal_those_of_fractions(values):
    ratings = Ratings.of(np.array(values))
    exact = float(sum(map(Fraction, values)))
    tolerance = 0 if ratings.unit.n_words > 1 else len(values) * 2.0**-ratings.unit.exponent
    assert summed(ratings.words, ratings) == pytest.approx(exact, rel=4e-16, abs=tolerance)


@given(st.lists(sized, min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_neither_order_nor_halves_change_a_sum(values, random):
    ratings = Ratings.of(np.array(values))
    whole = summed(ratings.words, ratings)
    order = random.sample(range(len(values)), len(values))
    assert summed(ratings.words[:, order], ratings) == whole
    assert ratings.sums_of_halves(ratings.halves()[:, order].sum(axis=1, keepdims=True))[0] == whole


@pytest.mark.parametrize(
    "n, smalls",
    [(20_000, (1e-9, 1e-300)), pytest.param(1_000_000, (1e-4, 1e-9, 1e-300), marks=pytest.mark.long)],
)
def test_many_ratings_with_a_small_one_among_them(n, smalls):
    values = np.random.default_rng(0).random(n)
    for small in smalls:
        values[17] = small
        ratings = Ratings.of(values)
        assert ratings.unit.n_words > 1
        assert summed(ratings.words[:, 17:18], ratings) == small
        assert summed(ratings.words, ratings) == pytest.approx(np.sum(values), rel=1e-12)
        assert np.abs(ratings.words.astype(np.float64)).sum(axis=1).max() < 2.0**62  # no sum overflows
