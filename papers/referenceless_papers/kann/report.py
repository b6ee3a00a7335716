"""A reproduction as Markdown, as JSON, and as a bar chart."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from metric_commons.files.atomic import atomic_write
from metric_commons.files.escaping import code, escaped, one_line
from metric_commons.support.installation import import_extra
from referenceless_papers.kann.baselines import COMBINED_COLUMNS, REFERENCE_COLUMNS
from referenceless_papers.kann.run import Reproduction, Section

_SIGNIFICANT = 0.05


def _number(value: float, digits: int = 3) -> str:
    return "–" if math.isnan(value) else f"{value:.{digits}f}"


def _p_value(value: float) -> str:
    if math.isnan(value):
        return "–"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    from tabulate import tabulate

    alignment = ["left", *["right"] * (len(header) - 1)]
    text = tabulate(rows, headers=list(header), tablefmt="pipe", colalign=alignment, disable_numparse=True)
    return str(text).split("\n")


def _uses_references(metric: str) -> bool:
    return metric in REFERENCE_COLUMNS or metric in COMBINED_COLUMNS


def _overall(result: Reproduction) -> list[str]:
    header = ["metric", "references", "Pearson", "95% CI", "MSE", "p (below best)"]
    if result.published:
        header += ["paper: Pearson", "paper: MSE"]
    best = result.overall.best
    rows = []
    for row in result.overall.rows:
        mark = "**" if best is not None and row.metric == best.metric else ""
        low, high = row.interval
        cells = [
            row.metric,
            "yes" if _uses_references(row.metric) else "no",
            f"{mark}{_number(row.pearson)}{mark}",
            f"{_number(low)} to {_number(high)}",
            _number(row.mse),
            _p_value(row.p_below_best),
        ]
        if result.published:
            cells += [_number(value) for value in result.published.get(row.metric, (math.nan, math.nan))]
        rows.append(cells)
    return _table(header, rows)


def _parts(sections: Sequence[Section], what: str) -> list[str]:
    """A table with a row a metric, and Pearson and MSE of each part beside one another."""
    lines = [f"## By {what}", ""]
    for section in sections:
        undefined = f", {section.n_undefined} more undefined" if section.n_undefined else ""
        lines.append(
            f"- {escaped(section.name)}: {section.n} texts{undefined}, mean rating {_number(section.mean_rating)}"
        )
    for measure in ("Pearson", "MSE"):
        header = [f"metric ({measure})", *(escaped(section.name) for section in sections)]
        metrics = max((section.rows for section in sections), key=len)
        rows = []
        for position, metric in enumerate(metrics):
            cells = [metric.metric]
            for section in sections:
                if not section.rows:
                    cells.append("–")
                    continue
                row = section.rows[position]
                value = _number(row.pearson if measure == "Pearson" else row.mse)
                worse = row.p_below_best < _SIGNIFICANT
                best = section.best is not None and row.metric == section.best.metric
                cells.append(f"**{value}**" if best else f"{value}*" if worse and measure == "Pearson" else value)
            rows.append(cells)
        lines += ["", *_table(header, rows)]
    lines += ["", f"\\* significantly below the best of its column (p < {_SIGNIFICANT})."]
    return lines


def to_markdown(result: Reproduction) -> str:
    """Return the tables and notes as Markdown."""
    whole = result.overall
    lines = [
        "# Agreement with human ratings",
        "",
        f"{escaped(result.source)}: {whole.n} texts, mean rating {_number(whole.mean_rating)}, "
        f"variance {_number(whole.rating_variance)}.",
    ]
    if whole.n_undefined:
        lines.append(f"Left out: {whole.n_undefined} texts on which some metric is undefined.")
    lines += [f"Not computed: {what} ({why})." for what, why in result.left_out.items()]
    lines += ["", *_overall(result), ""]
    for sections, what in ((result.by_system, "system"), (result.by_domain, "domain")):
        if sections:
            lines += [*_parts(sections, what), ""]
    lines += ["## Notes", "", *(f"- {one_line(note)}" for note in result.notes)]
    lines += [f"- {escaped(name)}: {code(signature)}" for name, signature in result.models.items()]
    if result.published:
        lines.append(
            "- Figures of the paper: Kann, Rothe & Filippova (2018), Table 3, and Table 7 for combinations; its "
            "language models are LSTMs."
        )
    return "\n".join(lines) + "\n"


def _plain(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _section(section: Section) -> dict[str, Any]:
    return {
        "name": section.name,
        "n": section.n,
        "n_undefined": section.n_undefined,
        "mean_rating": _plain(section.mean_rating),
        "rating_variance": _plain(section.rating_variance),
        "metrics": {
            row.metric: {
                "pearson": _plain(row.pearson),
                "interval": [_plain(bound) for bound in row.interval],
                "mse": _plain(row.mse),
                "p_below_best": _plain(row.p_below_best),
            }
            for row in section.rows
        },
    }


def to_json(result: Reproduction) -> dict[str, Any]:
    """Return every figure as JSON can hold it; undefined ones are None."""
    return {
        "source": result.source,
        "overall": _section(result.overall),
        "by_system": [_section(section) for section in result.by_system],
        "by_domain": [_section(section) for section in result.by_domain],
        "left_out": dict(result.left_out),
        "notes": list(result.notes),
        "models": dict(result.models),
        "published": {metric: {"pearson": r, "mse": mse} for metric, (r, mse) in result.published.items()},
    }


def plot(result: Reproduction, path: str | os.PathLike[str]) -> None:
    """Write a bar chart of each metric's correlation, with its 95% confidence interval, as PNG.

    Raises:
        ImportError: without matplotlib (extra `plot`).
        OSError: where the file cannot be written.
    """
    import_extra("matplotlib.patches", "plot", "the chart")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    rows = [row for row in result.overall.rows if not math.isnan(row.pearson)][::-1]
    figure = Figure(figsize=(7.5, 1.6 + 0.34 * len(rows)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    with_references, without = "#4878a8", "#d98841"
    positions = list(range(len(rows)))
    values = [row.pearson for row in rows]
    errors = [
        [0.0 if math.isnan(row.interval[0]) else row.pearson - row.interval[0] for row in rows],
        [0.0 if math.isnan(row.interval[1]) else row.interval[1] - row.pearson for row in rows],
    ]
    colours = [with_references if _uses_references(row.metric) else without for row in rows]
    axes.barh(positions, values, color=colours, xerr=errors, ecolor="#444444", error_kw={"lw": 1, "capsize": 2})
    kinds = {without: "without references", with_references: "with references"}
    handles: list[Any] = [Patch(color=colour, label=kind) for colour, kind in kinds.items() if colour in colours]
    published = {
        place: result.published[row.metric][0] for place, row in enumerate(rows) if row.metric in result.published
    }
    if published:
        marks = axes.scatter(
            list(published.values()), list(published), marker="D", s=22, color="black", zorder=3, label="paper"
        )
        handles.append(marks)
    axes.set_yticks(positions, [row.metric for row in rows])
    axes.axvline(0.0, color="#444444", lw=0.8)
    axes.set_xlabel("Pearson correlation with human ratings, with its 95% confidence interval")
    axes.margins(x=0.02, y=0.02)
    axes.set_title(f"{Path(result.source).name}, {result.overall.n} texts", fontsize=10, pad=26)
    axes.legend(handles=handles, loc="lower center", bbox_to_anchor=(0.5, 0.99), ncols=len(handles), frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    with atomic_write(path) as file:
        figure.savefig(file, format="png", dpi=150)
