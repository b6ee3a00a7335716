"""How often `compare` finds a difference between systems that differ by chance alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.random import default_rng
from rated_systems import nlg_ratings
from scipy.stats import binomtest

from bleu_neighbors_metric import BLEUNeighbors
from metric_commons.integrations.sacrebleu import SacrebleuAdapter
from metric_commons.results import MetricResult
from metric_commons.systems.comparison import compare_systems
from slor_metric import Fluency

N_SEGMENTS = 60


class Remembered:
    """A metric that scores each text once."""

    needs_references = needs_sources = False

    def __init__(self, metric: Any, texts: Sequence[str]) -> None:
        self.name, self.signature = metric.name, str(metric.signature)
        result = metric.predict(texts)
        self._known = dict(zip(texts, zip(result.values.tolist(), result.reasons, strict=True), strict=True))

    def predict(self, texts):
        known = [self._known[text] for text in texts]
        return MetricResult(np.array([value for value, _ in known]), tuple(why for _, why in known), self.signature)


def rejections(metric, texts, n_nulls, n_samples):
    """Deal texts to two systems, many times over, and count p < .05."""
    rng = default_rng(3)
    found = 0
    for _ in range(n_nulls):
        dealt = rng.choice(np.array(texts, dtype=object), (2, N_SEGMENTS), replace=False).tolist()
        compared = compare_systems([("a", dealt[0]), ("b", dealt[1])], SacrebleuAdapter(metric), n_samples=n_samples)
        row = compared.rows[1]
        p_value = (row.common or row.results[compared.metric]).p_value
        found += p_value < 0.05
    return found


@pytest.mark.long
@pytest.mark.parametrize("name, n_nulls", [("fluency", 1000), ("bleu_neighbors", 200)])
def test_equal_systems_differ_in_one_comparison_of_twenty(name, n_nulls, data_dir):
    rated = nlg_ratings(data_dir("nlg-ratings"))
    texts, first = np.unique(np.array(rated.texts), return_index=True)
    order = default_rng(0).permutation(len(texts))
    pool, outputs = order[:150], texts[order[150:]].tolist()
    if name == "fluency":
        metric = Remembered(Fluency("ngram"), outputs)
    else:
        metric = BLEUNeighbors(progress=False).fit(texts[pool].tolist(), rated.ratings[first[pool]])
    found = binomtest(rejections(metric, outputs, n_nulls, 200), n_nulls)
    low, high = found.proportion_ci()
    print(f"{name}: {found.statistic:.3f} of {n_nulls} [{low:.3f}, {high:.3f}]")
    assert low <= 0.05


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
