"""Cost of each word of a text under a neural model.

A shortfall is the amount by which the log-odds ln p_M − ln p_u of a piece (SmolLM2) or of a word (the small model) are
below a cap; like those of the n-gram models, shortfalls add up to Σ s / n^¾.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from referenceless_metrics.core.support.validation import Booleans, Floats, Integers, Integers32, Options
from slor_metric.language_models import load_unigram_model
from slor_metric.language_models.base import BatchLogprobs
from slor_metric.language_models.known import CONTINUES
from slor_metric.language_models.lstm.model import load_small
from slor_metric.tokenizers.words import EOS, replace_surrogates

if TYPE_CHECKING:
    from slor_metric.language_models.hf.model import HuggingFaceLanguageModel

#: Log-odds, in nats, above which nothing more is earned: under SmolLM2 and under the small packaged model.
NEURAL_CAP = 3.0
SMALL_CAP = 2.0

#: Most characters of a sentence that the small model reads: it takes one step after the other.
_LONGEST = 4000

_CHUNK = re.compile(r"\S+")


class NeuralReader:
    """SmolLM2, with the cost of each word of a text under it.

    Args:
        options: options of `load_smollm2`, such as `device` or `batch_size`.

    Raises:
        ImportError: without the weights, or without torch, transformers and gguf (extra `gguf`).
    """

    def __init__(self, options: Options) -> None:
        from slor_metric.language_models.hf.smollm2 import load_smollm2

        self.model: HuggingFaceLanguageModel = load_smollm2(**options)
        self._unigram = load_unigram_model(None, self.model)

    def read(self, texts: Sequence[str], split_chunk: Callable[[str], list[str]]) -> Floats:
        """Return the cost of each word of all texts, at most 0, shape (words,), in nats / n^¾.

        Args:
            texts: n texts.
            split_chunk: cuts a run of characters between spaces into words.
        """
        costs = [np.zeros(0)]
        for text, scored in zip(texts, self.model.token_logprobs(texts), strict=True):
            log_odds = scored.logprobs - self._unigram.logprobs(scored.pieces)
            shortfalls = np.minimum(log_odds - NEURAL_CAP, 0.0) / max(len(scored), 1) ** 0.75
            costs.append(share_among_words(text, split_chunk, scored.pieces, shortfalls))
        return np.concatenate(costs)


class SmallWords(NamedTuple):
    """The w words of n texts under the small model, and the texts' ends: w + n places, each text's end after its words.

    Attributes:
        shortfalls: addition of each word to the sum, at most 0, shape (w,), in nats / n^¾.
        log_odds: the mean log-odds of each word's pieces, shape (w,), in nats.
        unread: True for words that the model has not read: those after 4,000 characters, shape (w,).
        ends: ln p of each text's end, shape (n,), in nats.
        guesses: the model's projected state at each of its tokens, shape (t, g), int8; zeros if nothing was asked.
        guess_rows: the row of `guesses` at which each place begins, shape (w + n,).
        pieces: the last token of each word, and `EOS` at ends, shape (w + n,).
    """

    shortfalls: Floats
    log_odds: Floats
    unread: Booleans
    ends: Floats
    guesses: NDArray[np.int8]
    guess_rows: Integers
    pieces: Integers32


class SmallReader:
    """A small model, the packaged one or another, with the cost of each word of a text under it.

    Args:
        options: options of `load_small`: `path`.

    Raises:
        TypeError: for another option.
        FileNotFoundError, ValueError: for a path that holds no small model.
    """

    def __init__(self, options: Options) -> None:
        self.model = load_small(**options)

    def read_words(self, texts: Sequence[str], offsets: Integers, n_jobs: int | None, *, guesses: bool) -> SmallWords:
        """Return the figures of the model for each word of n texts.

        Args:
            texts: n texts.
            offsets: text i has the words from ``offsets[i]`` to ``offsets[i + 1]``, shape (n + 1,).
            n_jobs: threads; no value depends on them.
            guesses: whether to keep the model's guess at each token.
        """
        read = self.model.read([text[:_LONGEST] for text in texts], n_jobs, guesses=guesses)
        batch = read.batch
        first = first_pieces(batch, self.model.flags & CONTINUES > 0)
        starts = np.searchsorted(first, batch.offsets)
        log_odds = _mean_log_odds(batch, first)
        shortfalls = _shortfalls(log_odds, starts)
        n_read, n_words = np.diff(starts), np.diff(offsets)
        place = np.arange(len(first)) - np.repeat(starts[:-1], n_read)
        # if the two tokenisers differ, the last word takes the remaining tokens
        word = np.repeat(offsets[:-1], n_read) + np.minimum(place, np.repeat(n_words - 1, n_read))
        found = np.flatnonzero(np.repeat(n_words > 0, n_read))
        word = word[found]
        total = int(offsets[-1])
        own = np.full(total, -1)
        own[word[::-1]] = found[::-1]  # the first of several
        unread = own < 0
        places = np.arange(total) + np.repeat(np.arange(len(texts)), n_words)
        ends = offsets[1:] + np.arange(len(texts))
        guess_rows, pieces = np.zeros(total + len(texts), dtype=np.int64), np.full(total + len(texts), EOS, np.int32)
        guess_rows[ends] = read.end_rows
        has = places[~unread]
        guess_rows[places] = np.repeat(read.start_rows, n_words)  # nothing is expected at the start
        last = np.append(first[1:], len(batch.ids)) - 1
        if len(has):
            guess_rows[has] = read.token_rows[first[own[~unread]]]
            pieces[has] = batch.ids[last[own[~unread]]]
        return SmallWords(
            shortfalls=np.bincount(word, shortfalls[found], minlength=total).astype(float),
            log_odds=np.where(unread, 0.0, log_odds[own]) if len(log_odds) else np.zeros(total),
            unread=unread,
            ends=batch.end_logprobs,
            guesses=read.guesses,
            guess_rows=guess_rows,
            pieces=pieces,
        )


def word_shortfalls(batch: BatchLogprobs, continues: Booleans) -> tuple[Floats, Integers]:
    """Return the shortfall of each word of n texts under the small model.

    A word's log-odds are the mean of its pieces': a rare name in four pieces counts as one word.

    Args:
        batch: the texts' pieces.
        continues: True for pieces of the vocabulary that continue a word, shape (vocabulary,).

    Returns:
        The words' shortfalls divided by their text's number of words^¾, shape (words,), and the index of each text's
        first word, shape (n + 1,).
    """
    first = first_pieces(batch, continues)
    starts = np.searchsorted(first, batch.offsets)
    return _shortfalls(_mean_log_odds(batch, first), starts), starts


def first_pieces(batch: BatchLogprobs, continues: Booleans) -> Integers:
    """Return the places of the pieces that begin a word, shape (words,)."""
    begins = ~continues[batch.ids]
    begins[batch.offsets[:-1][np.diff(batch.offsets) > 0]] = True
    return np.flatnonzero(begins)


def _mean_log_odds(batch: BatchLogprobs, first: Integers) -> Floats:
    if not len(first):
        return np.zeros(0)
    return np.asarray(np.add.reduceat(batch.log_odds, first) / np.diff(first, append=len(batch.ids)))


def _shortfalls(log_odds: Floats, starts: Integers) -> Floats:
    n_words = np.diff(starts)
    return np.asarray(np.minimum(log_odds - SMALL_CAP, 0.0) / np.repeat(np.maximum(n_words, 1) ** 0.75, n_words))


def share_among_words(
    text: str, split_chunk: Callable[[str], list[str]], pieces: Sequence[str], costs: Floats
) -> Floats:
    """Add up the costs of pieces by the words that they end in.

    Args:
        text: the text.
        split_chunk: cuts a run of characters between spaces into words.
        pieces: the text in pieces, one character for each byte of UTF-8 (as the strings of GPT-2's tokens).
        costs: cost of each piece, shape (len(pieces),).

    Returns:
        One sum per word; they add up to the sum of the costs. Without words there are none.

    >>> share_among_words("Don't go", lambda chunk: {"Don't": ["do", "n't"], "go": ["go"]}[chunk],
    ...     ["Don", "'t", "Ġgo"], np.array([-1.0, -2.0, -4.0]))
    array([ 0., -3., -4.])
    """
    ends: list[float] = []
    whole = replace_surrogates(text)
    before, at = 0, 0  # bytes, characters
    for chunk, match in zip(text.split(), _CHUNK.finditer(whole), strict=True):
        before += len(whole[at : match.start()].encode())
        size = len(match.group().encode())
        words = split_chunk(chunk)
        # by characters: exact for ASCII, near enough if the tokeniser writes signs of its own
        reached = np.cumsum([len(word) for word in words])
        ends += (before + size * reached / max(int(reached[-1]) if words else 0, 1)).tolist()
        before += size
        at = match.end()
    if not ends:
        return np.zeros(0)
    last_bytes = np.cumsum([len(piece) for piece in pieces]) - 0.5
    words_of = np.minimum(np.searchsorted(ends, last_bytes), len(ends) - 1)
    shares: Floats = np.bincount(words_of, weights=costs, minlength=len(ends)).astype(float)
    return shares
