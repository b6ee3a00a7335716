"""Shared by the neural language models: devices, batches by length, and the digest of their weights.

Texts as the rows that a model reads: long ones in windows, short ones side by side, so that a processor's time goes to
tokens and hardly any to padding.
"""

from __future__ import annotations

import bisect
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from referenceless_metrics.core.support.validation import describe

if TYPE_CHECKING:
    import torch


def resolve_device(device: object) -> torch.device:
    """Return the device to compute on, after checking that this machine has it.

    Args:
        device: `"cpu"`, `"cuda"`, `"cuda:1"`, `"mps"`, a `torch.device`, or None for CUDA if there is a usable device,
            else the CPU.

    Raises:
        TypeError: for anything else.
        ValueError: for a name that is no device, or a device that is not available.
    """
    import torch

    if device is None:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if not isinstance(device, (str, torch.device)):
        raise TypeError(f"Expected argument `device` to be a string or a torch.device, but got {describe(device)}")
    try:
        return torch.empty(0, device=device).device
    except (AssertionError, RuntimeError) as error:
        reason = str(error).partition("\n")[0]
        raise ValueError(
            f"Expected argument `device` to be one of this machine, but got {device!r}: {reason}"
        ) from None


@contextmanager
def evaluating(model: torch.nn.Module) -> Iterator[None]:
    """Run a model without dropout and gradients, and leave its mode as it was."""
    import torch

    was_training = model.training
    model.eval()
    try:
        with torch.inference_mode():
            yield
    finally:
        model.train(was_training)


def longest_input(model: Any, tokenizer: Any) -> int | None:
    """Return the number of tokens that a model can read at once; None if it is not stated."""
    config = model.config.get_text_config() if hasattr(model.config, "get_text_config") else model.config
    names = ("max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "max_sequence_length")
    limits = [value for name in names if isinstance(value := getattr(config, name, None), int) and value > 0]
    if limits:
        return min(limits)
    if 0 < tokenizer.model_max_length < 10**9:
        return int(tokenizer.model_max_length)
    return None


def padded(rows: Sequence[Any], fill: int, device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    """Return rows of ids as one tensor (rows, longest), `fill` to the right of shorter ones, and which are real."""
    import torch

    ids = torch.nn.utils.rnn.pad_sequence(
        [torch.tensor(row, dtype=torch.int64) for row in rows], batch_first=True, padding_value=fill
    )
    lengths = torch.tensor([len(row) for row in rows], device=device)
    return ids.to(device), torch.arange(ids.shape[1], device=device) < lengths[:, None]


_SAMPLES = 512  # values of a tensor that tell it from others


def weights_digest(tensors: Iterable[tuple[str, torch.Tensor]]) -> str:
    """Return 8 hexadecimal digits that tell weights apart, from a sample of each tensor.

    Args:
        tensors: names and tensors. Names and shapes are hashed whole; values at 512 evenly spaced places, in float32,
            so that a model of many gigabytes is identified at once and on any device.
    """
    import torch

    digest = hashlib.sha256()
    for name, tensor in sorted(tensors, key=lambda item: item[0]):
        digest.update(f"{name}:{tuple(tensor.shape)};".encode())
        if tensor.is_meta or not tensor.numel():
            continue
        flat = tensor.detach().reshape(-1)
        places = torch.linspace(0, flat.numel() - 1, min(_SAMPLES, flat.numel()), dtype=torch.float64).long()
        values = flat[places.to(flat.device)].float().cpu().numpy()
        digest.update(np.ascontiguousarray(values, dtype="<f4").tobytes())
    return digest.hexdigest()[:8]


#: Most tokens of a row that texts share. A text attends within itself, but its row's attention is computed whole:
#: much longer rows would cost more than padding.
SHARED_WIDTH = 96


def sliding_windows(tokens: Sequence[int], max_length: int, stride: int) -> Iterator[tuple[Sequence[int], int]]:
    """Yield the windows in which a text is scored.

    Window k starts at token k · `stride` and has `max_length` tokens at most, of which the model reads all but the
    last, after the context token. A later window scores those that no earlier one did. Their context is at least
    `max_length` − `stride` tokens; only tokens near the start of the text have less, because there is no more.

    Args:
        tokens: the text.
        max_length: most tokens that the model reads at once, at least 1.
        stride: distance between the starts of windows, in [1, `max_length`].

    Yields:
        The tokens of each window, and the number of its last ones that it scores; none for an empty text.
    """
    start = scored = 0
    while scored < len(tokens):
        end = min(start + max_length, len(tokens))
        yield tokens[start:end], end - scored
        scored = end
        start += stride


def row_batches(
    lengths: Sequence[int], batch_size: int, max_tokens: int, shared_width: int = 0
) -> Iterator[list[list[int]]]:
    """Yield batches of rows, each row the texts that share it: longest rows first.

    Rows are filled by best fit, longest texts first (Johnson 1973); a text too long to share a row has its own.

    Args:
        lengths: the length of each text, in tokens, without the context token, which a row holds once.
        batch_size: rows in a batch at most.
        max_tokens: rows × longest row at most; a text that is longer by itself still gets a batch of its own.
        shared_width: tokens of a row that texts share at most, with the context token; 0: each has a row of its own.

    Yields:
        Lists of rows, each a list of indices into `lengths`.
    """
    rows: list[list[int]] = []
    rooms: list[tuple[int, int]] = []  # room left in each row, and the row, in ascending order
    for i in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        place = bisect.bisect_left(rooms, (lengths[i], 0))
        room, row = rooms.pop(place) if place < len(rooms) else (shared_width - 1, len(rows))
        if row == len(rows):
            rows.append([])
        rows[row].append(i)
        if room > lengths[i]:
            bisect.insort(rooms, (room - lengths[i], row))
    widths = [1 + sum(lengths[i] for i in row) for row in rows]
    by_width = sorted(range(len(rows)), key=lambda row: -widths[row])
    while by_width:
        size = max(1, min(batch_size, max_tokens // widths[by_width[0]]))
        yield [rows[row] for row in by_width[:size]]
        del by_width[:size]
