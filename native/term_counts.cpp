// Weights of the terms of texts, as rows of a sparse matrix (quality_estimation_metric.kernel_model.vectors).
#include "kernels.h"

namespace {

constexpr int DIGIT_BITS = 9; // two digits number 262,144 terms
constexpr int64_t N_DIGITS = int64_t(1) << DIGIT_BITS;

// Sorts numbers from 0 up to, not including, `limit`, digit by digit from the last one. With a text's hundreds of terms this is faster than
// comparisons. Returns the array that holds the result, `numbers` or `room`.
int32_t *sorted(int32_t *numbers, int32_t *room, int64_t n, int64_t limit) {
    for (int shift = 0; shift == 0 || limit >> shift; shift += DIGIT_BITS) {
        int64_t places[N_DIGITS + 1] = {};
        for (int64_t i = 0; i < n; i++)
            places[(numbers[i] >> shift & (N_DIGITS - 1)) + 1]++;
        for (int64_t digit = 0; digit < N_DIGITS; digit++)
            places[digit + 1] += places[digit];
        for (int64_t i = 0; i < n; i++)
            room[places[numbers[i] >> shift & (N_DIGITS - 1)]++] = numbers[i];
        int32_t *const last = numbers;
        numbers = room;
        room = last;
    }
    return numbers;
}

} // namespace

// Fills the rows of a sparse matrix, one for each text: `columns` with its terms in ascending order, `values` with their weights, and
// `starts` with the begin of each row. Returns the number of terms. A row has length 1; before that, the weight of a term is (1 + ln of its
// count) · idf.
//
// The n-grams of text i are nodes[begins[i]] to nodes[begins[i + 1] - 1] of a trie; `terms` has the term of each node, or -1. `logs` has ln n
// of each count n that there is.
EXPORT int64_t weigh_terms(const int32_t *nodes, int64_t n_nodes, const int64_t *begins, int64_t n_begins, const int32_t *terms, int64_t,
                           const double *idf, int64_t n_terms, const double *logs, int64_t, int32_t *columns, int64_t, double *values,
                           int64_t, int64_t *starts, int64_t) {
    Room<int32_t> known(n_nodes), room(n_nodes);
    if (!known || !room)
        return NO_MEMORY;
    int64_t written = 0;
    starts[0] = 0;
    for (int64_t text = 0; text < n_begins - 1; text++) {
        int64_t n_known = 0;
        for (int64_t at = begins[text]; at < begins[text + 1]; at++)
            if (terms[nodes[at]] >= 0)
                known[n_known++] = terms[nodes[at]];
        const int32_t *const found = sorted(known.at, room.at, n_known, n_terms);
        double squares = 0.0;
        for (int64_t at = 0, next; at < n_known; at = next) {
            for (next = at + 1; next < n_known && found[next] == found[at];)
                next++;
            const double value = (1.0 + logs[next - at]) * idf[found[at]];
            squares += value * value;
            columns[written] = found[at];
            values[written++] = value;
        }
        const double length = __builtin_sqrt(squares);
        for (int64_t at = starts[text]; at < written; at++)
            values[at] /= length;
        starts[text + 1] = written;
    }
    return written;
}
