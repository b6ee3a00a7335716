"""Sentences beside the same with faults, and how well a small model tells them apart.

S is a text's sum of capped shortfalls under the small model, its part of `Fluency`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import softplus

from referenceless_papers.training.damage import Damage
from slor_metric.fluency.neural import SMALL_CAP
from slor_metric.language_models.known import CONTINUES
from slor_metric.language_models.lstm.model import LSTMLanguageModel
from slor_metric.tokenizers.words import BOS, EOS

Words = list[str]
Row = NDArray[np.int32]

#: Numbers of words of sentences that get a faulty twin.
TWIN_LENGTHS = range(5, 37)
_UNIT = 1.2  # the standard deviation of S over GUG's training split, about


class Twins:
    """Puts faults into sentences, and compares S.

    Args:
        model: the model whose vocabulary and unigram probabilities S reads.
        counts: count of each word in the corpus.
    """

    def __init__(self, model: LSTMLanguageModel, counts: Mapping[str, int]) -> None:
        self.model, self.damage = model, Damage(counts)
        self._unigram = torch.from_numpy(model.unigram.logprobs(model.tokens)).float()
        self._continues = torch.from_numpy(model.flags & CONTINUES > 0)

    def rows(self, texts: Iterable[str]) -> list[Row]:
        """Return texts as the model reads them, each as ``<s> … </s>``."""
        ids = self.model._encoder.encode(list(texts))
        return np.split(ids, np.flatnonzero(ids == BOS)[1:])

    def faulty(self, rows: Sequence[Row]) -> list[tuple[Row, Row]]:
        """Return sentences with their twins; those that are too short or too long have none."""
        sentences = [words_of(row, self.model.tokens) for row in rows]
        drawn = [
            (row, " ".join(twin))
            for row, words in zip(rows, sentences, strict=True)
            if len(words) in TWIN_LENGTHS and (twin := self.damage(words)) is not None
        ]
        twins = self.rows(twin for _, twin in drawn) if drawn else []
        return [*zip((row for row, _ in drawn), twins, strict=True)]

    def scores(self, targets: torch.Tensor, real: torch.Tensor, logprobs: torch.Tensor) -> torch.Tensor:
        """Return S of n texts of at most t tokens.

        Args:
            targets: the tokens, with the ends, shape (n, t).
            real: False for padding, shape (n, t).
            logprobs: ln p of the real ones, one text after the other.
        """
        found = torch.zeros(targets.shape).masked_scatter(real, logprobs)
        tokens = real & (targets != EOS)
        begins = tokens & ~self._continues[targets]
        begins[:, 0] = tokens[:, 0]
        word = (begins.long().cumsum(1) - 1).clamp(min=0)
        odds, sizes = (
            torch.zeros_like(found).scatter_add(1, word, torch.where(tokens, value, 0.0))
            for value in (found - self._unigram[targets], torch.ones_like(found))
        )
        shortfalls = torch.where(sizes > 0, (odds / sizes.clamp(min=1) - SMALL_CAP).clamp(max=0), 0.0)
        return shortfalls.sum(1) / begins.sum(1).clamp(min=1) ** 0.75


def words_of(row: Row, tokens: Sequence[str]) -> Words:
    """Return the words of a sentence from its WordPieces.

    >>> words_of(np.array([1, 3, 4, 2]), ["<unk>", "<s>", "</s>", "flu", "##ent"])
    ['fluent']
    """
    return "".join(f" {tokens[i]}" for i in row[1:-1].tolist()).replace(" ##", "").split()


def ranking(good: torch.Tensor, bad: torch.Tensor) -> torch.Tensor:
    """Return how badly S tells sentences from faulty ones: each from its own, and each from all of the batch."""
    good, bad = good / _UNIT, bad / _UNIT
    return softplus(-4 * (good - bad)).mean() + softplus(-2 * (good[:, None] - bad)).mean()
