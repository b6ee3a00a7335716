"""Drawings of calibrations, sweeps and learning curves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.tuning.sweep import Sweep, coverage_by_threshold
from metric_commons.assessment.conformal import LEVELS, ResidualIntervals
from metric_commons.assessment.learning_curve import CurvePoint
from metric_commons.report.charts import Series, chart_of, lines
from metric_commons.report.drawing import Drawing, Plot, drawing
from metric_commons.support.validation import Floats, PathName

_SHARE = (0.0, 1.04)


def plot_learning_curve(points: Sequence[CurvePoint], path: PathName, *, title: str = "") -> None:
    """Draw ρ and coverage against pool size with one-sigma bands over the draws (the paper's Figure 4)."""
    curves = []
    for place, (name, label) in enumerate((("spearman", "Spearman's ρ"), ("coverage", "coverage"))):
        values = [(p.size, getattr(p, name), np.nan_to_num(getattr(p, f"{name}_std"))) for p in points]
        line = [(float(size), value) for size, value, _ in values]
        curves.append(Series(line, "line", [(value - std, value + std) for _, value, std in values], label, place))
    first, last = points[0], points[-1]
    ends = f"from {first.spearman:.2f} at {first.size} to {last.spearman:.2f} at {last.size} rated texts"
    least = min(0.0, *(point.spearman - np.nan_to_num(point.spearman_std) for point in points))
    chart = chart_of(*curves, y_range=(least, _SHARE[1]))
    description = f"Spearman's ρ and coverage by pool size: ρ {ends}"
    drawing([Plot(title, chart, "rated texts in the pool")], description).save(path)


def plot_sweep(sweep: Sweep, path: PathName, *, title: str = "") -> None:
    """Draw every setting of a sweep as ρ against coverage, with the Pareto front and the recommended setting."""
    settings = [(s.coverage, s.spearman) for s in sweep.settings if s.spearman == s.spearman]
    series = [Series(settings, "dots", name="a setting", place=1)]
    if sweep.pareto:
        front = sorted((one.coverage, one.spearman) for one in sweep.pareto)
        series.append(Series(front, name="Pareto front", place=0))
    summary = "none is recommended"
    if sweep.best is not None:
        best = sweep.best
        label = f"τ={best.threshold:g}, a={best.min_neighbors}, b={best.max_fraction:g}"
        series.append(Series([(best.coverage, best.spearman)], "diamonds", name=f"recommended: {label}", place=2))
        summary = f"recommended: {label}, ρ {best.spearman:.2f}"
    chart = chart_of(*series, marker=sweep.least_coverage, x_range=_SHARE)
    plot = Plot(title, chart, "coverage (dashed: the least)", "Spearman's ρ (leave-one-out)")
    drawing([plot], f"{len(settings)} settings by coverage and Spearman's ρ; {summary}").save(path)


def calibration_drawing(metric: BLEUNeighbors, *, verdict: str) -> Drawing:
    """Draw each rated text's estimate from all others against its rating, and coverage as τ changes.

    In the first chart, bars are the intervals of a new text's rating at 80 % and 90 %, in each fifth of the estimates,
    and diamonds the median ratings there.

    Args:
        metric: a fitted estimator.
        verdict: of the calibration, for the heading.
    """
    estimates, ratings = metric.leave_one_out().values, metric.ratings_
    known = ~np.isnan(estimates)
    x, y = estimates[known], ratings[known]
    bands = ResidualIntervals.of(x, y)
    fifths = np.array_split(np.argsort(x, kind="stable"), 5) if len(x) >= 20 else []
    middles = [float(np.median(x[fifth])) for fifth in fifths]
    series = [Series(_points(x, y), "dots", name="a rated text", place=1)]
    for level, place in sorted(zip(LEVELS, (0, 3), strict=True), reverse=True) if fifths else ():
        reach = bands.half_widths(middles, level)
        ends = [(middle - half, middle + half) for middle, half in zip(middles, reach, strict=True)]
        series.append(Series(_both(middles), "spread", ends, f"{level:.0%} of ratings", place))
    if fifths:
        medians = [(middle, float(np.median(y[fifth]))) for middle, fifth in zip(middles, fifths, strict=True)]
        series.append(Series(medians, "diamonds", name="median rating of a fifth", place=0))
    ends_of_both = [float(min(x.min(), y.min())), float(max(x.max(), y.max()))] if len(x) else [0.0, 1.0]
    series.append(Series(_both(ends_of_both), "guide", name="estimate = rating"))
    chosen = float(metric.threshold_)
    thresholds = np.unique(np.append(np.linspace(0.0, max(0.3, min(1.0, 2 * chosen)), 31), chosen))
    coverage = lines(thresholds, [coverage_by_threshold(metric, None, thresholds)], chosen)
    summary = f"{len(x)} of {len(ratings)} texts have an estimate; verdict: {verdict}"
    if fifths:
        lowest, highest = bands.half_widths([float(x.min()), float(x.max())])
        summary += f"; a rating lies within {lowest:.2g} of the lowest and {highest:.2g} of the highest estimate in 90%"
    plots = [
        Plot(f"verdict: {verdict}", chart_of(*series), "estimate from all others", "rating, greater is better"),
        Plot("Coverage, each text from all others", coverage, f"threshold τ (dashed: {chosen:.3g})"),
    ]
    return drawing(plots, f"Estimates against ratings, and coverage by threshold. {summary}")


def _points(x: Floats, y: Floats) -> list[tuple[float, float]]:
    return list(zip(x.tolist(), y.tolist(), strict=True))


def _both(values: Sequence[float]) -> list[tuple[float, float]]:
    return list(zip(values, values, strict=True))
