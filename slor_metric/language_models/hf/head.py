"""A causal transformer taken apart: hidden states for all tokens, the output layer for those that are scored."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from slor_metric.language_models.hf.torch_support import CONTEXT, SHARED_WIDTH, evaluating, within_texts

if TYPE_CHECKING:
    import torch


#: Logits that are held at once: 16 M values, 64 MB in float32.
CHUNK_ELEMENTS = 1 << 24
#: Tokens of the short texts that a model is tried on.
PROBE_TOKENS = 6


def target_logprobs(states: torch.Tensor, targets: torch.Tensor, layer: Callable[..., Any] | None) -> torch.Tensor:
    """Return the log-probability of each state's target, holding no more logits than a chunk has.

    Args:
        states: hidden states or logits of real tokens only, shape (tokens, width).
        targets: the token that follows each, shape (tokens,), int64.
        layer: maps (n, width) to logits (n, vocabulary); None where the states are the logits.

    Returns:
        ln p(target), shape (tokens,), float32 (float64 for a model in float64), in nats.
    """
    import torch

    logprobs: list[torch.Tensor] = []
    first, rows = 0, 1
    while first < len(states) or not logprobs:
        chunk = states[first : first + rows]
        logits = chunk if layer is None else layer(chunk)
        logits = logits if logits.dtype == torch.float64 else logits.float()
        following = targets[first : first + rows].to(logits.device)
        logprobs.append(logits.log_softmax(1).gather(1, following[:, None])[:, 0])
        first, rows = first + rows, max(1, CHUNK_ELEMENTS // logits.shape[1])
    return torch.cat(logprobs)


class OutputHead:
    """Runs the body of a causal language model, and its output layer on chosen positions.

    Most of a small model's arithmetic is its output layer (a vocabulary of 50,000 times the hidden width), so it is
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
            raise ValueError(f"Expected a causal language model, but {type(model).__name__} is an encoder–decoder")
        self._model = self._body = model
        self._layer: Any = None
        embeddings = model.get_input_embeddings()
        self.device: torch.device = embeddings.weight.device
        self.n_inputs = int(embeddings.weight.shape[0])
        self.dtype: torch.dtype = next(p.dtype for p in model.parameters() if p.is_floating_point())
        with evaluating(model):
            self._check()
            self.shares_rows = self.device.type == "cpu" and self._keeps_apart(longest)

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
        return target_logprobs(states[rows.to(states.device), columns.to(states.device)], targets, self._layer)

    def _run(self, module: Any, inputs: torch.Tensor, places: torch.Tensor | None = None) -> Any:
        import torch

        # No token before the padding attends to it, so the mask hides nothing; all ones select the fast causal kernels.
        options = {"attention_mask": torch.ones_like(inputs)}
        if places is not None:
            options["attention_mask"], options["position_ids"] = within_texts(places, self.dtype)
        return module(input_ids=inputs, use_cache=False, return_dict=True, **options)

    def _check(self) -> None:
        """Verify that the model is causal, and find how to take it apart."""
        probe = self._probe(PROBE_TOKENS + 1)
        rows = probe[:, :-1].repeat(2, 1)
        rows[1, -1] = probe[0, -1]  # the rows differ in their last token only
        name = type(self._model).__name__
        try:
            expected = self._run(self._model, rows).logits
        except (AttributeError, TypeError) as error:
            raise ValueError(
                f"Expected a causal language model that takes token ids, but {name} failed: {error}"
            ) from error
        if not self._is_close(expected[0, :-1], expected[1, :-1], slack=10):
            raise ValueError(
                f"Expected a causal language model, but in {name} a token's output depends on later tokens"
            )
        layer, body = self._model.get_output_embeddings(), getattr(self._model, "base_model", None)
        with contextlib.suppress(AttributeError, TypeError, RuntimeError):
            if self._is_close(layer(self._run(body, rows).last_hidden_state), expected):
                self._body, self._layer = body, layer

    def _keeps_apart(self, longest: int) -> bool:
        """Return whether texts that share a row have the outputs of texts by themselves."""
        import torch

        # The first is as long as texts get: some layers look no further back than they are told, and a mask tells them.
        first = min(longest, SHARED_WIDTH - PROBE_TOKENS) - 1
        row = self._probe(1 + first + PROBE_TOKENS)
        places = torch.tensor([[CONTEXT] + [0] * first + [1] * PROBE_TOKENS])
        try:
            together = self._run(self._model, row, places).logits
        except (AttributeError, IndexError, RuntimeError, TypeError, ValueError):
            return False
        context, *texts = row.split([1, first, PROBE_TOKENS], dim=1)
        long, short = (self._run(self._model, torch.cat([context, text], dim=1)).logits for text in texts)
        return self._is_close(together, torch.cat([long, short[:, 1:]], dim=1))

    def _probe(self, size: int) -> torch.Tensor:
        """Return a row of different tokens, shape (1, size)."""
        import torch

        return torch.linspace(0, self.n_inputs - 1, size, device=self.device).long()[None]

    def _is_close(self, logits: torch.Tensor, expected: torch.Tensor, slack: float = 1) -> bool:
        """Return whether logits differ by no more than rounding."""
        import torch

        share = slack * (1e-4 if self.dtype in (torch.float32, torch.float64) else 5e-3)
        if logits.shape != expected.shape:
            return False
        return bool((logits.float() - expected.float()).abs().max() <= share * expected.float().abs().max())
