"""A report on systems as one HTML page: comparison, estimates, coverage, and candidates with their neighbours."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.integrations.sacrebleu import BLEUNeighborsMetric
from bleu_neighbors_metric.kernels.neighbors import Neighbor
from bleu_neighbors_metric.tuning.calibration import calibrate
from bleu_neighbors_metric.tuning.findings import Calibration
from bleu_neighbors_metric.tuning.similarity_blocks import CoverageCurves, coverage_curves
from bleu_neighbors_metric.tuning.sweep import Setting, sweep
from metric_commons.files.atomic import atomic_write
from metric_commons.integrations.sacrebleu import Streams
from metric_commons.report.charts import Chart, histograms, lines
from metric_commons.report.rendering import Span, render, span
from metric_commons.results import MetricResult
from metric_commons.systems.comparison import Comparison, SystemRow, compare_systems
from metric_commons.systems.comparison_output import BOOTSTRAP_NOTE, NOT_PEOPLE, resampling_note

FILE = "index.html"

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
class SystemReport:
    """One system's part of a report.

    Attributes:
        row: its scores, as in the comparison.
        estimates: of all its texts.
        histogram: of the estimates.
        highest: covered texts with the highest estimates.
        lowest: those with the lowest, none of which is among the highest.
        uncovered: the first texts that are not covered.
        place: among the systems as they were given, counted from 0; the baseline's is 0.
        above_pool: the mean estimate less the mean rating of the pool, on the segments that are covered for all systems
            where there are any; NaN where nothing is covered.
    """

    row: SystemRow
    estimates: MetricResult
    histogram: Chart
    highest: tuple[Example, ...]
    lowest: tuple[Example, ...]
    uncovered: tuple[Example, ...]
    place: int
    above_pool: float


@dataclass(frozen=True)
class Report:
    """All that a page shows.

    Attributes:
        comparison: scores, intervals and tests.
        systems: one a system, the baseline first.
        calibration: what the pool's estimates are worth.
        curves: coverage by threshold, one curve a system.
        estimator: the fitted estimator.
        best: the threshold that ranks the pool's own texts best, each left out, with what it reaches; None where none
            covers enough of them.
    """

    comparison: Comparison
    systems: tuple[SystemReport, ...]
    calibration: Calibration
    curves: CoverageCurves
    estimator: BLEUNeighbors
    best: Setting | None

    @property
    def ranked(self) -> list[SystemReport]:
        """The systems by their estimates less the pool's mean, the highest first."""
        return sorted(
            self.systems, key=lambda system: (math.isnan(system.above_pool), -system.above_pool, system.place)
        )


def build_report(
    systems: Sequence[tuple[str, Sequence[str]]],
    estimator: BLEUNeighbors,
    *,
    references: Streams | None = None,
    others: Sequence[Any] = (),
    test: str = "ar",
    n_samples: int = 0,
) -> Report:
    """Score systems and gather what their report shows.

    Args:
        systems: names and outputs for the same inputs, the baseline first; at least two.
        estimator: a fitted estimator.
        references: reference streams for `others`.
        others: sacrebleu's metrics to put beside, such as `BLEU()`.
        test: of significance, as in `compare_systems`.
        n_samples: of the test; 0 for its default.

    Raises:
        InputError: as `compare_systems`.
        NotFittedError: before `fit`.
    """
    metric = BLEUNeighborsMetric(estimator=estimator)
    comparison = compare_systems(systems, metric, references=references, others=others, test=test, n_samples=n_samples)
    estimates = metric.results
    curves = coverage_curves(estimator, [texts for _, texts in systems])
    calibration = calibrate(estimator)
    swept = sweep(
        estimator,
        thresholds=curves.thresholds.tolist(),
        min_neighbors=[estimator.min_neighbors],
        max_fractions=[estimator.max_fraction],
        n_resamples=1,
    )
    charts = histograms([part.values for part in estimates])

    def system_report(place: int, texts: Sequence[str]) -> SystemReport:
        result, row = estimates[place], comparison.rows[place]
        lower, upper = calibration.intervals.bounds(result.values, seen=estimator.ratings_)
        scale = float(estimator.ratings_.min()), float(estimator.ratings_.max())

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
        of_all = row.results[metric.name] if row.common is None else row.common
        return SystemReport(
            row,
            result,
            charts[place],
            highest,
            lowest,
            uncovered,
            place,
            of_all.score - estimator.mean_rating,
        )

    return Report(
        comparison=comparison,
        systems=tuple(system_report(place, texts) for place, (_, texts) in enumerate(systems)),
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


def render_report(report: Report, title: str = "BLEU Neighbors report") -> str:
    """Return a report as HTML that needs nothing but itself: no script, no font, no network.

    Args:
        report: what `build_report` returned.
        title: heading of the page.
    """
    best = () if report.best is None else (report.best.threshold,)
    return render(
        __package__,
        "report.html.j2",
        report=report,
        **vars(report),
        lines=lines(report.curves.thresholds, report.curves.shares, report.estimator.threshold_),
        bootstrap_note=BOOTSTRAP_NOTE,
        not_people=NOT_PEOPLE.format(metric=report.comparison.metric),
        resampling_note=resampling_note(report.comparison).capitalize(),
        title=title,
        n_examples=N_EXAMPLES,
        digits=4 if float(np.ptp(report.estimator.ratings_)) <= 1 else 3,  # of means
        table_rows=report.curves.rows(report.estimator.threshold_, *best),
    )


def write_report(html: str, place: str | os.PathLike[str]) -> Path:
    """Write a page to a file that ends in .html, or as `index.html` of a folder that is made where it is missing.

    Returns:
        The file's path.

    Raises:
        OSError: where the folder cannot be made or written, or is a file.
    """
    target = Path(place)
    if target.suffix.lower() != ".html" or target.is_dir():
        if target.exists() and not target.is_dir():
            raise NotADirectoryError(f"Cannot write a report to {target}: it is a file, not a folder")
        target.mkdir(parents=True, exist_ok=True)
        target /= FILE
    with atomic_write(target, "w") as file:
        file.write(html)
    return target
