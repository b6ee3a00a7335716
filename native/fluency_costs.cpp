// Cost of each word of a text, with one column per feature of slor_metric.fluency.
#include "hash_table.h"
#include "word_kinds.h"

namespace {

enum Feature { PIECES, WORDS, CLASSES, WORST, MISSPELLINGS, REPETITIONS, PIECE_ODDS, WORD_ODDS, LEAST_PIECE, LEAST_WORD, LOWEST_CLASSES };
constexpr int N_FEATURES = LOWEST_CLASSES + 1;
using Costs = double[N_FEATURES];

constexpr double CAP = 1.0;        // log-odds, in nats, from which on there is no shortfall
constexpr int64_t N_WORST = 3;     // number of words with the least class log-odds, which count once more
constexpr int64_t MOST_BLANK = 2;  // most numbers and marks in a row in prose, as in a date; more are a list
constexpr double OF_UNKNOWN = 0.5; // cost of an unknown word in lower case, as a share of a misspelling's

double least(double a, double b) { return b < a ? b : a; }

// The N_WORST words with the largest shortfalls of class log-odds, the largest first; of equal ones, the earlier comes first.
struct Worst {
    int64_t words[N_WORST], n = 0;
    double costs[N_WORST];

    void take(int64_t word, double cost) {
        int64_t place = n;
        while (place > 0 && cost < costs[place - 1])
            place--;
        if (place == N_WORST)
            return;
        if (n < N_WORST)
            n++;
        for (int64_t i = n - 1; i > place; i--) {
            words[i] = words[i - 1];
            costs[i] = costs[i - 1];
        }
        words[place] = word;
        costs[place] = cost;
    }
    bool holds(int64_t word) const {
        for (int64_t i = 0; i < n; i++)
            if (words[i] == word)
                return true;
        return false;
    }
};

// One text of n words.
struct Text {
    int64_t n, n_pieces;
    const int64_t *numbers; // number of each word, equal for equal words
    const int8_t *kinds;
    const double *piece_odds, *word_odds, *class_odds; // log-odds, in nats
    const bool *piece_starts;                          // true if a piece begins a word
    bool *repeats, *rests;                             // room for n: true for a repetition, and for a word that can earn nothing

    // Marks each word that equals the last one (numbers and marks skipped), and each that ends three words which occurred before in the
    // text. `seen` is a hash table with room for n_slots ends of such threes.
    void mark_repetitions(int32_t *seen, int64_t n_slots, const Hash &hash) {
        int64_t last_word = -1; // the last one that is neither number nor mark
        for (int64_t i = 0; i < n; i++) {
            repeats[i] = kinds[i] != BLANK && numbers[i] == last_word;
            if (kinds[i] != BLANK)
                last_word = numbers[i];
        }
        memset(seen, -1, n_slots * sizeof(int32_t));
        for (int64_t i = 2; i < n; i++) {
            const int64_t *three = numbers + i - 2;
            const uint64_t hashed = hash.of_128_bits(hash.of_128_bits(uint64_t(three[0]), uint64_t(three[1])), uint64_t(three[2]));
            const int64_t place = find_slot(hashed, n_slots, [&](int64_t at) {
                return seen[at] < 0 || !memcmp(numbers + seen[at] - 2, three, 3 * sizeof(int64_t));
            });
            if (seen[place] >= 0)
                repeats[i] = true;
            else
                seen[place] = int32_t(i);
        }
    }
    // Marks the words that earn nothing: repetitions, unknown words after unknown words, and numbers and marks after two others.
    void mark_resting() {
        bool unknown_before = false;
        int64_t n_blank = 0; // numbers and marks in a row
        for (int64_t i = 0; i < n; i++) {
            const bool blank = kinds[i] == BLANK, unknown = kinds[i] != WORD && !blank;
            n_blank = blank ? n_blank + 1 : 0;
            rests[i] = n_blank > MOST_BLANK || repeats[i] || (unknown && unknown_before);
            if (!blank)
                unknown_before = unknown;
        }
    }
    double shortfall(int64_t i, double odds) const { return least(odds, rests[i] ? 0.0 : CAP) - CAP; }
    double earned(int64_t i, double odds) const { return rests[i] ? least(odds, 0.0) : odds; }
    // End of the pieces of the word that begins with this piece.
    int64_t end_of_pieces(int64_t piece) const {
        const int64_t first = piece;
        while (piece < n_pieces && (piece == first || !piece_starts[piece]))
            piece++;
        return piece;
    }

    // Adds the costs of all words, each divided by its feature's scale, to `sums`. `costs` receives one row per word, unless it is null.
    void charge(const double *scales, Costs *costs, double *sums) const {
        Worst worst;
        int64_t lowest_word = 0, with_lowest_piece = 0;
        double lowest_piece = __builtin_inf();
        for (int64_t i = 0, piece = 0; i < n; i++) {
            for (const int64_t end = end_of_pieces(piece); piece < end; piece++)
                if (piece_odds[piece] < lowest_piece) {
                    lowest_piece = piece_odds[piece];
                    with_lowest_piece = i;
                }
            if (word_odds[i] < word_odds[lowest_word])
                lowest_word = i;
            worst.take(i, shortfall(i, class_odds[i]));
        }
        for (int64_t i = 0, piece = 0; i < n; i++) {
            Costs row = {};
            for (const int64_t end = end_of_pieces(piece); piece < end; piece++) {
                row[PIECES] += shortfall(i, piece_odds[piece]);
                row[PIECE_ODDS] += earned(i, piece_odds[piece]);
            }
            row[WORDS] = shortfall(i, word_odds[i]);
            row[WORD_ODDS] = earned(i, word_odds[i]);
            row[CLASSES] = shortfall(i, class_odds[i]);
            row[MISSPELLINGS] = kinds[i] == MISSPELLING ? -1.0 : kinds[i] == UNKNOWN ? -OF_UNKNOWN : 0.0;
            row[REPETITIONS] = repeats[i] ? -1.0 : 0.0;
            if (i == with_lowest_piece && lowest_piece < __builtin_inf())
                row[LEAST_PIECE] = lowest_piece;
            if (i == lowest_word)
                row[LEAST_WORD] = word_odds[i];
            if (worst.holds(i)) {
                row[WORST] = least(row[CLASSES], -1e-12) / double(worst.n); // below 0, which tells the worst words from others
                row[LOWEST_CLASSES] = earned(i, class_odds[i]) / double(worst.n);
            }
            for (int feature = 0; feature < N_FEATURES; feature++) {
                row[feature] /= scales[feature];
                sums[feature] += row[feature];
            }
            if (costs)
                memcpy(costs[i], row, sizeof row);
        }
    }
};

} // namespace

// Adds the costs of the words of n texts to `sums` (n, 11), zeros before, and fills `repeats` with true for repetitions. `costs`
// (words, 11) receives the costs of each word, unless it is null. They are divided by the text's row of `scales` (n, 11). Text i has the
// words from offsets[i] to offsets[i + 1], and the pieces from piece_offsets[i] to piece_offsets[i + 1].
EXPORT int64_t fluency_costs(const int64_t *numbers, int64_t, const int8_t *kinds, int64_t, const int64_t *offsets, int64_t n_offsets,
                             const double *piece_odds, int64_t, const int64_t *piece_offsets, int64_t, const bool *piece_starts, int64_t,
                             const double *word_odds, int64_t, const double *class_odds, int64_t, const double *scales, int64_t,
                             int64_t seed, double *costs, int64_t, bool *repeats, int64_t, double *sums, int64_t) {
    int64_t longest = 1;
    for (int64_t i = 0; i + 1 < n_offsets; i++)
        longest = larger_of(longest, offsets[i + 1] - offsets[i]);
    if (longest > INT32_MAX)
        return wrong_argument(2);
    Room<bool> rests(longest);
    Room<int32_t> seen(slots_for(longest));
    const Hash hash(seed);
    if (!rests || !seen)
        return NO_MEMORY;
    for (int64_t i = 0; i + 1 < n_offsets; i++) {
        const int64_t word = offsets[i], piece = piece_offsets[i], size = offsets[i + 1] - word;
        if (!size)
            continue;
        Text text = {size,
                     piece_offsets[i + 1] - piece,
                     numbers + word,
                     kinds + word,
                     piece_odds + piece,
                     word_odds + word,
                     class_odds + word,
                     piece_starts + piece,
                     repeats + word,
                     rests.at};
        text.mark_repetitions(seen.at, slots_for(size), hash);
        text.mark_resting();
        text.charge(scales + i * N_FEATURES, costs ? reinterpret_cast<Costs *>(costs) + word : nullptr, sums + i * N_FEATURES);
    }
    return DONE;
}
