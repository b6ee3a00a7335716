"""Texts in, features of fluency out: the three models bound, with the addition of each word to each feature.

A sentence's score starts from that of a sentence without a fault, and every word takes something away
(`native/fluency_costs.cpp`):

- its **shortfalls** under the three models: the amount by which its log-odds ln p_M − ln p_u (SLOR's summand) are below
  one nat. More than one nat earns nothing more: bad text differs from good text by how bad its bad places are (and a
  well-worn phrase is no better than a plain sentence);
- its place among the **worst** three under the class model;
- its **marks**: that it is misspelt, or repeats earlier words;
- its **log-odds** without that cap, as far as they lower the text's mean or are its least.

Repetitions, unknown words after unknown words, and numbers and marks after two others earn nothing: their log-odds
count at most 0. A word repeats if the last word was the same, or if it ends three words that stood in the text before.

Shortfalls add up to S = Σ s / n^¾: between their mean (n¹), under which a long text hides its one fault, and their sum
(n⁰), under which every long text is bad.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.validation import (
    Booleans,
    Floats,
    Integers,
    Integers32,
    Options,
)
from slor_metric.fluency.constants import FEATURES, POWERS
from slor_metric.fluency.detector import Detector, packaged_detector
from slor_metric.fluency.detector_inputs import DetectorInputs, WordsUnderModels, detector_inputs, logprob_codes
from slor_metric.fluency.neural import NeuralReader, SmallReader, SmallWords
from slor_metric.fluency.words import WORD, WordReader
from slor_metric.formulas import sum_by_text
from slor_metric.language_models.base import BatchLogprobs
from slor_metric.language_models.classes import packaged_class_model, packaged_classes
from slor_metric.language_models.known import CONTINUES
from slor_metric.language_models.ngram.model import packaged
from slor_metric.pieces import LARGE_PIECE, read_in_pieces
from slor_metric.tokenizers.encoder import JoinedTexts
from slor_metric.tokenizers.words import EOS, SPECIALS, UNK

#: The log-odds, in nats, at which the n-gram models see no fault.
_NO_FAULT = 1.0
#: The detector's feature: −ln(1 + Σ p) of the probabilities of a fault at the places of a text.
FAULTS = "faults"
#: Readers beside the n-grams, by name; SmolLM2 reads beside the small model.
_NEURAL: dict[str, Callable[[Mapping[str, Any]], NeuralReader | SmallReader]] = {
    "small": SmallReader,
    "smollm2": NeuralReader,
}


@dataclass(frozen=True)
class WordFeatures:
    """Parts of the features of n texts, one for each of w words.

    Attributes:
        costs: addition of each word to each feature but the end, shape (w, k - 1); the sum over a text is its row.
        kinds: index into `KINDS` of each word, shape (w,).
        faults: ln p of no fault and of each kind of fault, one row per place (see `DetectorInputs`), shape (w + n,
            kinds); None without a detector.
    """

    costs: Floats
    kinds: NDArray[np.int8]
    faults: Floats | None


@dataclass(frozen=True)
class TextFeatures:
    """The features of n texts of w words in all.

    Attributes:
        values: one row per text, a column for each of the reader's `names`, shape (n, k).
        n_words: the number of words of each text, shape (n,).
        n_pieces: the number of WordPieces of each text, shape (n,).
        log_odds_per_word: mean log-odds of the words of each text under the word model, shape (n,); NaN without tokens,
            as in the next ones. It is SLOR if no names are spared.
        log_odds_per_piece: mean log-odds of the WordPieces of each text, shape (n,). It is WPSLOR if no names are
            spared.
        unigram: ln p_u per word, shape (n,), in nats.
        piece_unigram: ln p_u per WordPiece, shape (n,), in nats.
        by_word: the parts of each word; None if they were not asked for.
    """

    values: Floats
    n_words: Integers
    n_pieces: Integers
    log_odds_per_word: Floats
    log_odds_per_piece: Floats
    unigram: Floats
    piece_unigram: Floats
    by_word: WordFeatures | None

    @property
    def offsets(self) -> Integers:
        """The places at which the words of each text begin, and the number of words, shape (n + 1,)."""
        return np.append(0, np.cumsum(self.n_words))


class _UnderModel(NamedTuple):
    """The t tokens of n texts under one of the n-gram models.

    Attributes:
        odds: log-odds, those of names raised, shape (t,), in nats.
        logprob_codes: ln p of each in 8 bits, as a detector reads it, shape (t,); None if none does.
        unigram_sums: the sum of ln p_u over the tokens of each text, shape (n,); None if nobody reads it.
        ends: ln p of each text's end, shape (n,).
    """

    odds: Floats
    logprob_codes: NDArray[np.int8] | None
    unigram_sums: Floats | None
    ends: Floats


class _Words(NamedTuple):
    """The w words of n texts under the n-gram models, in p pieces.

    Attributes:
        texts: the texts as they are written: a cased model needs their capitals.
        numbers: number of each word, shape (w,), equal for equal words; names that may be said again have numbers of
            their own.
        known_numbers: its place in the vocabulary, whose size stands for all unknown words, shape (w,).
        kinds: index into `KINDS` of each word, shape (w,).
        names: True for names that the models need not know, shape (w,).
        offsets: text i has the words from ``offsets[i]`` to ``offsets[i + 1]``, shape (n + 1,).
        by_classes: the words under the class model.
        by_words: the words under the word model.
        by_pieces: the pieces.
        piece_offsets: text i has the pieces from ``piece_offsets[i]`` to ``piece_offsets[i + 1]``, shape (n + 1,).
        piece_starts: True for pieces that begin a word, shape (p,).
    """

    texts: Sequence[str]
    numbers: Integers
    known_numbers: Integers32
    kinds: NDArray[np.int8]
    names: Booleans
    offsets: Integers
    by_classes: _UnderModel
    by_words: _UnderModel
    by_pieces: _UnderModel
    piece_offsets: Integers
    piece_starts: Booleans


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
        # have classes, or −1 until a text has it; the last number stands for words that the vocabulary lacks
        self._class_ids = np.concatenate([self.classes.classes + len(SPECIALS), [UNK]]).astype(np.int32)
        self._word_ids = np.append(np.full(len(self.classes), -1, dtype=np.int32), np.int32(UNK))

    def __reduce__(self) -> tuple[object, ...]:
        return feature_reader, self._model  # another process has the models in its own packages

    @property
    def piece(self) -> int | None:
        """Most characters that are read together, None for the number by default: the small model keeps much of each.

        SmolLM2 packs rows better from many, and shows one bar.
        """
        return None if self._model[0] == "small" else LARGE_PIECE

    @property
    def signature(self) -> str:
        """The signatures of the models."""
        models = self.piece_model, self.word_model, self.class_model, *(read.model for read in self.neural.values())
        detectors = [] if self.detector is None else [self.detector.signature]
        return "+".join([*(model.signature for model in models), *detectors])

    def _matching_detector(self) -> Detector | None:
        """Return the packaged detector if the models are those that it was trained with, else None."""
        small = self.neural.get("small")
        if not isinstance(small, SmallReader) or self._model[2] is not None:
            return None
        detector = packaged_detector()
        return detector if detector.small == small.model.signature else None

    def read(
        self, texts: Sequence[str], *, spare_names: bool = False, by_word: bool = False, n_jobs: int | None = None
    ) -> TextFeatures:
        """Return the features of n texts.

        The texts are read in blocks, so that memory is needed for one block at a time.

        Args:
            texts: n texts.
            spare_names: read each text as one sentence in which names that the models do not know cost nothing.
            by_word: whether to return the parts of each word too.
            n_jobs: threads; no value depends on them.
        """

        def read_piece(piece: slice, n_inside: int | None) -> TextFeatures:
            return self._read_piece(texts[piece], spare_names, by_word, n_inside)

        return read_in_pieces(read_piece, texts, n_jobs, self.piece)

    def _read_piece(self, texts: Sequence[str], spare_names: bool, by_word: bool, n_jobs: int | None) -> TextFeatures:
        words = self._read_words(texts, spare_names)
        costs, repeats, sums = _ngram_costs(words, by_word=by_word)
        columns, costs_of_words, faults = [sums], [] if costs is None else [costs], None
        for reader in self.neural.values():
            if isinstance(reader, SmallReader):
                small = reader.read_words(texts, words.offsets, n_jobs, guesses=self.detector is not None)
                if self.detector is not None:
                    inputs = _detector_inputs(words, small, repeats, self._class_ids)
                    kinds = None if by_word else 1
                    faults = self.detector.read(inputs, reader.model, n_jobs, n_kinds=kinds)
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
        n_words, n_pieces = np.diff(words.offsets), np.diff(words.piece_offsets)
        assert words.by_words.unigram_sums is not None
        assert words.by_pieces.unigram_sums is not None
        return TextFeatures(
            values=np.column_stack([*columns, words.by_classes.ends]),
            n_words=n_words,
            n_pieces=n_pieces,
            log_odds_per_word=_share(sum_by_text(words.by_words.odds, words.offsets), n_words),
            log_odds_per_piece=_share(sum_by_text(words.by_pieces.odds, words.piece_offsets), n_pieces),
            unigram=_share(words.by_words.unigram_sums, n_words),
            piece_unigram=_share(words.by_pieces.unigram_sums, n_pieces),
            by_word=WordFeatures(np.concatenate(costs_of_words, axis=1), words.kinds, faults) if by_word else None,
        )

    def detector_inputs(
        self, texts: Sequence[str], *, spare_names: bool = False, n_jobs: int | None = None
    ) -> DetectorInputs:
        """Return the detector's inputs for n texts; see `read` for the arguments."""
        small = self.neural["small"]
        assert isinstance(small, SmallReader)
        words = self._read_words(texts, spare_names)
        of_small = small.read_words(texts, words.offsets, n_jobs, guesses=True)
        return _detector_inputs(words, of_small, _ngram_costs(words, by_word=False)[1], self._class_ids)

    def _read_words(self, texts: Sequence[str], spare_names: bool) -> _Words:
        """Read texts by the n-gram models, one after the other: each one's arrays are large."""
        joined = JoinedTexts.of(texts)
        numbers, kinds, offsets = self.reader.read(joined, spare_first=spare_names)
        names = _names(kinds, offsets) if spare_names else np.zeros(len(kinds), dtype=bool)
        known = np.minimum(numbers, len(self.classes)).astype(np.int32)
        by_classes = self._by_classes(known, offsets, names)
        by_words = self._by_words(known, offsets, names)
        of_pieces = self.piece_model.batch_logprobs(joined)
        piece_offsets = of_pieces.offsets
        piece_starts = self.piece_model.flags.take(of_pieces.ids) & CONTINUES == 0
        spared = np.zeros(len(piece_starts), dtype=bool)
        if names.any():
            native.call("mark_pieces", names, offsets, piece_starts, piece_offsets, spared)
            places = np.flatnonzero(names)
            kinds[places] = WORD
            numbers[places] = np.iinfo(np.int32).max + np.arange(len(places))  # a name may be said again
        odds_of_pieces = self.piece_model.capped_log_odds(of_pieces)
        by_pieces = self._under_model(of_pieces, odds_of_pieces, spared, is_detected=False)
        return _Words(
            texts=texts,
            numbers=numbers,
            known_numbers=known,
            kinds=kinds,
            names=names,
            offsets=offsets,
            by_classes=by_classes,
            by_words=by_words,
            by_pieces=by_pieces,
            piece_offsets=piece_offsets,
            piece_starts=piece_starts,
        )

    def _by_classes(self, known: Integers32, offsets: Integers, names: Booleans) -> _UnderModel:
        batch = self.class_model.encoded_logprobs(self._class_ids.take(known), offsets)
        return self._under_model(batch, batch.log_odds, names, is_summed=False)

    def _by_words(self, known: Integers32, offsets: Integers, names: Booleans) -> _UnderModel:
        ids = self._word_ids.take(known)
        is_new = ids < 0
        if is_new.any():
            new = list(set(known[is_new].tolist()))
            self._word_ids[new] = self.word_model.ids_of([self.classes.packed[number] for number in new])
            ids = self._word_ids.take(known)
        batch = self.word_model.encoded_logprobs(ids, offsets)
        return self._under_model(batch, self.word_model.capped_log_odds(batch), names)

    def _under_model(
        self, batch: BatchLogprobs, odds: Floats, names: Booleans, *, is_detected: bool = True, is_summed: bool = True
    ) -> _UnderModel:
        """Return the log-odds and sums of tokens under a model.

        Args:
            batch: the t tokens.
            odds: their log-odds, shape (t,). Those of names are raised in place.
            names: True for tokens of names that the models need not know, shape (t,).
            is_detected: whether a detector, if there is one, reads the tokens' probabilities.
            is_summed: whether the sums of the unigram model are read.
        """
        unigram = batch.unigram_logprobs if is_summed else None
        places = np.flatnonzero(names)
        odds[places] = np.maximum(odds[places], _NO_FAULT)
        return _UnderModel(
            odds=odds,
            logprob_codes=logprob_codes(batch.logprobs) if is_detected and self.detector is not None else None,
            unigram_sums=None if unigram is None else sum_by_text(unigram, batch.offsets),
            ends=batch.end_logprobs,
        )


def feature_reader(lm: str = "ngram", lm_options: Options | None = None, folder: str | None = None) -> FeatureReader:
    """Return the reader of these models; see `FeatureReader`.

    One of models that stay in memory anyway is shared by all metrics of a process, since its tables take a tenth of a
    second; SmolLM2 goes with its metric.
    """
    if lm == "smollm2" or lm_options:
        return FeatureReader(lm, lm_options, folder)
    return _shared_reader(lm, folder)


@cache
def _shared_reader(lm: str, folder: str | None) -> FeatureReader:
    return FeatureReader(lm, None, folder)


def _costs_of_faults(sound: Floats, offsets: Integers) -> Floats:
    """Return the cost of the probabilities of faults at each word, shape (w,): −ln(1 + Σ p) for a whole text.

    Each word has a share as large as its p; the last word takes the share of the text's end, too.

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


def _detector_inputs(words: _Words, small: SmallWords, repeats: Booleans, class_ids: Integers32) -> DetectorInputs:
    """Return the detector's inputs.

    Args:
        words: the words under the n-gram models.
        small: the words under the small model.
        repeats: True for words that repeat earlier words, shape (w,).
        class_ids: the token of the class model for each place in the vocabulary.
    """
    n_pieces, piece_odds = _by_word(words)
    assert words.by_classes.logprob_codes is not None
    assert words.by_words.logprob_codes is not None
    under_models = WordsUnderModels(
        numbers=words.known_numbers,
        kinds=words.kinds,
        classes=class_ids[words.known_numbers],
        offsets=words.offsets,
        repeats=repeats,
        spared=words.names,
        n_pieces=n_pieces,
        log_odds=(words.by_classes.odds, words.by_words.odds, piece_odds),
        logprob_codes=(words.by_classes.logprob_codes, words.by_words.logprob_codes),
        ends=(words.by_classes.ends, words.by_words.ends, words.by_pieces.ends),
    )
    return detector_inputs(under_models, small, EOS)


def _by_word(words: _Words) -> tuple[Integers, Floats]:
    """Return the number of pieces of each word, and the sum of their log-odds, shape (w,) each."""
    word_of_piece = _words_of_pieces(words.piece_starts, words.piece_offsets, words.offsets)
    n_words = int(words.offsets[-1])
    n_pieces: Integers = np.bincount(word_of_piece, minlength=n_words).astype(np.int64, copy=False)
    return n_pieces, np.bincount(word_of_piece, words.by_pieces.odds, minlength=n_words).astype(float, copy=False)


def _ngram_costs(words: _Words, *, by_word: bool) -> tuple[Floats | None, Booleans, Floats]:
    """Return the addition of each word to each of `FEATURES`, a mask of repeated words, and the sums of each text.

    Args:
        words: the w words of n texts.
        by_word: whether to return the additions of each word; None stands in their place if not.

    Returns:
        Shapes (w, 11), (w,) and (n, 11).
    """
    n_words, n_pieces = np.diff(words.offsets), np.diff(words.piece_offsets)
    sizes = [np.maximum(n_pieces if name.startswith("piece") else n_words, 1.0) for name in FEATURES]
    scales = np.stack([size**power for size, power in zip(sizes, POWERS, strict=True)], axis=1)
    costs = np.empty((len(words.numbers), len(FEATURES))) if by_word else None
    repeats, sums = np.zeros(len(words.numbers), dtype=bool), np.zeros((len(words.texts), len(FEATURES)))
    native.call(
        "fluency_costs",
        words.numbers,
        words.kinds,
        words.offsets,
        words.by_pieces.odds,
        words.piece_offsets,
        words.piece_starts,
        words.by_words.odds,
        words.by_classes.odds,
        scales,
        native.SEED,
        costs,
        repeats,
        sums,
    )
    return costs, repeats, sums


def _names(kinds: NDArray[np.int8], offsets: Integers) -> Booleans:
    """Tell which unknown words are names that the models need not know.

    That is an unknown word with a capital, an unknown one at most two words after such a one ("Così fan tutte"), and an
    unknown one that begins a sentence; in lower case none that looks misspelt, and none if hardly a word is known.
    """
    names = np.empty(len(kinds), dtype=bool)
    native.call("mark_names", kinds, offsets, names)
    return names


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
