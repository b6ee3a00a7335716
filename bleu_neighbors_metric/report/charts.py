"""The charts of a report, as the coordinates that its template draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Tick:
    """A mark on an axis: its place in the drawing and its label."""

    at: float
    label: str


@dataclass(frozen=True)
class Bar:
    """A bar of a histogram in the drawing's units, with what it stands for."""

    x: float
    y: float
    width: float
    height: float
    low: str
    high: str
    count: int


@dataclass(frozen=True)
class Frame:
    """A drawing's size and the rectangle that its axes span, in the units of its `viewBox`."""

    width: float
    height: float
    left: float
    top: float
    right: float
    bottom: float

    def x(self, share: float) -> float:
        """Return the horizontal place of a share of the axis in [0, 1]."""
        return round(self.left + share * (self.right - self.left), 2)

    def y(self, share: float) -> float:
        """Return the vertical place of a share of the axis in [0, 1]."""
        return round(self.bottom - share * (self.bottom - self.top), 2)


@dataclass(frozen=True)
class Histogram:
    """One system's estimates; `mean` is the place of their mean, None where there are none."""

    frame: Frame
    bars: tuple[Bar, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    mean: float | None


@dataclass(frozen=True)
class Lines:
    """Coverage of each system over thresholds: one SVG path a system, and the place of the threshold in use."""

    frame: Frame
    paths: tuple[str, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    marker: float


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
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [(round(i * step, 12), f"{i * step + 0.0:.{decimals}f}") for i in range(first, last + 1)]


def histograms(estimates: Sequence[NDArray[np.float64]], frame: Frame = SMALL) -> list[Histogram]:
    """Draw the estimates of each system, all on the same axes.

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
    # a value may lie beyond the outer edges by as much as they are rounded
    counts = [np.histogram(np.clip(values, edges[0], edges[-1]), edges)[0] for values in defined]
    tallest = max((c.max() / max(len(e), 1) for c, e in zip(counts, estimates, strict=True)), default=0.0) or 1.0
    start, span = float(edges[0]), float(edges[-1] - edges[0])
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    x_ticks = tuple(Tick(frame.x((value - start) / span), label) for value, label in ticks(start, start + span, 5))
    y_ticks = tuple(Tick(frame.y(value / tallest), _percent(value)) for value, _ in ticks(0.0, float(tallest), 3))
    charts = []
    for values, all_values, count in zip(defined, estimates, counts, strict=True):
        bars = tuple(
            Bar(
                x=frame.x((edges[i] - start) / span),
                y=frame.y(count[i] / len(all_values) / tallest),
                width=round((frame.right - frame.left) / (len(edges) - 1) - 1, 2),
                height=round(frame.bottom - frame.y(count[i] / len(all_values) / tallest), 2),
                low=f"{edges[i] + 0.0:.{decimals}f}",
                high=f"{edges[i + 1] + 0.0:.{decimals}f}",
                count=int(count[i]),
            )
            for i in np.flatnonzero(count)
        )
        mean = frame.x((float(values.mean()) - start) / span) if len(values) else None
        charts.append(Histogram(frame, bars, x_ticks, y_ticks, mean))
    return charts


def coverage_lines(thresholds: NDArray[np.float64], coverage: Sequence[NDArray[np.float64]], threshold: float) -> Lines:
    """Draw coverage against threshold.

    Args:
        thresholds: τ, ascending, shape (t,).
        coverage: of each system, shape (t,).
        threshold: the one in use.
    """
    frame = LARGE
    first, last = float(thresholds[0]), float(thresholds[-1])

    def place(value: float) -> float:
        return frame.x((value - first) / (last - first))

    paths = tuple(
        "M" + " L".join(f"{place(float(t))},{frame.y(float(c))}" for t, c in zip(thresholds, values, strict=True))
        for values in coverage
    )
    x_ticks = tuple(Tick(place(value), label) for value, label in ticks(first, last, 6))
    y_ticks = tuple(Tick(frame.y(value), _percent(value)) for value, _ in ticks(0.0, 1.0, 5))
    return Lines(frame, paths, x_ticks, y_ticks, place(threshold))


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%".replace(".0%", "%")
