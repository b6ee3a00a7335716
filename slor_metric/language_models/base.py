"""The contract that every language model and unigram model keeps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np

from metric_commons.support.validation import Floats, Integers, Integers32, check_texts


def packaged_file(name: str, folder: str | None = None) -> Path:
    """Return a file of the package's data; of a folder that `train fluency` wrote, where one is given."""
    return Path(str(files("slor_metric") / "data") if folder is None else folder, name)


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
    logprobs: Floats
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


@dataclass(frozen=True)
class BatchLogprobs:
    """Many texts under a model, as flat arrays.

    Attributes:
        logprobs: ln p(token | the tokens before it) of all texts after one another, shape (tokens,), in nats.
        unigram_logprobs: ln p_u of the same tokens, shape (tokens,); None where the model has no unigram table.
        offsets: text i holds the tokens from ``offsets[i]`` to ``offsets[i + 1]``, shape (n + 1,), int64.
        end_logprobs: ln p(end of sentence) of each text, shape (n,).
        ids: the ids of the tokens, shape (tokens,).
    """

    logprobs: Floats
    unigram_logprobs: Floats | None
    offsets: Integers
    end_logprobs: Floats
    ids: Integers32

    @property
    def log_odds(self) -> Floats:
        """Ln p_M − ln p_u of each token, shape (tokens,), in nats; for a model with a unigram table."""
        assert self.unigram_logprobs is not None
        return self.logprobs - self.unigram_logprobs

    def by_text(self, tokens: Sequence[str]) -> list[TokenLogprobs]:
        """Return the same text by text.

        Args:
            tokens: the vocabulary by id.
        """
        name, numbers, bounds = tokens.__getitem__, self.ids.tolist(), self.offsets.tolist()
        return [
            TokenLogprobs(tuple(map(name, numbers[first:last])), self.logprobs[first:last].copy(), end)
            for first, last, end in zip(bounds, bounds[1:], self.end_logprobs.tolist(), strict=False)
        ]


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

    def logprobs(self, pieces: Sequence[str]) -> Floats: ...


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
