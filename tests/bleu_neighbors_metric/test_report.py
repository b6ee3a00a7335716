"""The sections of BLEU Neighbors on the page on systems: figures, neighbours and thresholds."""

import re

import numpy as np
import pytest
from example_fits import CANDIDATES, POOL, fit
from page_standards import Tags

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.integrations.sacrebleu import BLEUNeighborsMetric
from bleu_neighbors_metric.tuning.coverage import coverage_curves
from bleu_neighbors_metric.tuning.sweep import sweep
from referenceless_metrics.comparison.comparison import compare_systems
from referenceless_metrics.comparison.page import systems_page
from referenceless_metrics.comparison.segments import Measure
from referenceless_metrics.comparison.table_cells import interval_of
from referenceless_metrics.pages.rendering import signed

SYSTEMS = [
    ("ours", [*CANDIDATES, *POOL.texts[:20]]),
    ("base", [*(" ".join(text.split()[::-1]) for text in CANDIDATES), *POOL.texts[20:40]]),
]


@pytest.fixture(scope="module")
def estimator():
    return fit(min_neighbors=2)


def compared(estimator):
    """Compare the systems; return the comparison and the page on it."""
    adapter = BLEUNeighborsMetric(estimator=estimator)
    comparison = compare_systems(SYSTEMS, adapter, n_samples=20)
    measure = Measure("BLEU Neighbors", adapter.results, adapter.metric, comparison)
    return comparison, systems_page(SYSTEMS, [measure])


@pytest.fixture(scope="module")
def shown(estimator):
    return compared(estimator)


def test_figures_are_those_of_the_estimator(shown, estimator):
    comparison, html = shown
    text = Tags(html).text
    mean = float(np.mean(POOL.ratings))
    thresholds, shares = coverage_curves(estimator, [texts for _, texts in SYSTEMS])
    for (_, texts), row, coverage in zip(SYSTEMS, comparison.rows, shares, strict=True):
        estimates = estimator.predict(texts)
        assert coverage[thresholds == estimator.threshold_] == [estimates.coverage]
        result = row.results["BLEUNeighbors"]
        low, high = interval_of(result)
        assert f"{result.score:.3f} [{low:.3f}, {high:.3f}]" in text
        assert f"{row.system} {signed(result.score - mean, 3)}" in text
    assert text.index("By the estimates of BLEUNeighbors") < text.index("This says nothing about people.")


def test_a_chart_counts_each_systems_neighbours(shown, estimator):
    section = shown[1].split('id="neighbors"')[1].split("</section>")[0]
    charts = section.split("<svg")[1:]
    assert len(charts) == len(SYSTEMS)
    for (_, texts), chart in zip(SYSTEMS, charts, strict=True):
        counts = estimator.predict(texts).columns["n_neighbors"]
        assert f"mean {counts.mean():.1f}</title>" in chart
        assert sum(int(n) for n in re.findall(r"<title>\S+ to \S+: (\d+)</title>", chart)) == len(texts)


def test_the_best_threshold_is_marked(shown, estimator):
    thresholds = coverage_curves(estimator, [SYSTEMS[0][1]])[0].tolist()
    swept = sweep(estimator, thresholds=thresholds, min_neighbors=[2], max_fractions=[0.66])
    assert swept.best is not None
    assert f"best τ, {swept.best.threshold:.3f}" in Tags(shown[1]).text
    few = BLEUNeighbors(min_neighbors=2).fit(POOL.texts[:20], POOL.ratings[:20])
    assert "No threshold is marked as the best" in compared(few)[1]
