"""The compiled part of ROUGE: words of many texts at once, numbered."""

from __future__ import annotations

from typing import Any

import numpy as np

from metric_commons.support.compiled import compiled
from metric_commons.support.validation import Integers, Unsigned8, Unsigned32

#: A `bytes.translate` table: ASCII letters in lower case, digits and the bytes of characters beyond ASCII as
#: they are, anything else a space. Zero ends a text.
WORD_BYTES = bytes(
    code if code == 0 or code > 127 else ord(chr(code).lower()) if chr(code).isalnum() else ord(" ")
    for code in range(256)
)

_SPACE, _PRIME = 32, np.uint64(0x9E3779B97F4A7C15)


@compiled()
def number_words(
    text: Unsigned8,
) -> tuple[Unsigned32, Integers, Integers]:
    """Number the word types of texts that a zero byte separates, in the order of their first occurrence.

    Args:
        text: the texts' UTF-8 bytes translated by `WORD_BYTES`, shape (n bytes,).

    Returns:
        The number of each word from 1, with 0 for each end of a text, shape (n words + n ends,); where in
        `text` the first word of each type begins and ends, each of shape (n types,).
    """
    most = 1  # words: each but the last has something after it
    for byte in text:
        most += byte <= _SPACE
    bits = 1
    while 1 << bits < 2 * most:
        bits += 1
    types = np.zeros(1 << bits, dtype=np.uint32)  # by slot; 0 where it is free
    starts, ends = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    numbers = np.empty(len(text), dtype=np.uint32)
    position, n_numbers, n_types = 0, 0, 0
    while position < len(text):
        if text[position] == _SPACE:
            position += 1
            continue
        start = position
        key: Any = np.uint64(0)
        while position < len(text) and text[position] != _SPACE and text[position] != 0:
            key = ((key << np.uint64(7)) | (key >> np.uint64(57))) ^ np.uint64(text[position])
            position += 1
        size = position - start
        number = 0
        if size == 0:
            position += 1  # the end of a text
        else:
            slot = np.int64((key * _PRIME) >> np.uint64(64 - bits))
            while types[slot] != 0:
                first = starts[types[slot] - 1]
                offset = 0
                if ends[types[slot] - 1] - first == size:
                    while offset < size and text[first + offset] == text[start + offset]:
                        offset += 1
                if offset == size:
                    break
                slot = (slot + 1) & ((1 << bits) - 1)
            if types[slot] == 0:
                starts[n_types], ends[n_types] = start, position
                n_types += 1
                types[slot] = n_types
            number = types[slot]
        numbers[n_numbers] = number
        n_numbers += 1
    return numbers[:n_numbers], starts[:n_types], ends[:n_types]
