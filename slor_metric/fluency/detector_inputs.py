"""Inputs of the detector of faults for each word, in 8 bits: log-odds, marks, and the small model's guess.

A text of n words has n + 1 places: its words, and its end, where a word may be missing too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.validation import Booleans, Floats, Integers, Integers32, Numbers
from slor_metric.fluency.neural import SmallWords
from slor_metric.fluency.words import KINDS

#: The numbers beside the small model's: log-odds and ln p in nats, and marks.
SCALARS = (
    *("class_odds", "word_odds", "piece_odds", "small_odds"),
    *("class_logprob", "word_logprob", "rank", "n_pieces"),
    *KINDS,
    *("repeats", "spared", "unread", "is_end"),
    *("class_end", "word_end", "piece_end", "small_end"),
)
#: Steps of 8 bits for a nat of log-odds, for a nat of ln p, and for a mark.
_ODDS, _LOGPROB, _MARK = 16.0, 8.0, 64.0
#: Steps for each piece of a word, and for each nat of ln(rank).
_PIECE, _RANK = 12.0, 8.0
_MOST = 127
#: Number added to a word's rank by frequency, so that the first few ranks do not lie far apart.
_FIRST_RANK = 10.0


class WordsUnderModels(NamedTuple):
    """The w words of n texts under the n-gram models.

    Attributes:
        numbers: the rank by frequency of each, shape (w,); the size of the vocabulary for unknown words.
        kinds: index into `KINDS` of each word, shape (w,).
        classes: its token of the class model, shape (w,).
        offsets: text i has the words from ``offsets[i]`` to ``offsets[i + 1]``, shape (n + 1,).
        repeats: True for words that repeat earlier words of their text, shape (w,).
        spared: True for names that the models do not know, shape (w,).
        n_pieces: the number of WordPieces of each, shape (w,).
        log_odds: log-odds under the classes, the words and the pieces (summed over a word's pieces), shape (w,) each,
            in nats.
        logprob_codes: ln p under the classes and the words, in 8 bits, shape (w,) each; see `logprob_codes`.
        ends: ln p of each text's end under the classes, the words and the pieces, shape (n,) each, in nats.
    """

    numbers: Integers32
    kinds: NDArray[np.int8]
    classes: Integers32
    offsets: Integers
    repeats: Booleans
    spared: Booleans
    n_pieces: Integers
    log_odds: Sequence[Floats]
    logprob_codes: Sequence[NDArray[np.int8]]
    ends: Sequence[Floats]


class DetectorInputs(NamedTuple):
    """The p places of n texts, as the detector reads them.

    Attributes:
        scalars: a column for each of `SCALARS`, shape (p, len(SCALARS)), int8.
        guesses: the small model's projected state at each of its tokens, shape (t, g), int8.
        guess_rows: the row of `guesses` for each place, shape (p,).
        pieces: the small model's token that ends each word, shape (p,).
        classes: the token of the class model, shape (p,); that of the end of a sentence at an end.
        offsets: text i has the places from ``offsets[i]`` to ``offsets[i + 1]``, shape (n + 1,).
    """

    scalars: NDArray[np.int8]
    guesses: NDArray[np.int8]
    guess_rows: Integers
    pieces: Integers32
    classes: Integers32
    offsets: Integers

    @property
    def is_end(self) -> Booleans:
        """Mask of the places that are ends, shape (p,)."""
        found = np.zeros(len(self.pieces), dtype=bool)
        found[self.offsets[1:] - 1] = True
        return found


def detector_inputs(words: WordsUnderModels, small: SmallWords, end_class: int) -> DetectorInputs:
    """Return the detector's inputs for each place.

    Args:
        words: the words under the n-gram models.
        small: the same words under the small model.
        end_class: the class model's token for the end of a sentence.
    """
    n_texts = len(words.offsets) - 1
    offsets = words.offsets + np.arange(n_texts + 1)
    of_words = np.ones(int(offsets[-1]), dtype=bool)
    of_words[offsets[1:] - 1] = False
    scalars = np.zeros((len(of_words), len(SCALARS)), dtype=np.int8)

    def fill(name: str, rows: Booleans, step: float, values: Numbers) -> None:
        scalars[rows, SCALARS.index(name)] = _codes(step, values)

    for name, odds in zip(SCALARS[:4], [*words.log_odds, small.log_odds], strict=True):
        fill(name, of_words, _ODDS, odds)
    for name, codes in zip(("class_logprob", "word_logprob"), words.logprob_codes, strict=True):
        scalars[of_words, SCALARS.index(name)] = codes
    fill("rank", of_words, _RANK, _logarithms(words.numbers + _FIRST_RANK))
    fill("n_pieces", of_words, _PIECE, words.n_pieces)
    for kind, name in enumerate(KINDS):
        fill(name, of_words, _MARK, words.kinds == kind)
    marks = {"repeats": words.repeats, "spared": words.spared, "unread": small.unread}
    for name, marked in marks.items():
        fill(name, of_words, _MARK, marked)
    scalars[~of_words, SCALARS.index("is_end")] = _MARK
    for name, logprobs in zip(SCALARS[-4:], [*words.ends, small.ends], strict=True):
        fill(name, ~of_words, _ODDS, logprobs)
    classes = np.full(len(of_words), end_class, dtype=np.int32)
    classes[of_words] = words.classes
    return DetectorInputs(scalars, small.guesses, small.guess_rows, small.pieces, classes, offsets)


def logprob_codes(logprobs: Floats) -> NDArray[np.int8]:
    """Return ln p of words, in nats, as the detector reads it: in 8 bits."""
    return _codes(_LOGPROB, logprobs)


def _codes(step: float, values: Numbers) -> NDArray[np.int8]:
    return np.asarray(np.clip(np.rint(step * values), -_MOST, _MOST), dtype=np.int8)


def _logarithms(values: Numbers) -> Floats:
    """Return natural logarithms, the same on all platforms."""
    found = np.empty(len(values))
    native.call("logarithms", np.asarray(values, dtype=float), found)
    return found
