"""Correlations and errors over covered pairs, and whether their intervals can be believed."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import default_rng
from refusals import refusals, refused
from scipy import stats

from metric_commons.assessment.meta_evaluation import (
    CORRELATIONS,
    correlation,
    covered_pairs,
    mean_squared_error,
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
    result = correlation(left, right, method)
    assert result.n == len(kept)
    if len(kept) < 3 or min(len(set(side)) for side in zip(*kept, strict=True)) == 1:
        assert all(map(math.isnan, figures(result)))
        return
    expected = SCIPY[method](*zip(*kept, strict=True))
    assert (result.value, result.p_value) == pytest.approx((expected.statistic, expected.pvalue), abs=1e-7)
    assert {type(figure) for figure in figures(result)} == {float}


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
        (["good", "bad", "good"], {}, "`ratings` to hold numbers, but got list", TypeError),
    ],
)


@pytest.mark.parametrize("method, variance", [("pearson", 1.0), ("spearman", 1.06)])
def test_the_interval_is_fishers(method, variance):
    found = correlation(*sample(200), method)
    z = np.arctanh(found.value) + np.array([-1, 1]) * 1.959964 * np.sqrt(variance / 197)
    np.testing.assert_allclose([found.low, found.high], np.tanh(z), rtol=1e-6)
