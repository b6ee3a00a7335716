"""Drawing and HTML for results: `core/seams.py` imports this module by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referenceless_metrics.core.results import MetricResult
from referenceless_metrics.pages.charts import LARGE, histograms
from referenceless_metrics.pages.drawing import Drawing, Plot, drawing
from referenceless_metrics.pages.rendering import render


def histogram(result: MetricResult) -> Drawing:
    """Draw the distribution of a result's values."""
    (chart,) = histograms([result.values], LARGE)
    return drawing([Plot(repr(result), chart, "value", place=0, note="histogram of the values")])


def page_of_rows(
    rows: Sequence[Mapping[str, str]],
    *,
    title: str,
    lines: Sequence[str] = (),
    headline: str = "",
    drawings: Sequence[Any] = (),
) -> str:
    """Return rows of cells as a page of HTML.

    Args:
        rows: one mapping of column to cell per row, all with the same columns.
        title: of the page.
        lines: sentences below the rows; empty ones are left out.
        headline: the finding in a sentence, above the rows.
        drawings: `Drawing`s above the rows.
    """
    return render(
        "referenceless_metrics.pages",
        "rows.html.j2",
        title=title,
        rows=rows,
        lines=[line for line in lines if line],
        headline=headline,
        drawings=drawings,
    )
