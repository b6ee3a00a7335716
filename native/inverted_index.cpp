// Index from features to the texts of a pool: posting lists, and rows of bits (see kernels/inverted_index.py).
#include "index.h"

namespace {

constexpr int FEATURES_AHEAD = 16; // features are prefetched this many features ahead: their arrays are larger than the caches

} // namespace

// Transposes texts -> features into features -> texts (ascending). `starts` has one item more than there are features.
EXPORT int64_t postings(const int32_t *features, int64_t, const int64_t *begins, int64_t n_begins, int64_t n_orders, int64_t *starts,
                        int64_t n_starts, int32_t *texts, int64_t) {
    int64_t n_features = n_starts - 1, n_texts = (n_begins - 1) / n_orders;
    memset(starts, 0, n_starts * sizeof(int64_t));
    for (int64_t at = 0; at < begins[n_begins - 1]; at++)
        starts[features[at] + 1]++;
    for (int64_t feature = 0; feature < n_features; feature++)
        starts[feature + 1] += starts[feature];
    for (int64_t text = 0; text < n_texts; text++)
        for (int64_t at = begins[text * n_orders]; at < begins[(text + 1) * n_orders]; at++)
            texts[starts[features[at]]++] = int32_t(text);
    memmove(starts + 1, starts, n_features * sizeof(int64_t)); // each begin has moved to the list's end, where the next begins
    starts[0] = 0;
    return DONE;
}

// Copies the posting lists of features without a dense row to `out`, one after another. `kept` receives the begin of each feature's there.
// Returns their total length.
EXPORT int64_t without_dense(const int64_t *starts, int64_t, const int32_t *lists, int64_t, const int32_t *dense_row, int64_t n_features,
                             int64_t *kept, int64_t, int32_t *out, int64_t) {
    kept[0] = 0;
    for (int64_t feature = 0; feature < n_features; feature++) {
        int64_t size = dense_row[feature] < 0 ? starts[feature + 1] - starts[feature] : 0;
        memcpy(out + kept[feature], lists + starts[feature], size * sizeof(int32_t));
        kept[feature + 1] = kept[feature] + size;
    }
    return kept[n_features];
}

// Splits the features of each (candidate, order) into dense rows and posting lists. The dense rows of each are padded with the row `empty`
// to a multiple of eight, and ROWS_AHEAD more follow the last one. Returns the number of posting lists.
EXPORT int64_t split_features(const int32_t *features, int64_t n_features, const int64_t *begins, int64_t n_begins, const int64_t *starts,
                              int64_t, const int32_t *dense_row, int64_t, int64_t empty, uint16_t *rows, int64_t, int64_t *row_begins,
                              int64_t, int64_t *rare_begins, int64_t, int64_t *rare_ends, int64_t, int64_t *list_begins, int64_t) {
    int64_t n_rows = 0, n_rare = 0;
    row_begins[0] = list_begins[0] = 0;
    for (int64_t list = 0; list < n_begins - 1; list++) {
        for (int64_t at = begins[list]; at < begins[list + 1]; at++) {
            if (at + FEATURES_AHEAD < n_features) {
                __builtin_prefetch(dense_row + features[at + FEATURES_AHEAD], 0, 3);
                __builtin_prefetch(starts + features[at + FEATURES_AHEAD], 0, 3);
            }
            int32_t feature = features[at];
            if (dense_row[feature] >= 0)
                rows[n_rows++] = uint16_t(dense_row[feature]);
            else if (starts[feature] < starts[feature + 1]) {
                rare_begins[n_rare] = starts[feature];
                rare_ends[n_rare++] = starts[feature + 1];
            }
        }
        while ((n_rows - row_begins[list]) % 8)
            rows[n_rows++] = uint16_t(empty);
        row_begins[list + 1] = n_rows;
        list_begins[list + 1] = n_rare;
    }
    for (int64_t at = 0; at < ROWS_AHEAD; at++)
        rows[n_rows + at] = uint16_t(empty);
    return n_rare;
}

// Sets the bits of each dense feature. `rows` has the shape (tiles, features + 1, words); the last row of a tile is empty.
//
// Bit 8b + k of word w stands for text 64k + 8w + b of the tile. In this order, transposing eight by eight bits turns bit planes into
// counts of one byte each, for eight runs of neighbouring texts.
EXPORT int64_t fill_bit_rows(const int64_t *starts, int64_t, const int32_t *texts, int64_t, const int64_t *dense, int64_t n_dense,
                             uint64_t *rows, int64_t) {
    for (int64_t row = 0; row < n_dense; row++)
        for (int64_t at = starts[dense[row]]; at < starts[dense[row] + 1]; at++) {
            int64_t tile = texts[at] / TILE, text = texts[at] % TILE;
            int64_t k = text / (8 * WORDS), w = text % (8 * WORDS) / 8, b = text % 8;
            rows[(tile * (n_dense + 1) + row) * WORDS + w] |= uint64_t(1) << (8 * b + k);
        }
    return DONE;
}

// Returns 1 if each posting list has its texts in ascending order, none twice; else 0.
EXPORT int64_t lists_ascend(const int64_t *starts, int64_t n_starts, const int32_t *texts, int64_t) {
    for (int64_t list = 0; list < n_starts - 1; list++)
        for (int64_t at = starts[list] + 1; at < starts[list + 1]; at++)
            if (texts[at] <= texts[at - 1])
                return 0;
    return 1;
}
