"""Longest common subsequences of pairs of texts, as RapidFuzz finds them: 64 tokens to a machine word (Hyyrö 2004).

RapidFuzz compares strings fastest, so a text is written as a string of one character a token.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# Unicode has 1,114,112 code points, of which 2,048 are surrogates.
_MAX_TOKEN_TYPES = 0x110000 - 0x800


def code_points(n_types: int) -> NDArray[np.uint32]:
    """Return a code point for no token (0) and for each of `n_types` token types, shape (n_types + 1,).

    Raises:
        ValueError: for more token types than Unicode has characters.
    """
    if n_types >= _MAX_TOKEN_TYPES:
        raise ValueError(f"Expected fewer than {_MAX_TOKEN_TYPES:,} different tokens, but got {n_types:,}")
    numbers = np.arange(n_types + 1, dtype="<u4")
    # those from U+D800 to U+DFFF are surrogates, not characters
    numbers[0xD800:] += 0x800
    return numbers


def lcs_lengths_of_pairs(first: Sequence[str], second: Sequence[str]) -> NDArray[np.int64]:
    """Return the length of the longest common subsequence of each pair of texts, shape (n pairs,)."""
    from rapidfuzz import process
    from rapidfuzz.distance import LCSseq

    lengths: NDArray[np.int64] = process.cpdist(first, second, scorer=LCSseq.similarity, dtype=np.int64)
    return lengths
