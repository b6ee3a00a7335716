"""The output layer of a language model, for the tokens that are scored and for nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

#: Logits that are held at once: 16 M values, 64 MB in float32.
CHUNK_ELEMENTS = 1 << 24
#: On a CPU: words of the vocabulary, and tokens, whose logits are held at once: 8 MB in float32.
BLOCK_WORDS = 2048
BLOCK_TOKENS = 1024
#: Rows of logits whose exponentials are summed at a time, so that what the sum is made of stays in the cache.
SUMMED_ROWS = 256


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
    if not _is_plain(layer) or hidden.device.type != "cpu":
        return _whole(hidden, targets, layer, n_outputs, finish)
    parts = zip(hidden.split(BLOCK_TOKENS), targets.split(BLOCK_TOKENS), strict=True)
    found = torch.cat([_by_words(states, wanted, layer, finish) for states, wanted in parts])
    lost = ~found.isfinite()
    if lost.any():
        found[lost] = _whole(hidden[lost], targets[lost], layer, n_outputs, finish)
    return found


def _is_plain(layer: Any) -> bool:
    """Return whether a layer is a matrix with nothing hooked on to it, so that it can be cut."""
    import torch

    if type(layer) is not torch.nn.Linear or layer.weight.is_meta:
        return False
    return not (layer._forward_hooks or layer._forward_pre_hooks or hasattr(layer, "_hf_hook"))


def _whole(hidden: torch.Tensor, targets: torch.Tensor, layer: Any, n_outputs: int, finish: Any) -> torch.Tensor:
    """Return the log-probabilities from all words' logits at once, for as many tokens at a time as are held."""
    import torch

    found = []
    rows = max(1, CHUNK_ELEMENTS // n_outputs)
    for states, wanted in zip(hidden.split(rows), targets.split(rows), strict=True):
        logits = _finished(states if layer is None else layer(states), finish)
        # A sum of exponentials a row: no log-probability is written for every word.
        of_targets = logits.gather(1, wanted.to(logits.device)[:, None])[:, 0]
        found.append(of_targets - torch.cat([few.logsumexp(dim=1) for few in logits.split(SUMMED_ROWS)]))
    return torch.cat(found)


def _by_words(hidden: torch.Tensor, targets: torch.Tensor, layer: Any, finish: Any) -> torch.Tensor:
    """Return the log-probabilities from a block of words' logits after the other.

    What is summed is by how much each logit exceeds the target's, as its exponential: that sum is 1 / p, so that no
    maximum need be sought first. Where it overflows (p below e^−88), the result is not finite.
    """
    import torch

    base = torch.linalg.vecdot(hidden, layer.weight[targets])
    base = _finished(base if layer.bias is None else base + layer.bias[targets], finish)[:, None]
    of_targets = torch.empty_like(base)
    total = torch.zeros_like(base)
    for first_word in range(0, len(layer.weight), BLOCK_WORDS):
        words = slice(first_word, first_word + BLOCK_WORDS)
        bias = None if layer.bias is None else layer.bias[words]
        logits = _finished(torch.nn.functional.linear(hidden, layer.weight[words], bias), finish)
        place = (targets - first_word)[:, None]
        is_here = (place >= 0) & (place < logits.shape[1])
        of_targets = torch.where(is_here, logits.gather(1, place.clamp(0, logits.shape[1] - 1)), of_targets)
        for first in range(0, len(logits), SUMMED_ROWS):
            few = slice(first, first + SUMMED_ROWS)
            total[few] += logits[few].sub_(base[few]).exp_().sum(dim=1, keepdim=True)
    return (of_targets - base - total.log())[:, 0]


def _finished(logits: torch.Tensor, finish: Any) -> torch.Tensor:
    import torch

    if finish is not None:
        logits = finish(logits)
    return logits.float() if logits.dtype in (torch.float16, torch.bfloat16) else logits
