// Counts the n-gram features that candidates and pool share, block by block (see kernels/matching.py).
#include "../bleu_star.h"
#include "../index.h"
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace {

constexpr int ROWS_AT_ONCE = 248; // largest multiple of eight that a byte can count
constexpr int LISTS_AHEAD = 8;    // posting lists are prefetched this many lists ahead
constexpr int PLANES = 8;         // bits of a count
constexpr double SLACK = 1e-9;        // as in kernels/neighbors.py
constexpr double LOG_LEAST_POWER = -700.0; // e^-700 is about 1e-304; below 2e-308 numbers lose digits
constexpr double ONE = 68719476736.0; // the weight 1, in units of 2^-36
// Bits of one piece of a rating: a sum of weighted pieces over a tile fits 62 bits.
constexpr int LIMB_BITS = 62 - TILE_BITS - 36;
constexpr int64_t LIMB = (int64_t(1) << LIMB_BITS) - 1;

inline double least_of(double a, double b) { return a < b ? a : b; }
inline double most_of(double a, double b) { return a > b ? a : b; }

// ---------------------------------------------------------------------------------------------- counting bit rows

#if defined(__AVX512F__)
constexpr int LANES = 8;
#elif defined(__AVX2__)
constexpr int LANES = 4;
#else
constexpr int LANES = 2;
#endif
typedef uint64_t Vector __attribute__((vector_size(LANES * 8), aligned(8), may_alias));

// A full adder for each bit position: `sum` is set if one or three of the bits are, `carry` if two or three are.
inline void full(Vector &sum, Vector &carry, Vector a, Vector b, Vector c) {
#if defined(__AVX512F__)
    carry = (Vector)_mm512_ternarylogic_epi64((__m512i)a, (__m512i)b, (__m512i)c, 0xE8);
    sum = (Vector)_mm512_ternarylogic_epi64((__m512i)a, (__m512i)b, (__m512i)c, 0x96);
#else
    Vector half = b ^ c;
    carry = (b & c) | (a & half);
    sum = a ^ half;
#endif
}

// For each text of a tile, counts the rows in which its bit is set. The number of rows is a multiple of eight.
inline void count_bit_rows(const uint64_t *tile, const uint16_t *rows, int64_t begin, int64_t end, uint8_t *counts) {
    for (int first = 0; first < WORDS; first += LANES) {
        Vector planes[PLANES] = {};
        for (int64_t at = begin; at < end; at += 8) {
            Vector row[8];
            for (int which = 0; which < 8; which++) {
                if (first == 0)
                    __builtin_prefetch(tile + int64_t(rows[at + which + ROWS_AHEAD]) * WORDS, 0, 3);
                row[which] = *(const Vector *)(tile + int64_t(rows[at + which]) * WORDS + first);
            }
            Vector ones, twos, fours, carry, twos_a, twos_b, fours_a, fours_b;
            full(ones, twos_a, planes[0], row[0], row[1]);
            full(ones, twos_b, ones, row[2], row[3]);
            full(twos, fours_a, planes[1], twos_a, twos_b);
            full(ones, twos_a, ones, row[4], row[5]);
            full(ones, twos_b, ones, row[6], row[7]);
            full(twos, fours_b, twos, twos_a, twos_b);
            full(fours, carry, planes[2], fours_a, fours_b);
            planes[0] = ones, planes[1] = twos, planes[2] = fours;
            for (int plane = 3; plane < PLANES; plane++) {
                Vector next = planes[plane] & carry;
                planes[plane] ^= carry;
                carry = next;
            }
        }
        const struct { int shift; uint64_t mask; } steps[] = {
            {4, 0x0F0F0F0F0F0F0F0F}, {2, 0x3333333333333333}, {1, 0x5555555555555555}};
#pragma GCC unroll 8
        for (auto step : steps) // 8 x 8 bits transposed (Warren 2012, Hacker's Delight, section 7-3)
#pragma GCC unroll 8
            for (int low = 0; low < PLANES; low++)
                if (!(low & step.shift)) {
                    Vector &a = planes[low], &b = planes[low | step.shift];
                    Vector apart = ((a >> step.shift) ^ b) & step.mask;
                    a ^= apart << step.shift;
                    b ^= apart;
                }
        for (int run = 0; run < PLANES; run++)
            *(Vector *)(counts + (run * WORDS + first) * 8) = planes[run];
    }
}

// ------------------------------------------------------------------------------------------------------ the formula

// Logarithms of precisions. Candidates stand in order of length, and each logarithm is computed once for all of one length.
struct LogPrecisions {
    const Index &index;
    const Scoring &scoring;
    int64_t width, length = -1;
    Room<double> logs; // (orders, width): by the number of matches; without a match, by the number of orders that have none
    LogPrecisions(int64_t longest, const Index &index, const Scoring &scoring)
        : index(index), scoring(scoring), width(longest + 1 + index.n_orders), logs(index.n_orders * width) {}

    void begin(int64_t next_length) {
        if (next_length != length)
            memset(logs.at, 0xFF, index.n_orders * width * sizeof(double)); // NaN: not yet computed
        length = next_length;
    }
    double of(int64_t which, int64_t matched, int64_t possible, int64_t n_unmatched) {
        double &log = logs[which * width + (matched ? matched : width - n_unmatched)];
        if (log != log)
            log = log_precision(matched, possible, index.orders[which], n_unmatched, scoring.smoothing, scoring.smooth_value);
        return log;
    }
};

template <class Count>
void fill_log_similarities(double *values, const Count *counts, const int64_t *possible, int64_t length, const int64_t *lengths,
                           int64_t width, LogPrecisions &precisions) {
    int64_t n_orders = precisions.index.n_orders;
    precisions.begin(length);
    for (int64_t column = 0; column < width; column++) {
        double sum = 0.0;
        int64_t n_unmatched = 0;
        for (int64_t which = 0; which < n_orders; which++)
            n_unmatched += counts[which * TILE + column] == 0;
        if (n_unmatched < n_orders) {
            n_unmatched = 0;
            for (int64_t which = 0; which < n_orders; which++) {
                int64_t matched = counts[which * TILE + column];
                n_unmatched += matched == 0;
                sum += precisions.of(which, matched, possible[which], n_unmatched);
            }
        }
        values[column] = log_bleu_star(sum, n_unmatched, n_orders, log_brevity(length, lengths[column]));
    }
}

// Writes of(ln beta) for each text, beta being its brevity penalty. `of` is called once for each length of texts.
template <class Value, class Of> void fill_by_brevity(Value *out, int64_t length, const int64_t *lengths, int64_t width, Of of) {
    for (int64_t column = 0; column < width; column++)
        out[column] = column && lengths[column] == lengths[column - 1] ? out[column - 1] : Value(of(log_brevity(length, lengths[column])));
}

template <class Count, class Least>
void find_exact(uint8_t *hit, const Count *counts, const Least *least, int64_t width, int64_t n_orders) {
    if (n_orders == 3) {
        for (int64_t column = 0; column < width; column++)
            hit[column] = Least(counts[column]) * Least(counts[TILE + column]) * Least(counts[2 * TILE + column]) >= least[column];
        return;
    }
    for (int64_t column = 0; column < width; column++) {
        Least product = 1;
        for (int64_t which = 0; which < n_orders; which++)
            product *= Least(counts[which * TILE + column]);
        hit[column] = product >= least[column];
    }
}

#if defined(__AVX512BW__)
// The same as above, for counts in bytes. With three orders, the product of two counts fits 16 bits.
inline void find_exact(uint8_t *hit, const uint8_t *counts, const float *least, int64_t width, int64_t n_orders) {
    if (n_orders != 3)
        return find_exact<>(hit, counts, least, width, n_orders);
    for (int64_t first = 0; first < width; first += 16) {
        __m128i count[3];
        for (int which = 0; which < 3; which++)
            count[which] = _mm_loadu_si128((const __m128i *)(counts + which * TILE + first));
        __m256i pair = _mm256_mullo_epi16(_mm256_cvtepu8_epi16(count[0]), _mm256_cvtepu8_epi16(count[1]));
        __m512 product = _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(pair)), _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(count[2])));
        __mmask16 reached = _mm512_cmp_ps_mask(product, _mm512_loadu_ps(least + first), _CMP_GE_OQ);
        _mm_storeu_si128((__m128i *)(hit + first), _mm_movm_epi8(reached));
    }
}
#endif

// Writes BLEU* to the power of the number of orders. Three orders are written out, so that the compiler vectorises them.
template <class Count>
void fill_powers(double *powers, const Count *counts, int64_t width, int64_t n_orders, const double *shares) {
    if (n_orders == 3) {
        for (int64_t column = 0; column < width; column++)
            powers[column] = double(counts[column]) * double(counts[TILE + column]) * double(counts[2 * TILE + column]) * shares[column];
        return;
    }
    for (int64_t column = 0; column < width; column++) {
        powers[column] = shares[column];
        for (int64_t which = 0; which < n_orders; which++)
            powers[column] *= double(counts[which * TILE + column]);
    }
}

#if defined(__AVX512BW__)
// A word with one bit for each of up to 64 texts, set if the text is a hit.
inline uint64_t hit_bits(const uint8_t *hit, int64_t n) {
    __m512i bytes = _mm512_loadu_si512(hit);
    uint64_t bits = _mm512_test_epi8_mask(bytes, bytes);
    return n < 64 ? bits & ((uint64_t(1) << n) - 1) : bits;
}
#endif

inline int64_t count_and_sum(const uint8_t *hit, const int64_t *words, int64_t width, int64_t &total) {
    int64_t found = 0, sum = 0;
#if defined(__AVX512BW__)
    __m512i sums = {};
    for (int64_t first = 0; first < width; first += 64) {
        uint64_t bits = hit_bits(hit + first, width - first);
        found += __builtin_popcountll(bits);
        for (int run = 0; run < 64; run += 8, bits >>= 8)
            sums = _mm512_add_epi64(sums, _mm512_maskz_loadu_epi64(__mmask8(bits), words + first + run));
    }
    sum = _mm512_reduce_add_epi64(sums);
#else
    for (int64_t column = 0; column < width; column++) {
        int64_t mask = -int64_t(hit[column]);
        found -= mask;
        sum += words[column] & mask;
    }
#endif
    total += sum;
    return found;
}

// Writes the columns that are hits. `columns` has room for 16 more than that.
inline int64_t find_columns(const uint8_t *hit, int64_t width, int32_t *columns) {
    int64_t found = 0;
#if defined(__AVX512BW__)
    const __m512i places = {0x100000000, 0x300000002, 0x500000004, 0x700000006, 0x900000008, 0xB0000000A, 0xD0000000C, 0xF0000000E};
    for (int64_t first = 0; first < width; first += 64) {
        uint64_t bits = hit_bits(hit + first, width - first);
        for (int run = 0; run < 64; run += 16, bits >>= 16) {
            __m512i here = _mm512_add_epi32(places, _mm512_set1_epi32(int(first) + run));
            _mm512_storeu_si512(columns + found, _mm512_maskz_compress_epi32(__mmask16(bits), here));
            found += __builtin_popcount(uint16_t(bits));
        }
    }
#else
    for (int64_t column = 0; column < width; column++) {
        columns[found] = int32_t(column);
        found += hit[column];
    }
#endif
    return found;
}

template <class Count>
void whole_weights(int64_t *weights, const int32_t *columns, int64_t found, const Count *counts, int64_t n_orders, const double *roots,
                   const double *shares) {
    for (int64_t at = 0; at < found; at++) {
        int64_t column = columns[at];
        double weight = shares[column];
        if (n_orders == 3)
            weight *= roots[counts[column]] * roots[counts[TILE + column]] * roots[counts[2 * TILE + column]];
        else
            for (int64_t which = 0; which < n_orders; which++)
                weight *= roots[counts[which * TILE + column]];
        weights[at] = int64_t(weight + 0.5);
    }
}

// Adds the weights to the first of a candidate's words, and the weighted ratings to the other words.
inline void add_weighted(int64_t *words, int64_t n, const int64_t *weights, const int32_t *columns, int64_t found,
                         const Worths &worths, int64_t n_texts, int64_t first) {
    int64_t total = 0, carry = 0;
    for (int64_t at = 0; at < found; at++)
        total += weights[at];
    words[0] += total;
    for (int64_t place = worths.size_of_limbs / n_texts - 1; place >= 0; place--) {
        const int32_t *limbs = worths.limbs + place * n_texts + first;
        total = carry;
        for (int64_t at = 0; at < found; at++)
            total += weights[at] * int64_t(limbs[columns[at]]);
        words[(place + 2) * n] += total & LIMB;
        carry = total >> LIMB_BITS;
    }
    words[n] += carry;
}

// -------------------------------------------------------------------------------------------- candidates and tiles

// For each candidate: its number of n-grams of each order, their product, and true in `alive` if it can resemble any text.
struct Possible {
    Room<int64_t> ngrams;
    Room<double> products;
    Room<bool> alive;
    explicit operator bool() const { return ngrams && products && alive; }
    Possible(const Batch &batch, const Index &index, int64_t smoothing)
        : ngrams(batch.n * index.n_orders), products(batch.n), alive(batch.n) {
        if (!*this)
            return;
        int64_t n_orders = index.n_orders;
        for (int64_t candidate = 0; candidate < batch.n; candidate++) {
            products[candidate] = 1.0;
            alive[candidate] = batch.lengths[candidate] > 0;
            int64_t n_without = 0;
            for (int64_t which = 0; which < n_orders; which++) {
                int64_t at = candidate * n_orders + which, own = batch.lengths[candidate] - index.orders[which] + 1;
                ngrams[at] = own;
                products[candidate] *= double(own);
                bool without = batch.row_begins[at] == batch.row_begins[at + 1] && batch.list_begins[at] == batch.list_begins[at + 1];
                n_without += without;
                if (own <= 0 || (without && smoothing == NONE) || n_without == n_orders)
                    alive[candidate] = false;
            }
        }
    }
};

// End of a group of candidates from `first` on whose posting lists hold at most `most_matches` matches; at least one candidate.
inline int64_t group_end(const Batch &batch, int64_t first, int64_t n_orders, int64_t most_matches) {
    int64_t matches = 0;
    for (int64_t candidate = first; candidate < batch.n; candidate++) {
        for (int64_t which = batch.list_begins[candidate * n_orders]; which < batch.list_begins[(candidate + 1) * n_orders]; which++)
            matches += batch.ends[which] - batch.begins[which];
        if (matches > most_matches && candidate > first)
            return candidate;
    }
    return batch.n;
}

inline int64_t matches_of(const Batch &batch, int64_t first, int64_t stop, int64_t n_orders) {
    int64_t n = 0;
    for (int64_t which = batch.list_begins[first * n_orders]; which < batch.list_begins[stop * n_orders]; which++)
        n += batch.ends[which] - batch.begins[which];
    return n;
}

// The matches of candidates, from their posting lists: sorted by tile, and within a tile by n-gram order, the highest first.
struct Sorted {
    int64_t width; // of `begins`
    Room<int64_t> begins;
    Room<uint16_t> places;
    explicit operator bool() const { return begins && places; }
    Sorted(const Batch &batch, int64_t first, int64_t stop, const Index &index)
        : width(index.n_tiles() + 2), begins((stop - first) * width, true), places(matches_of(batch, first, stop, index.n_orders)) {
        if (!begins || !places)
            return;
        int64_t n_orders = index.n_orders, n_tiles = index.n_tiles(), written = 0, n_lists = batch.list_begins[batch.n * n_orders];
        for (int64_t candidate = first; candidate < stop; candidate++) {
            const int64_t *own = batch.list_begins + candidate * n_orders;
            int64_t *reach = begins.at + (candidate - first) * width;
            for (int64_t which = own[0]; which < own[n_orders]; which++) {
                if (which + LISTS_AHEAD < n_lists)
                    __builtin_prefetch(index.texts + batch.begins[which + LISTS_AHEAD], 0, 3);
                for (int64_t at = batch.begins[which]; at < batch.ends[which]; at++)
                    reach[(index.texts[at] >> TILE_BITS) + 2]++;
            }
            reach[0] = reach[1] = written;
            for (int64_t tile = 0; tile < n_tiles; tile++)
                reach[tile + 2] += reach[tile + 1];
            written = reach[n_tiles + 1];
            for (int64_t order = n_orders - 1; order >= 0; order--)
                for (int64_t which = own[order]; which < own[order + 1]; which++)
                    for (int64_t at = batch.begins[which]; at < batch.ends[which]; at++) {
                        int32_t text = index.texts[at];
                        places[reach[(text >> TILE_BITS) + 1]++] = uint16_t((order << TILE_BITS) + (text & (TILE - 1)));
                    }
        }
    }
};

// Up to TILE consecutive texts of the pool.
struct Tile {
    int64_t number, first, width;
    const int64_t *lengths;
};

// Calls `visit` for each candidate and tile, with the begin and the end of the candidate's matches of rare features in that tile.
template <class Visit> int64_t walk(const Batch &batch, const Index &index, int64_t most_matches, Visit visit) {
    for (int64_t begin = 0, end; begin < batch.n; begin = end) {
        end = group_end(batch, begin, index.n_orders, most_matches);
        Sorted sorted(batch, begin, end, index);
        if (!sorted)
            return NO_MEMORY;
        for (int64_t number = 0; number < index.n_tiles(); number++) {
            int64_t first = number * TILE, left = index.n_texts - first;
            Tile tile{number, first, left < TILE ? left : TILE, index.lengths + first};
            for (int64_t candidate = begin; candidate < end; candidate++) {
                const int64_t *reach = sorted.begins.at + (candidate - begin) * sorted.width + number;
                visit(candidate, tile, sorted.places.at, reach[0], reach[1]);
            }
        }
    }
    return DONE;
}

template <class Count> struct Scratch {
    Room<Count> counts; // (orders, texts)
    alignas(64) uint8_t in_bytes[TILE];
    explicit Scratch(int64_t n_orders) : counts(n_orders * TILE) {}
};

// Counts the features that a candidate shares with each text of a tile. Returns false if all similarities are certainly 0.
template <class Count>
bool count_shared(const Batch &batch, int64_t candidate, const Index &index, const Tile &tile, const uint16_t *places, int64_t low,
                  int64_t high, Scratch<Count> &scratch, bool exact) {
    int64_t n_orders = index.n_orders, highest = (candidate + 1) * n_orders;
    bool none_dense = batch.row_begins[highest] == batch.row_begins[highest - 1];
    if (exact && none_dense && (low == high || places[low] < (n_orders - 1) * TILE))
        return false;
    const uint64_t *rows = index.dense + tile.number * index.n_rows() * WORDS;
    for (int64_t which = 0; which < n_orders; which++) {
        int64_t at = candidate * n_orders + which, begin = batch.row_begins[at], end = batch.row_begins[at + 1];
        Count *counts = scratch.counts.at + which * TILE;
        if (sizeof(Count) == 1) {
            count_bit_rows(rows, batch.rows, begin, end, (uint8_t *)counts);
            continue;
        }
        memset(counts, 0, TILE * sizeof(Count));
        for (int64_t first = begin; first < end; first += ROWS_AT_ONCE) {
            int64_t stop = first + ROWS_AT_ONCE < end ? first + ROWS_AT_ONCE : end;
            count_bit_rows(rows, batch.rows, first, stop, scratch.in_bytes);
            for (int text = 0; text < TILE; text++)
                counts[text] += scratch.in_bytes[text];
        }
    }
    for (int64_t at = low; at < high; at++)
        scratch.counts[places[at]]++;
    return true;
}

template <class Count, class Least>
int64_t tally_as(const Batch &batch, const Index &index, int64_t most_matches, const Scoring &scoring, const Worths &worths,
                 const Sums &sums) {
    int64_t n_orders = index.n_orders, n = batch.n, n_texts = index.n_texts;
    int64_t n_words = n_texts ? worths.size_of_words / n_texts : 0;
    double threshold = scoring.threshold, log_threshold = threshold > 0.0 ? log_of(threshold * (1.0 - SLACK)) : -INFINITY;
    // Without smoothing the product of counts is compared with the threshold, and no logarithm is needed.
    bool exact = scoring.smoothing == NONE && threshold > 0.0 && !worths.values;
    Possible possible(batch, index, scoring.smoothing);
    Scratch<Count> scratch(n_orders);
    int64_t n_roots = worths.limbs && exact ? batch.lengths[n - 1] + 1 : 0;
    Room<double> roots(n_roots); // the N-th root of every count
    LogPrecisions precisions(exact ? 0 : batch.lengths[n - 1], index, scoring);
    if (!possible || !scratch.counts || !roots || !precisions.logs)
        return NO_MEMORY;
    for (int64_t count = 0; count < n_roots; count++)
        roots[count] = root_of(double(count), n_orders);
    const Count *counts = scratch.counts.at;
    Least least[TILE];
    uint8_t hit[TILE];
    int32_t columns[TILE + 16];
    int64_t weights[TILE], length_in_least = -1, tile_in_least = -1;
    double shares[TILE], values[TILE];
    return walk(batch, index, most_matches, [&](int64_t candidate, const Tile &tile, const uint16_t *places, int64_t low, int64_t high) {
        int64_t length = batch.lengths[candidate], width = tile.width, first = tile.first;
        const int64_t *lengths = tile.lengths;
        if (length == 0)
            return;
        // The first text of the tile is its shortest one, with the mildest brevity penalty of the tile.
        if (threshold > 0.0 && (!possible.alive[candidate] || log_brevity(length, lengths[0]) < log_threshold))
            return;
        if (!count_shared(batch, candidate, index, tile, places, low, high, scratch, exact))
            return;
        if (exact) {
            if (length != length_in_least || tile.number != tile_in_least) {
                double product = possible.products[candidate];
                // Smallest product of matched counts, a whole number, with which each text reaches the threshold.
                fill_by_brevity(least, length, lengths, width, [&](double brevity) {
                    double precisions = exp_of(double(n_orders) * (log_threshold - brevity));
                    return least_of(most_of(std::ceil(precisions * product), 1.0), 2.0 * product + 1.0);
                });
                if (worths.limbs) { // factors of the roots of counts
                    const double root = root_of(product, n_orders);
                    fill_by_brevity(shares, length, lengths, width, [&](double brevity) { return ONE * exp_of(brevity) / root; });
                }
                length_in_least = length, tile_in_least = tile.number;
            }
            find_exact(hit, counts, least, width, n_orders);
        } else {
            fill_log_similarities(values, counts, possible.ngrams.at + candidate * n_orders, length, lengths, width, precisions);
            for (int64_t column = 0; column < width; column++)
                hit[column] = threshold == 0.0 || values[column] >= log_threshold;
        }
        int64_t excluded = batch.excluded[candidate] - first, found;
        if (0 <= excluded && excluded < width)
            hit[excluded] = 0;
        int64_t *words = sums.words + candidate;
        if (worths.words) {
            found = count_and_sum(hit, worths.words + first, width, words[0]);
            for (int64_t which = 1; found && which < n_words; which++)
                count_and_sum(hit, worths.words + which * n_texts + first, width, words[which * n]);
        } else {
            found = find_columns(hit, width, columns);
            if (exact)
                whole_weights(weights, columns, found, counts, n_orders, roots.at, shares);
            else
                for (int64_t at = 0; at < found; at++) {
                    double similarity = exp_of(values[columns[at]]);
                    if (worths.limbs) {
                        weights[at] = int64_t(similarity * ONE + 0.5);
                    } else {
                        sums.weight[candidate] += similarity;
                        sums.ratings[candidate] += similarity * worths.values[first + columns[at]];
                    }
                }
            if (worths.limbs && found)
                add_weighted(words, n, weights, columns, found, worths, n_texts, first);
        }
        sums.n_neighbors[candidate] += found;
    });
}

template <class Count>
int64_t count_neighbors_as(const Batch &batch, const Index &index, int64_t most_matches, const Scoring &scoring, const double *thresholds,
                           int64_t n_thresholds, int64_t *out) {
    int64_t n_orders = index.n_orders, n = batch.n;
    const double log_lowest = log_of(thresholds[0]);
    // Without smoothing, products of precisions are compared with powers of the thresholds, unless a power would round to 0.
    bool exact = scoring.smoothing == NONE && double(n_orders) * log_lowest > LOG_LEAST_POWER;
    Room<double> least(n_thresholds); // of these products, or of BLEU* itself
    Possible possible(batch, index, scoring.smoothing);
    Scratch<Count> scratch(n_orders);
    LogPrecisions precisions(exact ? 0 : batch.lengths[n - 1], index, scoring);
    if (!possible || !scratch.counts || !precisions.logs || !least)
        return NO_MEMORY;
    for (int64_t which = 0; which < n_thresholds; which++)
        least[which] = exact ? power_of(thresholds[which], n_orders) : thresholds[which];
    const Count *counts = scratch.counts.at;
    int64_t length_in_shares = -1, tile_in_shares = -1;
    double shares[TILE], powers[TILE];
    return walk(batch, index, most_matches, [&](int64_t candidate, const Tile &tile, const uint16_t *places, int64_t low, int64_t high) {
        int64_t length = batch.lengths[candidate], width = tile.width;
        const int64_t *lengths = tile.lengths;
        // One less: a similarity a little below the smallest number is rounded up to it.
        if (!possible.alive[candidate] || log_brevity(length, lengths[0]) < log_lowest - 1.0)
            return;
        if (!count_shared(batch, candidate, index, tile, places, low, high, scratch, exact))
            return;
        if (exact) {
            if (length != length_in_shares || tile.number != tile_in_shares) {
                const double product = possible.products[candidate];
                fill_by_brevity(shares, length, lengths, width,
                                [&](double brevity) { return exp_of(double(n_orders) * brevity) / product; });
                length_in_shares = length, tile_in_shares = tile.number;
            }
            fill_powers(powers, counts, width, n_orders, shares);
        } else {
            fill_log_similarities(powers, counts, possible.ngrams.at + candidate * n_orders, length, lengths, width, precisions);
            for (int64_t column = 0; column < width; column++)
                powers[column] = exp_of(powers[column]);
        }
        int64_t excluded = batch.excluded[candidate] - tile.first;
        if (0 <= excluded && excluded < width)
            powers[excluded] = 0.0;
        for (int64_t which = 0; which < n_thresholds; which++) {
            int64_t found = 0;
            for (int64_t column = 0; column < width; column++)
                found += powers[column] >= least[which];
            if (!found)
                break;
            out[which * n + candidate] += found;
        }
    });
}

template <class Count> 
int64_t similarities_as(const Batch &batch, const Index &index, int64_t most_matches, const Scoring &scoring, double *out) {
    Possible possible(batch, index, scoring.smoothing);
    Scratch<Count> scratch(index.n_orders);
    LogPrecisions precisions(batch.lengths[batch.n - 1], index, scoring);
    if (!possible || !scratch.counts || !precisions.logs)
        return NO_MEMORY;
    return walk(batch, index, most_matches, [&](int64_t candidate, const Tile &tile, const uint16_t *places, int64_t low, int64_t high) {
        count_shared(batch, candidate, index, tile, places, low, high, scratch, false);
        double *values = out + candidate * index.n_texts + tile.first;
        fill_log_similarities(values, scratch.counts.at, possible.ngrams.at + candidate * index.n_orders, batch.lengths[candidate],
                              tile.lengths, tile.width, precisions);
        for (int64_t column = 0; column < tile.width; column++)
            values[column] = exp_of(values[column]);
    });
}

// Length of the longest candidate, which stands last. Counts have the narrowest type that holds its number of n-grams.
int64_t longest(const Batch &batch) { return batch.lengths[batch.n - 1]; }
constexpr int64_t MOST_1 = 255, MOST_2 = 65535;

} // namespace

// Counts each candidate's neighbours and sums their ratings (see matching.Sums).
EXPORT int64_t AT_LEVEL(tally)(const Batch *batch, const Index *index, int64_t most_matches, const Scoring *scoring, const Worths *worths,
                               const Sums *sums) {
    if (batch->n == 0)
        return DONE;
    double product = 1.0; // float32 holds whole numbers up to 2^24
    for (int64_t which = 0; which < index->n_orders; which++)
        product *= double(longest(*batch));
    if (longest(*batch) <= MOST_1)
        return product < 8388608.0 ? tally_as<uint8_t, float>(*batch, *index, most_matches, *scoring, *worths, *sums)
                                   : tally_as<uint8_t, double>(*batch, *index, most_matches, *scoring, *worths, *sums);
    if (longest(*batch) <= MOST_2)
        return product < 8388608.0 ? tally_as<uint16_t, float>(*batch, *index, most_matches, *scoring, *worths, *sums)
                                   : tally_as<uint16_t, double>(*batch, *index, most_matches, *scoring, *worths, *sums);
    return tally_as<int32_t, double>(*batch, *index, most_matches, *scoring, *worths, *sums);
}

// Counts each candidate's neighbours at thresholds above 0, ascending, in `out`, (thresholds, candidates).
EXPORT int64_t AT_LEVEL(count_neighbors)(const Batch *batch, const Index *index, int64_t most_matches, const Scoring *scoring,
                                         const double *thresholds, int64_t n_thresholds, int64_t *out, int64_t) {
    if (batch->n == 0 || n_thresholds == 0)
        return DONE;
    if (longest(*batch) <= MOST_1)
        return count_neighbors_as<uint8_t>(*batch, *index, most_matches, *scoring, thresholds, n_thresholds, out);
    if (longest(*batch) <= MOST_2)
        return count_neighbors_as<uint16_t>(*batch, *index, most_matches, *scoring, thresholds, n_thresholds, out);
    return count_neighbors_as<int32_t>(*batch, *index, most_matches, *scoring, thresholds, n_thresholds, out);
}

// Writes BLEU* of each candidate and each pool text to `out`, (candidates, pool).
EXPORT int64_t AT_LEVEL(similarities)(const Batch *batch, const Index *index, int64_t most_matches, const Scoring *scoring, double *out,
                                      int64_t) {
    if (batch->n == 0)
        return DONE;
    if (longest(*batch) <= MOST_1)
        return similarities_as<uint8_t>(*batch, *index, most_matches, *scoring, out);
    if (longest(*batch) <= MOST_2)
        return similarities_as<uint16_t>(*batch, *index, most_matches, *scoring, out);
    return similarities_as<int32_t>(*batch, *index, most_matches, *scoring, out);
}
