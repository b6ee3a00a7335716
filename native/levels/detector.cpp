// Detector of faults (slor_metric.fluency.detector): ln p of each kind of fault at each place of texts. It is an LSTM in two directions
// with weights in 8 bits, whose inputs are what the language models say of each word.
#include "integer_network.h"

namespace {

// Same as the named tuple `DetectorNetwork` in Python. The matrices follow one another: from the inputs to a layer; from the layer to the
// gates of each direction; from the states of each direction to its gates; from the states of both to the kinds.
struct Network {
    const int8_t *embedding; // of the small model, (vocabulary, e)
    int64_t n_embedding;
    int64_t vocabulary;
    const float *of_classes; // addition of a word's class to the layer, (classes, columns of the first matrix)
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

// Texts that are read side by side, the longest first: all places of each, or some of one long text.
struct Block {
    const int64_t *texts, *offsets;
    int64_t n, first, most; // number of texts; first place of each that is read, and most places

    int64_t size(int64_t i) const {
        const int64_t left = offsets[texts[i] + 1] - offsets[texts[i]] - first;
        return left < most ? left : most;
    }
    int64_t place(int64_t i, int64_t t) const { return offsets[texts[i]] + first + t; }
    int64_t n_places() const {
        int64_t sum = 0;
        for (int64_t i = 0; i < n; i++)
            sum += size(i);
        return sum;
    }
};

// Cells and states of one direction in each text of a block, zeros before it begins.
struct Standing {
    Room<float> cells;
    Room<int16_t> states;

    explicit Standing(int64_t n) : cells(n, true), states(n, true) {}
    explicit operator bool() const { return cells && states; }
};

// Inputs at all places, as Python passes them.
struct Inputs {
    const int8_t *scalars, *guesses;
    const int64_t *guess_rows;
    const int32_t *pieces, *classes;
    int64_t width; // of a row of `scalars`
};

// Reads blocks of at most `n` texts and `n_places` places.
struct Reader {
    const Network &network;
    const Inputs &inputs;
    const Matrix *matrices;
    const Matrix &input = matrices[INPUT], &kinds = matrices[KINDS];
    const int64_t units = matrices[FORWARD_STATES].k, n_codes = network.n_embedding / network.vocabulary;
    Room<int64_t> begins, rows;
    Room<int16_t> read, layer, states, next;
    Room<float> scales, sums, of_words;

    Reader(const Network &network, const Inputs &inputs, const Matrix *matrices, int64_t n, int64_t n_places)
        : network(network), inputs(inputs), matrices(matrices), begins(n), rows(n), read(n_places * input.k, true), layer(n_places * input.n),
          states(n_places * 2 * units), next(n * units), scales(n_places), sums(n_places * larger_of(input.n, kinds.n)),
          of_words(n_places * larger_of(matrices[FORWARD_GATES].n, matrices[BACKWARD_GATES].n)) {}
    explicit operator bool() const { return begins && rows && read && layer && states && next && scales && sums && of_words; }

    void fill_row(int64_t place, int16_t *row) const {
        const int64_t n_guesses = network.guess_width;
        const int8_t *guess = inputs.guesses + inputs.guess_rows[place] * n_guesses;
        const int8_t *codes = network.embedding + inputs.pieces[place] * n_codes;
        for (int64_t j = 0; j < n_guesses; j++)
            row[j] = guess[j];
        for (int64_t j = 0; j < n_codes; j++)
            row[n_guesses + j] = codes[j];
        for (int64_t j = 0; j < inputs.width; j++)
            row[n_guesses + n_codes + j] = inputs.scalars[place * inputs.width + j];
    }
    // Fills the layer that both directions read: `layer` and `scales`.
    void read_layer(const Block &block) {
        int64_t n_places = 0;
        for (int64_t i = 0; i < block.n; i++) {
            begins[i] = n_places;
            for (int64_t t = 0; t < block.size(i); t++, n_places++) {
                fill_row(block.place(i, t), read.at + n_places * input.k);
                scales[n_places] = 1.0f;
            }
        }
        multiply_matrix(read.at, scales.at, n_places, input, sums.at);
        for (int64_t i = 0; i < block.n; i++)
            for (int64_t t = 0; t < block.size(i); t++) {
                const float *of_class = network.of_classes + inputs.classes[block.place(i, t)] * input.n;
                float *row = sums.at + (begins[i] + t) * input.n;
                for (int64_t j = 0; j < input.n; j += WIDTH)
                    store(larger(load<Floats>(row + j) + load<Floats>(of_class + j), Floats{}), row + j);
            }
        round_rows(sums.at, n_places, input.n, matrices[FORWARD_GATES].most(), layer.at, scales.at);
    }
    // Fills the states of one direction at each place, continued from `standing`, which is moved on.
    void run_direction(const Block &block, bool backward, Standing &standing) {
        const Matrix &gates = matrices[FORWARD_GATES + backward], &by_state = matrices[FORWARD_STATES + backward];
        multiply_matrix(layer.at, scales.at, block.n_places(), gates, of_words.at);
        for (int64_t t = 0, active = block.n; t < block.size(0); t++) {
            while (block.size(active - 1) <= t)
                active--;
            for (int64_t i = 0; i < active; i++)
                rows[i] = begins[i] + (backward ? block.size(i) - 1 - t : t);
            lstm_step(by_state, standing.states.at, active, of_words.at, rows.at, standing.cells.at, next.at);
            for (int64_t i = 0; i < active; i++)
                memcpy(states.at + (2 * rows[i] + backward) * units, next.at + i * units, units * sizeof(int16_t));
            memcpy(standing.states.at, next.at, active * units * sizeof(int16_t));
        }
    }
    // Writes ln p of the first kinds at each place, from both directions' states.
    void score(const Block &block, int64_t n_kinds, double *logprobs) {
        const int64_t n_places = block.n_places();
        for (int64_t i = 0; i < n_places; i++)
            scales[i] = 1.0f / matrices[FORWARD_STATES].most();
        multiply_matrix(states.at, scales.at, n_places, kinds, sums.at);
        for (int64_t i = 0; i < block.n; i++)
            for (int64_t t = 0; t < block.size(i); t++) {
                const float *scores = sums.at + (begins[i] + t) * kinds.n;
                double *out = logprobs + block.place(i, t) * n_kinds;
                for (int64_t kind = 0; kind < n_kinds; kind++)
                    out[kind] = log_softmax(scores, kinds.n, kind);
            }
    }
};

constexpr int64_t PART = 2048; // most places of a long text that are read at once

// Reads one long text in parts. The first pass goes forward and keeps the cells and states at the begin of each part. The second takes the
// parts from the last one to the first, and reads each forward again and backward.
int64_t read_long(Reader &reader, Block block, int64_t n_kinds, double *logprobs) {
    const int64_t units = reader.units, n_parts = (block.size(0) + PART - 1) / PART;
    block.most = PART;
    Standing forward(units), backward(units), begins(n_parts * units);
    if (!forward || !backward || !begins)
        return NO_MEMORY;
    for (int64_t part = 0; part < n_parts; part++) {
        block.first = part * PART;
        memcpy(begins.cells.at + part * units, forward.cells.at, units * sizeof(float));
        memcpy(begins.states.at + part * units, forward.states.at, units * sizeof(int16_t));
        reader.read_layer(block);
        reader.run_direction(block, false, forward);
    }
    for (int64_t part = n_parts - 1; part >= 0; part--) {
        block.first = part * PART;
        memcpy(forward.cells.at, begins.cells.at + part * units, units * sizeof(float));
        memcpy(forward.states.at, begins.states.at + part * units, units * sizeof(int16_t));
        reader.read_layer(block);
        reader.run_direction(block, false, forward);
        reader.run_direction(block, true, backward);
        reader.score(block, n_kinds, logprobs);
    }
    return DONE;
}

} // namespace

// Writes ln p of no fault and of the first kinds, (places, kinds), for the texts numbered in `texts`, the longest first. Text i has the
// places from offsets[i] to offsets[i + 1]. `scalars` has one row per place, and guess_rows[place] is the row of `guesses` for a place.
EXPORT int64_t AT_LEVEL(detect_faults)(const int8_t *scalars, int64_t n_scalars, const int8_t *guesses, int64_t, const int64_t *guess_rows,
                                       int64_t n_all, const int32_t *pieces, int64_t, const int32_t *classes, int64_t,
                                       const int64_t *offsets, int64_t, const int64_t *texts, int64_t n, const Network *network,
                                       double *logprobs, int64_t n_logprobs) {
    Matrix matrices[N_MATRICES];
    if (network->n_sizes != 2 * N_MATRICES)
        return wrong_argument(7);
    lay_out(matrices, network->packed, network->scales, network->bias, network->sizes, N_MATRICES);
    const Inputs inputs = {scalars, guesses, guess_rows, pieces, classes, n_scalars / n_all};
    const int64_t n_codes = network->n_embedding / network->vocabulary, n_kinds = n_logprobs / n_all;
    const Matrix &kinds = matrices[KINDS];
    if (network->guess_width + n_codes + inputs.width > matrices[INPUT].k || n_kinds > kinds.n || kinds.k != 2 * matrices[FORWARD_STATES].k)
        return wrong_argument(7);
    const Block block = {texts, offsets, n, 0, INT64_MAX};
    const bool is_long = n == 1 && block.size(0) > PART;
    Reader reader(*network, inputs, matrices, n, is_long ? PART : block.n_places());
    Standing forward(n * reader.units), backward(n * reader.units);
    if (!reader || !forward || !backward)
        return NO_MEMORY;
    if (is_long)
        return read_long(reader, block, n_kinds, logprobs);
    reader.read_layer(block);
    reader.run_direction(block, false, forward);
    reader.run_direction(block, true, backward);
    reader.score(block, n_kinds, logprobs);
    return DONE;
}
