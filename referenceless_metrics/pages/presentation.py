"""Drawing and HTML for results: `core/seams.py` imports this module by name."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from referenceless_metrics.core.files.output import render_rows
from referenceless_metrics.core.results import MetricResult
from referenceless_metrics.pages.charts import LARGE, histograms
from referenceless_metrics.pages.drawing import Drawing, Plot, drawing
from referenceless_metrics.pages.findings import parted
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
    latex: str = "",
    plots: Sequence[Plot] = (),
    places: Mapping[str, int] | None = None,
    following: Sequence[str] = (),
    repeated: Collection[str] = (),
    tables: Mapping[str, Sequence[Mapping[str, str]]] | None = None,
) -> str:
    """Return rows of cells as a page of HTML: the finding, charts, the table, remarks, and next steps.

    Args:
        rows: one mapping of column to cell per row, all with the same columns.
        title: title of the page.
        lines: sentences below the rows; empty ones are left out.
        headline: the finding in a sentence, above the rows.
        latex: the table in LaTeX, to be copied.
        plots: charts above the rows.
        places: indices of the colours of systems, by the cells of the first column that name them.
        following: next steps: sentences, and commands, which begin with `referenceless `.
        repeated: lines that the headline and the sentences to quote tell, too; they are left out.
        tables: further tables of cells below the remarks, by their headings.
    """
    said = [line for line in lines if line and line not in repeated]
    if not headline and said:
        opening = said.pop(0)
        headline = opening[:1].upper() + opening[1:]
    finding, stop, beside = headline.partition(". ")
    to_read, for_paper = parted(said)
    return render(
        "referenceless_metrics.pages",
        "rows.html.j2",
        title=title,
        rows=rows,
        latex=latex,
        csv=render_rows([dict(row) for row in rows], "csv"),
        finding=finding + stop.strip(),
        beside=beside,
        lines=to_read,
        for_paper=for_paper,
        plots=plots,
        places=places or {},
        following=following,
        tables=tables or {},
    )
