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
from referenceless_metrics.core.support.validation import Booleans, Floats, Integers, Options
from slor_metric.fluency.constants import FEATURES, POWERS
from slor_metric.fluency.neural import NeuralReader, SmallReader
from slor_metric.fluency.words import NAME, UNKNOWN, WORD, WordReader
from slor_metric.formulas import sum_by_text
from slor_metric.language_models.classes import packaged_class_model, packaged_classes
from slor_metric.language_models.known import CONTINUES, cap_unknown_log_odds, unknown_tokens
from slor_metric.language_models.ngram.model import packaged
from slor_metric.tokenizers.words import SPECIALS, UNK

#: The features of a text: sums over its words, and ln p(end of sentence) under the class model, in nats.
ALL_FEATURES = (*FEATURES, "end")
#: The log-odds, in nats, at which the n-gram models see no fault.
_NO_FAULT = 1.0
_LEAST_KNOWN = 2
#: SmolLM2 reads beside the small model.
_NEURAL: dict[str, Callable[[Mapping[str, Any]], NeuralReader | SmallReader]] = {
    "small": SmallReader,
    "smollm2": NeuralReader,
}


@dataclass(frozen=True)
class TextFeatures:
    """The features of n texts of w words in all.

    Attributes:
        values: one row a text, a column for each of the reader's `names`, shape (n, k).
        costs: what each word adds to each feature but the end, shape (w, k - 1); the sum over a text is its row.
        kinds: of what kind each word is, shape (w,).
        offsets: text i holds the words from ``offsets[i]`` to ``offsets[i + 1]``, shape (n + 1,).
        n_pieces: the number of WordPieces of each text, shape (n,).
        slor: SLOR of each text under the packaged word model, shape (n,); NaN without tokens, as in the next ones.
        wpslor: WPSLOR of each text, shape (n,).
        unigram: ln p_u per word, shape (n,), in nats.
        piece_unigram: ln p_u per WordPiece, shape (n,), in nats.
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
        self.names = (*FEATURES, *self.neural, "end")
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
        return "+".join(model.signature for model in models)

    def read(self, texts: Sequence[str], *, spare_names: bool = False, n_jobs: int | None = None) -> TextFeatures:
        """Return the features of n texts.

        Args:
            texts: n texts.
            spare_names: read each as one sentence, whose names cost nothing where the models do not know them.
            n_jobs: threads of the small model.
        """
        written = texts  # a cased neural model reads capitals as they are
        if spare_names:  # the capital that begins a sentence says nothing of its word
            texts = [text[:1].lower() + text[1:] for text in texts]
        numbers, kinds, offsets = self.reader.read(texts)
        names = _names(kinds, offsets) if spare_names else np.zeros(len(kinds), dtype=bool)
        known = np.minimum(numbers, len(self.classes))
        of_classes = self.class_model.encoded_logprobs(self._class_ids[known], offsets)
        of_words = self.word_model.encoded_logprobs(self._word_ids[known], offsets)
        of_pieces = self.piece_model.batch_logprobs(texts)
        assert of_words.unigram_logprobs is not None
        assert of_pieces.unigram_logprobs is not None
        word_odds, piece_odds = (
            cap_unknown_log_odds(batch.log_odds, unknown_tokens(model.flags[batch.ids]), batch.offsets)
            for model, batch in ((self.word_model, of_words), (self.piece_model, of_pieces))
        )
        piece_starts = self.piece_model.flags[of_pieces.ids] & CONTINUES == 0
        class_odds = of_classes.log_odds
        if names.any():
            numbers, kinds = numbers.copy(), np.where(names, WORD, kinds).astype(np.int8)
            numbers[names] = np.iinfo(np.int32).max + np.arange(np.count_nonzero(names))  # a name may be said again
            word_odds, class_odds = (_spared(odds, names) for odds in (word_odds, class_odds))
            piece_odds = _spared(piece_odds, names[_words_of_pieces(piece_starts, of_pieces.offsets, offsets)])
        n_tokens, n_pieces = np.diff(offsets), np.diff(of_pieces.offsets)
        sizes = [np.maximum(n_pieces if name.startswith("piece") else n_tokens, 1.0) for name in FEATURES]
        scales = np.stack([size**power for size, power in zip(sizes, POWERS, strict=True)], axis=1)
        costs, sums = np.zeros((len(numbers), len(FEATURES))), np.zeros((len(texts), len(FEATURES)))
        pieces, words = (piece_odds, of_pieces.offsets, piece_starts), (word_odds, class_odds)
        native.call("fluency_costs", numbers, kinds, offsets, *pieces, *words, scales, native.SEED, costs, sums)
        columns = [sums]
        for reader in self.neural.values():
            neural = np.where(names, 0.0, reader.read(written, self.reader.split_chunk, offsets, n_jobs))
            costs = np.column_stack([costs, neural])
            columns.append(sum_by_text(neural, offsets)[:, None])
        return TextFeatures(
            values=np.column_stack([*columns, of_classes.end_logprobs]),
            costs=costs,
            kinds=kinds,
            offsets=offsets,
            n_pieces=n_pieces,
            slor=_share(sum_by_text(word_odds, of_words.offsets), n_tokens),
            wpslor=_share(sum_by_text(piece_odds, of_pieces.offsets), n_pieces),
            unigram=_share(sum_by_text(of_words.unigram_logprobs, of_words.offsets), n_tokens),
            piece_unigram=_share(sum_by_text(of_pieces.unigram_logprobs, of_pieces.offsets), n_pieces),
        )


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
