"""A report on systems as one HTML page: comparison, estimates, coverage, and candidates with their neighbours."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.neighbors import Neighbor
from bleu_neighbors_metric.report.charts import Histogram, Lines, coverage_lines, histograms
from bleu_neighbors_metric.tuning.calibration import calibrate
from bleu_neighbors_metric.tuning.findings import Calibration
from bleu_neighbors_metric.tuning.similarity_blocks import coverage_by_threshold
from bleu_neighbors_metric.tuning.sweep import Setting, sweep
from metric_commons.app.intervals import Span, span
from metric_commons.app.page import environment, number
from metric_commons.assessment.conformal import ResidualIntervals
from metric_commons.files.atomic import atomic_write
from metric_commons.integrations.sacrebleu import Streams
from metric_commons.integrations.sacrebleu_adapter import SacrebleuAdapter
from metric_commons.results import MetricResult
from metric_commons.support.validation import check_number
from metric_commons.systems.comparison import Comparison, SystemRow, compare_systems
from metric_commons.systems.comparison_output import BOOTSTRAP_NOTE, NOT_PEOPLE, resampling_note

FILE = "index.html"
_N_THRESHOLDS = 61
_LARGEST_SAMPLE = 1000  # candidates of a system behind its coverage curve


@dataclass(frozen=True)
class Example:
    """A candidate with what is behind its estimate.

    Attributes:
        text: the candidate.
        quality: its estimate; NaN where undefined.
        reason: why it is undefined; None where it is not.
        n_neighbors: its neighbours in the pool.
        n_times: how often the system gave this text.
        position: where it stands first among the system's texts, counted from 1.
        neighbors: the rated texts most similar to it, the most similar first.
        interval: in which 90 % of the ratings of such texts lie; None where there is none.
    """

    text: str
    quality: float
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
    histogram: Histogram
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
        thresholds: of the coverage curves, shape (t,).
        coverage: of each system, shape (t,).
        n_sampled: how many of a system's texts are behind its curve.
        lines: the curves as a drawing.
        estimator: the fitted estimator.
        n_examples: texts shown of each kind.
        best: the threshold that ranks the pool's own texts best, each left out, with what it reaches; None where none
            covers enough of them.
    """

    comparison: Comparison
    systems: tuple[SystemReport, ...]
    calibration: Calibration
    thresholds: NDArray[np.float64]
    coverage: tuple[NDArray[np.float64], ...]
    n_sampled: int
    lines: Lines
    estimator: BLEUNeighbors
    n_examples: int
    best: Setting | None

    @property
    def ranked(self) -> list[SystemReport]:
        """The systems by their estimates less the pool's mean, the highest first."""
        return sorted(
            self.systems, key=lambda system: (math.isnan(system.above_pool), -system.above_pool, system.place)
        )

    @property
    def pool_mean(self) -> float:
        """The mean rating of the pool's texts."""
        return float(self.estimator.quality_.mean())


class _KeepingMetric(SacrebleuAdapter):
    """BLEU Neighbors for a comparison, which keeps each system's estimates: the report shows more than their scores."""

    name = "BLEUNeighbors"
    key = "bleu_neighbors"

    def __init__(self, estimator: BLEUNeighbors) -> None:
        super().__init__(estimator)
        self.estimates: list[MetricResult] = []

    def _segment_scores(self, texts: list[str], references: list[list[str]] | None) -> NDArray[np.float64]:
        result: MetricResult = self.metric.predict(texts)
        self.estimates.append(result)
        return result.values


def build_report(
    systems: Sequence[tuple[str, Sequence[str]]],
    estimator: BLEUNeighbors,
    *,
    references: Streams | None = None,
    others: Sequence[Any] = (),
    test: str = "ar",
    n_samples: int = 0,
    n_examples: int = 5,
    n_neighbors: int = 5,
) -> Report:
    """Score systems and gather what their report shows.

    Args:
        systems: names and outputs for the same inputs, the baseline first; at least two.
        estimator: a fitted estimator.
        references: reference streams for `others`.
        others: sacrebleu's metrics to put beside, such as `BLEU()`.
        test: of significance, as in `compare_systems`.
        n_samples: of the test; 0 for its default.
        n_examples: how many of the highest, the lowest and the uncovered texts of each system to show.
        n_neighbors: how many neighbours of each.

    Raises:
        InputError: as `compare_systems`.
        NotFittedError: before `fit`.
        ValueError: for a number outside its range.
    """
    check_number(n_examples, "n_examples", minimum=1, integer=True)
    check_number(n_neighbors, "n_neighbors", minimum=1, integer=True)
    metric = _KeepingMetric(estimator=estimator)
    comparison = compare_systems(systems, metric, references=references, others=others, test=test, n_samples=n_samples)
    estimates = metric.estimates
    thresholds = _thresholds(estimator.threshold_)
    n_texts = comparison.n_segments
    sample = np.unique(np.linspace(0, n_texts - 1, min(n_texts, _LARGEST_SAMPLE)).astype(np.int64))
    coverage = tuple(coverage_by_threshold(estimator, [texts[i] for i in sample], thresholds) for _, texts in systems)
    calibration = calibrate(estimator)
    charts = histograms([part.values for part in estimates])
    return Report(
        comparison=comparison,
        systems=tuple(
            _system_report(
                place, systems[place][1], part, row, chart, estimator, calibration.intervals, n_examples, n_neighbors
            )
            for place, (part, row, chart) in enumerate(zip(estimates, comparison.rows, charts, strict=True))
        ),
        calibration=calibration,
        thresholds=thresholds,
        coverage=coverage,
        n_sampled=len(sample),
        lines=coverage_lines(thresholds, coverage, estimator.threshold_),
        estimator=estimator,
        n_examples=n_examples,
        best=_best(estimator, thresholds),
    )


def _best(estimator: BLEUNeighbors, thresholds: NDArray[np.float64]) -> Setting | None:
    """Return what the best threshold reaches on the pool's own texts, all else as it is."""
    if len(estimator.texts_) < 2:
        return None
    return sweep(
        estimator,
        thresholds=thresholds.tolist(),
        min_neighbors=[estimator.min_neighbors],
        max_fractions=[estimator.max_fraction],
        n_resamples=1,
    ).best


def _thresholds(threshold: float) -> NDArray[np.float64]:
    """Return thresholds from 0 to well beyond the one in use, which is among them."""
    last = min(1.0, max(0.3, 3 * threshold))
    return np.union1d(np.linspace(0.0, last, _N_THRESHOLDS), [threshold])


def _system_report(
    place: int,
    texts: Sequence[str],
    estimates: MetricResult,
    row: SystemRow,
    histogram: Histogram,
    estimator: BLEUNeighbors,
    bands: ResidualIntervals,
    n_examples: int,
    n_neighbors: int,
) -> SystemReport:
    first: dict[str, int] = {}
    times: dict[str, int] = {}
    for position, text in enumerate(texts):
        first.setdefault(text, position)
        times[text] = times.get(text, 0) + 1
    distinct = np.fromiter(first.values(), np.int64, len(first))
    covered = distinct[estimates.covered[distinct]]
    ascending = covered[np.argsort(estimates.values[covered], kind="stable")]
    n_highest = min(n_examples, math.ceil(len(ascending) / 2))
    highest, rest = ascending[len(ascending) - n_highest :][::-1], ascending[: len(ascending) - n_highest]
    uncovered = distinct[~estimates.covered[distinct]]

    lower, upper = bands.bounds(estimates.values)
    scale = float(estimator.quality_.min()), float(estimator.quality_.max())

    def examples(places: NDArray[np.int64]) -> tuple[Example, ...]:
        return tuple(
            Example(
                text=texts[i],
                quality=float(estimates.values[i]),
                reason=estimates.reasons[i],
                n_neighbors=int(estimates.n_neighbors[i]),
                n_times=times[texts[i]],
                position=int(i) + 1,
                neighbors=tuple(n for n in estimator.kneighbors(texts[i], n_neighbors) if n.similarity > 0),
                interval=span(float(estimates.values[i]), float(lower[i]), float(upper[i]), scale),
            )
            for i in places[:n_examples]
        )

    of_all = row.results[_KeepingMetric.name] if row.common is None else row.common
    above = of_all.score - float(estimator.quality_.mean())
    lists = examples(highest), examples(rest), examples(uncovered)
    return SystemReport(row, estimates, histogram, *lists, place, above)


def render_report(report: Report, title: str = "BLEU Neighbors report") -> str:
    """Return a report as HTML that needs nothing but itself: no script, no font, no network.

    Args:
        report: what `build_report` returned.
        title: heading of the page.
    """
    spread = float(np.ptp(report.estimator.quality_))
    digits = 3 if spread <= 1 else 2
    filters = {
        "quality": lambda value: number(value, digits),
        "p_value": lambda value: "< 0.0001" if value < 0.0001 else f"= {value:.4f}",
    }
    every = max(1, (len(report.thresholds) - 1) // 12)
    marked = {report.estimator.threshold_, *([] if report.best is None else [report.best.threshold])}
    template = environment(__package__, **filters).get_template("report.html.j2")
    page: str = template.render(
        report=report,
        comparison=report.comparison,
        bootstrap_note=BOOTSTRAP_NOTE,
        not_people=NOT_PEOPLE.format(metric=report.comparison.metric),
        resampling_note=resampling_note(report.comparison).capitalize(),
        calibration=report.calibration,
        estimator=report.estimator,
        title=title,
        digits=digits + 1,  # of means
        best_at=None if report.best is None else _place(report, report.best.threshold),
        table_rows=[
            (threshold, [values[i] for values in report.coverage])
            for i, threshold in enumerate(report.thresholds)
            if i % every == 0 or threshold in marked
        ],
    )
    return page


def _place(report: Report, threshold: float) -> float:
    """Return where a threshold stands in the chart of coverage."""
    first, last = float(report.thresholds[0]), float(report.thresholds[-1])
    return report.lines.frame.x((threshold - first) / (last - first))


def write_report(html: str, folder: str | os.PathLike[str]) -> Path:
    """Write a page as `index.html` of a folder, which is made where it is missing, and return its path.

    Raises:
        OSError: where the folder cannot be made or written, or is a file.
    """
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise NotADirectoryError(f"Cannot write a report to {target}: it is a file, not a folder")
    target.mkdir(parents=True, exist_ok=True)
    with atomic_write(target / FILE, "w") as file:
        file.write(html)
    return target / FILE
