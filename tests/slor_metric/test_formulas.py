"""Equations 1 to 4 against worked numbers and against each other."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from refusals import refused

from slor_metric.formulas import nce, perplexity, sum_by_text


def test_a_text_without_probability_has_infinite_perplexity():
    assert perplexity([-math.inf, -1e6], [3, 2]).tolist() == [math.inf, math.inf]


def test_refuses_unequal_lengths():
    with refused("one length for each"):
        nce([1.0, 2.0], [1])


@given(st.lists(st.lists(st.floats(-20, 0), max_size=6), max_size=12))
def test_sums_of_texts(texts):
    offsets = np.cumsum([0, *map(len, texts)])
    values = [value for text in texts for value in text]
    assert_allclose(sum_by_text(values, offsets), [math.fsum(t) for t in texts], atol=1e-9)
