// Parts of networks with weights in 8 bits: a matrix product, a step of an LSTM, a softmax.
//
// A matrix product is one of whole numbers: weights of 8 bits by states of about 15 bits, as many as keep sums within 32 bits. Such sums
// are exact, and all else is done lane by lane in one order. So every processor, every batch and every number of threads gives the same
// bits.
#pragma once
#include "../kernels.h"
#include "../numbers.h"
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace {

// Numbers in a register, and rows that are multiplied together: their sums stay in registers.
#if defined(__AVX512BW__)
constexpr int WIDTH = 16, ROWS = 6;
#elif defined(__AVX2__)
constexpr int WIDTH = 8, ROWS = 6;
#else
constexpr int WIDTH = 4, ROWS = 3;
#endif
constexpr int LANES = 16, PARTS = LANES / WIDTH; // columns of a matrix that lie side by side, and their registers
constexpr int64_t STATES = 48;                   // most states whose next tokens are scored together
using Floats = float __attribute__((vector_size(4 * WIDTH)));
using Wholes = int32_t __attribute__((vector_size(4 * WIDTH)));
using Shorts = int16_t __attribute__((vector_size(2 * WIDTH)));
using Pairs = int16_t __attribute__((vector_size(4 * WIDTH)));
using Codes = int8_t __attribute__((vector_size(2 * WIDTH)));

inline Floats all(float value) { return Floats{} + value; }
inline Floats larger(Floats a, Floats b) { return a > b ? a : b; }
inline Floats absolute(Floats x) { return (Floats)((Wholes)x & 0x7FFFFFFF); }
inline Floats floats(Wholes x) { return __builtin_convertvector(x, Floats); }
inline Shorts rounded(Floats x) { // halves away from zero, whatever the processor's rounding mode
    const Floats half = (Floats)(((Wholes)x & INT32_MIN) | (Wholes)all(0.5f));
    return __builtin_convertvector(__builtin_convertvector(x + half, Wholes), Shorts);
}
template <class V, class T> inline V load(const T *at) {
    V values;
    memcpy(&values, at, sizeof values);
    return values;
}
template <class V, class T> inline void store(V values, T *at) { memcpy(at, &values, sizeof values); }
// Joins sixteen numbers in one order, whatever WIDTH is.
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

// e^x for x ≤ 88, and 0 below −87: 2^n by its bits, times e^r by a polynomial, |r| ≤ ln 2 / 2 (Cephes's expf, 2 units in the last place).
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

// Matrix of n columns by k rows, both padded with zeros to multiples of 16. `packed` has the 32 numbers of every 16 columns and two rows
// together. `scales` has the factor of each column, `bias` the addition to it.
struct Matrix {
    const int8_t *packed;
    const float *scales, *bias;
    int64_t n, k;
    bool fused; // true if the processor multiplies and adds in one step (AVX-512 VNNI)

    // Largest whole number that states are rounded to.
    float most() const { return float(INT32_MAX / (127 * k) < INT16_MAX ? INT32_MAX / (127 * k) : INT16_MAX); }
};

// Two rows of WIDTH columns, as WIDTH pairs of 16 bits.
inline Wholes widened(const int8_t *at) {
#if defined(__AVX512BW__)
    return (Wholes)_mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)at));
#else
    return (Wholes)__builtin_convertvector(load<Codes>(at), Pairs);
#endif
}
// Adds the two products of each pair to its sum.
template <bool FUSED> inline void add_products(Wholes &sum, Wholes a, Wholes b) {
#if defined(__AVX512BW__)
    if (FUSED)
        __asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
    else
        sum += (Wholes)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    sum += (Wholes)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    sum += (Wholes)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
    sum += (a << 16 >> 16) * (b << 16 >> 16) + (a >> 16) * (b >> 16);
#endif
}

// sums (n, 16) = rows (n, k) by 16 columns of a matrix, for the first N rows at most.
template <int N, bool FUSED>
void multiply(const int16_t *rows, int64_t n, const Matrix &matrix, int64_t column, Wholes (*sums)[PARTS]) {
    if constexpr (N > 1)
        if (n < N)
            return multiply<N - 1, false>(rows, n, matrix, column, sums);
    const int64_t k = matrix.k;
    const int8_t *block = matrix.packed + column * k;
    Wholes sum[N][PARTS] = {};
    for (int64_t at = 0; at < k; at += 2, block += 2 * LANES) {
        Wholes weights[PARTS];
        for (int part = 0; part < PARTS; part++)
            weights[part] = widened(block + part * 2 * WIDTH);
        for (int i = 0; i < N; i++) {
            const Wholes pair = Wholes{} + load<int32_t>(rows + i * k + at);
            for (int part = 0; part < PARTS; part++)
                add_products<FUSED>(sum[i][part], weights[part], pair);
        }
    }
    memcpy(sums, sum, sizeof sum);
}

inline void multiply_few(const int16_t *rows, int64_t n, const Matrix &matrix, int64_t column, Wholes (*sums)[PARTS]) {
    if (matrix.fused && n >= ROWS) // one such step takes longer than two: few sums would wait for one another
        return multiply<ROWS, WIDTH == 16>(rows, n, matrix, column, sums);
    multiply<ROWS, false>(rows, n, matrix, column, sums);
}

// out (n, columns) = rows (n, k), times their scales, by a matrix, plus its bias.
void multiply_matrix(const int16_t *rows, const float *row_scales, int64_t n, const Matrix &matrix, float *out) {
    for (int64_t column = 0; column < matrix.n; column += LANES)
        for (int64_t row = 0; row < n; row += ROWS) {
            Wholes sums[ROWS][PARTS];
            multiply_few(rows + row * matrix.k, n - row, matrix, column, sums);
            for (int part = 0; part < PARTS; part++) {
                const int64_t at = column + part * WIDTH;
                const Floats scales = load<Floats>(matrix.scales + at), bias = load<Floats>(matrix.bias + at);
                for (int64_t i = row; i < n && i < row + ROWS; i++)
                    store(floats(sums[i - row][part]) * (scales * row_scales[i]) + bias, out + i * matrix.n + at);
            }
        }
}

// Writes rows of k floats as whole numbers of at most `most`. `scales` receives the factor that turns each row back.
void round_rows(const float *values, int64_t n, int64_t k, float most, int16_t *out, float *scales) {
    for (int64_t row = 0; row < n; row++, values += k, out += k) {
        Floats lanes[PARTS] = {};
        for (int64_t i = 0; i < k; i += WIDTH)
            lanes[i / WIDTH % PARTS] = larger(lanes[i / WIDTH % PARTS], absolute(load<Floats>(values + i)));
        const float size = greatest(lanes), factor = size > 0.0f ? most / size : 0.0f;
        for (int64_t i = 0; i < k; i += WIDTH)
            store(rounded(load<Floats>(values + i) * factor), out + i);
        scales[row] = size / most;
    }
}

// ln of the softmax of n scores at one of them.
double log_softmax(const float *scores, int64_t n, int64_t at) {
    Floats lanes[PARTS], parts[PARTS] = {};
    memcpy(lanes, scores, sizeof lanes);
    for (int64_t i = 0; i < n; i += WIDTH)
        lanes[i / WIDTH % PARTS] = larger(lanes[i / WIDTH % PARTS], load<Floats>(scores + i));
    const float most = greatest(lanes);
    for (int64_t i = 0; i < n; i += WIDTH)
        parts[i / WIDTH % PARTS] += exponential(load<Floats>(scores + i) - most);
    return double(scores[at] - most) - log_of(double(fold(parts, [](float a, float b) { return a + b; })));
}

// Writes the next states of n texts under an LSTM and updates their cells. `states` are the last states, null if there are none yet. Row
// rows[i] of `of_token` is the product of text i's next input with its matrix. Both matrices have the gates of 16 units side by side:
// input, forget, cell, output.
void lstm_step(const Matrix &by_state, const int16_t *states, int64_t n, const float *of_token, const int64_t *rows, float *cells,
               int16_t *next) {
    const int64_t units = by_state.k;
    const float most = by_state.most(), state_scale = 1.0f / most;
    for (int64_t unit = 0; unit < units; unit += LANES)
        for (int64_t row = 0; row < n; row += ROWS) {
            Wholes of_state[4][ROWS][PARTS] = {};
            for (int64_t i = row; i < n && i < row + ROWS; i++)
                for (int gate = 0; gate < 4; gate++)
                    __builtin_prefetch(of_token + rows[i] * by_state.n + 4 * unit + gate * LANES);
            for (int gate = 0; states && gate < 4; gate++)
                multiply_few(states + row * units, n - row, by_state, 4 * unit + gate * LANES, of_state[gate]);
            for (int64_t i = row; i < n && i < row + ROWS; i++)
                for (int part = 0; part < PARTS; part++) {
                    Floats sums[4];
                    for (int gate = 0; gate < 4; gate++) {
                        const int64_t column = 4 * unit + gate * LANES + part * WIDTH;
                        sums[gate] = load<Floats>(of_token + rows[i] * by_state.n + column) +
                                     floats(of_state[gate][i - row][part]) * (load<Floats>(by_state.scales + column) * state_scale) +
                                     load<Floats>(by_state.bias + column);
                    }
                    const int64_t at = i * units + unit + part * WIDTH;
                    const Floats cell = load<Floats>(cells + at) * sigmoid(sums[1]) + sigmoid(sums[0]) * hyperbolic_tangent(sums[2]);
                    store(cell, cells + at);
                    store(rounded(hyperbolic_tangent(cell) * sigmoid(sums[3]) * most), next + at);
                }
        }
}

// True if the processor multiplies and adds in one step (AVX-512 VNNI).
inline bool fuses() {
#if defined(__AVX512BW__)
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && c & (1u << 11);
#else
    return false;
#endif
}

// Sets the matrices of a network. Their parts follow one another in each array.
inline void lay_out(Matrix *matrices, const int8_t *packed, const float *scales, const float *bias, const int64_t *sizes, int64_t n) {
    Matrix next = {packed, scales, bias, 0, 0, fuses()};
    for (int64_t i = 0; i < n; i++) {
        next.n = sizes[2 * i], next.k = sizes[2 * i + 1];
        matrices[i] = next;
        next.packed += next.n * next.k, next.scales += next.n, next.bias += next.n;
    }
}

} // namespace
