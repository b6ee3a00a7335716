"""The network of the LSTM language model: embedding, stacked LSTM, output layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import torch
from torch import nn

__all__ = ["LSTMNetwork", "NetworkShape"]


@dataclass(frozen=True)
class NetworkShape:
    """The sizes of an LSTM language model.

    Attributes:
        vocabulary: tokens, special ones included.
        layers: stacked LSTM layers.
        hidden: units of each layer.
        embedding: width of the token embeddings.
        dropout: share of values dropped between layers in training.
    """

    vocabulary: int
    layers: int = 2
    hidden: int = 512
    embedding: int = 512
    dropout: float = 0.0


class LSTMNetwork(nn.Module):  # type: ignore[misc]  # torch is not followed by the type checker
    """Maps token ids to hidden states; `output` maps these to logits."""

    def __init__(self, shape: NetworkShape) -> None:
        super().__init__()
        self.shape = shape
        self.embedding = nn.Embedding(shape.vocabulary, shape.embedding)
        between = shape.dropout if shape.layers > 1 else 0.0
        self.lstm = nn.LSTM(shape.embedding, shape.hidden, shape.layers, batch_first=True, dropout=between)
        self.dropout = nn.Dropout(shape.dropout)
        self.output = nn.Linear(shape.hidden, shape.vocabulary)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Return hidden states, shape (batch, length, hidden), for ids of shape (batch, length).

        Sequences are padded on the right: the states of real tokens come before the padding and do not depend on it.
        """
        states, _ = self.lstm(self.dropout(self.embedding(ids)))
        return cast(torch.Tensor, self.dropout(states))
