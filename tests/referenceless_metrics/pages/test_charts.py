"""The charts' coordinates stand for the figures."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referenceless_metrics.pages.charts import Interval, by_length, histograms, intervals, lines, scatters, ticks

finite = st.floats(-1e6, 1e6, allow_nan=False)


@given(st.lists(st.lists(finite | st.just(float("nan")), min_size=1, max_size=40), min_size=1, max_size=4))
@example([[34.0, -5e-324]])
def test_bars_are_shares_of_all_candidates_on_one_scale(systems):
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
        assert (chart.x_ticks, chart.y_ticks) == (charts[0].x_ticks, charts[0].y_ticks)


@given(finite, st.floats(1e-6, 1e6), st.integers(2, 12))
def test_ticks_are_few_round_and_inside(low, span, parts):
    high = low + span
    found = ticks(low, high, parts)
    assert len(found) <= 2 * parts + 2
    tolerance = 1e-6 * max(abs(low), abs(high), span)
    for value, label in found:
        assert low - tolerance <= value <= high + tolerance
        assert float(label.replace("−", "-")) == pytest.approx(value, abs=1e-9 + tolerance)


def test_lines_run_from_threshold_to_threshold():
    thresholds = np.array([0.0, 0.1, 0.2])
    chart = lines(thresholds, [np.array([0.0, 1.0, 0.5])], 0.1)
    frame = chart.frame
    middle = (frame.left + frame.right) / 2
    half = (frame.top + frame.bottom) / 2
    (line,) = chart.series
    points = [(chart.x(value), chart.y(share)) for value, share in line.points]
    assert points == [(frame.left, frame.bottom), (middle, frame.top), (frame.right, half)]
    assert chart.x(0.1) == middle


def test_differences_are_drawn_around_zero_with_their_interval():
    (chart,) = histograms([np.array([1.0, 2.0, 3.0])], differences=[(2.0, 1.5, 2.5)])
    assert (chart.marker, chart.x_range[0] <= 0.0, chart.rows) == (0.0, True, (Interval("", 2.0, 1.5, 2.5),))
    chart = intervals([Interval("a", 1.0, 0.0, 3.0), Interval("b", 2.0, np.nan, np.nan)], -1.0)
    drawn = [chart.x(value) for value in (-1.0, 0.0, 1.0, 2.0, 3.0)]
    assert chart.frame.left < drawn[0] < drawn[1] < drawn[2] < drawn[3] < drawn[-1] < chart.frame.right


def test_a_label_is_broken_where_the_drawing_ends_and_the_drawing_grows_with_it():
    chart = intervals([Interval("a", 1.0, 0.0, 2.0)])
    short, long = "95% intervals", "intervals at Holm's level of 2 comparisons; dashed: no difference; filled: shown"
    [(at, line)] = chart.label_lines(short)
    assert (at, line, chart.height(short)) == (chart.frame.height - 3, short, chart.frame.height)
    places, parts = zip(*chart.label_lines(long), strict=True)
    assert parts == ("intervals at Holm's level of 2 comparisons;", "dashed: no difference; filled: shown")
    assert chart.height(long) - chart.frame.height == places[1] - places[0] > 0
    assert " ".join(line for _, line in chart.label_lines("word " * 40)) == ("word " * 40).strip()


def test_points_of_all_systems_share_axes_and_the_identity_line_is_straight():
    nan = float("nan")
    first, second = scatters([np.array([1.0, 2.0]), np.array([nan, 4.0])], [np.array([0.0, nan]), np.array([1, 3])])
    assert [chart.series[0].points for chart in (first, second)] == [[(1.0, 0.0)], [(4.0, 3.0)]]
    assert first.x_range == second.x_range == (1.0, 4.0)
    assert first.y_range == second.y_range == (0.0, 3.0)
    assert first.series[1].points == [(1.0, 1.0), (3.0, 3.0)]
    x = np.arange(25.0)
    (chart,) = scatters([x], [2 * x], identity=False)
    assert [series.points for series in chart.series[1:]] == [[(m, 2 * m) for m in (2.0, 7.0, 12.0, 17.0, 22.0)]]


def test_medians_of_estimates_of_few_values_are_those_of_each_value():
    steps = np.repeat([1.0, 2.0, 5.0], 10)
    (chart,) = scatters([steps], [steps + 1], identity=False)
    assert chart.series[1].name == "median rating of a value"
    assert chart.series[1].points == [(1.0, 2.0), (2.0, 3.0), (5.0, 6.0)]


def test_means_by_length_are_of_parts_with_enough_texts():
    lengths = np.arange(1.0, 101)
    chart = by_length(["a", "b"], [2 * lengths, np.full(100, np.nan)], [lengths, lengths])
    assert chart is not None
    first, second = (line.points for line in chart.series)
    assert first == [(x, 2 * x) for x in (10.5, 30.5, 50.5, 70.5, 90.5)]
    assert second == []
    assert by_length(["a"], [lengths], [np.ones(100)]) is None
