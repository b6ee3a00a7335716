"""Shared n-grams, against a second way to find them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_neighbors_metric.explain import highlight

TEXTS = st.text("ab c", max_size=14)


@given(TEXTS, st.lists(TEXTS, max_size=3), st.integers(1, 4))
def test_marked_characters_are_those_inside_a_shared_stretch(text, others, order):
    pieces = highlight(text, others, tokenizer="char", order=order)
    assert "".join(piece.text for piece in pieces) == text
    marked = [piece.shared for piece in pieces for _ in piece.text]
    for place in range(len(text)):
        around = range(max(0, place - order + 1), min(place, len(text) - order) + 1)
        expected = any(text[start : start + order] in other for start in around for other in others)
        assert marked[place] == expected
    assert all(a.shared != b.shared for a, b in pairwise(pieces))


@pytest.mark.parametrize(
    "text, others, expected",
    [
        ("a b c d", ["a b", "c d"], "<a b> <c d>"),  # the space between two n-grams that only touch is not marked
        ("say &quot;hello there&quot; now", ["hello there"], 'say " <hello there> " now'),  # tokens, where rewritten
        ("", ["a"], ""),
    ],
)
def test_what_is_marked(text, others, expected):
    pieces = highlight(text, others, tokenizer="13a", order=2)
    assert "".join(f"<{piece.text}>" if piece.shared else piece.text for piece in pieces) == expected
