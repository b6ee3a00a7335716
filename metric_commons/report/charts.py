"""Charts as the coordinates that the template `chart.html.j2` draws as SVG, in pages and in files."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from metric_commons.support.validation import Floats


class Frame(NamedTuple):
    """A drawing's size and the rectangle that its axes span, in the units of its `viewBox`."""

    width: float
    height: float
    left: float
    top: float
    right: float
    bottom: float


class Bar(NamedTuple):
    """A bar of a histogram, from the values `low` to `high`, which are as they are to be read, and where it begins."""

    begin: float
    low: str
    high: str
    share: float
    n_texts: int


class Interval(NamedTuple):
    """A value with the ends of its interval, NaN for none, and what stands over it.

    Attributes:
        label: what stands over it.
        value: the value.
        low: the interval's lower end.
        high: its upper end.
        is_filled: whether the value's dot is filled.
        thin: a second value with its ends, drawn thinly below; nothing for none.
    """

    label: str
    value: float
    low: float
    high: float
    is_filled: bool = True
    thin: tuple[float, ...] = ()


class Series(NamedTuple):
    """Points that belong together.

    Attributes:
        points: places on both axes.
        kind: `line`, `dots`, `diamonds`, `guide` (a dashed line) or `spread` (the ends below alone).
        spread: the lower and upper end at each point: a band along a line, else a bar through the point.
        name: as the legend of a drawing has it; "" for none.
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
        n_ticks: about how many marks both axes have, 0 for none.
        y_range: the values at both ends of the vertical axis.
        in_percent: whether the vertical axis shows shares.
        marker: the value at which a dashed line stands; None for none.
        bars: of a histogram, all of one width.
        series: lines and points.
        rows: intervals, from the top down.
        groups: of rows that cannot be told apart, the first and the last place of each; a bracket joins them.
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
    groups: tuple[tuple[int, int], ...] = ()

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
        found = ticks(*self.y_range, self.n_ticks[1]) if self.n_ticks[1] else []
        if not self.in_percent:
            return found
        return [(share, f"{100 * share:.1f}%".replace(".0%", "%")) for share, _ in found]


SMALL = Frame(width=360, height=206, left=44, top=18, right=350, bottom=162)
LARGE = Frame(width=420, height=296, left=52, top=18, right=408, bottom=248)
_BINS = 24
_WIDE, _BRACKET = 600, 12
_FEWEST = 5  # texts behind a mean


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
    return [(round(i * step, 12), f"{i * step + 0.0:.{_decimals(step)}f}") for i in range(first, last + 1)]


def _decimals(step: float) -> int:
    return max(0, -math.floor(math.log10(step) + 1e-9))


def _ends(*values: ArrayLike) -> tuple[float, float]:
    """Return the least and the greatest of finite values, apart from one another where they are all equal."""
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
        estimates: of each system, shape (n,), NaN where undefined; a bar's height is a share of all n.
        frame: the size of each drawing.
        differences: where the estimates are differences, the mean of each with the ends of its interval; the marker
            then is 0.
    """
    defined = [values[~np.isnan(values)] for values in estimates]
    low, high = _ends(*defined, *differences, *([[0.0]] if differences else ()))
    step = nice_step(high - low, _BINS)
    edges = np.arange(math.floor(low / step), math.ceil(high / step + 1e-9) + 1) * step
    labels = [f"{edge + 0.0:.{_decimals(step)}f}" for edge in edges]
    # a value may lie beyond the outer edges by as much as they are rounded
    counts = [np.histogram(np.clip(values, edges[0], edges[-1]), edges)[0] for values in defined]
    shares = [count / max(len(values), 1) for count, values in zip(counts, estimates, strict=True)]
    tallest = float(max((share.max() for share in shares), default=0.0)) or 1.0
    axes = Chart(frame, (float(edges[0]), float(edges[-1])), (5, 3), (0.0, tallest))
    charts = []
    for values, count, share in zip(defined, counts, shares, strict=True):
        bars = map(Bar, edges[:-1].tolist(), labels, labels[1:], share.tolist(), count.tolist())
        charts.append(replace(axes, marker=float(values.mean()) if len(values) else None, bars=tuple(bars)))
    if differences:
        rows = [(Interval("", *told),) for told in differences]
        charts = [replace(chart, marker=0.0, rows=row) for chart, row in zip(charts, rows, strict=True)]
    return charts


def intervals(
    rows: Sequence[Interval],
    marker: float | None = None,
    *,
    width: float = 360,
    groups: Sequence[tuple[int, int]] = (),
) -> Chart:
    """Draw values with their intervals, one below the other.

    Args:
        rows: values with their intervals.
        marker: a value to compare them with.
        width: of the drawing.
        groups: of rows that cannot be told apart, the first and the last place of each, from 0.
    """
    low, high = _ends(*([*row[1:4], *row.thin] for row in rows), [] if marker is None else [marker])
    margin = (high - low) / 20
    right, bottom = width - 8 - _BRACKET * len(groups), 12 + 40 * len(rows)
    frame = Frame(width=width, height=40 + bottom, left=8, top=4, right=right, bottom=bottom)
    axes = Chart(frame, (low - margin, high + margin), (5 if width < _WIDE else 10, 0), marker=marker)
    return replace(axes, rows=tuple(rows), groups=tuple(groups))


def scatters(across: Sequence[Floats], up: Sequence[Floats], *, identity: bool) -> list[Chart]:
    """Draw points for each system, all on the same axes; with the line on which both are the same, of one unit.

    Args:
        across: of each system, shape (n,), NaN where undefined.
        up: likewise.
        identity: whether both have one unit.
    """
    known = [np.isfinite(xs) & np.isfinite(ys) for xs, ys in zip(across, up, strict=True)]
    pairs = [(xs[both], ys[both]) for xs, ys, both in zip(across, up, known, strict=True)]
    x_range, y_range = (_ends(*side) for side in zip(*pairs, strict=True))
    if identity:
        x_range = y_range = _ends(x_range, y_range)
    axes = Chart(SMALL, x_range, (5, 4), y_range, in_percent=False)
    diagonal = (Series([(end, end) for end in x_range], "guide"),) * identity
    dots = [Series(list(zip(xs.tolist(), ys.tolist(), strict=True)), "dots") for xs, ys in pairs]
    return [replace(axes, series=(one, *diagonal)) for one in dots]


def chart_of(
    *series: Series,
    x_range: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
    marker: float | None = None,
) -> Chart:
    """Draw series on axes that hold all of them, or on the given ones; a point without a place is left out."""
    shown = []
    for one in series:
        known = [place for place, point in enumerate(one.points) if np.isfinite(point).all()]
        spread = [one.spread[place] for place in known] if one.spread else ()
        shown.append(one._replace(points=[one.points[place] for place in known], spread=spread))
    points = [point for one in shown for point in one.points]
    ends = [end for one in shown for both in one.spread for end in both]
    x_range = x_range or _ends([x for x, _ in points])
    y_range = y_range or _ends([y for _, y in points], ends)
    return Chart(LARGE, x_range, (6, 5), y_range, in_percent=False, marker=marker, series=tuple(shown))


def by_length(estimates: Sequence[Floats], lengths: Sequence[Floats]) -> Chart | None:
    """Draw how the mean of each system's estimates goes with the length of its texts; None for few or equal lengths.

    Args:
        estimates: of each system, shape (n,), NaN where undefined.
        lengths: of its texts, shape (n,), which fall into five parts of about as many texts.
    """
    cuts = np.unique(np.quantile(np.concatenate(lengths), [0.2, 0.4, 0.6, 0.8]))
    found = []
    for values, own in zip(estimates, lengths, strict=True):
        parts = [(np.searchsorted(cuts, own) == part) & np.isfinite(values) for part in range(len(cuts) + 1)]
        found.append([(float(own[part].mean()), float(values[part].mean())) for part in parts if part.sum() >= _FEWEST])
    known = [point for line in found for point in line]
    if len({x for x, _ in known}) < 2:
        return None
    x_range, y_range = (_ends(side) for side in zip(*known, strict=True))
    return Chart(
        LARGE,
        x_range,
        (6, 5),
        y_range,
        in_percent=False,
        series=tuple(Series(line, place=place) for place, line in enumerate(found)),
    )


def lines(values: Floats, shares: Sequence[Floats], marker: float) -> Chart:
    """Draw shares that change with a value.

    Args:
        values: of the horizontal axis, ascending, shape (t,).
        shares: in [0, 1], one array of shape (t,) a line.
        marker: the value in use.
    """
    points = [list(zip(values.tolist(), line.tolist(), strict=True)) for line in shares]
    series = tuple(Series(line, place=place) for place, line in enumerate(points))
    return Chart(LARGE, (float(values[0]), float(values[-1])), (6, 5), marker=marker, series=series)
