// ASCII text to token ids, by the rules of slor_metric.tokenizers.words: words, and WordPieces by longest match.
//
// A vocabulary is two tables. Tokens of at most 16 bytes stand whole in a hash table; WordPieces and longer tokens are
// paths in a tree of bytes, whose edges are hashed.
#include "hash_table.h"

namespace {

enum Mode : int64_t { WHITESPACE, WORDS, WORDPIECE }; // as in slor_metric.tokenizers.encoder

constexpr int64_t SHORT = 16;         // bytes of a token in the table of whole ones
constexpr int64_t LONGEST_WORD = 100; // bytes; WordPiece does not know a longer word
constexpr uint64_t ONES = 0x0101010101010101;

struct Whole {
    uint64_t first, second, id; // the token's bytes, and its id; `EMPTY` in a free slot
};
struct Edge {
    int32_t key, state; // state << 8 | byte (−1 in a free slot), and the state that it leads to
};
constexpr uint64_t EMPTY = ~uint64_t(0);

struct Vocabulary {
    Whole *whole;
    int64_t n_whole;
    Edge *edges;
    int64_t n_edges;
    int32_t *states; // the id of the token that ends in each state; −1 for none
    int32_t unknown;
    Hash hash;

    Vocabulary(uint64_t *whole, int64_t n_whole, int32_t *edges, int64_t n_edges, int32_t *states, int64_t unknown, int64_t seed)
        : whole(reinterpret_cast<Whole *>(whole)), n_whole(n_whole / 3), edges(reinterpret_cast<Edge *>(edges)), n_edges(n_edges / 2),
          states(states), unknown(int32_t(unknown)), hash(seed) {}

    int64_t slot_of(uint64_t first, uint64_t second) const {
        return find_slot(hash.of_128_bits(first, second), n_whole, [&](int64_t at) {
            return whole[at].id == EMPTY || (whole[at].first == first && whole[at].second == second);
        });
    }
    int64_t edge_of(int32_t key) const {
        return find_slot(hash.of_32_bits(uint32_t(key)), n_edges, [&](int64_t at) { return edges[at].key == -1 || edges[at].key == key; });
    }
    int64_t find(uint64_t first, uint64_t second) const { return int64_t(whole[slot_of(first, second)].id); }
    int64_t slot_of(const uint8_t *token, const uint8_t *end) const { // of a token of at most 16 bytes
        return slot_of(eight_bytes(token, end), end - token > 8 ? eight_bytes(token + 8, end) : 0);
    }
};

bool is_space(uint8_t byte) { return byte == 32 || (byte >= 9 && byte <= 13) || (byte >= 28 && byte <= 31); }
bool is_letter(const uint8_t *at, const uint8_t *end) { return at < end && *at >= 'a' && *at <= 'z'; }
bool is_digit(const uint8_t *at, const uint8_t *end) { return at < end && *at >= '0' && *at <= '9'; }

const uint8_t *letters(const uint8_t *at, const uint8_t *end) {
    while (is_letter(at, end))
        at++;
    return at;
}

// Where the clitic after an apostrophe ends ('s 'm 'd 're 've 'll, no letter after it); null where there is none.
const uint8_t *clitic(const uint8_t *at, const uint8_t *end) {
    const uint8_t *stop = letters(at, end);
    const int64_t size = stop - at;
    if (size == 1 && (*at == 's' || *at == 'm' || *at == 'd'))
        return stop;
    if (size == 2 && ((at[1] == 'e' && (*at == 'r' || *at == 'v')) || (at[0] == 'l' && at[1] == 'l')))
        return stop;
    return nullptr;
}

// Whether n't stands here, no letter after it.
bool is_negation(const uint8_t *at, const uint8_t *end) {
    return end - at > 2 && at[0] == 'n' && at[1] == '\'' && at[2] == 't' && !is_letter(at + 3, end);
}

const uint8_t *end_of_letters(const uint8_t *at, const uint8_t *end) {
    const uint8_t *stop = letters(at, end);
    if (stop - at > 1 && is_negation(stop - 1, end))
        return stop - 1;
    if (is_negation(at, end))
        return at + 3;
    while (stop < end && (*stop == '-' || (*stop == '\'' && !clitic(stop + 1, end))) && is_letter(stop + 1, end))
        stop = letters(stop + 1, end);
    return stop;
}

const uint8_t *end_of_number(const uint8_t *at, const uint8_t *end) {
    for (;;) {
        while (is_digit(at, end))
            at++;
        if (at == end || (*at != '.' && *at != ',') || !is_digit(at + 1, end))
            return at;
        at++;
    }
}

// Where the word that begins here ends, in a chunk that `write_plain` wrote.
const uint8_t *end_of_word(const uint8_t *at, const uint8_t *end) {
    if (is_letter(at, end))
        return end_of_letters(at, end);
    if (is_digit(at, end))
        return end_of_number(at, end);
    const uint8_t *stop = *at == '\'' ? clitic(at + 1, end) : nullptr;
    return stop ? stop : at + 1;
}

// Write a chunk in lower case, two apostrophes as a quotation mark, hyphens in a row as one; return its size.
int64_t write_plain(const uint8_t *at, const uint8_t *end, uint8_t *out) {
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

// Write the ids of a token's longest pieces from left to right, or that of an unknown token; return where they end.
int32_t *write_pieces(const uint8_t *begin, const uint8_t *end, const Vocabulary &vocabulary, int32_t *out) {
    int32_t *next = out;
    for (const uint8_t *at = begin, *reached; at < end; at = reached) {
        int32_t state = at == begin ? 0 : 1, best = -1;
        reached = at;
        for (const uint8_t *ahead = at; ahead < end;) {
            const Edge &edge = vocabulary.edges[vocabulary.edge_of(state << 8 | *ahead)];
            if (edge.key == -1)
                break;
            state = edge.state;
            ahead++;
            if (vocabulary.states[state] >= 0) {
                best = vocabulary.states[state];
                reached = ahead;
            }
        }
        if (best < 0 || (end - begin > LONGEST_WORD && !(at == begin && reached == end))) {
            *out = vocabulary.unknown;
            return out + 1;
        }
        *next++ = best;
    }
    return next;
}

int32_t *write_token(const uint8_t *at, const uint8_t *end, const Vocabulary &vocabulary, int32_t *out) {
    if (end - at <= SHORT) {
        const Whole &token = vocabulary.whole[vocabulary.slot_of(at, end)];
        if (token.id != EMPTY) {
            *out = int32_t(token.id);
            return out + 1;
        }
    }
    return write_pieces(at, end, vocabulary, out);
}

// The letters with which a text goes on, at most eight, in lower case, and how many they are.
int64_t eight_letters(const uint8_t *at, const uint8_t *end, uint64_t *bytes) {
    const uint64_t lower = eight_bytes(at, end) | 32 * ONES;
    const uint64_t is_letter = (lower + (128 - 'a') * ONES) & ~(lower + (128 - 'z' - 1) * ONES) & (128 * ONES);
    const uint64_t others = is_letter ^ (128 * ONES);
    const int64_t n = others ? __builtin_ctzll(others) / 8 : 8;
    *bytes = n == 8 ? lower : lower & ((uint64_t(1) << (8 * n)) - 1);
    return n;
}

bool ends_chunk(const uint8_t *at, const uint8_t *end) { return at == end || is_space(*at); }

// Most chunks are letters alone, or letters and one mark: write such a one, or return null where it needs the rules.
int32_t *write_simple(const uint8_t **at, const uint8_t *end, Mode mode, const Vocabulary &vocabulary, int32_t *out) {
    uint64_t first, second = 0;
    const uint8_t *stop = *at;
    stop += eight_letters(stop, end, &first);
    if (stop - *at == 8)
        stop += eight_letters(stop, end, &second);
    const bool mark = stop < end && (*stop == '.' || *stop == ',' || *stop == ';' || *stop == '?' || *stop == '!');
    if (!ends_chunk(stop + mark, end))
        return nullptr;
    if (stop > *at) {
        const int64_t id = vocabulary.find(first, second);
        if (id >= 0 || mode == WORDS)
            *out++ = id < 0 ? vocabulary.unknown : int32_t(id);
        else {
            uint8_t word[SHORT];
            memcpy(word, &first, 8);
            memcpy(word + 8, &second, 8);
            out = write_pieces(word, word + (stop - *at), vocabulary, out);
        }
    }
    if (mark)
        out = write_token(stop, stop + 1, vocabulary, out);
    *at = stop + mark;
    return out;
}

// The named tuple `AsciiVocabulary` in Python.
struct AsciiVocabulary {
    const uint64_t *whole;
    int64_t n_whole;
    const int32_t *edges;
    int64_t n_edges;
    const int32_t *states;
    int64_t n_states, mode, seed;
};

} // namespace

// Fills the tables of a vocabulary of ASCII tokens, which come after one another in `text`, and returns the number of states. All bits
// of `whole` (slots, 3) and `edges` (slots, 2) are set; `states` has room for as many as there are bytes, and two.
EXPORT int64_t index_vocabulary(const uint8_t *text, int64_t, const int64_t *lengths, int64_t n, const int32_t *ids, int64_t, int64_t mode,
                                int64_t seed, uint64_t *whole, int64_t n_whole, int32_t *edges, int64_t n_edges, int32_t *states, int64_t) {
    const Vocabulary vocabulary(whole, n_whole, edges, n_edges, states, -1, seed);
    int32_t n_states = 2; // 0: a word's first piece; 1: a piece that continues a word
    states[0] = states[1] = -1;
    for (int64_t i = 0; i < n; text += lengths[i++]) {
        const uint8_t *at = text, *end = text + lengths[i];
        int32_t state = 0;
        if (mode == WORDPIECE && end - at >= 2 && at[0] == '#' && at[1] == '#') {
            at += 2;
            state = 1;
        } else if (end - at <= SHORT && !memchr(at, 0, end - at)) { // NUL pads
            Whole &token = vocabulary.whole[vocabulary.slot_of(at, end)];
            token = {eight_bytes(at, end), end - at > 8 ? eight_bytes(at + 8, end) : 0, uint64_t(ids[i])};
            if (mode != WORDPIECE)
                continue;
        }
        for (; at < end; at++) {
            const int32_t key = state << 8 | *at;
            Edge &edge = vocabulary.edges[vocabulary.edge_of(key)];
            if (edge.key == -1) {
                edge = {key, n_states};
                states[n_states++] = -1;
            }
            state = edge.state;
        }
        states[state] = ids[i];
    }
    return n_states;
}

// Cuts n texts of bytes 1 to 127 into tokens and writes their ids, each text between two markers; returns how many it wrote. A text of
// length −1 is encoded already: its ids with their markers are the next of `encoded`.
EXPORT int64_t encode_ascii(const uint8_t *text, int64_t, const int64_t *lengths, int64_t n, const int32_t *encoded, int64_t,
                            const AsciiVocabulary *tables, int64_t unknown, int64_t before, int64_t after, int32_t *out, int64_t) {
    const Vocabulary vocabulary(const_cast<uint64_t *>(tables->whole), tables->n_whole, const_cast<int32_t *>(tables->edges),
                                tables->n_edges, const_cast<int32_t *>(tables->states), unknown, tables->seed);
    const Mode mode = Mode(tables->mode);
    int64_t longest = 0;
    for (int64_t i = 0; i < n; i++)
        longest = lengths[i] > longest ? lengths[i] : longest;
    Room<uint8_t> plain(longest);
    if (!plain)
        return NO_MEMORY;
    int32_t *next = out;
    for (int64_t i = 0; i < n; i++) {
        if (lengths[i] < 0) {
            do
                *next++ = *encoded;
            while (*encoded++ != after);
            continue;
        }
        const uint8_t *at = text, *end = text += lengths[i];
        *next++ = int32_t(before);
        while (at < end) {
            if (is_space(*at)) {
                at++;
                continue;
            }
            if (mode != WHITESPACE)
                if (int32_t *written = write_simple(&at, end, mode, vocabulary, next)) {
                    next = written;
                    continue;
                }
            const uint8_t *stop = at;
            while (!ends_chunk(stop, end))
                stop++;
            if (mode == WHITESPACE)
                next = write_token(at, stop, vocabulary, next);
            else {
                const uint8_t *plain_end = plain.at + write_plain(at, stop, plain.at);
                for (const uint8_t *word = plain.at, *word_end; word < plain_end; word = word_end) {
                    word_end = end_of_word(word, plain_end);
                    next = write_token(word, word_end, vocabulary, next);
                }
            }
            at = stop;
        }
        *next++ = int32_t(after);
    }
    return next - out;
}
