"""Texts as the kernel model reads them: counts of their n-grams, and features, read once for every model.

Features describe a text beside its n-grams: repetition, lengths, fluency, and how it fits its source.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from quality_estimation_metric.kernel_model.vectors import TERMS
from quality_estimation_metric.sources import Triples, is_plain_text
from quality_estimation_metric.sources.base import plain, split_words
from quality_estimation_metric.sources.slot_errors import Reading, read_all
from referenceless_metrics.assessment.folds import number_groups
from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.validation import Floats, Integers, Numbers

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
    """Features of n texts for a kernel model, each computed when it is first asked for.

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
        """Read texts with their sources, parsed, or None (see `slot_errors.read`)."""
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
        """The features as they are, shape (n, number of names); NaN if one is undefined.

        A row depends on its own text only.
        """
        if not self.readings:
            return np.empty((0, len(self.names)))
        columns: dict[str, Numbers] = surface_columns(self.readings)
        if self.sources:
            columns |= source_columns(self.readings)
        columns |= zip(FLUENCY, _fluency([reading.text for reading in self.readings]), strict=True)
        if self.delexicalised:
            columns |= zip(FLUENCY_SPELLED, _fluency([reading.spelled for reading in self.readings]), strict=True)
        return np.stack([columns[name] for name in self.names], axis=1)

    def subset(self, rows: Integers) -> TextFeatures:
        """Return some of the texts, with their features as they were read."""
        part = replace(self, readings=[self.readings[row] for row in rows.tolist()])
        part.features = self.features[rows]
        return part


def surface_columns(readings: Sequence[Reading]) -> dict[str, Numbers]:
    """Return the features of n texts that need neither a language model nor a source, by name, shape (n,) each.

    >>> from quality_estimation_metric.sources.slot_errors import read
    >>> columns = surface_columns([read("it is near near the park")])
    >>> [columns[name].tolist() for name in ("words", "doubled_words", "repeated_pairs")]
    [[6], [1], [0.0]]
    """
    tokens = list(chain.from_iterable([reading.tokens for reading in readings]))
    n_tokens = np.fromiter((len(reading.tokens) for reading in readings), np.int64, len(readings))
    of_text = np.repeat(np.arange(len(readings)), n_tokens)
    words, lengths = number_groups(tokens), np.fromiter(map(len, tokens), np.int64, len(tokens))
    is_content = lengths >= _CONTENT_LENGTH
    repeats = _count_repeats(words, n_tokens, (1, 2, 3))
    n_content = np.bincount(of_text[is_content], minlength=len(readings))
    n = np.maximum(n_tokens, 1)
    return {
        "repeated_words": repeats[:, 0] / n,
        "repeated_pairs": repeats[:, 1] / n,
        "repeated_triples": repeats[:, 2],
        "repeated_content": _count_repeats(words[is_content], n_content, (1,))[:, 0],
        "doubled_words": np.bincount(
            of_text[1:][(of_text[1:] == of_text[:-1]) & (words[1:] == words[:-1])], minlength=len(readings)
        ),
        "characters": np.array([len(reading.text) for reading in readings]),
        "words": n_tokens,
        "log_words": np.array(list(map(math.log1p, n_tokens.tolist()))),
        "word_length": np.bincount(of_text, lengths, len(readings)) / n,
    }


def _count_repeats(words: Integers, n_words: Integers, orders: Sequence[int]) -> Integers:
    """Count the n-grams of each text beyond the first of their kind.

    Args:
        words: the words of n texts after one another, as numbers from 0.
        n_words: the number of words of each text, shape (n,).
        orders: the lengths of the n-grams, ascending.

    Returns:
        Shape (n, number of orders).
    """
    from bleu_neighbors_metric.kernels.ngrams import NgramTrie

    # while it learns without clipping, a trie lists each n-gram of a text once
    trie, begins = NgramTrie(orders, clip=False), np.append(0, np.cumsum(n_words))
    n_distinct = np.diff(trie.features(words, begins, learning=True)[1]).reshape(-1, len(orders))
    return np.asarray(np.maximum(n_words[:, None] - np.array(orders) + 1, 0) - n_distinct)


def source_columns(readings: Sequence[Reading]) -> dict[str, Numbers]:
    """Return the features of n texts that tell how each fits its source, by name, shape (n,) each."""
    rows = [
        (
            len(reading.tokens) / max(1, len(reading.source)),
            reading.n_values,
            reading.n_unmatched,
            len(reading.errors.missing),
            len(reading.errors.added),
            len(reading.errors.repeated),
            _overlap(reading),
        )
        for reading in readings
    ]
    return dict(zip((*SOURCE, *SLOT_ERRORS), np.array(rows, dtype=float).T, strict=True))


def _overlap(reading: Reading) -> float:
    """Return the share of words of the text that its source of plain text has; 0 for other sources."""
    if not is_plain_text(reading.source) or not reading.tokens:
        return 0.0
    known = {plain(word) for word in split_words(reading.source[0].value or "")}
    return sum(plain(token) in known for token in reading.tokens) / len(reading.tokens)


def _fluency(texts: Sequence[str]) -> list[Floats]:
    """Return SLOR, WPSLOR and the parts of `Fluency` of texts, from the packaged models; equal texts are read once."""
    from slor_metric.fluency.features import feature_reader

    reader = feature_reader()
    places, fluency = number_groups(texts), reader.read(list(dict.fromkeys(texts)))
    parts = dict(zip(reader.names, fluency.values.T, strict=True))
    columns = (fluency.log_odds_per_word, fluency.log_odds_per_piece, *(parts[name] for name in FLUENCY_PARTS))
    # numpy's powers differ in their last bits with a text's place in the batch, which an estimate must not.
    return [column.astype(np.float32).astype(float)[places] for column in columns]
