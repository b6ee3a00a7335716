"""Texts as the kernel model reads them: counts of their n-grams, and features, read once for every model.

Features describe a text beside its n-grams: repetition, lengths, fluency, and how it fits its source.

TF-IDF vectors of characters, words and sources, over a listed vocabulary.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import pairwise
from operator import eq
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from bleu_neighbors_metric.tokenizers import CHARACTERS, TokenEncoder, Vocabulary
from metric_commons.assessment.folds import number_groups
from metric_commons.support.validation import Floats, Integers
from quality_estimation_metric.sources import Triples, is_plain_text
from quality_estimation_metric.sources.base import plain, split_words
from quality_estimation_metric.sources.slot_errors import Reading, read_all

if TYPE_CHECKING:
    from slor_metric.fluency.features import FeatureReader


Sparse: TypeAlias = Any  # scipy.sparse.csr_matrix, which is imported where it is used

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
        symbols: from a text to its symbols, in order.
        orders: how many symbols a term has, ascending.
        between: what stands between them; no symbol holds it.
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
        kind: of terms, one of `TERMS`.
        terms: the vocabulary, sorted.
        idf: ln((1 + n) / (1 + df)) + 1 of each term, shape (number of terms,).
    """

    def __init__(self, kind: str, terms: Sequence[str], idf: Floats) -> None:
        self.kind = kind
        self.terms = tuple(terms)
        self.idf = idf

    def __reduce__(self) -> tuple[Any, ...]:
        return Vectoriser, (self.kind, self.terms, self.idf)  # what looks terms up is not worth copying

    @classmethod
    def fit(cls, kind: str, texts: Sequence[Sequence[str]], min_df: int = 1) -> Vectoriser:
        """List the terms that occur in at least `min_df` of n texts, each of them its symbols."""
        _, orders, between = TERMS[kind]
        encoder, trie = _empty_index(kind)
        tokens = encoder.encode(texts, learning=True)
        frequencies = np.bincount(trie.features(*tokens, learning=True)[0])  # which lists a term once a text
        nodes, begins = trie.features(*tokens)  # and this wherever it stands
        first = np.unique(nodes, return_index=True)[1]
        first = first[frequencies[nodes[first]] >= min_df]
        lists = np.searchsorted(begins, first, "right") - 1
        terms = []
        for number, start in zip(lists.tolist(), (first - begins[lists]).tolist(), strict=True):
            text, order = divmod(number, len(orders))
            terms.append(between.join(texts[text][start : start + orders[order]]))
        idf = 1 + _logs(frequencies[nodes[first]], lambda frequency: (1 + len(texts)) / (1 + frequency))
        in_order = sorted(range(len(terms)), key=terms.__getitem__)
        return cls(kind, [terms[place] for place in in_order], idf[in_order])

    @cached_property
    def _index(self) -> tuple[Any, Any, Integers]:
        """What numbers symbols, the trie of the terms, and the place of the term that each node is, or -1."""
        encoder, trie = _empty_index(self.kind)
        tokens = encoder.encode(list(map(TERMS[self.kind].split, self.terms)), learning=True)
        nodes, begins = trie.features(*tokens, learning=True)
        places, n_orders = np.full(trie.n_nodes, -1), len(trie.orders)
        places[nodes[begins[n_orders::n_orders] - 1]] = np.arange(len(self.terms))  # its last n-gram is the term itself
        return encoder, trie, places

    def counts(self, texts: Sequence[Sequence[str]]) -> Sparse:
        """Return how often each term stands in each of n texts, sparse, shape (n, number of terms)."""
        from scipy.sparse import csr_matrix

        encoder, trie, places = self._index
        nodes, begins = trie.features(*encoder.encode(texts))
        found = places[nodes]
        known = found >= 0
        starts = np.append(0, np.cumsum(known))[begins[:: len(trie.orders)]]
        shape = len(texts), len(self.terms)
        matrix = csr_matrix((np.ones(starts[-1], dtype=np.int64), found[known], starts), shape)
        matrix.sum_duplicates()
        return matrix

    def unknown_share(self, texts: Sequence[Sequence[str]]) -> Floats:
        """Return which share of each text's terms is not in the vocabulary, shape (n,); 1 for one without terms."""
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        terms = sum(np.maximum(lengths - order + 1, 0) for order in TERMS[self.kind].orders)
        return np.asarray(1 - self.counts(texts).sum(axis=1).A1 / np.maximum(terms, 1))

    def transform(self, texts: Sequence[Sequence[str]]) -> Sparse:
        """Return the vectors of n texts, sparse, shape (n, number of terms); unknown terms count for nothing."""
        matrix = self.counts(texts)
        values = (1 + _logs(matrix.data)) * self.idf[matrix.indices]
        rows = np.repeat(np.arange(len(texts)), np.diff(matrix.indptr))
        # bincount adds one after the other, so that a row's length does not depend on the rows beside it
        lengths = np.sqrt(np.bincount(rows, weights=values * values, minlength=len(texts)))
        matrix.data = values / lengths[rows]
        return matrix


def _empty_index(kind: str) -> tuple[Any, Any]:
    """Return what numbers the symbols of a kind of terms, and a trie of such numbers, both empty."""
    from bleu_neighbors_metric.kernels.ngrams import NgramTrie

    encoder = Vocabulary() if TERMS[kind].between else TokenEncoder(CHARACTERS)
    return encoder, NgramTrie(TERMS[kind].orders, clip=False)


def _logs(numbers: Integers, of: Callable[[int], float] = float) -> Floats:
    """Return ln of whole numbers from 1, or of something of them, from a table: numpy's own depends on neighbours."""
    table = [math.log(of(number)) for number in range(1, numbers.max(initial=0) + 1)]
    return np.array(table)[numbers - 1]


REPETITION = ("repeated_words", "repeated_pairs", "repeated_triples", "repeated_content", "doubled_words")
LENGTHS = ("characters", "words", "log_words", "word_length")
FLUENCY_PARTS = ("pieces", "words", "classes", "worst", "misspellings", "repetitions", "end")
FLUENCY = ("slor", "wpslor", *(f"fluency_{part}" for part in FLUENCY_PARTS))
FLUENCY_SPELLED = tuple(f"{name}_spelled" for name in FLUENCY)
SOURCE = ("words_per_item", "values_said", "values_unmatched")
SLOT_ERRORS = ("slots_missing", "slots_added", "slots_repeated", "source_overlap")

_CONTENT_LENGTH = 4


def feature_names(*, sources: bool, delexicalised: bool) -> tuple[str, ...]:
    """Return the names of the features of a model, in the order of their columns.

    Args:
        sources: whether texts have sources.
        delexicalised: whether values become placeholders, so that fluency is taken of both texts.
    """
    spelled = FLUENCY_SPELLED if delexicalised else ()
    return (*REPETITION, *LENGTHS, *FLUENCY, *spelled, *((*SOURCE, *SLOT_ERRORS) if sources else ()))


@dataclass(eq=False)
class TextFeatures:
    """What a kernel model reads of n texts; nothing is computed before it is asked for.

    Attributes:
        readings: the texts.
        sources: whether they have sources.
        delexicalised: whether values became placeholders.
    """

    readings: Sequence[Reading]
    sources: bool
    delexicalised: bool

    @classmethod
    def of(cls, texts: Sequence[str], triples: Sequence[Triples] | None, scope: str) -> TextFeatures:
        """Read texts with their sources, parsed, or None (see `reading.read`)."""
        return cls(read_all(texts, triples, scope), triples is not None, scope != "none")

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self.readings)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the features."""
        return feature_names(sources=self.sources, delexicalised=self.delexicalised)

    @cached_property
    def symbols(self) -> dict[str, list[Sequence[str]]]:
        """The symbols of each text, by kind of terms."""
        return {
            kind: list(map(ngrams.symbols, self.readings))
            for kind, ngrams in TERMS.items()
            if kind != "source" or self.sources
        }

    @cached_property
    def features(self) -> Floats:
        """The features as they are, shape (n, number of names); NaN where one is undefined."""
        return feature_matrix(self.readings, self.names)

    def subset(self, rows: Integers) -> TextFeatures:
        """Return some of the texts, with what was read of all."""
        part = replace(self, readings=[self.readings[row] for row in rows.tolist()])
        part.features = self.features[rows]
        return part


def feature_matrix(readings: Sequence[Reading], names: Sequence[str]) -> Floats:
    """Return features of n texts, shape (n, number of names); NaN where one is undefined.

    A row depends on its own text only.
    """
    if not readings:
        return np.empty((0, len(names)))
    table = [surface_features(reading) for reading in readings]
    columns = dict(zip(table[0], np.array([[*row.values()] for row in table]).T, strict=True))
    columns |= zip(FLUENCY, _fluency([reading.text for reading in readings]), strict=True)
    if set(names) & set(FLUENCY_SPELLED):
        columns |= zip(FLUENCY_SPELLED, _fluency([reading.spelled for reading in readings]), strict=True)
    return np.stack([columns[name] for name in names], axis=1)


def surface_features(reading: Reading) -> dict[str, float]:
    """Return the features that need no language model, by name.

    >>> from quality_estimation_metric.sources.slot_errors import read
    >>> features = surface_features(read("it is near near the park"))
    >>> features["words"], features["doubled_words"], features["repeated_pairs"]
    (6.0, 1.0, 0.0)
    """
    tokens = reading.tokens
    n = max(1, len(tokens))
    content = [token for token in tokens if len(token) >= _CONTENT_LENGTH]
    items = max(1, len(reading.source))
    return {
        "repeated_words": _repeats(tokens) / n,
        "repeated_pairs": _repeats(list(pairwise(tokens))) / n,
        "repeated_triples": float(_repeats(list(zip(tokens, tokens[1:], tokens[2:], strict=False)))),
        "repeated_content": float(_repeats(content)),
        "doubled_words": float(sum(map(eq, tokens, tokens[1:]))),
        "characters": float(len(reading.text)),
        "words": float(len(tokens)),
        "log_words": math.log1p(len(tokens)),
        "word_length": sum(map(len, tokens)) / n,
        "words_per_item": len(tokens) / items,
        "values_said": float(reading.n_values),
        "values_unmatched": float(reading.n_unmatched),
        "slots_missing": float(len(reading.errors.missing)),
        "slots_added": float(len(reading.errors.added)),
        "slots_repeated": float(len(reading.errors.repeated)),
        "source_overlap": _overlap(reading),
    }


def _repeats(items: Sequence[object]) -> int:
    """Count the items beyond the first of their kind."""
    return len(items) - len(set(items))


def _overlap(reading: Reading) -> float:
    """Return the share of words of the text that its source of plain text has; 0 for other sources."""
    if not is_plain_text(reading.source) or not reading.tokens:
        return 0.0
    known = {plain(word) for word in split_words(reading.source[0].value or "")}
    return sum(plain(token) in known for token in reading.tokens) / len(reading.tokens)


@cache
def _reader() -> FeatureReader:
    from slor_metric.fluency.features import FeatureReader

    return FeatureReader()


def _fluency(texts: Sequence[str]) -> list[Floats]:
    """Return SLOR, WPSLOR and the parts of `Fluency` of texts, from the packaged models; equal texts are read once."""
    from slor_metric.fluency.features import ALL_FEATURES

    where, found = number_groups(texts), _reader().read(list(dict.fromkeys(texts)))
    parts = dict(zip(ALL_FEATURES, found.values.T, strict=True))
    columns = (found.slor, found.wpslor, *(parts[name] for name in FLUENCY_PARTS))
    # numpy's powers differ in their last bits with a text's place in the batch, which an estimate must not.
    return [column.astype(np.float32).astype(float)[where] for column in columns]
