// What each word of a text costs: the features of slor_metric.fluency, a column each.
#include "hash_table.h"

namespace {

enum Feature { PIECES, WORDS, CLASSES, WORST, MISSPELLINGS, REPETITIONS, PIECE_ODDS, WORD_ODDS, LEAST_PIECE, LEAST_WORD, LOWEST_CLASSES };
constexpr int N_FEATURES = LOWEST_CLASSES + 1;
enum Kind : int8_t { WORD, NAME, UNKNOWN, MISSPELLING, BLANK }; // of slor_metric.fluency.words
using Costs = double[N_FEATURES];

constexpr double CAP = 1.0;        // log-odds above this, in nats, earn nothing more
constexpr int64_t N_WORST = 3;     // how many of the words with the least class log-odds count once more
constexpr int64_t MOST_BLANK = 2;  // so many numbers and marks in a row occur in prose, as in a date; more are a list
constexpr double OF_UNKNOWN = 0.5; // what an unknown word in lower case costs, of a misspelling's mark

double least(double a, double b) { return b < a ? b : a; }

// One text of n words.
struct Text {
    int64_t n, n_pieces;
    const int64_t *numbers; // which word each is
    const int8_t *kinds;
    const double *piece_odds, *word_odds, *class_odds; // log-odds, in nats
    const bool *piece_starts;                          // whether a piece begins a word
    Costs *costs;                                      // a row a word, zeros
    bool *repeats, *rests;                             // room for n: which words say something again, and which can earn nothing

    // Mark the words that are the last word again, or end three words that stood in the text before. `seen` has room for n_slots
    // ends of such threes.
    void mark_repetitions(int64_t *seen, int64_t n_slots, const Hash &hash) {
        int64_t last_word = -1; // the last one that is no number or mark
        for (int64_t i = 0; i < n; i++) {
            repeats[i] = kinds[i] != BLANK && numbers[i] == last_word;
            if (kinds[i] != BLANK)
                last_word = numbers[i];
        }
        memset(seen, -1, n_slots * sizeof(int64_t));
        for (int64_t i = 2; i < n; i++) {
            const int64_t *three = numbers + i - 2;
            const uint64_t hashed = hash.of_128_bits(hash.of_128_bits(uint64_t(three[0]), uint64_t(three[1])), uint64_t(three[2]));
            const int64_t place = find_slot(hashed, n_slots, [&](int64_t at) {
                return seen[at] < 0 || !memcmp(numbers + seen[at] - 2, three, 3 * sizeof(int64_t));
            });
            if (seen[place] >= 0)
                repeats[i] = true;
            else
                seen[place] = i;
        }
    }
    // Repetitions, unknown words after unknown words, and numbers and marks after two others earn nothing.
    void mark_resting() {
        bool unknown_before = false;
        int64_t n_blank = 0; // in a row
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

    void charge_pieces() {
        int64_t piece = 0, lowest = 0;
        double lowest_odds = __builtin_inf();
        for (int64_t i = 0; i < n; i++) {
            for (const int64_t first = piece; piece < n_pieces && (piece == first || !piece_starts[piece]); piece++) {
                const double odds = piece_odds[piece];
                costs[i][PIECES] += shortfall(i, odds);
                costs[i][PIECE_ODDS] += earned(i, odds);
                if (odds < lowest_odds) {
                    lowest_odds = odds;
                    lowest = i;
                }
            }
        }
        costs[lowest][LEAST_PIECE] = lowest_odds < __builtin_inf() ? lowest_odds : 0.0;
    }
    void charge_words() {
        int64_t lowest = 0;
        for (int64_t i = 0; i < n; i++) {
            costs[i][WORDS] = shortfall(i, word_odds[i]);
            costs[i][WORD_ODDS] = earned(i, word_odds[i]);
            costs[i][CLASSES] = shortfall(i, class_odds[i]);
            if (word_odds[i] < word_odds[lowest])
                lowest = i;
        }
        costs[lowest][LEAST_WORD] = word_odds[lowest];
    }
    void charge_marks() {
        for (int64_t i = 0; i < n; i++) {
            costs[i][MISSPELLINGS] = kinds[i] == MISSPELLING ? -1.0 : kinds[i] == UNKNOWN ? -OF_UNKNOWN : 0.0;
            costs[i][REPETITIONS] = repeats[i] ? -1.0 : 0.0;
        }
    }
    // The words that cost most under the class model; the earlier of two equal ones.
    void charge_worst() {
        const int64_t n_worst = n < N_WORST ? n : N_WORST;
        for (int64_t k = 0; k < n_worst; k++) {
            int64_t worst = -1;
            for (int64_t i = 0; i < n; i++)
                if (costs[i][WORST] == 0.0 && (worst < 0 || costs[i][CLASSES] < costs[worst][CLASSES]))
                    worst = i;
            costs[worst][WORST] = least(costs[worst][CLASSES], -1e-12) / double(n_worst); // 0 would look like a word not chosen
            costs[worst][LOWEST_CLASSES] = earned(worst, class_odds[worst]) / double(n_worst);
        }
    }
    void scale_and_sum(const double *scales, double *sums) {
        for (int64_t i = 0; i < n; i++)
            for (int feature = 0; feature < N_FEATURES; feature++) {
                costs[i][feature] /= scales[feature];
                sums[feature] += costs[i][feature];
            }
    }
};

} // namespace

// Fills the costs of each word of n texts, (words, 11), and their sums, (n, 11), both zeros; each text's are divided by its row of
// `scales` (n, 11). Text i holds the words from offsets[i] to offsets[i + 1], and likewise the pieces.
EXPORT int64_t fluency_costs(const int64_t *numbers, int64_t, const int8_t *kinds, int64_t, const int64_t *offsets, int64_t n_offsets,
                             const double *piece_odds, int64_t, const int64_t *piece_offsets, int64_t, const bool *piece_starts, int64_t,
                             const double *word_odds, int64_t, const double *class_odds, int64_t, const double *scales, int64_t,
                             int64_t seed, double *costs, int64_t, double *sums, int64_t) {
    int64_t longest = 1;
    for (int64_t i = 0; i + 1 < n_offsets; i++)
        longest = larger_of(longest, offsets[i + 1] - offsets[i]);
    Room<bool> repeats(longest), rests(longest);
    Room<int64_t> seen(slots_for(longest));
    const Hash hash(seed);
    if (!repeats || !rests || !seen)
        return NO_MEMORY;
    for (int64_t i = 0; i + 1 < n_offsets; i++) {
        const int64_t word = offsets[i], piece = piece_offsets[i], size = offsets[i + 1] - word;
        if (!size)
            continue;
        Text text = {size, piece_offsets[i + 1] - piece, numbers + word, kinds + word, piece_odds + piece, word_odds + word,
                     class_odds + word, piece_starts + piece, reinterpret_cast<Costs *>(costs) + word, repeats.at, rests.at};
        text.mark_repetitions(seen.at, slots_for(size), hash);
        text.mark_resting();
        text.charge_pieces();
        text.charge_words();
        text.charge_marks();
        text.charge_worst();
        text.scale_and_sum(scales + i * N_FEATURES, sums + i * N_FEATURES);
    }
    return DONE;
}
