"""Ranks and distributions by numpy are scipy's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from metric_commons.support.statistics import normal_quantile, ranks


@given(st.lists(st.integers(-3, 3) | st.floats(-1e9, 1e9), min_size=1))
def test_ranks(values):
    assert ranks(values).tolist() == stats.rankdata(values).tolist()


@given(st.floats(0.001, 0.999))
def test_quantiles(share):
    assert normal_quantile(share) == pytest.approx(stats.norm.ppf(share), abs=1e-9)
