"""The network of the LSTM language models: embedding, stacked LSTM, output layer."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import cast

import torch
from torch import nn

from metric_commons.files.archive import Array
from metric_commons.support.validation import check_number
from slor_metric.language_models.hf.target_logprobs import target_logprobs


@dataclass(frozen=True)
class NetworkShape:
    """The sizes of an LSTM language model.

    Attributes:
        vocabulary: tokens, special ones included.
        layers: stacked LSTM layers.
        hidden: units of each layer.
        embedding: width of the token embeddings.
        dropout: share of values dropped between layers in training.
        projection: width to which the last layer's states are brought before the output layer; 0: they are not.
        cutoffs: where the vocabulary, in order of frequency, is cut for an adaptive output layer (Grave et al. 2017);
            empty for one matrix over all tokens.
    """

    vocabulary: int
    layers: int = 2
    hidden: int = 512
    embedding: int = 512
    dropout: float = 0.0
    projection: int = 0
    cutoffs: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "cutoffs", tuple(self.cutoffs))

    @property
    def width(self) -> int:
        """The width of the states that the output layer reads."""
        return self.projection or self.hidden

    @property
    def clusters(self) -> list[tuple[int, int]]:
        """The bounds of the clusters of rare tokens, first token and the one after the last."""
        return list(pairwise((*self.cutoffs, self.vocabulary))) if self.cutoffs else []


_MOST_LAYERS = 64
_LARGEST = 1e38  # weights are finite


def weight_rules(shape: NetworkShape) -> dict[str, Array]:
    """Return what the weights of a network of this shape are, before one is made.

    Raises:
        TypeError: for a size that is no whole number.
        ValueError: for a size out of range.
    """
    for name, most in (("vocabulary", 2**31), ("layers", _MOST_LAYERS), ("hidden", 2**31), ("embedding", 2**31)):
        check_number(getattr(shape, name), name, minimum=1, maximum=most, integer=True)
    check_number(shape.dropout, "dropout", minimum=0, maximum=1)
    check_number(shape.projection, "projection", minimum=0, maximum=2**31, integer=True)
    check_cutoffs(shape.cutoffs, shape.vocabulary)
    shapes: dict[str, tuple[int, ...]] = {"embedding.weight": (shape.vocabulary, shape.embedding)}
    if shape.projection:
        shapes["projection.weight"] = (shape.projection, shape.hidden)
    if shape.cutoffs:
        head = shape.cutoffs[0] + len(shape.cutoffs)
        shapes |= {"output.head.weight": (head, shape.width), "output.head.bias": (head,)}
        for i, (first, end) in enumerate(shape.clusters):
            narrow = narrowed(shape.width, i)
            shapes[f"output.tails.{i}.0.weight"] = (narrow, shape.width)
            shapes[f"output.tails.{i}.1.weight"] = (end - first, narrow)
    else:
        shapes |= {"output.weight": (shape.vocabulary, shape.width), "output.bias": (shape.vocabulary,)}
    for layer in range(shape.layers):
        shapes[f"lstm.weight_ih_l{layer}"] = (4 * shape.hidden, shape.hidden if layer else shape.embedding)
        shapes[f"lstm.weight_hh_l{layer}"] = (4 * shape.hidden, shape.hidden)
        shapes[f"lstm.bias_ih_l{layer}"] = shapes[f"lstm.bias_hh_l{layer}"] = (4 * shape.hidden,)
    return {name: Array("<f4", sizes, least=-_LARGEST, most=_LARGEST) for name, sizes in shapes.items()}


def check_cutoffs(cutoffs: tuple[int, ...], vocabulary: int) -> None:
    """Check that cut-offs rise from 1 on and stay below the size of the vocabulary.

    Raises:
        TypeError, ValueError: where they do not.
    """
    least = 1
    for cutoff in cutoffs:
        check_number(cutoff, "cutoffs", minimum=least, maximum=vocabulary - 1, integer=True)
        least = cutoff + 1


def narrowed(width: int, cluster: int) -> int:
    """Return the width in which a cluster of rare tokens is read: half for the first, a quarter for the next."""
    return max(1, width >> (cluster + 1))


class AdaptiveOutput(nn.Module):  # type: ignore[misc]  # torch is not followed by the type checker
    """An adaptive softmax (Grave et al. 2017, https://arxiv.org/abs/1609.04309).

    The head holds the frequent tokens and one entry for each cluster of rare ones; a rare token's probability is its
    cluster's times its own within the cluster.
    """

    def __init__(self, shape: NetworkShape) -> None:
        super().__init__()
        self.shape = shape
        self.head = nn.Linear(shape.width, shape.cutoffs[0] + len(shape.cutoffs))
        self.tails = nn.ModuleList()
        for i, (first, end) in enumerate(shape.clusters):
            narrow = narrowed(shape.width, i)
            inner = nn.Linear(shape.width, narrow, bias=False)
            self.tails.append(nn.Sequential(inner, nn.Linear(narrow, end - first, bias=False)))

    def forward(self, states: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Return ln p of each state's target, shape (n,), for states of shape (n, width)."""
        entropy = nn.functional.cross_entropy
        cluster = torch.bucketize(targets, torch.tensor(self.shape.cutoffs, device=targets.device), right=True)
        wanted = torch.where(cluster == 0, targets, self.shape.cutoffs[0] + cluster - 1)
        found = -entropy(self.head(states).float(), wanted, reduction="none")
        for i, (first, _) in enumerate(self.shape.clusters):
            rows = (cluster == i + 1).nonzero()[:, 0]
            within = -entropy(self.tails[i](states[rows]).float(), targets[rows] - first, reduction="none")
            found = found.index_add(0, rows, within)
        return found


class LSTMNetwork(nn.Module):  # type: ignore[misc]  # torch is not followed by the type checker
    """Maps token ids to hidden states, and these to log-probabilities."""

    def __init__(self, shape: NetworkShape) -> None:
        super().__init__()
        self.shape = shape
        self.embedding = nn.Embedding(shape.vocabulary, shape.embedding)
        between = shape.dropout if shape.layers > 1 else 0.0
        self.lstm = nn.LSTM(shape.embedding, shape.hidden, shape.layers, batch_first=True, dropout=between)
        self.dropout = nn.Dropout(shape.dropout)
        if shape.projection:
            self.projection = nn.Linear(shape.hidden, shape.projection, bias=False)
        self.output = AdaptiveOutput(shape) if shape.cutoffs else nn.Linear(shape.width, shape.vocabulary)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Return hidden states, shape (batch, length, width), for ids of shape (batch, length).

        Sequences are padded on the right: the states of real tokens come before the padding and do not depend on it.
        """
        states, _ = self.lstm(self.dropout(self.embedding(ids)))
        if self.shape.projection:
            states = self.projection(states)
        return cast(torch.Tensor, self.dropout(states))

    def logprobs(self, states: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Return ln p of each state's target, shape (n,), without the way back to the weights."""
        if isinstance(self.output, AdaptiveOutput):
            return cast(torch.Tensor, self.output(states, targets))
        return target_logprobs(states, targets, self.output, self.shape.vocabulary)

    def loss(self, states: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Return the sum of −ln p of the targets."""
        if isinstance(self.output, AdaptiveOutput):
            return cast(torch.Tensor, -self.output(states, targets).sum())
        return nn.functional.cross_entropy(self.output(states).float(), targets, reduction="sum")
