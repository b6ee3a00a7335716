"""The contract that every language model and unigram model keeps."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from metric_commons.support.validation import check_texts, describe


@dataclass(frozen=True)
class TokenLogprobs:
    """One text under a language model: its pieces and their log-probabilities.

    Attributes:
        pieces: the model's own tokens of the text, in order; no begin- or end-of-sentence symbol.
        logprobs: ln p(piece | the pieces before it), shape (len(pieces),), float64, in nats.
        end_logprob: ln p(end of sentence | all pieces), in nats, or None where the model has no such symbol.
            It is reported beside the text and is not part of any score unless a caller adds it.

    Raises:
        ValueError: where pieces and log-probabilities differ in number.
    """

    pieces: tuple[str, ...]
    logprobs: NDArray[np.float64]
    end_logprob: float | None = None

    def __post_init__(self) -> None:
        # A surplus value would shift those of all texts that follow, unseen.
        if np.shape(self.logprobs) != (len(self.pieces),):
            raise ValueError(
                f"Expected argument `logprobs` to have one value for each of the {len(self.pieces)} pieces, "
                f"but got shape {np.shape(self.logprobs)}"
            )

    def __len__(self) -> int:
        return len(self.pieces)


@runtime_checkable
class LanguageModel(Protocol):
    """Anything that maps texts to per-token natural-log probabilities.

    A text's log-probabilities depend neither on the batch size nor on the other texts (to 1e-4 nat).
    An empty text gives no pieces. `signature` identifies weights and tokenisation in a metric's signature.
    """

    @property
    def signature(self) -> str: ...

    def token_logprobs(self, texts: Sequence[str]) -> list[TokenLogprobs]: ...


@runtime_checkable
class UnigramModel(Protocol):
    """Anything that maps the same pieces to ln p_u(piece), in nats."""

    @property
    def signature(self) -> str: ...

    def logprobs(self, pieces: Sequence[str]) -> NDArray[np.float64]: ...


def check_sources(sources: Iterable[str], n_texts: int) -> list[str]:
    """Return the sources of texts as a list.

    Raises:
        TypeError: for a bare string or an item that is no string.
        ValueError: for another number than that of the texts.
    """
    checked = check_texts(sources, "sources")
    if len(checked) != n_texts:
        raise ValueError(
            f"Expected argument `sources` to have one source for each of the {n_texts} texts, but got {len(checked)}"
        )
    return checked


class GivenSources:
    """A language model that reads a source before each text: p(text | source).

    Args:
        model: a language model whose `token_logprobs` takes `sources`.
        sources: one source a text of the texts that will be scored, in their order.

    Raises:
        TypeError: for a model that takes no sources.
    """

    def __init__(self, model: LanguageModel, sources: Sequence[str]) -> None:
        if "sources" not in inspect.signature(model.token_logprobs).parameters:
            raise TypeError(
                "Expected a language model that reads sources, such as a causal or sequence-to-sequence model of "
                f"transformers, but got {describe(model)}"
            )
        self._model = model
        self._sources = sources
        self.unigram = getattr(model, "unigram", None)

    @property
    def signature(self) -> str:
        """That of the model."""
        return self._model.signature

    def token_logprobs(self, texts: Sequence[str]) -> list[TokenLogprobs]:
        """Return the pieces of each text with their log-probabilities given its source."""
        return self._model.token_logprobs(texts, sources=check_sources(self._sources, len(texts)))  # type: ignore[call-arg]
