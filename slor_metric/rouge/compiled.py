"""The compiled part of ROUGE: words of many texts at once, numbered."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metric_commons.support.compiled import compiled

#: A `bytes.translate` table: ASCII letters in lower case, digits and the bytes of characters beyond ASCII as
#: they are, anything else a space. Zero ends a text.
WORD_BYTES = bytes(
    code if code == 0 or code > 127 else ord(chr(code).lower()) if chr(code).isalnum() else ord(" ")
    for code in range(256)
)

_SPACE, _PRIME, _LONG = np.uint8(32), np.uint64(0x9E3779B97F4A7C15), np.uint64(1 << 63)


@compiled()
def _rehash(
    keys: NDArray[np.uint64], types: NDArray[np.uint32], bits: int
) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
    new_keys = np.zeros(1 << bits, dtype=np.uint64)
    new_types = np.zeros(1 << bits, dtype=np.uint32)
    for old in range(len(keys)):
        if keys[old] != 0:
            slot = (keys[old] * _PRIME) >> np.uint64(64 - bits)
            while new_keys[slot] != 0:
                slot = (slot + np.uint64(1)) & np.uint64((1 << bits) - 1)
            new_keys[slot], new_types[slot] = keys[old], types[old]
    return new_keys, new_types


@compiled()
def _number_until_full(
    text: NDArray[np.uint8],
    position: int,
    numbers: NDArray[np.uint32],
    n_numbers: int,
    keys: NDArray[np.uint64],
    types: NDArray[np.uint32],
    bits: int,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    n_types: int,
) -> tuple[int, int, int]:
    """Go on from `position` until the text ends or no type can be added."""
    shift, mask = np.uint64(64 - bits), np.uint64((1 << bits) - 1)
    while position < len(text) and n_types < len(starts):
        if text[position] == _SPACE:
            position += 1
            continue
        if text[position] == 0:
            numbers[n_numbers] = 0
            n_numbers += 1
            position += 1
            continue
        start = position
        key = np.uint64(0)
        while position < len(text) and text[position] != _SPACE and text[position] != 0:
            key = (key << np.uint64(8)) | np.uint64(text[position])
            position += 1
        # Up to seven bytes the key is the word itself. Longer words have a hash, with the highest bit set.
        is_long = position - start > 7
        if is_long:
            key = np.uint64(position - start)
            for offset in range(start, position):
                key = (key ^ np.uint64(text[offset])) * _PRIME
            key |= _LONG
        slot = (key * _PRIME) >> shift
        while keys[slot] != 0:
            if keys[slot] == key:
                if not is_long:
                    break
                first = starts[types[slot] - 1]
                if ends[types[slot] - 1] - first == position - start:
                    offset = 0
                    while offset < position - start and text[first + offset] == text[start + offset]:
                        offset += 1
                    if offset == position - start:
                        break
            slot = (slot + np.uint64(1)) & mask
        if keys[slot] == 0:
            starts[n_types], ends[n_types] = start, position
            n_types += 1
            keys[slot], types[slot] = key, n_types
        numbers[n_numbers] = types[slot]
        n_numbers += 1
    return position, n_numbers, n_types


@compiled()
def number_words(
    text: NDArray[np.uint8],
) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.int64]]:
    """Number the word types of texts that a zero byte separates, in the order of their first occurrence.

    Args:
        text: the texts' UTF-8 bytes translated by `WORD_BYTES`, shape (n bytes,).

    Returns:
        The number of each word from 1, with 0 for each end of a text, shape (n words + n ends,); where in
        `text` the first word of each type begins and ends, each of shape (n types,).
    """
    # words and ends take at least one byte, and words have something between them
    numbers = np.empty(len(text) + 1, dtype=np.uint32)
    bits, position, n_numbers, n_types = 14, 0, 0, 0
    keys = np.zeros(1 << bits, dtype=np.uint64)
    types = np.zeros(1 << bits, dtype=np.uint32)
    starts = np.empty(1 << (bits - 1), dtype=np.int64)
    ends = np.empty(1 << (bits - 1), dtype=np.int64)
    while position < len(text):
        position, n_numbers, n_types = _number_until_full(
            text, position, numbers, n_numbers, keys, types, bits, starts, ends, n_types
        )
        if n_types == len(starts):  # half of the slots are taken
            starts = np.concatenate((starts, np.empty(n_types, dtype=np.int64)))
            ends = np.concatenate((ends, np.empty(n_types, dtype=np.int64)))
            bits += 1
            keys, types = _rehash(keys, types, bits)
    return numbers[:n_numbers], starts[:n_types], ends[:n_types]
