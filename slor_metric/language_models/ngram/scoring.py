"""The scoring kernels: token log-probabilities of many texts under a back-off model, and the sums of each text.

A trie with hashed children: a lookup reads one or two cache lines, whatever the fan-out of its context.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.support.compiled import compiled, prefetch
from metric_commons.support.validation import Floats, Floats32, Integers, Integers32, Unsigned8, Unsigned32
from slor_metric.language_models.known import CONTINUES, LETTERED, SINGLE, SPELLED_OUT, UNKNOWN
from slor_metric.language_models.ngram.storage import Trie
from slor_metric.tokenizers.words import BOS, EOS

#: The lower bits of a node's first field are its word, the upper five the code of its region.
CODE_SHIFT = np.uint32(27)
_WORD = np.uint32((1 << 27) - 1)
_SCANNED = 4  # so many children, or fewer, lie side by side; more are hashed
_MIX = np.uint64(0x9E3779B97F4A7C15)


def build_table(trie: Trie) -> Unsigned32:
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
def _regions(first_child: Integers32, vocabulary: int) -> tuple[Integers, Unsigned8]:
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
    nodes: Unsigned32,
    values: Floats32,
    vocabulary: int,
    begins: Integers,
    codes: Unsigned8,
    first_child: Integers32,
    words: NDArray[np.uint16],
    logprobs: Floats32,
    backoffs: Floats32,
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
def find(nodes: Unsigned32, begin: int, code: int, word: int) -> Any:
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
def fetch(nodes: Unsigned32, begin: int, code: int, word: int) -> None:
    """Have the processor read what `find` will look at first, while it goes on."""
    if code > _SCANNED:
        begin += _home(word, (np.int64(1) << (code - 2)) - 1)
    prefetch(nodes, begin)


#: The columns of what `add_up` gives; see `TextLikelihoods` for the first three.
MODEL, UNIGRAM, SURPLUS, N_UNKNOWN, N_TOLD = range(5)
TOTALS = 5

_AHEAD = 12  # tokens between asking for a part of the model and reading it
_TILE = 2048  # tokens looked up together: as many as keep the arrays below in the cache


@compiled()
def score_tokens(
    framed: Integers32,
    nodes: Unsigned32,
    values: Floats32,
    order: int,
    ids: Integers32,
    logprobs: Floats,
    offsets: Integers,
    end_logprobs: Floats,
) -> int:
    """Score texts and return the number of their tokens.

    A token's log-probability is that of the longest listed n-gram that ends in it, plus the back-off weights of the
    longer contexts that were tried in vain. Order by order, the n-grams of many texts are looked up: each order needs
    only what the one below found, so that no lookup waits for the one before it, and their accesses to memory overlap.

    Args:
        framed: the ids of all texts after one another, each as ``<s> … </s>``, shape (t,). A negative token has no
            log-probability and ends every context.
        nodes: the model, as `build_table` gives it.
        values: the same memory as float32.
        order: the length of its longest n-grams.
        ids: receives the tokens that have a log-probability, of n texts, without markers; t places are enough.
        logprobs: receives their log-probabilities.
        offsets: receives where each text begins in `ids`, and their number, shape (n + 1,).
        end_logprobs: receives ln p(``</s>``) of each text, shape (n,).
    """
    text, count, start = 0, 0, 0
    offsets[0] = 0
    while start < len(framed):
        stop = min(start + _TILE, len(framed))
        while framed[stop - 1] != EOS:
            stop += 1
        tile = framed[start:stop]
        start = stop
        n = len(tile)
        # Of the longest listed n-gram that ends in each token so far: where its children are (code 0: nowhere), ln p.
        begins = np.empty(n, dtype=np.uint32)
        codes = np.empty(n, dtype=np.uint8)
        best = np.empty(n, dtype=np.float32)
        longest = np.zeros(n, dtype=np.int8)
        weights = np.zeros((max(order - 1, 1), n), dtype=np.float32)  # of the n-grams of each length that end there
        for i in range(n):
            codes[i] = 0
            token = np.int64(tile[i])
            if token >= 0:
                codes[i] = nodes[token, 0] >> CODE_SHIFT
                begins[i] = nodes[token, 3]
                best[i] = values[token, 1]
                weights[0, i] = values[token, 2]
        for length in range(1, order):
            code, begin = np.int64(0), np.int64(0)  # of the context
            for i in range(n):
                ahead = i + _AHEAD
                if ahead < n and codes[ahead - 1] > 0 and tile[ahead] >= 0:
                    fetch(nodes, np.int64(begins[ahead - 1]), np.int64(codes[ahead - 1]), np.uint32(tile[ahead]))
                next_code, next_begin = np.int64(codes[i]), np.int64(begins[i])
                codes[i] = 0
                token = np.int64(tile[i])
                if code > 0 and token >= 0 and token != BOS:
                    slot = find(nodes, begin, code, np.uint32(token))
                    if slot >= 0:
                        longest[i] = length
                        best[i] = values[slot, 1]
                        if length < order - 1:
                            weights[length, i] = values[slot, 2]
                            codes[i] = nodes[slot, 0] >> CODE_SHIFT
                            begins[i] = nodes[slot, 3]
                code, begin = next_code, next_begin
        for i in range(n):
            token = np.int64(tile[i])
            if token < 0 or token == BOS:
                continue
            total = np.float64(best[i])
            for length in range(longest[i] + 1, order):
                total += weights[length - 1, i - 1]
            total = np.float64(min(total, 0.0))  # back-off weights above 1 can make more of an odd model
            if token == EOS:
                end_logprobs[text] = total
                text += 1
                offsets[text] = count
            else:
                ids[count] = token
                logprobs[count] = total
                count += 1
    return count


@compiled()
def add_up(
    ids: Integers32,
    offsets: Integers,
    logprobs: Floats,
    unigram: Floats,
    flags: Unsigned8,
    totals: Floats,
) -> None:
    """Fill the sums of each text: `KnownTokens.unknown`, `cap_unknown_log_odds` and `sum_by_text` in one pass.

    Args:
        ids: the tokens of all texts after one another, shape (tokens,).
        offsets: text i holds the tokens from ``offsets[i]`` to ``offsets[i + 1]``, shape (n + 1,).
        logprobs: ln p_M of each token, shape (tokens,).
        unigram: ln p_u by token id.
        flags: `KnownTokens.flags`, by token id.
        totals: receives the sums, shape (n, 5), zeros.
    """
    longest = 0
    for text in range(len(offsets) - 1):
        longest = max(longest, offsets[text + 1] - offsets[text])
    unknown = np.zeros(longest, dtype=np.bool_)
    for text in range(len(offsets) - 1):
        start, end = offsets[text], offsets[text + 1]
        model, words, any_unknown = 0.0, 0.0, False
        n_told = 0
        stretch = 0  # single letters in a row that spell a word
        for i in range(start, end):
            token = ids[i]
            flag = flags[token]
            model += logprobs[i]
            words += unigram[token]
            unknown[i - start] = flag & UNKNOWN != 0
            if flag & UNKNOWN:
                any_unknown = True
            if flag & (UNKNOWN | LETTERED):
                n_told += 1
            if flag & SINGLE and flag & CONTINUES:
                if stretch == 0 and i > start and flags[ids[i - 1]] & SINGLE:
                    stretch = 1  # the word's first letter
                stretch += 1
                if stretch == SPELLED_OUT:
                    any_unknown = True
                    for j in range(i - start - SPELLED_OUT + 1, i - start + 1):
                        unknown[j] = True  # a letter: told already
                elif stretch > SPELLED_OUT:
                    unknown[i - start] = True
            else:
                stretch = 0
        totals[text, MODEL] = model
        totals[text, UNIGRAM] = words
        totals[text, N_TOLD] = n_told
        if any_unknown:
            unknown_surplus, n_unknown = 0.0, 0
            for i in range(start, end):
                if unknown[i - start]:
                    n_unknown += 1
                    if i > start and unknown[i - start - 1]:
                        unknown_surplus += max(logprobs[i] - unigram[ids[i]], 0.0)
            totals[text, SURPLUS] = unknown_surplus
            totals[text, N_UNKNOWN] = n_unknown
