"""The one style of all plots, with matplotlib (extra `plot`): readable in grey, for PNG and SVG, with a description.

Series differ in lightness and in their marks, not in colour alone. A file carries its description as its metadata, and
an SVG also as its title, which screen readers speak.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from metric_commons.files.atomic import atomic_write
from metric_commons.support.installation import import_extra

FIRST, SECOND, MARK, QUIET = "#20507f", "#e09040", "#b02030", "#777777"
"""Dark blue, light orange, red for what is singled out, grey for what is beside the point."""
FORMATS = (".png", ".svg")
_DPI = 110


def new_figure(width: float = 6.4, height: float = 3.6, columns: int = 1) -> tuple[Any, list[Any]]:
    """Return a figure that belongs to no display, and its axes side by side.

    Args:
        width: in inches.
        height: in inches.
        columns: how many axes.

    Raises:
        ImportError: without matplotlib; the message names the extra.
    """
    import_extra("matplotlib.figure", "plot", "a picture")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes = [figure.add_subplot(1, columns, column + 1) for column in range(columns)]
    for each in axes:
        each.spines[["top", "right"]].set_visible(False)
        each.grid(alpha=0.25, linewidth=0.6)
        each.set_axisbelow(True)
    return figure, axes


def save(figure: Any, path: str | os.PathLike[str], description: str = "") -> None:
    """Write a figure as PNG, or as SVG where the file's name ends so, whole or not at all.

    Equal figures give equal files.

    Args:
        figure: a figure of `new_figure`.
        path: the file.
        description: what the figure shows, for readers who do not see it.

    Raises:
        OSError: where the file cannot be written.
    """
    from matplotlib import rc_context

    kind = "svg" if Path(path).suffix.lower() == ".svg" else "png"
    told: dict[str, Any] = {"Title": description} if description else {}
    told |= {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    with rc_context({"svg.hashsalt": "plot"}), atomic_write(path) as file:
        figure.savefig(file, format=kind, dpi=_DPI, metadata=told)


def intervals(axes: Any, names: list[str], middles: list[float], lows: list[float], highs: list[float]) -> None:
    """Draw a row a name from the top down: a point with its interval."""
    places = list(range(len(names)))[::-1]
    beside = [
        [middle - low for middle, low in zip(middles, lows, strict=True)],
        [high - middle for middle, high in zip(middles, highs, strict=True)],
    ]
    axes.errorbar(middles, places, xerr=beside, fmt="o", color=FIRST, ecolor=FIRST, capsize=4, ms=6, lw=1.6)
    axes.set_yticks(places, names)
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.grid(axis="y", visible=False)
