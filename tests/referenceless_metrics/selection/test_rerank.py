"""Best of n, with any metric of the protocol."""

from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refusals
from small_metrics import CANDIDATES, FITTED, FLUENCY, POOL
from toy_metrics import Lengths, Matches

from referenceless_metrics import rerank

lists_of_words = st.lists(st.lists(st.sampled_from([*POOL, *CANDIDATES]), min_size=1, max_size=5), max_size=4)


class Counting(Lengths):
    """Remembers which texts it was given."""

    def predict(self, texts, *, references=None, sources=None):
        self.seen = list(texts)
        return super().predict(self.seen)


@given(lists_of_words)
@settings(max_examples=40)
def test_the_choice_is_that_of_a_loop(lists):
    for metric in (FITTED, FLUENCY, Lengths(strict=True)):
        expected = []
        for own in lists:
            values = metric.predict(own).values
            scored = [i for i in range(len(own)) if values[i] == values[i]]
            expected.append(max(scored, key=lambda i, values=values: (values[i], -i)) if scored else 0)
        found = rerank(lists, metric)
        assert found.indices.tolist() == expected
        assert found.texts == [own[i] for own, i in zip(lists, expected, strict=True)]


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
