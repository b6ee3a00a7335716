"""The network of the LSTM language models as torch trains it: embedding, stacked LSTM, output layer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import torch
from torch import nn

from slor_metric.language_models.lstm.storage import CodedWeights, NetworkShape, as_floats


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
        for narrow, size in shape.tails:
            inner = nn.Linear(shape.width, narrow, bias=False)
            self.tails.append(nn.Sequential(inner, nn.Linear(narrow, size, bias=False)))

    def forward(self, states: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Return ln p of each state's target, shape (n,), for states of shape (n, width)."""
        entropy = nn.functional.cross_entropy
        cluster = torch.bucketize(targets, torch.tensor(self.shape.cutoffs, device=targets.device), right=True)
        wanted = torch.where(cluster == 0, targets, self.shape.cutoffs[0] + cluster - 1)
        found = -entropy(self.head(states).float(), wanted, reduction="none")
        for i, first in enumerate(self.shape.cutoffs):
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
        """Return ln p of each state's target, shape (n,)."""
        if isinstance(self.output, AdaptiveOutput):
            return cast(torch.Tensor, self.output(states, targets))
        return -nn.functional.cross_entropy(self.output(states).float(), targets, reduction="none")


def load_network(shape: NetworkShape, weights: CodedWeights) -> LSTMNetwork:
    """Return a network with the weights of a model."""
    network = LSTMNetwork(shape)
    network.load_state_dict(dict(torch_parameters(shape, weights)))
    return network


def torch_parameters(shape: NetworkShape, weights: CodedWeights) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield the parts of a network's matrices by torch's names; a bias is its first part, and the second is 0."""
    for name, parts in shape.matrices.items():
        matrix, first = torch.from_numpy(as_floats(weights[name])), 0
        for i, (part, size) in enumerate(parts.items()):
            yield part, matrix[:, first : first + size[1]] if len(size) > 1 else matrix * (i == 0)
            first += size[-1]
