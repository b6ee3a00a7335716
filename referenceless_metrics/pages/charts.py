"""Charts as values on two scales, by which the template `chart.html.j2` places bars and points as SVG."""

from __future__ import annotations

import csv
import math
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import StringIO
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from referenceless_metrics.core.files.escaping import no_formula
from referenceless_metrics.core.support.validation import Floats
from referenceless_metrics.pages.rendering import number

_LETTER = 6.5  # width of a letter of a label, in the units of a drawing
_LINE = 15  # height of a line of it


class Frame(NamedTuple):
    """A drawing's size and the rectangle that its axes span, in the units of its `viewBox`."""

    width: float
    height: float
    left: float
    top: float
    right: float
    bottom: float


class Bar(NamedTuple):
    """A bar of a histogram from `low` to `high`, which are rounded for readers, and the position of its left end."""

    begin: float
    low: str
    high: str
    share: float
    n_texts: int


class Interval(NamedTuple):
    """A value with the ends of its interval, NaN for none, and its label.

    Attributes:
        label: text above it.
        value: the value.
        low: the interval's lower end.
        high: its upper end.
        is_filled: whether the value's dot is filled.
        thin: a second value with its ends, drawn thinly below; nothing for none.
        place: the place of its colour; None for that of the chart.
    """

    label: str
    value: float
    low: float
    high: float
    is_filled: bool = True
    thin: tuple[float, ...] = ()
    place: int | None = None


class Series(NamedTuple):
    """Points that belong together.

    Attributes:
        points: places on both axes.
        kind: `line`, `dots`, `diamonds`, `guide` (a dashed line) or `spread` (the ends below alone).
        spread: the lower and upper end at each point: a band along a line, else a bar through the point.
        name: its name in the legend of a drawing; "" for none.
        place: the place of its colour; None for that of the chart.
    """

    points: Sequence[tuple[float, float]]
    kind: str = "line"
    spread: Sequence[tuple[float, float]] = ()
    name: str = ""
    place: int | None = None


@dataclass(frozen=True)
class Chart:
    """A drawing on two axes.

    Attributes:
        frame: its size.
        x_range: the values at both ends of the horizontal axis.
        n_ticks: about the number of marks on both axes, 0 for none.
        y_range: the values at both ends of the vertical axis.
        in_percent: whether the vertical axis shows shares.
        marker: the value at which a dashed line stands; None for none.
        bars: bars of a histogram, all of one width.
        series: lines and points.
        rows: intervals, from the top down.
        groups: groups of rows that cannot be told apart, the indices of each from the top down; a bracket joins them.
    """

    frame: Frame
    x_range: tuple[float, float]
    n_ticks: tuple[int, int]
    y_range: tuple[float, float] = (0.0, 1.0)
    in_percent: bool = True
    marker: float | None = None
    bars: tuple[Bar, ...] = ()
    series: tuple[Series, ...] = ()
    rows: tuple[Interval, ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()

    def x(self, value: float) -> float:
        """Return the horizontal place of a value."""
        low, high = self.x_range
        return round(self.frame.left + (value - low) / (high - low) * (self.frame.right - self.frame.left), 2)

    def y(self, value: float) -> float:
        """Return the vertical place of a value."""
        low, high = self.y_range
        return round(self.frame.bottom - (value - low) / (high - low) * (self.frame.bottom - self.frame.top), 2)

    @property
    def x_ticks(self) -> list[tuple[float, str]]:
        """The marks on the horizontal axis: values with their labels."""
        return ticks(*self.x_range, self.n_ticks[0])

    @property
    def y_ticks(self) -> list[tuple[float, str]]:
        """The marks on the vertical axis: values with their labels."""
        values = ticks(*self.y_range, self.n_ticks[1]) if self.n_ticks[1] else []
        if not self.in_percent:
            return values
        return [(share, f"{100 * share:.1f}%".replace(".0%", "%")) for share, _ in values]

    def label_lines(self, label: str) -> list[tuple[float, str]]:
        """Return the label of the horizontal axis in lines that fit the drawing, each with its vertical place.

        Parts between semicolons stay whole if they can.
        """
        frame = self.frame
        centre = (frame.left + frame.right) / 2
        longest = int(2 * min(centre, frame.width - centre) / _LETTER)
        lines: list[str] = []
        for part in re.split(r"(?<=;) ", label):
            if lines and len(lines[-1]) + 1 + len(part) <= longest:
                lines[-1] += f" {part}"
            else:
                lines += textwrap.wrap(part, longest) or [""]
        return [(frame.height - 3 + _LINE * place, line) for place, line in enumerate(lines)]

    def height(self, label: str) -> float:
        """Return the height of the drawing with such a label of the horizontal axis."""
        return self.frame.height + _LINE * (len(self.label_lines(label)) - 1)

    @property
    def numbers(self) -> str:
        """Drawn numbers as CSV: one row per interval, per bar with its count, or per point of a series."""
        cells: list[tuple[Any, ...]] = [
            ("name", "across", "value", "low", "high"),
            *((no_formula(row.label), "", row.value, row.low, row.high) for row in self.rows),
            *((f"{bar.low} to {bar.high}", bar.begin, bar.n_texts, "", "") for bar in self.bars),
        ]
        for line in self.series:
            ends: Sequence[Any] = line.spread or [("", "")] * len(line.points)
            cells += [(no_formula(line.name), x, y, *both) for (x, y), both in zip(line.points, ends, strict=True)]
        lines = StringIO()
        csv.writer(lines, lineterminator="\n").writerows(cells)
        return lines.getvalue()


SMALL = Frame(width=360, height=206, left=44, top=18, right=350, bottom=162)
LARGE = Frame(width=420, height=296, left=52, top=18, right=408, bottom=248)
_BINS = 24
_WIDE, _BRACKET = 600, 12
_FEWEST = 5  # texts behind a mean
_FEWEST_IN_FIFTHS = 20
_MOST_VALUES = 10  # different estimates that are taken for those of a scale of steps


def nice_step(span: float, parts: int) -> float:
    """Return a step of 1, 2 or 5 times a power of ten that divides `span` into about `parts`.

    >>> nice_step(1.0, 5), nice_step(0.37, 6), nice_step(60, 6)
    (0.2, 0.05, 10.0)
    """
    rough = span / parts
    power = 10.0 ** math.floor(math.log10(rough))
    return float(min((1, 2, 5, 10), key=lambda factor: abs(math.log(factor * power / rough))) * power)


def ticks(low: float, high: float, parts: int = 5) -> list[tuple[float, str]]:
    """Return round values in [low, high] with labels of as many decimals as they need.

    >>> ticks(0.0, 1.0, 4)
    [(0.0, '0.0'), (0.2, '0.2'), (0.4, '0.4'), (0.6, '0.6'), (0.8, '0.8'), (1.0, '1.0')]
    """
    step = nice_step(high - low, parts)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [(round(i * step, 12), number(i * step, _decimals(step))) for i in range(first, last + 1)]


def _decimals(step: float) -> int:
    return max(0, -math.floor(math.log10(step) + 1e-9))


def _ends(*values: ArrayLike) -> tuple[float, float]:
    """Return the least and the greatest of finite values, apart from one another if they are all equal."""
    everything = np.concatenate([np.ravel(part) for part in values])
    everything = everything[np.isfinite(everything)]
    low, high = (float(everything.min()), float(everything.max())) if len(everything) else (0.0, 1.0)
    margin = max(abs(high), 1.0) / 20 if high - low < 1e-9 * max(1.0, abs(high)) else 0.0
    return low - margin, high + margin


def histograms(
    estimates: Sequence[Floats], frame: Frame = SMALL, *, differences: Sequence[tuple[float, float, float]] = ()
) -> list[Chart]:
    """Draw the estimates of each system, all on the same axes, with their mean as the marker.

    Args:
        estimates: estimates of each system, shape (n,), NaN if undefined; a bar's height is a share of all n.
        frame: the size of each drawing.
        differences: if the estimates are differences, the mean of each with the ends of its interval; the marker then
            is 0.
    """
    defined = [values[~np.isnan(values)] for values in estimates]
    low, high = _ends(*defined, *differences, *([[0.0]] if differences else ()))
    step = nice_step(high - low, _BINS)
    edges = np.arange(math.floor(low / step), math.ceil(high / step + 1e-9) + 1) * step
    labels = [number(edge, _decimals(step)) for edge in edges]
    # a value may lie beyond the outer edges by as much as they are rounded
    counts = [np.histogram(np.clip(values, edges[0], edges[-1]), edges)[0] for values in defined]
    shares = [count / max(len(values), 1) for count, values in zip(counts, estimates, strict=True)]
    tallest = float(max((share.max() for share in shares), default=0.0)) or 1.0
    axes = Chart(frame, (float(edges[0]), float(edges[-1])), (5, 3), (0.0, tallest))
    charts = []
    for values, count, share in zip(defined, counts, shares, strict=True):
        bars = map(Bar, edges[:-1].tolist(), labels, labels[1:], share.tolist(), count.tolist())
        charts.append(replace(axes, marker=float(values.mean()) if len(values) else None, bars=tuple(bars)))
    return (
        [
            replace(chart, marker=0.0, rows=(Interval("", *mean),))
            for chart, mean in zip(charts, differences, strict=True)
        ]
        if differences
        else charts
    )


def intervals(
    rows: Sequence[Interval],
    marker: float | None = None,
    *,
    width: float = 360,
    groups: Sequence[Sequence[int]] = (),
) -> Chart:
    """Draw values with their intervals, one below the other.

    Args:
        rows: values with their intervals.
        marker: a value to compare them with.
        width: width of the drawing.
        groups: groups of rows that cannot be told apart, the indices of each from the top down, from 0.
    """
    low, high = _ends(*([*row[1:4], *row.thin] for row in rows), [] if marker is None else [marker])
    margin = (high - low) / 20
    right, bottom = width - 8 - _BRACKET * len(groups), 12 + 40 * len(rows)
    frame = Frame(width=width, height=40 + bottom, left=8, top=4, right=right, bottom=bottom)
    axes = Chart(frame, (low - margin, high + margin), (5 if width < _WIDE else 10, 0), marker=marker)
    return replace(axes, rows=tuple(rows), groups=tuple(map(tuple, groups)))


def scatters(
    estimates: Sequence[Floats], ratings: Sequence[Floats], *, identity: bool = True, frame: Frame = SMALL
) -> list[Chart]:
    """Draw the ratings of each system's texts over their estimates, with the median rating of each fifth of them.

    Estimates of few values, such as whole numbers, have the median rating of each value: fifths would part equal ones.

    Args:
        estimates: estimates of each system, shape (n,), NaN if undefined.
        ratings: likewise.
        identity: whether both have one unit, so that a line shows where they are equal.
        frame: the size of each drawing; all have the same axes.
    """
    known = [np.isfinite(x) & np.isfinite(y) for x, y in zip(estimates, ratings, strict=True)]
    pairs = [(x[both], y[both]) for x, y, both in zip(estimates, ratings, known, strict=True)]
    x_range, y_range = (_ends(*side) for side in zip(*pairs, strict=True))
    both_ranges = max(x_range[0], y_range[0]), min(x_range[1], y_range[1])
    charts = []
    for x, y in pairs:
        series = [Series(points(x, y), "dots", name="a rated text")]
        if len(x) >= _FEWEST_IN_FIFTHS:
            values = np.unique(x)
            are_few = len(values) <= _MOST_VALUES
            parts = [x == value for value in values] if are_few else np.array_split(np.argsort(x, kind="stable"), 5)
            medians = [(float(np.median(x[part])), float(np.median(y[part]))) for part in parts]
            series.append(Series(medians, "diamonds", name=f"median rating of {'a value' if are_few else 'a fifth'}"))
        if identity and both_ranges[0] < both_ranges[1]:
            series.append(Series(points(both_ranges, both_ranges), "guide", name="estimate = rating"))
        charts.append(chart_of(*series, x_range=x_range, y_range=y_range, frame=frame))
    return charts


def points(x: ArrayLike, y: ArrayLike) -> list[tuple[float, float]]:
    """Return places on both axes, shape (n,) each, as points."""
    return [(float(across), float(up)) for across, up in zip(np.asarray(x), np.asarray(y), strict=True)]


def chart_of(
    *series: Series,
    x_range: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
    marker: float | None = None,
    frame: Frame = LARGE,
) -> Chart:
    """Draw series on axes that hold all of them, or on the given ones; a point without a place is left out."""
    shown = []
    for line in series:
        known = [place for place, point in enumerate(line.points) if np.isfinite(point).all()]
        spread = [line.spread[place] for place in known] if line.spread else ()
        shown.append(line._replace(points=[line.points[place] for place in known], spread=spread))
    x_range = x_range or _ends([x for line in shown for x, _ in line.points])
    ends = [end for line in shown for both in line.spread for end in both]
    y_range = y_range or _ends([y for line in shown for _, y in line.points], ends)
    return Chart(frame, x_range, (6, 5), y_range, in_percent=False, marker=marker, series=tuple(shown))


def by_length(names: Sequence[str], estimates: Sequence[Floats], lengths: Sequence[Floats]) -> Chart | None:
    """Draw how the mean of each system's estimates goes with the length of its texts; None for few or equal lengths.

    Args:
        names: names of the systems.
        estimates: estimates of each system, shape (n,), NaN if undefined.
        lengths: lengths of its texts, shape (n,), which fall into five parts of about as many texts.
    """
    cuts = np.unique(np.quantile(np.concatenate(lengths), [0.2, 0.4, 0.6, 0.8]))
    systems = []
    for place, (name, values, sizes) in enumerate(zip(names, estimates, lengths, strict=True)):
        parts = [(np.searchsorted(cuts, sizes) == part) & np.isfinite(values) for part in range(len(cuts) + 1)]
        means = [(float(sizes[part].mean()), float(values[part].mean())) for part in parts if part.sum() >= _FEWEST]
        systems.append(Series(means, name=name, place=place))
    return chart_of(*systems) if len({x for line in systems for x, _ in line.points}) > 1 else None


def lines(values: Floats, shares: Sequence[Floats], marker: float) -> Chart:
    """Draw shares that change with a value.

    Args:
        values: values of the horizontal axis, ascending, shape (t,).
        shares: shares in [0, 1], one array of shape (t,) per line.
        marker: the value in use.
    """
    drawn = [Series(points(values, line), place=place) for place, line in enumerate(shares)]
    return replace(chart_of(*drawn, y_range=(0.0, 1.0), marker=marker), in_percent=True)
