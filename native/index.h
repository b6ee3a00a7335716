// An indexed pool and a batch of candidates as Python's named tuples hold them (see kernels/matching.py).
#pragma once
#include "kernels.h"

namespace {

[[maybe_unused]] constexpr int TILE_BITS = 9, TILE = 1 << TILE_BITS, WORDS = TILE / 64; // texts per tile, words per row of a tile
[[maybe_unused]] constexpr int ROWS_AHEAD = 64; // rows are prefetched this many rows ahead, from the third-level cache

struct Index { // n texts in ascending order of length
    const int64_t *lengths;
    int64_t n_texts;
    const int64_t *orders;
    int64_t n_orders;
    const uint64_t *dense; // (tiles, rows, words)
    int64_t n_words;
    const int32_t *texts;
    int64_t n_matches;

    int64_t n_tiles() const { return (n_texts + TILE - 1) / TILE; }
    int64_t n_rows() const { return n_texts ? n_words / (n_tiles() * WORDS) : 0; }
};

struct Batch { // c candidates in ascending order of length, with one list per (candidate, order)
    const int64_t *lengths;
    int64_t n;
    const uint16_t *rows;
    int64_t n_rows;
    const int64_t *row_begins;
    int64_t n_row_begins;
    const int64_t *begins;
    int64_t n_begins;
    const int64_t *ends;
    int64_t n_ends;
    const int64_t *list_begins;
    int64_t n_list_begins;
    const int64_t *excluded;
    int64_t n_excluded;
};

struct Scoring {
    double threshold;
    int64_t smoothing;
    double smooth_value;
};

struct Worths { // the ratings of the n pool texts in one of three forms; the other two are null
    const int64_t *words; // (n_words, n)
    int64_t size_of_words;
    const int32_t *limbs; // (n_limbs, n)
    int64_t size_of_limbs;
    const double *values; // (n,)
    int64_t n_values;
};

struct Sums { // sums over the neighbours of each of c candidates
    int64_t *n_neighbors;
    int64_t n;
    int64_t *words; // (n_words, c)
    int64_t size_of_words;
    double *weight;
    int64_t n_weight;
    double *ratings;
    int64_t n_ratings;
};

} // namespace
