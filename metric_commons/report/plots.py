"""The pictures that commands write: systems by a metric, people's mean ratings of them, and estimates of texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from metric_commons.files.output import shorten
from metric_commons.report.charts import LARGE, Interval, histograms, intervals
from metric_commons.report.drawing import Plot, drawing
from metric_commons.support.validation import PathName

if TYPE_CHECKING:
    from metric_commons.results import MetricResult
    from metric_commons.systems.comparison import Comparison
    from metric_commons.systems.human_score import HumanScores

_MOST_TEXTS = 20


def plot_comparison(result: Comparison, path: PathName) -> None:
    """Draw each system's score with its 95% interval.

    A dashed line stands at the baseline's score.

    Raises:
        ImportError: where a picture of this kind takes an extra.
        OSError: where the file cannot be written.
    """
    rows = [
        metric_interval(result, place)._replace(label=f"{row.system} (coverage {row.coverage:.2f})")
        for place, row in enumerate(result.rows)
    ]
    chart = intervals(rows, rows[0].value)
    drawing([Plot(result.metric, chart, "with 95% intervals: segments resampled", place=0)]).save(path)


def metric_interval(comparison: Comparison, place: int) -> Interval:
    """Return a system's score by the compared metric with its 95% interval."""
    row = comparison.rows[place]
    shown = row.results[comparison.metric]
    # the bootstrap's mean is a little off the score, and an interval must not end on the wrong side of its point
    ends = np.minimum(shown.mean - shown.ci, shown.score), np.maximum(shown.mean + shown.ci, shown.score)
    return Interval(row.system, shown.score, *ends)


def human_scores_plots(result: HumanScores) -> list[Plot]:
    """Draw each system's mean human rating with its interval, below it that of the ratings alone, and each difference.

    A difference that the ratings show, after correction for their number, is marked by a filled point.
    """
    means = [
        Interval(
            f"{score.system} ({score.n_rated} of {score.n_outputs} rated)",
            score.mean.value,
            *score.interval(),
            thin=(score.ratings_alone.value, *score.interval(score.ratings_alone)),
        )
        for score in result.scores
    ]
    plots = [Plot("Mean human rating", intervals(means), f"{result.level:.0%} intervals; thin: ratings alone", place=0)]
    differences = [
        Interval(f"{each.system} less {each.baseline}", each.mean.value, *each.interval(), is_filled=each.is_shown)
        for each in result.differences
    ]
    if differences:
        across = "filled: shown after Holm's correction"
        plots.append(Plot("Differences", intervals(differences, 0.0), across, place=0))
    return plots


def plot_estimates(result: MetricResult, texts: Sequence[str], path: PathName) -> None:
    """Draw estimates of some texts with the intervals of single ratings, and how all are distributed.

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
    some = ordered[np.linspace(0, len(ordered) - 1, min(_MOST_TEXTS, len(ordered))).round().astype(int)]
    level = f"{float(result.details.get('level', 0.9)):.0%}"
    rows = [Interval(shorten(texts[i], 50), float(values[i]), float(lower[i]), float(upper[i])) for i in some]
    note = f"{len(ordered)} of {len(texts)} texts have an estimate"
    across = f"with the {level} interval of a rating"
    plots = [
        Plot("Estimates", intervals(rows), across, place=0, note=note),
        Plot("All texts", histograms([values], LARGE)[0], "estimate", place=0),
    ]
    drawing(plots).save(path)
