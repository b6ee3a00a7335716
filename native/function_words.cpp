// Counts of the function words of other languages in texts (slor_metric.language_models.other_languages).
#include "hash_table.h"

namespace {

constexpr uint64_t BASIS = 0xCBF29CE484222325, PRIME = 1099511628211; // FNV-1a, the hash that is a word's key
constexpr int N_LANGUAGES = 56;                                       // most languages: bits 0 to 55 of a word's properties

// Other bits of a word's properties, as in slor_metric.language_models.other_languages.
constexpr uint64_t FREQUENT = uint64_t(1) << 60, KNOWN_WELL = uint64_t(1) << 61, SHARED = uint64_t(1) << 62, TAKEN = uint64_t(1) << 63;
constexpr uint64_t LANGUAGES = (uint64_t(1) << N_LANGUAGES) - 1;

struct Entry {
    uint64_t key, properties; // the properties of a free slot are 0
};

struct Words {
    Entry *entries;
    int64_t n_slots;
    Hash hash;

    Words(uint64_t *table, int64_t size, int64_t seed) : entries(reinterpret_cast<Entry *>(table)), n_slots(size / 2), hash(seed) {}
    Entry &at(uint64_t key) const {
        return entries[find_slot(hash.of_64_bits(key), n_slots, [&](int64_t slot) {
            return !entries[slot].properties || entries[slot].key == key;
        })];
    }
};

bool is_letter(uint32_t point) { return (point >= 'a' && point <= 'z') || point >= 0x80; }

// Calls `take` with the key of each run of letters.
template <class Take> void for_each_word(const uint32_t *points, int64_t n, Take take) {
    for (int64_t i = 0; i < n; i++) {
        if (!is_letter(points[i]))
            continue;
        uint64_t key = BASIS;
        for (; i < n && is_letter(points[i]); i++)
            key = (key ^ points[i]) * PRIME;
        take(key);
    }
}

template <class Take> void for_each_language(uint64_t properties, Take take) {
    for (uint64_t rest = properties & LANGUAGES; rest; rest &= rest - 1)
        take(__builtin_ctzll(rest));
}

struct Counts {
    int64_t own, shared, english, rare;
};

// Counts of one text.
struct TextCounter {
    int64_t own[N_LANGUAGES], shared[N_LANGUAGES], explained[N_LANGUAGES]; // by language: function words, and the frequent ones among them
    int found[N_LANGUAGES], n_found;                                       // languages with a word of their own, the first one first
    int64_t n_frequent, n_rare;

    void add_word(uint64_t properties) {
        for_each_language(properties, [&](int language) {
            if (properties & SHARED)
                shared[language]++;
            else if (!own[language]++)
                found[n_found++] = language;
        });
    }
    void add_word_that_is_no_name(uint64_t properties) {
        n_rare += !(properties & KNOWN_WELL);
        if (!(properties & FREQUENT))
            return;
        n_frequent++;
        for_each_language(properties, [&](int language) { explained[language]++; });
    }
    // Counts of the language that explains most words. Of languages that explain as many, it is the one whose words come first.
    Counts best() const {
        Counts best = {0, 0, n_frequent, n_rare};
        double most = 0.0;
        for (int i = 0; i < n_found; i++) {
            const int language = found[i];
            const int64_t english = n_frequent - explained[language];
            const double explains = 1.5 * double(own[language]) + double(shared[language]) - double(english);
            if (explains > most) {
                most = explains;
                best = {own[language], shared[language], english, n_rare};
            }
        }
        return best;
    }
};

} // namespace

// Fills a table, zeros before, with n words. Word i has the code points from begins[i] to begins[i + 1].
EXPORT int64_t index_function_words(const uint32_t *points, int64_t, const int64_t *begins, int64_t n_begins, const uint64_t *properties,
                                    int64_t, int64_t seed, uint64_t *table, int64_t size) {
    const Words words(table, size, seed);
    for (int64_t i = 0; i + 1 < n_begins; i++) {
        uint64_t key = BASIS;
        for (int64_t at = begins[i]; at < begins[i + 1]; at++)
            key = (key ^ points[at]) * PRIME;
        words.at(key) = {key, properties[i] | TAKEN};
    }
    return DONE;
}

// Fills `counts` (n, 4) of n texts: function words of the language that explains a text best, those that the vocabulary lacks and those that
// it shares; the frequent words of the vocabulary that are none of them; and the rare words. Text i has the code points from begins[i] to
// begins[i + 1] of `points`, in lower case; all from 0x80 on are letters. Without its names it has those of `unnamed`; its frequent and its
// rare words are counted there. A word that the table lacks has the properties `of_others`.
EXPORT int64_t count_function_words(const uint32_t *points, int64_t, const int64_t *begins, int64_t n_begins, const uint32_t *unnamed,
                                    int64_t, const int64_t *unnamed_begins, int64_t, const uint64_t *table, int64_t size, int64_t seed,
                                    int64_t of_others, int64_t *counts, int64_t) {
    const Words words(const_cast<uint64_t *>(table), size, seed);
    const auto properties_of = [&](uint64_t key) {
        const Entry &entry = words.at(key);
        return entry.properties ? entry.properties : uint64_t(of_others);
    };
    Counts *rows = reinterpret_cast<Counts *>(counts);
    for (int64_t i = 0; i + 1 < n_begins; i++) {
        TextCounter counter = {};
        const auto add_word = [&](uint64_t key) { counter.add_word(properties_of(key)); };
        const auto add_other = [&](uint64_t key) { counter.add_word_that_is_no_name(properties_of(key)); };
        for_each_word(points + begins[i], begins[i + 1] - begins[i], add_word);
        for_each_word(unnamed + unnamed_begins[i], unnamed_begins[i + 1] - unnamed_begins[i], add_other);
        rows[i] = counter.best();
    }
    return DONE;
}
