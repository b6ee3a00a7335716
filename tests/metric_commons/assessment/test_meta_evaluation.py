"""Correlations and errors over covered pairs, and whether their intervals can be believed."""

import math
import re
import tracemalloc

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.random import default_rng
from numpy.testing import assert_allclose, assert_array_equal
from refusals import refusals, refused
from scipy import stats

from metric_commons.assessment import meta_evaluation
from metric_commons.assessment.meta_evaluation import (
    CORRELATIONS,
    correlation,
    covered_pairs,
    mean_squared_error,
    resampled_correlations,
)

NAN = math.nan
SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr}

small = st.integers(0, 4).map(lambda number: number / 10)  # tenths are not exact, and there are many ties
pairs = st.lists(st.tuples(small | st.just(NAN), small | st.just(NAN)), min_size=3, max_size=12)


def sample(n, rho=0.5, seed=0):
    rng = default_rng(seed)
    x = rng.normal(size=n)
    return x, rho * x + math.sqrt(1 - rho**2) * rng.normal(size=n)


def figures(result):
    return result.value, result.p_value, result.low, result.high


@pytest.mark.parametrize("method", CORRELATIONS)
@given(data=pairs)
@settings(deadline=None)
def test_value_and_p_value_are_scipys_over_the_covered_pairs(method, data):
    left, right = zip(*data, strict=True)
    kept = [(a, b) for a, b in data if not (math.isnan(a) or math.isnan(b))]
    result = correlation(left, right, method, n_resamples=10)
    assert result.n == len(kept)
    if len(kept) < 3 or min(len(set(side)) for side in zip(*kept, strict=True)) == 1:
        assert all(map(math.isnan, figures(result)))
        return
    expected = SCIPY[method](*zip(*kept, strict=True))
    assert (result.value, result.p_value) == pytest.approx((expected.statistic, expected.pvalue), nan_ok=True)
    assert {type(figure) for figure in figures(result)} == {float}


@pytest.mark.parametrize("method", CORRELATIONS)
def test_the_interval_depends_on_the_seed_alone(method):
    x, y = sample(30)
    first = correlation(x, y, method, n_resamples=200)
    np.random.seed(99)  # noqa: NPY002  # the global state is not read
    for left, right in ((x, y), (x.tolist(), y.tolist())):
        assert repr(correlation(left, right, method, n_resamples=200)) == repr(first)
    other = correlation(x, y, method, n_resamples=200, seed=1)
    assert figures(first)[:2] == figures(other)[:2]
    assert figures(first)[2:] != figures(other)[2:]
    assert -1 <= first.low <= first.value <= first.high <= 1


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("method", CORRELATIONS)
@pytest.mark.parametrize(
    "left, right",
    [([], []), ([1, 2], [1, 2]), ([NAN] * 3, [1, 2, 3]), ([1, 2, 3], [0.7] * 3), ([1, 1, 1, 2], [1, 2, 3, NAN])],
)
def test_undefined_is_nan_and_says_so_without_a_warning(method, left, right):
    result = correlation(left, right, method)
    assert all(map(math.isnan, figures(result)))
    assert result.n == sum(not (math.isnan(a) or math.isnan(b)) for a, b in zip(left, right, strict=True))


@pytest.mark.filterwarnings("error")
def test_infinite_estimates_have_ranks_but_no_pearson():
    left, right = [-math.inf, 1, 2, 3, math.inf], [1, 2, 3, 5, 4]
    assert math.isnan(correlation(left, right, "pearson").value)
    assert correlation(left, right, "spearman").value == pytest.approx(0.9)


def test_memory_of_large_pools_is_bounded():
    x, y = sample(20_000)
    correlation(x[:10], y[:10], n_resamples=10)  # imports
    tracemalloc.start()
    try:
        correlation(x, y, n_resamples=150)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100e6  # all resamples at once would take over 150 MB


@pytest.mark.parametrize(
    "left, right, expected",
    [([1, 2, NAN, 4], [1, 4, 3, NAN], 2.0), ([NAN], [1.0], NAN), ([], [], NAN)],
)
def test_mean_squared_error(left, right, expected):
    found = mean_squared_error(left, right)
    assert found == pytest.approx(expected, nan_ok=True)
    assert type(found) is float


@pytest.mark.parametrize("left, right", [([1, 2], [1]), ([[1, 2]], [[1, 2]]), ([1], 1)])
def test_shapes_that_do_not_fit(left, right):
    shapes = f"but got shapes {np.shape(left)} and {np.shape(right)}"
    for call in (covered_pairs, mean_squared_error, correlation):
        with refused(re.escape(shapes)):
            call(left, right)


test_bad_arguments = refusals(
    lambda right, options: correlation([1, 2, 3], right, **options),
    [
        ([1, 2, 3], {"method": "cosine"}, "`method` to be one of {'pearson', 'spearman'}, but got 'cosine'"),
        ([1, 2, 3], {"n_resamples": -1}, "`n_resamples` to be a whole number of at least 0, but got -1"),
        ([1, 2, 3], {"seed": -1}, "`seed` to be a whole number of at least 0, but got -1"),
        (["good", "bad", "good"], {}, "`ratings` to hold numbers, but got list", TypeError),
    ],
)


@pytest.mark.parametrize("method, variance", [("pearson", 1.0), ("spearman", 1.06)])
def test_without_resamples_the_interval_is_fishers(method, variance):
    found = correlation(*sample(200), method, n_resamples=0)
    z = np.arctanh(found.value) + np.array([-1, 1]) * 1.959964 * np.sqrt(variance / 197)
    np.testing.assert_allclose([found.low, found.high], np.tanh(z), rtol=1e-6)


NUMBERS = st.one_of(st.integers(-3, 3).map(float), st.floats(-10, 10, width=32))


def one_by_one(left, right, method, n_resamples, seed):
    found = []
    for draw in default_rng(seed).integers(0, len(left), size=(n_resamples, len(left))):
        x, y = left[draw], right[draw]
        found.append(NAN if np.ptp(x) == 0 or np.ptp(y) == 0 else SCIPY[method](x, y).statistic)
    return found


@pytest.mark.filterwarnings("ignore::scipy.stats.NearConstantInputWarning")
@pytest.mark.parametrize("method", ["pearson", "spearman"])
@given(data=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=3, max_size=9), seed=st.integers(0, 5))
@example(data=[(5.0, 1.0), (5.0 + 1e-9, 2.0), (5.0, 3.0)], seed=0)  # a side that hardly varies
@example(data=[(0.0, 0.0), (0.0, 0.0), (1e-30, 1.0)], seed=0)
@settings(deadline=None, max_examples=50)
def test_resamples_are_those_of_scipy(method, data, seed):
    left, right = np.array(data).T
    (fast,) = resampled_correlations([(left, right, method)], 40, seed)
    assert_allclose(fast, one_by_one(left, right, method, 40, seed), atol=1e-6)


@pytest.mark.parametrize("method", SCIPY)
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_ratings_and_estimates_in_blocks(method, offset, monkeypatch):
    monkeypatch.setattr(meta_evaluation, "_BLOCK", 200 * 7)
    rng = default_rng(1)
    left = rng.normal(size=200)
    right = np.round(3 + left + rng.normal(size=200)) + offset
    pairs = [(left, right, method), (left[:150], right[:150], method), (right, left, method)]
    for fast, pair in zip(resampled_correlations(pairs, 30, 7), pairs, strict=True):
        assert_allclose(fast, one_by_one(*pair, 30, 7), rtol=1e-9)


def test_infinite_values_have_ranks():
    left, right = np.array([[-np.inf, 1, 2, 3, np.inf], [1, 2, 3, 5, 4]])
    pairs = [(left, right, "spearman"), (np.arange(5.0), right, "spearman")]
    assert_array_equal(*resampled_correlations(pairs, 50, 0))
