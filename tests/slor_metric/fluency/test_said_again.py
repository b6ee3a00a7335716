"""Sentences that a text says again cost, and its note tells; sentences that differ in a word that counts do not."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from slor_metric.fluency.metric import FluencyNgram
from slor_metric.fluency.said_again import COST_OF_SAYING_AGAIN, SAID_AGAIN, said_again


@pytest.fixture(scope="module")
def metric():
    return FluencyNgram()


@pytest.mark.parametrize(
    "sentences, again",
    [
        (["I am happy to help.", "I am happy to help.", "I'm happy to help!"], [False, True, True]),
        (["He likes her.", "She likes him."], [False, False]),
        (["Step 1 is done.", "Step 2 is done."], [False, False]),
        (["Add a cup of milk.", "Add a cup of flour."], [False, False]),
        (["The old man walked slowly down to the quiet river bank today."] * 2, [False, True]),
        (
            [
                "The old man walked slowly down to the quiet river bank today.",
                "The old man walked slowly down to the quiet river bank yesterday.",
            ],
            [False, True],
        ),
        (["?", "?"], [False, False]),
        ([], []),
    ],
)
def test_which_sentences_are_said_again(sentences, again):
    assert said_again(sentences) == again


def compared_with_all(sentences):
    """The twin: each sentence of known words beside all before it."""

    def says_the_same(words, other):
        if words == other:
            return bool(words)
        differing = sum(a != b for a, b in zip(words, other, strict=False))
        return len(words) == len(other) >= 8 and differing == 1

    split = [sentence.split() for sentence in sentences]
    return [any(says_the_same(words, other) for other in split[:i]) for i, words in enumerate(split)]


@given(st.lists(st.lists(st.sampled_from(["cat", "dog"]), max_size=10).map(" ".join), max_size=12))
@example([f"cat cat cat cat {end}" for end in ("cat cat dog dog", "cat dog cat dog", "dog dog cat dog")])
def test_as_each_beside_all_before_it(sentences):
    assert said_again(sentences) == compared_with_all(sentences)


def test_each_costs_and_the_note_tells(metric):
    once = "The mayor opened the new bridge on Sunday."
    result = metric.predict([once, f"{once} {once}", f"{once} The committee will publish its report next month."])
    assert result.values[1] == pytest.approx(result.values[0] - COST_OF_SAYING_AGAIN / 2)
    assert result.note.tolist() == ["", SAID_AGAIN, ""]
    found = metric.contributions([f"{once} {once}"])[0]
    assert found.score == pytest.approx(result.values[1])


def test_the_share_of_poor_sentences(metric):
    good, bad = "The mayor opened the new bridge on Sunday.", "Mat the on sat cat the."
    result = metric.predict([f"{good} {bad}\n\n{good}", good, "", bad])
    np.testing.assert_array_equal(result.poor_share, [1 / 3, 0, np.nan, 1])
