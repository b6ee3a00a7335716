// Longest common subsequences of long texts (see kernels/rouge_l.py).
#include "kernels.h"

namespace {

int64_t count_bits(uint64_t word) { // without the processor's own instruction, which the lowest level may lack
    word -= (word >> 1) & 0x5555555555555555;
    word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333);
    return int64_t((((word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F) * 0x0101010101010101) >> 56);
}

} // namespace

// Writes the length of the longest common subsequence of each candidate and each pool text to `out`, (c, n).
//
// Hyyro (2004), "Bit-parallel LCS-length computation revisited", 64 tokens to a machine word: the rows of the dynamic
// programme become bit vectors, and a token of the pool text updates all positions of the candidate at once. A zero bit of
// the final vector is one token of the common subsequence. A word that the candidate lacks costs nothing, which is what
// RapidFuzz, faster on shorter texts, does not do. Tokens are in [0, n_types).
EXPORT int64_t lcs_lengths(const int64_t *tokens, int64_t, const int64_t *begins, int64_t n_begins, const int64_t *pool_tokens, int64_t,
                           const int64_t *pool_begins, int64_t n_pool_begins, int64_t n_types, int32_t *out, int64_t) {
    Room<int32_t> row_of_type(n_types, true); // 0 for types that the candidate lacks
    if (!row_of_type)
        return NO_MEMORY;
    for (int64_t candidate = 0; candidate < n_begins - 1; candidate++) {
        const int64_t *own = tokens + begins[candidate];
        int64_t length = begins[candidate + 1] - begins[candidate], n_words = (length + 63) / 64, n_rows = 1;
        Room<uint64_t> places((length + 1) * n_words, true), state(n_words); // where each type stands; row 0 stays empty
        if (!places || !state)
            return NO_MEMORY;
        for (int64_t place = 0; place < length; place++) {
            int32_t &row = row_of_type[own[place]];
            if (row == 0)
                row = int32_t(n_rows++);
            places[row * n_words + (place >> 6)] |= uint64_t(1) << (place & 63);
        }
        for (int64_t text = 0; text < n_pool_begins - 1; text++) {
            memset(state.at, 0xFF, n_words * 8); // bits beyond the candidate never match, so they stay set
            for (int64_t at = pool_begins[text]; at < pool_begins[text + 1]; at++) {
                int64_t row = row_of_type[pool_tokens[at]];
                if (row == 0)
                    continue;
                const uint64_t *matches = places.at + row * n_words;
                uint64_t carry = 0;
                for (int64_t which = 0; which < n_words; which++) {
                    uint64_t word = state[which], matching = word & matches[which], first = word + matching, total = first + carry;
                    carry = (first < word) | (total < first);
                    state[which] = total | (word - matching);
                }
            }
            int64_t common = 0;
            for (int64_t which = 0; which < n_words; which++)
                common += count_bits(~state[which]);
            out[candidate * (n_pool_begins - 1) + text] = int32_t(common);
        }
        for (int64_t place = 0; place < length; place++)
            row_of_type[own[place]] = 0;
    }
    return DONE;
}
