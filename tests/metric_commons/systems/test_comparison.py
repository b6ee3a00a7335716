"""Differences of segments that all systems have."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.random import default_rng
from refusals import refused
from scipy.stats import ttest_rel

from metric_commons.integrations.sacrebleu import SacrebleuAdapter
from metric_commons.results import MetricResult
from metric_commons.systems.comparison import compare_systems
from metric_commons.systems.comparison_output import render_comparison


class Given:
    """Values of the systems a and b, shape (2, n), for texts such as "b 7"."""

    name, signature, needs_references, needs_sources = "given", "metric:given", False, False

    def __init__(self, values):
        self.values = values

    def predict(self, asked, **_):
        of_texts = np.array([self.values["ab".index(text[0]), int(text[2:])] for text in asked])
        return MetricResult(of_texts, ("unknown",) * len(asked), self.signature)


def test_systems_are_compared_on_the_segments_that_all_have():
    rng = default_rng(0)
    texts = [[f"{name} {place}" for place in range(200)] for name in "ab"]
    values = np.stack([base := rng.normal(size=200), base + rng.normal(0.5, 1, 200)])
    values[1, :20] = np.nan

    systems = list(zip("ab", texts, strict=True))
    result = compare_systems(systems, SacrebleuAdapter(Given(values)), n_samples=100)
    assert "given compares the systems on the 180 of 200 segments that it covers for all" in render_comparison(result)
    first, second = result.rows
    assert [row.results["given"].score for row in result.rows] == pytest.approx(values[:, 20:].mean(axis=1))
    assert [row.coverage for row in result.rows] == [1.0, 0.9]
    paired = ttest_rel(values[1, 20:], values[0, 20:])
    assert first.difference is None
    assert second.difference.p_value() == pytest.approx(paired.pvalue)
    assert second.difference.interval() == pytest.approx(tuple(paired.confidence_interval(0.95)))


@pytest.mark.parametrize("n_covered", [9, 10])
def test_nine_values_give_no_interval_and_no_p(n_covered):
    values = np.stack([np.full(30, 0.3), np.full(30, np.nan)])
    values[1, :n_covered] = 2.0
    systems = [(name, [f"{name} {place}" for place in range(30)]) for name in "ab"]
    result = compare_systems(systems, SacrebleuAdapter(Given(values)), n_samples=100)
    second = result.rows[1]
    few = n_covered < 10
    assert math.isnan(second.results["given"].ci) == few
    assert (second.results["given"].p_value is None) == (second.difference is None) == few
    assert ("2.0000 (2.0000 ±" in render_comparison(result)) == (not few)
    assert ("fewer than 10 values of given give no interval" in render_comparison(result)) == few


def test_systems_that_share_no_segment_are_not_compared():
    values = np.stack([np.arange(30.0), np.arange(30.0)])
    values[0, 20:], values[1, :20] = np.nan, np.nan
    systems = [(name, [f"{name} {place}" for place in range(30)]) for name in "ab"]
    with refused("no segment that given covers for all systems"):
        compare_systems(systems, SacrebleuAdapter(Given(values)))
