// Counts of the characters of texts: letters with ln p three by three, words, known words, signs (slor_metric.language_models.prose).
#include "chunks.h"
#include "hash_table.h"

namespace {

constexpr int SPACE = 0, OTHER = 27, SIZE = 28; // as in slor_metric.language_models.classes
constexpr uint64_t BASIS = 0xCBF29CE484222325, PRIME = 1099511628211; // FNV-1a, the hash that is a word's key

// Code of each character of one byte: of a letter from 1 to OTHER, SPACE for any other character. All letters beyond ASCII have one code.
struct Codes {
    uint8_t of[256];

    constexpr Codes() : of() {
        for (int i = 0; i < 26; i++) {
            of['a' + i] = uint8_t(1 + i);
            of['A' + i] = uint8_t(1 + i);
        }
        for (int point = 0xAA; point < 256; point++)
            of[point] = OTHER;
    }
};
constexpr Codes CODES;

inline int letter(uint32_t point) { return point < 256 ? CODES.of[point] : OTHER; }
inline bool is_digit(uint32_t point) { return point >= '0' && point <= '9'; }
inline uint32_t lower_case(uint32_t point) { return point < 128 ? point | 32 : point; }

// Words of a vocabulary by their keys. Bit 1 of an entry is set in a taken slot, bit 0 if the word is frequent.
struct Words {
    int64_t *table, n_slots;
    Hash hash;

    int64_t *at(uint64_t key) const {
        return table + find_slot(hash.of_64_bits(key >> 2), n_slots, [&](int64_t at) { return !table[at] || (uint64_t(table[at]) ^ key) >> 2 == 0; });
    }
};

struct Counts { // COLUMNS of slor_metric.language_models.prose
    int64_t spelled, others, words, known, frequent, marks, signs, repeated;
};

struct Reading { // of a text so far
    Counts counts = {};
    double total = 0.0;
    bool in_number = false;
    uint32_t last_sign = ~0u;
};

// Reads chunks of a text and the white space between them.
template <class Point> struct ChunkReader : Reading {
    const Point *points;
    int64_t n;
    const double *logprobs;
    const Words &vocabulary;

    ChunkReader(const Reading &before, const Point *points, int64_t n, const double *logprobs, const Words &vocabulary)
        : Reading(before), points(points), n(n), logprobs(logprobs), vocabulary(vocabulary) {}

    uint32_t at(int64_t i) const { return i >= 0 && i < n ? points[i] : ' '; }

    const Reading &read() {
        for (int64_t i = 0; i < n;) {
            if (letter(points[i]) != SPACE)
                i = read_word(i);
            else {
                read_sign(i);
                i++;
            }
        }
        return *this;
    }
    // Reads the letters from place i on, and the end of the word, which counts as a letter. Returns the place after the letters.
    int64_t read_word(int64_t i) {
        const bool is_clitic = at(i - 1) == '\'' && letter(at(i - 2)) != SPACE; // after a letter and an apostrophe
        const int64_t begin = i;
        uint64_t key = BASIS, key_before = BASIS; // of the word so far, and of it without its last letter
        int first = SPACE, second = SPACE;        // codes of the two characters before, inside the word
        for (; i < n; i++) {
            const uint32_t point = points[i], lower = lower_case(point);
            const int code = letter(point);
            if (code == SPACE)
                break;
            total += logprobs[(first * SIZE + second) * SIZE + code];
            counts.others += code == OTHER;
            counts.repeated += lower == last_sign;
            last_sign = lower;
            key_before = key;
            key = (key ^ lower) * PRIME;
            first = second;
            second = code;
        }
        total += logprobs[(first * SIZE + second) * SIZE + SPACE];
        counts.spelled += i - begin + 1;
        counts.signs += i - begin;
        in_number = false;
        if (is_clitic)
            return i;
        int64_t entry = *vocabulary.at(key);
        if (!entry && at(i) == '\'' && (at(i + 1) | 32) == 't' && second == letter('n'))
            entry = *vocabulary.at(key_before);
        counts.words++;
        counts.known += entry != 0;
        counts.frequent += entry & 1;
        return i;
    }
    void read_sign(int64_t i) {
        const uint32_t point = points[i], following = at(i + 1);
        if (is_digit(point)) {
            counts.signs++;
            counts.repeated += point == last_sign;
            last_sign = point;
            counts.marks += !in_number;
            in_number = true;
        } else if (!(in_number && (point == ',' || point == '.') && is_digit(following))) {
            in_number = false;
            const bool joins = letter(at(i - 1)) != SPACE && (point == '\'' || point == '-') && letter(following) != SPACE;
            counts.marks += point > ' ' && !joins;
        }
    }
};

} // namespace

// Fills a table, zeros before, with every run of letters of a vocabulary. `points` has one word per line, in lower case, the most frequent
// first. The runs of the first `n_frequent` lines are frequent.
EXPORT int64_t index_words(const uint32_t *points, int64_t n, int64_t n_frequent, int64_t seed, int64_t *table, int64_t n_slots) {
    const Words words = {table, n_slots, Hash(seed)};
    uint64_t key = BASIS;
    int64_t line = 0, length = 0;
    for (int64_t i = 0; i <= n; i++) {
        const uint32_t point = i < n ? points[i] : '\n';
        if (letter(point) != SPACE) {
            key = (key ^ point) * PRIME;
            length++;
            continue;
        }
        if (length) {
            int64_t *entry = words.at(key);
            if (!*entry)
                *entry = int64_t((key & ~uint64_t(3)) | 2 | (line < n_frequent));
        }
        key = BASIS;
        length = 0;
        line += point == '\n';
    }
    return DONE;
}

// Fills `sums` (n) with ln p of the letters of n texts, as `part_ascii` wrote them, each given the two characters before it within its word,
// and `counts` (n, 8) with the numbers of letters, words and signs. Chunks that are not ASCII are the next ones of `others`, which has their
// code points in lower case, END_OF_CHUNK after each chunk; all above 0xA9 are letters. The end of a word counts as a letter. A word is a run of
// letters, together with the run after an apostrophe. If a run before "'t" is unknown with its final n, it is looked up without. A number is
// a run of digits with the points and commas inside it. Apostrophes and hyphens inside words are no signs.
EXPORT int64_t count_characters(const uint8_t *text, int64_t, const int64_t *lengths, int64_t n, const int32_t *others, int64_t,
                                const double *logprobs, int64_t, const int64_t *table, int64_t n_slots, int64_t seed, double *sums, int64_t,
                                int64_t *counts, int64_t) {
    const Words vocabulary = {const_cast<int64_t *>(table), n_slots, Hash(seed)};
    for (int64_t i = 0; i < n; i++) {
        Reading reading;
        for (const uint8_t *end = text + lengths[i]; text < end;) {
            const void *other = memchr(text, OTHER_CHUNK, end - text);
            const uint8_t *stop = other ? static_cast<const uint8_t *>(other) : end;
            reading = ChunkReader<uint8_t>(reading, text, stop - text, logprobs, vocabulary).read();
            text = stop;
            if (other) {
                const int32_t *begin = others;
                while (*others != END_OF_CHUNK)
                    others++;
                reading = ChunkReader<int32_t>(reading, begin, others - begin, logprobs, vocabulary).read();
                others++;
                text++;
            }
        }
        sums[i] = reading.total;
        reinterpret_cast<Counts *>(counts)[i] = reading.counts;
    }
    return DONE;
}
