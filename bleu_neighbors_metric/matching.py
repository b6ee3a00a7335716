"""The compiled kernel: count shared n-gram features of candidates and pool, block by block.

The pool stands sorted by length, in blocks of up to `BLOCK` texts. For one candidate and one block, the counts of
each order are a row of small integers. A feature that stands in a large share of the pool owns a *dense row*, one bit
a text; such rows are added 64 texts to a word by carry-save adders. A rarer feature owns a *posting list* of pool
texts, which is walked. The n × m matrix never exists: a block's counts become neighbours, or similarities, at once.
"""

from __future__ import annotations

import numpy as np

from metric_commons.compiled import compiled

from .tally import SLACK

BLOCK = 16384
"""Pool texts to a block, at most: three rows of counts and the scratch of the adders stay in the second-level cache."""

NONE, FLOOR, ADD_K, EXP = 0, 1, 2, 3
SMOOTHING = {"none": NONE, "floor": FLOOR, "add-k": ADD_K, "exp": EXP}

UNIFORM, SIMILARITY = 0, 1
WEIGHTS = {"uniform": UNIFORM, "similarity": SIMILARITY}


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
def fill_dense(starts, texts, dense_features, rows):  # type: ignore[no-untyped-def]
    """Set the bits of each feature in `dense_features`; `rows` is (blocks, features + 1, words), the last row empty.

    Bit 8b + k of word w stands for text k · 8 · words + 8w + b of the block: with that order, eight shifts and masks
    turn a word of bits into the byte-wide counts of eight runs of neighbouring texts.
    """
    words = rows.shape[2]
    for row in range(len(dense_features)):
        feature = dense_features[row]
        for at in range(starts[feature], starts[feature + 1]):
            block, text = divmod(texts[at], 64 * words)
            k, rest = divmod(text, 8 * words)
            w, b = divmod(rest, 8)
            rows[block, row, w] |= np.uint64(1) << np.uint64(8 * b + k)


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


@compiled(inline="always")
def _majority(a, b, c):  # type: ignore[no-untyped-def]
    return (a & b) | (c & (a ^ b))


@compiled()
def _add_eight(planes, a, b, c, d, e, f, g, h):  # type: ignore[no-untyped-def]
    """Add eight bit rows to counts held as bit planes (plane i holds the bit of worth 2^i)."""
    p0, p1, p2, p3, p4, p5, p6, p7 = (
        planes[0], planes[1], planes[2], planes[3], planes[4], planes[5], planes[6], planes[7],
    )  # fmt: skip
    for w in range(planes.shape[1]):
        ones = p0[w]
        twos_a = _majority(ones, a[w], b[w])
        ones = ones ^ a[w] ^ b[w]
        twos_b = _majority(ones, c[w], d[w])
        ones = ones ^ c[w] ^ d[w]
        fours_a = _majority(p1[w], twos_a, twos_b)
        twos = p1[w] ^ twos_a ^ twos_b
        twos_a = _majority(ones, e[w], f[w])
        ones = ones ^ e[w] ^ f[w]
        twos_b = _majority(ones, g[w], h[w])
        p0[w] = ones ^ g[w] ^ h[w]
        fours_b = _majority(twos, twos_a, twos_b)
        p1[w] = twos ^ twos_a ^ twos_b
        carry = _majority(p2[w], fours_a, fours_b)
        p2[w] = p2[w] ^ fours_a ^ fours_b
        following = p3[w] & carry
        p3[w] ^= carry
        carry = following & p4[w]
        p4[w] ^= following
        following = carry & p5[w]
        p5[w] ^= carry
        carry = following & p6[w]
        p6[w] ^= following
        p7[w] ^= carry


@compiled()
def _add_dense(counts, block_rows, rows, planes, unpacked):  # type: ignore[no-untyped-def]
    """Add dense rows to a row of counts, by way of bit planes, 248 rows at a time (eight planes hold up to 255)."""
    words = planes.shape[1]
    empty = block_rows.shape[0] - 1
    chosen = np.empty(8, np.int64)
    in_bytes = unpacked.view(np.uint8)
    mask = np.uint64(0x0101010101010101)
    for begin in range(0, len(rows), 248):
        end = min(begin + 248, len(rows))
        planes[:] = 0
        for at in range(begin, end, 8):
            for i in range(8):
                chosen[i] = rows[at + i] if at + i < end else empty
            _add_eight(
                planes,
                block_rows[chosen[0]],
                block_rows[chosen[1]],
                block_rows[chosen[2]],
                block_rows[chosen[3]],
                block_rows[chosen[4]],
                block_rows[chosen[5]],
                block_rows[chosen[6]],
                block_rows[chosen[7]],
            )
        n_planes = 1
        while (1 << n_planes) <= end - begin:
            n_planes += 1
        for k in range(8):
            shift = np.uint64(k)
            run = unpacked[k * words : (k + 1) * words]
            lowest = planes[0]
            for w in range(words):
                run[w] = (lowest[w] >> shift) & mask
            for i in range(1, n_planes):
                plane = planes[i]
                worth = np.uint64(i)
                for w in range(words):
                    run[w] |= ((plane[w] >> shift) & mask) << worth
        for column in range(len(counts)):
            counts[column] += in_bytes[column]


@compiled()
def _first_not_below(values, low, high, bound):  # type: ignore[no-untyped-def]
    while low < high:
        middle = (low + high) >> 1
        if values[middle] < bound:
            low = middle + 1
        else:
            high = middle
    return low


@compiled()
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


@compiled()
def _log_similarity(matched, possible, smoothing, smooth_value, orders, brevity):  # type: ignore[no-untyped-def]
    """Return ln BLEU* (Eq. 2) from the matched and possible n-gram counts of each order; -inf where it is 0."""
    n_orders = len(possible)
    total = 0.0
    halvings = 0
    for which in range(n_orders):
        hits = np.float64(matched[which])
        out_of = np.float64(possible[which])
        if out_of <= 0.0:
            return -np.inf
        if smoothing == ADD_K and orders[which] > 1:
            hits += smooth_value
            out_of += smooth_value
        elif hits == 0.0:
            if smoothing == FLOOR:
                hits = smooth_value
            elif smoothing == EXP:
                halvings += 1
                hits = 0.5**halvings
        if hits <= 0.0:
            return -np.inf
        total += np.log(hits / out_of)
    return brevity + total / n_orders


@compiled()
def _log_brevity(candidate_length, pool_length):  # type: ignore[no-untyped-def]
    """Return ln β = min(0, 1 - |s|/|x|) (Eq. 2)."""
    if candidate_length == 0:
        return 0.0
    return min(0.0, 1.0 - pool_length / candidate_length)


@compiled()
def tally(  # type: ignore[no-untyped-def]
    candidate_lengths,
    rows,
    row_begins,
    cursors,
    ends,
    list_begins,
    excluded,
    pool_lengths,
    dense,
    texts,
    quality,
    quality_units,
    orders,
    threshold,
    smoothing,
    smooth_value,
    weights,
    counts,
    planes,
    unpacked,
    least,
    n_neighbors,
    unit_sums,
    weight_sums,
    weighted_quality,
):
    """Count each candidate's neighbours and sum their quality, for candidates in ascending order of length.

    `quality_units` holds the quality as whole multiples of a small unit, so that sums do not depend on the order of
    summation; where it is empty, `quality` is summed in the order of the pool. `counts` (orders, block), `planes`
    (8, words), `unpacked` (8 · words) and `least` (block) are scratch; the type of `counts` must hold a candidate's
    number of n-grams, that of `least` the product of those of all orders. Fills `n_neighbors` and `unit_sums` (uniform
    weights in units), or `weighted_quality` and, with similarity weights, `weight_sums`.
    """
    n_orders = len(orders)
    n_pool = len(pool_lengths)
    n_candidates = len(candidate_lengths)
    log_threshold = np.log(threshold * (1.0 - SLACK)) if threshold > 0.0 else -np.inf
    possible = np.empty(n_orders, np.int64)
    matched = np.empty(n_orders, np.int64)
    block_size = len(least)
    hit = np.empty(block_size, np.uint8)
    number = least.dtype.type
    exact = smoothing == NONE and threshold > 0.0
    for block in range(dense.shape[0]):
        first = block * block_size
        width = min(block_size, n_pool - first)
        stop = first + width
        length_in_least = -1
        for candidate in range(n_candidates):
            length = candidate_lengths[candidate]
            if length == 0:
                continue
            product = 1.0
            alive = True
            for which in range(n_orders):
                possible[which] = length - orders[which] + 1
                if possible[which] <= 0:
                    alive = False
                product *= possible[which]
                at = candidate * n_orders + which
                if row_begins[at] == row_begins[at + 1] and list_begins[at] == list_begins[at + 1]:
                    alive = alive and smoothing != NONE
            if threshold > 0.0 and (not alive or _log_brevity(length, pool_lengths[first]) < log_threshold):
                continue
            if exact and length != length_in_least:
                previous = -1
                for column in range(width):
                    if pool_lengths[first + column] != previous:
                        previous = pool_lengths[first + column]
                        precisions = np.exp(n_orders * (log_threshold - _log_brevity(length, previous)))
                        # The least product of matched counts that reaches the threshold: a whole number.
                        needed = number(min(max(np.ceil(precisions * product), 1.0), 2.0 * product + 1.0))
                    least[column] = needed
                length_in_least = length
            # Highest order first: it has the fewest matches, and where it has none BLEU* is 0 without smoothing.
            reachable = True
            for step in range(n_orders):
                which = n_orders - 1 - step
                at = candidate * n_orders + which
                row = counts[which, :width]
                row[:] = 0
                dense_rows = rows[row_begins[at] : row_begins[at + 1]]
                _add_dense(row, dense[block], dense_rows, planes, unpacked)
                low, high = list_begins[at], list_begins[at + 1]
                matches = _add_rare(row, texts, cursors[low:high], ends[low:high], first, stop)
                if exact and matches == 0 and len(dense_rows) == 0:
                    reachable = False
                    break
            if not reachable:
                continue
            if exact:
                if n_orders == 3:
                    for column in range(width):
                        value = number(counts[0, column]) * number(counts[1, column]) * number(counts[2, column])
                        hit[column] = value >= least[column]
                else:
                    for column in range(width):
                        value = number(1)
                        for which in range(n_orders):
                            value *= number(counts[which, column])
                        hit[column] = value >= least[column]
            else:
                for column in range(width):
                    if threshold > 0.0:
                        for which in range(n_orders):
                            matched[which] = counts[which, column]
                        brevity = _log_brevity(length, pool_lengths[first + column])
                        hit[column] = (
                            _log_similarity(matched, possible, smoothing, smooth_value, orders, brevity)
                            >= log_threshold
                        )
                    else:
                        hit[column] = 1
            if first <= excluded[candidate] < stop:
                hit[excluded[candidate] - first] = 0
            if weights == UNIFORM and len(quality_units) == n_pool:
                found = np.int64(0)
                units = np.int64(0)
                for column in range(width):
                    found += np.int64(hit[column])
                    units += quality_units[first + column] & -np.int64(hit[column])
                n_neighbors[candidate] += found
                unit_sums[candidate] += units
            else:
                for column in range(width):
                    if hit[column]:
                        n_neighbors[candidate] += 1
                        if weights == UNIFORM:
                            weighted_quality[candidate] += quality[first + column]
                            continue
                        for which in range(n_orders):
                            matched[which] = counts[which, column]
                        brevity = _log_brevity(length, pool_lengths[first + column])
                        value = np.exp(_log_similarity(matched, possible, smoothing, smooth_value, orders, brevity))
                        weight_sums[candidate] += value
                        weighted_quality[candidate] += value * quality[first + column]


@compiled()
def similarities(  # type: ignore[no-untyped-def]
    candidate_lengths,
    rows,
    row_begins,
    cursors,
    ends,
    list_begins,
    pool_lengths,
    dense,
    texts,
    orders,
    smoothing,
    smooth_value,
    counts,
    planes,
    unpacked,
    out,
):
    """Write BLEU* of each candidate and each pool text to `out`, shape (candidates, pool)."""
    n_orders = len(orders)
    n_pool = len(pool_lengths)
    possible = np.empty(n_orders, np.int64)
    matched = np.empty(n_orders, np.int64)
    block_size = counts.shape[1]
    for block in range(dense.shape[0]):
        first = block * block_size
        width = min(block_size, n_pool - first)
        for candidate in range(len(candidate_lengths)):
            length = candidate_lengths[candidate]
            for which in range(n_orders):
                possible[which] = length - orders[which] + 1
                at = candidate * n_orders + which
                row = counts[which, :width]
                row[:] = 0
                chosen = rows[row_begins[at] : row_begins[at + 1]]
                _add_dense(row, dense[block], chosen, planes, unpacked)
                low, high = list_begins[at], list_begins[at + 1]
                _add_rare(row, texts, cursors[low:high], ends[low:high], first, first + width)
            for column in range(width):
                for which in range(n_orders):
                    matched[which] = counts[which, column]
                brevity = _log_brevity(length, pool_lengths[first + column])
                out[candidate, first + column] = np.exp(
                    _log_similarity(matched, possible, smoothing, smooth_value, orders, brevity)
                )
