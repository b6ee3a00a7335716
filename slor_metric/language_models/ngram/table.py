"""A trie with hashed children: a lookup reads one or two cache lines, whatever the fan-out of its context."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.support.compiled import compiled, prefetch
from metric_commons.support.types import Integers
from slor_metric.language_models.ngram.trie import Trie

#: The lower bits of a node's first field are its word, the upper five the code of its region.
CODE_SHIFT = np.uint32(27)
_WORD = np.uint32((1 << 27) - 1)
_SCANNED = 4  # so many children, or fewer, lie side by side; more are hashed
_MIX = np.uint64(0x9E3779B97F4A7C15)


def build_table(trie: Trie) -> NDArray[np.uint32]:
    """Return a trie as nodes of 16 bytes, the children of each in a region of their own.

    Returns:
        Shape (slots, 4), uint32. The first slots are the unigrams, by word id. A node's fields are its word and the
        code of its children's region; ln p; the ln of its back-off weight (both float32: see the array as that type);
        and the slot where the region begins. Code 0 means no children, up to 4 their number, and c > 4 a hash table of
        2^(c − 2) slots with linear probing. The word of an empty slot has all bits set.

    Raises:
        ValueError: for a vocabulary of 2^27 words or more, or a model of more slots than 32 bits can number.
    """
    vocabulary = trie.sizes[0]
    begins, codes = _regions(trie.first_child, vocabulary)
    size = int(begins[-1])
    if vocabulary >= int(_WORD) or size >= 1 << 32:
        raise ValueError(f"Expected a model of fewer words and n-grams, but it has {sum(trie.sizes)} n-grams")
    nodes = np.zeros((size, 4), dtype=np.uint32)
    _place(
        nodes,
        nodes.view(np.float32),
        vocabulary,
        begins,
        codes,
        trie.first_child,
        trie.words,
        trie.logprobs,
        trie.backoffs,
    )
    return nodes


@compiled()
def _regions(first_child: NDArray[np.int32], vocabulary: int) -> tuple[Integers, NDArray[np.uint8]]:
    """Where each inner node's region begins (the last number: where they end), and its code."""
    inner = len(first_child) - 1
    begins, codes = np.empty(inner + 1, dtype=np.int64), np.empty(inner, dtype=np.uint8)
    at = np.int64(vocabulary)
    for node in range(inner):
        begins[node] = at
        fan_out = np.int64(first_child[node + 1] - first_child[node])
        code = fan_out
        if fan_out > _SCANNED:
            code = np.int64(5)
            while 1 << (code - 1) < 3 * fan_out:  # half as many slots again as children, or more
                code += 1
            at += np.int64(1) << (code - 2)
        else:
            at += fan_out
        codes[node] = code
    begins[inner] = at
    return begins, codes


@compiled()
def _place(
    nodes: NDArray[np.uint32],
    values: NDArray[np.float32],
    vocabulary: int,
    begins: Integers,
    codes: NDArray[np.uint8],
    first_child: NDArray[np.int32],
    words: NDArray[np.uint16],
    logprobs: NDArray[np.float32],
    backoffs: NDArray[np.float32],
) -> None:
    """Write every n-gram to its slot: the unigrams in order, the others in the region of their context."""
    inner = len(codes)
    for slot in range(vocabulary, len(nodes)):
        nodes[slot, 0] = _WORD
    for context in range(-1, inner):
        first, last, begin, code = 0, vocabulary, 0, 0
        if context >= 0:
            first, last = int(first_child[context]), int(first_child[context + 1])
            begin, code = int(begins[context]), int(codes[context])
        mask = (1 << max(code - 2, 0)) - 1
        for node in range(first, last):
            word = np.uint32(words[node])
            slot = begin + node - first
            if code > _SCANNED:
                at = _home(word, mask)
                while nodes[begin + at, 0] & _WORD != _WORD:
                    at = (at + 1) & mask
                slot = begin + at
            values[slot, 1] = logprobs[node]
            nodes[slot, 0] = word
            if node < inner:
                nodes[slot, 0] |= np.uint32(codes[node]) << CODE_SHIFT
                nodes[slot, 3] = np.uint32(begins[node])
                values[slot, 2] = backoffs[node]


@compiled(inline="always")
def _home(word: int, mask: int) -> Any:
    """Where the search for a word begins in a region."""
    return np.int64((np.uint64(word) * _MIX) >> np.uint64(32)) & mask


@compiled(inline="always")
def find(nodes: NDArray[np.uint32], begin: int, code: int, word: int) -> Any:
    """The slot of a word among the children of a context, given their region; −1 where it is not listed."""
    if code <= _SCANNED:
        for slot in range(begin, begin + code):
            if nodes[slot, 0] & _WORD == word:
                return slot
        return np.int64(-1)
    mask = (np.int64(1) << (code - 2)) - 1
    at = _home(word, mask)
    while True:
        stored = nodes[begin + at, 0] & _WORD
        if stored == word:
            return begin + at
        if stored == _WORD:
            return np.int64(-1)
        at = (at + 1) & mask


@compiled(inline="always")
def fetch(nodes: NDArray[np.uint32], begin: int, code: int, word: int) -> None:
    """Have the processor read what `find` will look at first, while it goes on."""
    if code > _SCANNED:
        begin += _home(word, (np.int64(1) << (code - 2)) - 1)
    prefetch(nodes, begin)
