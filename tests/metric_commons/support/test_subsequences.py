"""Longest common subsequences against the textbook's table."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels_reference import lcs_length

from metric_commons.support.subsequences import as_characters, code_points, lcs_lengths, lcs_lengths_of_pairs

TEXTS = st.lists(st.lists(st.integers(-1, 3), max_size=150), min_size=1, max_size=4)


def encode(texts: list[list[int]], n_types: int) -> list[str]:
    begins = np.concatenate(([0], np.cumsum([len(text) for text in texts])))
    return as_characters(np.array(list(chain.from_iterable(texts)), dtype=np.int64), begins, n_types)


@settings(max_examples=100, deadline=None)
@given(TEXTS, TEXTS)
def test_lengths_are_the_tables(first: list[list[int]], second: list[list[int]]) -> None:
    """Texts longer than one machine word of 64 tokens, with carries between words, are among these."""
    expected = [[lcs_length(x, s) for s in second] for x in first]
    np.testing.assert_array_equal(lcs_lengths(encode(first, 4), encode(second, 4)), expected)
    pairs = [(x, s) for x in first for s in second]
    of_pairs = lcs_lengths_of_pairs(encode([x for x, _ in pairs], 4), encode([s for _, s in pairs], 4))
    np.testing.assert_array_equal(of_pairs, np.ravel(expected))


def test_types_pass_over_the_surrogates() -> None:
    tokens = np.arange(-1, 70_000)
    (text,) = as_characters(tokens, np.array([0, len(tokens)]), 70_000)
    assert len(set(text)) == 70_001
    assert not any(0xD800 <= ord(character) < 0xE000 for character in text)


def test_more_types_than_unicode_has_characters() -> None:
    with pytest.raises(ValueError, match=r"1,112,064 different tokens, but got 2,000,000"):
        code_points(2_000_000)
