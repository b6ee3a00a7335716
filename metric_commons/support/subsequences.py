"""Longest common subsequences of tokens, as RapidFuzz finds them: 64 tokens to a machine word (Hyyrö 2004).

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


def as_characters(tokens: NDArray[np.int64], begins: NDArray[np.int64], n_types: int) -> list[str]:
    """Write each text as a string of one character a token.

    Args:
        tokens: the token types of all texts, flat, each in [-1, n_types); -1 for one that is not known.
        begins: where each text begins, shape (n texts + 1,).
        n_types: the number of known token types.

    Returns:
        A string for each text; an unknown token is U+0000, which no known one is.
    """
    characters: str = code_points(n_types)[tokens + 1].tobytes().decode("utf-32-le")
    return [characters[begin:end] for begin, end in zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True)]


def lcs_lengths_of_pairs(first: Sequence[str], second: Sequence[str]) -> NDArray[np.int64]:
    """Return the length of the longest common subsequence of each pair of texts, shape (n pairs,)."""
    from rapidfuzz import process
    from rapidfuzz.distance import LCSseq

    lengths: NDArray[np.int64] = process.cpdist(first, second, scorer=LCSseq.similarity, dtype=np.int64)
    return lengths


def lcs_lengths(first: Sequence[str], second: Sequence[str]) -> NDArray[np.int32]:
    """Return the length of the longest common subsequence of all pairs of texts, shape (n first, n second)."""
    from rapidfuzz import process
    from rapidfuzz.distance import LCSseq

    lengths: NDArray[np.int32] = process.cdist(first, second, scorer=LCSseq.similarity, dtype=np.int32)
    return lengths
