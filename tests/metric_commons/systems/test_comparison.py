"""Differences of segments that all systems have."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.random import default_rng

from metric_commons.integrations.sacrebleu import SacrebleuAdapter
from metric_commons.results import MetricResult
from metric_commons.systems.comparison import compare_systems


def test_the_paired_difference_is_of_the_segments_that_all_have():
    rng = default_rng(0)
    texts = [[f"{name} {place}" for place in range(200)] for name in "ab"]
    values = np.stack([base := rng.normal(size=200), base + rng.normal(0.5, 1, 200)])
    values[1, :20] = np.nan

    class Given:
        name, signature, needs_references, needs_sources = "given", "metric:given", False, False

        def predict(self, asked, **_):
            found = np.array([values["ab".index(text[0]), int(text[2:])] for text in asked])
            return MetricResult(found, ("unknown",) * len(found), self.signature)

    systems = list(zip("ab", texts, strict=True))
    first, second = compare_systems(systems, SacrebleuAdapter(Given()), n_samples=100).rows
    differences = (values[1] - values[0])[20:]
    error = 1.96 * differences.std() / np.sqrt(180)
    mean = differences.mean()
    assert first.difference is None
    assert second.difference == pytest.approx((mean, mean - error, mean + error), abs=error / 5)
