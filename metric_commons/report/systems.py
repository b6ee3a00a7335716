"""The page on systems, by any metric: comparison, distribution of values, and the table of segments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metric_commons.integrations.sacrebleu import SacrebleuAdapter, Streams
from metric_commons.metric import verdict_of
from metric_commons.registry import cite, metric_spec
from metric_commons.report.charts import Chart, histograms
from metric_commons.report.rendering import render
from metric_commons.report.segments import assets, segments
from metric_commons.results import MetricResult
from metric_commons.systems.comparison import Comparison, SystemRow
from metric_commons.systems.comparison_output import BOOTSTRAP_NOTE, NOT_PEOPLE, resampling_note


@dataclass(frozen=True)
class SystemPart:
    """One system's part of the page.

    Attributes:
        row: its scores, as in the comparison.
        estimates: the values of all its texts.
        histogram: of the values.
        place: among the systems as they were given, counted from 0; the baseline's is 0.
    """

    row: SystemRow
    estimates: MetricResult
    histogram: Chart
    place: int

    @property
    def score(self) -> float:
        """Its score on the segments that are covered for all systems where there are any, else on its own."""
        return float((self.row.common or next(iter(self.row.results.values()))).score)


def system_parts(comparison: Comparison, results: Sequence[MetricResult]) -> tuple[SystemPart, ...]:
    """Return each system's part, the baseline first."""
    charts = histograms([np.where(np.isfinite(result.values), result.values, np.nan) for result in results])
    of_each = zip(comparison.rows, results, charts, range(len(charts)), strict=True)
    return tuple(SystemPart(*own) for own in of_each)


def systems_page(
    systems: Sequence[tuple[str, Sequence[str]]],
    adapter: SacrebleuAdapter,
    comparison: Comparison,
    references: Streams | None = None,
    *,
    parts: Sequence[SystemPart] = (),
    title: str = "",
    package: str = __package__,
    template: str = "systems.html.j2",
    **own: Any,
) -> str:
    """Return a page of HTML that needs nothing but itself.

    Args:
        systems: names and outputs, the baseline first.
        adapter: the metric, which holds the results of the comparison.
        comparison: what `compare_systems` found with it.
        references: reference streams.
        parts: of the systems, where a metric has more to say of each.
        title: the heading; "" for one that names the metric.
        package: of the template.
        template: a template that extends `systems.html.j2`.
        own: further values of the template, or others in place of the usual ones.
    """
    metric = adapter.metric
    by_segment = adapter.by_segment(references, comparison.n_segments)
    parts = parts or system_parts(comparison, adapter.results)
    table = segments(systems, adapter.results, metric, by_segment, adapter.sources)
    values = {
        "title": title or f"{metric_spec(metric.name).title}: {len(systems)} systems",
        "ranked": sorted(parts, key=lambda part: (math.isnan(part.score), -part.score, part.place)),
        "verdict": verdict_of(metric),
        "citation": cite(metric),
        "digits": table.digits,
        "bootstrap_note": BOOTSTRAP_NOTE,
        "not_people": NOT_PEOPLE.format(metric=comparison.metric),
        "resampling_note": resampling_note(comparison).capitalize(),
    }
    given = {"comparison": comparison, "named": systems, "segments": table, "results": adapter.results}
    return render(package, template, **given, **assets(), **{**values, **own})
