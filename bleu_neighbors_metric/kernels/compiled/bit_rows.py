"""Rows of bits, one bit a pool text, and their addition: 64 texts to a machine word, by carry-save adders."""

from __future__ import annotations

import numpy as np

from metric_commons.support.compiled import compiled, compiled_within


@compiled()
def fill_bit_rows(starts, texts, dense_features, rows):  # type: ignore[no-untyped-def]
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


@compiled_within()
def _majority(a, b, c):  # type: ignore[no-untyped-def]
    return (a & b) | (c & (a ^ b))


@compiled_within()
def _add_eight(planes, rows, a, b, c, d, e, f, g, h):  # type: ignore[no-untyped-def]
    """Add eight of the bit rows to counts held as bit planes (plane i holds the bit of worth 2^i)."""
    for w in range(planes.shape[1]):
        ones = planes[0, w]
        twos_a = _majority(ones, rows[a, w], rows[b, w])
        ones = ones ^ rows[a, w] ^ rows[b, w]
        twos_b = _majority(ones, rows[c, w], rows[d, w])
        ones = ones ^ rows[c, w] ^ rows[d, w]
        fours_a = _majority(planes[1, w], twos_a, twos_b)
        twos = planes[1, w] ^ twos_a ^ twos_b
        twos_a = _majority(ones, rows[e, w], rows[f, w])
        ones = ones ^ rows[e, w] ^ rows[f, w]
        twos_b = _majority(ones, rows[g, w], rows[h, w])
        planes[0, w] = ones ^ rows[g, w] ^ rows[h, w]
        fours_b = _majority(twos, twos_a, twos_b)
        planes[1, w] = twos ^ twos_a ^ twos_b
        carry = _majority(planes[2, w], fours_a, fours_b)
        planes[2, w] = planes[2, w] ^ fours_a ^ fours_b
        following = planes[3, w] & carry
        planes[3, w] ^= carry
        carry = following & planes[4, w]
        planes[4, w] ^= following
        following = carry & planes[5, w]
        planes[5, w] ^= carry
        carry = following & planes[6, w]
        planes[6, w] ^= following
        planes[7, w] ^= carry


@compiled_within()
def _exchange(low, high, shift, mask):  # type: ignore[no-untyped-def]
    """Exchange the bits of `low` under `mask` << `shift` with those of `high` under `mask`."""
    apart = ((low >> shift) ^ high) & mask
    return low ^ (apart << shift), high ^ apart


@compiled_within()
def _transpose(planes, unpacked):  # type: ignore[no-untyped-def]
    """Turn counts in bit planes into bytes: bit k of each byte of plane i becomes bit i of the same byte of run k.

    That is the transpose of 8 × 8 bits for each byte, by halves, quarters and eighths (Warren 2012, Hacker's Delight,
    section 7-3).
    """
    words = planes.shape[1]
    one, two, four = np.uint64(1), np.uint64(2), np.uint64(4)
    halves, quarters = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x3333333333333333)
    eighths = np.uint64(0x5555555555555555)
    for w in range(words):
        a, e = _exchange(planes[0, w], planes[4, w], four, halves)
        b, f = _exchange(planes[1, w], planes[5, w], four, halves)
        c, g = _exchange(planes[2, w], planes[6, w], four, halves)
        d, h = _exchange(planes[3, w], planes[7, w], four, halves)
        a, c = _exchange(a, c, two, quarters)
        b, d = _exchange(b, d, two, quarters)
        e, g = _exchange(e, g, two, quarters)
        f, h = _exchange(f, h, two, quarters)
        unpacked[w], unpacked[words + w] = _exchange(a, b, one, eighths)
        unpacked[2 * words + w], unpacked[3 * words + w] = _exchange(c, d, one, eighths)
        unpacked[4 * words + w], unpacked[5 * words + w] = _exchange(e, f, one, eighths)
        unpacked[6 * words + w], unpacked[7 * words + w] = _exchange(g, h, one, eighths)


@compiled_within()
def add_bit_rows(counts, block_rows, rows, planes, unpacked):  # type: ignore[no-untyped-def]
    """Add dense rows to a row of counts, by way of bit planes, 248 rows at a time (eight planes hold up to 255)."""
    empty = block_rows.shape[0] - 1
    chosen = np.empty(8, np.int64)
    in_bytes = unpacked.view(np.uint8)
    for begin in range(0, len(rows), 248):
        end = min(begin + 248, len(rows))
        planes[:] = 0
        for at in range(begin, end, 8):
            for i in range(8):
                chosen[i] = rows[at + i] if at + i < end else empty
            _add_eight(
                planes,
                block_rows,
                chosen[0],
                chosen[1],
                chosen[2],
                chosen[3],
                chosen[4],
                chosen[5],
                chosen[6],
                chosen[7],
            )
        _transpose(planes, unpacked)
        for column in range(len(counts)):
            counts[column] += in_bytes[column]
