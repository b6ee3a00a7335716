// The detector of faults (slor_metric.fluency.detector): ln p of each kind of fault at each place of texts, under an LSTM in two directions
// over what the language models say of each word, with weights in 8 bits.
#include "integer_network.h"

namespace {

// The named tuple `DetectorNetwork` in Python. The matrices, one after the other: from what is read to a layer; from that to the gates of
// both directions; from their states to these gates; from the states of both to the kinds.
struct Network {
    const int8_t *embedding; // of the small model, (vocabulary, e)
    int64_t n_embedding;
    int64_t vocabulary;
    const float *of_classes; // what a word's class adds to the layer, (classes, columns of the first matrix)
    int64_t n_of_classes;
    const int8_t *packed;
    int64_t n_packed;
    const float *scales;
    int64_t n_scales;
    const float *bias;
    int64_t n_bias;
    const int64_t *sizes;
    int64_t n_sizes;
    int64_t guess_width;
};

constexpr int64_t N_MATRICES = 6;
enum Which { INPUT, FORWARD_GATES, BACKWARD_GATES, FORWARD_STATES, BACKWARD_STATES, KINDS };

// Texts that are read side by side: the longest first.
struct Block {
    const int64_t *texts, *offsets;
    int64_t n;
    int64_t size(int64_t i) const { return offsets[texts[i] + 1] - offsets[texts[i]]; }
};

// What one direction's states are at each place of a block, its texts after one another.
bool run_direction(const Block &block, bool backward, const int64_t *begins, const Matrix &gates, const Matrix &by_state,
                   const int16_t *layer, const float *layer_scales, int64_t n_places, int16_t *states) {
    const int64_t units = by_state.k;
    Room<float> of_words(n_places * gates.n), cells(block.n * units, true);
    Room<int64_t> rows(block.n);
    Room<int16_t> last(block.n * units), next(block.n * units);
    if (!of_words || !cells || !rows || !last || !next)
        return false;
    multiply_matrix(layer, layer_scales, n_places, gates, of_words.at);
    for (int64_t t = 0, active = block.n; t < block.size(0); t++) {
        while (block.size(active - 1) <= t)
            active--;
        for (int64_t i = 0; i < active; i++)
            rows[i] = begins[i] + (backward ? block.size(i) - 1 - t : t);
        lstm_step(by_state, t ? last.at : nullptr, active, of_words.at, rows.at, cells.at, next.at);
        for (int64_t i = 0; i < active; i++)
            memcpy(states + (2 * rows[i] + backward) * units, next.at + i * units, units * sizeof(int16_t));
        memcpy(last.at, next.at, active * units * sizeof(int16_t));
    }
    return true;
}

} // namespace

// ln p of no fault and of each kind, (places, kinds), of some texts, whose sizes never rise: text i has the places from offsets[i] to
// offsets[i + 1]. Of each place `scalars` has a row, and guess_rows[place] is its row of `guesses`.
EXPORT int64_t AT_LEVEL(detect_faults)(const int8_t *scalars, int64_t n_scalars, const int8_t *guesses, int64_t, const int64_t *guess_rows,
                                       int64_t n_all, const int32_t *pieces, int64_t, const int32_t *classes, int64_t,
                                       const int64_t *offsets, int64_t, const int64_t *texts, int64_t n, const Network *network,
                                       double *logprobs, int64_t n_logprobs) {
    const Block block = {texts, offsets, n};
    Matrix matrices[N_MATRICES];
    if (network->n_sizes != 2 * N_MATRICES)
        return wrong_argument(7);
    lay_out(matrices, network->packed, network->scales, network->bias, network->sizes, N_MATRICES);
    const Matrix &input = matrices[INPUT], &kinds = matrices[KINDS];
    const int64_t width = n_scalars / n_all, n_codes = network->n_embedding / network->vocabulary, n_kinds = n_logprobs / n_all;
    const int64_t n_guesses = network->guess_width, units = matrices[FORWARD_STATES].k;
    if (n_guesses + n_codes + width > input.k || n_kinds > kinds.n || kinds.k != 2 * units)
        return wrong_argument(7);
    Room<int64_t> begins(n);
    if (!begins)
        return NO_MEMORY;
    int64_t n_places = 0;
    for (int64_t i = 0; i < n; i++) {
        begins[i] = n_places;
        n_places += block.size(i);
    }
    Room<int16_t> read(n_places * input.k, true), layer(n_places * input.n), states(n_places * 2 * units);
    Room<float> scales(n_places), sums(n_places * (input.n > kinds.n ? input.n : kinds.n));
    if (!read || !layer || !states || !scales || !sums)
        return NO_MEMORY;
    for (int64_t i = 0; i < n; i++)
        for (int64_t t = 0; t < block.size(i); t++) {
            const int64_t place = offsets[texts[i]] + t;
            int16_t *row = read.at + (begins[i] + t) * input.k;
            const int8_t *guess = guesses + guess_rows[place] * n_guesses, *codes = network->embedding + pieces[place] * n_codes;
            for (int64_t j = 0; j < n_guesses; j++)
                row[j] = guess[j];
            for (int64_t j = 0; j < n_codes; j++)
                row[n_guesses + j] = codes[j];
            for (int64_t j = 0; j < width; j++)
                row[n_guesses + n_codes + j] = scalars[place * width + j];
            scales[begins[i] + t] = 1.0f;
        }
    multiply_matrix(read.at, scales.at, n_places, input, sums.at);
    for (int64_t i = 0; i < n; i++)
        for (int64_t t = 0; t < block.size(i); t++) {
            const float *of_class = network->of_classes + classes[offsets[texts[i]] + t] * input.n;
            float *row = sums.at + (begins[i] + t) * input.n;
            for (int64_t j = 0; j < input.n; j += WIDTH)
                store(larger(load<Floats>(row + j) + load<Floats>(of_class + j), Floats{}), row + j);
        }
    round_rows(sums.at, n_places, input.n, matrices[FORWARD_GATES].most(), layer.at, scales.at);
    for (int direction = 0; direction < 2; direction++)
        if (!run_direction(block, direction, begins.at, matrices[FORWARD_GATES + direction], matrices[FORWARD_STATES + direction], layer.at,
                           scales.at, n_places, states.at))
            return NO_MEMORY;
    for (int64_t i = 0; i < n_places; i++)
        scales[i] = 1.0f / matrices[FORWARD_STATES].most();
    multiply_matrix(states.at, scales.at, n_places, kinds, sums.at);
    for (int64_t i = 0; i < n; i++)
        for (int64_t t = 0; t < block.size(i); t++) {
            const float *scores = sums.at + (begins[i] + t) * kinds.n;
            double *out = logprobs + (offsets[texts[i]] + t) * n_kinds;
            for (int64_t kind = 0; kind < n_kinds; kind++)
                out[kind] = log_softmax(scores, kinds.n, kind);
        }
    return DONE;
}
