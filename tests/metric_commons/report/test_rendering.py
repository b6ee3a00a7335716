"""The bar of an interval stays on the scale of the ratings, and there is none without an interval."""

import math

import pytest

from metric_commons.report.rendering import Span, environment, span

BAR = '{% from "interval.html.j2" import bar %}{{ bar(span(*values)) }}'


def test_an_interval_may_stick_out_of_the_scale():
    assert span(5.0, 2.0, 7.0, (1.0, 6.0)) == Span(start=20.0, end=100.0, at=80.0, lower=2.0, upper=7.0)
    assert span(0.0, -1.0, 0.5, (0.0, 1.0)) == Span(start=0.0, end=50.0, at=0.0, lower=-1.0, upper=0.5)


@pytest.mark.parametrize(
    "values",
    [
        (0.5, math.nan, math.nan, (0.0, 1.0)),
        (0.5, -math.inf, math.inf, (0.0, 1.0)),
        (0.5, 0.4, 0.6, (1.0, 1.0)),
    ],
)
def test_no_interval_no_bar(values):
    assert span(*values) is None
    page = environment().from_string(BAR).render(values=values)
    assert page.strip() == ""
