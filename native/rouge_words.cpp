// Words of many texts, numbered by type, which ROUGE-L compares (slor_metric.rouge).
#include "hash_table.h"

namespace {

// Types of the words so far, each by the place of its first word in the text.
struct Types {
    const uint8_t *text, *end_of_text;
    int64_t *starts, *ends;
    int64_t n, n_slots;
    Room<uint32_t> type_at; // the number of a type in each slot, from 1; 0 in a free one
    Hash hash;

    // Number of the type of a word, from 1; a new type is added.
    uint32_t number_of(int64_t start, int64_t end) {
        const int64_t length = end - start;
        const int64_t slot = find_slot(hash.of_word(text + start, length, end_of_text), n_slots, [&](int64_t at) {
            const int64_t type = int64_t(type_at[at]) - 1;
            return type < 0 || (ends[type] - starts[type] == length && !memcmp(text + starts[type], text + start, length));
        });
        if (!type_at[slot]) {
            starts[n] = start;
            ends[n] = end;
            type_at[slot] = uint32_t(++n);
        }
        return type_at[slot];
    }
};

} // namespace

// Numbers the word types of texts in the order of their first occurrence. Spaces separate words, and zeros separate texts. `numbers`
// (size) receives the number of each word, from 1, and 0 for each end of a text. `starts` and `ends` receive the begin and the end of the
// first word of each type, `n_types` (1) the number of types. Returns the number of items in `numbers`.
EXPORT int64_t number_words(const uint8_t *text, int64_t size, int64_t seed, uint32_t *numbers, int64_t, int64_t *starts, int64_t,
                            int64_t *ends, int64_t, int64_t *n_types, int64_t) {
    int64_t most_words = 1; // each word but the last has a space or a zero after it
    for (int64_t i = 0; i < size; i++)
        most_words += text[i] <= ' ';
    const int64_t n_slots = slots_for(most_words);
    Types types{text, text + size, starts, ends, 0, n_slots, Room<uint32_t>(n_slots, true), Hash(seed)};
    if (!types.type_at)
        return NO_MEMORY;
    int64_t n_numbers = 0;
    for (int64_t at = 0; at < size;) {
        const int64_t start = at;
        while (at < size && text[at] > ' ')
            at++;
        if (at > start)
            numbers[n_numbers++] = types.number_of(start, at);
        else if (text[at++] == 0)
            numbers[n_numbers++] = 0;
    }
    *n_types = types.n;
    return n_numbers;
}
