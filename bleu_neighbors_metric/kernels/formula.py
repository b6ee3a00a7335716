"""BLEU* from n-gram counts (Ethayarajh & Sadigh 2020, Eq. 2), compiled, with sacrebleu's smoothing of precisions.

Pools are matched by blocks and bit rows (see `matching`). A list of a few hundred texts is too small for these: in
`mean_bleu_star` each n-gram has a posting list, and each text walks those of its own.

Neighbours that count by their similarity have weights in whole numbers, which add up exactly. Without smoothing, BLEU*
is β / (Π possible n-grams)^(1/N), which lengths alone decide, times the N-th root of each order's count; those roots
stand in a table, so that a neighbour costs some multiplications. Its weight is the nearest multiple of 2^-36. Weights
times narrow pieces of ratings (limbs) are summed in 64 bits, a tile at a time.
"""

from __future__ import annotations

import numpy as np

from bleu_neighbors_metric.kernels.inverted_index import TILE_BITS
from metric_commons.support.compiled import compiled, compiled_within

NONE, FLOOR, ADD_K, EXP = 0, 1, 2, 3
SMOOTHING = {"none": (NONE, 0.0), "floor": (FLOOR, 0.1), "add-k": (ADD_K, 1.0), "exp": (EXP, 0.0)}
"""sacrebleu's smoothing methods by name: the number by which compiled code knows each, and its default value."""


@compiled_within()
def log_bleu_star(matched, possible, smoothing, smooth_value, orders, brevity):  # type: ignore[no-untyped-def]
    """Return ln BLEU* (Eq. 2) from the matched and possible n-gram counts of each order; -inf where it is 0.

    As in sacrebleu, smoothing makes nothing of texts that share no n-gram of any order.
    """
    n_orders = len(possible)
    total = 0.0
    halved = 1.0
    any_match = False
    for which in range(n_orders):
        hits: float = np.float64(matched[which])
        out_of: float = np.float64(possible[which])
        if out_of <= 0.0:
            return -np.inf
        any_match = any_match or hits > 0.0
        if smoothing == ADD_K and orders[which] > 1:
            hits += smooth_value
            out_of += smooth_value
        elif hits == 0.0:
            if smoothing == FLOOR:
                hits = smooth_value
            elif smoothing == EXP:
                halved *= 0.5
                hits = halved
        if hits <= 0.0:
            return -np.inf
        total += np.log(hits / out_of)
    if not any_match:
        return -np.inf
    return brevity + total / n_orders


@compiled_within()
def log_brevity(candidate_length, pool_length):  # type: ignore[no-untyped-def]
    """Return ln β = min(0, 1 - |s|/|x|) (Eq. 2)."""
    if candidate_length == 0:
        return 0.0
    return min(0.0, 1.0 - pool_length / candidate_length)


@compiled()
def mean_bleu_star(  # type: ignore[no-untyped-def]
    features, begins, starts, postings, lengths, weights, orders, smoothing, smooth_value, effective, out
):
    """Write the mean BLEU* of each text with the others of its list to `out`, a text standing in for its equals.

    `features` and `begins` are those of the list's texts as candidates (see `ngrams`), `starts` and `postings` those
    of the same texts as a pool. `weights` says how many equals a text stands for: it is compared with one fewer of its
    own; their sum is above 1. With `effective`, orders in which a text has no n-gram do not count (sacrebleu's
    effective order).
    """
    n_orders, n_texts = len(orders), len(lengths)
    counts = np.empty((n_texts, n_orders), np.int64)
    possible = np.empty(n_orders, np.int64)
    n_others = weights.sum() - 1.0
    for text in range(n_texts):
        counts[:] = 0
        for which in range(n_orders):
            for at in range(begins[text * n_orders + which], begins[text * n_orders + which + 1]):
                feature = features[at]
                for place in range(starts[feature], starts[feature + 1]):
                    counts[postings[place], which] += 1
        used = n_orders
        for which in range(n_orders):
            possible[which] = lengths[text] - orders[which] + 1
        if effective:
            while used > 0 and possible[used - 1] <= 0:
                used -= 1
        total = 0.0
        if used > 0:
            for other in range(n_texts):
                log_similarity = log_bleu_star(
                    counts[other, :used],
                    possible[:used],
                    smoothing,
                    smooth_value,
                    orders[:used],
                    log_brevity(lengths[text], lengths[other]),
                )
                weight = weights[other] - 1.0 if other == text else weights[other]
                total += weight * np.exp(log_similarity)
        out[text] = total / n_others


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
