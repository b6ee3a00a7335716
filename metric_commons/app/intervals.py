"""An estimate with the interval of a rating, as a bar on the scale of the ratings."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Span:
    """An estimate with the interval of a rating, as places from 0 to 100 on the scale of the ratings."""

    start: float
    end: float
    at: float
    lower: float
    upper: float


def span(estimate: float, lower: float, upper: float, scale: tuple[float, float]) -> Span | None:
    """Draw an interval on a scale, from which it may stick out; None where there is no interval.

    >>> span(0.5, 0.25, 1.5, (0.0, 1.0))
    Span(start=25.0, end=100.0, at=50.0, lower=0.25, upper=1.5)
    """
    low, high = scale
    if not math.isfinite(lower + upper) or not high > low:
        return None
    start, end, at = (round(min(100.0, max(0.0, 100 * (v - low) / (high - low))), 2) for v in (lower, upper, estimate))
    return Span(start, end, at, lower, upper)
