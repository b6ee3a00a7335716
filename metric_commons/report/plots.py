"""Plots with matplotlib (extra `plot`) in one style: readable in grey, for PNG and SVG, with a description.

Series differ in lightness and in their marks, not in colour alone. A file carries its description as its metadata, and
an SVG also as its title, which screen readers speak. The plots of systems by a metric, of people's mean ratings of
them, and of the estimates of texts are points with intervals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from metric_commons.files.atomic import atomic_write
from metric_commons.support.installation import import_extra
from metric_commons.support.validation import PathName, Record

if TYPE_CHECKING:
    from metric_commons.results import MetricResult
    from metric_commons.systems.comparison import Comparison
    from metric_commons.systems.human_score import HumanScores

FIRST, SECOND, MARK, QUIET = "#20507f", "#e09040", "#b02030", "#777777"
"""Dark blue, light orange, red for what is singled out, grey for what is beside the point."""
FORMATS = (".png", ".svg")
_DPI = 110
_MOST_TEXTS = 20


def new_figure(width: float = 6.4, height: float = 3.6, columns: int = 1) -> tuple[Any, list[Any]]:
    """Return a figure that belongs to no display, and its axes side by side.

    Args:
        width: in inches.
        height: in inches.
        columns: how many axes.

    Raises:
        ImportError: without matplotlib; the message names the extra.
    """
    import_extra("matplotlib.figure", "plot", "a picture")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes = [figure.add_subplot(1, columns, column + 1) for column in range(columns)]
    for each in axes:
        each.spines[["top", "right"]].set_visible(False)
        each.grid(alpha=0.25, linewidth=0.6)
        each.set_axisbelow(True)
        each.title.set_fontsize(10)
    return figure, axes


def save(figure: Any, path: PathName, description: str = "") -> None:
    """Add legends of what has labels, and write a figure as PNG, or as SVG where the file's name ends so.

    It is written whole or not at all, and equal figures give equal files.

    Args:
        figure: a figure of `new_figure`.
        path: the file.
        description: what the figure shows, for readers who do not see it.

    Raises:
        OSError: where the file cannot be written.
    """
    from matplotlib import rc_context

    for axes in figure.axes:
        if axes.get_legend() is None and axes.get_legend_handles_labels()[1]:
            axes.legend(frameon=False, fontsize=8, loc="best")
    kind = "svg" if Path(path).suffix.lower() == ".svg" else "png"
    told: Record = {"Title": description} if description else {}
    told |= {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    with rc_context({"svg.hashsalt": "plot"}), atomic_write(path) as file:
        figure.savefig(file, format=kind, dpi=_DPI, metadata=told)


def intervals(axes: Any, names: Sequence[str], middles: ArrayLike, lows: ArrayLike, highs: ArrayLike) -> None:
    """Draw a row a name from the top down: a point with its interval."""
    places = np.arange(len(names))[::-1]
    beside = np.abs(np.asarray([lows, highs]) - np.asarray(middles))
    axes.errorbar(middles, places, xerr=beside, fmt="o", color=FIRST, ecolor=FIRST, capsize=4, ms=6, lw=1.6)
    axes.set_yticks(places, names)
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.grid(axis="y", visible=False)


def plot_comparison(result: Comparison, path: PathName) -> None:
    """Plot each system's score with its 95% interval, on the segments that are covered for all where there are any.

    The baseline's score is a dotted line.

    Raises:
        ImportError: without matplotlib.
        OSError: where the file cannot be written.
    """
    figure, (axes,) = new_figure(height=1.6 + 0.45 * len(result.rows))
    scores = [row.common or row.results[result.metric] for row in result.rows]
    names = [f"{row.system}\ncoverage {row.coverage:.2f}" for row in result.rows]
    values = np.array([score.score for score in scores])
    widths = np.nan_to_num(np.array([score.ci for score in scores], dtype=float))
    means = np.array([score.mean for score in scores], dtype=float)
    means = np.where(np.isnan(means), values, means)
    # the bootstrap's mean is a little off the score, and a whisker must not end on the wrong side of its point
    intervals(axes, names, values, np.minimum(means - widths, values), np.maximum(means + widths, values))
    axes.axvline(values[0], color=QUIET, lw=1, ls=":")
    drawn = "pool and segments" if result.pool_resampled else "segments"
    axes.set_xlabel(f"{result.metric}, with 95% intervals: {drawn} resampled")
    listed = zip(result.rows, values, widths, strict=True)
    summary = ", ".join(f"{row.system} {value:.4g} ± {width:.2g}" for row, value, width in listed)
    save(figure, path, f"{result.metric} of {len(scores)} systems: {summary}")


def plot_human_scores(result: HumanScores, path: PathName) -> None:
    """Plot each system's mean human rating with its interval, beside it that of the ratings alone, and each difference.

    A difference that the ratings show, after correction for their number, is marked by a filled point.

    Raises:
        ImportError: without matplotlib.
        OSError: where the file cannot be written.
    """
    scores, differences = result.scores, result.differences
    rows = max(len(scores), len(differences))
    wide = bool(differences)
    figure, (axes, *beside) = new_figure(width=6.4 + 4.6 * wide, height=1.8 + 0.5 * rows, columns=1 + wide)
    middles = [score.mean.value for score in scores]
    lows, highs = zip(*(score.interval() for score in scores), strict=True)
    names = [f"{score.system}\n{score.n_rated} of {score.n_outputs} rated" for score in scores]
    intervals(axes, names, middles, lows, highs)
    for place, score in enumerate(reversed(scores)):
        ends = score.interval(score.ratings_alone)
        axes.plot(ends, [place - 0.22] * 2, color=QUIET, lw=1.2, label="ratings alone" if place == 0 else None)
        axes.plot([score.ratings_alone.value], [place - 0.22], marker="|", color=MARK, ms=8, ls="")
    axes.set_xlabel(f"mean human rating, with {result.level:.0%} intervals")
    told = [
        f"{one.system} {one.mean.value:.4g} [{low:.4g}, {high:.4g}]"
        for one, low, high in zip(scores, lows, highs, strict=True)
    ]
    if differences:
        (right,) = beside
        spans = [one.interval() for one in differences]
        values = [one.mean.value for one in differences]
        labels = [f"{one.system}\nless {one.baseline}" for one in differences]
        intervals(right, labels, values, [low for low, _ in spans], [high for _, high in spans])
        open_ones = [(one.mean.value, place) for place, one in enumerate(reversed(differences)) if not one.is_shown]
        right.plot(
            *zip(*open_ones, strict=True) if open_ones else ((), ()), "o", mfc="white", mec=FIRST, ms=6, zorder=3
        )
        right.axvline(0, color=QUIET, lw=1, ls=":")
        right.set_xlabel("difference; filled: shown after Holm's correction")
        for one, (low, high) in zip(differences, spans, strict=True):
            shown = "" if one.is_shown else " (not shown)"
            told.append(f"{one.system} less {one.baseline} {one.mean.value:+.4g} [{low:.4g}, {high:.4g}]{shown}")
    save(figure, path, f"Mean human rating of {len(scores)} systems: {', '.join(told)}")


def plot_estimates(result: MetricResult, texts: Sequence[str], path: PathName) -> None:
    """Plot estimates of texts with the intervals of single ratings: all in ascending order, and some by their text.

    Args:
        result: of n texts, with the columns `lower` and `upper`.
        texts: the n texts.
        path: the PNG or SVG to write.

    Raises:
        ImportError: without matplotlib.
        OSError: where the file cannot be written.
    """
    values = result.values
    lower, upper = (np.asarray(result.columns[name], dtype=float) for name in ("lower", "upper"))
    ordered = np.argsort(values, kind="stable")[: result.n_covered]  # NaN comes last
    shown = ordered[np.unique(np.linspace(0, len(ordered) - 1, min(_MOST_TEXTS, len(ordered))).round().astype(int))]
    figure, (left, right) = new_figure(width=11.0, height=1.6 + 0.34 * max(len(shown), 6), columns=2)
    shown = shown[::-1]
    names = [shorten(" ".join(texts[i].split()), width=44, placeholder=" …") for i in shown]
    lows, highs = (np.where(np.isnan(end), values, end)[shown] for end in (lower, upper))
    intervals(left, names, values[shown], lows, highs)
    left.tick_params(axis="y", labelsize=7)
    places = np.arange(1, len(ordered) + 1)
    right.fill_between(places, lower[ordered], upper[ordered], color=SECOND, alpha=0.35, linewidth=0)
    right.plot(places, values[ordered], color=FIRST, lw=1.6)
    right.set(xlabel="texts, by their estimate", ylabel="estimate")
    level = float(result.details.get("level", 0.9))
    left.set_xlabel(f"estimate, with the {level:.0%} interval of a rating")
    summary = f"{len(ordered)} of {len(texts)} texts have an estimate"
    if len(ordered):
        width = float(np.nanmean(upper - lower)) if np.isfinite(upper - lower).any() else math.nan
        summary += f", from {values[ordered[0]]:.3g} to {values[ordered[-1]]:.3g}"
        summary += f"; the {level:.0%} intervals of single ratings are {width:.3g} wide in the mean"
    save(figure, path, summary)
