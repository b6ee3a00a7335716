"""Drawings of charts: SVG, and PNG and PDF made from it (extra `plot`).

A notebook shows them, and a file carries a description in words: SVG as its title, which screen readers speak, and PDF
as the picture's alternative text.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from referenceless_metrics.core.files.atomic import atomic_write
from referenceless_metrics.core.support.installation import import_extra
from referenceless_metrics.core.support.validation import PathName, check_choice
from referenceless_metrics.pages.charts import Chart
from referenceless_metrics.pages.rendering import number, render

PICTURES = (".svg", ".png", ".pdf")
COLOURS = ("#20507f", "#e09040", "#b02030", "#777777", "#15803d", "#8b2fd6", "#0e7490", "#4b5563")
"""Dark blue, light orange, red for highlights, grey for the rest; the first two differ in lightness, and lines in their
dashes too."""

_GAP, _TOP, _LEGEND = 24, 30, 16
_PIXELS_PER_INCH = 192
_MOST_SAID = 12  # points of a line
_PAGE = """#set page(width: auto, height: auto, margin: 0pt)
#set document(title: sys.inputs.description, date: none)
#image(bytes(sys.inputs.svg), format: "svg", alt: sys.inputs.description)"""


class Plot(NamedTuple):
    """A chart with its heading, the names of its axes, the index of its colour, and remarks beside it."""

    heading: str
    chart: Chart
    across: str
    up: str = ""
    place: int | None = None
    note: str = ""

    @property
    def title(self) -> str:
        """The chart in words, as screen readers speak it: intervals and short lines with their values."""
        said = [self.note] if self.note else []
        for row in self.chart.rows:
            ends = "" if math.isnan(row.low + row.high) else f" [{number(row.low)}, {number(row.high)}]"
            said.append(f"{row.label} {number(row.value)}{ends}{'' if row.is_filled else ' (not shown)'}".strip())
        for line in self.chart.series:
            if line.kind == "dots":
                said.append(f"{len(line.points)} points")
            elif line.kind == "line" and len(line.points) <= _MOST_SAID:
                said.append(f"{line.name} {', '.join(f'{y:.3g} at {x:.3g}' for x, y in line.points)}".strip())
        axes = f"{self.up} by {self.across}" if self.up else self.across
        return f"{': '.join(filter(None, (self.heading, axes)))}: {'; '.join(said)}"


@dataclass(frozen=True)
class Drawing:
    """A picture as SVG, and its description in words."""

    svg: str = field(repr=False)
    description: str

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: PathName) -> None:
        """Write the picture, whole or not at all, as the suffix says; equal drawings give equal files.

        Raises:
            ImportError: for PNG and PDF without typst; the message names the extra.
            ValueError: for another suffix.
            OSError: if the file cannot be written.
        """
        suffix = check_picture(path)
        content = self.svg.encode()
        if suffix != ".svg":
            typst: Any = importlib.import_module("typst")
            inputs = {"svg": self.svg, "description": self.description}
            content = typst.compile(_PAGE.encode(), format=suffix[1:], ppi=_PIXELS_PER_INCH, sys_inputs=inputs)
        with atomic_write(path) as file:
            file.write(content)


def check_picture(path: PathName) -> str:
    """Return the suffix of a picture's file after checking that such a file can be made here.

    Raises:
        ImportError: if the extra is missing that it takes.
        ValueError: for another suffix than one of `PICTURES`.
    """
    suffix = Path(path).suffix.lower()
    check_choice(suffix, "suffix", PICTURES)
    if suffix != ".svg":
        import_extra("typst", "plot", f"a picture in {suffix[1:].upper()}")
    return suffix


def drawing(plots: Sequence[Plot]) -> Drawing:
    """Draw charts in rows of two, each with a legend of its named series."""
    places, width, top = [], 0, _TOP
    for row in (plots[start : start + 2] for start in range(0, len(plots), 2)):
        x = _GAP
        for plot in row:
            places.append((plot, x, top))
            x += round(plot.chart.frame.width) + _GAP
        heights = [
            plot.chart.height(plot.across) + _LEGEND * sum(bool(line.name) for line in plot.chart.series)
            for plot in row
        ]
        width, top = max(width, x), round(top + max(heights) + _TOP + _GAP / 2)
    description = ". ".join(plot.title for plot in plots)
    return picture("drawing.svg.j2", description, plots=places, width=width, height=top - _TOP)


def picture(template: str, description: str, package: str = __package__, **values: object) -> Drawing:
    """Return the picture that a package's template draws, with the colours and the style of all drawings."""
    return Drawing(render(package, template, description=description, colours=COLOURS, **values), description)
