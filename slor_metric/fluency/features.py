"""Texts in, features of fluency out: the three models bound, with what each word adds to each feature.

Shortfalls add up to S = Σ s / n^¾: between their mean (n¹), under which a long text hides its one fault, and their sum
(n⁰), under which every long text is bad.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slor_metric.fluency.neural import NeuralReader
from slor_metric.fluency.words import BLANK, WORD, WordReader
from slor_metric.formulas import sum_by_text
from slor_metric.language_models.classes import packaged_class_model, packaged_classes
from slor_metric.language_models.known import cap_unknown_log_odds
from slor_metric.language_models.ngram.packaged import packaged
from slor_metric.tokenizers.words import SPECIALS

#: The features that are sums over words, in the order of the columns (see `penalties`).
FEATURES = ("pieces", "words", "classes", "worst", "misspellings", "repetitions")
#: What the sum over a text's n words (of pieces, its n pieces) is divided by: n to this power.
_POWERS = (0.75, 0.75, 0.75, 0.0, 0.5, 0.5)

#: The features of a text: sums over its words, and ln p(end of sentence) under the class model, in nats.
ALL_FEATURES = (*FEATURES, "end")
#: The features by the name of the model that reads the text beside the packaged ones; `neural`: its shortfalls.
FEATURES_OF = {"default": ALL_FEATURES, "smollm2": (*FEATURES, "neural", "end")}


@dataclass(frozen=True)
class TextFeatures:
    """The features of n texts of w words in all.

    Attributes:
        values: one row a text, a column for each of the reader's features, shape (n, 7) or, with a neural model, (n,
            8).
        costs: what each word adds to each feature but the end, shape (w, 6) or (w, 7); the sum over a text is its row.
        kinds: of what kind each word is, shape (w,).
        offsets: text i holds the words from ``offsets[i]`` to ``offsets[i + 1]``, shape (n + 1,).
        unknown_share: the share of unknown words among the words of each text, shape (n,); NaN without words.
        word_share: the share of words, known or not, among the tokens of each text, shape (n,); NaN without tokens.
        slor: SLOR of each text under the packaged word model, shape (n,).
        wpslor: WPSLOR of each text, shape (n,).
        unigram: ln p_u per word, shape (n,), in nats.
        piece_unigram: ln p_u per WordPiece, shape (n,), in nats.
    """

    values: NDArray[np.float64]
    costs: NDArray[np.float64]
    kinds: NDArray[np.int8]
    offsets: NDArray[np.int64]
    unknown_share: NDArray[np.float64]
    word_share: NDArray[np.float64]
    slor: NDArray[np.float64]
    wpslor: NDArray[np.float64]
    unigram: NDArray[np.float64]
    piece_unigram: NDArray[np.float64]


class FeatureReader:
    """The packaged models over WordPieces, words and classes, and the reader of words.

    Args:
        lm: a name of `FEATURES_OF`.
        lm_options: options for loading SmolLM2.

    Attributes:
        names: the features that it reads.
    """

    def __init__(self, lm: str = "default", lm_options: Mapping[str, Any] | None = None) -> None:
        self._model = lm, lm_options
        self.names = FEATURES_OF[lm]
        self.neural = None if lm == "default" else NeuralReader(lm_options or {})
        self.classes = packaged_classes()
        self.class_model = packaged_class_model()
        self.word_model = packaged("word")
        self.piece_model = packaged("wordpiece")
        self.reader = WordReader(self.classes)
        # by word number: its class as a token of the class model; words that the vocabulary lacks have none
        self._class_ids = np.concatenate([self.classes.classes + len(SPECIALS), [0]]).astype(np.int32)

    def __reduce__(self) -> tuple[object, ...]:
        return FeatureReader, self._model  # another process has the models in its own packages

    @property
    def signature(self) -> str:
        """The signatures of the models."""
        signatures = [model.signature for model in (self.piece_model, self.word_model, self.class_model)]
        if self.neural is not None:
            signatures.append(self.neural.model.signature)
        return "+".join(signatures)

    def read(self, texts: Sequence[str]) -> TextFeatures:
        """Return the features of n texts."""
        from slor_metric.fluency.penalties import fill_costs  # numba, not before it is needed

        numbers, kinds, offsets = self.reader.read(texts)
        class_ids = self._class_ids[np.minimum(numbers, len(self.classes))]
        of_classes = self.class_model.encoded_logprobs(class_ids, offsets)
        of_words = self.word_model.batch_logprobs(texts)
        of_pieces = self.piece_model.batch_logprobs(texts)
        assert of_words.unigram_logprobs is not None
        assert of_pieces.unigram_logprobs is not None
        word_odds, piece_odds = (
            cap_unknown_log_odds(found.log_odds, model.known.unknown(found.ids), found.offsets)
            for model, found in ((self.word_model, of_words), (self.piece_model, of_pieces))
        )
        costs = np.zeros((len(numbers), len(FEATURES)))
        idle = np.zeros(len(numbers), dtype=np.bool_)
        fill_costs(
            numbers,
            kinds,
            offsets,
            piece_odds,
            of_pieces.offsets,
            ~self.piece_model.known.continues[of_pieces.ids],
            word_odds,
            of_classes.log_odds,
            costs,
            idle,
        )
        n_tokens, n_pieces = np.diff(offsets), np.diff(of_pieces.offsets)
        sizes = (np.maximum(n, 1).astype(np.float64) for n in (n_pieces, *[n_tokens] * (len(FEATURES) - 1)))
        scales = np.stack([n**power for n, power in zip(sizes, _POWERS, strict=True)], axis=1)
        costs /= np.repeat(scales, n_tokens, axis=0)
        if self.neural is not None:
            costs = np.column_stack([costs, self.neural.read(texts, self.reader.split_chunk)])
        sums = [sum_by_text(column, offsets) for column in costs.T]
        is_word = kinds != BLANK
        n_words = sum_by_text(is_word, offsets)
        n_unknown = sum_by_text(is_word & (kinds != WORD), offsets)
        return TextFeatures(
            values=np.stack([*sums, of_classes.end_logprobs], axis=1),
            costs=costs,
            kinds=kinds,
            offsets=offsets,
            unknown_share=_share(n_unknown, n_words),
            word_share=_share(n_words, n_tokens),
            slor=_share(sum_by_text(word_odds, of_words.offsets), n_tokens),
            wpslor=_share(sum_by_text(piece_odds, of_pieces.offsets), n_pieces),
            unigram=_share(sum_by_text(of_words.unigram_logprobs, of_words.offsets), n_tokens),
            piece_unigram=_share(sum_by_text(of_pieces.unigram_logprobs, of_pieces.offsets), n_pieces),
        )


def _share(part: NDArray[np.float64], whole: NDArray[np.float64] | NDArray[np.int64]) -> NDArray[np.float64]:
    return np.asarray(np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0))
