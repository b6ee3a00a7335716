"""Drawings of calibrations, sweeps and learning curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.tuning.coverage import coverage_curves
from bleu_neighbors_metric.tuning.parts import pool_learning_curve
from bleu_neighbors_metric.tuning.sweep import LEAST_COVERAGE, Sweep
from referenceless_metrics.assessment.conformal import LEVELS, ResidualIntervals
from referenceless_metrics.assessment.learning_curve import CurvePoint
from referenceless_metrics.pages.charts import LARGE, Series, by_length, chart_of, lines, points, scatters
from referenceless_metrics.pages.drawing import Plot

_SHARE = (0.0, 1.04)
_FEWEST_TEXTS = 20  # fewest texts for a learning curve


def learning_curve_plot(curve: Sequence[CurvePoint]) -> Plot:
    """Draw ρ and coverage against pool size with one-sigma bands over the draws (the paper's Figure 4)."""
    sizes = [point.size for point in curve]
    series, least = [], 0.0
    for place, (name, label) in enumerate((("spearman", "Spearman's ρ"), ("coverage", "coverage"))):
        values = np.array([getattr(point, name) for point in curve])
        spread = np.nan_to_num([getattr(point, f"{name}_std") for point in curve])
        series.append(Series(points(sizes, values), "line", points(values - spread, values + spread), label, place))
        least = min(least, float(np.nan_to_num(values - spread).min()))
    chart = chart_of(*series, y_range=(least, _SHARE[1]))
    across = f"rated texts in the pool ({curve[0].n_draws} draws a size; band: one σ)"
    return Plot("Learning curve", chart, across)


def sweep_plot(sweep: Sweep) -> Plot:
    """Draw every setting of a sweep as ρ against coverage, with the Pareto front and the recommended setting."""
    series = [
        Series([(each.coverage, each.spearman) for each in sweep.settings], "dots", name="a setting", place=1),
        Series([(each.coverage, each.spearman) for each in sweep.pareto], name="Pareto front", place=0),
    ]
    summary = "none is recommended"
    if sweep.best is not None:
        best = sweep.best
        label = f"τ={best.threshold:g}, a={best.min_neighbors}, b={best.max_fraction:g}"
        series.append(Series([(best.coverage, best.spearman)], "diamonds", name=f"recommended: {label}", place=2))
        summary = f"recommended: {label}, ρ {best.spearman:.2f}"
    chart = chart_of(*series, marker=LEAST_COVERAGE, x_range=_SHARE)
    heading = f"{len(sweep.settings)} settings, {sweep.n_texts} texts"
    return Plot(heading, chart, "coverage (dashed: the least)", "Spearman's ρ (leave-one-out)", note=summary)


def calibration_plots(metric: BLEUNeighbors, *, verdict: str) -> list[Plot]:
    """Draw ratings over estimates from all other texts, errors by length, the learning curve, and coverage by τ.

    In the first chart, bars are the intervals of a new text's rating at 80 % and 90 %, in each fifth of the estimates.

    Args:
        metric: a fitted estimator.
        verdict: the verdict of the calibration, for the heading.
    """
    estimates, ratings = metric.leave_one_out().values, metric.ratings_
    known = ~np.isnan(estimates)
    (chart,) = scatters([estimates], [ratings], frame=LARGE)
    middles = [x for series in chart.series if series.kind == "diamonds" for x, _ in series.points]
    bands = []
    for level, place in zip(reversed(LEVELS), (3, 0), strict=True):
        reach = ResidualIntervals.of(estimates[known], ratings[known]).half_widths(middles, level)
        ends = points(middles - reach, middles + reach)
        bands.append(Series(points(middles, middles), "spread", ends, f"{level:.0%} of ratings", place))
    dots, *others = chart.series
    chart = chart_of(dots._replace(place=1), *(bands if middles else []), *others)
    note = f"{known.sum()} of {len(ratings)} texts have an estimate"
    plots = [Plot(f"verdict: {verdict}", chart, "estimate from all others", "rating, greater is better", 0, note)]
    lengths = np.array([len(text) for text in metric.texts_], dtype=float)
    errors = by_length([""], [np.abs(estimates - ratings)], [lengths])
    if errors is not None:
        errors = replace(errors, y_range=(0.0, errors.y_range[1]))
        plots.append(Plot("Errors by length", errors, "characters", "mean absolute error", 0))
    if len(ratings) >= _FEWEST_TEXTS:
        plots.append(learning_curve_plot(pool_learning_curve(metric, n_draws=10).points))
    curves = lines(*coverage_curves(metric, [None]), metric.threshold_)
    across = f"threshold τ (dashed: {metric.threshold_:.3g})"
    plots.append(Plot("Coverage, each text from all others", curves, across, "coverage"))
    return plots
