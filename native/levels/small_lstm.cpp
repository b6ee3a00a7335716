// Small language model (slor_metric.language_models.lstm): ln p of each token of texts under an LSTM of one layer with weights in 8
// bits and an adaptive softmax.
#include "integer_network.h"

namespace {

// Same as the named tuple `SmallNetwork` in Python. The matrices by token and by state have the gates of 16 units side by side: input,
// forget, cell, output.
struct Network {
    const int8_t *embedding; // (vocabulary, e)
    int64_t n_embedding;
    const float *embedding_scales;
    int64_t vocabulary;
    const int8_t *packed; // all matrices, one after another
    int64_t n_packed;
    const float *scales; // factors of their columns
    int64_t n_scales;
    const float *bias;
    int64_t n_bias;
    const int64_t *sizes; // columns and rows of each matrix
    int64_t n_sizes;
    const int64_t *cutoffs; // the token ids at which the vocabulary is cut into clusters
    int64_t n_cutoffs;
};

constexpr int64_t MOST_CLUSTERS = 8;

struct Reader {
    Matrix matrices[4 + 2 * MOST_CLUSTERS];
    const Matrix &by_token = matrices[0], &by_state = matrices[1], &projection = matrices[2], &head = matrices[3], *tails = matrices + 4;
    const Network &network;
    int64_t most_n = 0, most_k = 0;

    explicit Reader(const Network &network) : network(network) {
        const int64_t n_matrices = network.n_sizes / 2;
        lay_out(matrices, network.packed, network.scales, network.bias, network.sizes, n_matrices);
        for (int64_t i = 0; i < n_matrices; i++) {
            most_n = matrices[i].n > most_n ? matrices[i].n : most_n;
            most_k = matrices[i].k > most_k ? matrices[i].k : most_k;
        }
    }
};

// At most STATES states whose next tokens are in one cluster, with room for their scores. Cluster 0 has the frequent tokens.
struct Chunk {
    const Reader &reader;
    Room<int16_t> states, narrow;
    Room<float> out;
    int64_t n = 0, tokens[STATES]; // next tokens, numbered within their cluster
    double *logprobs[STATES];
    int8_t *guesses[STATES]; // null if they are not wanted

    explicit Chunk(const Reader &reader)
        : reader(reader), states(STATES * reader.most_k), narrow(STATES * reader.most_k), out(STATES * reader.most_n) {}
    explicit operator bool() const { return states && narrow && out; }

    void score(int64_t cluster) {
        float scales[STATES], narrow_scales[STATES];
        const Matrix &head = reader.head;
        for (float &scale : scales)
            scale = 1.0f / reader.by_state.most();
        multiply_matrix(states.at, scales, n, reader.projection, out.at);
        round_rows(out.at, n, head.k, head.most(), narrow.at, narrow_scales);
        for (int64_t i = 0; i < n && guesses[i]; i++)
            for (int64_t j = 0; j < head.k; j++)
                guesses[i][j] = int8_t(narrow[i * head.k + j] >> 8); // from 16 bits with the sign to 8
        multiply_matrix(narrow.at, narrow_scales, n, head, out.at);
        for (int64_t i = 0; i < n; i++)
            *logprobs[i] = log_softmax(out.at + i * head.n, head.n, cluster ? reader.network.cutoffs[0] + cluster - 1 : tokens[i]);
        if (cluster) {
            const Matrix &inner = reader.tails[2 * cluster - 2], &outer = reader.tails[2 * cluster - 1];
            multiply_matrix(narrow.at, narrow_scales, n, inner, out.at);
            round_rows(out.at, n, outer.k, outer.most(), states.at, scales);
            multiply_matrix(states.at, scales, n, outer, out.at);
            for (int64_t i = 0; i < n; i++)
                *logprobs[i] += log_softmax(out.at + i * outer.n, outer.n, tokens[i]);
        }
        n = 0;
    }
};

// Beginnings of texts, each listed once, even if several texts share it. A node is the beginning of its parent and one more token; a node
// of one token has no parent. Nodes are in order of their number of tokens. Of equally long ones, those that some text continues come
// first.
struct Beginnings {
    Room<int64_t> parents, places; // of each node: its parent, and the place of its last token in the first text
    Room<int64_t> firsts, n_read;  // of each number of tokens: the first node, and the number of nodes that some text continues
    Room<int64_t> copies, copied;  // places of tokens in further texts, and those of the same tokens in the first text
    Room<int64_t> node_of;         // of each text: the node of the part listed so far
    int64_t n_nodes = 0, n_copies = 0;

    Beginnings(int64_t n, int64_t longest, int64_t n_places)
        : parents(n_places), places(n_places), firsts(longest + 2), n_read(longest + 1, true), copies(n_places), copied(n_places),
          node_of(n) {}
    explicit operator bool() const { return parents && places && firsts && n_read && copies && copied && node_of; }

    // Lists the beginnings of n texts, the longest first. Text i has lengths[i] + 1 tokens, from framed[starts[i]] on.
    void list(const int32_t *framed, const int64_t *starts, const int64_t *lengths, int64_t n, int64_t longest) {
        for (int64_t t = 0; t <= longest; t++) {
            firsts[t] = n_nodes;
            for (int64_t i = 0; i < n && lengths[i] >= t; i++)
                add(framed, starts[i] + t, i, t, lengths[i] > t);
        }
        firsts[longest + 1] = n_nodes;
    }

  private:
    void add(const int32_t *framed, int64_t place, int64_t text, int64_t t, bool goes_on) {
        const int64_t parent = t ? node_of[text] : 0;
        int64_t node = firsts[t];
        while (node < n_nodes && (parents[node] != parent || framed[places[node]] != framed[place]))
            node++;
        node_of[text] = node;
        if (node < n_nodes) {
            copies[n_copies] = place;
            copied[n_copies++] = places[node];
            return;
        }
        parents[node] = parent;
        places[node] = place;
        n_nodes++;
        n_read[t] += goes_on;
    }
};

} // namespace

// Writes ln p of each token of texts, given the tokens before it. Text i has lengths[i] + 1 tokens, from framed[starts[i]] on; the longest
// comes first. `logprobs` receives ln p of all tokens but the first of each text, at their places in `framed`. At the same places `guesses`
// (tokens, rows of the head), unless it is null, receives what the network expects: the projected state in 8 bits, relative to its largest
// number. A beginning that texts share is read once.
EXPORT int64_t AT_LEVEL(read_small)(const int32_t *framed, int64_t n_framed, const int64_t *starts, int64_t n, const int64_t *lengths,
                                    int64_t, const Network *network, double *logprobs, int64_t, int8_t *guesses, int64_t n_guesses) {
    const Reader reader(*network);
    if (guesses && (n_guesses != n_framed * reader.head.k || reader.head.most() != INT16_MAX))
        return wrong_argument(5);
    const int64_t units = reader.by_state.k, width = reader.by_token.k, n_codes = network->n_embedding / network->vocabulary;
    const int64_t longest = n ? lengths[0] : 0;
    int64_t n_places = n;
    for (int64_t i = 0; i < n; i++)
        n_places += lengths[i];
    Beginnings nodes(n, longest, n_places);
    if (!nodes)
        return NO_MEMORY;
    nodes.list(framed, starts, lengths, n, longest);
    // Row of each node's token in `of_token`: each different token is multiplied once.
    Room<int64_t> rows(nodes.n_nodes), row_of(network->vocabulary, true);
    Room<int16_t> states(nodes.n_nodes * units), last(n * units), codes(nodes.n_nodes * width, true);
    Room<float> code_scales(nodes.n_nodes), cells(n * units, true), last_cells(n * units);
    Chunk chunk(reader);
    if (!rows || !row_of || !states || !last || !codes || !code_scales || !cells || !last_cells || !chunk)
        return NO_MEMORY;
    int64_t n_tokens = 0;
    for (int64_t t = 0; t <= longest; t++)
        for (int64_t node = nodes.firsts[t]; node < nodes.firsts[t] + nodes.n_read[t]; node++) {
            const int64_t token = framed[nodes.places[node]];
            if (!row_of[token]) {
                for (int64_t j = 0; j < n_codes; j++)
                    codes[n_tokens * width + j] = network->embedding[token * n_codes + j];
                code_scales[n_tokens] = network->embedding_scales[token];
                row_of[token] = ++n_tokens;
            }
            rows[node] = row_of[token] - 1;
        }
    Room<float> of_token(n_tokens * reader.by_token.n);
    if (!of_token)
        return NO_MEMORY;
    multiply_matrix(codes.at, code_scales.at, n_tokens, reader.by_token, of_token.at);
    for (int64_t t = 0; t < longest; t++) {
        const int64_t first = nodes.firsts[t];
        if (t)
            memcpy(last_cells.at, cells.at, nodes.n_read[t - 1] * units * sizeof(float));
        for (int64_t i = 0; t && i < nodes.n_read[t]; i++) {
            const int64_t parent = nodes.parents[first + i];
            memcpy(last.at + i * units, states.at + parent * units, units * sizeof(int16_t));
            memcpy(cells.at + i * units, last_cells.at + (parent - nodes.firsts[t - 1]) * units, units * sizeof(float));
        }
        lstm_step(reader.by_state, t ? last.at : nullptr, nodes.n_read[t], of_token.at, rows.at + first, cells.at,
                  states.at + first * units);
    }
    const int64_t first_scored = longest ? nodes.firsts[1] : nodes.n_nodes; // the first token of a text has no probability
    for (int64_t cluster = 0, begin = 0, end; cluster <= network->n_cutoffs; cluster++, begin = end) {
        end = cluster < network->n_cutoffs ? network->cutoffs[cluster] : network->vocabulary;
        for (int64_t node = first_scored; node < nodes.n_nodes; node++) {
            const int64_t place = nodes.places[node], token = framed[place];
            if (token < begin || token >= end)
                continue;
            memcpy(chunk.states.at + chunk.n * units, states.at + nodes.parents[node] * units, units * sizeof(int16_t));
            chunk.tokens[chunk.n] = token - begin;
            chunk.logprobs[chunk.n] = logprobs + place;
            chunk.guesses[chunk.n] = guesses ? guesses + place * reader.head.k : nullptr;
            if (++chunk.n == STATES)
                chunk.score(cluster);
        }
        chunk.score(cluster);
    }
    for (int64_t i = 0; i < nodes.n_copies; i++) {
        const int64_t from = nodes.copied[i], to = nodes.copies[i];
        logprobs[to] = logprobs[from];
        if (guesses)
            memcpy(guesses + to * reader.head.k, guesses + from * reader.head.k, reader.head.k);
    }
    return DONE;
}
