"""Misspellings: edits against a distance by dynamic programming."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from slor_metric.fluency.words import edits, is_misspelling

WORDS = st.text(alphabet="abc", min_size=1, max_size=5)


@given(WORDS, WORDS)
def test_edits_are_those_at_distance_one(word: str, other: str) -> None:
    distance = OSA.distance(word, other)
    found = other in set(edits(word, "abc"))
    assert found if distance == 1 else not found or distance == 0


def test_what_is_a_misspelling() -> None:
    frequent = frozenset({"receive", "because", "the", "government"})
    assert all(is_misspelling(word, frequent) for word in ("recieve", "becuase", "goverment", "becauze", "governmentt"))
    assert not any(is_misspelling(word, frequent) for word in ("teh", "zorbified", "c3p0", "b-cause", ""))
