"""Lists as flat arrays: the order of candidates, and which are equal."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusals

from referenceless_metrics.selection.mbr import best_first, check_lists

value = st.one_of(st.sampled_from([math.nan, -math.inf, math.inf, 0.0, -0.0, 1.0]), st.floats())


@given(st.lists(st.lists(value, min_size=1, max_size=6), min_size=1, max_size=5))
def test_the_best_comes_first_of_equals_the_first_and_none_last(lists):
    flat = np.array([value for own in lists for value in own])
    of = np.repeat(np.arange(len(lists)), list(map(len, lists)))
    expected, begin = [], 0
    for own in lists:
        scored = [i for i, value in enumerate(own) if not math.isnan(value)]
        order = sorted(scored, key=lambda i, own=own: -own[i])  # a stable sort
        order += [i for i, value in enumerate(own) if math.isnan(value)]
        expected += [begin + i for i in order]
        begin += len(own)
    assert best_first(flat, of).tolist() == expected


test_what_is_no_list_of_candidates_is_named = refusals(
    check_lists,
    [
        (["a text"], r"`candidates_per_input\[0\]` to be a list of strings, but got a bare str", TypeError),
        ("a text", "to be a list of lists of strings, but got str", TypeError),
        ([["a"], []], r"`candidates_per_input\[1\]` to hold at least one text, but it is empty"),
    ],
)
