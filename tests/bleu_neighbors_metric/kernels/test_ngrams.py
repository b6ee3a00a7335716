"""The trie of n-grams, beside a dictionary."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from kernel_twins import TrieTwin
from levels import at_each_level

from bleu_neighbors_metric.kernels.ngrams import NgramTrie

TEXTS = st.lists(st.lists(st.integers(0, 3) | st.just(2**31 - 1), max_size=30), max_size=8)
ORDERS = st.sampled_from([(1,), (2, 3, 4), (1, 2), (4,), (1, 3, 5)])


def flat(texts):
    lengths = [len(text) for text in texts]
    return np.array([token for text in texts for token in text], np.int64), np.cumsum([0, *lengths], dtype=np.int64)


@given(TEXTS, TEXTS, TEXTS, ORDERS, st.booleans())
def test_features_equal_the_twins(pool, more, candidates, orders, clip):
    candidates = [[-1 if token > 3 else token for token in text] for text in candidates]

    def product():
        trie = NgramTrie(orders, clip)
        return [
            *trie.features(*flat(pool), learning=True),
            *trie.features(*flat(more), learning=True),
            *trie.features(*flat(candidates)),
            np.array(trie.n_nodes),
        ]

    twin = TrieTwin(orders, clip)
    expected = (twin.features(pool, True), twin.features(more, True), twin.features(candidates, False))
    of_product = at_each_level(product)
    assert [array.tolist() for array in of_product[:-1]] == [numbers for pair in expected for numbers in pair]
    assert of_product[-1] == len(twin.nodes) + 1
