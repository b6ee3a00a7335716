"""The compiled part of the ROUGE-L kernel: longest common subsequences, 64 tokens to a machine word.

Hyyrö (2004), "Bit-parallel LCS-length computation revisited": the rows of the dynamic programme become bit vectors,
and a token of the pool text updates all positions of the candidate at once. A zero bit of the final vector is one
token of the common subsequence.

A candidate's table serves the whole pool, and a word that the candidate lacks costs nothing: with documents this takes
half the time of a library that is handed two texts at a time (`support.words` has pairs).
"""

from __future__ import annotations

import numpy as np

from metric_commons.support.compiled import compiled

_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_ONE = np.uint64(1)


@compiled(inline="always")
def _ones(word):  # type: ignore[no-untyped-def]
    """Return how many bits are set: pairs, nibbles and bytes are added in place, the bytes by one product."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@compiled()
def lcs_lengths(tokens, begins, pool_tokens, pool_begins, n_types, out):  # type: ignore[no-untyped-def]
    """Write the length of the longest common subsequence of each candidate and each pool text.

    Args:
        tokens: the candidates' tokens, flat; -1 for one that the pool does not hold.
        begins: where each candidate begins, shape (c + 1,).
        pool_tokens: the pool's tokens, flat, each in [0, n_types).
        pool_begins: where each pool text begins, shape (n + 1,).
        n_types: how many token types the pool holds.
        out: shape (c, n), whole numbers.
    """
    n_candidates = len(begins) - 1
    n_pool = len(pool_begins) - 1
    longest = 0
    for candidate in range(n_candidates):
        longest = max(longest, begins[candidate + 1] - begins[candidate])
    most_words = max(1, (longest + 63) // 64)
    row_of_type = np.zeros(n_types, np.int32)  # 0 for types that the candidate lacks
    places = np.zeros((longest + 1, most_words), np.uint64)  # row 0 stays empty
    state = np.empty(most_words, np.uint64)
    for candidate in range(n_candidates):
        begin, end = begins[candidate], begins[candidate + 1]
        n_words = (end - begin + 63) // 64
        n_rows = 1
        for at in range(begin, end):
            token = tokens[at]
            if token < 0:
                continue
            if row_of_type[token] == 0:
                row_of_type[token] = n_rows
                places[n_rows, :n_words] = 0
                n_rows += 1
            place = at - begin
            places[row_of_type[token], place >> 6] |= _ONE << np.uint64(place & 63)
        if n_rows == 1:
            out[candidate, :] = 0
        elif n_words == 1:
            for text in range(n_pool):
                word = _ALL
                for at in range(pool_begins[text], pool_begins[text + 1]):
                    matching = word & places[row_of_type[pool_tokens[at]], 0]
                    word = (word + matching) | (word - matching)
                # Bits beyond the candidate never match, so they stay set.
                out[candidate, text] = _ones(~word)
        else:
            for text in range(n_pool):
                state[:n_words] = _ALL
                for at in range(pool_begins[text], pool_begins[text + 1]):
                    row = row_of_type[pool_tokens[at]]
                    if row == 0:
                        continue
                    carry = np.uint64(0)
                    for which in range(n_words):
                        word = state[which]
                        matching = word & places[row, which]
                        first = word + matching
                        total = first + carry
                        carry = np.uint64(first < word) | np.uint64(total < first)
                        state[which] = total | (word - matching)
                found = np.int64(0)
                for which in range(n_words):
                    found += _ones(~state[which])
                out[candidate, text] = found
        for at in range(begin, end):
            if tokens[at] >= 0:
                row_of_type[tokens[at]] = 0
