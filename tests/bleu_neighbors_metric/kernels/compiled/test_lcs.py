"""Longest common subsequences of all pairs against the textbook's table."""

from itertools import chain

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels_reference import lcs_length

from bleu_neighbors_metric.kernels.compiled.lcs import lcs_lengths

N_TYPES = 4


def texts(least: int) -> st.SearchStrategy[list[list[int]]]:
    return st.lists(st.lists(st.integers(least, N_TYPES - 1), max_size=150), min_size=1, max_size=4)


def flat(encoded: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    begins = np.concatenate(([0], np.cumsum([len(text) for text in encoded])))
    return np.array(list(chain.from_iterable(encoded)), dtype=np.int64), begins


@settings(max_examples=100, deadline=None)
@given(texts(-1), texts(0))
def test_lengths_are_the_tables(candidates: list[list[int]], pool: list[list[int]]) -> None:
    """Texts longer than one machine word of 64 tokens, with carries between words, are among these."""
    found = np.full((len(candidates), len(pool)), -1, dtype=np.int32)
    lcs_lengths(*flat(candidates), *flat(pool), N_TYPES, found)
    np.testing.assert_array_equal(found, [[lcs_length(x, s) for s in pool] for x in candidates])
