"""The compiled kernel: count shared n-gram features of candidates and pool, block by block.

The pool stands sorted by length, in tiles of `TILE` texts. For one candidate and one tile, the counts of each order
are a row of small integers. A feature that stands in a large share of the pool owns a *dense row*, one bit a text;
such rows are added by carry-save adders. A rarer feature owns a *posting list* of pool texts; what the lists of a batch
hold is sorted by tile first (see `inverted_index`). The n × m matrix never exists: a tile's counts become neighbours,
or similarities, at once.

Of many thresholds, the n-grams of a pair are counted once for all. Without smoothing, BLEU* reaches τ where the product
of counts, times β^N over the product of possible n-grams, reaches τ^N: no root is taken.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.kernels.formula import (
    NONE,
    ONE,
    add_weighted,
    fill_shares,
    find_columns,
    log_bleu_star,
    log_brevity,
    whole_weight,
    whole_weights,
)
from bleu_neighbors_metric.kernels.inverted_index import TILE, count_shared, group_end, sort_by_tile
from bleu_neighbors_metric.kernels.neighbors import SLACK
from metric_commons.support.compiled import compiled, compiled_within
from metric_commons.support.validation import Floats, Integers, Integers32, Numbers, Unsigned8, Unsigned64


class Index(NamedTuple):
    """A pool of n texts in ascending order of length, indexed by feature.

    Attributes:
        lengths: tokens of each text, shape (n,), int64.
        orders: the n-gram orders, ascending, int64.
        dense: bit rows of frequent features (see `inverted_index.fill_bit_rows`), shape (tiles, rows, words), uint64.
        texts: the posting lists of all features, int32.
    """

    lengths: Integers
    orders: Integers
    dense: Unsigned64
    texts: Integers32


class Batch(NamedTuple):
    """The features of c candidates in ascending order of length; a list is that of one (candidate, order).

    Attributes:
        lengths: tokens of each candidate, shape (c,), int64.
        rows: the dense rows of each list, filled up with empty ones to a multiple of eight, flat, uint16: read anew for
            each tile, they are nearly as many bytes as the rows themselves.
        row_begins: where each list begins in them, shape (lists + 1,), int64.
        begins: where each rare feature's posting list begins, int64.
        ends: where it ends, int64.
        list_begins: where each list begins in the two, shape (lists + 1,), int64.
        excluded: the pool text that must not count for each candidate, or -1, shape (c,), int64.
    """

    lengths: Integers
    rows: NDArray[np.uint16]
    row_begins: Integers
    begins: Integers
    ends: Integers
    list_begins: Integers
    excluded: Integers


class Scoring(NamedTuple):
    """What makes a neighbour: the threshold, and `formula.SMOOTHING` with its value."""

    threshold: float
    smoothing: int
    smooth_value: float


class Scratch(NamedTuple):
    """Room for one tile.

    Attributes:
        counts: shared features of each order, shape (orders, texts); its type holds a candidate's number of n-grams.
        in_bytes: those of as many rows as a byte can count, shape (orders, texts), uint8; where all counts are bytes,
            the same array.
        least: the least product of the counts of all orders that reaches the threshold, shape (texts,); its type holds
            that product.
        hit: which texts are neighbours, shape (texts,), uint8.
        columns: the same by their numbers, shape (texts,), int64.
        weights: how much each of these counts, in whole units, shape (texts,), int64.
        shares: what a text's similarity takes from lengths alone (see `formula`), shape (texts,), float64.
        values: what is compared with thresholds, such as ln BLEU*, shape (texts,), float64.
        roots: the N-th root of every count, N being the number of orders, shape (counts,), float64.
        most_matches: matches of rare features that are held at once, of as many candidates as have no more, or of one.
    """

    counts: Numbers
    in_bytes: Unsigned8
    least: Numbers
    hit: Unsigned8
    columns: Integers
    weights: Integers
    shares: Floats
    values: Floats
    roots: Floats
    most_matches: int


class Sums(NamedTuple):
    """What `tally` adds up for each of c candidates.

    Attributes:
        n_neighbors: the number of neighbours, shape (c,), int64.
        words: their summed ratings in words (see `neighbors`), shape (n_words, c), int64; with similarity weights in
            whole units, first the summed weights and then the weighted ratings (see `formula.add_weighted`).
        weight: with similarity weights that are not whole, their summed similarity, shape (c,), float64.
        ratings: with such weights, their weighted ratings, shape (c,), float64.
    """

    n_neighbors: Integers
    words: Integers
    weight: Floats
    ratings: Floats


@compiled_within()
def fill_log_similarities(values, counts, possible, length, pool_lengths, orders, scoring):  # type: ignore[no-untyped-def]
    """Write ln BLEU* of a candidate and each text of a tile, from their counts."""
    matched = np.empty(len(orders), np.int64)
    for column in range(len(pool_lengths)):
        for which in range(len(orders)):
            matched[which] = counts[which, column]
        brevity = log_brevity(length, pool_lengths[column])
        values[column] = log_bleu_star(matched, possible, scoring.smoothing, scoring.smooth_value, orders, brevity)


@compiled_within()
def _fill_least(least, length, pool_lengths, product, n_orders, log_threshold):  # type: ignore[no-untyped-def]
    """Write the least product of matched counts, a whole number, with which each text reaches the threshold."""
    previous = -1
    needed = 0.0
    for column in range(len(pool_lengths)):
        if pool_lengths[column] != previous:
            previous = pool_lengths[column]
            precisions = np.exp(n_orders * (log_threshold - log_brevity(length, previous)))
            needed = min(max(np.ceil(precisions * product), 1.0), 2.0 * product + 1.0)
        least[column] = least.dtype.type(needed)


@compiled_within()
def _find_exact(hit, counts, least):  # type: ignore[no-untyped-def]
    """Mark the texts whose product of counts is large enough; three orders are unrolled, for SIMD."""
    number = least.dtype.type
    if len(counts) == 3:
        for column in range(len(hit)):
            product = number(counts[0, column]) * number(counts[1, column]) * number(counts[2, column])
            hit[column] = product >= least[column]
    else:
        for column in range(len(hit)):
            product = number(1)
            for which in range(len(counts)):
                product *= number(counts[which, column])
            hit[column] = product >= least[column]


@compiled_within()
def possible_ngrams(batch, orders, smoothing):  # type: ignore[no-untyped-def]
    """Return each candidate's n-grams of each order, their product, and whether it can be like any text at all."""
    n_orders = len(orders)
    possible = np.empty((len(batch.lengths), n_orders), np.int64)
    products = np.empty(len(batch.lengths))
    alive = np.empty(len(batch.lengths), np.bool_)
    for candidate in range(len(batch.lengths)):
        products[candidate], alive[candidate] = 1.0, batch.lengths[candidate] > 0
        n_without = 0
        for which in range(n_orders):
            possible[candidate, which] = batch.lengths[candidate] - orders[which] + 1
            products[candidate] *= possible[candidate, which]
            at = candidate * n_orders + which
            without = batch.row_begins[at] == batch.row_begins[at + 1] and (
                batch.list_begins[at] == batch.list_begins[at + 1]
            )
            n_without += without
            if possible[candidate, which] <= 0 or (without and smoothing == NONE) or n_without == n_orders:
                alive[candidate] = False
    return possible, products, alive


@compiled_within()
def _count_and_sum(hit, words):  # type: ignore[no-untyped-def]
    """Count where `hit` is 1, and sum the words of ratings there."""
    found = np.int64(0)
    total = np.int64(0)
    for column in range(len(hit)):
        mask = -np.int64(hit[column])
        found -= mask
        total += words[column] & mask
    return found, total


@compiled()
def tally(batch, index, scoring, general, scratch, rating_words, limbs, ratings, sums):  # type: ignore[no-untyped-def]
    """Count each candidate's neighbours and sum their quality; one of three kinds of ratings is given.

    Each is compiled for itself: what reads an argument that is None is left out. All are in the order of the index.

    Args:
        batch: the candidates.
        index: the pool.
        scoring: what makes a neighbour.
        general: None where there is no smoothing and τ > 0, and weights, if any, are whole: then products of counts
            decide, and no logarithm is taken; else True.
        scratch: room for one tile.
        rating_words: with uniform weights, the ratings in words (see `neighbors`), shape (n_words, n).
        limbs: with similarity weights in whole units (see `formula`), the ratings in limbs, shape (n_limbs, n).
        ratings: with other similarity weights, the ratings, shape (n,).
        sums: what is added to.
    """
    # Names of their own for what the loops read: fields of a tuple are slower to reach.
    orders, counts, least, columns = index.orders, scratch.counts, scratch.least, scratch.columns
    weights, shares, roots, values = scratch.weights, scratch.shares, scratch.roots, scratch.values
    threshold = scoring.threshold
    n_neighbors, word_sums, weight_sums, rating_sums = sums
    n_orders = len(orders)
    log_threshold = np.log(threshold * (1.0 - SLACK)) if threshold > 0.0 else -np.inf
    all_possible, products, alive = possible_ngrams(batch, orders, scoring.smoothing)
    begin = 0
    while begin < len(batch.lengths):
        end = group_end(batch, begin, n_orders, scratch.most_matches)
        places, begins = sort_by_tile(batch, begin, end, index)
        for tile in range(index.dense.shape[0]):
            first = tile * TILE
            width = min(TILE, len(index.lengths) - first)
            lengths = index.lengths[first : first + width]
            hit = scratch.hit[:width]
            length_in_least = -1
            for candidate in range(begin, end):
                low, high = begins[candidate - begin, tile], begins[candidate - begin, tile + 1]
                length = batch.lengths[candidate]
                if length == 0:
                    continue
                # The tile's first text is its shortest, with the mildest brevity penalty.
                if threshold > 0.0 and (not alive[candidate] or log_brevity(length, lengths[0]) < log_threshold):
                    continue
                if not count_shared(batch, candidate, index, tile, places, low, high, scratch, general is None):
                    continue
                possible = all_possible[candidate]
                if general is None:
                    if length != length_in_least:
                        _fill_least(least, length, lengths, products[candidate], n_orders, log_threshold)
                        if limbs is not None:
                            root = products[candidate] ** (1.0 / n_orders)
                            fill_shares(shares, length, lengths, 1.0, ONE, root)
                        length_in_least = length
                    _find_exact(hit, counts, least)
                else:
                    fill_log_similarities(values, counts, possible, length, lengths, orders, scoring)
                    for column in range(width):
                        hit[column] = threshold == 0.0 or values[column] >= log_threshold
                own = batch.excluded[candidate] - first
                if 0 <= own < width:
                    hit[own] = 0
                if rating_words is not None:
                    found, total = _count_and_sum(hit, rating_words[0, first : first + width])
                    if found:
                        word_sums[0, candidate] += total
                        for which in range(1, len(rating_words)):
                            words = rating_words[which, first : first + width]
                            word_sums[which, candidate] += _count_and_sum(hit, words)[1]
                else:
                    found = find_columns(hit, columns)
                    if general is None:
                        whole_weights(weights, columns, found, counts, roots, shares)
                    else:
                        for at in range(found):
                            similarity = np.exp(values[columns[at]])
                            if limbs is not None:
                                weights[at] = whole_weight(similarity)
                            if ratings is not None:
                                weight_sums[candidate] += similarity
                                rating_sums[candidate] += similarity * ratings[first + columns[at]]
                    if limbs is not None and found:
                        add_weighted(word_sums, candidate, weights, columns, found, limbs, first)
                n_neighbors[candidate] += found
        begin = end


@compiled()
def similarities(batch, index, scoring, scratch, out):  # type: ignore[no-untyped-def]
    """Write BLEU* of each candidate and each pool text to `out`, shape (candidates, pool)."""
    orders, counts = index.orders, scratch.counts
    n_orders = len(orders)
    begin = 0
    while begin < len(batch.lengths):
        end = group_end(batch, begin, n_orders, scratch.most_matches)
        places, begins = sort_by_tile(batch, begin, end, index)
        for tile in range(index.dense.shape[0]):
            first = tile * TILE
            lengths = index.lengths[first : first + TILE]
            for candidate in range(begin, end):
                low, high = begins[candidate - begin, tile], begins[candidate - begin, tile + 1]
                length = batch.lengths[candidate]
                count_shared(batch, candidate, index, tile, places, low, high, scratch, False)
                values = out[candidate, first : first + TILE]
                fill_log_similarities(values, counts, length - orders + 1, length, lengths, orders, scoring)
                for column in range(len(values)):
                    values[column] = np.exp(values[column])
        begin = end


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
