"""The contract that every language model and unigram model keeps, and texts under both, of which SLOR is computed."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from referenceless_metrics.core.files.archive import read_digest
from referenceless_metrics.core.support.validation import Floats, Integers, Integers32, Record, check_texts, describe
from slor_metric.language_models.known import add_up, flags_of_pieces

_DATA = Path(__file__).resolve().parents[1] / "data"


def packaged_file(name: str, folder: str | None = None) -> Path:
    """Return a file of the package's data; if a folder of `train fluency` is given, a file of that."""
    return Path(_DATA if folder is None else folder, name)


def packaged_digest() -> str:
    """Return 8 hexadecimal digits that tell one version of the packaged n-gram models from another."""
    names = ("wordpiece", "word", "class_ngrams", "word_classes")
    digests = [read_digest(packaged_file(f"{name}.safetensors")) for name in names]
    return hashlib.sha256("".join(digests).encode()).hexdigest()[:8]


@dataclass(frozen=True)
class TokenLogprobs:
    """One text under a language model: its pieces and their log-probabilities.

    Attributes:
        pieces: the model's own tokens of the text, in order; no begin- or end-of-sentence symbol.
        logprobs: ln p(piece | the pieces before it), shape (len(pieces),), float64, in nats.
        end_logprob: ln p(end of sentence | all pieces), in nats, or None if the model has no such symbol. It is
            reported beside the text and is not part of any score unless a caller adds it.

    Raises:
        ValueError: if pieces and log-probabilities differ in number.
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


class BatchLogprobs(NamedTuple):
    """Many texts under a model, as flat arrays.

    Attributes:
        logprobs: ln p(token | the tokens before it) of all texts after one another, shape (tokens,), in nats.
        unigram: ln p_u by token id; None if the model has no unigram table.
        offsets: text i holds the tokens from ``offsets[i]`` to ``offsets[i + 1]``, shape (n + 1,), int64.
        end_logprobs: ln p(end of sentence) of each text, shape (n,).
        ids: the ids of the tokens, shape (tokens,).
    """

    logprobs: Floats
    unigram: Floats | None
    offsets: Integers
    end_logprobs: Floats
    ids: Integers32

    @property
    def unigram_logprobs(self) -> Floats | None:
        """Ln p_u of each token, shape (tokens,), in nats; None if the model has no unigram table."""
        return None if self.unigram is None else self.unigram.take(self.ids)

    @property
    def log_odds(self) -> Floats:
        """Ln p_M − ln p_u of each token, shape (tokens,), in nats; for a model with a unigram table."""
        unigram_logprobs = self.unigram_logprobs
        assert unigram_logprobs is not None
        return self.logprobs - unigram_logprobs

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


@dataclass(frozen=True)
class TextLikelihoods:
    """n texts under two models.

    Attributes:
        model: ln p_M of each, shape (n,), in nats.
        unigram: ln p_u of the same tokens, shape (n,), in nats.
        unknown_surplus: part of ln p_M − ln p_u that unknown tokens earn by following one another, shape (n,), in nats.
        n_tokens: the number of the model's own tokens, shape (n,), int64.
        unknown_share: the share of unknown tokens among those that are unknown or hold a letter (numbers and
            punctuation marks tell no language), shape (n,); 0 if there are none.
    """

    model: Floats
    unigram: Floats
    unknown_surplus: Floats
    n_tokens: Integers
    unknown_share: Floats


def read_likelihoods(
    language_model: LanguageModel,
    unigram_model: UnigramModel | None,
    texts: Sequence[str],
    sources: Iterable[str] | None = None,
) -> TextLikelihoods:
    """Score texts with both models.

    Args:
        language_model: the language model.
        unigram_model: the unigram model of its tokens; None if it is not needed: `unigram` and `unknown_surplus` are 0.
        texts: n texts.
        sources: one source per text, for p(text | source).

    Raises:
        TypeError: for a model that gives something else than `TokenLogprobs`, or sources for one that reads none.
        ValueError: for a model that gives another number of texts or values than it was asked for, or sources of
            another number than the texts.
    """
    totals = getattr(language_model, "totals", None)
    if sources is None and totals is not None and unigram_model is getattr(language_model, "unigram", None) is not None:
        # models over a vocabulary know both without spelling out the pieces
        sums, n_tokens = totals(texts)
    else:
        pieces, by_piece, offsets = _pieces(language_model, texts, sources)
        by_place = {piece: i for i, piece in enumerate(dict.fromkeys(pieces))}
        distinct, ids = list(by_place), np.fromiter(map(by_place.__getitem__, pieces), np.int32, len(pieces))
        by_unigram = np.zeros(len(distinct)) if unigram_model is None else _unigrams(unigram_model, distinct)
        sums = add_up(ids, offsets, by_piece, by_unigram, flags_of_pieces(language_model, distinct))
        n_tokens = np.diff(offsets)
    model, unigram, unknown_surplus, n_unknown, n_lettered = np.ascontiguousarray(sums.T)
    unknown_share = np.divide(n_unknown, n_lettered, out=np.zeros(len(texts)), where=n_lettered > 0)
    return TextLikelihoods(model, unigram, unknown_surplus, n_tokens, unknown_share)


def reads_sources(language_model: LanguageModel) -> bool:
    """Return whether a language model can be conditioned on sources: whether its `token_logprobs` takes them."""
    return "sources" in inspect.signature(language_model.token_logprobs).parameters


def _pieces(
    language_model: LanguageModel, texts: Sequence[str], sources: Iterable[str] | None
) -> tuple[list[str], Floats, Integers]:
    """Return the pieces of all texts, their log-probabilities, and the texts' offsets."""
    conditions: Record = {}
    if sources is not None:
        if not reads_sources(language_model):
            raise TypeError(
                "Expected a language model that reads sources, such as a causal or sequence-to-sequence model of "
                f"transformers, but got {describe(language_model)}"
            )
        conditions = {"sources": check_sources(sources, len(texts))}
    scored = language_model.token_logprobs(texts, **conditions)
    if len(scored) != len(texts):
        raise ValueError(
            f"Expected the language model to give log-probabilities for each of the {len(texts)} texts, "
            f"but it gave {len(scored)}"
        )
    for item in scored:
        if not isinstance(item, TokenLogprobs):
            raise TypeError(
                f"Expected the language model to give a TokenLogprobs for each text, but got {describe(item)}"
            )
    pieces = [piece for text in scored for piece in text.pieces]
    model = np.concatenate([text.logprobs for text in scored]) if pieces else np.empty(0)
    n_tokens = np.fromiter(map(len, scored), np.int64, len(scored))
    return pieces, model, np.concatenate(([0], np.cumsum(n_tokens)))


def _unigrams(unigram_model: UnigramModel, pieces: Sequence[str]) -> Floats:
    unigram = np.asarray(unigram_model.logprobs(pieces), dtype=float)
    if unigram.shape != (len(pieces),):
        raise ValueError(
            f"Expected the unigram model to give one value for each of the {len(pieces)} pieces, "
            f"but got shape {unigram.shape}"
        )
    return unigram
