"""Correlation, Eq. 6 and Fisher's z against scipy and least squares."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st

from referenceless_papers.kann.correlation import fisher_interval, fisher_z_test, linear_map_mse, pearson
from referenceless_papers.kann.published import COMBINATIONS, OVERALL

VALUES = st.integers(-50, 50).map(float)
PAIRS = st.lists(st.tuples(VALUES, VALUES), min_size=3, max_size=40)


@given(PAIRS)
def test_pearson_and_mse_agree_with_scipy_and_least_squares(pairs: list[tuple[float, float]]) -> None:
    x, y = np.array(pairs).T
    assume(np.ptp(x) > 0 and np.ptp(y) > 0)
    assert pearson(x, y) == pytest.approx(scipy.stats.pearsonr(x, y).statistic, abs=1e-9)
    slope, intercept = np.polyfit(x, y, 1)
    assert linear_map_mse(x, y) == pytest.approx(np.mean((slope * x + intercept - y) ** 2), abs=1e-6)


def test_scores_that_do_not_vary() -> None:
    assert math.isnan(pearson([0.1] * 3, [1, 2, 3]))
    assert linear_map_mse([0.1] * 3, [1, 2, 3]) == pytest.approx(2 / 3)


@pytest.mark.parametrize(("r", "n"), [(0.3, 10), (-0.8, 200), (0.0, 4)])
def test_interval_is_that_of_scipy(r: float, n: int) -> None:
    half = scipy.stats.norm.ppf(0.975) / np.sqrt(n - 3)
    low, high = fisher_interval(r, n)
    assert np.arctanh([low, high]) == pytest.approx([np.arctanh(r) - half, np.arctanh(r) + half])
    assert math.isnan(fisher_interval(0.5, 3)[0])
    assert math.isnan(fisher_interval(1.0, 30)[0])


def test_fisher_z() -> None:
    # z = (0.5493 − 0.3095) / sqrt(2 / 100) = 1.6955
    assert fisher_z_test(0.5, 0.3, 103, 103) == pytest.approx(scipy.stats.norm.sf(1.69551), abs=1e-5)
    assert fisher_z_test(0.3, 0.5, 103, 103) == pytest.approx(1 - fisher_z_test(0.5, 0.3, 103, 103))
    assert fisher_z_test(0.4, 0.4, 50, 70) == pytest.approx(0.5)
    assert fisher_z_test(1.0, 0.4, 50, 50) == 0.0
    assert fisher_z_test(1.0, 1.0, 50, 50) == pytest.approx(0.5)
    assert math.isnan(fisher_z_test(math.nan, 0.4, 50, 50))
    with pytest.raises(ValueError, match="`n_lower`"):
        fisher_z_test(0.5, 0.4, 50, 3)
    with pytest.raises(ValueError, match="`higher`"):
        fisher_z_test(1.5, 0.4, 50, 50)


@pytest.mark.parametrize(("table", "variance"), [(OVERALL, 0.329), (COMBINATIONS, 0.335)])
def test_published_figures_of_a_table_agree_with_one_another(
    table: dict[str, tuple[float, float]], variance: float
) -> None:
    # Eq. 6 makes MSE = variance · (1 − r²) with the same ratings in every row: the published pairs must give one
    # variance, within their rounding to three digits
    low, high = 0.0, math.inf
    for r, mse in table.values():
        low = max(low, (mse - 0.0005) / (1 - (r - 0.0005) ** 2))
        high = min(high, (mse + 0.0005) / (1 - (r + 0.0005) ** 2))
    assert low < high
    assert high == pytest.approx(variance, abs=0.002)


def test_unequal_lengths_and_nan() -> None:
    with pytest.raises(ValueError, match="`ratings`"):
        pearson([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="`scores`"):
        pearson([1.0, math.nan], [1.0, 2.0])
