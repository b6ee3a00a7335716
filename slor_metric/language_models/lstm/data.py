"""What an LSTM is trained on: the encoded corpus, its held-out part, and batches in a reproducible order."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from metric_commons.support.validation import InputError, Integers, check_choice, check_ranges
from slor_metric.language_models.corpus import Corpus
from slor_metric.language_models.lstm.storage import NetworkShape
from slor_metric.tokenizers.words import BOS, EOS, UNK

TOKENIZERS = ("words", "wordpiece", "whitespace")
_POOL = 50  # batches that are sorted by length together


_RANGES: dict[str, tuple[float, float]] = {
    "vocab_size min_count batch_size max_length validate_every": (1, math.inf),
    "seed": (0, math.inf),
    "dropout": (0.0, 0.95),
    "lr": (1e-9, 10.0),
    "max_grad_norm": (1e-9, math.inf),
    "validation": (0.0, 0.5),
    "decay": (0.0, 1.0),
}


@dataclass(frozen=True)
class Settings:
    """What determines an LSTM's weights besides the corpus; a resumed run must have the same.

    Args:
        tokenizer: how text is cut into tokens: `"words"` (or `"word"`), `"wordpiece"` (a vocabulary trained on the
            corpus) or `"whitespace"`.
        vocab_size: tokens that the model knows, the most frequent; by default 32,000 words or 8,000 WordPieces.
        min_count: rarer words are `<unk>`, which would have no training data otherwise; of no effect on WordPieces.
        layers: LSTM layers.
        hidden: units a layer.
        embedding: width of the token embeddings.
        dropout: share of values dropped in training.
        batch_size: sentences a batch.
        lr: Adam's step size.
        max_grad_norm: longer gradients are shortened to this norm.
        max_length: tokens of a sentence that are trained on; the rest of a longer one is dropped.
        validation: share of the sentences held out, at least one.
        validate_every: batches between validations; by default an epoch.
        seed: for the first weights, the held-out sentences, the order of batches, and dropout.
        projection: width to which the last layer's states are brought before the output layer; 0: they are not.
        cutoffs: numbers of frequent tokens at which the output layer is cut (adaptive softmax); none: it is not.
        bf16: multiply in bfloat16: faster on processors that have it. Weights and sums stay in float32.
        decay: the share of the run at whose end the step size falls to 0, in equal steps. A longer run, of more
            `epochs`, goes on from where it began to fall.
    """

    tokenizer: Annotated[str, TOKENIZERS] = "words"
    vocab_size: int | None = None
    min_count: int = 2
    layers: int = 2
    hidden: int = 512
    embedding: int = 512
    dropout: float = 0.0
    batch_size: int = 128
    lr: float = 1e-3
    max_grad_norm: float = 5.0
    max_length: int = 100
    validation: float = 0.01
    validate_every: int | None = None
    seed: int = 0
    projection: int = 0
    cutoffs: tuple[int, ...] = ()
    bf16: bool = False
    decay: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokenizer", "words" if self.tokenizer == "word" else self.tokenizer)
        check_choice(self.tokenizer, "tokenizer", TOKENIZERS)
        self.shape(2**31)
        check_ranges(self, _RANGES)

    def shape(self, vocabulary: int) -> NetworkShape:
        """Return the sizes of a network over so many tokens; it is not cut beyond them."""
        cutoffs = tuple(cutoff for cutoff in self.cutoffs if cutoff < vocabulary)
        sizes = self.layers, self.hidden, self.embedding, self.dropout, self.projection
        return NetworkShape(vocabulary, *sizes, cutoffs)


def parted(n: int, share: float, seed: int) -> tuple[Integers, Integers]:
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
        self.sentences = [row[: settings.max_length + 1] for row in np.split(ids, starts[1:])]
        held_out, train = parted(len(starts), settings.validation, settings.seed)
        self.held_out = [self.sentences[i] for i in held_out]
        self.train = np.sort(train)
        self.settings = settings
        of_train = np.concatenate([self.sentences[i] for i in self.train])
        self.counts: Integers = np.bincount(of_train, minlength=len(self.tokens))
        self.counts[[BOS, EOS]] = 0

    def batches(self, epoch: int) -> list[Integers]:
        """Return the sentences of each batch of an epoch: an order that depends on the seed and the epoch alone."""
        size = self.settings.batch_size
        rng = np.random.default_rng([self.settings.seed, 1, epoch])
        order = rng.permutation(self.train)
        batches = []
        for start in range(0, len(order), size * _POOL):
            pool = order[start : start + size * _POOL]
            pool = pool[np.argsort([len(self.sentences[i]) for i in pool], kind="stable")]
            parts = [pool[first : first + size] for first in range(0, len(pool), size)]
            batches += [parts[j] for j in rng.permutation(len(parts))]
        return batches
