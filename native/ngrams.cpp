// N-gram features of texts, by a trie that is one hash table (see kernels/ngrams.py).
#include "hash_table.h"

namespace {

constexpr int64_t EMPTY = -1, NONE = -1;
constexpr int64_t NEXT_OCCURRENCE = 0xFFFFFFFF; // a "token" beyond any code point or vocabulary
constexpr int64_t AHEAD = 12; // slots are prefetched this many n-grams ahead: the table is larger than the caches

// Hash table from (node, token) to node.
struct Table {
    int64_t (*slots)[2];
    int64_t size;
    Hash hash;

    static int64_t key(int64_t node, int64_t token) { return int64_t(uint64_t(node) << 32) | token; }

    int64_t slot(int64_t key) const {
        return find_slot(hash.of_64_bits(uint64_t(key)), size, [&](int64_t at) { return slots[at][0] == key || slots[at][0] == EMPTY; });
    }
    void prefetch(int64_t node, int64_t token) const {
        __builtin_prefetch(slots[int64_t(hash.of_64_bits(uint64_t(key(node, token)))) & (size - 1)], 0, 3);
    }
    int64_t child(int64_t node, int64_t token) const {
        const int64_t at = slot(key(node, token));
        return slots[at][0] != EMPTY ? slots[at][1] : NONE;
    }
    int64_t add_child(int64_t node, int64_t token, int64_t fresh) {
        const int64_t own = key(node, token), at = slot(own);
        if (slots[at][0] == EMPTY) {
            slots[at][0] = own;
            slots[at][1] = fresh;
        }
        return slots[at][1];
    }
    bool grow() {
        if (size >= int64_t(1) << 32) // numbers of nodes have 32 bits
            return false;
        Table larger{(int64_t(*)[2])malloc(size * 32), 2 * size, hash};
        if (!larger.slots)
            return false;
        memset(larger.slots, 0xFF, larger.size * 16);
        for (int64_t old = 0; old < size; old++)
            if (slots[old][0] != EMPTY)
                memcpy(larger.slots[larger.slot(slots[old][0])], slots[old], 16);
        free(slots);
        *this = larger;
        return true;
    }
};

// Last occurrence of each n-gram, by its node, and the text of that occurrence.
struct Seen {
    int64_t size;
    int32_t *last, *stamp;

    explicit Seen(int64_t n) : size(n), last((int32_t *)malloc(n * 4 + 4)), stamp((int32_t *)malloc(n * 4 + 4)) {
        if (stamp)
            memset(stamp, 0xFF, n * 4);
    }
    ~Seen() {
        free(last);
        free(stamp);
    }
    bool grow() {
        int32_t *wider_last = (int32_t *)realloc(last, size * 8);
        last = wider_last ? wider_last : last;
        int32_t *wider_stamp = (int32_t *)realloc(stamp, size * 8);
        stamp = wider_stamp ? wider_stamp : stamp;
        if (!wider_last || !wider_stamp)
            return false;
        memset(stamp + size, 0xFF, size * 4);
        size *= 2;
        return true;
    }
};

// Lists the features of texts. If `learning`, n-grams that the trie lacks are added.
template <bool learning> class Lister {
    Table &table;
    int64_t n_nodes;
    const bool clip;
    Seen seen;
    Room<int32_t> path; // the node of the n-gram that begins at each token; NONE if the trie lacks it
    int32_t *features;

  public:
    int64_t written = 0;

    Lister(Table &table, int64_t n_nodes, bool clip, int64_t longest, int32_t *features)
        : table(table), n_nodes(n_nodes), clip(clip), seen(learning ? 2 * n_nodes + 1024 : n_nodes), path(longest), features(features) {}

    explicit operator bool() const { return seen.last && seen.stamp && path; }
    int64_t nodes() const { return n_nodes; }

    // Lists the features of one text, order by order. `ends` receives the end of each order's. Returns false if memory is lacking.
    bool list(int32_t text, const int64_t *tokens, int64_t length, const int64_t *orders, int64_t n_orders, int64_t *ends) {
        memset(path.at, 0, length * sizeof(int32_t));
        int64_t which = 0;
        for (int64_t order = 1; order <= orders[n_orders - 1] && order <= length; order++) {
            const bool wanted = order == orders[which];
            if (!lengthen(text, tokens + order - 1, length - order + 1, wanted))
                return false;
            if (wanted)
                ends[which++] = written;
        }
        for (; which < n_orders; which++) // orders that are longer than the text
            ends[which] = written;
        return true;
    }

  private:
    // Makes each n-gram of a text one token longer: the longer ones end in `last_tokens`. Lists their features if `wanted`.
    bool lengthen(int32_t text, const int64_t *last_tokens, int64_t n, bool wanted) {
        for (int64_t start = 0; start < n; start++) {
            if (path[start] < 0)
                continue;
            if (start + AHEAD < n && path[start + AHEAD] >= 0)
                table.prefetch(path[start + AHEAD], last_tokens[start + AHEAD]);
            if (!make_room())
                return false;
            const int64_t node = last_tokens[start] < 0 ? NONE : step(path[start], last_tokens[start]);
            path[start] = int32_t(node);
            if (wanted && node >= 0)
                add_feature(text, node);
        }
        return true;
    }
    // Makes room for an n-gram and its next occurrence.
    bool make_room() {
        if (!learning)
            return true;
        return (2 * (n_nodes + 2) <= table.size || table.grow()) && (n_nodes + 2 <= seen.size || seen.grow());
    }
    int64_t step(int64_t node, int64_t token) {
        if (!learning)
            return table.child(node, token);
        const int64_t found = table.add_child(node, token, n_nodes);
        if (found == n_nodes)
            n_nodes++;
        return found;
    }
    // The feature of an n-gram's first occurrence in a text is its node. Each further occurrence is a step from the one before if counts are
    // clipped; if not, a candidate repeats the node, and a text of the pool has it once.
    void add_feature(int32_t text, int64_t node) {
        if (!learning && !clip) {
            features[written++] = int32_t(node);
            return;
        }
        int64_t feature = node;
        if (seen.stamp[node] != text)
            seen.stamp[node] = text;
        else if (clip)
            feature = seen.last[node] < 0 ? NONE : step(seen.last[node], NEXT_OCCURRENCE);
        else
            return;
        seen.last[node] = int32_t(feature);
        if (feature >= 0)
            features[written++] = int32_t(feature);
    }
};

// Lists the features of all texts, text by text, and updates the number of the trie's nodes. Returns the number of features.
template <bool learning>
int64_t extract(const int64_t *tokens, const int64_t *offsets, int64_t n_texts, const int64_t *orders, int64_t n_orders, Table &table,
                int64_t &n_nodes, bool clip, int32_t *features, int64_t *begins) {
    int64_t longest = 0;
    for (int64_t text = 0; text < n_texts; text++)
        longest = larger_of(longest, offsets[text + 1] - offsets[text]);
    Lister<learning> lister(table, n_nodes, clip, longest, features);
    if (!lister)
        return NO_MEMORY;
    begins[0] = 0;
    for (int64_t text = 0; text < n_texts; text++) {
        const int64_t length = offsets[text + 1] - offsets[text];
        if (!lister.list(int32_t(text), tokens + offsets[text], length, orders, n_orders, begins + 1 + text * n_orders))
            return NO_MEMORY;
    }
    n_nodes = lister.nodes();
    return lister.written;
}

} // namespace

// Lists the features of a pool's texts, and adds those that the trie lacks. `features` has room for one per token and order. `grown`
// receives the address of the grown table, its number of slots and the trie's number of nodes. `take_table` copies and frees the table.
EXPORT int64_t learn_ngrams(const int64_t *tokens, int64_t, const int64_t *offsets, int64_t n_offsets, const int64_t *orders,
                            int64_t n_orders, const int64_t *slots, int64_t n_slots, int64_t seed, int64_t n_nodes, int64_t clip,
                            int32_t *features, int64_t, int64_t *begins, int64_t, int64_t *grown, int64_t) {
    Table table{(int64_t(*)[2])malloc(n_slots * 8), n_slots / 2, Hash(seed)};
    if (!table.slots)
        return NO_MEMORY;
    memcpy(table.slots, slots, n_slots * 8);
    const int64_t written = extract<true>(tokens, offsets, n_offsets - 1, orders, n_orders, table, n_nodes, clip, features, begins);
    if (written < 0) {
        free(table.slots);
        return written;
    }
    grown[0] = int64_t(intptr_t(table.slots));
    grown[1] = table.size;
    grown[2] = n_nodes;
    return written;
}

// Copies the table that `learn_ngrams` grew, and frees it.
EXPORT int64_t take_table(int64_t address, int64_t *slots, int64_t n_slots) {
    void *table = (void *)intptr_t(address);
    memcpy(slots, table, n_slots * 8);
    free(table);
    return DONE;
}

// Lists those features of texts that a trie has. Without clipping, a text repeats a feature as often as its n-gram occurs.
EXPORT int64_t find_ngrams(const int64_t *tokens, int64_t, const int64_t *offsets, int64_t n_offsets, const int64_t *orders,
                           int64_t n_orders, const int64_t *slots, int64_t n_slots, int64_t seed, int64_t n_nodes, int64_t clip,
                           int32_t *features, int64_t, int64_t *begins, int64_t) {
    Table table{(int64_t(*)[2])slots, n_slots / 2, Hash(seed)};
    return extract<false>(tokens, offsets, n_offsets - 1, orders, n_orders, table, n_nodes, clip, features, begins);
}
