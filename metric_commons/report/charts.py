"""Charts as the coordinates that the template `chart.html.j2` draws as SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

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


@dataclass(frozen=True)
class Chart:
    """A drawing on two axes.

    Attributes:
        frame: its size.
        x_range: the values at both ends of the horizontal axis.
        n_ticks: about how many marks both axes have.
        tallest: the share at the top of the vertical axis, which begins at 0.
        marker: the value at which a dashed line stands; None for none.
        bars: of a histogram, all of one width.
        lines: the points of each, as values and shares.
    """

    frame: Frame
    x_range: tuple[float, float]
    n_ticks: tuple[int, int]
    tallest: float = 1.0
    marker: float | None = None
    bars: tuple[Bar, ...] = ()
    lines: tuple[list[tuple[float, float]], ...] = ()

    def x(self, value: float) -> float:
        """Return the horizontal place of a value."""
        low, high = self.x_range
        return round(self.frame.left + (value - low) / (high - low) * (self.frame.right - self.frame.left), 2)

    def y(self, share: float) -> float:
        """Return the vertical place of a share."""
        return round(self.frame.bottom - share / self.tallest * (self.frame.bottom - self.frame.top), 2)

    @property
    def x_ticks(self) -> list[tuple[float, str]]:
        """The marks on the horizontal axis: values with their labels."""
        return ticks(*self.x_range, self.n_ticks[0])

    @property
    def y_ticks(self) -> list[tuple[float, str]]:
        """The marks on the vertical axis: shares with their labels in percent."""
        shares = (share for share, _ in ticks(0.0, self.tallest, self.n_ticks[1]))
        return [(share, f"{100 * share:.1f}%".replace(".0%", "%")) for share in shares]


SMALL = Frame(width=360, height=200, left=44, top=12, right=350, bottom=156)
LARGE = Frame(width=420, height=290, left=52, top=12, right=408, bottom=242)
_BINS = 24


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


def histograms(estimates: Sequence[Floats], frame: Frame = SMALL) -> list[Chart]:
    """Draw the estimates of each system, all on the same axes, with their mean as the marker.

    Args:
        estimates: of each system, shape (n,), NaN where undefined; a bar's height is a share of all n.
        frame: the size of each drawing.
    """
    defined = [values[~np.isnan(values)] for values in estimates]
    everything = np.concatenate(defined)
    low, high = (float(everything.min()), float(everything.max())) if len(everything) else (0.0, 1.0)
    if high - low < 1e-9 * max(1.0, abs(high)):  # all equal: one bar in the middle
        margin = max(abs(high), 1.0) / 20
        low, high = low - margin, high + margin
    step = nice_step(high - low, _BINS)
    edges = np.arange(math.floor(low / step), math.ceil(high / step + 1e-9) + 1) * step
    labels = [f"{edge + 0.0:.{_decimals(step)}f}" for edge in edges]
    # a value may lie beyond the outer edges by as much as they are rounded
    counts = [np.histogram(np.clip(values, edges[0], edges[-1]), edges)[0] for values in defined]
    shares = [count / max(len(values), 1) for count, values in zip(counts, estimates, strict=True)]
    tallest = float(max((share.max() for share in shares), default=0.0)) or 1.0
    axes = Chart(frame, (float(edges[0]), float(edges[-1])), (5, 3), tallest)
    charts = []
    for values, count, share in zip(defined, counts, shares, strict=True):
        bars = map(Bar, edges[:-1].tolist(), labels, labels[1:], share.tolist(), count.tolist())
        charts.append(replace(axes, marker=float(values.mean()) if len(values) else None, bars=tuple(bars)))
    return charts


def lines(values: Floats, shares: Sequence[Floats], marker: float) -> Chart:
    """Draw shares that change with a value.

    Args:
        values: of the horizontal axis, ascending, shape (t,).
        shares: in [0, 1], one array of shape (t,) a line.
        marker: the value in use.
    """
    points = tuple(list(zip(values.tolist(), line.tolist(), strict=True)) for line in shares)
    return Chart(LARGE, (float(values[0]), float(values[-1])), (6, 5), marker=marker, lines=points)
