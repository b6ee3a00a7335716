// ASCII text to token ids, by the rules of slor_metric.tokenizers.words: words, and WordPieces by longest match.
#include "ascii_words.h"

namespace {

enum Mode : int64_t { WHITESPACE, WORDS, WORDPIECE }; // as in slor_metric.tokenizers.encoder

constexpr int64_t LONGEST_WORD = 100; // most bytes of a word that is cut into several WordPieces; a longer one is unknown

// Writes the ids of a token's pieces and returns their end. From left to right, each piece is the longest that the vocabulary has. If it
// has none, the token is unknown.
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

// Writes the ids of a simple chunk, moves `at` behind it and returns the end of the ids; null if the chunk is not simple.
int32_t *write_simple(const uint8_t **at, const uint8_t *end, Mode mode, const Vocabulary &vocabulary, int32_t *out) {
    const SimpleChunk chunk(*at, end);
    if (!chunk.is_simple)
        return nullptr;
    if (chunk.stop > *at) {
        const int64_t id = vocabulary.find(chunk.first, chunk.second);
        if (id >= 0 || mode == WORDS)
            *out++ = id < 0 ? vocabulary.unknown : int32_t(id);
        else {
            uint8_t word[SHORT];
            memcpy(word, &chunk.first, 8);
            memcpy(word + 8, &chunk.second, 8);
            out = write_pieces(word, word + (chunk.stop - *at), vocabulary, out);
        }
    }
    if (chunk.has_mark)
        out = write_token(chunk.stop, chunk.stop + 1, vocabulary, out);
    *at = chunk.stop + chunk.has_mark;
    return out;
}

} // namespace

// Fills the tables of a vocabulary whose ASCII tokens follow one another in `text`, and returns the number of states. All bits of `whole`
// (slots, 3) and `edges` (slots, 2) are set before. `states` has room for two more than there are bytes.
EXPORT int64_t index_vocabulary(const uint8_t *text, int64_t, const int64_t *lengths, int64_t n, const int32_t *ids, int64_t, int64_t mode,
                                int64_t seed, uint64_t *whole, int64_t n_whole, int32_t *edges, int64_t n_edges, int32_t *states, int64_t) {
    const Vocabulary vocabulary(whole, n_whole, edges, n_edges, states, -1, seed);
    int32_t n_states = 2; // 0: begin of a word's first piece; 1: begin of a piece that continues a word
    states[0] = states[1] = -1;
    for (int64_t i = 0; i < n; text += lengths[i++]) {
        const uint8_t *at = text, *end = text + lengths[i];
        int32_t state = 0;
        if (mode == WORDPIECE && end - at >= 2 && at[0] == '#' && at[1] == '#') {
            at += 2;
            state = 1;
        } else if (end - at <= SHORT && !memchr(at, 0, end - at)) { // NUL pads keys
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

// Cuts n texts, as `part_ascii` wrote them, into tokens and writes their ids, each text between the markers `before` and `after`. Returns the
// number of ids written. A chunk that is not ASCII is encoded already: its ids are the next ones of `encoded`, up to END_OF_CHUNK.
EXPORT int64_t encode_ascii(const uint8_t *text, int64_t, const int64_t *lengths, int64_t n, const int32_t *encoded, int64_t,
                            const AsciiVocabulary *tables, int64_t unknown, int64_t before, int64_t after, int32_t *out, int64_t) {
    const Vocabulary vocabulary(*tables, unknown);
    const Mode mode = Mode(tables->mode);
    int64_t longest = 0;
    for (int64_t i = 0; i < n; i++)
        longest = lengths[i] > longest ? lengths[i] : longest;
    Room<uint8_t> plain(longest);
    if (!plain)
        return NO_MEMORY;
    int32_t *next = out;
    for (int64_t i = 0; i < n; i++) {
        const uint8_t *at = text, *end = text += lengths[i];
        *next++ = int32_t(before);
        while (at < end) {
            if (is_space(*at)) {
                at++;
                continue;
            }
            if (*at == OTHER_CHUNK) {
                while (*encoded != END_OF_CHUNK)
                    *next++ = *encoded++;
                encoded++;
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
