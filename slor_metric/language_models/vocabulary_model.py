"""Base of the models over this package's own tokens: n-gram models and recurrent networks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import repeat

import numpy as np

from referenceless_metrics.core.files.archived import Portable
from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.validation import Floats, Integers, Integers32, Unsigned8, describe
from slor_metric.language_models.base import BatchLogprobs, TokenLogprobs
from slor_metric.language_models.known import add_up, capped_log_odds, token_flags
from slor_metric.language_models.unigram import UnigramTable
from slor_metric.tokenizers.encoder import TextEncoder
from slor_metric.tokenizers.words import BOS, EOS, SPECIALS, UNK, Tokeniser, vocabulary_tokeniser

OOV_RULE = "unk"
"""Rule in signatures and files: a token outside the vocabulary counts as ``<unk>``."""


def check_oov_rule(rule: str) -> None:
    """Check the rule for unknown tokens that a file holds: earlier releases had another, which left them out.

    Raises:
        ValueError: for another rule than `OOV_RULE`.
    """
    if rule != OOV_RULE:
        raise ValueError(f"its rule for unknown tokens is {rule!r:.60}, which there is no longer: train it anew")


class VocabularyModel(Portable, ABC):
    """A language model over a vocabulary, with the unigram table of its corpus.

    A token outside the vocabulary counts as ``<unk>``, which has a probability under both models. A text is one
    sentence: its first token is conditioned on ``<s>``, and `end_logprob` is that of ``</s>``.

    Args:
        tokens: the vocabulary by id; the first three are ``<unk>``, ``<s>`` and ``</s>``.
        size: the number of tokens that there must be.
        tokenizer: a tokeniser, or the name of one of this package: ``"words"``, ``"wordpiece"`` (of the pieces in
            `tokens`), ``"characters"`` or ``"whitespace"``.
        unigram: the unigram table of the same corpus and tokenisation, for SLOR; None if there is none.

    Raises:
        ValueError: for tokens that are not the model's.

    Attributes:
        language: the language of the corpus, if it is known: ``"en"`` for the packaged models.
    """

    language: str | None = None
    _digest = ""  # of the file that it was read from

    def __init__(
        self, tokens: Sequence[str], size: int, tokenizer: str | Tokeniser, unigram: UnigramTable | None
    ) -> None:
        self.tokens = list(tokens)
        if tuple(self.tokens[:3]) != SPECIALS or len(self.tokens) != size or len(set(self.tokens)) != size:
            raise ValueError(
                f"Expected argument `tokens` to begin with {', '.join(SPECIALS)} and to have {size} entries, each "
                f"once, but got {len(self.tokens)}: {describe(self.tokens[:3])}"
            )
        self.tokenizer = vocabulary_tokeniser(tokenizer, self.tokens)
        self.tokenizer_name = self.tokenizer.name
        self.unigram = unigram
        self._unigram_by_id = None if unigram is None else unigram.logprobs(self.tokens)

    @cached_property
    def _ids(self) -> dict[str, int]:
        """The id of each token but `SPECIALS`, which cannot be written in a text."""
        return {token: i for i, token in enumerate(self.tokens[len(SPECIALS) :], start=len(SPECIALS))}

    @cached_property
    def _encoder(self) -> TextEncoder:
        return TextEncoder(self.tokenizer, self._ids)

    def ids_of(self, tokens: Sequence[str]) -> Integers32:
        """Return the id of each token, shape (len(tokens),); that of ``<unk>`` for one that the vocabulary lacks."""
        return np.fromiter(map(self._ids.get, tokens, repeat(UNK)), np.int32, len(tokens))

    @property
    @abstractmethod
    def signature(self) -> str:
        """Kind, tokenisation, rule for unknown tokens, and a hash of the model's file."""

    @abstractmethod
    def batch_logprobs(self, texts: Iterable[str]) -> BatchLogprobs:
        """Return the log-probabilities of all tokens as flat arrays, with the unigram model's: the fast way.

        Args:
            texts: n texts, not a bare string. An empty one has no tokens.

        Raises:
            TypeError: for a bare string or an item that is no string.
        """

    def _without_markers(self, framed: Integers32, logprobs: Floats) -> BatchLogprobs:
        """Return texts without the markers around each, ``<s> … </s>``; ln p and ids have one shape, (t,)."""
        is_end = framed == EOS
        is_token = ~is_end & (framed != BOS)
        offsets = np.concatenate([[0], np.cumsum(is_token)[is_end]])
        return self._batch(framed[is_token], offsets, logprobs[is_token], logprobs[is_end])

    def _batch(self, ids: Integers32, offsets: Integers, logprobs: Floats, ends: Floats) -> BatchLogprobs:
        return BatchLogprobs(logprobs, self._unigram_by_id, offsets, ends, ids)

    @cached_property
    def flags(self) -> Unsigned8:
        """Flags of each token, by its id; see `token_flags`."""
        return token_flags(self.tokens, None if self.unigram is None else self.unigram.counts_of(self.tokens))

    def capped_log_odds(self, batch: BatchLogprobs) -> Floats:
        """Return the log-odds of tokens, those of unknown tokens capped by `known.cap_unknown_log_odds`.

        Args:
            batch: the result of `batch_logprobs` of a model with a unigram table.
        """
        assert self._unigram_by_id is not None
        return capped_log_odds(batch.ids, batch.offsets, batch.logprobs, self._unigram_by_id, self.flags)

    def token_logprobs(self, texts: Iterable[str]) -> list[TokenLogprobs]:
        """Return the same text by text, with the tokens of each."""
        return self.batch_logprobs(texts).by_text(self.tokens)

    def totals(self, texts: Iterable[str]) -> tuple[Floats, Integers]:
        """Return the sums of each text from which SLOR is computed.

        Returns:
            Sums, shape (n, 5), in the columns that `known.add_up` has, and the number of tokens of each, shape (n,).

        Raises:
            TypeError: like `batch_logprobs`.
            ValueError: for a model without a unigram table.
        """
        if self._unigram_by_id is None:
            raise ValueError("Expected a model with a unigram table, but this one has none")
        batch = self.batch_logprobs(texts)
        sums = add_up(batch.ids, batch.offsets, batch.logprobs, self._unigram_by_id, self.flags)
        return sums, np.diff(batch.offsets)
