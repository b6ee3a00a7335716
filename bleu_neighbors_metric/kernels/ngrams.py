"""Text → n-gram features: the pool's n-grams as a trie, and each text as a list of the ones it holds.

A *feature* is an n-gram together with how often it has stood in the text so far: the first "the" and the second
"the" are two features. The clipped count min(count in x, count in s), summed over n-grams, is then just the number
of features that two texts share, which turns matching into counting. Without clipping, only first occurrences are
features of a pool text, and a candidate lists its n-gram once for each time it stands there.

The trie is one open-addressing hash table from (node, token) to node; an occurrence is one more step from its
n-gram's node. Nodes are exact: no two n-grams share one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from metric_commons.support.compiled import compiled, compiled_within, prefetch
from metric_commons.support.validation import Integers, Integers32

ROOT = 0
_EMPTY = -1
_NEXT_OCCURRENCE = 0xFFFFFFFF  # a "token" beyond any code point or vocabulary
_UNKNOWN = -1
_AHEAD = 12  # n-grams: a look-up in a table beyond the caches takes about as long as so many that are there


@compiled_within()
def _first_slot(table, key):  # type: ignore[no-untyped-def]
    """Return the slot at which to begin to look for a key."""
    mixed = key * np.int64(-7046029254386353131)
    return (mixed ^ (mixed >> np.int64(32))) & np.int64(table.shape[0] - 1)


@compiled_within()
def _slot(table, key):  # type: ignore[no-untyped-def]
    """Return the slot that holds a key, or the empty one where it belongs."""
    mask = np.int64(table.shape[0] - 1)
    slot = _first_slot(table, key)
    found = table[slot, 0]
    while found != key and found != _EMPTY:
        slot = (slot + 1) & mask
        found = table[slot, 0]
    return slot


@compiled_within()
def _child(table, node, token):  # type: ignore[no-untyped-def]
    """Return the node that `token` leads to from `node`, or -1."""
    slot = _slot(table, (np.int64(node) << np.int64(32)) | np.int64(token))
    return table[slot, 1] if table[slot, 0] != _EMPTY else np.int64(-1)


@compiled_within()
def _add_child(table, node, token, new):  # type: ignore[no-untyped-def]
    """Return the node that `token` leads to from `node`, which becomes `new` where there was none."""
    key = (np.int64(node) << np.int64(32)) | np.int64(token)
    slot = _slot(table, key)
    if table[slot, 0] == _EMPTY:
        table[slot, 0] = key
        table[slot, 1] = new
    return table[slot, 1]


@compiled_within()
def _grown(table):  # type: ignore[no-untyped-def]
    """Return a table of twice the size that holds the same."""
    larger = np.empty((table.shape[0] * 2, 2), np.int64)
    for slot in range(larger.shape[0]):
        larger[slot, 0] = larger[slot, 1] = _EMPTY
    for old in range(table.shape[0]):
        if table[old, 0] != _EMPTY:
            slot = _slot(larger, table[old, 0])
            larger[slot, 0] = table[old, 0]
            larger[slot, 1] = table[old, 1]
    return larger


@compiled_within()
def _unset(size):  # type: ignore[no-untyped-def]
    """Return -1 so many times."""
    values = np.empty(size, np.int32)
    for at in range(size):
        values[at] = -1
    return values


@compiled_within()
def _widened(values):  # type: ignore[no-untyped-def]
    """Return an array of twice the length that begins with the same; -1 follows.

    A slice cannot be assigned here: where lengths differ, numpy's error shows them, and to compile that takes seconds.
    """
    wider = _unset(2 * len(values))
    for at in range(len(values)):
        wider[at] = values[at]
    return wider


@compiled()
def _extract(tokens, offsets, orders, table, n_nodes, learning, clip, repeat):  # type: ignore[no-untyped-def]
    """List the features of each text, order by order; `learning` adds those that the trie lacks.

    Returns the features (flat), where each text's features of each order begin, and the (grown) trie.
    """
    n_texts = len(offsets) - 1
    n_orders = len(orders)
    highest = orders[n_orders - 1]
    features = np.empty(len(tokens) * n_orders, np.int32)
    begins = np.empty(n_texts * n_orders + 1, np.int64)
    begins[0] = 0
    size = n_nodes if not learning else 2 * n_nodes + 1024
    last = np.empty(size, np.int32)  # the last occurrence seen of an n-gram …
    stamp = _unset(size)  # … and the text in which it was seen
    longest = 0
    for text in range(n_texts):
        longest = max(longest, offsets[text + 1] - offsets[text])
    path = np.empty(longest, np.int32)
    written = 0
    for text in range(n_texts):
        begin = offsets[text]
        length = offsets[text + 1] - begin
        path[:length] = ROOT
        which = 0
        for order in range(1, highest + 1):
            if order > length:  # no n-gram is that long, nor any longer
                begins[text * n_orders + which + 1 : (text + 1) * n_orders + 1] = written
                break
            wanted = order == orders[which]
            for start in range(length - order + 1):
                node = np.int64(path[start])
                if node < 0:
                    continue
                token = tokens[begin + start + order - 1]
                if token < 0:
                    path[start] = _UNKNOWN
                    continue
                ahead = start + _AHEAD
                if ahead <= length - order and path[ahead] >= 0:
                    key = (np.int64(path[ahead]) << np.int64(32)) | np.int64(tokens[begin + ahead + order - 1])
                    prefetch(table, _first_slot(table, key))
                if learning:
                    if 2 * (n_nodes + 2) > table.shape[0]:
                        table = _grown(table)
                    if n_nodes + 2 > len(stamp):
                        last = _widened(last)
                        stamp = _widened(stamp)
                    node = _add_child(table, node, token, n_nodes)
                    if node == n_nodes:
                        n_nodes += 1
                else:
                    node = _child(table, node, token)
                path[start] = node
                if node < 0 or not wanted:
                    continue
                feature = node
                if stamp[node] != text:
                    stamp[node] = text
                elif clip:
                    feature = np.int64(last[node])
                    if feature >= 0:
                        if learning:
                            feature = _add_child(table, feature, np.int64(_NEXT_OCCURRENCE), n_nodes)
                            if feature == n_nodes:
                                n_nodes += 1
                        else:
                            feature = _child(table, feature, np.int64(_NEXT_OCCURRENCE))
                elif not repeat:
                    continue
                last[node] = feature
                if feature >= 0:
                    features[written] = feature
                    written += 1
            if wanted:
                begins[text * n_orders + which + 1] = written
                which += 1
    return features[:written], begins, table, n_nodes


class NgramTrie:
    """The n-grams of a pool, and the features of any text in terms of them.

    Args:
        orders: the n-gram orders to list, ascending.
        clip: whether occurrences count one by one (clipped counts) or an n-gram is present or not.
        learnt: the table of another trie and its number of nodes; None for an empty one.
    """

    def __init__(self, orders: Sequence[int], clip: bool, learnt: tuple[Integers, int] | None = None) -> None:
        self.orders = np.array(orders, dtype=np.int64)
        self.clip = clip
        self.table = np.full((1024, 2), _EMPTY, dtype=np.int64) if learnt is None else learnt[0]
        self.n_nodes = 1 if learnt is None else learnt[1]  # the root

    def features(self, tokens: Integers, offsets: Integers, *, learning: bool = False) -> tuple[Integers32, Integers]:
        """Return the features of the pool's texts, while `learning` them, or those that candidates share with it.

        Args:
            tokens: the tokens of all texts, shape (total,); -1 is a token that the pool does not hold.
            offsets: where each text begins in them, shape (n + 1,).
            learning: whether these are the pool's texts, which are added.

        Returns:
            The features of all texts, text by text and in it order by order, and where each (text, order)
            begins in them, shape (n · len(orders) + 1,).
        """
        features, begins, table, n_nodes = _extract(
            tokens, offsets, self.orders, self.table, self.n_nodes, learning, self.clip, not learning
        )
        if learning:
            self.table, self.n_nodes = table, n_nodes
        return features, begins
