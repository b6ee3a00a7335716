"""N-gram features of texts: the pool's n-grams are a trie, and each text is a list of its features.

A *feature* is an n-gram with the number of its occurrence in the text: the first "the" and the second "the" are two
features. The clipped count min(count in x, count in s), summed over n-grams, is then the number of features that two
texts share. Without clipping, a pool text has each n-gram once, and a candidate repeats an n-gram as often as it
occurs.

The trie is one open-addressing hash table from (node, token) to node. Further occurrences of an n-gram are further
steps from its node. Nodes are exact: no two n-grams share one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.validation import Integers, Integers32

_EMPTY = -1


class NgramTrie:
    """The n-grams of a pool, which give the features of any text.

    Args:
        orders: the n-gram orders to list, ascending.
        clip: whether occurrences are features one by one (clipped counts), or an n-gram is one feature.
    """

    def __init__(self, orders: Sequence[int], clip: bool) -> None:
        self.orders = np.array(orders, dtype=np.int64)
        self.clip = clip
        self.table = np.full((1024, 2), _EMPTY, dtype=np.int64)
        self.seed = native.SEED  # kept beside the table, also in a pickle that another process reads
        self.n_nodes = 1  # the root

    def features(self, tokens: Integers, offsets: Integers, *, learning: bool = False) -> tuple[Integers32, Integers]:
        """Return the features of the pool's texts, while `learning`, or the ones that candidates share with the pool.

        Args:
            tokens: the tokens of all texts, shape (total,); -1 is a token that the pool does not hold.
            offsets: the begin of each text in them, shape (n + 1,).
            learning: whether these are the pool's texts, which are added.

        Returns:
            The features of all texts, text by text and for each text order by order, and the begin of each (text,
            order) in them, shape (n · len(orders) + 1,).
        """
        n_orders = len(self.orders)
        features = np.empty(len(tokens) * n_orders, dtype=np.int32)
        begins = np.empty((len(offsets) - 1) * n_orders + 1, dtype=np.int64)
        trie = self.orders, self.table, self.seed, self.n_nodes, self.clip
        if not learning:
            written = native.call("find_ngrams", tokens, offsets, *trie, features, begins)
            return features[:written], begins
        grown = np.empty(3, dtype=np.int64)
        written = native.call("learn_ngrams", tokens, offsets, *trie, features, begins, grown)
        address, n_slots, self.n_nodes = grown.tolist()
        self.table = np.empty((n_slots, 2), dtype=np.int64)
        native.call("take_table", address, self.table)
        return features[:written], begins
