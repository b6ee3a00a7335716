"""The compiled kernel: count shared n-gram features of candidates and pool, block by block.

The pool stands sorted by length, in blocks of up to `BLOCK` texts. For one candidate and one block, the counts of
each order are a row of small integers. A feature that stands in a large share of the pool owns a *dense row*, one bit
a text; such rows are added 64 texts to a word by carry-save adders. A rarer feature owns a *posting list* of pool
texts, which is walked. The n × m matrix never exists: a block's counts become neighbours, or similarities, at once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.kernels.compiled.bit_rows import add_bit_rows
from bleu_neighbors_metric.kernels.compiled.formula import NONE, log_bleu_star, log_brevity
from bleu_neighbors_metric.kernels.neighbors import SLACK
from metric_commons.support.compiled import compiled, compiled_within

BLOCK = 16384
"""Pool texts to a block, at most: three rows of counts and the scratch of the adders stay in the second-level cache."""

UNIFORM, SIMILARITY = 0, 1
WEIGHTS = {"uniform": UNIFORM, "similarity": SIMILARITY}


class Index(NamedTuple):
    """A pool of n texts in ascending order of length, indexed by feature.

    Attributes:
        lengths: tokens of each text, shape (n,), int64.
        orders: the n-gram orders, ascending, int64.
        dense: bit rows of frequent features (see `bit_rows.fill_bit_rows`), shape (blocks, rows, words), uint64.
        texts: the posting lists of all features, int32.
    """

    lengths: NDArray[np.int64]
    orders: NDArray[np.int64]
    dense: NDArray[np.uint64]
    texts: NDArray[np.int32]


class Batch(NamedTuple):
    """The features of c candidates in ascending order of length; a list is that of one (candidate, order).

    Attributes:
        lengths: tokens of each candidate, shape (c,), int64.
        rows: the dense rows of each list, flat, int32.
        row_begins: where each list begins in them, shape (lists + 1,), int64.
        cursors: how far each rare feature's posting list has been walked; the kernel moves them, int64.
        ends: where it ends, int64.
        list_begins: where each list begins in the two, shape (lists + 1,), int64.
        excluded: the pool text that must not count for each candidate, or -1, shape (c,), int64.
    """

    lengths: NDArray[np.int64]
    rows: NDArray[np.int32]
    row_begins: NDArray[np.int64]
    cursors: NDArray[np.int64]
    ends: NDArray[np.int64]
    list_begins: NDArray[np.int64]
    excluded: NDArray[np.int64]


class Scoring(NamedTuple):
    """What makes a neighbour: the threshold, `formula.SMOOTHING` with its value, and `WEIGHTS`."""

    threshold: float
    smoothing: int
    smooth_value: float
    weights: int


class Scratch(NamedTuple):
    """Room for one block of `size` pool texts.

    Attributes:
        counts: shared features of each order, shape (orders, size); its type holds a candidate's number of n-grams.
        planes: the same in bit planes, shape (8, size / 64), uint64.
        unpacked: planes as bytes, eight to a word, shape (size / 8,), uint64.
        least: the least product of the counts of all orders that reaches the threshold, shape (size,); its type holds
            that product.
        hit: which texts are neighbours, shape (size,), uint8.
    """

    counts: NDArray[Any]
    planes: NDArray[np.uint64]
    unpacked: NDArray[np.uint64]
    least: NDArray[Any]
    hit: NDArray[np.uint8]


class Sums(NamedTuple):
    """What `tally` adds up for each of c candidates.

    Attributes:
        n_neighbors: the number of neighbours, shape (c,), int64.
        words: with uniform weights, their summed ratings in words (see `exact_sums`), shape (n_words, c), int64.
        weight: with similarity weights, their summed similarity, shape (c,), float64.
        quality: with similarity weights, their weighted ratings, shape (c,), float64.
    """

    n_neighbors: NDArray[np.int64]
    words: NDArray[np.int64]
    weight: NDArray[np.float64]
    quality: NDArray[np.float64]

    @classmethod
    def zeros(cls, n_candidates: int, n_words: int) -> Sums:
        """Return sums of nothing yet."""
        whole = np.zeros((n_words + 1, n_candidates), dtype=np.int64)
        return cls(whole[0], whole[1:], *np.zeros((2, n_candidates)))


@compiled()
def postings(features, begins, n_orders, n_nodes):  # type: ignore[no-untyped-def]
    """Transpose texts → features into features → texts (ascending)."""
    starts = np.zeros(n_nodes + 1, np.int64)
    for feature in features:
        starts[feature + 1] += 1
    for node in range(n_nodes):
        starts[node + 1] += starts[node]
    texts = np.empty(len(features), np.int32)
    cursor = starts[:-1].copy()
    n_texts = (len(begins) - 1) // n_orders
    for text in range(n_texts):
        for at in range(begins[text * n_orders], begins[(text + 1) * n_orders]):
            feature = features[at]
            texts[cursor[feature]] = text
            cursor[feature] += 1
    return starts, texts


@compiled()
def split_features(features, begins, starts, dense_row):  # type: ignore[no-untyped-def]
    """Part each (candidate, order)'s features into dense rows and posting lists.

    Returns the dense rows and where they begin, and for the others a cursor (mutable) and an end in the postings,
    and where these begin.
    """
    n_lists = len(begins) - 1
    rows = np.empty(len(features), np.int32)
    row_begins = np.zeros(n_lists + 1, np.int64)
    cursors = np.empty(len(features), np.int64)
    ends = np.empty(len(features), np.int64)
    list_begins = np.zeros(n_lists + 1, np.int64)
    n_rows = 0
    n_rare = 0
    for which in range(n_lists):
        for at in range(begins[which], begins[which + 1]):
            feature = features[at]
            if dense_row[feature] >= 0:
                rows[n_rows] = dense_row[feature]
                n_rows += 1
            else:
                cursors[n_rare] = starts[feature]
                ends[n_rare] = starts[feature + 1]
                n_rare += 1
        row_begins[which + 1] = n_rows
        list_begins[which + 1] = n_rare
    return rows[:n_rows], row_begins, cursors[:n_rare], ends[:n_rare], list_begins


@compiled_within()
def _first_not_below(values, low, high, bound):  # type: ignore[no-untyped-def]
    while low < high:
        middle = (low + high) >> 1
        if values[middle] < bound:
            low = middle + 1
        else:
            high = middle
    return low


@compiled_within()
def _add_rare(counts, texts, cursors, ends, first, stop):  # type: ignore[no-untyped-def]
    """Walk posting lists up to pool text `stop`, counting; return how many matches there were."""
    matches = 0
    for which in range(len(cursors)):
        at = cursors[which]
        end = ends[which]
        if at < end and texts[at] < first:  # blocks were passed over
            at = _first_not_below(texts, at, end, first)
        while at < end and texts[at] < stop:
            counts[texts[at] - first] += 1
            matches += 1
            at += 1
        cursors[which] = at
    return matches


@compiled_within()
def _count(batch, candidate, index, block, scratch, exact):  # type: ignore[no-untyped-def]
    """Count the features that a candidate shares with each text of a block.

    The highest order comes first: it has the fewest matches, and where it has none, an `exact` BLEU* (one without
    smoothing) is 0 for the whole block. Returns False then, with the other orders not counted.
    """
    size = scratch.counts.shape[1]
    first = block * size
    width = min(size, len(index.lengths) - first)
    n_orders = len(index.orders)
    for step in range(n_orders):
        which = n_orders - 1 - step
        at = candidate * n_orders + which
        counts = scratch.counts[which, :width]
        counts[:] = 0
        rows = batch.rows[batch.row_begins[at] : batch.row_begins[at + 1]]
        add_bit_rows(counts, index.dense[block], rows, scratch.planes, scratch.unpacked)
        low, high = batch.list_begins[at], batch.list_begins[at + 1]
        matches = _add_rare(counts, index.texts, batch.cursors[low:high], batch.ends[low:high], first, first + width)
        if exact and matches == 0 and len(rows) == 0:
            return False
    return True


@compiled_within()
def _similarity(  # type: ignore[no-untyped-def]
    counts, column, matched, possible, length, pool_length, orders, smoothing, smooth_value
):
    """Return ln BLEU* of a candidate and the text in one column of the counts."""
    for which in range(len(orders)):
        matched[which] = counts[which, column]
    brevity = log_brevity(length, pool_length)
    return log_bleu_star(matched, possible, smoothing, smooth_value, orders, brevity)


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


@compiled()
def tally(batch, index, scoring, scratch, quality, quality_words, sums):  # type: ignore[no-untyped-def]
    """Count each candidate's neighbours and sum their quality.

    `quality` holds the ratings and `quality_words` the same in words (see `exact_sums`), whose sums do not depend on
    the order of summation; both are in the order of the index.
    """
    # Names of their own for what the loops read: fields of a tuple are slower to reach.
    orders, counts, least = index.orders, scratch.counts, scratch.least
    threshold, smoothing, smooth_value, weights = scoring
    n_neighbors, word_sums, weight_sums, quality_sums = sums
    n_orders = len(orders)
    size = counts.shape[1]
    log_threshold = np.log(threshold * (1.0 - SLACK)) if threshold > 0.0 else -np.inf
    exact = smoothing == NONE and threshold > 0.0
    possible = np.empty(n_orders, np.int64)
    matched = np.empty(n_orders, np.int64)
    for block in range(index.dense.shape[0]):
        first = block * size
        width = min(size, len(index.lengths) - first)
        lengths = index.lengths[first : first + width]
        hit = scratch.hit[:width]
        length_in_least = -1
        for candidate in range(len(batch.lengths)):
            length = batch.lengths[candidate]
            if length == 0:
                continue
            product = 1.0
            alive = True  # whether any similarity can be above 0
            n_without = 0
            for which in range(n_orders):
                possible[which] = length - orders[which] + 1
                product *= possible[which]
                at = candidate * n_orders + which
                without = batch.row_begins[at] == batch.row_begins[at + 1] and (
                    batch.list_begins[at] == batch.list_begins[at + 1]
                )
                n_without += without
                if possible[which] <= 0 or (without and smoothing == NONE) or n_without == n_orders:
                    alive = False
            # The block's first text is its shortest, with the mildest brevity penalty.
            if threshold > 0.0 and (not alive or log_brevity(length, lengths[0]) < log_threshold):
                continue
            if exact and length != length_in_least:
                _fill_least(least, length, lengths, product, n_orders, log_threshold)
                length_in_least = length
            if not _count(batch, candidate, index, block, scratch, exact):
                continue
            if exact:
                _find_exact(hit, counts, least)
            elif threshold > 0.0:
                for column in range(width):
                    value = _similarity(
                        counts, column, matched, possible, length, lengths[column], orders, smoothing, smooth_value
                    )
                    hit[column] = value >= log_threshold
            else:
                hit[:] = 1
            own = batch.excluded[candidate] - first
            if 0 <= own < width:
                hit[own] = 0
            if weights == UNIFORM:
                words = quality_words[0, first : first + width]
                found = np.int64(0)
                total = np.int64(0)
                for column in range(width):
                    found += np.int64(hit[column])
                    total += words[column] & -np.int64(hit[column])
                n_neighbors[candidate] += found
                word_sums[0, candidate] += total
                for which in range(1, len(quality_words)):
                    words = quality_words[which, first : first + width]
                    total = np.int64(0)
                    for column in range(width):
                        total += words[column] & -np.int64(hit[column])
                    word_sums[which, candidate] += total
                continue
            for column in range(width):
                if not hit[column]:
                    continue
                weight = np.exp(
                    _similarity(
                        counts, column, matched, possible, length, lengths[column], orders, smoothing, smooth_value
                    )
                )
                n_neighbors[candidate] += 1
                weight_sums[candidate] += weight
                quality_sums[candidate] += weight * quality[first + column]


@compiled()
def similarities(batch, index, scoring, scratch, out):  # type: ignore[no-untyped-def]
    """Write BLEU* of each candidate and each pool text to `out`, shape (candidates, pool)."""
    orders, counts = index.orders, scratch.counts
    smoothing, smooth_value = scoring.smoothing, scoring.smooth_value
    size = counts.shape[1]
    possible = np.empty(len(orders), np.int64)
    matched = np.empty(len(orders), np.int64)
    for block in range(index.dense.shape[0]):
        first = block * size
        for candidate in range(len(batch.lengths)):
            length = batch.lengths[candidate]
            possible[:] = length - orders + 1
            _count(batch, candidate, index, block, scratch, False)
            for column in range(min(size, len(index.lengths) - first)):
                pool_length = index.lengths[first + column]
                out[candidate, first + column] = np.exp(
                    _similarity(counts, column, matched, possible, length, pool_length, orders, smoothing, smooth_value)
                )
