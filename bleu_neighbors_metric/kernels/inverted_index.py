"""Which texts of a pool have a feature: rows of bits for frequent features, posting lists for rare ones.

Lists are walked once for all tiles: walking each tile's share of each list would cost more than the matches in it. Rows
have one bit a pool text, and are added by carry-save adders.

Rows stand in tiles of 512 texts, a cache line each, so that all rows of a tile stay in the second-level cache while the
candidates of a batch pass by. Counting is written in LLVM's own language, for its vectors: the counts of 256 texts are
eight bit planes that never leave the registers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numpy.typing import NDArray

from metric_commons.support import native
from metric_commons.support.compiled import compiled_within, generated, load_line, prefetch
from metric_commons.support.validation import Integers, Integers32, Unsigned64

TILE_BITS = 9
TILE = 1 << TILE_BITS
"""Texts to a tile."""

WORDS = TILE // 64
"""Words of 64 bits to a tile's row."""

MOST_ROWS = 255
"""As many rows can be counted at once: a count is a byte."""

MOST_DENSE = 2**16 - 1
"""As many features may have rows: with the empty one, a row's number is one of 16 bits."""

ROWS_AHEAD = 64
"""How far ahead rows are asked for: what they wait for is mostly the third-level cache."""

_ROWS_AT_ONCE = 248
"""As many as a byte can count, eight at a time."""

_LINE = 64
_PLANES = 8
_LANES = 4
_HALVES, _QUARTERS, _EIGHTHS = 0x0F0F0F0F0F0F0F0F, 0x3333333333333333, 0x5555555555555555


def empty_rows(n_tiles: int, n_rows: int) -> Unsigned64:
    """Return rows without a bit, shape (tiles, rows, words), each in a cache line of its own."""
    size = n_tiles * n_rows * WORDS * 8
    room = np.zeros(size + _LINE, dtype=np.uint8)
    begin = -room.ctypes.data % _LINE
    return room[begin : begin + size].view(np.uint64).reshape(n_tiles, n_rows, WORDS)


def fill_bit_rows(starts: Integers, texts: Integers32, dense_features: Integers, rows: Unsigned64) -> None:
    """Set the bits of each feature in `dense_features`; `rows` is (tiles, features + 1, words), the last row empty.

    Bit 8b + k of word w stands for text 64k + 8w + b of the tile: with that order, eight by eight bits transposed turn
    bit planes into the byte-wide counts of eight runs of neighbouring texts.
    """
    native.call("fill_bit_rows", starts, texts, dense_features, rows)


def _count_plainly(
    dense: Unsigned64, tile: int, rows: NDArray[np.uint16], begin: int, end: int, counts: Any, which: int
) -> None:
    """Count as `count_bit_rows` does, where nothing is compiled."""
    words = dense[tile, rows[begin:end]]
    bits = (words[:, :, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    counts[which] = bits.sum(axis=0).reshape(WORDS, 8, 8).transpose(2, 0, 1).ravel()


@generated(_count_plainly)
def count_bit_rows(_: Any, dense: Any, tile: Any, rows: Any, begin: Any, end: Any, counts: Any, which: Any) -> Any:
    """Count, for each text of a tile, in how many of some rows its bit is set; for compiled code.

    Args:
        dense: the rows of all tiles, shape (tiles, rows, words), uint64, contiguous.
        tile: which tile.
        rows: which rows to count, uint16; those from `begin` to `end` are read, and `ROWS_AHEAD` more must be there.
        begin: a place in `rows`.
        end: another, a multiple of eight further on, at most 256; at most `MOST_ROWS` of the rows are not empty.
        counts: where the counts go, shape (…, texts), uint8, contiguous.
        which: the row of `counts`.
    """
    return types.void(dense, tile, rows, begin, end, counts, which), _generate


def _generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    word, vector = ir.IntType(64), ir.VectorType(ir.IntType(64), _LANES)
    dense, rows, counts = (
        context.make_array(signature.args[place])(context, builder, arguments[place]) for place in (0, 2, 5)
    )
    begin, end = arguments[3], arguments[4]
    words_a_tile = builder.mul(builder.extract_value(dense.shape, 1), ir.Constant(word, WORDS))
    tile = builder.gep(dense.data, [builder.mul(arguments[1], words_a_tile)])
    first_count = builder.mul(arguments[6], ir.Constant(word, TILE))
    counts = builder.bitcast(builder.gep(counts.data, [first_count]), word.as_pointer())
    rows = rows.data
    step, nothing = context.get_constant(types.intp, 8), ir.Constant(vector, [0] * _LANES)

    def row_at(at: Any, ahead: int) -> Any:
        row = builder.load(builder.gep(rows, [builder.add(at, ir.Constant(at.type, ahead))]))
        return builder.mul(builder.zext(row, word), ir.Constant(word, WORDS))

    def vector_at(pointer: Any, place: Any) -> Any:
        return builder.bitcast(builder.gep(pointer, [place]), vector.as_pointer())

    for first in range(0, WORDS, _LANES):
        planes = [cgutils.alloca_once_value(builder, nothing) for _ in range(_PLANES)]
        with cgutils.for_range_slice(builder, begin, end, step, begin.type) as (at, _count):
            eight = []
            for which in range(8):
                if not first:
                    load_line(builder, builder.gep(tile, [row_at(at, which + ROWS_AHEAD)]))
                place = row_at(at, which)
                eight.append(builder.load(vector_at(tile, builder.add(place, ir.Constant(word, first))), align=8))
            held = [builder.load(plane) for plane in planes]
            for plane, value in zip(planes, _with_eight(builder, held, eight), strict=True):
                builder.store(value, plane)
        for k, run in enumerate(_transposed(builder, [builder.load(plane) for plane in planes])):
            builder.store(run, vector_at(counts, ir.Constant(word, k * WORDS + first)), align=1)
    return context.get_dummy_value()


def _with_eight(builder: Any, planes: list[Any], rows: list[Any]) -> list[Any]:
    """Return the bit planes of counts (plane i holds the bit of worth 2^i) with eight rows added."""

    def full(a: Any, b: Any, c: Any) -> tuple[Any, Any]:
        """Return the sum and the carry of three bits."""
        half = builder.xor(b, c)
        return builder.xor(a, half), builder.or_(builder.and_(b, c), builder.and_(a, half))

    a, b, c, d, e, f, g, h = rows
    ones, twos_a = full(planes[0], a, b)
    ones, twos_b = full(ones, c, d)
    twos, fours_a = full(planes[1], twos_a, twos_b)
    ones, twos_a = full(ones, e, f)
    ones, twos_b = full(ones, g, h)
    twos, fours_b = full(twos, twos_a, twos_b)
    fours, carry = full(planes[2], fours_a, fours_b)
    added = [ones, twos, fours]
    for plane in planes[3:]:
        added.append(builder.xor(plane, carry))
        carry = builder.and_(plane, carry)
    return added


def _transposed(builder: Any, planes: list[Any]) -> list[Any]:
    """Return counts in bytes: bit k of each byte of plane i becomes bit i of the same byte of run k.

    That is the transpose of 8 × 8 bits for each byte, by halves, quarters and eighths (Warren 2012, Hacker's Delight,
    section 7-3).
    """
    kind = planes[0].type
    runs = list(planes)
    for shift, mask in ((4, _HALVES), (2, _QUARTERS), (1, _EIGHTHS)):
        by, under = (ir.Constant(kind, [number] * _LANES) for number in (shift, mask))
        for low in range(_PLANES):
            if low & shift:
                continue
            high = low | shift
            apart = builder.and_(builder.xor(builder.lshr(runs[low], by), runs[high]), under)
            runs[low] = builder.xor(runs[low], builder.shl(apart, by))
            runs[high] = builder.xor(runs[high], apart)
    return runs


_LISTS_AHEAD = 8
"""How far ahead posting lists are asked for: each lies somewhere in arrays larger than the caches."""


def postings(features: Integers32, begins: Integers, n_orders: int, n_features: int) -> tuple[Integers, Integers32]:
    """Transpose texts → features into features → texts (ascending).

    Args:
        features: of all texts, order by order (see `ngrams`).
        begins: where each (text, order) begins in them, shape (n · n_orders + 1,).
        n_orders: how many n-gram orders there are.
        n_features: how many features there are.

    Returns:
        Where each feature's posting list begins, shape (n_features + 1,), and the lists.
    """
    starts, texts = np.empty(n_features + 1, dtype=np.int64), np.empty(len(features), dtype=np.int32)
    native.call("postings", features, begins, n_orders, starts, texts)
    return starts, texts


def without_dense(starts: Integers, lists: Integers32, dense_row: Integers32) -> tuple[Integers, Integers32]:
    """Return the posting lists of the features that have no dense row: nothing walks the others."""
    kept, remaining = np.empty_like(starts), np.empty_like(lists)
    size = native.call("without_dense", starts, lists, dense_row, kept, remaining)
    return kept, remaining[:size].copy()


def split_features(
    features: Integers32, begins: Integers, starts: Integers, dense_row: Integers32, empty: int
) -> tuple[NDArray[np.uint16], Integers, Integers, Integers, Integers]:
    """Part each (candidate, order)'s features into dense rows and posting lists.

    Args:
        features: of the candidates (see `ngrams`).
        begins: where each (candidate, order) begins in them.
        starts: where each feature's posting list begins, shape (m + 1,).
        dense_row: each feature's dense row, or -1, shape (m,).
        empty: the row that is empty.

    Returns:
        The dense rows, those of a list filled up with the row `empty` to a multiple of eight, and where they begin
        (`ROWS_AHEAD` more follow the last, to be looked ahead at); and of the others where their postings begin and
        end, and where these begin.
    """
    n_lists = len(begins) - 1
    rows = np.empty(len(features) + 7 * n_lists + ROWS_AHEAD, dtype=np.uint16)
    row_begins, list_begins = np.empty((2, n_lists + 1), dtype=np.int64)
    rare_begins, rare_ends = np.empty((2, len(features)), dtype=np.int64)
    lists = rows, row_begins, rare_begins, rare_ends, list_begins
    n_rare = native.call("split_features", features, begins, starts, dense_row, empty, *lists)
    return rows[: row_begins[-1] + ROWS_AHEAD], row_begins, rare_begins[:n_rare], rare_ends[:n_rare], list_begins


@compiled_within()
def group_end(batch, first, n_orders, most_matches):  # type: ignore[no-untyped-def]
    """Return how far the candidates from `first` on have no more than so many matches in their posting lists.

    That is one candidate at least, whatever it has.
    """
    matches = 0
    for candidate in range(first, len(batch.lengths)):
        for which in range(batch.list_begins[candidate * n_orders], batch.list_begins[(candidate + 1) * n_orders]):
            matches += batch.ends[which] - batch.begins[which]
        if matches > most_matches and candidate > first:
            return candidate
    return len(batch.lengths)


@compiled_within()
def sort_by_tile(batch, first, stop, index):  # type: ignore[no-untyped-def]
    """Sort what the posting lists of each of some candidates hold by tile, and within a tile by order.

    Returns the matches as places in the counts of a tile, `order * TILE + text`, the highest order first; and where
    those of each (candidate, tile) begin, which is where those of the tile before end, shape (candidates, tiles + 2).
    """
    texts, n_orders = index.texts, len(index.orders)
    n_tiles = index.dense.shape[0]
    begins = np.zeros((stop - first, n_tiles + 2), np.int64)
    n_matches = 0
    for which in range(batch.list_begins[first * n_orders], batch.list_begins[stop * n_orders]):
        n_matches += batch.ends[which] - batch.begins[which]
    places = np.empty(n_matches, np.uint16)
    written = 0
    for candidate in range(first, stop):
        own = candidate * n_orders
        reach = begins[candidate - first]
        for which in range(batch.list_begins[own], batch.list_begins[own + n_orders]):
            if which + _LISTS_AHEAD < len(batch.begins):
                prefetch(texts, batch.begins[which + _LISTS_AHEAD])
            for at in range(batch.begins[which], batch.ends[which]):
                reach[(texts[at] >> TILE_BITS) + 2] += 1
        reach[0] = written
        reach[1] = written
        for tile in range(n_tiles):
            reach[tile + 2] += reach[tile + 1]
        written = reach[n_tiles + 1]
        # Here a tile's begin stands one place further on, and moves up to its end as the matches are put down.
        for step in range(n_orders):
            order = n_orders - 1 - step
            for which in range(batch.list_begins[own + order], batch.list_begins[own + order + 1]):
                for at in range(batch.begins[which], batch.ends[which]):
                    tile = texts[at] >> TILE_BITS
                    places[reach[tile + 1]] = (order << TILE_BITS) + (texts[at] & (TILE - 1))
                    reach[tile + 1] += 1
    return places, begins


@compiled_within(inline="always")
def count_shared(batch, candidate, index, tile, places, low, high, scratch, exact):  # type: ignore[no-untyped-def]
    """Count the features that a candidate shares with each text of a tile; its matches of rare ones are given.

    Where it has none of the highest order, which has the fewest, an `exact` BLEU* (one without smoothing) is 0 for the
    whole tile. Returns False then, with nothing counted.
    """
    counts, in_bytes = scratch.counts, scratch.in_bytes
    n_orders = len(index.orders)
    highest = (candidate + 1) * n_orders
    none_dense = batch.row_begins[highest] == batch.row_begins[highest - 1]
    if exact and none_dense and (low == high or places[low] < (n_orders - 1) * TILE):
        return False
    for which in range(n_orders):
        at = candidate * n_orders + which
        begin, end = batch.row_begins[at], batch.row_begins[at + 1]
        if counts.itemsize == 1:  # they are the same array
            count_bit_rows(index.dense, tile, batch.rows, begin, end, in_bytes, which)
            continue
        counts[which] = 0
        for first in range(begin, end, _ROWS_AT_ONCE):
            stop = min(first + _ROWS_AT_ONCE, end)
            count_bit_rows(index.dense, tile, batch.rows, first, stop, in_bytes, which)
            for text in range(TILE):
                counts[which, text] += in_bytes[which, text]
    for at in range(low, high):
        counts[places[at] >> TILE_BITS, places[at] & (TILE - 1)] += 1
    return True
