"""The bar of an interval stays on the scale of the ratings, and there is none without an interval."""

import math

import pytest

from referenceless_metrics.pages.rendering import environment, span

BAR = '{% from "interval.html.j2" import bar %}{{ bar(span(*values)) }}'


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
