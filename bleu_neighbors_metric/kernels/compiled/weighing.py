"""Neighbours that count by their similarity: weights and weighted ratings in whole numbers, which add up exactly.

Without smoothing, BLEU* is β / (Π possible n-grams)^(1/N), which lengths alone decide, times the N-th root of each
order's count; those roots stand in a table, so that a neighbour costs some multiplications. Its weight is the nearest
multiple of 2^-36. Weights times narrow pieces of ratings (limbs) are summed in 64 bits, a tile at a time.
"""

from __future__ import annotations

import numpy as np

from bleu_neighbors_metric.kernels.compiled.bit_rows import TILE_BITS
from bleu_neighbors_metric.kernels.compiled.formula import log_brevity
from metric_commons.support.compiled import compiled_within

WEIGHT_BITS = 36
"""A weight is a multiple of 2^-36."""

LIMB_BITS = 62 - TILE_BITS - WEIGHT_BITS
"""So wide are the pieces of a rating: the sum over a tile then fits 63 bits."""

ONE = float(2**WEIGHT_BITS)
"""A weight of 1."""

_LIMB = 2**LIMB_BITS - 1


@compiled_within()
def fill_shares(shares, length, pool_lengths, power, unit, product):  # type: ignore[no-untyped-def]
    """Write what the counts that a candidate shares with each text, or their roots, are multiplied by.

    It is β^power · unit / product.
    """
    previous = -1
    share = 0.0
    for column in range(len(pool_lengths)):
        if pool_lengths[column] != previous:
            previous = pool_lengths[column]
            share = unit * np.exp(power * log_brevity(length, previous)) / product
        shares[column] = share


@compiled_within()
def find_columns(hit, columns):  # type: ignore[no-untyped-def]
    """Write the places where `hit` is 1, and return how many there are."""
    found = np.int64(0)
    for column in range(len(hit)):
        columns[found] = column
        found += np.int64(hit[column])
    return found


@compiled_within()
def whole_weights(weights, columns, found, counts, roots, shares):  # type: ignore[no-untyped-def]
    """Write the weight of each text found; three orders are unrolled."""
    for at in range(found):
        column = columns[at]
        weight = shares[column]
        if len(counts) == 3:
            weight *= roots[counts[0, column]] * roots[counts[1, column]] * roots[counts[2, column]]
        else:
            for which in range(len(counts)):
                weight *= roots[counts[which, column]]
        weights[at] = np.int64(weight + 0.5)


@compiled_within()
def whole_weight(similarity):  # type: ignore[no-untyped-def]
    """Return one similarity as a weight."""
    return np.int64(similarity * ONE + 0.5)


@compiled_within()
def add_weighted(words, candidate, weights, columns, found, limbs, first):  # type: ignore[no-untyped-def]
    """Add the weights found to the first of a candidate's words, and weighted ratings to the others.

    `limbs` holds the ratings of all texts, those of a tile from `first` on; what a sum has beyond a limb's width goes
    to the word before, the second word being for what the first limb leaves.
    """
    total = np.int64(0)
    for at in range(found):
        total += weights[at]
    words[0, candidate] += total
    carry = np.int64(0)
    for step in range(len(limbs)):
        place = len(limbs) - 1 - step
        total = carry
        for at in range(found):
            total += weights[at] * np.int64(limbs[place, first + columns[at]])
        words[place + 2, candidate] += total & _LIMB
        carry = total >> LIMB_BITS
    words[1, candidate] += carry
