"""Systems by scores that any tool wrote, drawn: each system's mean, and each difference."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from referenceless_metrics.human_evaluation.wording.holm_level import intervals_name, percent
from referenceless_metrics.pages.charts import Interval, intervals
from referenceless_metrics.pages.drawing import Plot

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.scores.findings import Findings

_MOST = 40  # differences in a chart


def system_places(findings: Findings) -> dict[str, int]:
    """Return the places of the systems' colours."""
    return {system: place for place, system in enumerate(dict.fromkeys(mean.system for mean in findings.means))}


def score_plots(findings: Findings) -> list[Plot]:
    """Return two charts a score: the systems' means, and their differences from the baseline, those of slices below."""
    places = system_places(findings)
    level = intervals_name(findings.level, len(findings.tests))
    plots = []
    for column in dict.fromkeys(mean.column for mean in findings.means):
        means = [
            Interval(f"{mean.system} ({mean.n} items)", mean.mean, *mean.interval, place=places[mean.system])
            for mean in findings.means
            if mean.column == column and not mean.slice and not math.isnan(mean.mean)
        ]
        differences = [
            Interval(
                f"{each.system} less {each.baseline}" + (f", {each.slice}" if each.slice else ""),
                each.estimate.value,
                *each.interval,
                is_filled=each.is_shown(findings.level),
                place=places[each.system],
            )
            for each in findings.differences
            if each.column == column and not math.isnan(each.estimate.value)
        ]
        plots.append(
            Plot(f"Mean of {findings.told(column)}", intervals(means), f"{percent(findings.level)} intervals", place=0)
        )
        if differences:
            chart = intervals(differences[:_MOST], 0.0)
            across = f"{level}; dashed: no difference; filled: shown"
            plots.append(Plot(f"Differences of {findings.told(column)}", chart, across, place=0))
    return plots
