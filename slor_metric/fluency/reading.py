"""Texts as `Fluency` has read them: their sentences, the prose in them, and means over the sentences of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.validation import Booleans, Floats, Integers, Numbers
from slor_metric.fluency.features import TextFeatures
from slor_metric.fluency.said_again import SAID_AGAIN
from slor_metric.fluency.sentences import Sentences
from slor_metric.language_models.prose import FOREIGN, Prose

#: Score below which a sentence is poor: people would rate two in three of them low.
POOR = -2.0


@dataclass(frozen=True)
class FluencyReading:
    """n texts of m sentences as a metric has read them.

    Attributes:
        sentences: the sentences.
        features: their features.
        scores: the score of each sentence without a fitted measure, shape (m,).
        prose: the prose of each text.
        counted: True for sentences that count, shape (m,): those of another language do only if a text has no others.
        again: True for sentences that repeat an earlier one of their text, shape (m,).
    """

    sentences: Sentences
    features: TextFeatures
    scores: Floats
    prose: Prose
    counted: Booleans
    again: Booleans

    @cached_property
    def starts(self) -> Integers:
        """The first sentence of each text, shape (n,)."""
        return np.cumsum(self.counts) - self.counts

    @property
    def counts(self) -> Integers:
        """The number of sentences of each text, shape (n,)."""
        return self.sentences.counts

    @cached_property
    def n_tokens(self) -> Integers:
        """The number of words and marks of each text, shape (n,), without full stops that were added."""
        return self._total(self.features.n_words - self.sentences.stopped)

    def mean(self, values: Floats, weights: Integers | None = None) -> Floats:
        """Return the mean over the sentences of each text, shape (n,) or (n, k).

        Args:
            values: values of sentences, shape (m,) or (m, k).
            weights: weight of each sentence, shape (m,); None for 1 for each sentence that counts.
        """
        if len(self.counts) == len(values):  # a sentence each
            return values
        shares = (self.counted.astype(np.int64) if weights is None else weights).reshape(-1, *[1] * (values.ndim - 1))
        return np.asarray(self._total(values * shares) / self._total(shares))

    def _total(self, values: Numbers) -> Numbers:
        return np.add.reduceat(values, self.starts, axis=0) if len(values) else values

    @property
    def beside(self) -> dict[str, Floats]:
        """Log-odds and unigram log-probabilities of texts, each the mean over all tokens."""
        by_words = dict.fromkeys(("log_odds_per_word", "unigram"), self.features.n_words)
        weights = by_words | dict.fromkeys(("log_odds_per_piece", "piece_unigram"), self.features.n_pieces)
        return {name: self.mean(getattr(self.features, name), weight) for name, weight in weights.items()}

    @property
    def columns(self) -> dict[str, Numbers]:
        """Columns about the sentences of each text."""
        of_text, note = self.sentences.of_text, np.full(len(self.counts), "", dtype=object)
        for sentence in reversed([i for i, said in enumerate(self.sentences.notes) if said]):
            note[of_text[sentence]] = self.sentences.notes[sentence]
        note[of_text[self.again]] = SAID_AGAIN
        note[of_text[~self.counted]] = FOREIGN
        scores = np.where(self.counted, self.scores, np.inf)
        worst = np.minimum.reduceat(scores, self.starts) if len(scores) else scores
        lowest = np.flatnonzero(scores == worst[of_text])
        place = lowest[np.unique(of_text[lowest], return_index=True)[1]] - self.starts + 1  # the first of equal ones
        below = self.mean((self.scores < POOR).astype(float))
        columns = {
            "n_sentences": np.where(self.n_tokens > 0, self.counts, 0),
            "worst": worst,
            "worst_sentence": place,
            "poor_share": below,
            "note": note,
        }
        return columns | {"read_over": np.array(self.sentences.read_over, dtype=object)}
