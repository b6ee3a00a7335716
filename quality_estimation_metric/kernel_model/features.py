"""Texts as the kernel model reads them: counts of their n-grams, and features, read once for every model.

Features describe a text beside its n-grams: repetition, lengths, fluency, and how it fits its source.

TF-IDF vectors of characters, words and sources, over a listed vocabulary.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise, repeat
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from metric_commons.assessment.folds import number_groups
from metric_commons.support.validation import Floats, Integers
from quality_estimation_metric.sources import Triples, is_plain_text
from quality_estimation_metric.sources.base import plain, split_words
from quality_estimation_metric.sources.slot_errors import Reading, read_all

if TYPE_CHECKING:
    from slor_metric.fluency.features import FeatureReader


Sparse: TypeAlias = Any  # scipy.sparse.csr_matrix, which is imported where it is used

CHARACTER_ORDERS = (2, 3, 4, 5)
WORD_ORDERS = (1, 2, 3, 4)
SEPARATOR = "\x1f"  # between the words of an n-gram: no word holds it


def character_terms(reading: Reading) -> Counter[str]:
    """Count the character n-grams of a text, lower-cased, with a space at both ends."""
    padded = f" {reading.text.lower()} "
    return Counter([padded[i : i + n] for n in CHARACTER_ORDERS for i in range(len(padded) - n + 1)])


def word_terms(reading: Reading) -> Counter[str]:
    """Count the n-grams of a text's words and placeholders, with marks at both ends."""
    tokens = ("<s>", *reading.tokens, "</s>")
    last = terms = list(tokens)
    for n in WORD_ORDERS[1:]:
        last = [f"{before}{SEPARATOR}{word}" for before, word in zip(last, tokens[n - 1 :], strict=False)]
        terms += last
    return Counter(terms)


def source_terms(reading: Reading) -> Counter[str]:
    """Count the acts, slots and values of a source, alone and together; the words of a source of plain text."""
    if is_plain_text(reading.source):
        return Counter(split_words(reading.source[0].value or ""))
    terms: Counter[str] = Counter()
    for act, slot, value in reading.source:
        terms[act] += 1
        if slot is not None:
            terms[f"{slot}"] += 1
            terms[f"{act}.{slot}"] += 1
            if value is not None:
                terms[f"{slot}={value}"] += 1
    return Counter({" ".join(term.split()): count for term, count in terms.items()})


TERMS: Mapping[str, Callable[[Reading], Counter[str]]] = {
    "characters": character_terms,
    "words": word_terms,
    "source": source_terms,
}


@dataclass(frozen=True)
class TermCounts:
    """How often each term occurs in each of n rows.

    Attributes:
        terms: all terms, sorted.
        matrix: the counts, sparse, shape (n, number of terms), whose rows list their terms in order.
    """

    terms: tuple[str, ...]
    matrix: Sparse

    def __len__(self) -> int:
        """Return the number of rows."""
        return int(self.matrix.shape[0])

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, int]]) -> TermCounts:
        """Put counts together."""
        from scipy.sparse import csr_matrix

        terms = tuple(sorted(set().union(*rows)))
        place = {term: number for number, term in enumerate(terms)}
        starts = np.cumsum([0, *map(len, rows)])
        places = np.fromiter(map(place.__getitem__, chain.from_iterable(rows)), np.int64, starts[-1])
        counts = np.fromiter(chain.from_iterable(row.values() for row in rows), np.int64, starts[-1])
        matrix = csr_matrix((counts, places, starts), shape=(len(rows), len(terms)))
        matrix.sort_indices()
        return cls(terms, matrix)

    def subset(self, rows: Integers) -> TermCounts:
        """Return some of the rows, with all terms."""
        return TermCounts(self.terms, self.matrix[rows])


class Vectoriser:
    """A vocabulary with inverse document frequencies: (1 + ln count) · idf of each term, rows of length 1.

    Args:
        terms: the vocabulary, sorted.
        idf: ln((1 + n) / (1 + df)) + 1 of each term, shape (number of terms,).
    """

    def __init__(self, terms: Sequence[str], idf: Floats) -> None:
        self.terms = tuple(terms)
        self.idf = idf
        self.places = {term: place for place, term in enumerate(self.terms)}

    @classmethod
    def fit(cls, counts: TermCounts, min_df: int = 1) -> Vectoriser:
        """List the terms that occur in at least `min_df` rows."""
        frequencies = np.bincount(counts.matrix.indices, minlength=len(counts.terms))
        kept = np.flatnonzero(frequencies >= min_df)
        idf = 1 + _logs(frequencies[kept], lambda frequency: (1 + len(counts)) / (1 + frequency))
        return cls([counts.terms[place] for place in kept.tolist()], idf)

    def unknown_share(self, counts: TermCounts) -> Floats:
        """Return which share of each row's terms is not in the vocabulary, shape (n,); 1 for a row without terms."""
        known = [term in self.places for term in counts.terms]
        return np.asarray(1 - counts.matrix @ np.array(known, dtype=int) / np.maximum(counts.matrix.sum(axis=1).A1, 1))

    def transform(self, counts: TermCounts) -> Sparse:
        """Return the vectors of n rows, sparse, shape (n, number of terms); unknown terms count for nothing."""
        from scipy.sparse import csr_matrix

        here = np.fromiter(map(self.places.get, counts.terms, repeat(-1)), np.int64, len(counts.terms))
        entries = counts.matrix.tocoo()
        known = here[entries.col] >= 0
        rows, columns = entries.row[known], here[entries.col][known]
        values = (1 + _logs(entries.data[known])) * self.idf[columns]
        # bincount adds one after the other, so that a row's length does not depend on the rows beside it
        lengths = np.sqrt(np.bincount(rows, weights=values * values, minlength=len(counts)))
        return csr_matrix((values / lengths[rows], (rows, columns)), shape=(len(counts), len(self.terms)))


def _logs(numbers: Integers, of: Callable[[int], float] = float) -> Floats:
    """Return ln of whole numbers, or of something of them, one by one: numpy's own depends on a number's neighbours."""
    distinct, places = np.unique(numbers, return_inverse=True)
    return np.array([math.log(of(number)) for number in distinct.tolist()], dtype=float)[places]


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

    @functools.cached_property
    def counts(self) -> dict[str, TermCounts]:
        """How often each term occurs, by kind."""
        return {
            kind: TermCounts.of(list(map(terms_of, self.readings)))
            for kind, terms_of in TERMS.items()
            if kind != "source" or self.sources
        }

    @functools.cached_property
    def features(self) -> Floats:
        """The features as they are, shape (n, number of names); NaN where one is undefined."""
        return feature_matrix(self.readings, self.names)

    def subset(self, rows: Integers) -> TextFeatures:
        """Return some of the texts, with what was read of all."""
        part = replace(self, readings=[self.readings[row] for row in rows.tolist()])
        part.counts = {kind: counts.subset(rows) for kind, counts in self.counts.items()}
        part.features = self.features[rows]
        return part


def feature_matrix(readings: Sequence[Reading], names: Sequence[str]) -> Floats:
    """Return features of n texts, shape (n, number of names); NaN where one is undefined.

    A row depends on its own text only.
    """
    if not readings:
        return np.empty((0, len(names)))
    table = [surface_features(reading) for reading in readings]
    columns = {name: np.array([row[name] for row in table], dtype=float) for name in table[0]}
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
        "doubled_words": float(sum(one == other for one, other in pairwise(tokens))),
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


@functools.cache
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
