"""The network of the LSTM language model: embedding, stacked LSTM, output layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import torch
from torch import nn

from metric_commons.files.archive import Array
from metric_commons.support.validation import check_number


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
    shapes: dict[str, tuple[int, ...]] = {
        "embedding.weight": (shape.vocabulary, shape.embedding),
        "output.weight": (shape.vocabulary, shape.hidden),
        "output.bias": (shape.vocabulary,),
    }
    for layer in range(shape.layers):
        shapes[f"lstm.weight_ih_l{layer}"] = (4 * shape.hidden, shape.hidden if layer else shape.embedding)
        shapes[f"lstm.weight_hh_l{layer}"] = (4 * shape.hidden, shape.hidden)
        shapes[f"lstm.bias_ih_l{layer}"] = shapes[f"lstm.bias_hh_l{layer}"] = (4 * shape.hidden,)
    return {name: Array("<f4", sizes, least=-_LARGEST, most=_LARGEST) for name, sizes in shapes.items()}


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
