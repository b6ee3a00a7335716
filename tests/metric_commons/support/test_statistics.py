"""Ranks and distributions by numpy are scipy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from metric_commons.support.statistics import beta_below, correlation_p_value, normal_quantile, ranks

SHAPES = st.floats(0.3, 500)


@given(st.lists(st.integers(-3, 3) | st.floats(-1e9, 1e9), min_size=1))
def test_ranks(values):
    assert ranks(values).tolist() == stats.rankdata(values).tolist()


@given(st.floats(0, 1), SHAPES, SHAPES)
def test_the_beta_distribution(x, a, b):
    assert beta_below(x, a, b) == pytest.approx(special.betainc(a, b, x), rel=1e-9, abs=1e-13)


@pytest.mark.parametrize("n", [3, 4, 10, 300, 100_000])
def test_p_values_of_correlations(n):
    rng = np.random.default_rng(n)
    left = rng.normal(size=n)
    for slope in (0, 1, 30):
        r, p = stats.pearsonr(left, slope / n**0.5 * left + rng.normal(size=n))
        assert correlation_p_value(r, n) == pytest.approx(p, rel=1e-6, abs=1e-300)
    assert correlation_p_value(1.0, n) == 0
    assert correlation_p_value(0.3, 2) == 1


@given(st.floats(0.001, 0.999))
def test_quantiles(share):
    assert normal_quantile(share) == pytest.approx(stats.norm.ppf(share), abs=1e-9)
