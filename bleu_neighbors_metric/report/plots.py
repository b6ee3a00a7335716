"""Plots of sweeps and learning curves as PNG, with matplotlib (extra `plot`)."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from metric_commons.files.atomic import atomic_write

if TYPE_CHECKING:
    from bleu_neighbors_metric.tuning.learning_curve import CurvePoint
    from bleu_neighbors_metric.tuning.sweep import Setting, Sweep

RHO_COLOUR, COVERAGE_COLOUR = "#4878a8", "#d98841"
_DPI = 110


def new_figure(width: float = 6.4, height: float = 3.6, columns: int = 1) -> tuple[Any, list[Any]]:
    """Return a figure that belongs to no display, and its axes side by side.

    Raises:
        ImportError: without matplotlib; the message names the extra.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError('plots need matplotlib: pip install "referenceless-metrics[plot]"') from None
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes = [figure.add_subplot(1, columns, column + 1) for column in range(columns)]
    for each in axes:
        each.spines[["top", "right"]].set_visible(False)
        each.grid(alpha=0.25, linewidth=0.6)
    return figure, axes


def save(figure: Any, path: str | os.PathLike[str]) -> None:
    """Write a figure as PNG, whole or not at all; equal figures give equal files.

    Raises:
        OSError: where the file cannot be written.
    """
    with atomic_write(path) as file:
        figure.savefig(file, format="png", dpi=_DPI, metadata={"Software": None})


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
        path: the PNG to write.
        label: of the horizontal axis.
        title: above the plot.
        default: where to mark the default value.
    """
    figure, (axes,) = new_figure()
    ordered = sorted(settings, key=lambda each: float(getattr(each, parameter)))
    values = [float(getattr(each, parameter)) for each in ordered]
    lines = _rho_and_coverage(axes, values, [s.spearman for s in ordered], [s.coverage for s in ordered])
    if default is not None:
        lines.append(axes.axvline(default, color="#777777", lw=1, ls=":", label="default"))
    axes.set_xlabel(label)
    axes.set_title(title, fontsize=10)
    axes.legend(handles=lines, frameon=False, fontsize=8, loc="best")
    save(figure, path)


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
    save(figure, path)


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
        axes.scatter([best.coverage], [best.spearman], marker="*", s=130, color="#c03030", zorder=3, label=label)
    axes.axvline(sweep.least_coverage, color="#777777", lw=1, ls=":", label="least coverage")
    axes.set_xlabel("coverage")
    axes.set_ylabel("Spearman's ρ (leave-one-out)")
    axes.set_title(title, fontsize=10)
    axes.legend(frameon=False, fontsize=8, loc="best")
    save(figure, path)


def _rho_and_coverage(axes: Any, x: Sequence[float], rho: Sequence[float], coverage: Sequence[float]) -> list[Any]:
    lines = [
        *axes.plot(x, rho, color=RHO_COLOUR, marker="o", ms=3, label="Spearman's ρ"),
        *axes.plot(x, coverage, color=COVERAGE_COLOUR, marker="s", ms=3, label="coverage"),
    ]
    axes.set_ylim(min(0.0, *(value for value in rho if not math.isnan(value)), 0.0) - 0.02, 1.04)
    return lines
