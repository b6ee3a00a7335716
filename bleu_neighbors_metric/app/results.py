"""What the web page of BLEU Neighbors works out and shows: results as data, and as HTML."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.neighbors import Neighbor
from bleu_neighbors_metric.report.charts import LARGE, coverage_lines, histograms
from bleu_neighbors_metric.report.shared_ngrams import Overlap, Piece, highlight, overlap
from bleu_neighbors_metric.tuning.calibration import attach_calibration, calibrate
from bleu_neighbors_metric.tuning.findings import Calibration
from bleu_neighbors_metric.tuning.similarity_blocks import coverage_by_threshold
from metric_commons.app.inputs import check_count
from metric_commons.app.page import data_link, fragment
from metric_commons.app.parts import Report, in_parts, unreported
from metric_commons.files.output import render, shorten
from metric_commons.files.tables import RatedTexts
from metric_commons.results import MetricResult

MOST_CANDIDATES = 20_000
MOST_RATED = 50_000
MOST_ROWS = 200
"""Rows of the table; the file that the page offers holds all."""

ORDERS = ("as given", "highest first", "lowest first", "without an estimate first")
_MOST_CALIBRATED = 5_000
_INTERVAL = ("lower", "upper")
_N_THRESHOLDS = 61
_LARGEST_SAMPLE = 1_000  # candidates behind the coverage curve
_LONGEST_COMPARED = 2_000  # characters whose n-grams are highlighted


@dataclass(frozen=True)
class Scored:
    """Candidates with their estimates, and what was worked out beside.

    Attributes:
        texts: the candidates, n of them.
        pool: the rated texts as they were given.
        parameters: of the estimator, as they were given.
        estimates: one a candidate.
        estimator: with the pool.
        calibration: of the pool; None for one too large to calibrate while a visitor waits.
        thresholds: of the coverage curve, shape (t,).
        coverage: at each threshold, shape (t,).
        notes: warnings to show.
    """

    texts: list[str]
    pool: RatedTexts
    parameters: dict[str, Any]
    estimates: MetricResult
    estimator: BLEUNeighbors
    calibration: Calibration | None
    thresholds: NDArray[np.float64]
    coverage: NDArray[np.float64]
    notes: tuple[str, ...]

    def is_of(self, pool: RatedTexts, parameters: dict[str, Any]) -> bool:
        """Return whether these candidates were scored against this pool, with these parameters."""
        same = self.parameters == parameters and self.pool.texts == pool.texts
        return same and np.array_equal(self.pool.quality, pool.quality)


@dataclass(frozen=True)
class Explained:
    """A rated text beside a candidate: how similar, and what they share."""

    neighbor: Neighbor
    overlap: Overlap
    pieces: list[Piece]


def score(
    texts: Sequence[str],
    pool: RatedTexts,
    parameters: dict[str, Any],
    report: Report = unreported,
    earlier: Scored | None = None,
) -> Scored:
    """Estimate candidates from a pool.

    Args:
        texts: the candidates.
        pool: the rated texts.
        parameters: of `BLEUNeighbors`, by name.
        report: is told how far the work is.
        earlier: what was scored before: of the same pool and parameters, the pool is not indexed and calibrated again.

    Raises:
        InputError: for more texts than a page takes.
        TypeError: for a parameter of the wrong type.
        ValueError: for a parameter outside its range.
    """
    check_count(texts, MOST_CANDIDATES, "candidates", "referenceless score --metric bleu_neighbors")
    check_count(pool, MOST_RATED, "rated texts", "referenceless score --metric bleu_neighbors")
    if earlier is not None and earlier.is_of(pool, parameters):
        estimator, calibration, notes = earlier.estimator, earlier.calibration, earlier.notes
    else:
        estimator, calibration, notes = _prepared(pool, parameters, report)
    estimates = in_parts(lambda part: estimator.predict(texts[part]), len(texts), report, start=0.4, end=0.9)
    report(0.9, "drawing")
    last = min(1.0, max(0.3, 3 * estimator.threshold_))
    thresholds = np.union1d(np.linspace(0.0, last, _N_THRESHOLDS), [estimator.threshold_])
    sample = np.unique(np.linspace(0, len(texts) - 1, min(len(texts), _LARGEST_SAMPLE)).astype(np.int64))
    return Scored(
        texts=list(texts),
        pool=pool,
        parameters=parameters,
        estimates=estimates,
        estimator=estimator,
        calibration=calibration,
        thresholds=thresholds,
        coverage=coverage_by_threshold(estimator, [texts[i] for i in sample], thresholds),
        notes=notes,
    )


def _prepared(
    pool: RatedTexts, parameters: dict[str, Any], report: Report
) -> tuple[BLEUNeighbors, Calibration | None, tuple[str, ...]]:
    """Return an estimator with its pool, its calibration where a visitor can wait for that, and warnings to show."""
    report(0.05, f"reading {len(pool):,} rated texts")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        estimator = BLEUNeighbors(**parameters, progress=False).fit(pool.texts, pool.quality)
    calibration = None
    if len(estimator.texts_) <= _MOST_CALIBRATED:
        report(0.1, "testing what the pool is worth")
        calibration = calibrate(estimator)  # as the command does, so that the verdicts agree
        attach_calibration(estimator, calibration)  # so that each estimate has its interval
    return estimator, calibration, tuple(str(w.message) for w in caught if issubclass(w.category, UserWarning))


def places(scored: Scored, order: str) -> list[int]:
    """Return the candidates that the table shows, in one of `ORDERS`, counted from 0."""
    quality = scored.estimates.values
    if order == ORDERS[1]:
        found = np.argsort(-quality, kind="stable")  # NaN comes last either way
    elif order == ORDERS[2]:
        found = np.argsort(quality, kind="stable")
    elif order == ORDERS[3]:
        found = np.argsort(~np.isnan(quality), kind="stable")
    else:
        found = np.arange(len(quality))
    shown: list[int] = found[:MOST_ROWS].tolist()
    return shown


def choices(scored: Scored, order: str) -> list[tuple[str, int]]:
    """Return the label and the number of each candidate of the table, to choose one."""
    return [
        (f"{place + 1} · {_short(scored.estimates.values[place])} · {shorten(scored.texts[place], 60)}", place)
        for place in places(scored, order)
    ]


def digits(scored: Scored) -> int:
    """Return how many decimals a rating deserves."""
    return 3 if float(np.ptp(scored.estimator.quality_)) <= 1 else 2


def summary_html(scored: Scored) -> str:
    """Return what the pool is worth, with its verdict, and the figures about all candidates."""
    found = () if scored.calibration is None else scored.calibration.findings
    return _fragment("summary.html.j2", scored, findings=found, most=_MOST_CALIBRATED)


def table_html(scored: Scored, order: str) -> str:
    """Return the table of candidates, with all of them as a file to save."""
    columns = {
        "candidate": scored.texts,
        "estimate": scored.estimates.values.tolist(),
        **{name: scored.estimates.columns[name].tolist() for name in _INTERVAL if name in scored.estimates.columns},
        "n_neighbors": scored.estimates.n_neighbors.tolist(),
    }
    rows = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    link = data_link(render(rows, {}, "csv-safe"), "bleu_neighbors.csv", f"Save all {len(rows):,} as CSV")
    rated = scored.estimator.quality_
    scale = float(rated.min()), float(rated.max())
    return _fragment("table.html.j2", scored, places=places(scored, order), link=link, scale=scale)


def charts_html(scored: Scored) -> str:
    """Return the distribution of estimates, and the coverage against the threshold with the slider that moves it."""
    threshold = scored.estimator.threshold_
    every = max(1, (len(scored.thresholds) - 1) // 12)
    return _fragment(
        "charts.html.j2",
        scored,
        histogram=histograms([scored.estimates.values], LARGE)[0],
        lines=coverage_lines(scored.thresholds, [scored.coverage], threshold),
        at_threshold=float(scored.coverage[scored.thresholds == threshold][0]),
        curve=json.dumps({"thresholds": scored.thresholds.tolist(), "coverage": scored.coverage.tolist()}),
        n_sampled=min(len(scored.texts), _LARGEST_SAMPLE),
        figures=[
            (float(each), float(scored.coverage[i]))
            for i, each in enumerate(scored.thresholds)
            if i % every == 0 or each == threshold
        ],
    )


def neighbours_html(scored: Scored, place: int, n_neighbors: int, order: int) -> str:
    """Return one candidate with the rated texts most similar to it, shared n-grams marked.

    Args:
        scored: all results.
        place: the candidate, counted from 0.
        n_neighbors: how many rated texts to show.
        order: the order of the n-grams to mark.
    """
    text = scored.texts[place]
    estimator = scored.estimator
    nearest = [n for n in estimator.kneighbors(text, n_neighbors) if n.similarity > 0]
    compared = text[:_LONGEST_COMPARED]
    tokenizer = estimator.tokenize
    explained = [
        Explained(
            neighbor,
            overlap(text, neighbor.text, tokenizer=tokenizer, orders=estimator.ngram_orders, clip=estimator.clip),
            highlight(neighbor.text[:_LONGEST_COMPARED], [text], tokenizer=tokenizer, order=order),
        )
        for neighbor in nearest
    ]
    counted = [neighbor.text for neighbor in nearest if neighbor.counts]
    return _fragment(
        "neighbours.html.j2",
        scored,
        place=place,
        pieces=highlight(compared, counted, tokenizer=tokenizer, order=order),
        is_cut=len(text) > len(compared),
        explained=explained,
        order=order,
        unit="character" if tokenizer.startswith("char") else "token",
    )


def _fragment(template: str, scored: Scored, **values: Any) -> str:
    return fragment(
        __package__,
        template,
        scored=scored,
        estimates=scored.estimates,
        estimator=scored.estimator,
        digits=digits(scored),
        **values,
    )


def _short(quality: float) -> str:
    return "no estimate" if np.isnan(quality) else f"{quality:.3f}"
