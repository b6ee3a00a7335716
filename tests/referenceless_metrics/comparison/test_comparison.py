"""Differences of segments that all systems have."""

import json
import math

import numpy as np
import pytest
from numpy.random import default_rng
from refusals import refused
from scipy.stats import ttest_rel
from toy_metrics import Given, texts_of

from referenceless_metrics.comparison.comparison import compare_systems
from referenceless_metrics.comparison.output import render_comparison
from referenceless_metrics.frameworks.sacrebleu import SacrebleuAdapter


def compared(*values):
    """Compare systems whose texts have these values."""
    return compare_systems(
        list(zip("ab", map(texts_of, values), strict=True)), SacrebleuAdapter(Given()), n_samples=100
    )


def test_systems_are_compared_on_the_segments_that_all_have():
    rng = default_rng(0)
    values = np.stack([base := rng.normal(size=200), base + rng.normal(0.5, 1, 200)])
    values[1, :20] = np.nan
    result = compared(*values)
    assert "Given compares the systems on the 180 of 200 segments that it covers for all" in render_comparison(result)
    first, second = result.rows
    assert [row.results["Given"].score for row in result.rows] == pytest.approx(values[:, 20:].mean(axis=1))
    told = json.loads(render_comparison(result, "json"))
    assert (told["n_common"], [row["coverage"] for row in told["rows"]]) == (180, [1.0, 0.9])
    paired = ttest_rel(values[1, 20:], values[0, 20:])
    assert first.difference is None
    assert second.difference.p_value() == pytest.approx(paired.pvalue)
    assert second.difference.interval() == pytest.approx(tuple(paired.confidence_interval(0.95)))


@pytest.mark.parametrize("n_covered", [9, 10])
def test_nine_values_give_no_interval_and_no_p(n_covered):
    result = compared([0.3] * 30, [2.0] * n_covered + [math.nan] * (30 - n_covered))
    second = result.rows[1]
    few = n_covered < 10
    assert math.isnan(second.results["Given"].ci) == few
    assert (second.results["Given"].p_value is None) == (second.difference is None) == few
    assert ("2.0000 [2.0000, 2.0000]" in render_comparison(result)) == (not few)
    assert ("fewer than 10 values of Given give no interval" in render_comparison(result)) == few


def test_systems_that_share_no_segment_are_not_compared():
    with refused("no segment that Given covers for all systems"):
        compared([1.0, math.nan], [math.nan, 1.0])
