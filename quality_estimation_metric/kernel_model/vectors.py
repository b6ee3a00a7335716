"""TF-IDF vectors of characters, words and sources, over a listed vocabulary."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from metric_commons.support.types import Floats, Integers
from quality_estimation_metric.sources import is_plain_text
from quality_estimation_metric.sources.base import split_words
from quality_estimation_metric.sources.reading import Reading

Sparse: TypeAlias = Any  # scipy.sparse.csr_matrix, which is imported where it is used

CHARACTER_ORDERS = (2, 3, 4, 5)
WORD_ORDERS = (1, 2, 3, 4)
SEPARATOR = "\x1f"  # between the words of an n-gram: no word holds it


def character_terms(reading: Reading) -> Counter[str]:
    """Count the character n-grams of a text, lower-cased, with a space at both ends."""
    padded = f" {reading.text.lower()} "
    return Counter(padded[i : i + n] for n in CHARACTER_ORDERS for i in range(len(padded) - n + 1))


def word_terms(reading: Reading) -> Counter[str]:
    """Count the n-grams of a text's words and placeholders, with marks at both ends."""
    tokens = ("<s>", *reading.tokens, "</s>")
    return Counter(SEPARATOR.join(tokens[i : i + n]) for n in WORD_ORDERS for i in range(len(tokens) - n + 1))


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
        places = np.fromiter((place[term] for row in rows for term in row), np.int64, starts[-1])
        counts = np.fromiter((count for row in rows for count in row.values()), np.int64, starts[-1])
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

        here = np.fromiter((self.places.get(term, -1) for term in counts.terms), np.int64, len(counts.terms))
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
    return np.array([math.log(of(number)) for number in distinct.tolist()], dtype=np.float64)[places]
