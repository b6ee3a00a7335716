"""The pictures that commands write: systems by a metric, people's mean ratings of them, and estimates of texts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from metric_commons.files.output import shorten
from metric_commons.report.charts import Interval, Series, chart_of, intervals
from metric_commons.report.drawing import Drawing, Plot, drawing
from metric_commons.support.validation import PathName

if TYPE_CHECKING:
    from metric_commons.results import MetricResult
    from metric_commons.systems.comparison import Comparison
    from metric_commons.systems.human_score import HumanScores

_MOST_TEXTS = 20


def plot_comparison(result: Comparison, path: PathName) -> None:
    """Draw each system's score with its 95% interval, on the segments that are covered for all where there are any.

    A dashed line stands at the baseline's score.

    Raises:
        ImportError: where a picture of this kind takes an extra.
        OSError: where the file cannot be written.
    """
    rows = [
        metric_interval(result, place)._replace(label=f"{row.system} (coverage {row.coverage:.2f})")
        for place, row in enumerate(result.rows)
    ]
    resampled = "pool and segments" if result.pool_resampled else "segments"
    summary = ", ".join(f"{row.label} {row.value:.4g} [{row.low:.4g}, {row.high:.4g}]" for row in rows)
    chart = intervals(rows, rows[0].value)
    plot = Plot(result.metric, chart, f"with 95% intervals: {resampled} resampled", place=0)
    drawing([plot], f"{result.metric} of {len(rows)} systems: {summary}").save(path)


def metric_interval(comparison: Comparison, place: int) -> Interval:
    """Return a system's score by the compared metric with its 95% interval, on the common segments if there are any."""
    row = comparison.rows[place]
    shown = row.common or row.results[comparison.metric]
    # the bootstrap's mean is a little off the score, and an interval must not end on the wrong side of its point
    ends = np.minimum(shown.mean - shown.ci, shown.score), np.maximum(shown.mean + shown.ci, shown.score)
    return Interval(row.system, shown.score, *ends)


def human_scores_drawing(result: HumanScores) -> Drawing:
    """Draw each system's mean human rating with its interval, below it that of the ratings alone, and each difference.

    A difference that the ratings show, after correction for their number, is marked by a filled point.
    """
    means = []
    for one in result.scores:
        alone = one.ratings_alone.value, *one.interval(one.ratings_alone)
        label = f"{one.system} ({one.n_rated} of {one.n_outputs} rated)"
        means.append(Interval(label, one.mean.value, *one.interval(), thin=alone))
    plots = [Plot("Mean human rating", intervals(means), f"{result.level:.0%} intervals; thin: ratings alone", place=0)]
    summary = [f"{row.label} {row.value:.4g} [{row.low:.4g}, {row.high:.4g}]" for row in means]
    differences = [
        Interval(f"{one.system} less {one.baseline}", one.mean.value, *one.interval(), is_filled=one.is_shown)
        for one in result.differences
    ]
    if differences:
        across = "filled: shown after Holm's correction"
        plots.append(Plot("Differences", intervals(differences, 0.0), across, place=0))
        for row in differences:
            shown = "" if row.is_filled else " (not shown)"
            summary.append(f"{row.label} {row.value:+.4g} [{row.low:.4g}, {row.high:.4g}]{shown}")
    return drawing(plots, f"Mean human rating of {len(means)} systems: {', '.join(summary)}")


def plot_estimates(result: MetricResult, texts: Sequence[str], path: PathName) -> None:
    """Draw estimates of texts with the intervals of single ratings: some by their text, and all in ascending order.

    Args:
        result: of n texts, with the columns `lower` and `upper`.
        texts: the n texts.
        path: the picture to write.

    Raises:
        ImportError: where a picture of this kind takes an extra.
        OSError: where the file cannot be written.
    """
    values = result.values
    lower, upper = (np.asarray(result.columns[name], dtype=float) for name in ("lower", "upper"))
    ordered = np.argsort(values, kind="stable")[: result.n_covered]  # NaN comes last
    named = ordered[np.unique(np.linspace(0, len(ordered) - 1, min(_MOST_TEXTS, len(ordered))).round().astype(int))]
    level = f"{float(result.details.get('level', 0.9)):.0%}"
    rows = [Interval(shorten(texts[i], 50), float(values[i]), float(lower[i]), float(upper[i])) for i in named]
    plots = [Plot("Estimates", intervals(rows), f"with the {level} interval of a rating", place=0)]
    summary = f"{len(ordered)} of {len(texts)} texts have an estimate"
    if len(ordered):
        ends = [np.where(np.isnan(end), values, end)[ordered].tolist() for end in (lower, upper)]
        points = list(enumerate(values[ordered].tolist(), start=1))
        line = Series(points, spread=list(zip(*ends, strict=True)))
        plots.append(Plot("All texts, by their estimate", chart_of(line), "texts", "estimate", place=0))
        width = float(np.nanmean(upper - lower)) if np.isfinite(upper - lower).any() else math.nan
        summary += f", from {values[ordered[0]]:.3g} to {values[ordered[-1]]:.3g}"
        summary += f"; the {level} intervals of single ratings are {width:.3g} wide in the mean"
    drawing(plots, summary).save(path)
