"""Networks that the paper tried beside its own, or names as future work (Dušek et al. 2017): one a fold, one seed.

Cells of an LSTM, an encoder that reads both ways, a convolutional one, word vectors learned from plain text,
classifiers in place of the regression, and passes over distorted texts alone before those over ratings. All are as
large as the small network, and are trained and chosen like it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_papers.dusek.estimates import SplitEstimates, encoded
from referenceless_papers.dusek.folds import grouped_parts, rotations
from referenceless_papers.dusek.measures import rounded, summary
from referenceless_papers.dusek.networks import VARIANTS, Variant
from referenceless_papers.dusek.record import Networks
from referenceless_papers.dusek.training_sets import Corpus, training_set
from referenceless_papers.dusek.word_vectors import word_vectors
from referenceless_papers.gru_estimator.inputs import GRUSettings
from referenceless_papers.gru_estimator.network import padding_behind
from referenceless_papers.gru_estimator.training import EstimatorRun, Task, predict

LEVELS = np.arange(1.0, 6.5, 0.5)
"""The ratings that classifiers tell apart."""

_OUTPUTS = {"rating": 1, "independent": len(LEVELS), "ordered": len(LEVELS) - 1}
_WIDTHS = (2, 3, 4, 5)


class _Encoder(nn.Module):  # type: ignore[misc]  # torch is not followed by the type checker
    """Embeddings, dropout, and an encoder's final state of rows of numbers with padding, 0, in front."""

    def __init__(self, kind: str, symbols: int, settings: GRUSettings) -> None:
        super().__init__()
        self.embedding = nn.Embedding(symbols, settings.embedding, padding_idx=0)
        with torch.no_grad():
            nn.init.uniform_(self.embedding.weight, -(3**0.5), 3**0.5)[0] = 0.0
        self.dropout = nn.Dropout(settings.dropout)
        self.width = settings.units
        if kind == "convolution":
            filters = settings.units // len(_WIDTHS)
            self.filters = nn.ModuleList(nn.Conv1d(settings.embedding, filters, width) for width in _WIDTHS)
        else:
            made = nn.LSTM if kind == "lstm" else nn.GRU
            self.cells = made(settings.embedding, settings.units, batch_first=True, bidirectional=kind == "both ways")
            self.width *= 2 if kind == "both ways" else 1

    def forward(self, numbers: Tensor) -> Tensor:
        """Return states, (B, width), for numbers of shape (B, T)."""
        symbols, used = padding_behind(numbers)
        inputs = self.dropout(self.embedding(symbols))
        if hasattr(self, "filters"):
            columns = nn.functional.pad(inputs.transpose(1, 2), (0, max(_WIDTHS) - 1))
            return torch.cat([torch.relu(each(columns)).amax(dim=2) for each in self.filters], dim=1)
        packed = nn.utils.rnn.pack_padded_sequence(inputs, used.clamp(min=1), batch_first=True, enforce_sorted=False)
        last = self.cells(packed)[1]
        last = last[0] if isinstance(last, tuple) else last
        return torch.cat(list(last), dim=1)


class _Network(nn.Module):  # type: ignore[misc]
    """Two encoders, two tanh layers, and one output or as many as levels."""

    def __init__(self, variant: Variant, sizes: Sequence[int], settings: GRUSettings, start: float) -> None:
        super().__init__()
        self.kind = variant.output
        self.words, self.meanings = (_Encoder(variant.encoder, size, settings) for size in sizes)
        width = self.words.width + self.meanings.width
        self.tanh = nn.ModuleList(nn.Linear(width, width) for _ in range(settings.tanh_layers))
        self.output = nn.Linear(width, _OUTPUTS[variant.output])
        for layer in (*self.tanh, self.output):
            nn.init.normal_(layer.weight, std=0.1)
            nn.init.zeros_(layer.bias)
        if variant.output == "rating":
            nn.init.constant_(self.output.bias, start)

    def outputs(self, words: Tensor, meanings: Tensor) -> Tensor:
        """Return outputs, (B, outputs)."""
        state = torch.cat((self.words(words), self.meanings(meanings)), dim=1)
        for layer in self.tanh:
            state = torch.tanh(layer(state))
        return self.output(state)

    def forward(self, words: Tensor, meanings: Tensor) -> Tensor:
        """Return estimates, (B,), not clipped."""
        return rating_of(self.outputs(words, meanings), self.kind)

    def loss(self, words: Tensor, meanings: Tensor, ratings: Tensor) -> Tensor:
        """Return the mean loss."""
        return loss_of(self.outputs(words, meanings), ratings, self.kind)


def rating_of(outputs: Tensor, kind: str) -> Tensor:
    """Return ratings, (B,), from a network's outputs: the expected rating of a classifier's levels."""
    if kind == "rating":
        return outputs[:, 0]
    if kind == "ordered":
        return LEVELS[0] + 0.5 * outputs.sigmoid().sum(dim=1)
    return outputs.softmax(dim=1) @ torch.as_tensor(LEVELS, dtype=outputs.dtype)


def loss_of(outputs: Tensor, ratings: Tensor, kind: str) -> Tensor:
    """Return the mean loss: squared errors, cross-entropy of levels, or of being above each level but the last."""
    if kind == "rating":
        return nn.functional.mse_loss(outputs[:, 0], ratings)
    if kind == "ordered":
        above = (ratings[:, None] > torch.as_tensor(LEVELS[:-1], dtype=ratings.dtype)).to(outputs.dtype)
        return nn.functional.binary_cross_entropy_with_logits(outputs, above)
    return nn.functional.cross_entropy(outputs, ((ratings - LEVELS[0]) * 2).round().long())


class _Pretrained(EstimatorRun):
    """Passes over distorted texts alone, then those over rated texts, of which the best is kept."""

    @property
    def passes(self) -> int:
        """Number of passes."""
        return self.settings.synthetic_passes + self.settings.passes

    def rows(self, epoch: int) -> tuple[Integers, int]:
        """Return the rows of a pass, and the number of batches."""
        early, n_real = epoch < self.settings.synthetic_passes, self.task.n_real
        rows = np.arange(n_real, len(self.task.examples)) if early else np.arange(n_real)
        return rows, -(-len(rows) // (self.settings.synthetic_batch_size if early else self.settings.batch_size))

    def validate(self, bar: Any) -> float:
        """Return the cost of a pass, and keep the lowest one's parameters."""
        return super().validate(bar) if self.position.epoch > self.settings.synthetic_passes else np.inf


def variant_estimates(
    corpus: Corpus, variant: Variant, settings: GRUSettings, vectors: Callable[[Sequence[str]], Floats] | None = None
) -> list[SplitEstimates]:
    """Train a variant on each fold, and estimate the test rows.

    Args:
        corpus: the texts.
        variant: the differences from the small network.
        settings: settings of the small network.
        vectors: gives word vectors, (n, embedding), NaN for a word without one; needed if the variant has vectors.
    """
    found = []
    for number, split in enumerate(rotations(grouped_parts(corpus.ratings.keys))):
        made = training_set(corpus, split, "S3" if variant.pretrained else "S1", seed=number)
        vocabulary, examples, dev, test = encoded(corpus, split, made, settings, "quality")
        torch.manual_seed(number)
        network = _Network(variant, vocabulary.sizes, settings, float(np.mean(made.ratings)))
        if variant.vectors and vectors is not None:
            learned = torch.as_tensor(vectors(vocabulary.words), dtype=torch.float32)
            table = network.words.embedding.weight.data[2:]
            table.copy_(torch.where(learned.isnan(), table, learned))
        # The order of batches is that of the record, which had no seed of its own.
        task = Task(examples, len(made.real), dev, vocabulary.sizes, seed=1)
        kind = _Pretrained if variant.pretrained else EstimatorRun
        run = kind(network, task, replace(settings, synthetic_passes=settings.synthetic_passes * variant.pretrained))
        run.train()
        network.load_state_dict(run.best)
        values = predict(network, test)[None]
        found.append(SplitEstimates(split.test, values, len(made), np.array([run.best_pass])))
    return found


def train_variants(
    corpus: Corpus, names: Sequence[str], data_dir: Path, *, tell: Callable[[str], None] | None = None
) -> Networks:
    """Train variants and summarise their estimates of the published folds' test parts.

    Args:
        corpus: delexicalised texts.
        names: keys of `VARIANTS`.
        data_dir: the folder that holds `lm-corpus/`, if one of them has word vectors.
        tell: takes a line on each.
    """
    settings, ratings = GRUSettings(), corpus.ratings.ratings["quality"]
    networks = Networks(f"1 × {settings.units} units, {settings.passes} passes, one seed, on one thread")
    for name in names:
        begin, column = time.process_time(), np.full(len(ratings), np.nan)
        vectors = word_vectors(data_dir, settings.embedding) if VARIANTS[name].vectors else None
        found = variant_estimates(corpus, VARIANTS[name], settings, vectors)
        networks.summaries[name] = {
            "instances": [each.instances for each in found],
            "best_pass": [int(each.best_pass[0]) for each in found],
            **summary([(each.rows, each.values) for each in found], ratings),
        }
        for each in found:
            column[each.rows] = rounded(each.values[0])
        networks.estimates[name] = column
        networks.cpu_seconds[name] = round(time.process_time() - begin)
        if tell is not None:
            tell(f"{VARIANTS[name].title}: {networks.cpu_seconds[name]} CPU s")
    return networks
