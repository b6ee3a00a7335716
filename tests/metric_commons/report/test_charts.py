"""The charts' coordinates stand for the figures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from metric_commons.report.charts import histograms, lines, ticks

finite = st.floats(-1e6, 1e6, allow_nan=False)


@given(st.lists(st.lists(finite | st.just(float("nan")), min_size=1, max_size=40), min_size=1, max_size=4))
@example([[34.0, -5e-324]])
def test_bars_hold_every_defined_estimate(systems: list[list[float]]) -> None:
    charts = histograms([np.array(values) for values in systems])
    for values, chart in zip(systems, charts, strict=True):
        frame = chart.frame
        assert sum(bar.n_texts for bar in chart.bars) == np.isfinite(values).sum()
        assert sum(bar.share for bar in chart.bars) == pytest.approx(np.isfinite(values).mean())
        for bar in chart.bars:
            assert frame.left <= chart.x(bar.begin) <= frame.right
            assert frame.top <= chart.y(bar.share) <= frame.bottom
        if np.isfinite(values).any():
            assert chart.marker is not None
            assert frame.left <= chart.x(chart.marker) <= frame.right
        else:
            assert chart.marker is None


def test_heights_are_shares_of_all_candidates_on_one_scale() -> None:
    nan = float("nan")
    first, second = histograms([np.array([0.5, 0.5, 0.5, 0.5]), np.array([0.5, nan, nan, nan])])
    tall, low = (max(bar.share for bar in chart.bars) for chart in (first, second))
    assert low == tall / 4
    assert first.x_ticks == second.x_ticks
    assert first.y_ticks == second.y_ticks


@given(finite, st.floats(1e-6, 1e6), st.integers(2, 12))
def test_ticks_are_few_round_and_inside(low: float, span: float, parts: int) -> None:
    high = low + span
    found = ticks(low, high, parts)
    assert len(found) <= 2 * parts + 2
    tolerance = 1e-6 * max(abs(low), abs(high), span)
    for value, label in found:
        assert low - tolerance <= value <= high + tolerance
        assert float(label) == pytest.approx(value, abs=1e-9 + tolerance)


def test_lines_run_from_threshold_to_threshold() -> None:
    thresholds = np.array([0.0, 0.1, 0.2])
    chart = lines(thresholds, [np.array([0.0, 1.0, 0.5])], 0.1)
    frame = chart.frame
    middle = (frame.left + frame.right) / 2
    half = (frame.top + frame.bottom) / 2
    (line,) = chart.lines
    points = [(chart.x(value), chart.y(share)) for value, share in line]
    assert points == [(frame.left, frame.bottom), (middle, frame.top), (frame.right, half)]
    assert chart.x(0.1) == middle
