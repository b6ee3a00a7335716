// The small language model (slor_metric.language_models.lstm): ln p of each token of texts under an LSTM of one layer with weights in 8
// bits and an adaptive softmax.
//
// A matrix product is one of whole numbers: weights of 8 bits by states rounded to as many bits as keep sums within 32, about 15. Such
// sums are exact, so that every processor, every batch and every number of threads gives the same bits; all else is done lane by lane in
// one order.
#include "../kernels.h"
#include "../numbers.h"
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace {

constexpr int LANES = 16;    // columns of a matrix that lie side by side
constexpr int ROWS = 6;      // rows that are multiplied together
constexpr int64_t STATES = 48; // states whose tokens' scores are held at once

// A matrix of n columns by k rows: for every 16 columns and every two rows those 32 numbers, then zeros for what lacks; and what each
// column is multiplied by.
struct Matrix {
    const int8_t *packed;
    const float *scales;
    int64_t n, k;

    int64_t pairs() const { return (k + 1) / 2; }
    int64_t blocks() const { return (n + LANES - 1) / LANES; }
    const int8_t *block(int64_t i) const { return packed + i * pairs() * 2 * LANES; }
    // States are rounded to whole numbers of at most this size.
    int32_t most() const { return int32_t(INT32_MAX / (127 * 2 * pairs()) < INT16_MAX ? INT32_MAX / (127 * 2 * pairs()) : INT16_MAX); }
};

// sums (rows, 16) = states (rows, 2 · pairs) by a block of a matrix; at most ROWS rows.
#if defined(__AVX2__)
int32_t two(const int16_t *at) {
    int32_t pair;
    memcpy(&pair, at, sizeof pair);
    return pair;
}
#endif
#if defined(__AVX512BW__)
template <int N> void multiply_rows(const int16_t *const *states, const int8_t *block, int64_t pairs, int32_t (*sums)[LANES]) {
    __m512i sum[N];
    for (int i = 0; i < N; i++)
        sum[i] = _mm512_setzero_si512();
    for (int64_t p = 0; p < pairs; p++, block += 2 * LANES) {
        const __m512i weights = _mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)block));
        for (int i = 0; i < N; i++)
            sum[i] = _mm512_add_epi32(sum[i], _mm512_madd_epi16(weights, _mm512_set1_epi32(two(states[i] + 2 * p))));
    }
    for (int i = 0; i < N; i++)
        _mm512_storeu_si512(sums[i], sum[i]);
}
#elif defined(__AVX2__)
template <int N> void multiply_rows(const int16_t *const *states, const int8_t *block, int64_t pairs, int32_t (*sums)[LANES]) {
    __m256i low[N], high[N];
    for (int i = 0; i < N; i++)
        low[i] = high[i] = _mm256_setzero_si256();
    for (int64_t p = 0; p < pairs; p++, block += 2 * LANES) {
        const __m256i first = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)block));
        const __m256i second = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(block + LANES)));
        for (int i = 0; i < N; i++) {
            const __m256i state = _mm256_set1_epi32(two(states[i] + 2 * p));
            low[i] = _mm256_add_epi32(low[i], _mm256_madd_epi16(first, state));
            high[i] = _mm256_add_epi32(high[i], _mm256_madd_epi16(second, state));
        }
    }
    for (int i = 0; i < N; i++) {
        _mm256_storeu_si256((__m256i *)sums[i], low[i]);
        _mm256_storeu_si256((__m256i *)(sums[i] + 8), high[i]);
    }
}
#else
template <int N> void multiply_rows(const int16_t *const *states, const int8_t *block, int64_t pairs, int32_t (*sums)[LANES]) {
    for (int i = 0; i < N; i++) {
        int32_t sum[LANES] = {};
        const int8_t *weights = block;
        for (int64_t p = 0; p < pairs; p++, weights += 2 * LANES) {
            const int32_t first = states[i][2 * p], second = states[i][2 * p + 1];
            for (int j = 0; j < LANES; j++)
                sum[j] += first * weights[2 * j] + second * weights[2 * j + 1];
        }
        memcpy(sums[i], sum, sizeof sum);
    }
}
#endif

void multiply(const int16_t *const *states, int64_t n_rows, const int8_t *block, int64_t pairs, int32_t (*sums)[LANES]) {
    switch (n_rows) {
    case 1: return multiply_rows<1>(states, block, pairs, sums);
    case 2: return multiply_rows<2>(states, block, pairs, sums);
    case 3: return multiply_rows<3>(states, block, pairs, sums);
    case 4: return multiply_rows<4>(states, block, pairs, sums);
    case 5: return multiply_rows<5>(states, block, pairs, sums);
    default: return multiply_rows<6>(states, block, pairs, sums);
    }
}

// As many numbers at once as a register holds.
#if defined(__AVX512BW__)
constexpr int WIDTH = 16;
#elif defined(__AVX2__)
constexpr int WIDTH = 8;
#else
constexpr int WIDTH = 4;
#endif
constexpr int PARTS = LANES / WIDTH;
using Floats = float __attribute__((vector_size(4 * WIDTH)));
using Wholes = int32_t __attribute__((vector_size(4 * WIDTH)));
using Shorts = int16_t __attribute__((vector_size(2 * WIDTH)));

inline Floats all(float value) { return Floats{} + value; }
inline Floats larger(Floats a, Floats b) { return a > b ? a : b; }
inline Floats absolute(Floats x) { return (Floats)((Wholes)x & 0x7FFFFFFF); }
inline Floats floats(Wholes x) { return __builtin_convertvector(x, Floats); }
inline Shorts rounded(Floats x) { // half away from zero, whatever the processor's mode
    const Floats half = (Floats)(((Wholes)x & INT32_MIN) | (Wholes)all(0.5f));
    return __builtin_convertvector(__builtin_convertvector(x + half, Wholes), Shorts);
}
// The next n numbers, at most WIDTH, and others after them.
template <class V, class T> inline V load(const T *at, int64_t n = WIDTH, V rest = V{}) {
    if (n >= WIDTH)
        memcpy(&rest, at, sizeof rest);
    else
        for (int i = 0; i < n; i++)
            rest[i] = at[i];
    return rest;
}
template <class V, class T> inline void store(V values, T *at, int64_t n = WIDTH) {
    if (n >= WIDTH)
        memcpy(at, &values, sizeof values);
    else
        for (int i = 0; i < n; i++)
            at[i] = values[i];
}
// Join sixteen numbers in one order, whatever the width.
template <class F> inline float fold(const Floats *parts, F join) {
    float lanes[LANES];
    memcpy(lanes, parts, sizeof lanes);
    for (int half = LANES / 2; half; half /= 2)
        for (int j = 0; j < half; j++)
            lanes[j] = join(lanes[j], lanes[j + half]);
    return lanes[0];
}
inline float greatest(const Floats *parts) {
    return fold(parts, [](float a, float b) { return a > b ? a : b; });
}

// e^x for x ≤ 88: 2^n by its bits and e^r by a polynomial, |r| ≤ ln 2 / 2 (Cephes's expf, 2 units in the last place); 0 from −87 down.
inline Floats exponential(Floats x) {
    const Floats bounded = larger(x, all(-87.0f));
    const Floats n = (bounded * 1.44269504088896341f + 12582912.0f) - 12582912.0f; // 1.5 · 2^23: the sum rounds to a whole number
    const Floats r = (bounded - n * 0.693359375f) - n * -2.12194440e-4f;
    Floats p = all(1.9875691500e-4f);
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * (r * r) + r + 1.0f;
    const Floats power = (Floats)((Wholes)p + __builtin_convertvector(n, Wholes) * (1 << 23));
    return x < -87.0f ? Floats{} : power;
}
inline Floats sigmoid(Floats x) {
    const Floats power = exponential(-absolute(x)), small = power / (1.0f + power);
    return x < 0.0f ? small : 1.0f - small;
}
inline Floats hyperbolic_tangent(Floats x) {
    const Floats power = exponential(-2.0f * absolute(x)), size = (1.0f - power) / (1.0f + power);
    return x < 0.0f ? -size : size;
}

// Rows of n floats as whole numbers, with zeros up to `room`; `scales` receives what each row of them is multiplied by.
void round_rows(const float *values, int64_t n_rows, int64_t n, int64_t room, int32_t most, int16_t *out, float *scales) {
    for (int64_t row = 0; row < n_rows; row++, values += n, out += room) {
        Floats lanes[PARTS] = {};
        for (int64_t i = 0; i < n; i += WIDTH)
            lanes[i / WIDTH % PARTS] = larger(lanes[i / WIDTH % PARTS], absolute(load<Floats>(values + i, n - i)));
        const float size = greatest(lanes);
        const float factor = size > 0.0f ? float(most) / size : 0.0f;
        for (int64_t i = 0; i < room; i += WIDTH)
            store(i < n ? rounded(load<Floats>(values + i, n - i) * factor) : Shorts{}, out + i, room - i);
        scales[row] = size / float(most);
    }
}

// out (rows, n) = states (rows, room), times their scales, by a matrix, plus a bias where there is one.
void multiply_matrix(const int16_t *states, const float *scales, int64_t n_rows, int64_t room, const Matrix &matrix, const float *bias,
                     float *out) {
    for (int64_t block = 0; block < matrix.blocks(); block++)
        for (int64_t row = 0; row < n_rows; row += ROWS) {
            const int64_t some = n_rows - row < ROWS ? n_rows - row : ROWS, first = block * LANES;
            const int64_t width = matrix.n - first < LANES ? matrix.n - first : LANES;
            const int16_t *rows[ROWS];
            int32_t sums[ROWS][LANES];
            for (int64_t i = 0; i < some; i++)
                rows[i] = states + (row + i) * room;
            multiply(rows, some, matrix.block(block), matrix.pairs(), sums);
            for (int64_t j = 0; j < width; j += WIDTH) {
                const Floats column_scales = load<Floats>(matrix.scales + first + j, width - j);
                const Floats added = bias ? load<Floats>(bias + first + j, width - j) : Floats{};
                for (int64_t i = 0; i < some; i++)
                    store(floats(load<Wholes>(sums[i] + j)) * (column_scales * scales[row + i]) + added,
                          out + (row + i) * matrix.n + first + j, width - j);
            }
        }
}

// ln of the softmax of n scores at one of them.
double log_softmax(const float *scores, int64_t n, int64_t at) {
    const Floats nothing = all(-3e38f);
    Floats lanes[PARTS], parts[PARTS] = {};
    for (Floats &lane : lanes)
        lane = nothing;
    for (int64_t i = 0; i < n; i += LANES)
        for (int j = 0; j < PARTS; j++)
            lanes[j] = larger(lanes[j], load<Floats>(scores + i + j * WIDTH, n - i - j * WIDTH, nothing));
    const float most = greatest(lanes);
    for (int64_t i = 0; i < n; i += LANES)
        for (int j = 0; j < PARTS; j++)
            parts[j] += exponential(load<Floats>(scores + i + j * WIDTH, n - i - j * WIDTH, nothing) - most);
    const float sum = fold(parts, [](float a, float b) { return a + b; });
    return double(scores[at] - most) - log_of(double(sum));
}

// The named tuple `SmallNetwork` in Python. Units are a multiple of 16; the matrices by token and by state have the gates of 16 units
// side by side: input, forget, cell, output.
struct Network {
    const int8_t *embedding; // (vocabulary, e)
    int64_t n_embedding;
    const float *embedding_scales;
    int64_t vocabulary;
    const int8_t *packed; // all matrices after one another
    int64_t n_packed;
    const float *scales; // of their columns
    int64_t n_scales;
    const int64_t *sizes; // the columns and rows of each
    int64_t n_sizes;
    const float *gate_bias;
    int64_t n_gate_bias;
    const float *head_bias;
    int64_t n_head_bias;
    const int64_t *cutoffs; // where the vocabulary is cut into clusters
    int64_t n_cutoffs;
};

constexpr int64_t MOST_CLUSTERS = 8;

struct Reader {
    const Network &network;
    Matrix by_token, by_state, projection, head, tails[2 * MOST_CLUSTERS];
    int64_t room; // of a state

    explicit Reader(const Network &network) : network(network) {
        Matrix *const firsts[] = {&by_token, &by_state, &projection, &head};
        const int8_t *packed = network.packed;
        const float *scales = network.scales;
        for (int64_t i = 0; i < network.n_sizes / 2; i++) {
            Matrix &matrix = i < 4 ? *firsts[i] : tails[i - 4];
            matrix = {packed, scales, network.sizes[2 * i], network.sizes[2 * i + 1]};
            packed += matrix.blocks() * matrix.pairs() * 2 * LANES;
            scales += matrix.n;
        }
        room = by_state.n / 4; // units that fill up the last 16 are 0
    }
    int64_t narrow_room() const { return 2 * head.pairs(); }
    int64_t most_columns() const {
        int64_t most = head.n;
        for (int64_t i = 0; i < network.n_cutoffs; i++)
            most = tails[2 * i + 1].n > most ? tails[2 * i + 1].n : most;
        return most;
    }

    // The next states of n texts that read a token each; states and tokens are rows of whole numbers.
    void step(const int16_t *const *tokens, const float *token_scales, const int16_t *const *states, int64_t n, float *cells,
              int16_t *const *next) const {
        const int64_t units = by_state.n / 4;
        const float most = float(by_state.most()), state_scale = 1.0f / most;
        for (int64_t unit = 0; unit < units; unit += LANES)
            for (int64_t row = 0; row < n; row += ROWS) {
                const int64_t some = n - row < ROWS ? n - row : ROWS;
                int32_t of_token[4][ROWS][LANES], of_state[4][ROWS][LANES];
                for (int gate = 0; gate < 4; gate++) {
                    const int64_t block = 4 * (unit / LANES) + gate;
                    multiply(tokens + row, some, by_token.block(block), by_token.pairs(), of_token[gate]);
                    multiply(states + row, some, by_state.block(block), by_state.pairs(), of_state[gate]);
                }
                for (int64_t i = 0; i < some; i++)
                    for (int j = 0; j < LANES; j += WIDTH) {
                        Floats sums[4];
                        for (int gate = 0; gate < 4; gate++) {
                            const int64_t column = 4 * unit + gate * LANES + j;
                            sums[gate] = floats(load<Wholes>(of_token[gate][i] + j)) *
                                             (load<Floats>(by_token.scales + column) * token_scales[row + i]) +
                                         floats(load<Wholes>(of_state[gate][i] + j)) *
                                             (load<Floats>(by_state.scales + column) * state_scale) +
                                         load<Floats>(network.gate_bias + column);
                        }
                        float *cell = cells + (row + i) * units + unit + j;
                        const Floats next_cell =
                            load<Floats>(cell) * sigmoid(sums[1]) + sigmoid(sums[0]) * hyperbolic_tangent(sums[2]);
                        store(next_cell, cell);
                        store(rounded(hyperbolic_tangent(next_cell) * sigmoid(sums[3]) * most), next[row + i] + unit + j);
                    }
            }
    }
};

// Room for the scores of some states.
struct Scores {
    Room<float> narrow, narrow_scales, logits, tail, tail_scales;
    Room<int16_t> rounded, chosen, rounded_tail;

    Scores(const Reader &reader)
        : narrow(STATES * reader.projection.n), narrow_scales(STATES), logits(STATES * reader.most_columns()),
          tail(STATES * reader.projection.n), tail_scales(STATES), rounded(STATES * reader.narrow_room()),
          chosen(STATES * reader.narrow_room()), rounded_tail(STATES * reader.narrow_room()) {}
    explicit operator bool() const {
        return narrow && narrow_scales && logits && tail && tail_scales && rounded && chosen && rounded_tail;
    }
};

// ln p of a token after each of at most STATES states, (n, room).
void score(const Reader &reader, const int16_t *states, const int32_t *targets, int64_t n, double *logprobs, Scores &scores) {
    const Network &network = reader.network;
    const int64_t width = reader.projection.n, room = reader.narrow_room();
    for (int64_t i = 0; i < n; i++)
        scores.narrow_scales[i] = 1.0f / float(reader.by_state.most());
    multiply_matrix(states, scores.narrow_scales.at, n, reader.room, reader.projection, nullptr, scores.narrow.at);
    round_rows(scores.narrow.at, n, width, room, reader.head.most(), scores.rounded.at, scores.narrow_scales.at);
    multiply_matrix(scores.rounded.at, scores.narrow_scales.at, n, room, reader.head, network.head_bias, scores.logits.at);
    const int64_t n_clusters = network.n_cutoffs, first = n_clusters ? network.cutoffs[0] : network.vocabulary;
    for (int64_t i = 0; i < n; i++) {
        int64_t cluster = 0;
        while (cluster < n_clusters && targets[i] >= network.cutoffs[cluster])
            cluster++;
        logprobs[i] = log_softmax(scores.logits.at + i * reader.head.n, reader.head.n, cluster ? first + cluster - 1 : targets[i]);
    }
    for (int64_t cluster = 0; cluster < n_clusters; cluster++) {
        const Matrix &inner = reader.tails[2 * cluster], &outer = reader.tails[2 * cluster + 1];
        const int64_t begin = network.cutoffs[cluster], tail_room = 2 * outer.pairs();
        int64_t members[STATES], n_members = 0;
        for (int64_t i = 0; i < n; i++)
            if (targets[i] >= begin && targets[i] < begin + outer.n) {
                memcpy(scores.chosen.at + n_members * room, scores.rounded.at + i * room, room * sizeof(int16_t));
                scores.tail_scales[n_members] = scores.narrow_scales[i];
                members[n_members++] = i;
            }
        multiply_matrix(scores.chosen.at, scores.tail_scales.at, n_members, room, inner, nullptr, scores.tail.at);
        round_rows(scores.tail.at, n_members, inner.n, tail_room, outer.most(), scores.rounded_tail.at, scores.tail_scales.at);
        multiply_matrix(scores.rounded_tail.at, scores.tail_scales.at, n_members, tail_room, outer, nullptr, scores.logits.at);
        for (int64_t i = 0; i < n_members; i++)
            logprobs[members[i]] += log_softmax(scores.logits.at + i * outer.n, outer.n, targets[members[i]] - begin);
    }
}

} // namespace

// ln p of each token of some texts after the ones before it. Text i is the tokens framed[starts[i]], …, lengths[i] of them and one more;
// `lengths` never rise. `logprobs` receives those of all but the first token of each, text after text.
EXPORT int64_t AT_LEVEL(read_small)(const int32_t *framed, int64_t, const int64_t *starts, int64_t n, const int64_t *lengths, int64_t,
                                    const Network *network, double *logprobs, int64_t) {
    const Reader reader(*network);
    const int64_t units = reader.by_state.n / 4, width = reader.by_token.k, token_room = 2 * reader.by_token.pairs();
    Room<int64_t> first(n); // of each text's states
    Room<int16_t> none(reader.room, true), tokens(n * token_room, true);
    Room<const int16_t *> token_rows(n), state_rows(n);
    Room<int16_t *> next_rows(n);
    Room<float> token_scales(n), cells(n * units, true);
    if (!first || !none || !tokens || !token_rows || !state_rows || !next_rows || !token_scales || !cells)
        return NO_MEMORY;
    int64_t n_states = 0;
    for (int64_t i = 0; i < n; i++) {
        first[i] = n_states;
        n_states += lengths[i];
    }
    Room<int16_t> states(n_states * reader.room, true);
    Room<int32_t> targets(n_states);
    Scores scores(reader);
    if (!states || !targets || !scores)
        return NO_MEMORY;
    int64_t active = n;
    for (int64_t t = 0;; t++) {
        while (active && lengths[active - 1] <= t)
            active--;
        if (!active)
            break;
        for (int64_t i = 0; i < active; i++) {
            const int64_t token = framed[starts[i] + t];
            const int8_t *codes = network->embedding + token * width;
            int16_t *row = tokens.at + i * token_room;
            for (int64_t j = 0; j < width; j++)
                row[j] = codes[j];
            token_rows[i] = row;
            token_scales[i] = network->embedding_scales[token];
            state_rows[i] = t ? states.at + (first[i] + t - 1) * reader.room : none.at;
            next_rows[i] = states.at + (first[i] + t) * reader.room;
            targets[first[i] + t] = framed[starts[i] + t + 1];
        }
        reader.step(token_rows.at, token_scales.at, state_rows.at, active, cells.at, next_rows.at);
    }
    for (int64_t at = 0; at < n_states; at += STATES)
        score(reader, states.at + at * reader.room, targets.at + at, n_states - at < STATES ? n_states - at : STATES, logprobs + at, scores);
    return DONE;
}
