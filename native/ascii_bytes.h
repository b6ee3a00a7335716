// The number of ASCII characters that begin a text.
#pragma once
#include "kernels.h"

namespace {

// Number of bytes before the first one that is NUL or beyond ASCII, n if there is none. Eight bytes are tested at once.
inline int64_t count_ascii(const uint8_t *at, int64_t n) {
    constexpr uint64_t LOWS = 0x0101010101010101, HIGHS = LOWS << 7;
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t bytes;
        memcpy(&bytes, at + i, 8);
        if ((bytes | (bytes - LOWS)) & HIGHS) // a byte of 128 or more, or a zero
            break;
    }
    while (i < n && at[i] && at[i] < 0x80)
        i++;
    return i;
}

} // namespace
