"""Rows of bits, one bit a pool text, and their addition: 64 texts to a machine word, by carry-save adders."""

from __future__ import annotations

import numpy as np

from metric_commons.support.compiled import compiled


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


@compiled(inline="always")
def _exchange(low, high, shift, mask):  # type: ignore[no-untyped-def]
    """Exchange the bits of `low` under `mask` << `shift` with those of `high` under `mask`."""
    apart = ((low >> shift) ^ high) & mask
    return low ^ (apart << shift), high ^ apart


@compiled()
def _transpose(planes, unpacked):  # type: ignore[no-untyped-def]
    """Turn counts in bit planes into bytes: bit k of each byte of plane i becomes bit i of the same byte of run k.

    That is the transpose of 8 × 8 bits for each byte, by halves, quarters and eighths (Warren 2012, Hacker's Delight,
    section 7-3).
    """
    words = planes.shape[1]
    p0, p1, p2, p3, p4, p5, p6, p7 = (
        planes[0], planes[1], planes[2], planes[3], planes[4], planes[5], planes[6], planes[7],
    )  # fmt: skip
    run = unpacked.reshape(8, words)
    r0, r1, r2, r3, r4, r5, r6, r7 = run[0], run[1], run[2], run[3], run[4], run[5], run[6], run[7]
    one, two, four = np.uint64(1), np.uint64(2), np.uint64(4)
    halves, quarters = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x3333333333333333)
    eighths = np.uint64(0x5555555555555555)
    for w in range(words):
        a, e = _exchange(p0[w], p4[w], four, halves)
        b, f = _exchange(p1[w], p5[w], four, halves)
        c, g = _exchange(p2[w], p6[w], four, halves)
        d, h = _exchange(p3[w], p7[w], four, halves)
        a, c = _exchange(a, c, two, quarters)
        b, d = _exchange(b, d, two, quarters)
        e, g = _exchange(e, g, two, quarters)
        f, h = _exchange(f, h, two, quarters)
        r0[w], r1[w] = _exchange(a, b, one, eighths)
        r2[w], r3[w] = _exchange(c, d, one, eighths)
        r4[w], r5[w] = _exchange(e, f, one, eighths)
        r6[w], r7[w] = _exchange(g, h, one, eighths)


@compiled()
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
                block_rows[chosen[0]],
                block_rows[chosen[1]],
                block_rows[chosen[2]],
                block_rows[chosen[3]],
                block_rows[chosen[4]],
                block_rows[chosen[5]],
                block_rows[chosen[6]],
                block_rows[chosen[7]],
            )
        _transpose(planes, unpacked)
        for column in range(len(counts)):
            counts[column] += in_bytes[column]
