"""Best of n, with any metric of the protocol."""

import math
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st
from refusals import refusals
from toy_metrics import Given, Lengths, Matches

from referenceless_metrics import rerank

value = st.one_of(st.sampled_from([math.nan, -math.inf, math.inf, 0.0, -0.0, 1.0]), st.floats())


class Counting(Lengths):
    """Remembers which texts it was given."""

    def predict(self, texts, *, references=None, sources=None):
        self.seen = list(texts)
        return super().predict(self.seen)


@given(st.lists(st.lists(value, min_size=1, max_size=6), max_size=5))
def test_the_best_comes_first_of_equals_the_first_and_none_last(lists):
    found = rerank([[*map(str, own)] for own in lists], Given())
    orders = [sorted(range(len(own)), key=lambda i, own=own: (math.isnan(own[i]), -own[i])) for own in lists]
    begins = accumulate(map(len, lists), initial=0)
    assert found.order.tolist() == [begin + i for begin, order in zip(begins, orders, strict=False) for i in order]
    assert found.texts == [str(own[order[0]]) for own, order in zip(lists, orders, strict=True)]


def test_equal_values_keep_their_order_and_equal_texts_are_scored_once():
    metric = Counting()
    found = rerank([["bb", "aa", "a", "bb"], ["a", "cc", "bb"]], metric)
    assert metric.seen == ["bb", "aa", "a", "cc"]
    assert (found.texts, found.indices.tolist()) == (["bb", "cc"], [0, 1])
    assert found.n_best(3) == [[0, 1, 2], [1, 2, 0]]
    assert found.n_best(1) == [[0], [1]]
    assert found.scores.columns["n_characters"].tolist() == [2, 2, 1, 2, 1, 2, 2]


def test_sources_and_references_are_those_of_the_input():
    lists = [["a", "b"], ["a", "b"]]
    by_source = rerank(lists, Matches(references=False, sources=True), sources=["a", "b"], references=["b", "a"])
    assert by_source.texts == ["a", "b"]
    assert rerank(lists, Matches(), references=[["b"], "a"]).texts == ["b", "a"]


test_references_that_do_not_fit = refusals(
    lambda references: rerank([["a", "b"]] * 2, Matches(), references=references),
    [
        (None, "`references`, without which there is no matches, but got None"),
        (["a"], "`references` to have one entry for each of 2 inputs, but got 1"),
        ("ab", "`references` to have one entry for each of 2 inputs"),
    ],
)


def test_no_lists_and_one_candidate():
    nothing, one = rerank([], Lengths()), rerank([["only"]], Lengths())
    assert (len(nothing), nothing.texts, one.texts) == (0, [], ["only"])
    assert "coverage=1" in repr(one)


test_what_is_no_list_of_candidates_is_named = refusals(
    lambda lists: rerank(lists, Lengths()),
    [
        (["a text"], r"`candidates_per_input\[0\]` to be a list of strings, but got a bare str", TypeError),
        ("a text", "to be a list of lists of strings, but got str", TypeError),
        ([["a"], []], r"`candidates_per_input\[1\]` to hold at least one text, but it is empty"),
    ],
)
