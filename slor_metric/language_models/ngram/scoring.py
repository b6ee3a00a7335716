"""Token log-probabilities of many texts under a back-off model, and the sums of each text: `native/ngram_model.cpp`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.validation import Floats, Floats32, Integers, Integers32, Unsigned32
from slor_metric.language_models.ngram.storage import Trie
from slor_metric.tokenizers.words import BOS

_MOST_WORDS, _MOST_SLOTS, _MOST_CODED_SLOTS = (1 << 27) - 1, 1 << 32, 1 << 27


class NodeTable(NamedTuple):
    """A trie as nodes whose children are looked up by their hashes, as scoring reads it.

    Attributes:
        nodes: a node's word, ln p, ln of its back-off weight and place of its children: shape (slots, 4), uint32; of a
            model with values in 8 bits (slots, 2).
        logprob_values: the value of each code, shape (orders, 256); None if a node has its values itself.
        backoff_values: likewise, shape (orders − 1, 256).
        order: the length of the longest n-grams.
        seed: the seed of the hash tables.
    """

    nodes: Unsigned32
    logprob_values: Floats32 | None
    backoff_values: Floats32 | None
    order: int
    seed: int


def build_table(trie: Trie) -> NodeTable:
    """Return the table of a trie.

    Raises:
        ValueError: for a vocabulary of 2^27 words or more, or a model of more slots than 32 bits can number.
    """
    vocabulary, seed = trie.sizes[0], native.SEED
    if trie.logprob_values is not None and trie.words.dtype == np.uint16:
        few = trie.children.astype(np.uint16, copy=False)
        n_slots = native.call("coded_ngram_slots", few, vocabulary)
        if n_slots < _MOST_CODED_SLOTS:
            nodes = np.empty((n_slots, 2), dtype=np.uint32)
            native.call(
                "fill_coded_ngram_nodes", trie.words, few, trie.logprobs, trie.backoffs, vocabulary, seed, nodes
            )
            return NodeTable(nodes, trie.logprob_values, trie.backoff_values, trie.order, seed)
    children = trie.children.astype(np.uint32, copy=False)
    n_slots = native.call("ngram_slots", children, vocabulary)
    if vocabulary >= _MOST_WORDS or n_slots >= _MOST_SLOTS:
        raise ValueError(f"Expected a model of fewer words and n-grams, but it has {sum(trie.sizes)} n-grams")
    nodes = np.empty((n_slots, 4), dtype=np.uint32)
    words, orders = trie.words.astype(np.uint32), range(1, trie.order + 1)
    values = (np.concatenate(list(map(of_order, orders))) for of_order in (trie.logprobs_of, trie.backoffs_of))
    native.call("fill_ngram_nodes", words, children, *values, vocabulary, seed, nodes)
    return NodeTable(nodes, None, None, trie.order, seed)


def frame_tokens(ids: Integers32, offsets: Integers) -> Integers32:
    """Return the tokens of n texts, each text as ``<s> … </s>``; see `NgramLanguageModel.encoded_logprobs`.

    >>> frame_tokens(np.array([7, 8, 9], dtype=np.int32), np.array([0, 2, 3])).tolist()
    [1, 7, 8, 2, 1, 9, 2]
    """
    framed = np.empty(len(ids) + 2 * (len(offsets) - 1), dtype=np.int32)
    native.call("frame_tokens", ids, offsets, framed)
    return framed


def score_tokens(framed: Integers32, n_texts: int, table: NodeTable) -> tuple[Integers32, Integers, Floats, Floats]:
    """Score n texts.

    A token's log-probability is that of the longest listed n-gram that ends in it, plus the back-off weights of the
    longer contexts that were tried in vain.

    Args:
        framed: the ids of all texts after one another, each as ``<s> … </s>``, shape (t,).
        n_texts: the number of texts.
        table: the model.

    Returns:
        The tokens without markers; the index of each text's first one, and their number, shape (n + 1,); their
        log-probabilities; and ln p(``</s>``) of each text, shape (n,).
    """
    size = len(framed) - 2 * n_texts
    ids, logprobs = np.empty(size, dtype=np.int32), np.empty(size)
    offsets, ends = np.empty(n_texts + 1, dtype=np.int64), np.empty(n_texts)
    native.call("score_ngrams", framed, table, ids, logprobs, offsets, ends)
    return ids, offsets, logprobs, ends


def score_few(framed: Integers32, trie: Trie) -> Floats:
    """Return ln p of each token and ``</s>``, with the same bits as `score_tokens`, from the trie itself, shape (t,).

    For few texts: building the table would cost many times as much as it saves. The value at ``<s>`` means nothing.
    """
    predicted = framed != BOS
    total, node = np.zeros(len(framed)), framed.astype(np.int64)
    backoffs = np.zeros(len(framed))  # of the n-gram that ends before each token
    for k in range(1, trie.order + 1):
        if k > 1:
            node = np.where(predicted, _child(trie, np.roll(node, 1), framed), -1)
        is_listed = node >= 0
        total += backoffs
        total[is_listed] = trie.logprobs_of(k, node[is_listed])
        if k < trie.order:
            backoffs[:] = 0
            backoffs[is_listed] = trie.backoffs_of(k, node[is_listed])
            backoffs = np.roll(backoffs, 1)
    return np.where(total > 0, 0.0, total)


def _child(trie: Trie, context: Integers, words: Integers32) -> Integers:
    """Return the node of each word after its context, −1 if it is not listed or the context is −1."""
    parents, last = np.maximum(context, 0), len(trie.words) - 1
    low, end = trie.children_of(parents)
    high = np.where(context < 0, low, end)
    while (low < high).any():  # the first child whose word is not less
        middle = (low + high) // 2
        is_less = (low < high) & (trie.words[np.minimum(middle, last)] < words)
        low, high = np.where(is_less, middle + 1, low), np.where(is_less, high, middle)
    is_listed = (context >= 0) & (low < end) & (trie.words[np.minimum(low, last)] == words)
    return np.where(is_listed, low, -1)
