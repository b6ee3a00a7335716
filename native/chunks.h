// The chunks of a text between white space, as `part_ascii` writes them: those that are not ASCII are one byte.
#pragma once
#include "kernels.h"

namespace {

constexpr uint8_t OTHER_CHUNK = 0x80; // stands for a chunk that is not ASCII
constexpr int32_t END_OF_CHUNK = -1;  // after the numbers of such a chunk

inline bool is_space(uint8_t byte) { return byte == 32 || (byte >= 9 && byte <= 13) || (byte >= 28 && byte <= 31); }
inline bool ends_chunk(const uint8_t *at, const uint8_t *end) { return at == end || is_space(*at); }

} // namespace
