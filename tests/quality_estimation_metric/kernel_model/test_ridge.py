import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng
from numpy.testing import assert_allclose
from refusals import refused

from quality_estimation_metric.kernel_model.ridge import (
    GREATEST_PENALTY,
    INTERCEPT,
    LEAST_PENALTY,
    START,
    choose_ridge,
    fit_logistic,
    fit_ridge,
)


def refit_without(kernel, residual, groups, penalty):
    """The error of each rating when its group is left out, by fitting anew: the definition."""
    left = np.empty(len(residual))
    full = kernel + INTERCEPT
    for group in set(groups.tolist()):
        out, rest = np.flatnonzero(groups == group), np.flatnonzero(groups != group)
        coefficients = np.linalg.solve(full[np.ix_(rest, rest)] + penalty * np.eye(len(rest)), residual[rest])
        left[out] = residual[out] - full[np.ix_(out, rest)] @ coefficients
    return left


@given(st.integers(4, 25), st.integers(1, 5), st.sampled_from([0.1, 1.0, 30.0]), st.integers(0, 1000))
def test_left_out_residuals_are_those_of_refits(n, n_groups, penalty, seed):
    rng = default_rng(seed)
    rows = rng.normal(size=(n, 6))
    groups = np.append(rng.integers(0, n_groups, n - 2), [n_groups, n_groups + 1])
    residual = rng.normal(size=n)
    found = fit_ridge(rows @ rows.T, residual, groups, penalty)
    assert_allclose(found.left_out, refit_without(rows @ rows.T, residual, groups, penalty), atol=1e-7)
    expected = np.linalg.solve(rows @ rows.T + INTERCEPT + penalty * np.eye(n), residual)
    assert_allclose(found.coefficients, expected, atol=1e-8)


def test_levels_are_the_mean_predictions_of_refits():
    rng = default_rng(0)
    rows, groups = rng.normal(size=(12, 3)), np.array([0, 0, 1, 2, 3, 3, 3, 4, 5, 6, 7, 8])
    kernel, residual = rows @ rows.T, rng.normal(size=12)
    levels = fit_ridge(kernel, residual, groups, 2.0).levels
    full = kernel + INTERCEPT
    for row, group in enumerate(groups):
        rest = np.flatnonzero(groups != group)
        coefficients = np.linalg.solve(full[np.ix_(rest, rest)] + 2.0 * np.eye(len(rest)), residual[rest])
        assert levels[row] == pytest.approx((full[:, rest] @ coefficients).mean())


def test_a_search_finds_the_same_penalty_wherever_it_starts():
    rng = default_rng(2)
    rows = rng.normal(size=(90, 30))
    kernel, residual = rows @ rows.T, rows @ rng.normal(size=30) + 10 * rng.normal(size=90)
    groups = np.arange(90) // 2
    losses = {penalty: fit_ridge(kernel, residual, groups, penalty).loss for penalty in 2.0 ** np.arange(-4, 10)}
    best = min(losses, key=losses.__getitem__)
    assert LEAST_PENALTY < best < GREATEST_PENALTY
    for start in (LEAST_PENALTY, best / 2, best, START, GREATEST_PENALTY):
        found = choose_ridge(kernel, residual, groups, start=start)
        assert found.penalty == best
        assert found.loss == losses[best]


def test_a_kernel_that_is_none_is_refused():
    with refused("not positive definite", np.linalg.LinAlgError):
        fit_ridge(-100 * np.eye(3), np.ones(3), np.arange(3), 1.0)


def test_left_out_pairs_are_those_of_refits():
    rng = default_rng(1)
    rows, texts = rng.normal(size=(60, 5)) + 0.4, rng.integers(0, 70, (60, 2))
    kernel = rows @ rows.T
    found = fit_logistic(kernel, np.ones(60), texts, 2.0)
    for row in range(0, 60, 7):
        rest = np.flatnonzero(~np.isin(texts, texts[row]).any(axis=1))
        again = fit_logistic(kernel[np.ix_(rest, rest)], np.ones(len(rest)), np.arange(len(rest)), 2.0)
        assert found.left_out[row] == pytest.approx(kernel[row, rest] @ again.coefficients, abs=0.15)
