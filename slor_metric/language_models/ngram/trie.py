"""A back-off n-gram model as arrays: the form in which it is scored, stored, read and written."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metric_commons.support.types import Booleans, Floats, Integers
from slor_metric.language_models.ngram.counting import CountTable

MOST_ORDERS = 16
"""The longest n-grams that are scored: the compiled code has room for so many contexts."""

Words = NDArray[np.uint16] | NDArray[np.uint32]


@dataclass(frozen=True)
class Trie:
    """All n-grams of a model, order after order; within an order sorted by context and word.

    Node i is an n-gram; nodes 0 … V − 1 are the unigrams, by word id. The continuations of node i are the nodes from
    ``first_child[i]`` to ``first_child[i + 1]``, sorted by word.

    Attributes:
        words: the last word of each n-gram, shape (nodes,).
        logprobs: ln p(word | context), shape (nodes,), float32, in nats.
        backoffs: ln of the back-off weight, shape (nodes below the highest order,), float32, in nats.
        first_child: shape (nodes below the highest order + 1,), int32.
        sizes: the number of n-grams of each order, from 1 up.
    """

    words: Words
    logprobs: NDArray[np.float32]
    backoffs: NDArray[np.float32]
    first_child: NDArray[np.int32]
    sizes: tuple[int, ...]

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return len(self.sizes)

    def level(self, k: int) -> slice:
        """The nodes of order k."""
        return slice(sum(self.sizes[: k - 1]), sum(self.sizes[:k]))

    def parents(self, k: int) -> Integers:
        """The node of each n-gram's context, for order k ≥ 2, shape (sizes[k − 1],)."""
        below = self.level(k - 1)
        fan_out = np.diff(self.first_child[below.start : below.stop + 1])
        return np.repeat(np.arange(below.start, below.stop), fan_out)


def check_trie(trie: Trie) -> None:
    """Check all that scoring relies on, whoever made the arrays.

    Raises:
        ValueError: for arrays that do not fit together, n-grams out of their order, or numbers that are no
            log-probabilities.
    """
    sizes, n_nodes = trie.sizes, len(trie.words)
    if not 1 <= trie.order <= MOST_ORDERS:
        raise ValueError(f"Expected a model of order 1 to {MOST_ORDERS}, but got {trie.order}")
    n_inner = n_nodes - sizes[-1]
    lengths = (len(trie.logprobs), len(trie.backoffs), len(trie.first_child), sum(sizes))
    if lengths != (n_nodes, n_inner, n_inner + 1, n_nodes) or n_nodes >= 2**31 or min(sizes) < 0:
        raise ValueError(f"Expected arrays of {n_nodes} n-grams, but got {lengths} for orders of {sizes}")
    first, starts = trie.first_child, np.cumsum(sizes)
    if (np.diff(first) < 0).any() or (first[[0, *starts[:-1]]] != [sizes[0], *starts[1:]]).any():
        raise ValueError("Expected each n-gram's continuations among the n-grams of the next order, but got others")
    is_first = np.zeros(n_nodes + 1, dtype=np.bool_)
    is_first[first] = True
    words = trie.words
    ascending = bool((words[: sizes[0]] == np.arange(sizes[0])).all())
    if not ascending or not (is_first[1:-1] | (words[1:] > words[:-1])).all() or int(words.max()) >= sizes[0]:
        raise ValueError("Expected words of the vocabulary in ascending order within each context, but got others")
    # NaN fails each comparison.
    if not ((trie.logprobs <= 0) & (trie.logprobs > -np.inf)).all():
        raise ValueError("Expected finite log-probabilities of at most 0, but got others")
    if not np.isfinite(trie.backoffs).all():
        raise ValueError("Expected finite back-off weights, but got others")


def from_tables(
    tables: list[CountTable],
    probabilities: list[Floats],
    weights: list[Floats],
    keep: list[Booleans],
) -> Trie:
    """Build the trie of the kept n-grams from count tables and their estimates."""
    words, logprobs, backoffs, children = [], [], [], []
    for k, (table, kept) in enumerate(zip(tables, keep, strict=True)):
        words.append(table.words[kept])
        logprobs.append(_log(probabilities[k][kept]))
        if k + 1 < len(tables):
            backoffs.append(_log(weights[k][kept]))
            above = tables[k + 1]
            fan_out = np.bincount(above.parents[keep[k + 1]], minlength=len(table))
            children.append(fan_out[kept])
    return assemble(words, logprobs, backoffs, children)


def _log(values: Floats) -> NDArray[np.float32]:
    """Return natural logarithms; a corpus so small that nothing is left to back off with gives the least there is."""
    return np.log(np.maximum(values, np.finfo(np.float32).tiny)).astype(np.float32)


def assemble(
    words: list[NDArray[np.uint32]],
    logprobs: list[NDArray[np.float32]],
    backoffs: list[NDArray[np.float32]],
    children: list[Integers],
) -> Trie:
    """Join the orders' arrays to one trie.

    Args:
        words: the last words, order by order, each sorted by context and word.
        logprobs: order by order.
        backoffs: for all orders but the highest.
        children: how many continuations each n-gram has, for all orders but the highest.
    """
    sizes = tuple(len(array) for array in words)
    first_child = np.zeros(sum(sizes[:-1]) + 1, dtype=np.int32)
    first_child[0] = sizes[0]
    if len(sizes) > 1:
        first_child[1:] = sizes[0] + np.cumsum(np.concatenate(children))
    joined = np.concatenate(words)
    return Trie(
        joined.astype(np.uint16) if sizes[0] <= 1 << 16 else joined,
        np.concatenate(logprobs),
        np.concatenate([*backoffs, np.zeros(0, dtype=np.float32)]),
        first_child,
        sizes,
    )


def from_rows(
    rows: list[NDArray[np.uint32]],
    logprobs: list[NDArray[np.float32]],
    backoffs: list[NDArray[np.float32]],
) -> Trie:
    """Build a trie from n-grams in any sequence, as an ARPA file lists them.

    Args:
        rows: word ids of the n-grams of each order, shapes (m_k, k); those of order 1 are 0, 1, 2, ….
        logprobs: ln p of each, in the same sequence.
        backoffs: ln of the back-off weights, for all orders but the highest.

    Raises:
        ValueError: for an n-gram that occurs twice, or whose context is missing.
    """
    all_words, all_logprobs, all_backoffs, children = [rows[0][:, 0]], [logprobs[0]], [], []
    level_keys: list[NDArray[np.uint64]] = []  # of orders 2, 3, …, sorted
    if len(rows) > 1:
        all_backoffs.append(backoffs[0])
    for k in range(2, len(rows) + 1):
        ids = rows[k - 1]
        # Walk down the orders to the position of each context.
        position = ids[:, 0].astype(np.int64)
        for depth in range(2, k):
            position = _find(level_keys[depth - 2], position, ids[:, depth - 1], k)
        new_keys = (position.astype(np.uint64) << np.uint64(32)) | ids[:, k - 1].astype(np.uint64)
        permutation = np.argsort(new_keys, kind="stable")
        keys = new_keys[permutation]
        if (keys[1:] == keys[:-1]).any():
            raise ValueError(f"a {k}-gram is listed twice")
        level_keys.append(keys)
        children.append(np.bincount(position, minlength=len(all_words[-1])))
        all_words.append(ids[permutation, k - 1])
        all_logprobs.append(logprobs[k - 1][permutation])
        if k < len(rows):
            all_backoffs.append(backoffs[k - 1][permutation])
    return assemble(all_words, all_logprobs, all_backoffs, children)


def _find(keys: NDArray[np.uint64], position: Integers, words: NDArray[np.uint32], order: int) -> Integers:
    wanted = (position.astype(np.uint64) << np.uint64(32)) | words.astype(np.uint64)
    found = np.searchsorted(keys, wanted)
    if len(wanted) and (not len(keys) or (keys[np.minimum(found, len(keys) - 1)] != wanted).any()):
        raise ValueError(f"the context of a {order}-gram is not listed")
    return np.asarray(found, dtype=np.int64)
