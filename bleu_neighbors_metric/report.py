"""What BLEU Neighbors adds to the page on systems: its pool, coverage, and candidates with their neighbours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.neighbors import Neighbor
from bleu_neighbors_metric.tuning.calibration import calibrate
from bleu_neighbors_metric.tuning.findings import Calibration
from bleu_neighbors_metric.tuning.sweep import CoverageCurves, Setting, coverage_curves, sweep
from metric_commons.integrations.sacrebleu import SacrebleuAdapter, Streams
from metric_commons.report.charts import lines
from metric_commons.report.rendering import Span, span
from metric_commons.report.systems import SystemPart, system_parts, systems_page
from metric_commons.results import MetricResult
from metric_commons.systems.comparison import Comparison

N_EXAMPLES = 5
"""Texts shown of each kind: of each system the highest, the lowest and those that are not covered."""

_N_NEIGHBORS = 5  # shown of each


@dataclass(frozen=True)
class Example:
    """A candidate with what is behind its estimate.

    Attributes:
        text: the candidate.
        estimate: its estimate; NaN where undefined.
        reason: why it is undefined; None where it is not.
        n_neighbors: its neighbours in the pool.
        n_times: how often the system gave this text.
        position: where it stands first among the system's texts, counted from 1.
        neighbors: the rated texts most similar to it, the most similar first.
        interval: in which 90 % of the ratings of such texts lie; None where there is none.
    """

    text: str
    estimate: float
    reason: str | None
    n_neighbors: int
    n_times: int
    position: int
    neighbors: tuple[Neighbor, ...]
    interval: Span | None


@dataclass(frozen=True)
class SystemReport(SystemPart):
    """One system's part of a report.

    Attributes:
        highest: covered texts with the highest estimates.
        lowest: those with the lowest, none of which is among the highest.
        uncovered: the first texts that are not covered.
        above_pool: its score less the mean rating of the pool; NaN where nothing is covered.
    """

    highest: tuple[Example, ...]
    lowest: tuple[Example, ...]
    uncovered: tuple[Example, ...]
    above_pool: float


@dataclass(frozen=True)
class Report:
    """What the page shows of BLEU Neighbors alone.

    Attributes:
        systems: one a system, the baseline first.
        calibration: what the pool's estimates are worth.
        curves: coverage by threshold, one curve a system.
        estimator: the fitted estimator.
        best: the threshold that ranks the pool's own texts best, each left out, with what it reaches; None where none
            covers enough of them.
    """

    systems: tuple[SystemReport, ...]
    calibration: Calibration
    curves: CoverageCurves
    estimator: BLEUNeighbors
    best: Setting | None


def build_report(
    systems: Sequence[tuple[str, Sequence[str]]], adapter: SacrebleuAdapter, comparison: Comparison
) -> Report:
    """Gather what the page shows of BLEU Neighbors alone.

    Args:
        systems: names and outputs, the baseline first.
        adapter: a fitted estimator, which holds the results of the comparison.
        comparison: what `compare_systems` found with it.
    """
    estimator: BLEUNeighbors = adapter.metric
    curves = coverage_curves(estimator, [texts for _, texts in systems])
    calibration = calibrate(estimator)
    swept = sweep(
        estimator,
        thresholds=curves.thresholds.tolist(),
        min_neighbors=[estimator.min_neighbors],
        max_fractions=[estimator.max_fraction],
        n_resamples=1,
    )
    scale = float(estimator.ratings_.min()), float(estimator.ratings_.max())

    def system_report(part: SystemPart, texts: Sequence[str]) -> SystemReport:
        result = part.estimates
        lower, upper = calibration.intervals.bounds(result.values, seen=estimator.ratings_)

        def example(i: int) -> Example:
            estimate = float(result.values[i])
            return Example(
                text=texts[i],
                estimate=estimate,
                reason=result.reasons[i],
                n_neighbors=int(result.n_neighbors[i]),
                n_times=list(texts).count(texts[i]),
                position=i + 1,
                neighbors=tuple(n for n in estimator.kneighbors(texts[i], _N_NEIGHBORS) if n.similarity > 0),
                interval=span(estimate, float(lower[i]), float(upper[i]), scale),
            )

        telling = _most_telling(texts, result, N_EXAMPLES)
        highest, lowest, uncovered = (tuple(map(example, places)) for places in telling)
        above = part.score - estimator.mean_rating
        return SystemReport(part.row, result, part.histogram, part.place, highest, lowest, uncovered, above)

    parts = zip(system_parts(comparison, adapter.results), systems, strict=True)
    return Report(
        systems=tuple(system_report(part, texts) for part, (_, texts) in parts),
        calibration=calibration,
        curves=curves,
        estimator=estimator,
        best=swept.best,
    )


def _most_telling(texts: Sequence[str], result: MetricResult, most: int) -> tuple[list[int], list[int], list[int]]:
    """Return where distinct texts with the highest and the lowest estimates stand first, and some without any."""
    distinct = np.array(sorted({text: place for place, text in reversed(list(enumerate(texts)))}.values()))
    covered = distinct[result.covered[distinct]]
    ascending = covered[np.argsort(result.values[covered], kind="stable")].tolist()
    n_highest = min(most, math.ceil(len(ascending) / 2))
    highest, rest = ascending[len(ascending) - n_highest :][::-1], ascending[: len(ascending) - n_highest]
    return highest, rest[:most], distinct[~result.covered[distinct]].tolist()[:most]


def report_page(
    systems: Sequence[tuple[str, Sequence[str]]],
    adapter: SacrebleuAdapter,
    comparison: Comparison,
    references: Streams | None = None,
    **values: Any,
) -> str:
    """Return the page on systems as HTML that needs nothing but itself; see `systems_page`."""
    report = build_report(systems, adapter, comparison)
    best = () if report.best is None else (report.best.threshold,)
    own: dict[str, Any] = {
        "package": __package__,
        "template": "report.html.j2",
        "parts": report.systems,
        "report": report,
        "calibration": report.calibration,
        "estimator": report.estimator,
        "lines": lines(report.curves.thresholds, report.curves.shares, report.estimator.threshold_),
        "n_examples": N_EXAMPLES,
        "digits": 4 if float(np.ptp(report.estimator.ratings_)) <= 1 else 3,  # of means
        "table_rows": report.curves.rows(report.estimator.threshold_, *best),
    }
    return systems_page(systems, adapter, comparison, references, **own, **values)
