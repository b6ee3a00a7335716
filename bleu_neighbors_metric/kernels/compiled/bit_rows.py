"""Rows of bits, one bit a pool text, and their addition by carry-save adders.

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

from metric_commons.support.compiled import compiled, generated

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

_LINE = 64
_PLANES = 8
_LANES = 4
_HALVES, _QUARTERS, _EIGHTHS = 0x0F0F0F0F0F0F0F0F, 0x3333333333333333, 0x5555555555555555


def empty_rows(n_tiles: int, n_rows: int) -> NDArray[np.uint64]:
    """Return rows without a bit, shape (tiles, rows, words), each in a cache line of its own."""
    size = n_tiles * n_rows * WORDS * 8
    room = np.zeros(size + _LINE, dtype=np.uint8)
    begin = -room.ctypes.data % _LINE
    return room[begin : begin + size].view(np.uint64).reshape(n_tiles, n_rows, WORDS)


@compiled()
def fill_bit_rows(starts, texts, dense_features, rows):  # type: ignore[no-untyped-def]
    """Set the bits of each feature in `dense_features`; `rows` is (tiles, features + 1, words), the last row empty.

    Bit 8b + k of word w stands for text 64k + 8w + b of the tile: with that order, eight by eight bits transposed turn
    bit planes into the byte-wide counts of eight runs of neighbouring texts.
    """
    for row in range(len(dense_features)):
        feature = dense_features[row]
        for at in range(starts[feature], starts[feature + 1]):
            tile, text = divmod(texts[at], TILE)
            k, rest = divmod(text, 8 * WORDS)
            w, b = divmod(rest, 8)
            rows[tile, row, w] |= np.uint64(1) << np.uint64(8 * b + k)


def _count_plainly(
    dense: NDArray[np.uint64], tile: int, rows: NDArray[np.uint16], begin: int, end: int, counts: Any, which: int
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

    def ask_for(row: Any) -> None:
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        line = builder.gep(tile, [builder.mul(builder.zext(row, word), ir.Constant(word, WORDS))])
        # to read, as near as possible, data
        builder.call(function, [builder.bitcast(line, byte), *(ir.Constant(number, value) for value in (0, 3, 1))])

    def vector_at(pointer: Any, place: Any) -> Any:
        return builder.bitcast(builder.gep(pointer, [place]), vector.as_pointer())

    for first in range(0, WORDS, _LANES):
        planes = [cgutils.alloca_once_value(builder, nothing) for _ in range(_PLANES)]
        with cgutils.for_range_slice(builder, begin, end, step, begin.type) as (at, _count):
            eight = []
            for which in range(8):
                if not first:
                    ask_for(
                        builder.load(builder.gep(rows, [builder.add(at, ir.Constant(at.type, which + ROWS_AHEAD))]))
                    )
                row = builder.load(builder.gep(rows, [builder.add(at, ir.Constant(at.type, which))]))
                place = builder.mul(builder.zext(row, word), ir.Constant(word, WORDS))
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
