"""Plots of calibrations, sweeps and learning curves, with matplotlib (extra `plot`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.tuning.learning_curve import CurvePoint
from bleu_neighbors_metric.tuning.sweep import Setting, Sweep, coverage_by_threshold
from metric_commons.assessment.conformal import LEVELS, ResidualIntervals
from metric_commons.report.plots import FIRST, MARK, QUIET, SECOND, new_figure, save
from metric_commons.support.validation import PathName


def plot_learning_curve(points: Sequence[CurvePoint], path: PathName, *, title: str = "") -> None:
    """Plot ρ and coverage against pool size with one-sigma bands over the draws (the paper's Figure 4)."""
    sizes = [point.size for point in points]
    figure, axes = rho_and_coverage(sizes, points, "rated texts in the pool", title)
    for colour, name in ((FIRST, "spearman"), (SECOND, "coverage")):
        middle, spread = (np.array([getattr(point, part) for point in points]) for part in (name, f"{name}_std"))
        axes.fill_between(sizes, middle - spread, middle + spread, color=colour, alpha=0.18, linewidth=0)
    first, last = points[0], points[-1]
    ends = f"from {first.spearman:.2f} at {first.size} to {last.spearman:.2f} at {last.size} rated texts"
    save(figure, path, f"Spearman's ρ and coverage by pool size: ρ {ends}")


def rho_and_coverage(x: ArrayLike, found: Sequence[Setting | CurvePoint], label: str, title: str) -> tuple[Any, Any]:
    """Return a figure of ρ and coverage, and its axes."""
    figure, (axes,) = new_figure()
    rho = [each.spearman for each in found]
    axes.plot(x, rho, color=FIRST, marker="o", ms=3, label="Spearman's ρ")
    axes.plot(x, [each.coverage for each in found], color=SECOND, marker="s", ms=3, label="coverage")
    axes.set(ylim=(float(np.nanmin([0.0, *rho])) - 0.02, 1.04), xlabel=label, title=title)
    return figure, axes


def plot_sweep(sweep: Sweep, path: PathName, *, title: str = "") -> None:
    """Plot every setting of a sweep as ρ against coverage, with the Pareto front and the recommended setting."""
    figure, (axes,) = new_figure()
    shown = np.array([(s.coverage, s.spearman, s.threshold) for s in sweep.settings if s.spearman == s.spearman])
    if len(shown):
        points = axes.scatter(*shown.T[:2], c=shown[:, 2], s=9, cmap="viridis", alpha=0.7, linewidths=0)
        figure.colorbar(points, ax=axes, label="threshold τ")
    if sweep.pareto:
        front = zip(*((each.coverage, each.spearman) for each in sweep.pareto), strict=True)
        axes.plot(*front, color="black", lw=1, marker="o", ms=3, label="Pareto front")
    summary = "none is recommended"
    if sweep.best is not None:
        best = sweep.best
        label = f"τ={best.threshold:g}, a={best.min_neighbors}, b={best.max_fraction:g}"
        axes.scatter([best.coverage], [best.spearman], marker="*", s=130, color=MARK, zorder=3, label=label)
        summary = f"recommended: {label}, ρ {best.spearman:.2f}"
    axes.axvline(sweep.least_coverage, color=QUIET, lw=1, ls=":", label="least coverage")
    axes.set(xlabel="coverage", ylabel="Spearman's ρ (leave-one-out)", title=title)
    save(figure, path, f"{len(shown)} settings by coverage and Spearman's ρ; {summary}")


def plot_calibration(metric: BLEUNeighbors, path: PathName, *, verdict: str) -> None:
    """Plot each rated text's estimate from all others against its rating, and coverage as τ changes.

    In the first plot, bars are the intervals of a new text's rating at 80 % (thick) and 90 %, in each fifth of the
    estimates, and diamonds the median ratings there.

    Args:
        metric: a fitted estimator.
        path: the PNG or SVG to write.
        verdict: of the calibration, for the title.
    """
    figure, (left, right) = new_figure(width=9.0, columns=2)
    estimates, ratings = metric.leave_one_out().values, metric.ratings_
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
    left.set(xlabel="estimate from all others", ylabel="rating", title=f"verdict: {verdict}")
    chosen = float(metric.threshold_)
    thresholds = np.unique(np.append(np.linspace(0.0, max(0.3, min(1.0, 2 * chosen)), 31), chosen))
    right.plot(thresholds, coverage_by_threshold(metric, None, thresholds), color=FIRST, lw=1.6)
    right.axvline(chosen, color=MARK, lw=1.2, ls="--", label=f"τ = {chosen:.3g}")
    right.set(xlabel="threshold τ", ylabel="coverage (each text from all others)", ylim=(-0.02, 1.04))
    summary = f"{len(x)} of {len(ratings)} texts have an estimate; verdict: {verdict}"
    if len(fifths):
        lowest, highest = bands.half_widths([float(x.min()), float(x.max())])
        summary += f"; a rating lies within {lowest:.2g} of the lowest and {highest:.2g} of the highest estimate in 90%"
    save(figure, path, f"Estimates against ratings, and coverage by threshold. {summary}")
