"""A causal transformer taken apart: hidden states for all tokens, the output head for those that are scored.

The output layer of a language model, for the tokens that are scored and for nothing else.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from metric_commons.support.validation import describe
from slor_metric.language_models.hf.torch_support import CONTEXT, SHARED_WIDTH, evaluating, within_texts

if TYPE_CHECKING:
    import torch


#: Logits that are held at once: 16 M values, 64 MB in float32.
CHUNK_ELEMENTS = 1 << 24
#: On a CPU: words of the vocabulary, and tokens, whose logits are held at once: 2 MB in float32, which a cache holds.
BLOCK_WORDS = 2048
BLOCK_TOKENS = 256


def target_logprobs(
    hidden: torch.Tensor,
    targets: torch.Tensor,
    layer: Callable[[torch.Tensor], torch.Tensor] | None,
    n_outputs: int,
) -> torch.Tensor:
    """Apply an output layer to hidden states and keep the log-probability of each one's target.

    No more logits are held than a chunk has, and no log-probabilities but the targets'. On a CPU a linear layer is cut
    along its words: its weights are then read once for all states, and the logits never leave the cache.

    Args:
        hidden: states of real tokens only, shape (tokens, width).
        targets: the token that follows each, shape (tokens,), int64.
        layer: maps (n, width) to logits (n, n_outputs); None where the states are the logits.
        n_outputs: the size of the vocabulary.

    Returns:
        ln p(target), shape (tokens,), float32 (float64 for a model in float64), in nats.
    """
    import torch

    weight = getattr(layer, "weight", None)
    if isinstance(weight, torch.Tensor) and not weight.is_meta:  # of a model over several devices
        hidden = hidden.to(weight.device)
    if not _is_plain(layer) or hidden.device.type != "cpu":
        return _whole(hidden, targets, layer, n_outputs)
    parts = zip(hidden.split(BLOCK_TOKENS), targets.split(BLOCK_TOKENS), strict=True)
    found = torch.cat([_by_words(states, wanted, layer) for states, wanted in parts])
    lost = ~found.isfinite()
    if lost.any():
        found[lost] = _whole(hidden[lost], targets[lost], layer, n_outputs)
    return found


def _is_plain(layer: Any) -> bool:
    """Return whether a layer is a matrix with nothing hooked on to it, so that it can be cut."""
    import torch

    if type(layer) is not torch.nn.Linear or layer.weight.is_meta:
        return False
    return not (layer._forward_hooks or layer._forward_pre_hooks or hasattr(layer, "_hf_hook"))


def _whole(hidden: torch.Tensor, targets: torch.Tensor, layer: Any, n_outputs: int) -> torch.Tensor:
    """Return the log-probabilities from all words' logits at once, for as many tokens at a time as are held."""
    import torch

    rows = max(1, CHUNK_ELEMENTS // n_outputs)
    logprobs = []
    for states, following in zip(hidden.split(rows), targets.split(rows), strict=True):
        logits = _at_least_single(states if layer is None else layer(states))
        logprobs.append(logits.log_softmax(1).gather(1, following.to(logits.device)[:, None])[:, 0])
    return torch.cat(logprobs)


def _by_words(hidden: torch.Tensor, targets: torch.Tensor, layer: Any) -> torch.Tensor:
    """Return the log-probabilities from a block of words' logits after the other.

    What is summed is by how much each logit exceeds the target's, as its exponential: that sum is 1 / p, so that no
    maximum need be sought first. Where it overflows (p below e^−88), the result is not finite.
    """
    import torch

    of_targets = torch.linalg.vecdot(hidden, layer.weight[targets])
    of_targets = _at_least_single(of_targets if layer.bias is None else of_targets + layer.bias[targets])[:, None]
    total = torch.zeros_like(of_targets)
    correction = torch.zeros_like(of_targets)  # the block's logit of the target differs by rounding
    for first in range(0, len(layer.weight), BLOCK_WORDS):
        words = slice(first, first + BLOCK_WORDS)
        bias = None if layer.bias is None else layer.bias[words]
        logits = _at_least_single(torch.nn.functional.linear(hidden, layer.weight[words], bias)).sub_(of_targets)
        place = (targets - first)[:, None]
        is_here = (place >= 0) & (place < logits.shape[1])
        correction = torch.where(is_here, logits.gather(1, place.clamp(0, logits.shape[1] - 1)), correction)
        total += logits.exp_().sum(dim=1, keepdim=True)
    return (correction - total.log())[:, 0]


def _at_least_single(logits: torch.Tensor) -> torch.Tensor:
    """Return logits in single precision or better."""
    import torch

    return logits.float() if logits.dtype in (torch.float16, torch.bfloat16) else logits


#: Tokens of the short texts that a model is tried on.
PROBE_TOKENS = 6


class OutputHead:
    """Runs the body of a causal language model, and its head on chosen positions.

    Most of a small model's arithmetic is its head (a vocabulary of 50,000 times the hidden width), so it is
    spent on tokens that are scored and on no padding. What this class computes is compared with the model's own logits
    once, on a short input; where they differ (Gemma 2 caps its logits, Granite scales them), the model's own are used.

    On a CPU texts may share rows, where the model keeps them apart when it is told to; that, too, is found out by a
    comparison. (On a GPU such a mask costs the fastest kernels for attention.)

    Args:
        model: a causal language model of transformers.
        longest: the tokens of a text at most.

    Raises:
        ValueError: for an encoder–decoder, a model that cannot be run, or one whose outputs depend on later tokens.
    """

    def __init__(self, model: Any, longest: int) -> None:
        if getattr(model.config, "is_encoder_decoder", False):
            raise ValueError(f"Expected a causal language model, but {describe_model(model)} is an encoder–decoder")
        self._model = model
        self._longest = longest
        embeddings = model.get_input_embeddings()
        self.device: torch.device = embeddings.weight.device
        self.n_inputs = int(embeddings.weight.shape[0])
        self.dtype: torch.dtype = next(p.dtype for p in model.parameters() if p.is_floating_point())
        self._body: Any = model
        self._layer: Callable[[torch.Tensor], torch.Tensor] | None = None
        with evaluating(model):
            self.n_outputs = self._check()
            self.shares_rows = self.device.type == "cpu" and self._keeps_apart()

    def __reduce__(self) -> tuple[type[OutputHead], tuple[Any, int]]:
        # The functions that it chose cannot be pickled: a copy tries the model again.
        return type(self), (self._model, self._longest)

    def logprobs(
        self,
        inputs: torch.Tensor,
        rows: torch.Tensor,
        columns: torch.Tensor,
        targets: torch.Tensor,
        places: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Run the model on a batch and return ln p of a token at each of the chosen positions.

        Args:
            inputs: token ids, padded on the right with any token, shape (batch, longest).
            rows: the row of each chosen position, shape (chosen,).
            columns: the column of each, shape (chosen,).
            targets: the token whose probability is asked for, shape (chosen,).
            places: which of its row's texts each token belongs to (see `within_texts`), where texts share rows; only
                for a model that `shares_rows`.

        Returns:
            In nats, shape (chosen,).
        """
        output = self._run(self._body, inputs, places)
        states = output.logits if self._layer is None else output.last_hidden_state
        chosen = states[rows.to(states.device), columns.to(states.device)]
        return target_logprobs(chosen, targets, self._layer, self.n_outputs)

    def _run(self, module: Any, inputs: torch.Tensor, places: torch.Tensor | None = None) -> Any:
        import torch

        if places is not None:
            mask, positions = within_texts(places, self.dtype)
            return module(
                input_ids=inputs, attention_mask=mask, position_ids=positions, use_cache=False, return_dict=True
            )
        # No token before the padding attends to it, so the mask hides nothing; all ones select the fast causal kernels.
        return module(input_ids=inputs, attention_mask=torch.ones_like(inputs), use_cache=False, return_dict=True)

    def _check(self) -> int:
        """Verify that the model is causal, find how to take it apart, and return the size of its output."""
        import torch

        probe = torch.linspace(0, self.n_inputs - 1, 2 * PROBE_TOKENS + 1).long()
        rows = torch.stack([probe[:PROBE_TOKENS], probe[:PROBE_TOKENS]])
        rows[1, -1] = probe[-1]  # the rows differ in their last token only
        rows = rows.to(self.device)
        try:
            expected = self._run(self._model, rows).logits.float()
        except (AttributeError, TypeError) as error:
            raise ValueError(
                f"Expected a causal language model that takes token ids, but {describe_model(self._model)} failed: "
                f"{error}"
            ) from error
        tolerance = float(expected.abs().max()) * (1e-3 if self.dtype in (torch.float32, torch.float64) else 5e-2)
        if (expected[0, :-1] - expected[1, :-1]).abs().max() > tolerance:
            raise ValueError(
                f"Expected a causal language model, but in {describe_model(self._model)} a token's output depends on "
                "later tokens"
            )
        head, body = self._model.get_output_embeddings(), getattr(self._model, "base_model", None)
        if head is not None and body is not None and body is not self._model:
            with contextlib.suppress(AttributeError, TypeError, RuntimeError):
                if self._is_close(head(self._run(body, rows).last_hidden_state).float(), expected):
                    self._body, self._layer = body, head
        return int(expected.shape[-1])

    def _keeps_apart(self) -> bool:
        """Return whether texts that share a row have the outputs of texts by themselves."""
        import torch

        width = SHARED_WIDTH
        probe = torch.linspace(0, self.n_inputs - 1, width, device=self.device).long()[None]
        context, row = probe[:, :1], probe[:, 1:]
        # The first is as long as texts get: some layers look no further back than they are told, and a mask tells them.
        last = width - 1 - PROBE_TOKENS
        first = max(1, min(self._longest - 1, last))
        starts = [*range(first, last, first), last]
        places = torch.bucketize(torch.arange(width - 1, device=self.device), torch.tensor(starts), right=True)
        try:
            places = torch.cat([torch.tensor([CONTEXT]), places])[None]
            found = self._run(self._model, probe, places).logits.float()
        except (AttributeError, IndexError, RuntimeError, TypeError, ValueError):
            return False
        texts = [torch.cat([context, text], dim=1) for text in row.tensor_split(starts, dim=1)]
        alone = [self._run(self._model, text).logits.float() for text in texts]
        return self._is_close(found, torch.cat([alone[0], *(logits[:, 1:] for logits in alone[1:])], dim=1))

    def _is_close(self, found: torch.Tensor, expected: torch.Tensor) -> bool:
        """Return whether logits differ by no more than rounding."""
        import torch

        share = 1e-4 if self.dtype in (torch.float32, torch.float64) else 5e-3
        return found.shape == expected.shape and bool((found - expected).abs().max() <= share * expected.abs().max())


def describe_model(model: Any) -> str:
    """Return the class of a model, for an error message."""
    return type(model).__name__ if hasattr(model, "config") else describe(model)
