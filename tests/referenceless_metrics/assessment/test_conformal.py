"""Intervals of single texts: their quantile holds its share, and they are those of a brute-force twin."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng
from numpy.testing import assert_allclose
from refusals import refusals

from referenceless_metrics.assessment.conformal import ResidualIntervals, conformal_quantile, fit_scale


def brute_force_half_width(estimates, residuals, new, level):
    """Return the half width from its definition, text by text."""
    n = len(estimates)
    ordered = sorted(estimates)
    groups = [list(range(n))]
    if n >= 60:
        first, second = ordered[n // 3], ordered[2 * n // 3]
        thirds = [
            [i for i in range(n) if estimates[i] < first],
            [i for i in range(n) if first <= estimates[i] < second],
            [i for i in range(n) if estimates[i] >= second],
        ]
        if min(map(len, thirds)) >= 20:
            groups = [thirds[(new >= first) + (new >= second)]]
    sizes = sorted(abs(residuals[i]) for i in groups[0])
    rank = level * (len(sizes) + 1)
    if rank > len(sizes):
        return math.nan
    below = max(math.floor(rank), 1)
    above = min(below + 1, len(sizes))
    share = max(rank - below, 0.0)
    return sizes[below - 1] * (1 - share) + sizes[above - 1] * share


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(-20, 20)), min_size=1, max_size=130),
    st.lists(st.integers(-2, 11), min_size=1, max_size=4),
    st.sampled_from([0.5, 0.8, 0.9, 0.95]),
)
def test_half_widths_are_those_of_the_definition(known, new, level):
    estimates = [value / 10 for value, _ in known]
    ratings = [estimate + size / 10 for estimate, (_, size) in zip(estimates, known, strict=True)]
    intervals = ResidualIntervals.of(estimates, ratings)
    expected = [
        brute_force_half_width(estimates, [r - e for r, e in zip(ratings, estimates, strict=True)], value / 10, level)
        for value in new
    ]
    assert_allclose(intervals.half_widths([value / 10 for value in new], level), expected, atol=1e-12)


def test_an_abstention_has_no_interval_and_too_few_residuals_give_none():
    assert np.isnan(ResidualIntervals.of(np.arange(8.0), np.arange(8.0)).bounds([1.0], 0.9)).all()
    nine = ResidualIntervals.of([*np.arange(9.0), math.nan], np.zeros(10))
    assert len(nine) == 9  # the tenth was not estimated
    assert_allclose(nine.bounds([1.0, math.nan], 0.9), [[-7.0, math.nan], [9.0, math.nan]])


test_a_level_outside_the_open_unit_interval_is_refused = refusals(
    lambda level: ResidualIntervals.of([1.0], [1.0]).bounds([1.0], level),
    [(level, "`level`") for level in (0.0, 1.0, -0.5, 2.0)],
)


@given(st.lists(st.integers(0, 10), min_size=1, max_size=40), st.floats(0.05, 0.99))
def test_the_quantile_holds_its_share(values, level):
    quantile = conformal_quantile(np.array(values), level)
    assert quantile in values
    held = np.mean(np.array(values) <= quantile)
    assert held >= level or quantile == max(values)


def test_left_out_expectations_are_those_of_refits():
    rng = default_rng(0)
    features = rng.normal(size=(30, 3))
    features -= features.mean(axis=0)
    errors = np.abs(features[:, 0] * 0.5 + 2 + 0.1 * rng.normal(size=30))
    scale, left_out = fit_scale(features, errors)
    assert scale.weights[0] > 0.2
    assert_allclose(scale(features), np.maximum(scale.mean + features @ scale.weights, scale.mean / 2))
    assert np.corrcoef(left_out, errors)[0, 1] > 0.8
    scale, left_out = fit_scale(np.ones((5, 1)), np.zeros(5))  # perfect estimates: intervals without width
    assert [*left_out, *scale(np.ones((2, 1)))] == [1.0] * 7
