"""TF-IDF vectors of characters, words and sources, over a listed vocabulary."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from bleu_neighbors_metric.tokenizers import CHARACTERS, TokenEncoder, Vocabulary
from quality_estimation_metric.sources import is_plain_text
from quality_estimation_metric.sources.base import split_words
from quality_estimation_metric.sources.slot_errors import Reading
from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.validation import Floats, Integers, Integers32

Sparse: TypeAlias = Any  # scipy.sparse.csr_matrix, which is imported on demand

CHARACTER_ORDERS = (2, 3, 4, 5)
SEPARATOR = "\x1f"  # between the words of an n-gram: no word holds it


def source_terms(reading: Reading) -> list[str]:
    """Return the acts, slots and values of a source, alone and together; the words of a source of plain text."""
    if is_plain_text(reading.source):
        return split_words(reading.source[0].value or "")
    terms = []
    for act, slot, value in reading.source:
        terms.append(act)
        if slot is not None:
            terms += [slot, f"{act}.{slot}"]
            if value is not None:
                terms.append(f"{slot}={value}")
    return [" ".join(term.split()) for term in terms]


class Ngrams(NamedTuple):
    """A kind of terms: n-grams of a text's symbols.

    Attributes:
        symbols: function from a text to its symbols, in order.
        orders: numbers of symbols of a term, ascending.
        between: separator of the symbols; no symbol holds it.
    """

    symbols: Callable[[Reading], Sequence[str]]
    orders: tuple[int, ...]
    between: str = SEPARATOR

    def split(self, term: str) -> Sequence[str]:
        """Return the symbols of a term."""
        return term.split(self.between) if self.between else term


TERMS: Mapping[str, Ngrams] = {
    "characters": Ngrams(lambda reading: f" {reading.text.lower()} ", CHARACTER_ORDERS, ""),
    "words": Ngrams(lambda reading: ("<s>", *reading.tokens, "</s>"), (1, 2, 3, 4)),
    "source": Ngrams(source_terms, (1,)),
}


class Vectoriser:
    """A vocabulary with inverse document frequencies: (1 + ln count) · idf of each term, rows of length 1.

    Args:
        kind: the kind of terms, one of `TERMS`.
        terms: the vocabulary, sorted.
        idf: ln((1 + n) / (1 + df)) + 1 of each term, shape (number of terms,).
    """

    def __init__(self, kind: str, terms: Sequence[str], idf: Floats) -> None:
        self.kind = kind
        self.terms = tuple(terms)
        self.idf = idf

    def __reduce__(self) -> tuple[Any, ...]:
        return Vectoriser, (self.kind, self.terms, self.idf)  # the index that looks terms up is not worth copying

    @classmethod
    def fit(cls, kind: str, texts: Sequence[Sequence[str]], min_df: int = 1) -> Vectoriser:
        """List the terms that occur in at least `min_df` of n texts, each of them its symbols."""
        _, orders, between = TERMS[kind]
        encoder, trie = _empty_index(kind)
        tokens = encoder.encode(texts, learning=True)
        frequencies = np.bincount(trie.features(*tokens, learning=True)[0])  # which lists a term once for each text
        nodes, begins = trie.features(*tokens)  # and this wherever it stands
        of_terms = np.flatnonzero(frequencies >= max(min_df, 1))
        first = np.full(len(frequencies), len(nodes))
        np.minimum.at(first, nodes, np.arange(len(nodes)))
        lists = np.searchsorted(begins, first[of_terms], "right") - 1
        of_text, of_order = np.divmod(lists, len(orders))
        starts = tokens[1][of_text] + first[of_terms] - begins[lists]
        terms = _joined(texts, between, starts, np.array(orders)[of_order])
        idf = 1 + _logs(frequencies[of_terms], lambda frequency: (1 + len(texts)) / (1 + frequency))
        in_order = sorted(range(len(terms)), key=terms.__getitem__)
        fitted = cls(kind, [terms[place] for place in in_order], idf[in_order])
        # The trie that listed the terms also finds them: no other one is built from their strings.
        fitted._index = encoder, trie, _places(trie, of_terms[in_order])
        return fitted

    @cached_property
    def _index(self) -> tuple[Any, Any, Integers32]:
        """Return the numbers of symbols, the trie of the terms, and for each node the place of its term, or -1."""
        encoder, trie = _empty_index(self.kind)
        tokens = encoder.encode(list(map(TERMS[self.kind].split, self.terms)), learning=True)
        nodes, begins = trie.features(*tokens, learning=True)
        n_orders = len(trie.orders)
        return encoder, trie, _places(trie, nodes[begins[n_orders::n_orders] - 1])  # its last n-gram is the term itself

    def unknown_share(self, texts: Sequence[Sequence[str]]) -> Floats:
        """Return which share of each text's terms is not in the vocabulary, shape (n,); 1 for one without terms."""
        nodes, begins = self._nodes(texts)
        n_known = np.diff(np.append(0, np.cumsum(self._index[2][nodes] >= 0))[begins])
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        terms = sum(np.maximum(lengths - order + 1, 0) for order in TERMS[self.kind].orders)
        return np.asarray(1 - n_known / np.maximum(terms, 1))

    def transform(self, texts: Sequence[Sequence[str]]) -> Sparse:
        """Return the vectors of n texts, sparse, shape (n, number of terms); unknown terms count for nothing."""
        from scipy.sparse import csr_matrix

        nodes, begins = self._nodes(texts)
        columns, values = np.empty(len(nodes), dtype=np.int32), np.empty(len(nodes))
        starts = np.empty(len(texts) + 1, dtype=np.int64)
        logs = _logs_up_to(int(np.diff(begins).max(initial=0)))
        n = native.call("weigh_terms", nodes, begins, self._index[2], self.idf, logs, columns, values, starts)
        return csr_matrix((values[:n], columns[:n], starts), (len(texts), len(self.terms)))

    def _nodes(self, texts: Sequence[Sequence[str]]) -> tuple[Integers32, Integers]:
        """Return the nodes of the trie in each text, and the begin of each text in them."""
        encoder, trie, _ = self._index
        nodes, begins = trie.features(*encoder.encode(texts))
        return nodes, np.ascontiguousarray(begins[:: len(trie.orders)])


def _empty_index(kind: str) -> tuple[Any, Any]:
    """Return the index that numbers the symbols of a kind of terms, and a trie of such numbers, both empty."""
    from bleu_neighbors_metric.kernels.ngrams import NgramTrie

    encoder = Vocabulary() if TERMS[kind].between else TokenEncoder(CHARACTERS)
    return encoder, NgramTrie(TERMS[kind].orders, clip=False)


def _places(trie: Any, nodes: Integers) -> Integers32:
    """Return the place of its term for each node of a trie, or -1, from the node of each term, shape (terms,)."""
    places = np.full(trie.n_nodes, -1, dtype=np.int32)
    places[nodes] = np.arange(len(nodes))
    return places


def _joined(texts: Sequence[Sequence[str]], between: str, starts: Integers, orders: Integers) -> list[str]:
    """Return n-grams as strings.

    Args:
        texts: the symbols of each text; characters are strings.
        between: the separator of an n-gram's symbols.
        starts: the place of each n-gram's first symbol among the symbols of all texts.
        orders: the number of symbols of each n-gram.
    """
    joined = between.join(chain.from_iterable(texts)) if between else "".join(map("".join, texts))
    begins, ends = starts, starts + orders
    if between:
        lengths = np.fromiter(map(len, chain.from_iterable(texts)), np.int64)
        ends_of_symbols = np.cumsum(lengths + len(between)) - len(between)
        begins = ends_of_symbols[starts] - lengths[starts]
        ends = ends_of_symbols[starts + orders - 1]
    return [joined[begin:end] for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)]


def _logs(numbers: Integers, of: Callable[[int], float]) -> Floats:
    """Return ln of something of whole numbers from 1, from a table: numpy's own depends on neighbours."""
    table = [math.log(of(number)) for number in range(1, numbers.max(initial=0) + 1)]
    return np.array(table)[numbers - 1]


@lru_cache(maxsize=4)
def _table_of_logs(n_bits: int) -> Floats:
    """Return ln of the whole numbers of so many bits, that of 0 as 0."""
    return np.array([0.0, *map(math.log, range(1, 1 << n_bits))])


def _logs_up_to(number: int) -> Floats:
    """Return ln of the whole numbers up to one, and of more."""
    return _table_of_logs(number.bit_length())
