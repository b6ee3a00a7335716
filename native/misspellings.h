// Frequent words, and a test whether an unknown word is one edit (Damerau 1964) away from one of them: a letter left out, added or changed,
// or two neighbours swapped.
//
// The key of a word is the sum of its letters, each times a power of an odd number, modulo 2^64. One product moves a part of a word by one
// place, so that the key of an edited word takes a step or two. Each key is looked up in a hash table.
//
// Most edits bring a letter in. A set of bits tells first whether any letter can help: it has the traces of all frequent words, which are
// the words without one letter, and with a gap in its place. A bit may be set by chance, so that the words themselves are looked up then.
#pragma once
#include "hash_table.h"

namespace {

constexpr int64_t SHORTEST = 4; // fewest letters: most shorter words are abbreviations and names, near to many others
constexpr int64_t LONGEST = 50; // most letters; no frequent word has as many

// Same as the named tuple `FrequentWords` of slor_metric.fluency.words. `letters` has those of all words after one another, word i's from
// begins[i] to begins[i + 1]. A slot of the hash table is half a hash and the number of its word, from 1. `traces` has a power of two of words
// of 64 bits. `alphabet` has the letters of the language.
struct FrequentWords {
    const uint32_t *letters;
    int64_t n_letters;
    const int64_t *begins;
    int64_t n_begins;
    const uint32_t *slots;
    int64_t n_slots;
    const uint64_t *traces;
    int64_t n_traces;
    const uint32_t *alphabet;
    int64_t n_alphabet, seed;
};

struct Slot {
    uint32_t half_hash, number;
};

// A word with one edit: its first `before` letters, then the letters `put`, then its own letters from place `after` on.
struct Edited {
    const uint32_t *word;
    int64_t n, before;
    uint32_t put[2];
    int64_t n_put, after;

    bool equals(const uint32_t *other, int64_t n_other) const {
        if (n_other != before + n_put + n - after)
            return false;
        return !memcmp(other, word, before * sizeof *word) && !memcmp(other + before, put, n_put * sizeof *word) &&
               !memcmp(other + before + n_put, word + after, (n - after) * sizeof *word);
    }
};

// Keys of the parts of a word.
struct Parts {
    uint64_t powers[LONGEST + 2], before[LONGEST + 2], after[LONGEST + 2]; // keys of the letters before each place, and from it on

    Parts(const uint32_t *word, int64_t n, uint64_t base) {
        powers[0] = 1;
        before[0] = 0;
        for (int64_t i = 0; i < n; i++) {
            before[i + 1] = before[i] + word[i] * powers[i];
            powers[i + 1] = powers[i] * base;
        }
        for (int64_t i = 0; i <= n; i++)
            after[i] = before[n] - before[i];
    }
    uint64_t with_gap(int64_t at) const { return before[at] + after[at + 1]; }
    uint64_t without(int64_t at, uint64_t inverse) const { return before[at] + inverse * after[at + 1]; }
};

class Misspellings {
    const FrequentWords &words;
    const Slot *slots;
    int64_t n_slots;
    Hash hash;
    uint64_t base, inverse; // of the powers: an odd number, and its inverse modulo 2^64

    bool in_alphabet(uint32_t letter) const {
        for (int64_t i = 0; i < words.n_alphabet; i++)
            if (words.alphabet[i] == letter)
                return true;
        return false;
    }
    // Places of the bits of a word without a letter, and of a word with a gap.
    uint64_t bit_of_shorter(uint64_t sum) const { return hash.of_64_bits(sum) & (64 * words.n_traces - 1); }
    uint64_t bit_of_gap(uint64_t sum) const { return hash.of_64_bits(~sum) & (64 * words.n_traces - 1); }
    bool has(uint64_t bit) const { return words.traces[bit / 64] >> bit % 64 & 1; }
    // True if an edited word is a frequent one. `sum` is its key.
    bool holds(uint64_t sum, const Edited &edited) const {
        const uint64_t hashed = hash.of_64_bits(sum);
        const int64_t slot = find_slot(hashed, n_slots, [&](int64_t at) {
            if (!slots[at].number)
                return true;
            if (slots[at].half_hash != hashed >> 32)
                return false;
            const int64_t *begin = words.begins + slots[at].number - 1;
            return edited.equals(words.letters + begin[0], begin[1] - begin[0]);
        });
        return slots[slot].number;
    }

  public:
    explicit Misspellings(const FrequentWords &words)
        : words(words), slots(reinterpret_cast<const Slot *>(words.slots)), n_slots(words.n_slots / 2), hash(words.seed),
          base(hash.odd_number()), inverse(base) {
        for (int bits = 3; bits < 64; bits *= 2) // each step of Newton's doubles the number of right bits
            inverse *= 2 - base * inverse;
    }

    uint64_t sum_of(const uint32_t *word, int64_t n) const {
        uint64_t sum = 0, power = 1;
        for (int64_t i = 0; i < n; i++, power *= base)
            sum += word[i] * power;
        return sum;
    }
    // Writes the hash table of the words and their traces. All slots and bits are zeros before.
    void index(uint32_t *table, uint64_t *traces) const {
        Slot *filled = reinterpret_cast<Slot *>(table);
        const auto set = [&](uint64_t bit) { traces[bit / 64] |= uint64_t(1) << bit % 64; };
        for (int64_t i = 0; i + 1 < words.n_begins; i++) {
            const uint32_t *word = words.letters + words.begins[i];
            const int64_t n = words.begins[i + 1] - words.begins[i];
            const uint64_t hashed = hash.of_64_bits(sum_of(word, n));
            const int64_t slot = find_slot(hashed, n_slots, [&](int64_t at) { return !filled[at].number; });
            filled[slot] = {uint32_t(hashed >> 32), uint32_t(i + 1)};
            if (n > LONGEST + 1)
                continue;
            const Parts parts(word, n, base);
            for (int64_t at = 0; at < n; at++) {
                set(bit_of_shorter(parts.without(at, inverse)));
                set(bit_of_gap(parts.with_gap(at)));
            }
        }
    }
    // True if a word of n letters, which the vocabulary lacks, is one edit away from a frequent one.
    bool is_misspelling(const uint32_t *word, int64_t n) const {
        if (n < SHORTEST || n > LONGEST)
            return false;
        int64_t n_foreign = 0;
        for (int64_t i = 0; i < n; i++)
            n_foreign += !in_alphabet(word[i]);
        if (n_foreign > 1) // one edit takes away one foreign letter at most
            return false;
        const Parts parts(word, n, base);
        for (int64_t at = 0; at < n; at++) {
            if (holds(parts.without(at, inverse), {word, n, at, {0, 0}, 0, at + 1}))
                return true;
            if (at + 1 < n && holds_swapped(word, n, at, parts))
                return true;
            if (has(bit_of_gap(parts.with_gap(at))) && holds_changed(word, n, at, parts))
                return true;
        }
        return has(bit_of_shorter(parts.before[n])) && holds_longer(word, n, parts);
    }

  private:
    // True if the word is frequent with the letters at this place and after it swapped.
    bool holds_swapped(const uint32_t *word, int64_t n, int64_t at, const Parts &parts) const {
        const uint64_t swapped = word[at + 1] * parts.powers[at] + word[at] * parts.powers[at + 1];
        return holds(parts.before[at] + swapped + parts.after[at + 2], {word, n, at, {word[at + 1], word[at]}, 2, at + 2});
    }
    // True if the word is frequent with another letter at this place.
    bool holds_changed(const uint32_t *word, int64_t n, int64_t at, const Parts &parts) const {
        for (int64_t i = 0; i < words.n_alphabet; i++) {
            const uint32_t letter = words.alphabet[i];
            if (holds(parts.with_gap(at) + letter * parts.powers[at], {word, n, at, {letter, 0}, 1, at + 1}))
                return true;
        }
        return false;
    }
    // True if the word is frequent with one more letter anywhere.
    bool holds_longer(const uint32_t *word, int64_t n, const Parts &parts) const {
        for (int64_t at = 0; at <= n; at++)
            for (int64_t i = 0; i < words.n_alphabet; i++) {
                const uint32_t letter = words.alphabet[i];
                const uint64_t sum = parts.before[at] + letter * parts.powers[at] + base * parts.after[at];
                if (holds(sum, {word, n, at, {letter, 0}, 1, at}))
                    return true;
            }
        return false;
    }
};

} // namespace
