"""Shared n-grams, against the kernel that scores and a second way to find them."""

import math
from itertools import pairwise

import pytest
from example_fits import CANDIDATES, POOL, fit
from hypothesis import given
from hypothesis import strategies as st

from bleu_neighbors_metric.explain import highlight, overlap

TEXTS = st.text("ab c", max_size=14)


def similarity(candidate, other, tokenizer, clip):
    """Return BLEU* (Eq. 2) from the counts that the page shows."""
    counts = overlap(candidate, other, tokenizer=tokenizer, orders=(2, 3, 4), clip=clip)
    if 0 in counts.shared:
        return 0.0
    shares = [shared / possible for shared, possible in zip(counts.shared, counts.possible, strict=True)]
    return counts.brevity_penalty * math.prod(shares) ** (1 / 3)


@pytest.mark.parametrize("clip", [True, False])
@pytest.mark.parametrize("tokenizer", ["char", "char-nospace", "13a"])
def test_the_counts_shown_make_the_similarity_shown(tokenizer, clip):
    metric = fit(tokenize=tokenizer, clip=clip)
    n_compared = 0
    for candidate in [*CANDIDATES, POOL.texts[3] + " of course"]:
        for neighbor in metric.kneighbors(candidate, 96):
            found = similarity(candidate, neighbor.text, tokenizer, clip)
            assert found == pytest.approx(neighbor.similarity, abs=1e-9)
            n_compared += found > 0
    assert n_compared > (400 if tokenizer != "13a" else 5)


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


def test_nothing_to_compare():
    assert overlap("", "a", tokenizer="char", orders=(2,)).possible == (0,)
