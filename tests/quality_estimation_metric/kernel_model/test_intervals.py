from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metric_commons.assessment.conformal import conformal_quantile, fit_scale


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.integers(0, 10), min_size=1, max_size=40), st.floats(0.05, 0.99))
def test_the_quantile_holds_its_share(values: list[int], level: float) -> None:
    quantile = conformal_quantile(np.array(values), level)
    assert quantile in values
    held = np.mean(np.array(values) <= quantile)
    assert held >= level or quantile == max(values)


def test_left_out_expectations_are_those_of_refits() -> None:
    rng = np.random.default_rng(0)
    features = rng.normal(size=(30, 3))
    features -= features.mean(axis=0)
    errors = np.abs(features[:, 0] * 0.5 + 2 + 0.1 * rng.normal(size=30))
    scale, left_out = fit_scale(features, errors)
    assert scale.weights[0] > 0.2
    np.testing.assert_allclose(scale(features), np.maximum(scale.mean + features @ scale.weights, scale.mean / 2))
    assert np.corrcoef(left_out, errors)[0, 1] > 0.8


def test_perfect_estimates_have_intervals_without_width() -> None:
    scale, left_out = fit_scale(np.ones((5, 1)), np.zeros(5))
    assert (left_out == 1).all()
    assert scale(np.ones((2, 1))).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9])
def test_intervals_hold_their_share_of_new_errors(level: float) -> None:
    rng = np.random.default_rng(1)
    features = rng.normal(size=(4000, 2))
    errors = np.abs(rng.normal(size=4000)) * np.exp(0.3 * features[:, 0])
    scale, expected = fit_scale(features[:2000], errors[:2000])
    quantile = conformal_quantile(errors[:2000] / expected, level)
    held = np.mean(errors[2000:] <= quantile * scale(features[2000:]))
    assert abs(held - level) < 0.03
