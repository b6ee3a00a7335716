"""Stacks of equally shaped recurrent estimators, trained side by side: the layers as functions on tensors.

A network of this size leaves a processor idle most of the time: 60 steps in sequence, each a product of a 50 × 64 and
a 64 × 192 matrix. Cross-validation trains five of them, with several seeds many more. All parameters here therefore
have a leading axis of `n_models`, and each product is one for all networks; a stack of one is a single network.

Shapes: M networks, B texts a batch for each, T symbols a text, E wide embeddings, H units.

The GRU is that of Cho et al. (2014) with the reset gate applied after the recurrent product, in the order of gates
that torch keeps (reset, update, new):

    r, z = σ(a_rz + h U_rz + c_rz),  n = tanh(a_n + r ∘ (h U_n + c_n)),  h' = n + z ∘ (h − n),  a = x W + b.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from quality_estimation_metric.gru_model.inputs import GRUSettings

Parameters = Mapping[str, Tensor]
Drop = Callable[[Tensor], Tensor]
ENCODERS = ("words", "meaning")


class _GRULayer(torch.autograd.Function):  # type: ignore[misc]
    """One layer over all steps, with its derivative by hand: one graph node instead of a dozen a step."""

    @staticmethod
    def forward(ctx: Any, gates: Tensor, recurrent: Tensor, bias: Tensor, padding: Tensor | None) -> Tensor:
        """Return the states (T, M, B, H) from the inputs' part of the gates (M, T, B, 3H)."""
        models, steps, batch, width = gates.shape
        units = width // 3
        state = gates.new_zeros(models, batch, units)
        offset = bias.unsqueeze(1).expand(models, batch, width)
        in_order = gates.transpose(0, 1)
        # Padding comes first, so that only the first steps need a look.
        padded = 0 if padding is None else int(padding.any(dim=2).any(dim=0).sum())
        states, kept = [state], []
        for step in range(steps):
            hidden = torch.baddbmm(offset, state, recurrent)
            given = in_order[step]
            reset_update = (given[..., : 2 * units] + hidden[..., : 2 * units]).sigmoid_()
            if step < padded and padding is not None:  # an update gate of 1 keeps the state and stops the gradient
                reset_update[..., units:].masked_fill_(padding[:, step].unsqueeze(-1), 1.0)
            through_reset = hidden[..., 2 * units :]
            new = torch.addcmul(given[..., 2 * units :], reset_update[..., :units], through_reset).tanh_()
            state = torch.lerp(new, state, reset_update[..., units:])
            kept.append((reset_update, new, through_reset))
            states.append(state)
        outputs = torch.stack(states)
        ctx.save_for_backward(outputs, recurrent)
        ctx.kept = kept
        return outputs[1:]

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:
        """Return the derivatives by the gates' inputs, the recurrent weights and their bias."""
        states, recurrent = ctx.saved_tensors
        steps, models, batch, units = grad.shape
        width = 3 * units
        transposed = recurrent.transpose(1, 2)
        by_input = grad.new_empty(models, steps, batch, width)
        by_hidden = grad.new_empty(models, steps, batch, width)
        carry: Tensor | None = None
        for step in range(steps - 1, -1, -1):
            by_state = grad[step] if carry is None else grad[step] + carry
            reset_update, new, through_reset = ctx.kept[step]
            reset, update = reset_update[..., :units], reset_update[..., units:]
            through = by_state * update
            by_new = (by_state - through) * (1 - new * new)
            by_update = through * (states[step] - new) * (1 - update)
            after_reset = by_new * reset
            by_reset = after_reset * through_reset * (1 - reset)
            by_input[:, step] = torch.cat((by_reset, by_update, by_new), dim=-1)
            hidden = torch.cat((by_reset, by_update, after_reset), dim=-1)
            by_hidden[:, step] = hidden
            carry = torch.baddbmm(through, hidden, transposed)
        before = states[:-1].transpose(0, 1).reshape(models, steps * batch, units)
        flat = by_hidden.view(models, steps * batch, width)
        return by_input, torch.bmm(before.transpose(1, 2), flat), flat.sum(dim=1), None


def gru_layer(gates: Tensor, recurrent: Tensor, bias: Tensor, padding: Tensor | None = None) -> Tensor:
    """Return the states of one GRU layer, (T, M, B, H).

    Args:
        gates: x W + b for every step, shape (M, T, B, 3H).
        recurrent: U, shape (M, H, 3H).
        bias: c, shape (M, 3H).
        padding: whether a symbol is padding, which leaves the state as it is, (M, T, B); None for no padding.
    """
    states: Tensor = _GRULayer.apply(gates, recurrent, bias, padding)
    return states


def initial_parameters(
    settings: GRUSettings, vocabulary_sizes: Sequence[int], starts: Sequence[float], seeds: Sequence[int]
) -> Parameters:
    """Draw the parameters of a stack, each network from a seed of its own.

    Embeddings are uniform in ±√3 (unit variance), GRU weights Glorot-uniform with reset and update gates' biases at 1,
    the layers after them normal with deviation 0.1 and biases at 0, as in the authors' program.

    Args:
        settings: sizes.
        vocabulary_sizes: symbols of words and of meanings, over all networks of the stack.
        starts: where each network's output starts.
        seeds: one a network.

    Returns:
        Tensors by name, each with a leading axis of networks.
    """
    drawn = [_draw(settings, vocabulary_sizes, seed) for seed in seeds]
    biases = torch.tensor(starts, dtype=torch.float32).reshape(-1, 1)
    return {**{name: torch.stack([each[name] for each in drawn]) for name in drawn[0]}, "output_bias": biases}


def parameter_shapes(settings: GRUSettings, vocabulary_sizes: Sequence[int]) -> dict[str, tuple[int, ...]]:
    """Return the shape of each parameter of a stack of one by name, without drawing any."""
    with torch.device("meta"):
        shapes = {name: (1, *value.shape) for name, value in _draw(settings, vocabulary_sizes, None).items()}
    return {**shapes, "output_bias": (1, 1)}


def _draw(settings: GRUSettings, vocabulary_sizes: Sequence[int], seed: int | None) -> Parameters:
    generator = None if seed is None else torch.Generator().manual_seed(seed)

    def uniform(limit: float, *shape: int) -> Tensor:
        return (torch.rand(*shape, generator=generator) * 2 - 1) * limit

    units = settings.units
    drawn: dict[str, Tensor] = {}
    for encoder, size in zip(ENCODERS, vocabulary_sizes, strict=True):
        drawn[f"{encoder}_embedding"] = uniform(math.sqrt(3), size, settings.embedding)
        for layer in range(settings.layers):
            inputs = units if layer else settings.embedding
            # The program's GRU has one matrix over inputs and state for both gates, and one for the new state.
            total = inputs + units
            for part, rows in (("input", inputs), ("recurrent", units)):
                gates = uniform(math.sqrt(6 / (total + 2 * units)), rows, 2 * units)
                new = uniform(math.sqrt(6 / (total + units)), rows, units)
                drawn[f"{encoder}_{layer}_{part}"] = torch.cat((gates, new), dim=1)
            drawn[f"{encoder}_{layer}_input_bias"] = torch.cat((torch.ones(2 * units), torch.zeros(units)))
            drawn[f"{encoder}_{layer}_recurrent_bias"] = torch.zeros(3 * units)
    width = settings.width
    for layer in range(settings.tanh_layers):
        drawn[f"tanh_{layer}"] = torch.randn(width, width, generator=generator) * 0.1
        drawn[f"tanh_{layer}_bias"] = torch.zeros(width)
    drawn["output"] = torch.randn(width, 1, generator=generator) * 0.1
    return drawn


def encode(
    parameters: Parameters, settings: GRUSettings, encoder: str, symbols: Tensor, drop: Drop | None = None
) -> Tensor:
    """Return the final states of all layers of an encoder, (M, B, layers × H).

    Args:
        parameters: of the stack.
        settings: sizes.
        encoder: `words` or `meaning`.
        symbols: numbers in the encoder's vocabulary, shape (M, B, T), 0 for padding, which comes first.
        drop: sets elements of the embedded inputs to 0; None for none.
    """
    models, batch, steps = symbols.shape
    table = parameters[f"{encoder}_embedding"]
    in_order = symbols.transpose(1, 2)  # (M, T, B)
    offsets = torch.arange(models, device=symbols.device).view(-1, 1, 1) * table.shape[1]
    rows = (in_order + offsets).reshape(-1)
    inputs = table.reshape(-1, table.shape[2]).index_select(0, rows).view(models, steps * batch, -1)
    if drop is not None:
        inputs = drop(inputs)
    padding = in_order == 0 if settings.padding == "skip" else None
    final = []
    for layer in range(settings.layers):
        name, units = f"{encoder}_{layer}", settings.units
        gates = torch.baddbmm(parameters[f"{name}_input_bias"].unsqueeze(1), inputs, parameters[f"{name}_input"])
        gates = gates.view(models, steps, batch, 3 * units)
        states = gru_layer(gates, parameters[f"{name}_recurrent"], parameters[f"{name}_recurrent_bias"], padding)
        final.append(states[-1])
        if layer + 1 < settings.layers:
            inputs = states.transpose(0, 1).reshape(models, steps * batch, units)
    return torch.cat(final, dim=2)


def forward(
    parameters: Parameters,
    settings: GRUSettings,
    words: Tensor,
    meanings: Tensor,
    places: Tensor | None = None,
    *,
    drop: Drop | None = None,
) -> Tensor:
    """Return the estimates of a stack, (M, B), not clipped.

    Args:
        parameters: of the stack.
        settings: sizes.
        words: (M, B, T) numbers of words, 0 for padding.
        meanings: (M, B, S) numbers of a meaning representation's symbols; S may be 0.
        places: where each text's meaning representation stands among those of `meanings`, (M, B), so that equal ones
            are read once; None where they stand in the texts' order.
        drop: sets elements of the embedded inputs to 0, in training.
    """
    models, batch, _ = words.shape
    states = []
    for encoder, symbols in zip(ENCODERS, (words, meanings), strict=True):
        if symbols.shape[2]:
            state = encode(parameters, settings, encoder, symbols, drop)
        else:
            state = parameters["output"].new_zeros(models, symbols.shape[1], settings.layers * settings.units)
        if encoder == "meaning" and places is not None:
            state = state.gather(1, places.unsqueeze(2).expand(models, batch, state.shape[2]))
        states.append(state)
    hidden = torch.cat(states, dim=2)
    for layer in range(settings.tanh_layers):
        hidden = torch.tanh(
            torch.baddbmm(parameters[f"tanh_{layer}_bias"].unsqueeze(1), hidden, parameters[f"tanh_{layer}"])
        )
    return torch.baddbmm(parameters["output_bias"].unsqueeze(1), hidden, parameters["output"]).squeeze(2)
