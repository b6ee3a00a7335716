"""How many neighbours candidates have at each of many thresholds: the n-grams of a pair are counted once for all.

Without smoothing, BLEU* reaches τ where the product of counts, times β^N over the product of possible n-grams, reaches
τ^N: no root is taken.
"""

from __future__ import annotations

import numpy as np

from bleu_neighbors_metric.kernels.compiled.bit_rows import TILE
from bleu_neighbors_metric.kernels.compiled.formula import log_brevity
from bleu_neighbors_metric.kernels.compiled.matching import count_shared, fill_log_similarities, possible_ngrams
from bleu_neighbors_metric.kernels.compiled.postings import group_end, sort_by_tile
from bleu_neighbors_metric.kernels.compiled.weighing import fill_shares
from metric_commons.support.compiled import compiled, compiled_within


@compiled_within()
def _fill_powers(powers, counts, shares):  # type: ignore[no-untyped-def]
    """Write BLEU*^N; three orders are unrolled, for SIMD."""
    if len(counts) == 3:
        for column in range(len(powers)):
            product = np.float64(counts[0, column]) * np.float64(counts[1, column]) * np.float64(counts[2, column])
            powers[column] = product * shares[column]
    else:
        for column in range(len(powers)):
            powers[column] = shares[column]
            for which in range(len(counts)):
                powers[column] *= np.float64(counts[which, column])


@compiled_within()
def _count_from(values, least):  # type: ignore[no-untyped-def]
    found = np.int64(0)
    for value in values:
        found += value >= least
    return found


@compiled()
def count_neighbors(batch, index, scoring, general, scratch, least, mildest, out):  # type: ignore[no-untyped-def]
    """Count each candidate's neighbours at thresholds above 0, ascending, in `out`, shape (thresholds, candidates).

    `least` is what reaches each threshold: where there is no smoothing and `general` is None, τ^N, else τ and `general`
    is True. `mildest` is the logarithm of the lowest τ; the threshold in `scoring` is not read.
    """
    orders, counts, shares, values = index.orders, scratch.counts, scratch.shares, scratch.values
    n_orders = len(orders)
    all_possible, products, alive = possible_ngrams(batch, orders, scoring.smoothing)
    begin = 0
    while begin < len(batch.lengths):
        end = group_end(batch, begin, n_orders, scratch.most_matches)
        places, begins = sort_by_tile(batch, begin, end, index)
        for tile in range(index.dense.shape[0]):
            first = tile * TILE
            width = min(TILE, len(index.lengths) - first)
            lengths = index.lengths[first : first + width]
            powers = values[:width]
            length_in_shares = -1
            for candidate in range(begin, end):
                low, high = begins[candidate - begin, tile], begins[candidate - begin, tile + 1]
                length = batch.lengths[candidate]
                if not alive[candidate] or log_brevity(length, lengths[0]) < mildest:
                    continue
                if not count_shared(batch, candidate, index, tile, places, low, high, scratch, general is None):
                    continue
                if general is None:
                    if length != length_in_shares:
                        fill_shares(shares, length, lengths, n_orders, 1.0, products[candidate])
                        length_in_shares = length
                    _fill_powers(powers, counts, shares)
                else:
                    possible = all_possible[candidate]
                    fill_log_similarities(powers, counts, possible, length, lengths, orders, scoring)
                    for column in range(width):
                        powers[column] = np.exp(powers[column])
                own = batch.excluded[candidate] - first
                if 0 <= own < width:
                    powers[own] = 0.0
                for which in range(len(least)):
                    found = _count_from(powers, least[which])
                    if not found:
                        break
                    out[which, candidate] += found
        begin = end
