"""What an LSTM is trained on: the encoded corpus, its held-out part, and batches in a reproducible order."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metric_commons.support.errors import InputError
from metric_commons.support.validation import check_choice, check_number
from slor_metric.language_models.corpus import Corpus
from slor_metric.tokenizers.words import BOS, EOS, UNK

TOKENIZERS = ("words", "wordpiece", "whitespace")
_POOL = 50  # batches that are sorted by length together


@dataclass(frozen=True)
class Settings:
    """What determines the weights besides the corpus; a resumed run must have the same."""

    tokenizer: str
    vocab_size: int | None
    min_count: int
    layers: int
    hidden: int
    embedding: int
    dropout: float
    batch_size: int
    lr: float
    max_grad_norm: float
    max_length: int
    validation: float
    validate_every: int | None
    seed: int
    projection: int = 0
    cutoffs: tuple[int, ...] = ()
    bf16: bool = False
    decay: float = 0.0

    def __post_init__(self) -> None:
        check_choice(self.tokenizer, "tokenizer", TOKENIZERS)
        for name in ("vocab_size", "min_count", "layers", "hidden", "embedding", "batch_size", "max_length"):
            if name != "vocab_size" or self.vocab_size is not None:
                check_number(getattr(self, name), name, minimum=1, integer=True)
        if self.validate_every is not None:
            check_number(self.validate_every, "validate_every", minimum=1, integer=True)
        for name, minimum, maximum in (
            ("dropout", 0.0, 0.95),
            ("lr", 1e-9, 10.0),
            ("max_grad_norm", 1e-9, math.inf),
            ("validation", 0.0, 0.5),
            ("decay", 0.0, 1.0),
        ):
            check_number(getattr(self, name), name, minimum=minimum, maximum=maximum)
        check_number(self.seed, "seed", minimum=0, integer=True)
        check_number(self.projection, "projection", minimum=0, integer=True)


def parted(n: int, share: float, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return which of n sentences are held out, and which are not, in the order of chance."""
    order = np.random.default_rng([seed, 0]).permutation(n)
    held_out = min(max(1, round(share * n)), n - 1)
    return order[:held_out], order[held_out:]


class TrainingData:
    """The encoded corpus, parted into training and held-out sentences."""

    def __init__(self, corpus: Corpus, settings: Settings, progress: bool | None) -> None:
        from slor_metric.language_models.ngram.training import encode_corpus

        size = settings.vocab_size or (8000 if settings.tokenizer == "wordpiece" else 32000)
        encoded = encode_corpus(corpus, settings.tokenizer, size, progress=progress)
        ids = encoded.ids.astype(np.int32)
        self.tokens = list(encoded.tokens)
        if settings.tokenizer != "wordpiece":
            counts = np.bincount(ids, minlength=len(self.tokens))
            known = 3 + int((counts[3:] >= settings.min_count).sum())  # the vocabulary is in order of count
            ids[ids >= known] = UNK
            del self.tokens[known:]
        self.digest = hashlib.sha256(ids.tobytes()).hexdigest()
        starts = np.flatnonzero(ids == BOS)
        if len(starts) < 2:
            raise InputError(f"Expected a corpus of at least two usable lines, but got {len(starts)}")
        self._sentences = [row[: settings.max_length + 1] for row in np.split(ids, starts[1:])]
        held_out, train = parted(len(starts), settings.validation, settings.seed)
        self.held_out = [self._sentences[i] for i in held_out]
        self.train = np.sort(train)
        self._settings = settings
        of_train = np.concatenate([self._sentences[i] for i in self.train])
        self.counts: NDArray[np.int64] = np.bincount(of_train, minlength=len(self.tokens))
        self.counts[[BOS, EOS]] = 0

    @property
    def batches_an_epoch(self) -> int:
        """How many batches an epoch has."""
        return -(-len(self.train) // self._settings.batch_size)

    def batches(self, epoch: int) -> Iterator[list[NDArray[np.int32]]]:
        """Yield the batches of an epoch: an order that depends on the seed and the epoch alone."""
        size = self._settings.batch_size
        rng = np.random.default_rng([self._settings.seed, 1, epoch])
        order = rng.permutation(self.train)
        for start in range(0, len(order), size * _POOL):
            pool = order[start : start + size * _POOL]
            pool = pool[np.argsort([len(self._sentences[i]) for i in pool], kind="stable")]
            parts = [pool[first : first + size] for first in range(0, len(pool), size)]
            for j in rng.permutation(len(parts)):
                yield [self._sentences[i] for i in parts[j]]

    def unigram_perplexity(self) -> float:
        """Return the held-out perplexity of the training counts (add-one), `</s>` left out."""
        counts = np.delete(self.counts, [BOS, EOS]) + 1.0
        logs = np.insert(np.log(counts / counts.sum()), 1, [0.0, 0.0])
        tokens = np.concatenate(self.held_out)
        return float(np.exp(-logs[tokens[(tokens != BOS) & (tokens != EOS)]].mean()))
