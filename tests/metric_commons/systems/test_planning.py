"""How many ratings an interval needs, against the width that it then has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_commons.systems.planning import _width, expected_shrinkage, ratings_needed


@given(st.floats(0.05, 2.0), st.floats(0.0, 0.95), st.integers(2, 3000), st.sampled_from([0.8, 0.9, 0.95]))
def test_the_number_is_the_least_that_is_enough(width: float, correlation: float, n_outputs: int, level: float) -> None:
    n = ratings_needed(width, 1.0, correlation=correlation, n_outputs=n_outputs, level=level)
    assert _width(n, 1.0, correlation, n_outputs, level) <= width or n == 3
    assert n == 3 or _width(n - 1, 1.0, correlation, n_outputs, level) > width


def test_estimates_save_ratings() -> None:
    alone = ratings_needed(0.4, 1.0, n_outputs=2000)
    helped = [ratings_needed(0.4, 1.0, correlation=r, n_outputs=2000) for r in (-0.5, 0.3, 0.5, 0.7)]
    assert helped[0] == alone
    assert alone > helped[1] > helped[2] > helped[3]


def test_shrinkage_ends_where_everything_is_rated() -> None:
    assert expected_shrinkage(0.7, 100, 100) == 0
    assert expected_shrinkage(0.5, 50, 330) == pytest.approx(0.11, abs=0.005)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"width": 0, "spread": 1.0, "n_outputs": 5}, "`width` to be above 0"),
        ({"width": 1, "spread": 1.0, "n_outputs": 5, "level": 1}, "`level` to be strictly"),
        ({"width": 1, "spread": -1.0, "n_outputs": 5}, "`spread`"),
        ({"width": 1, "spread": 1.0, "correlation": 2, "n_outputs": 5}, "`correlation`"),
    ],
)
def test_wrong_numbers_are_refused(arguments: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ratings_needed(**arguments)  # type: ignore[arg-type]
