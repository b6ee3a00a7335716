"""A comparison of systems, and people's mean ratings of them, as points with intervals."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING

from metric_commons.support.plots import MARK, QUIET, intervals, new_figure, save

if TYPE_CHECKING:
    from metric_commons.comparison.systems import Comparison
    from metric_commons.human_score.systems import HumanScores


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
