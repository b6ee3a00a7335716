"""Ranks by numpy are scipy's."""

from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from referenceless_metrics.core.support.statistics import ranks


@given(st.lists(st.integers(-3, 3) | st.floats(-1e9, 1e9), min_size=1))
def test_ranks(values):
    assert ranks(values).tolist() == stats.rankdata(values).tolist()
