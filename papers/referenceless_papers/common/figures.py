"""Figures with matplotlib in one style: readable in grey, as PNG or SVG, with a description.

Series differ in lightness and in their marks, not in colour alone. A file carries its description as its metadata, and
an SVG also as its title, which screen readers speak.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from referenceless_metrics.core.files.atomic import atomic_write
from referenceless_metrics.core.support.validation import PathName, Record

FIRST, SECOND, MARK, QUIET = "#20507f", "#e09040", "#b02030", "#777777"
"""Dark blue, light orange, red for highlights, grey for the rest."""
_DPI = 110


def new_figure(width: float = 6.4, height: float = 3.6, columns: int = 1) -> tuple[Any, list[Any]]:
    """Return a figure that belongs to no display, and its axes side by side.

    Args:
        width: width in inches.
        height: height in inches.
        columns: number of axes.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes = [figure.add_subplot(1, columns, column + 1) for column in range(columns)]
    for each in axes:
        each.spines[["top", "right"]].set_visible(False)
        each.grid(alpha=0.25, linewidth=0.6)
        each.set_axisbelow(True)
        each.title.set_fontsize(10)
    return figure, axes


def save(figure: Any, path: PathName, description: str = "") -> None:
    """Add legends of labelled curves, and write a figure as PNG, or as SVG if the file's name ends so.

    It is written whole or not at all, and equal figures give equal files.

    Args:
        figure: a figure of `new_figure`.
        path: the file.
        description: description of the figure, for readers who do not see it.

    Raises:
        OSError: if the file cannot be written.
    """
    from matplotlib import rc_context

    for axes in figure.axes:
        if axes.get_legend() is None and axes.get_legend_handles_labels()[1]:
            axes.legend(frameon=False, fontsize=8, loc="best")
    kind = "svg" if Path(path).suffix.lower() == ".svg" else "png"
    told: Record = {"Title": description} if description else {}
    told |= {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    with rc_context({"svg.hashsalt": "plot"}), atomic_write(path) as file:
        figure.savefig(file, format=kind, dpi=_DPI, metadata=told)
