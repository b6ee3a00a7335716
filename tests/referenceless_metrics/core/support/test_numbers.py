"""Exponentials, logarithms and roots beside decimal arithmetic of 60 digits: at most one unit in the last place off."""

import math
from decimal import Decimal, localcontext

import elementary
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st


def units_off(found, exact):
    """Return the number of units in the last place of the exact number that lie between."""
    return abs(Decimal(found) - exact) / Decimal(math.ulp(float(exact)))


@given(st.floats(-745.0, 709.7))
def test_exponentials(x):
    with localcontext(prec=60):
        assert units_off(elementary.exp(x), Decimal(x).exp()) <= 1


@given(st.floats(0, exclude_min=True, allow_infinity=False))
def test_logarithms(x):
    with localcontext(prec=60):
        assert units_off(elementary.log(x), Decimal(x).ln()) <= 1


@given(st.floats(1e-100, 1e100), st.integers(1, 6))
def test_roots(x, degree):
    with localcontext(prec=60):
        assert units_off(elementary.root(x, degree), Decimal(x) ** (1 / Decimal(degree))) <= 1


@pytest.mark.parametrize(
    "function, x, expected",
    [
        (elementary.exp, 0, 1),
        (elementary.exp, -math.inf, 0),
        (elementary.exp, 710, math.inf),
        (elementary.exp, math.nan, math.nan),
        (elementary.log, 1, 0),
        (elementary.log, 0, -math.inf),
        (elementary.log, math.inf, math.inf),
        (elementary.log, -1, math.nan),
    ],
)
def test_edges(function, x, expected):
    assert np.array_equal(function(x), expected, equal_nan=True)


def test_roots_of_powers_are_exact():
    for degree in (1, 2, 3, 4):
        assert [elementary.root(n**degree, degree) for n in (0, 1, 2, 7)] == [0, 1, 2, 7]
