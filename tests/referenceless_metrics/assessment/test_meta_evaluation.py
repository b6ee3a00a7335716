"""Correlations and errors over covered pairs, and their intervals."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from referenceless_metrics.assessment.meta_evaluation import CORRELATIONS, correlation, mean_squared_error

NAN = math.nan
SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr}
small = st.integers(0, 4).map(lambda number: number / 10)  # tenths are not exact, and there are many ties
pairs = st.lists(st.tuples(small | st.just(NAN), small | st.just(NAN)), max_size=12)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("method", CORRELATIONS)
@given(data=pairs)
@settings(deadline=None)
def test_figures_are_scipys_over_the_covered_pairs_and_else_undefined(method, data):
    left, right = zip(*data, strict=True) if data else ((), ())
    kept = [(a, b) for a, b in data if not (math.isnan(a) or math.isnan(b))]
    result = correlation(left, right, method)
    error = mean_squared_error(left, right)
    assert result.n == len(kept)
    assert error == pytest.approx(np.mean([(a - b) ** 2 for a, b in kept]) if kept else NAN, nan_ok=True)
    figures = result.value, result.p_value, result.low, result.high
    assert {type(figure) for figure in (*figures, error)} == {float}
    if len(kept) < 3 or min(len(set(side)) for side in zip(*kept, strict=True)) == 1:
        assert all(map(math.isnan, figures))
        return
    expected = SCIPY[method](*zip(*kept, strict=True))
    assert figures[:2] == pytest.approx((expected.statistic, expected.pvalue), abs=1e-7)


@pytest.mark.parametrize("method, variance", [("pearson", 1.0), ("spearman", 1.06)])
def test_the_interval_is_fishers(method, variance):
    generator = np.random.default_rng(0)
    x = generator.normal(size=200)
    found = correlation(x, x / 2 + generator.normal(size=200), method)
    z = np.arctanh(found.value) + np.array([-1, 1]) * 1.959964 * np.sqrt(variance / 197)
    np.testing.assert_allclose([found.low, found.high], np.tanh(z), rtol=1e-6)
