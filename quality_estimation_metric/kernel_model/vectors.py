"""TF-IDF vectors of characters, words and sources, over a listed vocabulary."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from quality_estimation_metric.sources import is_plain_text
from quality_estimation_metric.sources.reading import Reading
from quality_estimation_metric.sources.words import split_words

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


class Vectoriser:
    """A vocabulary with inverse document frequencies: (1 + ln count) · idf of each term, rows of length 1.

    Args:
        terms: the vocabulary, sorted.
        idf: ln((1 + n) / (1 + df)) + 1 of each term, shape (number of terms,).
    """

    def __init__(self, terms: Sequence[str], idf: NDArray[np.float64]) -> None:
        self.terms = tuple(terms)
        self.idf = idf
        self.places = {term: place for place, term in enumerate(self.terms)}

    @classmethod
    def fit(cls, counts: Iterable[Mapping[str, int]], least: int = 1) -> Vectoriser:
        """List the terms that occur in at least `least` rows."""
        rows = Counter[str]()
        n = 0
        for row in counts:
            rows.update(row.keys())
            n += 1
        terms = sorted(term for term, frequency in rows.items() if frequency >= least)
        idf = np.array([math.log((1 + n) / (1 + rows[term])) + 1 for term in terms])
        return cls(terms, idf)

    def transform(self, counts: Sequence[Mapping[str, int]]) -> Sparse:
        """Return the vectors of n rows, sparse, shape (n, number of terms); unknown terms count for nothing."""
        from scipy.sparse import csr_matrix

        columns: list[int] = []
        values: list[float] = []
        starts = [0]
        for row in counts:
            found = sorted((self.places[term], count) for term, count in row.items() if term in self.places)
            raw = [(1 + math.log(count)) * float(self.idf[place]) for place, count in found]
            norm = math.sqrt(math.fsum(value * value for value in raw)) or 1.0
            columns.extend(place for place, _ in found)
            values.extend(value / norm for value in raw)
            starts.append(len(columns))
        shape = (len(starts) - 1, len(self.terms))
        return csr_matrix((np.array(values), np.array(columns, dtype=np.int64), np.array(starts)), shape=shape)
