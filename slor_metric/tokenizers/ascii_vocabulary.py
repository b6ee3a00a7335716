"""A vocabulary's ASCII tokens in tables that compiled code looks up: whole tokens hashed, pieces in a tree of bytes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metric_commons.support.compiled import compiled

#: How text is cut, by the name of the tokeniser.
MODES = {"whitespace": 0, "words": 1, "wordpiece": 2}
_MIX = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_MIX_AGAIN = np.uint64(0xD6E8FEB86659FD93)
NONE = np.uint64(0xFFFFFFFFFFFFFFFF)
SHORT = 16  # bytes of a token that the table of whole tokens holds


class AsciiVocabulary(NamedTuple):
    """A vocabulary's ASCII tokens: short ones in a hash table of whole tokens, pieces and long ones in a tree of bytes.

    Attributes:
        short: tokens of at most 16 bytes, shape (slots, 3), uint64: the bytes in two words, then the id; an empty slot
            has the id `NONE`. The number of slots is a power of two.
        edges: shape (slots, 2), int32: ``state << 8 | byte`` (−1: empty) and the state that it leads to; likewise.
        ids: the id of the token that ends in each state, shape (states,), int32; −1 for none.
        mode: see `MODES`.
    """

    short: NDArray[np.uint64]
    edges: NDArray[np.int32]
    ids: NDArray[np.int32]
    mode: int


def index_vocabulary(vocabulary: Mapping[str, int], mode: str, continuation: str = "##") -> AsciiVocabulary:
    """Return the index of a vocabulary; what is not ASCII is left out.

    Args:
        vocabulary: tokens with their ids, which are not negative.
        mode: one of `MODES`. With ``"wordpiece"``, tokens with the prefix `continuation` continue a word.
        continuation: that prefix.
    """
    pieces = mode == "wordpiece"
    states: dict[int, int] = {}
    ids = [-1, -1]
    whole: list[bytes] = []
    whole_ids: list[int] = []
    for token, index in vocabulary.items():
        if not token.isascii():
            continue
        text, state = token.encode("ascii"), 0
        if pieces and token.startswith(continuation):
            text, state = text[len(continuation) :], 1
        elif len(text) <= SHORT and 0 not in text:
            whole.append(text)
            whole_ids.append(index)
            if not pieces:
                continue
        for byte in text:
            key = state << 8 | byte
            state = states.setdefault(key, len(ids))
            if state == len(ids):
                ids.append(-1)
        ids[state] = index
    edges = np.full((_slots(len(states)), 2), -1, dtype=np.int32)
    _fill_edges(edges, np.array(list(states.items()), dtype=np.int32).reshape(-1, 2))
    short = np.full((_slots(len(whole)), 3), NONE, dtype=np.uint64)
    keys = np.array(whole, dtype=f"S{SHORT}").view("<u8").reshape(-1, 2).astype(np.uint64)
    _fill_short(short, keys, np.array(whole_ids, dtype=np.uint64))
    return AsciiVocabulary(short, edges, np.array(ids, dtype=np.int32), MODES[mode])


def _slots(entries: int) -> int:
    return 1 << max(4, (2 * entries).bit_length())


@compiled(inline="always")
def edge_slot(key: int, mask: int) -> Any:
    """The slot of the table of edges at which a key's search begins."""
    return np.int64((np.uint64(key) * _MIX) >> _HALF) & mask


@compiled(inline="always")
def short_slot(first: int, second: int, mask: int) -> Any:
    """The slot of the table of whole tokens at which the search of a token's two words begins."""
    mixed = (first ^ (second * _MIX_AGAIN)) * _MIX
    return np.int64((mixed ^ (mixed >> _HALF)) * _MIX_AGAIN >> _HALF) & mask


@compiled()
def _fill_edges(edges: NDArray[np.int32], pairs: NDArray[np.int32]) -> None:
    mask = len(edges) - 1
    for i in range(len(pairs)):
        slot = edge_slot(np.int64(pairs[i, 0]), mask)
        while edges[slot, 0] != -1:
            slot = (slot + 1) & mask
        edges[slot, 0], edges[slot, 1] = pairs[i, 0], pairs[i, 1]


@compiled()
def _fill_short(short: NDArray[np.uint64], keys: NDArray[np.uint64], ids: NDArray[np.uint64]) -> None:
    mask = len(short) - 1
    for i in range(len(keys)):
        slot = short_slot(keys[i, 0], keys[i, 1], mask)
        while short[slot, 2] != NONE:
            slot = (slot + 1) & mask
        short[slot, 0], short[slot, 1], short[slot, 2] = keys[i, 0], keys[i, 1], ids[i]
