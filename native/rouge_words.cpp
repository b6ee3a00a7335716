// Words of many texts, numbered by type, and the longest common subsequences that ROUGE-L compares (slor_metric.rouge).
#include "chunks.h"
#include "hash_table.h"

namespace {

// Lower-cased letters and digits of ASCII; a space in place of any other byte.
struct WordBytes {
    uint8_t of[256];

    constexpr WordBytes() : of() {
        for (int byte = 0; byte < 256; byte++)
            of[byte] = ' ';
        for (int digit = '0'; digit <= '9'; digit++)
            of[digit] = uint8_t(digit);
        for (int letter = 'a'; letter <= 'z'; letter++)
            of[letter] = of[letter - 'a' + 'A'] = uint8_t(letter);
    }
};
constexpr WordBytes WORD_BYTES;

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

// Number of words up to the next end of a text.
int64_t words_until_end(const uint32_t *numbers) {
    int64_t n = 0;
    while (numbers[n])
        n++;
    return n;
}

// Lengths of the longest subsequences that a candidate has in common with its references. Each row of the table of lengths is 64 bits of
// differences for 64 words of the candidate, which additions move on (Hyyrö 2004); what they carry goes to the next 64 words.
struct Subsequences {
    Room<uint64_t> places; // the places of each type among the 64 words, as bits
    Room<uint8_t> carried; // for each word of the references, what its addition carried over

    // Adds to `lcs` what 64 words of the candidate at most, `block`, have in common with each of n references.
    void add_block(const uint32_t *block, int64_t size, bool is_first, const uint32_t *references, int64_t n, int64_t *lcs) {
        for (int64_t i = 0; i < size; i++)
            places[block[i]] |= uint64_t(1) << i;
        const uint32_t *word = references;
        for (int64_t k = 0; k < n; k++, word++) {
            uint64_t row = ~uint64_t(0);
            for (; *word; word++) {
                uint8_t &carry = carried[word - references];
                const uint64_t common = row & places[*word], sum = row + common, total = sum + (is_first ? 0 : carry);
                carry = sum < row || total < sum;
                row = total | (row & ~common);
            }
            if (size < 64)
                row |= ~uint64_t(0) << size;
            for (uint64_t bits = ~row; bits; bits &= bits - 1)
                lcs[k]++;
        }
        for (int64_t i = 0; i < size; i++)
            places[block[i]] = 0;
    }
};

} // namespace

// Writes the words of n texts, as `part_ascii` wrote them, with spaces between words and a zero after each text, and returns the number of bytes:
// at most as many as `text` and `others` have, and n more. Words of ASCII are runs of letters and digits, in lower case. A chunk that is not ASCII
// has the words of the next line of `others`, between spaces.
EXPORT int64_t write_words(const uint8_t *text, int64_t size, const int64_t *lengths, int64_t n, const uint8_t *others, int64_t others_size,
                           uint8_t *words, int64_t room) {
    if (room < size + others_size + n)
        return wrong_argument(3);
    uint8_t *out = words;
    for (int64_t i = 0; i < n; i++) {
        for (const uint8_t *end = text + lengths[i]; text < end; text++)
            if (*text == OTHER_CHUNK) {
                while (*others != '\n')
                    *out++ = *others++;
                others++;
            } else
                *out++ = WORD_BYTES.of[*text];
        *out++ = 0;
    }
    return out - words;
}

// Numbers the word types of texts, as `write_words` wrote them, in the order of their first occurrence. `numbers` receives the number of each
// word, from 1, and 0 for each end of a text. `starts` and `ends` receive the begin and the end of the first word of each type, `n_types` (1) the
// number of types. Returns the number of items in `numbers`.
EXPORT int64_t number_words(const uint8_t *words, int64_t size, int64_t seed, uint32_t *numbers, int64_t room, int64_t *starts, int64_t n_starts,
                            int64_t *ends, int64_t n_ends, int64_t *n_types, int64_t) {
    int64_t most_words = 0, n_texts = 0; // each word has a space or a zero after it
    for (int64_t i = 0; i < size; i++) {
        most_words += words[i] <= ' ';
        n_texts += !words[i];
    }
    if (size && words[size - 1])
        return wrong_argument(0);
    if (room < most_words + n_texts)
        return wrong_argument(2);
    if (n_starts < most_words)
        return wrong_argument(3);
    if (n_ends < most_words)
        return wrong_argument(4);
    const int64_t n_slots = slots_for(most_words);
    Types types{words, words + size, starts, ends, 0, n_slots, Room<uint32_t>(n_slots, true), Hash(seed)};
    if (!types.type_at)
        return NO_MEMORY;
    int64_t n_numbers = 0;
    for (int64_t at = 0; at < size;) {
        const int64_t start = at;
        while (words[at] > ' ')
            at++;
        if (at > start)
            numbers[n_numbers++] = types.number_of(start, at);
        else if (words[at++] == 0)
            numbers[n_numbers++] = 0;
    }
    *n_types = types.n;
    return n_numbers;
}

// Lengths of the longest common subsequences of n candidates and their references, `counts` (n) of each. `numbers` (size) holds the words
// of all candidates, then of all references, as `number_words` gives them, with 0 after each text. `lcs` receives a length for each
// reference, `lengths` the number of words of each text.
EXPORT int64_t common_subsequences(const uint32_t *numbers, int64_t size, int64_t n_types, const int64_t *counts, int64_t n, int64_t *lcs,
                                   int64_t n_references, int64_t *lengths, int64_t n_texts) {
    int64_t n_ends = 0, n_counted = 0, at = 0;
    for (int64_t i = 0; i < size; i++) {
        if (numbers[i] > uint64_t(n_types))
            return wrong_argument(0);
        n_ends += !numbers[i];
    }
    for (int64_t i = 0; i < n; i++) {
        if (counts[i] < 1)
            return wrong_argument(2);
        n_counted += counts[i];
    }
    if (n_ends != n_texts || (size && numbers[size - 1]))
        return wrong_argument(0);
    if (n_counted != n_references || n + n_references != n_texts)
        return wrong_argument(2);
    for (int64_t text = 0; text < n_texts; text++) {
        lengths[text] = words_until_end(numbers + at);
        at += lengths[text] + 1;
    }
    Subsequences found{Room<uint64_t>(n_types + 1, true), Room<uint8_t>(size)};
    if (!found.places || !found.carried)
        return NO_MEMORY;
    const uint32_t *candidate = numbers, *references = numbers;
    for (int64_t i = 0; i < n; i++)
        references += lengths[i] + 1;
    const int64_t *reference_lengths = lengths + n;
    for (int64_t k = 0; k < n_references; k++)
        lcs[k] = 0;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t start = 0; start < lengths[i]; start += 64) {
            const int64_t left = lengths[i] - start;
            found.add_block(candidate + start, left < 64 ? left : 64, !start, references, counts[i], lcs);
        }
        candidate += lengths[i] + 1;
        for (int64_t k = 0; k < counts[i]; k++)
            references += *reference_lengths++ + 1;
        lcs += counts[i];
    }
    return 0;
}
