"""The published network: two encoders whose final states tanh layers and a linear output turn into a rating."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

import torch
from torch import Tensor, nn

from referenceless_papers.gru_estimator.inputs import PADDING, GRUSettings


def padding_behind(numbers: Tensor) -> tuple[Tensor, Tensor]:
    """Move the padding of rows from their start to their end, and cut the padding that all have.

    Args:
        numbers: shape (B, T), padding first.

    Returns:
        Shape (B, longest row), and the length of each row, shape (B,).
    """
    lengths = (numbers != PADDING).sum(dim=1)
    columns = torch.arange(int(lengths.max()), device=numbers.device)
    places = (columns + numbers.shape[1] - lengths[:, None]).clamp(max=numbers.shape[1] - 1)
    return numbers.gather(1, places) * (columns < lengths[:, None]), lengths


class Encoder(nn.Module):  # type: ignore[misc]  # torch is not followed by the type checker
    """Embeddings, dropout, and the final states of a stacked GRU.

    The first values are those of the authors' program: embeddings uniform in ±√3 (unit variance), weights
    Glorot-uniform with one matrix over inputs and state for both gates and one for the new state, the gates' biases 1.

    Args:
        symbols: number of symbols.
        settings: sizes.
    """

    def __init__(self, symbols: int, settings: GRUSettings) -> None:
        super().__init__()
        self.reads_padding = settings.padding == "read"
        self.embedding = nn.Embedding(symbols, settings.embedding)
        self.dropout = nn.Dropout(settings.dropout)
        self.cells = nn.GRU(settings.embedding, settings.units, settings.layers, batch_first=True)
        units = settings.units
        with torch.no_grad():
            nn.init.uniform_(self.embedding.weight, -math.sqrt(3), math.sqrt(3))
            for layer in range(settings.layers):
                by_input, by_state, input_bias, state_bias = self.cells._flat_weights[4 * layer : 4 * layer + 4]
                for weight in (by_input, by_state):
                    for rows in (weight[: 2 * units], weight[2 * units :]):
                        limit = math.sqrt(6 / (by_input.shape[1] + units + len(rows)))
                        nn.init.uniform_(rows, -limit, limit)
                input_bias.zero_()[: 2 * units] = 1
                state_bias.zero_()

    def forward(self, numbers: Tensor) -> Tensor:
        """Return the final states of all layers, (B, layers × units), for numbers of shape (B, T), padding first."""
        if self.reads_padding:
            states = self.cells(self.dropout(self.embedding(numbers)))[1]
        elif not numbers.any():
            return self.embedding.weight.new_zeros(len(numbers), self.cells.num_layers * self.cells.hidden_size)
        else:
            symbols, lengths = padding_behind(numbers)
            packed = nn.utils.rnn.pack_padded_sequence(
                self.dropout(self.embedding(symbols)),
                lengths.clamp(min=1).cpu(),
                batch_first=True,
                enforce_sorted=False,
            )
            states = self.cells(packed)[1] * (lengths > 0)[:, None]
        return cast(Tensor, states.transpose(0, 1).flatten(1))


class GRUNetwork(nn.Module):  # type: ignore[misc]
    """Two encoders, tanh layers, and one output, the estimated rating.

    Args:
        settings: sizes.
        sizes: number of words and of meaning symbols.
        start: value of the output at the start.
    """

    def __init__(self, settings: GRUSettings, sizes: Sequence[int], start: float = 0.0) -> None:
        super().__init__()
        self.words, self.meanings = (Encoder(size, settings) for size in sizes)
        self.tanh = nn.ModuleList(nn.Linear(settings.width, settings.width) for _ in range(settings.tanh_layers))
        self.output = nn.Linear(settings.width, 1)
        for layer in (*self.tanh, self.output):
            nn.init.normal_(layer.weight, std=0.1)
            nn.init.zeros_(layer.bias)
        nn.init.constant_(self.output.bias, start)

    def forward(self, words: Tensor, meanings: Tensor) -> Tensor:
        """Return estimates, (B,), not clipped, of words (B, T) and meanings (B, S)."""
        state = torch.cat((self.words(words), self.meanings(meanings)), dim=1)
        for layer in self.tanh:
            state = torch.tanh(layer(state))
        return cast(Tensor, self.output(state)[:, 0])

    def loss(self, words: Tensor, meanings: Tensor, ratings: Tensor) -> Tensor:
        """Return the mean squared error."""
        return nn.functional.mse_loss(self(words, meanings), ratings)
