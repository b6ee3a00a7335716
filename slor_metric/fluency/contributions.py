"""Explanation of a Fluency score: the part that each word takes from it, and the faults that the detector sees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from referenceless_metrics.core.support.validation import Booleans, Floats, Integers
from slor_metric.fluency.constants import FEATURES
from slor_metric.fluency.detector import FAULT_KINDS
from slor_metric.fluency.features import WordFeatures
from slor_metric.fluency.markup import NAME
from slor_metric.fluency.reading import FluencyReading
from slor_metric.fluency.words import MISSPELLING, WordReader

_WORST, _REPETITIONS = FEATURES.index("worst"), FEATURES.index("repetitions")


@dataclass(frozen=True)
class FluencyContributions:
    """Parts that the words of one text take from its score.

    Attributes:
        words: the n words as they stand in the text, without quotation marks and text in brackets.
        contributions: addition of each word to the score, shape (n,), in the score's unit; below 0 for all words except
            those that are far likelier in their context than anywhere else.
        end: addition of the sentences as wholes: close to 0 if each sentence may end where it does, has a final mark
            and is not said again.
        base: the score before any word.
        worst: True for words among the three worst of their sentence by the class model, shape (n,).
        misspellings: True for words that look misspelt, shape (n,).
        repetitions: True for words that repeat earlier words of their sentence, shape (n,).
        fault_chances: probability of a fault at each word, or right before it if a word is missing there, shape (n,);
            NaN without a detector.
        fault_kinds: the likeliest kind of fault at each word, if there is one; see `FAULT_KINDS`.
        log_chances: ln p of each of `FAULT_KINDS` at each word, shape (n, kinds); NaN without a detector.
    """

    words: tuple[str, ...]
    contributions: Floats
    end: float
    base: float
    worst: Booleans
    misspellings: Booleans
    repetitions: Booleans
    fault_chances: Floats
    fault_kinds: tuple[str, ...]
    log_chances: Floats

    def __len__(self) -> int:
        return len(self.words)

    @property
    def score(self) -> float:
        """The text's score, if the metric does not abstain; NaN for a text without words."""
        return float(self.base + self.contributions.sum() + self.end) if len(self) else np.nan


def contributions_of(
    read: FluencyReading, coefficients: Floats, costs_of_sentences: Floats, base: float, reader: WordReader
) -> list[FluencyContributions]:
    """Return the contribution of each word of each text to the text's score.

    Args:
        read: n texts of m sentences.
        coefficients: addition to the score for one unit of each feature.
        costs_of_sentences: cost of each sentence's missing full stop and of its being said again, shape (m,).
        base: the score of a text all of whose features are 0.
        reader: the reader that cut the sentences into words.
    """
    features, sentences, words = read.features, read.sentences, read.features.by_word
    assert words is not None
    offsets = features.offsets
    by_word = (words.costs * coefficients[:-1]).sum(axis=1)
    ends = features.values[:, -1] * coefficients[-1] - costs_of_sentences
    added = offsets[1:][sentences.stopped] - 1  # full stops that no text has
    ends[sentences.stopped] += by_word[added]
    of_the_text = np.ones(len(by_word), dtype=bool)
    of_the_text[added] = False
    by_word *= np.repeat(read.counted, features.n_words)
    log_chances = _log_chances(words, offsets)
    chances = -np.expm1(log_chances[:, 0])
    kinds = log_chances[:, 1:].argmax(axis=1) + 1
    found = []
    for i, (start, count) in enumerate(zip(read.starts.tolist(), read.counts.tolist(), strict=True)):
        own = slice(start, start + count)
        part = np.flatnonzero(of_the_text[offsets[start] : offsets[start + count]])
        part += offsets[start]
        found.append(
            FluencyContributions(
                words=tuple(_words_of(read, i, own, reader)),
                contributions=by_word[part] / read.counted[own].sum(),
                end=float(ends[own][read.counted[own]].mean()),
                base=base,
                worst=words.costs[part, _WORST] < 0,
                misspellings=words.kinds[part] == MISSPELLING,
                repetitions=words.costs[part, _REPETITIONS] < 0,
                fault_chances=chances[part],
                fault_kinds=tuple(FAULT_KINDS[kind] for kind in kinds[part].tolist()),
                log_chances=log_chances[part],
            )
        )
    return found


def _words_of(read: FluencyReading, text: int, own: slice, reader: WordReader) -> Iterator[str]:
    """Yield the words of a text as they stand in it; a word read as a name is given as it was written."""
    sentences = read.sentences
    names = iter(sentences.names[text])
    for sentence, stopped in zip(sentences.read[own], sentences.stopped[own].tolist(), strict=True):
        surfaces = reader.surfaces(sentence)
        for word in surfaces[:-1] if stopped else surfaces:
            yield next(names, word) if word == NAME else word


def _log_chances(words: WordFeatures, offsets: Integers) -> Floats:
    """Return ln p of no fault and of each kind of fault at each word, shape (w, kinds); NaN without a detector."""
    if words.faults is None:
        return np.full((int(offsets[-1]), len(FAULT_KINDS)), np.nan)
    at_words = np.ones(len(words.faults), dtype=bool)
    at_words[offsets[1:] + np.arange(len(offsets) - 1)] = False
    return np.asarray(words.faults[at_words])
