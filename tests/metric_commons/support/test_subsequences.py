"""Longest common subsequences against the textbook's table."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels_reference import lcs_length

from metric_commons.support.subsequences import code_points, lcs_lengths_of_pairs

TEXTS = st.lists(st.text("abcd", max_size=150), min_size=1, max_size=4)


@settings(max_examples=100, deadline=None)
@given(TEXTS, TEXTS)
def test_lengths_are_the_tables(first: list[str], second: list[str]) -> None:
    """Texts longer than one machine word of 64 tokens, with carries between words, are among these."""
    pairs = [(x, s) for x in first for s in second]
    of_pairs = lcs_lengths_of_pairs([x for x, _ in pairs], [s for _, s in pairs])
    np.testing.assert_array_equal(of_pairs, [lcs_length(x, s) for x, s in pairs])


def test_types_pass_over_the_surrogates() -> None:
    text = code_points(70_000).tobytes().decode("utf-32-le")
    assert len(set(text)) == 70_001
    assert not any(0xD800 <= ord(character) < 0xE000 for character in text)


def test_more_types_than_unicode_has_characters() -> None:
    with pytest.raises(ValueError, match=r"1,112,064 different tokens, but got 2,000,000"):
        code_points(2_000_000)
