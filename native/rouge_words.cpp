// The words of many texts, numbered by type: what ROUGE-L compares (slor_metric.rouge).
#include "kernels.h"

// Numbers the word types of texts, words parted by spaces and texts by zeros, in the order of their first occurrence. `numbers` (size)
// receives the number of each word, from 1, and 0 for each end of a text; `starts` and `ends` where the first word of each type begins
// and ends. Returns how many numbers there are; `n_types` (1) receives the number of types.
EXPORT int64_t number_words(const uint8_t *text, int64_t size, uint32_t *numbers, int64_t, int64_t *starts, int64_t, int64_t *ends, int64_t,
                            int64_t *n_types, int64_t) {
    int64_t most = 1, n_numbers = 0, types = 0; // most words: each but the last has something after it
    for (int64_t i = 0; i < size; i++)
        most += text[i] <= ' ';
    int bits = 1;
    while (int64_t(1) << bits < 2 * most)
        bits++;
    const int64_t mask = (int64_t(1) << bits) - 1;
    Room<uint32_t> type_at(mask + 1, true); // 0 in a free slot
    if (!type_at)
        return NO_MEMORY;
    for (int64_t at = 0; at < size;) {
        if (text[at] == ' ') {
            at++;
            continue;
        }
        const int64_t start = at;
        uint64_t key = 0;
        for (; at < size && text[at] != ' ' && text[at] != 0; at++)
            key = ((key << 7) | (key >> 57)) ^ text[at];
        if (at == start) { // the end of a text
            at++;
            numbers[n_numbers++] = 0;
            continue;
        }
        const int64_t length = at - start;
        int64_t slot = int64_t((key * 0x9E3779B97F4A7C15) >> (64 - bits));
        for (; type_at[slot]; slot = (slot + 1) & mask) {
            const int64_t type = type_at[slot] - 1;
            if (ends[type] - starts[type] == length && !memcmp(text + starts[type], text + start, length))
                break;
        }
        if (!type_at[slot]) {
            starts[types] = start;
            ends[types] = at;
            type_at[slot] = uint32_t(++types);
        }
        numbers[n_numbers++] = type_at[slot];
    }
    *n_types = types;
    return n_numbers;
}
