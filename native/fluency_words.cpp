// Numbers and kinds of the words of texts, as slor_metric.fluency.words has them.
#include "ascii_words.h"
#include "misspellings.h"
#include "word_kinds.h"

namespace {

constexpr uint32_t UNKNOWN_IDS = 1 << 20; // unknown words share this many numbers

// CRC-32 as in zlib: a number for an unknown word that is the same in every process.
struct Checksum {
    uint32_t of_byte[256];

    constexpr Checksum() : of_byte() {
        for (uint32_t byte = 0; byte < 256; byte++) {
            uint32_t rest = byte;
            for (int bit = 0; bit < 8; bit++)
                rest = rest & 1 ? rest >> 1 ^ 0xEDB88320 : rest >> 1;
            of_byte[byte] = rest;
        }
    }
    uint32_t of(const uint8_t *at, const uint8_t *end) const {
        uint32_t rest = 0xFFFFFFFF;
        for (; at < end; at++)
            rest = of_byte[(rest ^ *at) & 255] ^ rest >> 8;
        return ~rest;
    }
};
constexpr Checksum CHECKSUM;

bool has_letter(const uint8_t *at, const uint8_t *end) {
    for (; at < end; at++)
        if (*at >= 'a' && *at <= 'z')
            return true;
    return false;
}

// True if a chunk, as it is written, has a capital and does not begin with a small letter. An unknown word in it may be a name.
bool has_capital(const uint8_t *at, const uint8_t *end) {
    if (*at >= 'a' && *at <= 'z')
        return false;
    for (; at < end; at++)
        if (*at >= 'A' && *at <= 'Z')
            return true;
    return false;
}

struct Reader {
    const Vocabulary &vocabulary;
    const Misspellings &misspellings;
    int64_t n_known, n_kinds;
    const int32_t *codes; // of the words of the next chunks that are not ASCII
    int64_t *numbers;
    int8_t *kinds;
    const uint8_t *spared; // a capital here counts as a small letter; null if there is none
    int64_t n = 0;         // words so far

    void add(int64_t number, Kind kind) {
        numbers[n] = number;
        kinds[n] = kind;
        n++;
    }
    // Adds a word of a chunk. The word is in lower case, the chunk as it is written.
    void add_word(const uint8_t *word, const uint8_t *end, const uint8_t *chunk, const uint8_t *end_of_chunk) {
        const int64_t id = vocabulary.id_of(word, end);
        const int64_t number = id >= 0 ? id : n_known + CHECKSUM.of(word, end) % UNKNOWN_IDS;
        if (!has_letter(word, end))
            add(number, BLANK);
        else if (id >= 0)
            add(number, WORD);
        else
            add(number, kind_of_unknown(word, end, may_be_name(chunk, end_of_chunk)));
    }
    bool may_be_name(const uint8_t *chunk, const uint8_t *end) const {
        const bool is_spared = chunk == spared && *chunk >= 'A' && *chunk <= 'Z';
        return !is_spared && has_capital(chunk, end);
    }
    Kind kind_of_unknown(const uint8_t *word, const uint8_t *end, bool capital) const {
        if (capital)
            return NAME;
        uint32_t points[LONGEST];
        const int64_t size = end - word;
        if (size > LONGEST)
            return UNKNOWN;
        for (int64_t i = 0; i < size; i++) {
            if (word[i] < 'a' || word[i] > 'z')
                return UNKNOWN;
            points[i] = word[i];
        }
        return misspellings.is_misspelling(points, size) ? MISSPELLING : UNKNOWN;
    }
    void add_other_chunk() {
        for (; *codes != END_OF_CHUNK; codes++)
            add(*codes / n_kinds, Kind(*codes % n_kinds));
        codes++;
    }
    // Reads a text; `plain` has room for its longest chunk.
    void read(const uint8_t *at, const uint8_t *end, uint8_t *plain) {
        while (at < end) {
            if (is_space(*at)) {
                at++;
                continue;
            }
            if (*at == OTHER_CHUNK) {
                add_other_chunk();
                at++;
                continue;
            }
            const SimpleChunk simple(at, end);
            const int64_t id = simple.is_simple && simple.stop > at ? vocabulary.find(simple.first, simple.second) : -1;
            if (id >= 0) {
                add(id, WORD);
                if (simple.has_mark)
                    add_word(simple.stop, simple.stop + 1, at, simple.stop + 1);
                at = simple.stop + simple.has_mark;
                continue;
            }
            const uint8_t *chunk = at;
            while (!ends_chunk(at, end))
                at++;
            const uint8_t *plain_end = plain + write_plain(chunk, at, plain);
            for (const uint8_t *word = plain, *word_end; word < plain_end; word = word_end) {
                word_end = end_of_word(word, plain_end);
                add_word(word, word_end, chunk, at);
            }
        }
    }
};

} // namespace

// Fills the hash table and the traces of frequent words (see `FrequentWords`), zeros before.
EXPORT int64_t index_frequent_words(const uint32_t *letters, int64_t n_letters, const int64_t *begins, int64_t n_begins, int64_t seed,
                                    uint32_t *slots, int64_t n_slots, uint64_t *traces, int64_t n_traces) {
    const FrequentWords words = {letters, n_letters, begins, n_begins, slots, n_slots, traces, n_traces, nullptr, 0, seed};
    Misspellings(words).index(slots, traces);
    return DONE;
}

// Fills `found` with true for each word that is one edit away from a frequent one. Word i has the letters from begins[i] to begins[i + 1].
EXPORT int64_t find_misspellings(const uint32_t *letters, int64_t, const int64_t *begins, int64_t n_begins, const FrequentWords *frequent,
                                 bool *found, int64_t) {
    const Misspellings misspellings(*frequent);
    for (int64_t i = 0; i + 1 < n_begins; i++)
        found[i] = misspellings.is_misspelling(letters + begins[i], begins[i + 1] - begins[i]);
    return DONE;
}

// Reads n texts, as `part_ascii` wrote them, and returns the number of their words. `numbers` and `kinds` receive the words of all texts
// after one another, and `offsets` (n + 1) the begin of each text in them. A chunk that is not ASCII was read already: its words are the next
// of `codes` up to END_OF_CHUNK, each as its number times `n_kinds` plus its kind. If `spares_first`, a capital that begins a text is no sign
// of a name.
EXPORT int64_t read_words(const uint8_t *text, int64_t, const int64_t *lengths, int64_t n, const int32_t *codes, int64_t, int64_t n_kinds,
                          const AsciiVocabulary *tables, int64_t n_known, const FrequentWords *frequent, int64_t spares_first,
                          int64_t *numbers, int64_t, int8_t *kinds, int64_t, int64_t *offsets, int64_t) {
    const Vocabulary vocabulary(*tables, -1);
    const Misspellings misspellings(*frequent);
    int64_t longest = 0;
    for (int64_t i = 0; i < n; i++)
        longest = larger_of(longest, lengths[i]);
    Room<uint8_t> plain(longest);
    if (!plain)
        return NO_MEMORY;
    Reader reader = {vocabulary, misspellings, n_known, n_kinds, codes, numbers, kinds, nullptr};
    for (int64_t i = 0; i < n; i++) {
        offsets[i] = reader.n;
        reader.spared = spares_first ? text : nullptr;
        reader.read(text, text + lengths[i], plain.at);
        text += lengths[i];
    }
    offsets[n] = reader.n;
    return reader.n;
}
