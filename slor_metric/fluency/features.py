"""Texts in, features of fluency out: the three models bound, with what each word adds to each feature.

A sentence's score starts from what one without a fault would have, and every word takes something away
(`native/fluency_costs.cpp`):

- its **shortfalls** under the three models: how far its log-odds ln p_M − ln p_u (SLOR's summand) stays below one nat.
  More than that earns nothing more: what sets bad text apart is how bad its bad places are (and a well-worn phrase is
  no better than a plain sentence);
- its place among the **worst** three under the class model;
- its **marks**: that it is misspelt, or repeats what was said;
- its **log-odds** as they are, without that cap, as far as they lower the text's mean or are its least.

Repetitions, unknown words after unknown words, and numbers and marks after two others earn nothing: their log-odds
count at most 0. A word repeats where the last word was the same, or where it ends three words that stood in the text
before.

Shortfalls add up to S = Σ s / n^¾: between their mean (n¹), under which a long text hides its one fault, and their sum
(n⁰), under which every long text is bad.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.validation import Booleans, Floats, Integers, Integers32, Options
from slor_metric.fluency.constants import FEATURES, POWERS
from slor_metric.fluency.detector import Detector, packaged_detector
from slor_metric.fluency.detector_inputs import DetectorInputs, WordsUnderModels, detector_inputs
from slor_metric.fluency.neural import NeuralReader, SmallReader, SmallWords
from slor_metric.fluency.words import NAME, UNKNOWN, WORD, WordReader
from slor_metric.formulas import sum_by_text
from slor_metric.language_models.base import BatchLogprobs
from slor_metric.language_models.classes import packaged_class_model, packaged_classes
from slor_metric.language_models.known import CONTINUES, cap_unknown_log_odds, unknown_tokens
from slor_metric.language_models.ngram.model import packaged
from slor_metric.tokenizers.words import EOS, SPECIALS, UNK

#: The log-odds, in nats, at which the n-gram models see no fault.
_NO_FAULT = 1.0
_LEAST_KNOWN = 2
_REPETITIONS = FEATURES.index("repetitions")
#: What the detector adds to the features: −ln(1 + Σ p) of the probabilities of a fault at the places of a text.
FAULTS = "faults"
#: SmolLM2 reads beside the small model.
_NEURAL: dict[str, Callable[[Mapping[str, Any]], NeuralReader | SmallReader]] = {
    "small": SmallReader,
    "smollm2": NeuralReader,
}


@dataclass(frozen=True)
class TextFeatures:
    """The features of n texts of w words in all.

    Attributes:
        values: one row per text, a column for each of the reader's `names`, shape (n, k).
        costs: what each word adds to each feature but the end, shape (w, k - 1); the sum over a text is its row.
        kinds: of what kind each word is, shape (w,).
        offsets: text i holds the words from ``offsets[i]`` to ``offsets[i + 1]``, shape (n + 1,).
        n_pieces: the number of WordPieces of each text, shape (n,).
        slor: SLOR of each text under the packaged word model, shape (n,); NaN without tokens, as in the next ones.
        wpslor: WPSLOR of each text, shape (n,).
        unigram: ln p_u per word, shape (n,), in nats.
        piece_unigram: ln p_u per WordPiece, shape (n,), in nats.
        faults: ln p of no fault and of each kind of fault, one row per place (see `DetectorInputs`), shape (w + n,
            kinds); None without a detector.
    """

    values: Floats
    costs: Floats
    kinds: NDArray[np.int8]
    offsets: Integers
    n_pieces: Integers
    slor: Floats
    wpslor: Floats
    unigram: Floats
    piece_unigram: Floats
    faults: Floats | None


@dataclass(frozen=True)
class _Words:
    """The w words of n texts under the n-gram models, in p pieces.

    Attributes:
        texts: as they are written: a cased model reads capitals as they are.
        numbers: which word each is, shape (w,); names that may be said again have numbers of their own.
        known_numbers: its place in the vocabulary, whose size stands for all unknown words, shape (w,).
        class_ids: its token of the class model, shape (w,).
        kinds: of what kind it is, shape (w,).
        names: which are names that the models need not know, shape (w,).
        offsets: text i has the words from ``offsets[i]`` to ``offsets[i + 1]``, shape (n + 1,).
        of_classes: the words under the class model.
        of_words: the words under the word model.
        of_pieces: the texts' pieces.
        piece_starts: which pieces begin a word, shape (p,).
        word_of_piece: the word of each piece, shape (p,).
        class_odds: log-odds under the class model, those of names raised, shape (w,), in nats.
        word_odds: the same under the word model, shape (w,).
        piece_odds: the same of pieces, shape (p,).
    """

    texts: Sequence[str]
    numbers: Integers
    known_numbers: Integers
    class_ids: Integers32
    kinds: NDArray[np.int8]
    names: Booleans
    offsets: Integers
    of_classes: BatchLogprobs
    of_words: BatchLogprobs
    of_pieces: BatchLogprobs
    piece_starts: Booleans
    word_of_piece: Integers
    class_odds: Floats
    word_odds: Floats
    piece_odds: Floats


class FeatureReader:
    """The packaged models over WordPieces, words and classes, and the reader of words.

    Args:
        lm: one of `LMS`.
        lm_options: options for loading SmolLM2.
        folder: models that `train fluency` wrote, in place of the packaged ones.

    Attributes:
        names: the features that it reads.
        language: the language of the models.
    """

    def __init__(self, lm: str = "ngram", lm_options: Options | None = None, folder: str | None = None) -> None:
        self._model = lm, lm_options, folder
        options = {"small": {"path": folder}}
        options[lm] = options.get(lm, {}) | dict(lm_options or {})
        self.neural = {name: read(options[name]) for name, read in _NEURAL.items() if lm in (name, "smollm2")}
        self.detector = self._matching_detector()
        of_detector = () if self.detector is None else (FAULTS,)
        self.names = (*FEATURES, *self.neural, *of_detector, "end")
        self.classes = packaged_classes(folder)
        self.class_model = packaged_class_model(folder)
        self.word_model = packaged("word", folder=folder)
        self.piece_model = packaged("wordpiece", folder=folder)
        self.language = self.piece_model.language or "en"
        self.reader = WordReader(self.classes)
        # by word number: its class as a token of the class model, and its token of the word model, all of whose words
        # have classes; the last number stands for words that the vocabulary lacks
        self._class_ids = np.concatenate([self.classes.classes + len(SPECIALS), [UNK]]).astype(np.int32)
        tokens = {token: i for i, token in enumerate(self.word_model.tokens)}
        word_ids = np.fromiter(map(tokens.get, self.classes.words, repeat(UNK)), np.int32, len(self.classes))
        self._word_ids = np.append(word_ids, np.int32(UNK))

    def __reduce__(self) -> tuple[object, ...]:
        return FeatureReader, self._model  # another process has the models in its own packages

    @property
    def signature(self) -> str:
        """The signatures of the models."""
        models = self.piece_model, self.word_model, self.class_model, *(read.model for read in self.neural.values())
        detectors = [] if self.detector is None else [self.detector.signature]
        return "+".join([*(model.signature for model in models), *detectors])

    def _matching_detector(self) -> Detector | None:
        """Return the packaged detector where the models are those that it learned from."""
        small = self.neural.get("small")
        if not isinstance(small, SmallReader) or self._model[2] is not None:
            return None
        detector = packaged_detector()
        return detector if detector.small == small.model.signature else None

    def read(self, texts: Sequence[str], *, spare_names: bool = False, n_jobs: int | None = None) -> TextFeatures:
        """Return the features of n texts.

        Args:
            texts: n texts.
            spare_names: read each as one sentence, whose names cost nothing where the models do not know them.
            n_jobs: threads of the small model.
        """
        words = self._read_words(texts, spare_names)
        costs, sums = _ngram_costs(words)
        columns, costs_of_words, faults = [sums], [costs], None
        for reader in self.neural.values():
            if isinstance(reader, SmallReader):
                small = reader.read_words(texts, words.offsets, n_jobs, guesses=self.detector is not None)
                if self.detector is not None:
                    inputs = _detector_inputs(words, small, costs)
                    faults = self.detector.read(inputs, reader.model, n_jobs)
                shortfalls = small.shortfalls
            else:
                shortfalls = reader.read(texts, self.reader.split_chunk)
            neural = np.where(words.names, 0.0, shortfalls)
            costs_of_words.append(neural[:, None])
            columns.append(sum_by_text(neural, words.offsets)[:, None])
        if faults is not None:
            of_words = _costs_of_faults(np.ascontiguousarray(faults[:, 0]), words.offsets)
            costs_of_words.append(of_words[:, None])
            columns.append(sum_by_text(of_words, words.offsets)[:, None])
        n_words, n_pieces = np.diff(words.offsets), np.diff(words.of_pieces.offsets)
        return TextFeatures(
            values=np.column_stack([*columns, words.of_classes.end_logprobs]),
            costs=np.concatenate(costs_of_words, axis=1),
            kinds=words.kinds,
            offsets=words.offsets,
            n_pieces=n_pieces,
            slor=_share(sum_by_text(words.word_odds, words.offsets), n_words),
            wpslor=_share(sum_by_text(words.piece_odds, words.of_pieces.offsets), n_pieces),
            unigram=_share(_unigram_sums(words.of_words), n_words),
            piece_unigram=_share(_unigram_sums(words.of_pieces), n_pieces),
            faults=faults,
        )

    def detector_inputs(
        self, texts: Sequence[str], *, spare_names: bool = False, n_jobs: int | None = None
    ) -> DetectorInputs:
        """Return what the detector of faults reads of n texts; see `read` for the arguments."""
        small = self.neural["small"]
        assert isinstance(small, SmallReader)
        words = self._read_words(texts, spare_names)
        of_small = small.read_words(texts, words.offsets, n_jobs, guesses=True)
        return _detector_inputs(words, of_small, _ngram_costs(words)[0])

    def _read_words(self, texts: Sequence[str], spare_names: bool) -> _Words:
        """Read texts by the n-gram models."""
        lowered = texts
        if spare_names:  # the capital that begins a sentence says nothing of its word
            lowered = [text[:1].lower() + text[1:] for text in texts]
        numbers, kinds, offsets = self.reader.read(lowered)
        names = _names(kinds, offsets) if spare_names else np.zeros(len(kinds), dtype=bool)
        known = np.minimum(numbers, len(self.classes))
        of_classes = self.class_model.encoded_logprobs(self._class_ids[known], offsets)
        of_words = self.word_model.encoded_logprobs(self._word_ids[known], offsets)
        of_pieces = self.piece_model.batch_logprobs(lowered)
        word_odds, piece_odds = (
            cap_unknown_log_odds(batch.log_odds, unknown_tokens(model.flags[batch.ids]), batch.offsets)
            for model, batch in ((self.word_model, of_words), (self.piece_model, of_pieces))
        )
        piece_starts = self.piece_model.flags[of_pieces.ids] & CONTINUES == 0
        word_of_piece = _words_of_pieces(piece_starts, of_pieces.offsets, offsets)
        class_odds = of_classes.log_odds
        if names.any():
            numbers, kinds = numbers.copy(), np.where(names, WORD, kinds).astype(np.int8)
            numbers[names] = np.iinfo(np.int32).max + np.arange(np.count_nonzero(names))  # a name may be said again
            word_odds, class_odds = (_spared(odds, names) for odds in (word_odds, class_odds))
            piece_odds = _spared(piece_odds, names[word_of_piece])
        return _Words(
            texts=texts,
            numbers=numbers,
            known_numbers=known,
            class_ids=self._class_ids[known],
            kinds=kinds,
            names=names,
            offsets=offsets,
            of_classes=of_classes,
            of_words=of_words,
            of_pieces=of_pieces,
            piece_starts=piece_starts,
            word_of_piece=word_of_piece,
            class_odds=class_odds,
            word_odds=word_odds,
            piece_odds=piece_odds,
        )


def _costs_of_faults(sound: Floats, offsets: Integers) -> Floats:
    """Return what the probabilities of faults take at each word, shape (w,): −ln(1 + Σ p) in all of a text.

    Each word has a share as large as its p; what the end takes, the last word does.

    Args:
        sound: ln p of no fault at each place, shape (w + n,).
        offsets: text i has the words from ``offsets[i]`` to ``offsets[i + 1]``, shape (n + 1,).
    """
    powers = np.empty(len(sound))
    native.call("exponentials", sound, powers)
    chances = np.maximum(1.0 - powers, 0.0)
    n_places = np.diff(offsets) + 1
    expected = sum_by_text(chances, np.append(0, np.cumsum(n_places)))
    logarithms = np.empty(len(expected))
    native.call("logarithms", 1.0 + expected, logarithms)
    shares = np.divide(logarithms, expected, out=np.zeros(len(expected)), where=expected > 0)
    costs = -chances * np.repeat(shares, n_places)
    ends = np.cumsum(n_places) - 1
    at_words = np.ones(len(sound), dtype=bool)
    at_words[ends] = False
    of_words: Floats = costs[at_words]
    has_words = n_places > 1
    of_words[offsets[1:][has_words] - 1] += costs[ends[has_words]]
    return of_words


def _detector_inputs(words: _Words, small: SmallWords, costs: Floats) -> DetectorInputs:
    n_words = int(words.offsets[-1])
    under_models = WordsUnderModels(
        numbers=words.known_numbers,
        kinds=words.kinds,
        classes=words.class_ids,
        offsets=words.offsets,
        repeats=costs[:, _REPETITIONS] < 0,
        spared=words.names,
        n_pieces=np.bincount(words.word_of_piece, minlength=n_words),
        log_odds=np.stack(
            [words.class_odds, words.word_odds, np.bincount(words.word_of_piece, words.piece_odds, minlength=n_words)]
        ),
        logprobs=np.stack([words.of_classes.logprobs, words.of_words.logprobs]),
        ends=np.stack([batch.end_logprobs for batch in (words.of_classes, words.of_words, words.of_pieces)]),
    )
    return detector_inputs(under_models, small, EOS)


def _unigram_sums(batch: BatchLogprobs) -> Floats:
    """Return the sum of ln p_u over the tokens of each text, shape (n,)."""
    assert batch.unigram_logprobs is not None
    return sum_by_text(batch.unigram_logprobs, batch.offsets)


def _ngram_costs(words: _Words) -> tuple[Floats, Floats]:
    """Return what each word adds to each of `FEATURES`, shape (w, 11), and the sums of each text, shape (n, 11)."""
    n_words, n_pieces = np.diff(words.offsets), np.diff(words.of_pieces.offsets)
    sizes = [np.maximum(n_pieces if name.startswith("piece") else n_words, 1.0) for name in FEATURES]
    scales = np.stack([size**power for size, power in zip(sizes, POWERS, strict=True)], axis=1)
    costs, sums = np.zeros((len(words.numbers), len(FEATURES))), np.zeros((len(words.texts), len(FEATURES)))
    native.call(
        "fluency_costs",
        words.numbers,
        words.kinds,
        words.offsets,
        words.piece_odds,
        words.of_pieces.offsets,
        words.piece_starts,
        words.word_odds,
        words.class_odds,
        scales,
        native.SEED,
        costs,
        sums,
    )
    return costs, sums


def _names(kinds: NDArray[np.int8], offsets: Integers) -> Booleans:
    """Tell which words the models do not know and need not.

    That is an unknown word with a capital, an unknown one at most two words after such a one ("Così fan tutte"), and an
    unknown one that begins a sentence; in lower case none that looks misspelt, and none where hardly a word is known.
    """
    capital, unknown = kinds == NAME, (kinds == NAME) | (kinds == UNKNOWN)
    after, of_text = capital.copy(), _texts_of(offsets)
    for distance in (1, 2):
        after[distance:] |= capital[:-distance] & (of_text[distance:] == of_text[:-distance])
    after[offsets[:-1][np.diff(offsets) > 0]] = True
    known = np.bincount(of_text, kinds == WORD, len(offsets) - 1)
    names: Booleans = unknown & after & (known >= _LEAST_KNOWN)[of_text]
    return names


def _spared(log_odds: Floats, names: Booleans) -> Floats:
    """Return log-odds with those of names raised to those of a word without a fault."""
    return np.where(names, np.maximum(log_odds, _NO_FAULT), log_odds)


def _words_of_pieces(starts: Booleans, piece_offsets: Integers, offsets: Integers) -> Integers:
    """Return to which word each piece belongs: pieces and words come from the same cut of a text into words."""
    of_text = _texts_of(piece_offsets)
    word = np.cumsum(starts)
    place = np.maximum(word - word[piece_offsets[of_text]], 0)
    words: Integers = np.minimum(offsets[of_text] + place, offsets[of_text + 1] - 1)
    return words


def _texts_of(offsets: Integers) -> Integers:
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


def _share(part: Floats, whole: Floats | Integers) -> Floats:
    return np.asarray(np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0))
