// Names that the models of slor_metric.fluency need not know: the words of texts, and the pieces of those words.
#include "kernels.h"
#include "word_kinds.h"

namespace {

constexpr int64_t NEAR = 2;        // a name may have this many unknown words after its capital
constexpr int64_t LEAST_KNOWN = 2; // fewest known words of a text that has names

} // namespace

// Fills `names` with true for each unknown word that may be a name: one with a capital, one at most two words after such a one, and one
// that begins a text. None that looks misspelt is a name. Text i has the words from offsets[i] to offsets[i + 1].
EXPORT int64_t mark_names(const int8_t *kinds, int64_t, const int64_t *offsets, int64_t n_offsets, bool *names, int64_t) {
    for (int64_t i = 0; i + 1 < n_offsets; i++) {
        const int64_t begin = offsets[i], end = offsets[i + 1];
        int64_t n_known = 0;
        for (int64_t word = begin; word < end; word++)
            n_known += kinds[word] == WORD;
        int64_t open_until = begin; // last word that may be a name without a capital
        for (int64_t word = begin; word < end; word++) {
            if (kinds[word] == NAME)
                open_until = word + NEAR;
            const bool is_unknown = kinds[word] == NAME || kinds[word] == UNKNOWN;
            names[word] = is_unknown && word <= open_until && n_known >= LEAST_KNOWN;
        }
    }
    return DONE;
}

// Fills `of_names` with true for each piece of a name. Text i has the words from offsets[i] to offsets[i + 1], and the pieces from
// piece_offsets[i] to piece_offsets[i + 1], of which `starts` is true for those that begin a word.
EXPORT int64_t mark_pieces(const bool *names, int64_t, const int64_t *offsets, int64_t n_offsets, const bool *starts, int64_t,
                           const int64_t *piece_offsets, int64_t, bool *of_names, int64_t) {
    for (int64_t i = 0; i + 1 < n_offsets; i++) {
        const int64_t last_word = offsets[i + 1] - 1;
        int64_t word = offsets[i];
        for (int64_t piece = piece_offsets[i]; piece < piece_offsets[i + 1]; piece++) {
            if (piece > piece_offsets[i] && starts[piece] && word < last_word)
                word++;
            of_names[piece] = word <= last_word && names[word];
        }
    }
    return DONE;
}
