"""Systems by scores that any tool wrote, drawn: each system's mean, each difference, and the page that shows both."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from metric_commons.report.charts import Interval, intervals
from metric_commons.report.drawing import Drawing, Plot, drawing
from metric_commons.report.rendering import number, render

if TYPE_CHECKING:
    from metric_commons.systems.scores.findings import Findings

_MOST = 40  # differences in a chart


def score_plots(findings: Findings) -> list[Plot]:
    """Return two charts a score: the systems' means, and their differences from the baseline, those of slices below."""
    plots = []
    for column in dict.fromkeys(mean.column for mean in findings.means):
        means = [
            Interval(f"{mean.system} ({mean.n} items)", mean.mean, *mean.interval)
            for mean in findings.means
            if mean.column == column and not mean.slice and not math.isnan(mean.mean)
        ]
        differences = [
            Interval(
                f"{each.system} less {each.baseline}" + (f", {each.slice}" if each.slice else ""),
                each.estimate.value,
                *each.interval,
                is_filled=each.is_shown(findings.level),
            )
            for each in findings.differences
            if each.column == column and not math.isnan(each.estimate.value)
        ]
        plots.append(_plot(f"Mean of {column}", means, f"{findings.level:.0%} intervals"))
        if differences:
            plots.append(_plot(f"Differences of {column}", differences[:_MOST], "filled: shown, after Holm", 0.0))
    return plots


def findings_drawing(findings: Findings) -> Drawing:
    """Draw each score's means and differences side by side."""
    plots = score_plots(findings)
    return drawing(plots, "; ".join(plot.description for plot in plots))


def scores_page(findings: Findings, rows: Sequence[dict[str, str]], lines: Sequence[str]) -> str:
    """Return a page of HTML that needs nothing but itself.

    Args:
        findings: what is drawn.
        rows: all figures, as cells of a table.
        lines: what they show, in sentences.
    """
    systems = list(dict.fromkeys(mean.system for mean in findings.means))
    plots = score_plots(findings)
    title = f"Scores of {len(systems)} systems"
    return render(__package__, "scores.html.j2", title=title, findings=findings, plots=plots, rows=rows, lines=lines)


def _plot(heading: str, rows: Sequence[Interval], across: str, marker: float | None = None) -> Plot:
    described = "; ".join(f"{row.label} {number(row.value)} [{number(row.low)}, {number(row.high)}]" for row in rows)
    return Plot(heading, intervals(rows, marker), across, "", f"{heading}: {described}", 0)
