"""Sections of BLEU Neighbors on the page on systems: the verdict on its pool, and coverage by threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.tuning.calibration import calibrate
from bleu_neighbors_metric.tuning.coverage import coverage_curves
from bleu_neighbors_metric.tuning.sweep import sweep
from referenceless_metrics.human_evaluation.inference.output_ratings import Systems
from referenceless_metrics.pages.charts import histograms, lines
from referenceless_metrics.pages.rendering import render

if TYPE_CHECKING:
    from referenceless_metrics.comparison.segments import Measure


def report_sections(measure: Measure, systems: Systems) -> str:
    """Return the sections as HTML; see `MetricSpec.report`."""
    estimator = measure.metric
    assert isinstance(estimator, BLEUNeighbors)
    calibration = calibrate(estimator)
    verdict = estimator.known_verdict_ or calibration.assessment.verdict
    thresholds, shares = coverage_curves(estimator, [texts for _, texts in systems])
    swept = sweep(
        estimator,
        thresholds=thresholds.tolist(),
        min_neighbors=[estimator.rule_.min_neighbors],
        max_fractions=[estimator.rule_.max_fraction],
    )
    return render(
        __package__,
        "report.html.j2",
        comparison=measure.comparison,
        digits=measure.digits,
        calibration=calibration,
        verdict=verdict,
        findings=calibration.findings[1:] if verdict == calibration.assessment.verdict else [verdict.summary],
        estimator=estimator,
        best=swept.best,
        neighbors=histograms([result.columns["n_neighbors"] for result in measure.results]),
        lines=lines(thresholds, shares, estimator.threshold_),
    )
