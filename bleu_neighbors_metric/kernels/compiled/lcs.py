"""The compiled part of the ROUGE-L kernel: longest common subsequences of long texts, 64 tokens to a machine word.

Hyyrö (2004), "Bit-parallel LCS-length computation revisited": the rows of the dynamic programme become bit vectors,
and a token of the pool text updates all positions of the candidate at once. A zero bit of the final vector is one
token of the common subsequence. A word that the candidate lacks costs nothing, which is what RapidFuzz, faster on
shorter texts, does not do.
"""

from __future__ import annotations

import numpy as np

from metric_commons.support.compiled import compiled

_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_ONE = np.uint64(1)


@compiled()
def lcs_lengths(tokens, begins, pool_tokens, pool_begins, n_types, out):  # type: ignore[no-untyped-def]
    """Write the length of the longest common subsequence of each candidate and each pool text.

    Args:
        tokens: the candidates' tokens, flat, each in [0, n_types).
        begins: where each candidate begins, shape (c + 1,).
        pool_tokens: the pool's tokens, flat, each in [0, n_types).
        pool_begins: where each pool text begins, shape (n + 1,).
        n_types: how many token types there are.
        out: shape (c, n), whole numbers.
    """
    row_of_type = np.zeros(n_types, np.int32)  # 0 for types that the candidate lacks
    for candidate in range(len(begins) - 1):
        own = tokens[begins[candidate] : begins[candidate + 1]]
        n_words = (len(own) + 63) // 64
        places = np.zeros((len(own) + 1, n_words), np.uint64)  # of each type the candidate has; row 0 stays empty
        state = np.empty(n_words, np.uint64)
        n_rows = 1
        for place in range(len(own)):
            if row_of_type[own[place]] == 0:
                row_of_type[own[place]] = n_rows
                n_rows += 1
            places[row_of_type[own[place]], place >> 6] |= _ONE << np.uint64(place & 63)
        for text in range(len(pool_begins) - 1):
            state[:] = _ALL  # bits beyond the candidate never match, so they stay set
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
            common = 0
            for which in range(n_words):
                unset = ~state[which]
                while unset:
                    unset &= unset - _ONE
                    common += 1
            out[candidate, text] = common
        for token in own:
            row_of_type[token] = 0
