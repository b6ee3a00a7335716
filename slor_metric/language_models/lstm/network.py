"""The network of the LSTM language model: embedding, stacked LSTM, output layer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import torch
from torch import nn

from metric_commons.support.validation import check_number

__all__ = ["LSTMNetwork", "NetworkShape", "check_weights"]


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


def check_weights(weights: Mapping[str, torch.Tensor], shape: NetworkShape) -> None:
    """Check that tensors are those of a network of this shape, and finite, before one is made.

    Raises:
        TypeError: for a size that is no whole number.
        ValueError: for a size out of range, or other tensors.
    """
    for name, most in (("vocabulary", 2**31), ("layers", _MOST_LAYERS), ("hidden", 2**31), ("embedding", 2**31)):
        check_number(getattr(shape, name), name, minimum=1, maximum=most, integer=True)
    check_number(shape.dropout, "dropout", minimum=0, maximum=1)
    expected: dict[str, tuple[int, ...]] = {
        "embedding.weight": (shape.vocabulary, shape.embedding),
        "output.weight": (shape.vocabulary, shape.hidden),
        "output.bias": (shape.vocabulary,),
    }
    for layer in range(shape.layers):
        expected[f"lstm.weight_ih_l{layer}"] = (4 * shape.hidden, shape.hidden if layer else shape.embedding)
        expected[f"lstm.weight_hh_l{layer}"] = (4 * shape.hidden, shape.hidden)
        expected[f"lstm.bias_ih_l{layer}"] = expected[f"lstm.bias_hh_l{layer}"] = (4 * shape.hidden,)
    found = {name: tuple(tensor.shape) for name, tensor in weights.items()}
    if found != expected:
        other = sorted(set(found.items()) ^ set(expected.items()))
        raise ValueError(f"the tensor {other[0][0]!r:.60} is missing, unknown or of another shape")
    for name, tensor in weights.items():
        if not tensor.is_floating_point() or not bool(torch.isfinite(tensor).all()):
            raise ValueError(f"the tensor {name!r} does not hold finite numbers")


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
