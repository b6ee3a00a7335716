// Text -> n-gram features, by a trie that is one hash table (see kernels/ngrams.py).
#include "kernels.h"

namespace {

constexpr int64_t EMPTY = -1, NEXT_OCCURRENCE = 0xFFFFFFFF; // a "token" beyond any code point or vocabulary
constexpr int AHEAD = 12; // n-grams: a look-up in a table beyond the caches takes about as long as so many that are there

struct Table { // from (node, token) to node: open addressing, a power of two of slots
    int64_t (*slots)[2];
    int64_t size;

    static int64_t key(int64_t node, int64_t token) { return int64_t(uint64_t(node) << 32) | token; }
    int64_t first(int64_t key) const {
        int64_t mixed = int64_t(uint64_t(key) * uint64_t(-7046029254386353131LL));
        return (mixed ^ (mixed >> 32)) & (size - 1);
    }
    int64_t slot(int64_t key) const {
        int64_t at = first(key);
        while (slots[at][0] != key && slots[at][0] != EMPTY)
            at = (at + 1) & (size - 1);
        return at;
    }
    int64_t child(int64_t node, int64_t token) const {
        int64_t at = slot(key(node, token));
        return slots[at][0] != EMPTY ? slots[at][1] : -1;
    }
    int64_t add_child(int64_t node, int64_t token, int64_t fresh) {
        int64_t own = key(node, token), at = slot(own);
        if (slots[at][0] == EMPTY)
            slots[at][0] = own, slots[at][1] = fresh;
        return slots[at][1];
    }
    bool grow() {
        if (size >= int64_t(1) << 32) // nodes are 32 bits wide
            return false;
        Table larger{(int64_t(*)[2])malloc(size * 32), 2 * size};
        if (!larger.slots)
            return false;
        memset(larger.slots, 0xFF, larger.size * 16);
        for (int64_t old = 0; old < size; old++)
            if (slots[old][0] != EMPTY) {
                int64_t at = larger.slot(slots[old][0]);
                larger.slots[at][0] = slots[old][0], larger.slots[at][1] = slots[old][1];
            }
        free(slots);
        *this = larger;
        return true;
    }
};

// What is seen of each n-gram's node: its last occurrence, and the text in which that stood.
struct Seen {
    int64_t size;
    int32_t *last, *stamp;

    explicit Seen(int64_t n) : size(n), last((int32_t *)malloc(n * 4 + 4)), stamp((int32_t *)malloc(n * 4 + 4)) {
        if (stamp)
            memset(stamp, 0xFF, n * 4);
    }
    ~Seen() { free(last), free(stamp); }
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

// Lists the features of each text, order by order; `learning` adds those that the trie lacks, else a text repeats a
// feature as often as its n-gram stands there. Returns the number of features.
template <bool learning>
int64_t extract(const int64_t *tokens, const int64_t *offsets, int64_t n_texts, const int64_t *orders, int64_t n_orders, Table &table,
                int64_t &nodes, bool clip, int32_t *features, int64_t *begins) {
    int64_t written = 0, longest = 0;
    for (int64_t text = 0; text < n_texts; text++)
        if (offsets[text + 1] - offsets[text] > longest)
            longest = offsets[text + 1] - offsets[text];
    Seen seen(learning ? 2 * nodes + 1024 : nodes);
    Room<int32_t> path(longest);
    if (!seen.last || !seen.stamp || !path)
        return NO_MEMORY;
    begins[0] = 0;
    for (int64_t text = 0; text < n_texts; text++) {
        const int64_t *own = tokens + offsets[text];
        int64_t length = offsets[text + 1] - offsets[text], which = 0;
        memset(path.at, 0, length * 4);
        for (int64_t order = 1; order <= orders[n_orders - 1]; order++) {
            if (order > length) { // no n-gram is that long, nor any longer
                for (; which < n_orders; which++)
                    begins[text * n_orders + which + 1] = written;
                break;
            }
            bool wanted = order == orders[which];
            for (int64_t start = 0; start < length - order + 1; start++) {
                int64_t node = path[start], token = own[start + order - 1], ahead = start + AHEAD;
                if (node < 0)
                    continue;
                if (token < 0) {
                    path[start] = -1;
                    continue;
                }
                if (ahead <= length - order && path[ahead] >= 0)
                    __builtin_prefetch(table.slots[table.first(Table::key(path[ahead], own[ahead + order - 1]))], 0, 3);
                if (learning) {
                    if ((2 * (nodes + 2) > table.size && !table.grow()) || (nodes + 2 > seen.size && !seen.grow()))
                        return NO_MEMORY;
                    node = table.add_child(node, token, nodes);
                    nodes += node == nodes;
                } else
                    node = table.child(node, token);
                path[start] = int32_t(node);
                if (node < 0 || !wanted)
                    continue;
                int64_t feature = node;
                if (seen.stamp[node] != text)
                    seen.stamp[node] = int32_t(text);
                else if (clip) {
                    feature = seen.last[node];
                    if (feature >= 0 && learning) {
                        feature = table.add_child(feature, NEXT_OCCURRENCE, nodes);
                        nodes += feature == nodes;
                    } else if (feature >= 0)
                        feature = table.child(feature, NEXT_OCCURRENCE);
                } else if (learning)
                    continue;
                seen.last[node] = int32_t(feature);
                if (feature >= 0)
                    features[written++] = int32_t(feature);
            }
            if (wanted)
                begins[text * n_orders + ++which] = written;
        }
    }
    return written;
}

} // namespace

// Lists the features of a pool's texts, and adds those that the trie lacks. `features` has room for a feature for each
// token and order. The grown table is left for `take_table`: `grown` is its address, its slots and its nodes.
EXPORT int64_t learn_ngrams(const int64_t *tokens, int64_t, const int64_t *offsets, int64_t n_offsets, const int64_t *orders,
                            int64_t n_orders, const int64_t *slots, int64_t n_slots, int64_t n_nodes, int64_t clip, int32_t *features,
                            int64_t, int64_t *begins, int64_t, int64_t *grown, int64_t) {
    Table table{(int64_t(*)[2])malloc(n_slots * 8), n_slots / 2};
    if (!table.slots)
        return NO_MEMORY;
    memcpy(table.slots, slots, n_slots * 8);
    int64_t written = extract<true>(tokens, offsets, n_offsets - 1, orders, n_orders, table, n_nodes, clip, features, begins);
    if (written < 0)
        free(table.slots);
    else
        grown[0] = int64_t(intptr_t(table.slots)), grown[1] = table.size, grown[2] = n_nodes;
    return written;
}

// Copies the table that `learn_ngrams` grew, and frees it.
EXPORT int64_t take_table(int64_t address, int64_t *slots, int64_t n_slots) {
    void *table = (void *)intptr_t(address);
    memcpy(slots, table, n_slots * 8);
    free(table);
    return DONE;
}

// Lists the features of texts that a trie has.
EXPORT int64_t find_ngrams(const int64_t *tokens, int64_t, const int64_t *offsets, int64_t n_offsets, const int64_t *orders,
                           int64_t n_orders, const int64_t *slots, int64_t n_slots, int64_t n_nodes, int64_t clip, int32_t *features,
                           int64_t, int64_t *begins, int64_t) {
    Table table{(int64_t(*)[2])slots, n_slots / 2};
    return extract<false>(tokens, offsets, n_offsets - 1, orders, n_orders, table, n_nodes, clip, features, begins);
}
