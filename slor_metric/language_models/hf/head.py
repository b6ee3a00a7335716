"""A causal transformer taken apart: hidden states for all tokens, the output layer for those that are scored."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from slor_metric.language_models.hf.shared_rows import row_of, within_texts
from slor_metric.language_models.hf.torch_support import SHARED_WIDTH, evaluating

if TYPE_CHECKING:
    import torch


#: Most logits that are held at once: 16 M values, 64 MB in float32.
CHUNK_ELEMENTS = 1 << 24
#: Number of tokens of the short texts that a model is tried on.
PROBE_TOKENS = 6


def target_logprobs(
    states: torch.Tensor,
    targets: torch.Tensor,
    layer: Callable[..., Any] | None,
    of_state: torch.Tensor | None = None,
) -> torch.Tensor:
    """Return the log-probability of tokens after states, holding no more logits than a chunk has.

    Args:
        states: hidden states or logits of real tokens only, shape (states, width).
        targets: tokens that may follow, shape (targets,), int64.
        layer: maps (n, width) to logits (n, vocabulary); None if the states are the logits.
        of_state: index of the state that each target follows, ascending, shape (targets,); None for one target per
            state.

    Returns:
        ln p(target), shape (targets,), float32 (float64 for a model in float64), in nats.
    """
    import torch

    following = torch.arange(len(states), device=targets.device) if of_state is None else of_state
    logprobs: list[torch.Tensor] = []
    first, rows = 0, 1
    while first < len(states) or not logprobs:
        chunk = states[first : first + rows]
        logits = chunk if layer is None else layer(chunk)
        logits = logits if logits.dtype == torch.float64 else logits.float()
        ends = torch.searchsorted(following, torch.tensor([first, first + len(chunk)], device=following.device))
        inside = slice(*ends.tolist())
        at = (following[inside] - first).to(logits.device)
        logprobs.append(logits.log_softmax(1)[at, targets[inside].to(logits.device)])
        first, rows = first + len(chunk), max(1, CHUNK_ELEMENTS // logits.shape[1])
    return torch.cat(logprobs)


class OutputHead:
    """Runs the body of a causal language model, and its output layer on chosen positions.

    Most of a small model's arithmetic is its output layer (a vocabulary of 50,000 times the hidden width), so it is
    spent on tokens that are scored and on no padding. The result of this class is compared with the model's own logits
    once, on a short input; if they differ (Gemma 2 caps its logits, Granite scales them), the model's own are used.

    On a CPU texts may share rows, and the tokens with which they begin alike, if the model can keep them apart; that,
    too, is found out by a comparison. (On a GPU such a mask costs the fastest kernels for attention.)

    Args:
        model: a causal language model of transformers.
        longest: most tokens of a text.

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
        of_position: torch.Tensor,
        targets: torch.Tensor,
        before: Sequence[Sequence[int]] | None = None,
    ) -> torch.Tensor:
        """Run the model on a batch and return ln p of tokens after chosen positions.

        Args:
            inputs: token ids, padded on the right with any token, shape (batch, longest).
            rows: the row of each chosen position, shape (chosen,).
            columns: the column of each, shape (chosen,).
            of_position: index of the chosen position that each target follows, ascending, shape (targets,).
            targets: the tokens whose probability is asked for, shape (targets,).
            before: for each row, the column before each token (see `shared_rows.Row`), if texts share rows; only for a
                model that `shares_rows`.

        Returns:
            In nats, shape (targets,).
        """
        output = self._run(self._body, inputs, before)
        states = output.logits if self._layer is None else output.last_hidden_state
        chosen = states[rows.to(states.device), columns.to(states.device)]
        return target_logprobs(chosen, targets, self._layer, of_position)

    def _run(self, module: Any, inputs: torch.Tensor, before: Sequence[Sequence[int]] | None = None) -> Any:
        import torch

        # No token before the padding attends to it, so the mask hides nothing; all ones select the fast causal kernels.
        options = {"attention_mask": torch.ones_like(inputs)}
        if before is not None:
            options["attention_mask"], options["position_ids"] = within_texts(
                before, inputs.shape[1], self.dtype, self.device
            )
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
        """Return whether texts that share a row and a beginning have the outputs of texts by themselves."""
        # The first is as long as texts get: some layers look no further back than they are told, and a mask tells them.
        first = min(longest, SHARED_WIDTH - PROBE_TOKENS) - 1
        context, *tokens = self._probe(1 + first + PROBE_TOKENS)[0].tolist()
        texts = [tokens[:first], tokens[first:], [*tokens[: PROBE_TOKENS // 2], *tokens[-PROBE_TOKENS // 2 :]]]
        row = row_of(context, texts)
        try:
            together = self._run(self._model, self._inputs(row.tokens), [row.before]).logits[0]
        except (AttributeError, IndexError, RuntimeError, TypeError, ValueError):
            return False
        alone = [self._run(self._model, self._inputs([context, *text])).logits[0] for text in texts]
        return all(
            self._is_close(together[columns], logits) for columns, logits in zip(row.columns, alone, strict=True)
        )

    def _inputs(self, tokens: Sequence[int]) -> torch.Tensor:
        import torch

        return torch.tensor([tokens], device=self.device)

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
