"""Systems by a metric, people's mean ratings of them, and the estimates of texts, as points with intervals."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from textwrap import shorten
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from metric_commons.support.plots import FIRST, MARK, QUIET, SECOND, intervals, new_figure, save

if TYPE_CHECKING:
    from metric_commons.results import MetricResult
    from metric_commons.systems.comparison import Comparison
    from metric_commons.systems.human_score import HumanScores

_MOST_TEXTS = 20


def plot_comparison(result: Comparison, path: str | os.PathLike[str]) -> None:
    """Plot each system's score with its 95% interval; the baseline's score is a dotted line.

    Raises:
        ImportError: without matplotlib.
        OSError: where the file cannot be written.
    """
    figure, (axes,) = new_figure(height=1.6 + 0.45 * len(result.rows))
    scores = [row.results[result.metric] for row in result.rows]
    names = [f"{row.system}\ncoverage {row.coverage:.2f}" for row in result.rows]
    widths = [0.0 if math.isnan(score.ci) else score.ci for score in scores]
    means = [score.mean if not math.isnan(score.mean) else score.score for score in scores]
    lows = [mean - width for mean, width in zip(means, widths, strict=True)]
    highs = [mean + width for mean, width in zip(means, widths, strict=True)]
    middles = [score.score for score in scores]
    # the bootstrap's mean is a little off the score, and a whisker must not end on the wrong side of its point
    lows, highs = list(map(min, lows, middles)), list(map(max, highs, middles))
    intervals(axes, names, middles, lows, highs)
    axes.axvline(scores[0].score, color=QUIET, lw=1, ls=":")
    axes.set_xlabel(f"{result.metric}, with 95% intervals over segments")
    told = ", ".join(
        f"{row.system} {score.score:.4g} ± {width:.2g}"
        for row, score, width in zip(result.rows, scores, widths, strict=True)
    )
    save(figure, path, f"{result.metric} of {len(scores)} systems: {told}")


def plot_human_scores(result: HumanScores, path: str | os.PathLike[str]) -> None:
    """Plot each system's mean human rating with its interval, and beside it that of the ratings alone.

    Raises:
        ImportError: without matplotlib.
        OSError: where the file cannot be written.
    """
    scores = result.scores
    figure, (axes,) = new_figure(height=1.8 + 0.5 * len(scores))
    middles = [score.mean.value for score in scores]
    ends = [score.mean.interval(result.level) for score in scores]
    names = [f"{score.system}\n{score.n_rated} of {score.n_outputs} rated" for score in scores]
    intervals(axes, names, middles, [low for low, _ in ends], [high for _, high in ends])
    for place, score in enumerate(reversed(scores)):
        low, high = score.ratings_alone.interval(result.level)
        axes.plot([low, high], [place - 0.22] * 2, color=QUIET, lw=1.2, label="ratings alone" if place == 0 else None)
        axes.plot([score.ratings_alone.value], [place - 0.22], marker="|", color=MARK, ms=8, ls="")
    axes.set_xlabel(f"mean human rating, with {result.level:.0%} intervals")
    axes.legend(frameon=False, fontsize=8, loc="best")
    told = ", ".join(
        f"{score.system} {middle:.4g} [{low:.4g}, {high:.4g}]"
        for score, middle, (low, high) in zip(scores, middles, ends, strict=True)
    )
    save(figure, path, f"Mean human rating of {len(scores)} systems: {told}")


def plot_estimates(result: MetricResult, texts: Sequence[str], path: str | os.PathLike[str]) -> None:
    """Plot estimates of texts with the intervals of single ratings: all in ascending order, and some by their text.

    Args:
        result: of n texts, with the columns `lower` and `upper`.
        texts: the n texts.
        path: the PNG or SVG to write.

    Raises:
        ImportError: without matplotlib.
        OSError: where the file cannot be written.
    """
    columns = {name: np.asarray(result.columns[name], dtype=np.float64) for name in ("lower", "upper")}
    known = np.flatnonzero(~np.isnan(result.values))
    ordered = known[np.argsort(result.values[known], kind="stable")]
    shown = ordered[np.unique(np.linspace(0, len(ordered) - 1, min(_MOST_TEXTS, len(ordered))).round().astype(int))]
    figure, (left, right) = new_figure(width=11.0, height=1.6 + 0.34 * max(len(shown), 6), columns=2)
    shown = shown[::-1]
    names = [shorten(" ".join(texts[i].split()), width=44, placeholder=" …") for i in shown.tolist()]
    middles = result.values[shown]
    lows, highs = (np.where(np.isnan(columns[end][shown]), middles, columns[end][shown]) for end in ("lower", "upper"))
    intervals(left, names, middles.tolist(), lows.tolist(), highs.tolist())
    left.tick_params(axis="y", labelsize=7)
    places = np.arange(1, len(ordered) + 1)
    right.fill_between(
        places, columns["lower"][ordered], columns["upper"][ordered], color=SECOND, alpha=0.35, linewidth=0
    )
    right.plot(places, result.values[ordered], color=FIRST, lw=1.6)
    right.set_xlabel("texts, by their estimate")
    level = float(result.details.get("level", 0.9))
    left.set_xlabel(f"estimate, with the {level:.0%} interval of a rating")
    right.set_ylabel("estimate")
    told = f"{len(known)} of {len(texts)} texts have an estimate"
    if len(known):
        told += f", from {result.values[ordered[0]]:.3g} to {result.values[ordered[-1]]:.3g}"
        told += f"; the {level:.0%} intervals of single ratings are {_mean_width(columns):.3g} wide in the mean"
    save(figure, path, told)


def _mean_width(columns: dict[str, NDArray[np.float64]]) -> float:
    widths = columns["upper"] - columns["lower"]
    return float(np.nanmean(widths)) if np.isfinite(widths).any() else math.nan
