// Hash tables of all kernels: a hash function with a secret seed, and the search from slot to slot.
//
// The number of slots is a power of two, and at least one slot is free. The search for a key begins at the slot of its hash and ends at
// the key or at a free slot. If anyone could compute the hash, a text could be written whose keys all meet in one slot, and the time would
// grow with the square of its length. So each table has a seed, which Python draws once per process (`native.SEED`). Results do not depend
// on the seed, because none is read in the order of slots.
#pragma once
#include "kernels.h"

namespace {

// Next bytes of a text, at most eight; the first one is the lowest.
[[maybe_unused]] inline uint64_t eight_bytes(const uint8_t *at, const uint8_t *end) {
    uint64_t bytes = 0;
    if (end - at >= 8)
        memcpy(&bytes, at, 8);
    else
        for (int shift = 0; at < end; shift += 8)
            bytes |= uint64_t(*at++) << shift;
    return bytes;
}

// Hash function chosen by a seed. For keys of 32 bits it is the upper half of a linear function (Dietzfelbinger 1996), which is fastest.
// For longer keys it is a product of 64 by 64 bits whose upper half is folded onto the lower one, as in wyhash.
class Hash {
    uint64_t secret, factor, other_factor;

    // Finaliser of SplitMix64 (Steele, Lea & Flood 2014): every bit of the seed reaches every bit of the result.
    static uint64_t scattered(uint64_t seed) {
        seed = (seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9;
        seed = (seed ^ (seed >> 27)) * 0x94D049BB133111EB;
        return seed ^ (seed >> 31);
    }
    static uint64_t folded_product(uint64_t a, uint64_t b) {
        const unsigned __int128 product = (unsigned __int128)a * b;
        return uint64_t(product) ^ uint64_t(product >> 64);
    }

  public:
    explicit Hash(int64_t seed)
        : secret(scattered(uint64_t(seed) + 0x9E3779B97F4A7C15)), factor(scattered(secret) | 1), other_factor(scattered(factor) | 1) {}

    uint64_t odd_number() const { return other_factor; } // a part of the secret
    uint64_t of_32_bits(uint32_t key) const { return (key * factor + secret) >> 32; }
    uint64_t of_64_bits(uint64_t key) const { return folded_product(key ^ secret, factor); }
    uint64_t of_128_bits(uint64_t key, uint64_t more) const { return folded_product(of_64_bits(key) ^ more, other_factor); }
    // Hash of a word of n ≥ 1 bytes. `end` is the end of the text around the word.
    uint64_t of_word(const uint8_t *at, int64_t n, const uint8_t *end) const {
        uint64_t hash = secret ^ uint64_t(n);
        for (; n > 8; at += 8, n -= 8)
            hash = folded_product(hash ^ eight_bytes(at, end), factor);
        const uint64_t last = eight_bytes(at, end) << (64 - 8 * n); // without the bytes after the word
        return folded_product(hash ^ last, other_factor);
    }
};

// Slot at which the search for a key ends: the first one from its hash on that is free or holds the key, so that `ends(slot)` is true.
template <class Ends> inline int64_t find_slot(uint64_t hash, int64_t n_slots, Ends ends) {
    const int64_t mask = n_slots - 1;
    int64_t slot = int64_t(hash) & mask;
    while (!ends(slot))
        slot = (slot + 1) & mask;
    return slot;
}

} // namespace
