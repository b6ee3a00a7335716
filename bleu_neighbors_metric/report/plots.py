"""Plots of calibrations, sweeps and learning curves, with matplotlib (extra `plot`)."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from metric_commons.assessment.conformal import LEVELS, ResidualIntervals
from metric_commons.support.plots import FIRST, MARK, QUIET, SECOND, new_figure, save

if TYPE_CHECKING:
    from bleu_neighbors_metric.estimator import BLEUNeighbors
    from bleu_neighbors_metric.tuning.learning_curve import CurvePoint
    from bleu_neighbors_metric.tuning.sweep import Setting, Sweep

RHO_COLOUR, COVERAGE_COLOUR = FIRST, SECOND


def plot_parameter(
    settings: Sequence[Setting],
    parameter: str,
    path: str | os.PathLike[str],
    *,
    label: str,
    title: str = "",
    default: float | None = None,
) -> None:
    """Plot ρ and coverage as one parameter changes (the paper's Figures 2 and 3).

    Args:
        settings: settings that differ in this parameter alone.
        parameter: the attribute of `Setting`: `threshold`, `min_neighbors` or `max_fraction`.
        path: the PNG or SVG to write.
        label: of the horizontal axis.
        title: above the plot.
        default: where to mark the default value.
    """
    figure, (axes,) = new_figure()
    ordered = sorted(settings, key=lambda each: float(getattr(each, parameter)))
    values = [float(getattr(each, parameter)) for each in ordered]
    lines = _rho_and_coverage(axes, values, [s.spearman for s in ordered], [s.coverage for s in ordered])
    if default is not None:
        lines.append(axes.axvline(default, color=QUIET, lw=1, ls=":", label="default"))
    axes.set_xlabel(label)
    axes.set_title(title, fontsize=10)
    axes.legend(handles=lines, frameon=False, fontsize=8, loc="best")
    save(figure, path, f"Spearman's ρ and coverage by {label}: {_range(ordered)}")


def _range(ordered: Sequence[Setting]) -> str:
    return f"ρ {ordered[0].spearman:.2f} to {ordered[-1].spearman:.2f}, coverage to {ordered[-1].coverage:.2f}"


def plot_learning_curve(points: Sequence[CurvePoint], path: str | os.PathLike[str], *, title: str = "") -> None:
    """Plot ρ and coverage against pool size with one-sigma bands over the draws (the paper's Figure 4)."""
    figure, (axes,) = new_figure()
    sizes = [point.size for point in points]
    lines = _rho_and_coverage(axes, sizes, [p.spearman for p in points], [p.coverage for p in points])
    for colour, middle, spread in (
        (RHO_COLOUR, [p.spearman for p in points], [p.spearman_std for p in points]),
        (COVERAGE_COLOUR, [p.coverage for p in points], [p.coverage_std for p in points]),
    ):
        low = [m - s for m, s in zip(middle, spread, strict=True)]
        high = [m + s for m, s in zip(middle, spread, strict=True)]
        axes.fill_between(sizes, low, high, color=colour, alpha=0.18, linewidth=0)
    axes.set_xlabel("rated texts in the pool")
    axes.set_title(title, fontsize=10)
    axes.legend(handles=lines, frameon=False, fontsize=8, loc="best")
    first, last = points[0], points[-1]
    ends = f"from {first.spearman:.2f} at {first.size} to {last.spearman:.2f} at {last.size} rated texts"
    save(figure, path, f"Spearman's ρ and coverage by pool size: ρ {ends}")


def plot_sweep(sweep: Sweep, path: str | os.PathLike[str], *, title: str = "") -> None:
    """Plot every setting of a sweep as ρ against coverage, with the Pareto front and the recommended setting."""
    figure, (axes,) = new_figure()
    shown = [each for each in sweep.settings if not math.isnan(each.spearman)]
    points = axes.scatter(
        [each.coverage for each in shown],
        [each.spearman for each in shown],
        c=[each.threshold for each in shown],
        s=9,
        cmap="viridis",
        alpha=0.7,
        linewidths=0,
    )
    if shown:
        figure.colorbar(points, ax=axes, label="threshold τ")
    if sweep.pareto:
        axes.plot(
            [each.coverage for each in sweep.pareto],
            [each.spearman for each in sweep.pareto],
            color="black",
            lw=1,
            marker="o",
            ms=3,
            label="Pareto front",
        )
    if sweep.best is not None:
        best = sweep.best
        label = f"τ={best.threshold:g}, a={best.min_neighbors}, b={best.max_fraction:g}"
        axes.scatter([best.coverage], [best.spearman], marker="*", s=130, color=MARK, zorder=3, label=label)
    axes.axvline(sweep.least_coverage, color=QUIET, lw=1, ls=":", label="least coverage")
    axes.set_xlabel("coverage")
    axes.set_ylabel("Spearman's ρ (leave-one-out)")
    axes.set_title(title, fontsize=10)
    axes.legend(frameon=False, fontsize=8, loc="best")
    told = "none is recommended" if sweep.best is None else f"recommended: {label}, ρ {sweep.best.spearman:.2f}"
    save(figure, path, f"{len(shown)} settings by coverage and Spearman's ρ; {told}")


def _rho_and_coverage(axes: Any, x: Sequence[float], rho: Sequence[float], coverage: Sequence[float]) -> list[Any]:
    lines = [
        *axes.plot(x, rho, color=RHO_COLOUR, marker="o", ms=3, label="Spearman's ρ"),
        *axes.plot(x, coverage, color=COVERAGE_COLOUR, marker="s", ms=3, label="coverage"),
    ]
    axes.set_ylim(min(0.0, *(value for value in rho if not math.isnan(value)), 0.0) - 0.02, 1.04)
    return lines


def plot_calibration(metric: BLEUNeighbors, path: str | os.PathLike[str], *, verdict: str = "") -> None:
    """Plot each rated text's estimate from all others against its rating, and coverage as τ changes.

    In the first plot, bars are the intervals of a new text's rating at 80 % (thick) and 90 %, in each fifth of the
    estimates, and diamonds the median ratings there.

    Args:
        metric: a fitted estimator.
        path: the PNG or SVG to write.
        verdict: of the calibration, for the title.
    """
    from bleu_neighbors_metric.tuning.sweep import sweep

    figure, (left, right) = new_figure(width=9.0, columns=2)
    estimates, ratings = metric.leave_one_out().values, metric.quality_
    known = ~np.isnan(estimates)
    x, y = estimates[known], ratings[known]
    left.scatter(x, y, s=14, color=SECOND, linewidths=0, alpha=0.8, label="a rated text")
    bands = ResidualIntervals.of(x, y)
    fifths = np.array_split(np.argsort(x, kind="stable"), 5) if len(x) >= 20 else []
    for fifth in fifths:
        place = [float(np.median(x[fifth]))]
        for level, width in zip(LEVELS, (3.0, 1.2), strict=True):
            reach = bands.half_widths(place, level)
            label = f"{level:.0%} of ratings" if fifth is fifths[0] else None
            left.errorbar(place, place, yerr=reach, fmt="none", ecolor=FIRST, capsize=4, lw=width, label=label)
        left.plot(place, [float(np.median(y[fifth]))], marker="D", color=FIRST, ms=5, ls="")
    ends = [min(x.min(), y.min()), max(x.max(), y.max())] if len(x) else [0.0, 1.0]
    left.plot(ends, ends, color=QUIET, lw=1, ls=":", label="estimate = rating")
    left.set_xlabel("estimate from all others")
    left.set_ylabel("rating")
    left.set_title(f"verdict: {verdict}" if verdict else "", fontsize=10)
    left.legend(frameon=False, fontsize=8, loc="best")
    chosen = float(metric.threshold_)
    thresholds = np.unique(np.append(np.linspace(0.0, max(0.3, min(1.0, 2 * chosen)), 31), chosen)).tolist()
    tried = sweep(
        metric,
        thresholds=thresholds,
        min_neighbors=[metric.min_neighbors],
        max_fractions=[metric.max_fraction],
        n_resamples=1,
    ).settings
    by_threshold = sorted((each.threshold, each.coverage) for each in tried)
    right.plot(*zip(*by_threshold, strict=True), color=FIRST, lw=1.6)
    right.axvline(chosen, color=MARK, lw=1.2, ls="--", label=f"τ = {chosen:.3g}")
    right.set_xlabel("threshold τ")
    right.set_ylabel("coverage (each text from all others)")
    right.set_ylim(-0.02, 1.04)
    right.legend(frameon=False, fontsize=8, loc="best")
    told = f"{len(x)} of {len(ratings)} texts have an estimate; verdict: {verdict or 'not told'}"
    if len(fifths):
        lowest, highest = bands.half_widths([float(x.min()), float(x.max())])
        told += f"; a rating lies within {lowest:.2g} of the lowest and {highest:.2g} of the highest estimate in 90%"
    save(figure, path, f"Estimates against ratings, and coverage by threshold. {told}")
