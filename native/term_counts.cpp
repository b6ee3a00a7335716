// Counts of the terms of texts, as rows of a sparse matrix (quality_estimation_metric.kernel_model.vectors).
#include "kernels.h"
#include <algorithm>

// Fills the terms of each text by ascending number, how often each stands there, and where those of each text begin. Returns their number.
//
// The n-grams of text i are nodes[begins[i]] to nodes[begins[i + 1] - 1] of a trie; `terms` has the term of each node, or -1.
EXPORT int64_t count_terms(const int32_t *nodes, int64_t n_nodes, const int64_t *begins, int64_t n_begins, const int32_t *terms, int64_t,
                           int32_t *columns, int64_t, int64_t *counts, int64_t, int64_t *starts, int64_t) {
    Room<int32_t> found(n_nodes);
    if (!found)
        return NO_MEMORY;
    int64_t written = 0;
    starts[0] = 0;
    for (int64_t text = 0; text < n_begins - 1; text++) {
        int64_t n_found = 0;
        for (int64_t at = begins[text]; at < begins[text + 1]; at++)
            if (terms[nodes[at]] >= 0)
                found[n_found++] = terms[nodes[at]];
        std::sort(found.at, found.at + n_found);
        for (int64_t at = 0; at < n_found; at++) {
            if (at == 0 || found[at] != found[at - 1]) {
                columns[written] = found[at];
                counts[written++] = 0;
            }
            counts[written - 1]++;
        }
        starts[text + 1] = written;
    }
    return written;
}
