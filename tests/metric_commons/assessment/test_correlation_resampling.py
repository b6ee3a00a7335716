"""Correlations of resampled pairs against scipy, one resample at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from metric_commons.assessment import correlation_resampling
from metric_commons.assessment.correlation_resampling import resampled_correlations

SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr}
NUMBERS = st.one_of(st.integers(-3, 3).map(float), st.floats(-10, 10, width=32))


def one_by_one(left: np.ndarray, right: np.ndarray, method: str, n_resamples: int, seed: int) -> list[float]:
    found = []
    for draw in np.random.default_rng(seed).integers(0, len(left), size=(n_resamples, len(left))):
        x, y = left[draw], right[draw]
        constant = len(set(x)) == 1 or len(set(y)) == 1
        found.append(float("nan") if constant else SCIPY[method](x, y).statistic)
    return found


@pytest.mark.filterwarnings("ignore::scipy.stats.NearConstantInputWarning")
@pytest.mark.parametrize("method", ["pearson", "spearman"])
@given(data=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=3, max_size=9), seed=st.integers(0, 5))
@example(data=[(5.0, 1.0), (5.0 + 1e-9, 2.0), (5.0, 3.0)], seed=0)  # a side that hardly varies
@example(data=[(0.0, 0.0), (0.0, 0.0), (1e-30, 1.0)], seed=0)
@settings(deadline=None, max_examples=50)
def test_resamples_are_those_of_scipy(method: str, data: list[tuple[float, float]], seed: int) -> None:
    left, right = np.array(data).T
    fast = resampled_correlations(left, right, method, 40, seed)
    np.testing.assert_allclose(fast, one_by_one(left, right, method, 40, seed), atol=1e-6)


@pytest.mark.parametrize("method", SCIPY)
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_ratings_and_estimates_in_blocks(method: str, offset: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(correlation_resampling, "_BLOCK", 200 * 7)
    rng = np.random.default_rng(1)
    left = rng.normal(size=200)
    right = np.round(3 + left + rng.normal(size=200)) + offset
    correlation_resampling._few_counts.cache_clear()
    fast = resampled_correlations(left, right, method, 30, 7)
    np.testing.assert_allclose(fast, one_by_one(left, right, method, 30, 7), rtol=1e-9)


def test_infinite_values_have_ranks() -> None:
    left, right = np.array([-np.inf, 1, 2, 3, np.inf]), np.array([1.0, 2, 3, 5, 4])
    ranks = resampled_correlations(np.arange(5.0), right, "spearman", 50, 0)
    np.testing.assert_array_equal(resampled_correlations(left, right, "spearman", 50, 0), ranks)
