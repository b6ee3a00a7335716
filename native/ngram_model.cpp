// Back-off n-gram models: token log-probabilities of many texts, and the sums of each text of which SLOR is made.
//
// A model is a table of nodes. The first ones are the unigrams, by word. The children of each node have a region of their own: up to four
// lie side by side, more are in a hash table. So a lookup reads one or two cache lines, however many children its context has.
#include "hash_table.h"

namespace {

enum { BOS = 1, EOS = 2 };      // as in slor_metric.tokenizers.words
constexpr uint32_t SCANNED = 4; // most children that lie side by side

// Region of a node's children. Code 0: it has none. Codes up to 4: their number. A code c above 4: a hash table of 2^(c − 2) slots.
struct Region {
    uint32_t begin, code;

    int64_t size() const { return code <= SCANNED ? code : int64_t(1) << (code - 2); }
    uint32_t home(uint32_t word, const Hash &hash) const { // slot at which the search for a word begins
        return begin + (code <= SCANNED ? 0 : uint32_t(hash.of_32_bits(word)) & (uint32_t(size()) - 1));
    }
    static uint32_t code_of(int64_t children) {
        if (children <= SCANNED)
            return uint32_t(children);
        uint32_t code = 5;
        while (int64_t(1) << (code - 1) < 3 * children) // at least 1.5 slots per child
            code++;
        return code;
    }
};

// Node of any model.
struct Node {
    uint32_t word_and_code; // 27 bits for the word, 5 for the code of its region
    float logprob, backoff;
    uint32_t begin;

    using Word = uint32_t;
    using Value = float;
    static constexpr uint32_t NOBODY = (1 << 27) - 1; // the word of a free slot
    uint32_t word() const { return word_and_code & NOBODY; }
    Region region() const { return {begin, word_and_code >> 27}; }
    void set(uint32_t word, float p, float weight, Region children) {
        *this = {word | children.code << 27, p, weight, children.begin};
    }
};

// Node of a model with fewer than 2^16 words and 2^27 slots. Its values are codes (see `CodeBooks`).
struct CodedNode {
    uint16_t the_word;
    uint8_t logprob, backoff;
    uint32_t begin_and_code;

    using Word = uint16_t;
    using Value = uint8_t;
    static constexpr uint32_t NOBODY = 0xFFFF;
    uint32_t word() const { return the_word; }
    Region region() const { return {begin_and_code & ((1 << 27) - 1), begin_and_code >> 27}; }
    void set(uint32_t word, uint8_t p, uint8_t weight, Region children) {
        *this = {uint16_t(word), p, weight, children.begin | children.code << 27};
    }
};

// Values of codes, order by order: (orders, 256) for `logprobs`, (orders − 1, 256) for `backoffs`.
struct CodeBooks {
    const float *logprobs, *backoffs;
    float logprob(int, float value) const { return value; }
    float backoff(int, float value) const { return value; }
    float logprob(int length, uint8_t code) const { return logprobs[256 * length + code]; }
    float backoff(int length, uint8_t code) const { return backoffs[256 * length + code]; }
};

// Slot of a word in a region of hashed children; a free slot if it is no child.
template <class N> uint32_t slot_of(const N *nodes, Region region, uint32_t word, const Hash &hash) {
    const N *own = nodes + region.begin;
    return region.begin + uint32_t(find_slot(hash.of_32_bits(word), region.size(), [&](int64_t at) {
               return own[at].word() == word || own[at].word() == N::NOBODY;
           }));
}

template <class N> const N *find(const N *nodes, Region region, uint32_t word, const Hash &hash) {
    if (region.code <= SCANNED) {
        for (uint32_t slot = region.begin; slot < region.begin + region.code; slot++)
            if (nodes[slot].word() == word)
                return nodes + slot;
        return nullptr;
    }
    const N &found = nodes[slot_of(nodes, region, word, hash)];
    return found.word() == word ? &found : nullptr;
}

// The n-grams of a model, order after order, each sorted by context and word: their last words, their values, and the number of children of
// each node below the highest order. The first `vocabulary` nodes are the unigrams.
template <class N> struct Trie {
    const typename N::Word *words, *children;
    const typename N::Value *logprobs, *backoffs;
    int64_t vocabulary, n_nodes, n_inner;
    Hash hash;

    void place(N *nodes, int64_t n_slots) const {
        for (int64_t slot = vocabulary; slot < n_slots; slot++)
            nodes[slot].set(N::NOBODY, 0, 0, {0, 0});
        uint32_t free = uint32_t(vocabulary), begin = uint32_t(vocabulary); // begin of the next free region, and of the context's
        int64_t node = 0;
        for (; node < vocabulary; node++)
            set(nodes[node], node, &free);
        for (int64_t context = 0; context < n_inner; context++) {
            const Region region = {begin, Region::code_of(children[context])};
            for (int64_t end = node + children[context], first = node; node < end; node++) {
                const bool hashed = region.code > SCANNED;
                const uint32_t slot = hashed ? slot_of(nodes, region, words[node], hash) : begin + uint32_t(node - first);
                set(nodes[slot], node, &free);
            }
            begin += uint32_t(region.size());
        }
    }
    void set(N &to, int64_t node, uint32_t *free) const {
        Region region = {0, 0};
        if (node < n_inner) {
            region = {*free, Region::code_of(children[node])};
            *free += uint32_t(region.size());
        }
        to.set(words[node], logprobs[node], node < n_inner ? backoffs[node] : typename N::Value(0), region);
    }
};

constexpr int64_t AHEAD = 24;  // nodes are prefetched this many tokens ahead
constexpr int64_t TILE = 2048; // tokens that are looked up together: their `Tile` stays in the cache

// Results for n tokens. Of the longest listed n-gram that ends in each token: its region of children, its ln p and its length less 1. Of
// the n-grams of each length that end there: their back-off weights, (order, n).
struct Tile {
    Room<Region> children;
    Room<float> logprobs, backoffs;
    Room<int8_t> longest;

    Tile(int64_t n, int64_t order) : children(n), logprobs(n), backoffs(n * order), longest(n) {}
    explicit operator bool() const { return children && logprobs && backoffs && longest; }
};

template <class N> struct Model {
    const N *nodes;
    CodeBooks values;
    int64_t order;
    Hash hash;

    void look_up(const int32_t *tokens, int64_t n, Tile &tile) const {
        memset(tile.longest.at, 0, n);
        memset(tile.backoffs.at, 0, n * order * sizeof(float));
        for (int64_t i = 0; i < n; i++) {
            if (tokens[i] < 0) {
                tile.children[i] = {0, 0};
                continue;
            }
            const N &node = nodes[tokens[i]];
            tile.children[i] = node.region();
            tile.logprobs[i] = values.logprob(0, node.logprob);
            if (order > 1)
                tile.backoffs[i] = values.backoff(0, node.backoff);
        }
        // Each order needs only the results of the order below. So no lookup waits for the one before it, and accesses to memory overlap.
        for (int length = 1; length < order; length++) {
            Region context = {0, 0};
            for (int64_t i = 0; i < n; i++) {
                const int64_t ahead = i + AHEAD;
                if (ahead < n && tile.children[ahead - 1].code && tokens[ahead] >= 0)
                    __builtin_prefetch(nodes + tile.children[ahead - 1].home(uint32_t(tokens[ahead]), hash));
                const Region next = tile.children[i];
                tile.children[i] = {0, 0};
                if (context.code && tokens[i] >= 0 && tokens[i] != BOS)
                    if (const N *node = find(nodes, context, uint32_t(tokens[i]), hash)) {
                        tile.longest[i] = int8_t(length);
                        tile.logprobs[i] = values.logprob(length, node->logprob);
                        if (length < order - 1) {
                            tile.backoffs[length * n + i] = values.backoff(length, node->backoff);
                            tile.children[i] = node->region();
                        }
                    }
                context = next;
            }
        }
    }

    // Scores tile by tile: at most TILE tokens, together with those before them in which their n-grams begin.
    int64_t score(const int32_t *framed, int64_t n, int32_t *ids, double *logprobs, int64_t *offsets, double *end_logprobs) const {
        int64_t count = 0;
        Tile tile(TILE + order, order);
        if (!tile)
            return NO_MEMORY;
        *offsets++ = 0;
        for (int64_t start = 0; start < n; start += TILE) {
            const int64_t before = start < order - 1 ? start : order - 1;
            const int32_t *tokens = framed + start - before;
            const int64_t size = before + (n - start < TILE ? n - start : TILE);
            look_up(tokens, size, tile);
            for (int64_t i = before; i < size; i++) {
                if (tokens[i] < 0 || tokens[i] == BOS)
                    continue;
                double total = tile.logprobs[i]; // to which the back-off weights of longer contexts are added
                for (int64_t length = tile.longest[i] + 1; length < order; length++)
                    total += tile.backoffs[(length - 1) * size + i - 1];
                total = total > 0.0 ? 0.0 : total; // an odd model with back-off weights above 1 can exceed it
                if (tokens[i] == EOS) {
                    *end_logprobs++ = total;
                    *offsets++ = count;
                } else {
                    ids[count] = tokens[i];
                    logprobs[count++] = total;
                }
            }
        }
        return count;
    }
};

enum Flag : uint8_t { UNKNOWN = 1, SINGLE = 2, CONTINUES = 4, LETTERED = 8 }; // as in slor_metric.language_models.known
constexpr int64_t SPELLED_OUT = 3;                                           // fewest single letters in a row that are unknown

struct Totals {
    double model, unigram, surplus, n_unknown, n_telling;
};

// Marks the tokens of a text that are unknown by themselves, or as letters that spell a word out. Returns true if any is.
bool mark_unknown(const int32_t *ids, int64_t n, const uint8_t *flags, bool *unknown) {
    bool any = false;
    int64_t stretch = 0; // single letters in a row that spell a word
    for (int64_t i = 0; i < n; i++) {
        const uint8_t flag = flags[ids[i]];
        unknown[i] = flag & UNKNOWN;
        any |= unknown[i];
        if (!(flag & SINGLE) || !(flag & CONTINUES)) {
            stretch = 0;
            continue;
        }
        if (!stretch && i && flags[ids[i - 1]] & SINGLE)
            stretch = 1; // the word's first letter
        stretch++;
        if (stretch == SPELLED_OUT) {
            any = true;
            for (int64_t j = i - SPELLED_OUT + 1; j <= i; j++)
                unknown[j] = true;
        } else if (stretch > SPELLED_OUT)
            unknown[i] = true;
    }
    return any;
}

// Same as the named tuple `NodeTable` in Python: nodes of 8 bytes with the values of their codes, or nodes of 16 bytes without.
struct NodeTable {
    const uint32_t *nodes;
    int64_t size;
    const float *logprob_values;
    int64_t n_logprob_values;
    const float *backoff_values;
    int64_t n_backoff_values, order, seed;
};

template <class Word> int64_t count_slots(const Word *children, int64_t n_inner, int64_t vocabulary) {
    int64_t size = vocabulary;
    for (int64_t i = 0; i < n_inner; i++)
        size += Region{0, Region::code_of(children[i])}.size();
    return size;
}

template <class N, class Word, class Value>
int64_t fill(const Word *words, int64_t n_nodes, const Word *children, int64_t n_inner, const Value *logprobs, const Value *backoffs,
             int64_t vocabulary, int64_t seed, uint32_t *nodes, int64_t size) {
    const Trie<N> trie{words, children, logprobs, backoffs, vocabulary, n_nodes, n_inner, Hash(seed)};
    trie.place(reinterpret_cast<N *>(nodes), size * int64_t(sizeof(uint32_t)) / int64_t(sizeof(N)));
    return DONE;
}

} // namespace

// Number of slots that a model needs, from the number of children of each inner node.
EXPORT int64_t ngram_slots(const uint32_t *children, int64_t n_inner, int64_t vocabulary) { return count_slots(children, n_inner, vocabulary); }
EXPORT int64_t coded_ngram_slots(const uint16_t *children, int64_t n_inner, int64_t vocabulary) {
    return count_slots(children, n_inner, vocabulary);
}

// Fills the nodes of a model from its trie.
EXPORT int64_t fill_ngram_nodes(const uint32_t *words, int64_t n_nodes, const uint32_t *children, int64_t n_inner, const float *logprobs,
                                int64_t, const float *backoffs, int64_t, int64_t vocabulary, int64_t seed, uint32_t *nodes,
                                int64_t size) {
    return fill<Node>(words, n_nodes, children, n_inner, logprobs, backoffs, vocabulary, seed, nodes, size);
}
EXPORT int64_t fill_coded_ngram_nodes(const uint16_t *words, int64_t n_nodes, const uint16_t *children, int64_t n_inner,
                                      const uint8_t *logprobs, int64_t, const uint8_t *backoffs, int64_t, int64_t vocabulary,
                                      int64_t seed, uint32_t *nodes, int64_t size) {
    return fill<CodedNode>(words, n_nodes, children, n_inner, logprobs, backoffs, vocabulary, seed, nodes, size);
}

// Writes the tokens of texts to `framed`, each text between the marks of its begin and its end. Text i has the tokens from offsets[i] to
// offsets[i + 1] of `ids`.
EXPORT int64_t frame_tokens(const int32_t *ids, int64_t, const int64_t *offsets, int64_t n_offsets, int32_t *framed, int64_t) {
    for (int64_t i = 0; i + 1 < n_offsets; i++) {
        const int64_t size = offsets[i + 1] - offsets[i];
        *framed++ = BOS;
        memcpy(framed, ids + offsets[i], size * sizeof *framed);
        framed += size;
        *framed++ = EOS;
    }
    return DONE;
}

// Scores texts and returns the number of their tokens.
//
// A token's log-probability is that of the longest listed n-gram that ends in it, plus the back-off weights of the longer contexts.
// `framed` (n) has the ids of all texts, each as `<s> … </s>`. A negative id has no log-probability, and no context reaches across it.
// `ids` and `logprobs` receive the tokens that have one, without markers; `offsets` (texts + 1) the begin of each text in them;
// `end_logprobs` (texts) ln p(</s>).
EXPORT int64_t score_ngrams(const int32_t *framed, int64_t n, const NodeTable *table, int32_t *ids, int64_t, double *logprobs, int64_t,
                            int64_t *offsets, int64_t, double *end_logprobs, int64_t) {
    const CodeBooks values = {table->logprob_values, table->backoff_values};
    const Hash hash(table->seed);
    if (values.logprobs)
        return Model<CodedNode>{reinterpret_cast<const CodedNode *>(table->nodes), values, table->order, hash}.score(
            framed, n, ids, logprobs, offsets, end_logprobs);
    return Model<Node>{reinterpret_cast<const Node *>(table->nodes), values, table->order, hash}.score(framed, n, ids, logprobs, offsets,
                                                                                                       end_logprobs);
}

// Fills the sums of texts, (n, 5): ln p under the model; ln p under the unigram model; positive log-odds of unknown tokens that follow
// unknown ones; number of unknown tokens; number of tokens that are unknown or hold a letter.
EXPORT int64_t add_up(const int32_t *ids, int64_t, const int64_t *offsets, int64_t n_offsets, const double *logprobs, int64_t,
                      const double *unigram, int64_t, const uint8_t *flags, int64_t, double *totals, int64_t) {
    int64_t longest = 0;
    for (int64_t text = 0; text + 1 < n_offsets; text++)
        longest = offsets[text + 1] - offsets[text] > longest ? offsets[text + 1] - offsets[text] : longest;
    Room<bool> unknown(longest);
    if (!unknown)
        return NO_MEMORY;
    for (int64_t text = 0; text + 1 < n_offsets; text++) {
        const int64_t start = offsets[text], size = offsets[text + 1] - start;
        const int32_t *tokens = ids + start;
        Totals sums = {};
        for (int64_t i = 0; i < size; i++) {
            sums.model += logprobs[start + i];
            sums.unigram += unigram[tokens[i]];
            sums.n_telling += (flags[tokens[i]] & (UNKNOWN | LETTERED)) != 0;
        }
        if (mark_unknown(tokens, size, flags, unknown.at))
            for (int64_t i = 0; i < size; i++) {
                sums.n_unknown += unknown[i];
                const double odds = logprobs[start + i] - unigram[tokens[i]];
                if (i && unknown[i] && unknown[i - 1] && odds > 0.0)
                    sums.surplus += odds;
            }
        reinterpret_cast<Totals *>(totals)[text] = sums;
    }
    return DONE;
}

// Fills the log-odds of tokens: ln p under the model less ln p under the unigram model. Those of an unknown token that follows another
// are at most 0.
EXPORT int64_t capped_log_odds(const int32_t *ids, int64_t, const int64_t *offsets, int64_t n_offsets, const double *logprobs, int64_t,
                               const double *unigram, int64_t, const uint8_t *flags, int64_t, double *odds, int64_t n) {
    Room<bool> unknown(n);
    if (!unknown)
        return NO_MEMORY;
    for (int64_t i = 0; i < n; i++)
        odds[i] = logprobs[i] - unigram[ids[i]];
    for (int64_t text = 0; text + 1 < n_offsets; text++) {
        const int64_t start = offsets[text], size = offsets[text + 1] - start;
        bool *of_text = unknown.at + start;
        if (!mark_unknown(ids + start, size, flags, of_text))
            continue;
        for (int64_t i = 1; i < size; i++)
            if (of_text[i] && of_text[i - 1] && odds[start + i] > 0.0)
                odds[start + i] = 0.0;
    }
    return DONE;
}
