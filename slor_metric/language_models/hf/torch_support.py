"""What the neural language models share: devices, batches by length, and the fingerprint of their weights."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from metric_commons.support.validation import Integers, describe

if TYPE_CHECKING:
    import torch

#: Share of a row that may be padding before its batch is closed, once the batch has MIN_ROWS rows.
MAX_PADDING = 0.25
MIN_ROWS = 8


def resolve_device(device: object) -> torch.device:
    """Return the device to compute on, after checking that this machine has it.

    Args:
        device: `"cpu"`, `"cuda"`, `"cuda:1"`, `"mps"`, a `torch.device`, or None for CUDA where there is a usable
            device, else the CPU.

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


class SlowPrecisionWarning(UserWarning):
    """A precision that the processor has no instructions for, so that it costs time in place of saving it."""


def warn_if_emulated(dtype: torch.dtype, device: torch.device) -> None:
    """Warn where a model in bfloat16 is to run on a CPU without instructions for it."""
    import torch

    if dtype is not torch.bfloat16 or device.type != "cpu":
        return
    if torch.backends.cpu.get_cpu_capability().startswith(("AVX", "DEFAULT", "NO AVX")):
        has_it = torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
    else:  # ARM and others
        has_it = torch.ops.mkldnn._is_mkldnn_bf16_supported()
    if not has_it:
        warnings.warn(
            "This CPU has no instructions for bfloat16: float32 is faster and more exact",
            SlowPrecisionWarning,
            stacklevel=3,
        )


def length_batches(lengths: Sequence[int], batch_size: int, max_tokens: int) -> Iterator[Integers]:
    """Yield the rows of each batch, longest first, so that rows of about one length share a batch.

    Args:
        lengths: the length of each row.
        batch_size: rows in a batch at most.
        max_tokens: rows × longest row at most; a row that is longer by itself still gets a batch of its own.

    Yields:
        Positions into `lengths`, shape (rows,).
    """
    order = np.argsort(-np.asarray(lengths, dtype=np.int64), kind="stable")
    sorted_lengths = np.asarray(lengths, dtype=np.int64)[order]
    start = 0
    while start < len(order):
        longest = max(1, int(lengths[order[start]]))
        rows = max(1, min(batch_size, max_tokens // longest))
        batch = order[start : start + rows]
        # Where much of the batch would be padding, its shorter rows go to the next; very small batches pay worse.
        near = int((sorted_lengths[start : start + rows] >= (1 - MAX_PADDING) * longest).sum())
        batch = batch[: max(near, MIN_ROWS)]
        yield batch
        start += len(batch)


def text_config(model: Any) -> Any:
    """Return the part of a model's configuration that is about text."""
    return model.config.get_text_config() if hasattr(model.config, "get_text_config") else model.config


def longest_input(model: Any, tokenizer: Any) -> int | None:
    """Return how many tokens a model can read at once; None where nothing says."""
    config = text_config(model)
    names = ("max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "max_sequence_length")
    limits = [value for name in names if isinstance(value := getattr(config, name, None), int) and value > 0]
    if limits:
        return min(limits)
    if 0 < tokenizer.model_max_length < 10**9:
        return int(tokenizer.model_max_length)
    return None


def pad_rows(rows: Sequence[Sequence[int]], fill: int) -> Integers:
    """Return rows of ids as one array of shape (rows, longest), `fill` to the right of shorter ones."""
    padded = np.full((len(rows), max(map(len, rows))), fill, dtype=np.int64)
    for i, row in enumerate(rows):
        padded[i, : len(row)] = row
    return padded


def padded(rows: Sequence[Any], fill: int, device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    """Return rows of ids as `pad_rows` has them, on a device, and which of them are real: no padding."""
    import torch

    ids = torch.from_numpy(pad_rows(rows, fill)).to(device)
    lengths = torch.tensor([len(row) for row in rows], device=device)
    return ids, torch.arange(ids.shape[1], device=device) < lengths[:, None]


def weights_fingerprint(tensors: Iterable[tuple[str, torch.Tensor]], samples: int = 512) -> str:
    """Return 8 hexadecimal digits that tell weights apart, from a sample of each tensor.

    Args:
        tensors: names and tensors. Names and shapes are hashed whole; values at `samples` evenly spaced places, in
            float32, so that a model of many gigabytes is identified at once and on any device.
        samples: values taken of each tensor.
    """
    import torch

    digest = hashlib.sha256()
    for name, tensor in sorted(tensors, key=lambda item: item[0]):
        digest.update(f"{name}:{tuple(tensor.shape)};".encode())
        if tensor.is_meta or not tensor.numel():
            continue
        flat = tensor.detach().reshape(-1)
        places = torch.linspace(0, flat.numel() - 1, min(samples, flat.numel()), dtype=torch.float64).long()
        values = flat[places.to(flat.device)].float().cpu().numpy()
        digest.update(np.ascontiguousarray(values, dtype="<f4").tobytes())
    return digest.hexdigest()[:8]
