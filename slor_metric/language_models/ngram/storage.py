"""A back-off n-gram model as arrays: the form in which it is scored, stored, read and written.

The file of a model of order n (see `core/files/archive.py`; order after order in each array, as in `Trie`):

- ``tokens``: the vocabulary; the first three are ``<unk>``, ``<s>``, ``</s>``.
- ``counts``: count of each token in the corpus, if it is known.
- ``words``: the last word of each n-gram. ``children``: the number of continuations of each below the highest order.
- ``logprobs``, ``backoffs``: float32, or 8-bit codes with a row of values for each order, ``logprobs_values`` and
  ``backoffs_values``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from referenceless_metrics.core.files.archive import (
    STRINGS,
    Array,
    Schema,
    pack_strings,
    read_archive,
    reading,
    unpack_strings,
)
from referenceless_metrics.core.files.archived import Portable
from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.validation import (
    Arrays,
    Booleans,
    Floats,
    Floats32,
    Integers,
    PathName,
    Record,
    Unsigned8,
    Unsigned32,
)

if TYPE_CHECKING:
    from slor_metric.language_models.ngram.estimation import CountTable

MOST_ORDERS = 16
"""Most words of n-grams that are scored: the compiled code has room for as many contexts."""

_BLOCK, _FEW_NODES = 64, 4096  # nodes whose children are counted together; nodes that are looked up by such blocks

Words = NDArray[np.uint16] | Unsigned32


@dataclass(frozen=True)
class Trie(Portable):
    """All n-grams of a model, order after order; within an order sorted by context and word.

    Node i is an n-gram; nodes 0 … V − 1 are the unigrams, by word id. The nodes after them are the continuations of
    node 0, sorted by word, then those of node 1, and so on.

    Attributes:
        words: the last word of each n-gram, shape (nodes,).
        logprobs: ln p(word | context), shape (nodes,), float32, in nats; or codes of 8 bits.
        backoffs: ln of the back-off weight, shape (nodes below the highest order,), likewise.
        children: the number of continuations, shape (nodes below the highest order,).
        sizes: the number of n-grams of each order, from 1 up.
        logprob_values: the values of each order's codes, shape (orders, 256), float32; None without codes.
        backoff_values: likewise, shape (orders − 1, 256).
        checked: whether `check_trie` is passed already.
    """

    words: Words
    logprobs: Floats32 | Unsigned8
    backoffs: Floats32 | Unsigned8
    children: Words
    sizes: tuple[int, ...]
    logprob_values: Floats32 | None = None
    backoff_values: Floats32 | None = None
    checked: bool = False

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return len(self.sizes)

    def level(self, k: int) -> slice:
        """The nodes of order k."""
        return slice(sum(self.sizes[: k - 1]), sum(self.sizes[:k]))

    def logprobs_of(self, k: int, nodes: Integers | None = None) -> Floats32:
        """Return ln p of n-grams of order k, in nats: of all or of some nodes."""
        stored: Any = self.logprobs[self.level(k) if nodes is None else nodes]
        values: Floats32 = stored if self.logprob_values is None else self.logprob_values[k - 1][stored]
        return values

    def backoffs_of(self, k: int, nodes: Integers | None = None) -> Floats32:
        """Return ln of their back-off weights likewise; those of the highest order have none."""
        stored: Any = self.backoffs[self.level(k) if nodes is None else nodes]
        values: Floats32 = (
            stored if self.backoff_values is None or k == self.order else self.backoff_values[k - 1][stored]
        )
        return values

    def parents(self, k: int) -> Integers:
        """The node of each n-gram's context, for order k ≥ 2, shape (sizes[k − 1],)."""
        below = self.level(k - 1)
        return np.repeat(np.arange(below.start, below.stop), self.children[below])

    @cached_property
    def first_child(self) -> Integers:
        """The first continuation of each node below the highest order, and the number of nodes, if it has one."""
        return self.sizes[0] + np.append(0, np.cumsum(self.children, dtype=np.int64))

    def children_of(self, nodes: Integers) -> tuple[Integers, Integers]:
        """Return the first continuation of nodes below the highest order, and the node after the last one.

        For few nodes the numbers of millions of others are added up by blocks alone.
        """
        if len(nodes) > _FEW_NODES:
            first: Integers = self.first_child[nodes]
        else:
            blocks = nodes // _BLOCK
            others = _BLOCK * blocks[:, None] + np.arange(_BLOCK)
            counts = self.children[np.minimum(others, len(self.children) - 1)]
            first = self._first_of_blocks[blocks] + (counts * (others < nodes[:, None])).sum(axis=1, dtype=np.int64)
        return first, first + self.children[nodes]

    @cached_property
    def _first_of_blocks(self) -> Integers:
        """The first continuation of the nodes of each block."""
        counts = np.add.reduceat(self.children, np.arange(0, len(self.children), _BLOCK), dtype=np.int64)
        return self.sizes[0] + np.cumsum(counts) - counts


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
    lengths = (len(trie.logprobs), len(trie.backoffs), len(trie.children), sum(sizes))
    if lengths != (n_nodes, n_inner, n_inner, n_nodes) or n_nodes >= 2**31 or min(sizes) < 0:
        raise ValueError(f"Expected arrays of {n_nodes} n-grams, but got {lengths} for orders of {sizes}")
    first, starts = trie.first_child, np.cumsum(sizes)
    if first[-1] != n_nodes or (first[[0, *starts[:-1]]] != [sizes[0], *starts[1:]]).any():
        raise ValueError("Expected each n-gram's continuations among the n-grams of the next order, but got others")
    is_first = np.zeros(n_nodes + 1, dtype=bool)
    is_first[first] = True
    words = trie.words
    ascending = bool((words[: sizes[0]] == np.arange(sizes[0])).all())
    if not ascending or not (is_first[1:-1] | (words[1:] > words[:-1])).all() or int(words.max()) >= sizes[0]:
        raise ValueError("Expected words of the vocabulary in ascending order within each context, but got others")
    logprobs = trie.logprobs if trie.logprob_values is None else trie.logprob_values
    # NaN fails each comparison.
    if not ((logprobs <= 0) & (logprobs > -np.inf)).all():
        raise ValueError("Expected finite log-probabilities of at most 0, but got others")
    if not np.isfinite(trie.backoffs if trie.backoff_values is None else trie.backoff_values).all():
        raise ValueError("Expected finite back-off weights, but got others")


class Level(NamedTuple):
    """The n-grams of one order in any sequence, m of them.

    Attributes:
        parents: the place of each one's context among those of the order below, shape (m,).
        words: the last word of each, shape (m,).
        values: ln p of each and ln of its back-off weight, or codes of 8 bits, shape (2, m).
    """

    parents: Integers
    words: Unsigned32
    values: NDArray[Any]


def from_levels(levels: Sequence[Level]) -> Trie:
    """Build a trie from n-grams in any sequence, order by order; the unigrams are in the sequence of their words."""
    words, values, children, rank = [], [], [], np.zeros(1, np.int64)
    for level in levels:
        parents = rank[level.parents]
        order = np.lexsort((level.words, parents))
        children.append(np.bincount(parents, minlength=len(rank)))
        words.append(level.words[order])
        values.append(level.values[:, order])
        rank = np.argsort(order)
    sizes = tuple(map(len, words))
    logprobs, backoffs = map(np.ascontiguousarray, np.concatenate(values, axis=1))
    word_type = _word_type(sizes[0])
    of_inner = np.concatenate([np.zeros(0), *children[1:]]).astype(word_type)
    joined = np.concatenate(words).astype(word_type)
    return Trie(joined, logprobs, backoffs[: sum(sizes[:-1])], of_inner, sizes)


def from_tables(
    tables: list[CountTable],
    probabilities: list[Floats],
    weights: list[Floats],
    keep: list[Booleans],
    *,
    quantised: bool = False,
) -> Trie:
    """Build the trie of the kept n-grams from count tables and their estimates; in 8 bits if that is asked for."""
    levels, codebooks, places = [], [], np.zeros(1, np.int64)
    no_backoff = np.ones(len(tables[-1]))
    for table, kept, *columns in zip(tables, keep, probabilities, [*weights, no_backoff], strict=True):
        # a corpus so small that nothing is left to back off with gives the least there is
        logs = [np.log(np.maximum(column[kept], np.finfo(np.float32).tiny)) for column in columns]
        coded = list(map(quantise, logs)) if quantised else []
        codebooks.append([codebook for _, codebook in coded])
        values: NDArray[Any] = np.array([codes for codes, _ in coded] if coded else logs)
        values = values if coded else values.astype(np.float32)
        levels.append(Level(places[table.parents[kept]], table.words[kept], values))
        places = np.cumsum(kept) - 1
    trie = from_levels(levels)
    if not quantised:
        return trie
    of_logprobs, of_backoffs = np.array(codebooks, dtype=np.float32).transpose(1, 0, 2)
    return replace(trie, logprob_values=of_logprobs.copy(), backoff_values=of_backoffs[:-1].copy())


def _array_rules(header: Record) -> dict[str, Array]:
    """Return the rules for the arrays of a model, from its header."""
    order, sizes = header["order"], header["sizes"]
    if not 1 <= order <= MOST_ORDERS or len(sizes) != order or not all(type(size) is int for size in sizes):
        raise ValueError(f"it has order {order!r:.40} with sizes {sizes!r:.80}")
    if not all(0 <= size < 2**31 for size in (sum(sizes), *sizes)):
        raise ValueError(f"it has sizes {sizes!r:.80}")
    n_nodes, n_inner = sum(sizes), sum(sizes[:-1])
    word_type, value_type = _word_type(sizes[0]), "|u1" if header["quantised"] else "<f4"
    rules = {
        "tokens": STRINGS,
        "counts": Array("<i8", (sizes[0],), least=0, most=2**53, optional=True),
        "words": Array(word_type, (n_nodes,)),
        "children": Array(word_type, (n_inner,)),
        "logprobs": Array(value_type, (n_nodes,)),
        "backoffs": Array(value_type, (n_inner,)),
    }
    if header["quantised"]:
        rules |= {"logprobs_values": Array("<f4", (order, 256)), "backoffs_values": Array("<f4", (order - 1, 256))}
    return rules


def _word_type(n_words: int) -> str:
    """Return the type that holds a word's number, and the most words that may follow a context."""
    return "<u2" if n_words < 1 << 16 else "<u4"


SCHEMA = Schema(
    "ngram",
    1,
    "an n-gram model (write one with `referenceless train ngram`)",
    arrays=_array_rules,
    fields={"order": int, "sizes": list, "quantised": bool, "tokenizer": str, "oov": str},
    optional_fields={"smoothing": float, "language": str},
)


def file_content(trie: Trie, tokens: Sequence[str], counts: Integers | None, header: Record) -> tuple[Record, Arrays]:
    """Return the header and the arrays of a model's file.

    Args:
        trie: the n-grams.
        tokens: the vocabulary, by word id.
        counts: unigram counts, by word id, or None.
        header: further values to keep, as JSON.
    """
    word_type = _word_type(trie.sizes[0])
    arrays: Arrays = {
        "tokens": pack_strings(tokens),
        "words": trie.words.astype(word_type),
        "children": trie.children.astype(word_type),
        "logprobs": trie.logprobs,
        "backoffs": trie.backoffs,
    }
    if counts is not None:
        arrays["counts"] = counts
    if trie.logprob_values is not None and trie.backoff_values is not None:
        arrays |= {"logprobs_values": trie.logprob_values, "backoffs_values": trie.backoff_values}
    quantised = trie.logprob_values is not None
    return {**header, "order": trie.order, "sizes": list(trie.sizes), "quantised": quantised}, arrays


def read_model(path: PathName, *, verified: bool = False) -> tuple[Trie, list[str], Integers | None, Record]:
    """Read a model's file: the trie, the vocabulary, the counts if any, and the header.

    Args:
        path: the file, whose arrays are mapped.
        verified: take it as whole, as for `read_archive`.

    Raises:
        FileNotFoundError: if there is no such file.
        ValueError: for a truncated, damaged or foreign file, or one of another version.
    """
    header, arrays = read_archive(path, SCHEMA, mapped=True, verified=verified)
    sizes, children = tuple(header["sizes"]), arrays["children"]
    with reading(path, SCHEMA):
        if not verified and children.sum(dtype=np.int64) != sum(sizes[1:]):
            raise ValueError(f"its children do not add up to {sum(sizes[1:])}")
        by_node = arrays["words"], arrays["logprobs"], arrays["backoffs"]
        values = arrays.get("logprobs_values"), arrays.get("backoffs_values")
        trie = Trie(*by_node, children, sizes, *values, checked=verified)
        return trie, unpack_strings(arrays["tokens"]), arrays.get("counts"), header


def quantise(values: Floats) -> tuple[Unsigned8, Floats32]:
    """Return the code of each value, of 8 bits, and the codebook: 256 evenly spaced levels from least to largest.

    Even spacing bounds the error of every value, by (max − min) / 510, and leaves codes that compress. If 0 lies
    between least and largest, the level nearest to it becomes 0, and the bound there is (max − min) / 255.

    Args:
        values: finite numbers, shape (n,).

    Returns:
        Codes, shape (n,), and the 256 values that they stand for, float32, ascending.

    >>> codes, codebook = quantise(np.array([-2.0, 0.0, -1.0]))
    >>> codes, codebook[codes].round(2)
    (array([  0, 255, 128], dtype=uint8), array([-2.,  0., -1.], dtype=float32))
    """
    low = high = np.float32(0)
    if len(values):
        low, high = np.float32(values.min()), np.float32(values.max())
    codebook = np.linspace(low, high, 256, dtype=float).astype(np.float32)
    if low <= 0 <= high:
        codebook[np.argmin(np.abs(codebook))] = 0  # "no back-off" stays exactly that
    spread = float(high) - float(low)
    scaled = (values - float(low)) * (255 / spread) if spread > 0 else np.zeros(len(values))
    # Half up: the same on every platform, unlike the rounding mode.
    return np.clip(np.floor(scaled + 0.5), 0, 255).astype(np.uint8), codebook
