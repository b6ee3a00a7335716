// The words of ASCII text, by the rules of slor_metric.tokenizers.words, and the table of a vocabulary.
//
// A vocabulary is two hash tables. The first has the tokens of at most 16 bytes. The second has the edges of a tree of bytes; longer
// tokens, and all tokens of a vocabulary of WordPieces, are paths in it.
#pragma once
#include "chunks.h"
#include "hash_table.h"

namespace {

constexpr int64_t SHORT = 16; // most bytes of a token in the table of whole tokens
constexpr uint64_t ONES = 0x0101010101010101;

// Same as the named tuple `AsciiVocabulary` of slor_metric.tokenizers.encoder.
struct AsciiVocabulary {
    const uint64_t *whole;
    int64_t n_whole;
    const int32_t *edges;
    int64_t n_edges;
    const int32_t *states;
    int64_t n_states, mode, seed;
};

struct Whole {
    uint64_t first, second, id; // the token's bytes and its id; the id is `EMPTY` in a free slot
};
struct Edge {
    int32_t key, state; // state << 8 | byte, or −1 in a free slot; and the state that the edge leads to
};
constexpr uint64_t EMPTY = ~uint64_t(0);

struct Vocabulary {
    Whole *whole;
    int64_t n_whole;
    Edge *edges;
    int64_t n_edges;
    int32_t *states; // the id of the token that ends in each state; −1 if none does
    int32_t unknown;
    Hash hash;

    Vocabulary(uint64_t *whole, int64_t n_whole, int32_t *edges, int64_t n_edges, int32_t *states, int64_t unknown, int64_t seed)
        : whole(reinterpret_cast<Whole *>(whole)), n_whole(n_whole / 3), edges(reinterpret_cast<Edge *>(edges)), n_edges(n_edges / 2),
          states(states), unknown(int32_t(unknown)), hash(seed) {}
    Vocabulary(const AsciiVocabulary &tables, int64_t unknown) // for reading alone
        : Vocabulary(const_cast<uint64_t *>(tables.whole), tables.n_whole, const_cast<int32_t *>(tables.edges), tables.n_edges,
                     const_cast<int32_t *>(tables.states), unknown, tables.seed) {}

    int64_t slot_of(uint64_t first, uint64_t second) const {
        return find_slot(hash.of_128_bits(first, second), n_whole, [&](int64_t at) {
            return whole[at].id == EMPTY || (whole[at].first == first && whole[at].second == second);
        });
    }
    int64_t edge_of(int32_t key) const {
        return find_slot(hash.of_32_bits(uint32_t(key)), n_edges, [&](int64_t at) { return edges[at].key == -1 || edges[at].key == key; });
    }
    int64_t find(uint64_t first, uint64_t second) const { return int64_t(whole[slot_of(first, second)].id); }
    int64_t slot_of(const uint8_t *token, const uint8_t *end) const { // the token has at most 16 bytes
        return slot_of(eight_bytes(token, end), end - token > 8 ? eight_bytes(token + 8, end) : 0);
    }
    // Id of a token; negative if the vocabulary lacks it.
    int64_t id_of(const uint8_t *token, const uint8_t *end) const {
        if (end - token <= SHORT)
            return int64_t(whole[slot_of(token, end)].id);
        int32_t state = 0;
        for (; token < end; token++) {
            const Edge &edge = edges[edge_of(state << 8 | *token)];
            if (edge.key == -1)
                return -1;
            state = edge.state;
        }
        return states[state];
    }
};

inline bool is_letter(const uint8_t *at, const uint8_t *end) { return at < end && *at >= 'a' && *at <= 'z'; }
inline bool is_digit(const uint8_t *at, const uint8_t *end) { return at < end && *at >= '0' && *at <= '9'; }

inline const uint8_t *letters(const uint8_t *at, const uint8_t *end) {
    while (is_letter(at, end))
        at++;
    return at;
}

// End of the clitic that begins here, after an apostrophe ('s 'm 'd 're 've 'll, with no letter after it); null if there is none.
inline const uint8_t *clitic(const uint8_t *at, const uint8_t *end) {
    const uint8_t *stop = letters(at, end);
    const int64_t size = stop - at;
    if (size == 1 && (*at == 's' || *at == 'm' || *at == 'd'))
        return stop;
    if (size == 2 && ((at[1] == 'e' && (*at == 'r' || *at == 'v')) || (at[0] == 'l' && at[1] == 'l')))
        return stop;
    return nullptr;
}

// True if n't begins here and no letter follows it.
inline bool is_negation(const uint8_t *at, const uint8_t *end) {
    return end - at > 2 && at[0] == 'n' && at[1] == '\'' && at[2] == 't' && !is_letter(at + 3, end);
}

inline const uint8_t *end_of_letters(const uint8_t *at, const uint8_t *end) {
    const uint8_t *stop = letters(at, end);
    if (stop - at > 1 && is_negation(stop - 1, end))
        return stop - 1;
    if (is_negation(at, end))
        return at + 3;
    while (stop < end && (*stop == '-' || (*stop == '\'' && !clitic(stop + 1, end))) && is_letter(stop + 1, end))
        stop = letters(stop + 1, end);
    return stop;
}

inline const uint8_t *end_of_number(const uint8_t *at, const uint8_t *end) {
    for (;;) {
        while (is_digit(at, end))
            at++;
        if (at == end || (*at != '.' && *at != ',') || !is_digit(at + 1, end))
            return at;
        at++;
    }
}

// End of the word that begins here, in a chunk that `write_plain` wrote.
inline const uint8_t *end_of_word(const uint8_t *at, const uint8_t *end) {
    if (is_letter(at, end))
        return end_of_letters(at, end);
    if (is_digit(at, end))
        return end_of_number(at, end);
    const uint8_t *stop = *at == '\'' ? clitic(at + 1, end) : nullptr;
    return stop ? stop : at + 1;
}

// Writes a chunk in lower case and returns its size. A backtick becomes an apostrophe, two apostrophes a quotation mark, and hyphens in a
// row one hyphen.
inline int64_t write_plain(const uint8_t *at, const uint8_t *end, uint8_t *out) {
    uint8_t *next = out;
    while (at < end) {
        uint8_t byte = *at++;
        if (byte == '`')
            byte = '\'';
        if (byte == '\'' && at < end && (*at == '\'' || *at == '`')) {
            at++;
            byte = '"';
        } else if (byte == '-') {
            while (at < end && *at == '-')
                at++;
        } else if (byte >= 'A' && byte <= 'Z')
            byte += 32;
        *next++ = byte;
    }
    return next - out;
}

// Number of letters at the beginning of a text, at most eight; `bytes` receives them in lower case.
inline int64_t eight_letters(const uint8_t *at, const uint8_t *end, uint64_t *bytes) {
    const uint64_t lower = eight_bytes(at, end) | 32 * ONES;
    const uint64_t is_letter = (lower + (128 - 'a') * ONES) & ~(lower + (128 - 'z' - 1) * ONES) & (128 * ONES);
    const uint64_t others = is_letter ^ (128 * ONES);
    const int64_t n = others ? __builtin_ctzll(others) / 8 : 8;
    *bytes = n == 8 ? lower : lower & ((uint64_t(1) << (8 * n)) - 1);
    return n;
}

// A chunk of at most 16 letters and at most one mark after them. Most chunks are such; `is_simple` is false for others.
struct SimpleChunk {
    uint64_t first, second = 0; // the letters in lower case
    const uint8_t *stop;        // their end
    bool has_mark, is_simple;

    SimpleChunk(const uint8_t *at, const uint8_t *end) : stop(at + eight_letters(at, end, &first)) {
        if (stop - at == 8)
            stop += eight_letters(stop, end, &second);
        has_mark = stop < end && (*stop == '.' || *stop == ',' || *stop == ';' || *stop == '?' || *stop == '!');
        is_simple = ends_chunk(stop + has_mark, end);
    }
};

} // namespace
