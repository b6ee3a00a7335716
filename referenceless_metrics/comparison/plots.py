"""Comparisons by metrics, drawn."""

from __future__ import annotations

from collections.abc import Sequence

from referenceless_metrics.comparison.comparison import Comparison
from referenceless_metrics.comparison.table_cells import interval_of
from referenceless_metrics.core.support.validation import PathName
from referenceless_metrics.pages.charts import Interval, intervals
from referenceless_metrics.pages.drawing import Plot, drawing


def plot_comparisons(comparisons: Sequence[Comparison], path: PathName) -> None:
    """Draw each system's score by each metric with its 95% interval.

    A dashed line stands at the baseline's score.

    Raises:
        ImportError: if a picture of this kind takes an extra.
        OSError: if the file cannot be written.
    """
    plots = []
    for result in comparisons:
        rows = [
            metric_interval(result, place)._replace(label=f"{row.system} (coverage {row.coverage:.2f})")
            for place, row in enumerate(result.rows)
        ]
        chart = intervals(rows, rows[0].value)
        by = f"{'clusters' if result.n_clusters else 'segments'} resampled"
        by = "with cluster-robust errors" if result.n_clusters and not result.is_of_corpus else by
        of = "score" if result.is_of_corpus else "mean"
        across = f"with 95% intervals: {by}; dashed: the {of} of {result.rows[0].system}"
        plots.append(Plot(result.metric, chart, across, place=0))
    drawing(plots).save(path)


def metric_interval(comparison: Comparison, place: int) -> Interval:
    """Return a system's score by the compared metric with its 95% interval."""
    row = comparison.rows[place]
    shown = row.results[comparison.metric]
    low, high = interval_of(shown)
    return Interval(row.system, shown.score, low, high)
