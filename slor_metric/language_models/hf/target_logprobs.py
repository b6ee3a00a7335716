"""The output layer of a language model, for the tokens that are scored and for nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

__all__ = ["target_logprobs"]

#: Logits that are held at once: 16 M values, 64 MB in float32.
CHUNK_ELEMENTS = 1 << 24
#: On a CPU: words of the vocabulary, and tokens, whose logits are held at once: 8 MB in float32.
BLOCK_WORDS = 2048
BLOCK_TOKENS = 1024
#: Rows of logits whose exponentials are summed at a time, so that what the sum is made of stays in the cache.
SUMMED_ROWS = 64


def target_logprobs(
    hidden: torch.Tensor,
    targets: torch.Tensor,
    layer: Callable[[torch.Tensor], torch.Tensor] | None,
    n_outputs: int,
    finish: Callable[[torch.Tensor], torch.Tensor] | None = None,
) -> torch.Tensor:
    """Apply an output layer to hidden states and keep the log-probability of each one's target.

    No more logits are held than a chunk has, and no log-probabilities but the targets'. On a CPU a linear layer is cut
    along its words: its weights are then read once for all states, and the logits never leave the cache.

    Args:
        hidden: states of real tokens only, shape (tokens, width).
        targets: the token that follows each, shape (tokens,), int64.
        layer: maps (n, width) to logits (n, n_outputs); None where the states are the logits.
        n_outputs: the size of the vocabulary.
        finish: what becomes of each logit after the layer, by itself; None for nothing.

    Returns:
        ln p(target), shape (tokens,), float32 (float64 for a model in float64), in nats.
    """
    import torch

    weight = getattr(layer, "weight", None)
    if isinstance(weight, torch.Tensor) and not weight.is_meta:  # of a model over several devices
        hidden = hidden.to(weight.device)
    by_words = _is_plain(layer) and hidden.device.type == "cpu"
    rows = BLOCK_TOKENS if by_words else max(1, CHUNK_ELEMENTS // n_outputs)
    of_rows = _by_words if by_words else _whole
    parts = zip(hidden.split(rows), targets.split(rows), strict=True)
    return torch.cat([of_rows(states, wanted, layer, finish) for states, wanted in parts])


def _is_plain(layer: Any) -> bool:
    """Return whether a layer is a matrix with nothing hooked on to it, so that it can be cut."""
    import torch

    if type(layer) is not torch.nn.Linear or layer.weight.is_meta:
        return False
    return not (layer._forward_hooks or layer._forward_pre_hooks or hasattr(layer, "_hf_hook"))


def _whole(hidden: torch.Tensor, targets: torch.Tensor, layer: Any, finish: Any) -> torch.Tensor:
    logits = _finished(hidden if layer is None else layer(hidden), finish)
    found: torch.Tensor = logits.gather(1, targets.to(logits.device)[:, None])[:, 0] - _log_sums(logits)
    return found


def _by_words(hidden: torch.Tensor, targets: torch.Tensor, layer: Any, finish: Any) -> torch.Tensor:
    import torch

    biases = [None] * len(layer.weight) if layer.bias is None else layer.bias.split(BLOCK_WORDS)
    of_targets: Any = None
    total: Any = None
    for block, weight in enumerate(layer.weight.split(BLOCK_WORDS)):
        logits = _finished(torch.nn.functional.linear(hidden, weight, biases[block]), finish)
        sums = _log_sums(logits)
        place = targets - block * BLOCK_WORDS
        is_here = (place >= 0) & (place < len(weight))
        here = logits.gather(1, place.clamp(0, len(weight) - 1)[:, None])[:, 0]
        of_targets = here if of_targets is None else torch.where(is_here, here, of_targets)
        total = sums if total is None else torch.logaddexp(total, sums)
    found: torch.Tensor = of_targets - total
    return found


def _finished(logits: torch.Tensor, finish: Any) -> torch.Tensor:
    import torch

    if finish is not None:
        logits = finish(logits)
    return logits.float() if logits.dtype in (torch.float16, torch.bfloat16) else logits


def _log_sums(logits: torch.Tensor) -> torch.Tensor:
    """Return the logarithm of each row's sum of exponentials: no log-probability is written for every word."""
    import torch

    return torch.cat([few.logsumexp(dim=1) for few in logits.split(SUMMED_ROWS)])
