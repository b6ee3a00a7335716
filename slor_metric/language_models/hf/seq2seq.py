"""Sequence-to-sequence models of Hugging Face transformers: p(text | source)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from referenceless_metrics.core.support.validation import Floats
from slor_metric.language_models.base import TokenLogprobs
from slor_metric.language_models.hf.base import TransformersModel, token_strings
from slor_metric.language_models.hf.head import target_logprobs
from slor_metric.language_models.hf.torch_support import longest_input, padded
from slor_metric.tokenizers.words import replace_surrogates


class Seq2SeqLanguageModel(TransformersModel):
    """A sequence-to-sequence model of transformers (BART, T5, …): ln p(text | source), a token at a time.

    The mean of a text's log-probabilities given its source is BARTScore's quantity (Yuan et al. 2021), which takes the
    mean over the special tokens too (for BART, ``<s>`` and ``</s>``); `end_logprob` is that of the last. Without
    sources, the source is empty.

    Args:
        model: a name on the Hugging Face Hub, a folder, or a model object (then with `tokenizer`).
        tokenizer: a tokeniser object, or the name or path of one; None for the one that comes with `model`.
        device: see `HuggingFaceLanguageModel`.
        dtype: see there.
        batch_size: pairs in one forward pass, at most.
        revision: the branch, tag or commit on the Hub.
        trust_remote_code: run code that comes with the model; only for models whose code you have read.
        progress: show a progress bar; None: only on a terminal.

    Raises:
        FileNotFoundError: for a path that does not exist.
        ImportError: without torch and transformers (extra `hf`).
        TypeError: for arguments of the wrong kind, or a model object without a tokeniser.
        ValueError: for a model that cannot be loaded or is no such model.
    """

    kind = "sequence-to-sequence model"

    def __init__(self, model: Any, tokenizer: Any = None, **options: Any) -> None:
        super().__init__(model, tokenizer, **options)
        if not getattr(self.model.config, "is_encoder_decoder", False):
            raise ValueError(f"Expected a sequence-to-sequence model, but {self.name} has no encoder and decoder")
        start = self.model.config.decoder_start_token_id
        start = self.model.config.pad_token_id if start is None else start
        if start is None:
            raise ValueError(f"Expected a model that says with which token texts begin, but {self.name} does not")
        self._start = int(start)
        self.max_length = longest_input(self.model, self.tokenizer)

    @property
    def signature(self) -> str:
        """Name, weights and tokenisation."""
        return f"seq2seq,{self.name},weights={self._digest},tok={self.tokenizer_name}"

    def _score(self, sources: Sequence[str], texts: Sequence[str], with_sources: bool) -> list[TokenLogprobs]:
        encoder = [self._encode(source, "source")["input_ids"] for source in sources]
        decoder = [self._encode(text, "text") for text in texts]
        results = []
        ids = [list(encoded["input_ids"]) for encoded in decoder]
        lengths = [max(len(source), len(row)) for source, row in zip(encoder, ids, strict=True)]
        scored = self._by_batch(
            lengths, lambda rows: self._run([encoder[i] for (i,) in rows], [ids[i] for (i,) in rows])
        )
        for row, encoded, logprobs in zip(ids, decoder, scored, strict=True):
            special = encoded["special_tokens_mask"]
            pieces = [place for place, mark in enumerate(special) if not mark]
            end = float(logprobs[pieces[-1] + 1 if pieces else -1]) if special[-1:] == [1] else None
            names = tuple(token_strings(self.tokenizer, [row[place] for place in pieces]))
            results.append(TokenLogprobs(names, logprobs[pieces], end))
        return results

    def _encode(self, text: str, name: str) -> Any:
        """Return the ids of a text with special tokens, and which are these."""
        encoded = self.tokenizer(replace_surrogates(text), return_special_tokens_mask=True, verbose=False)
        n_tokens = len(encoded["input_ids"])
        if self.max_length is not None and n_tokens > self.max_length:
            raise ValueError(
                f"Expected each {name} to have at most {self.max_length} tokens, which the model can read, but one has "
                f"{n_tokens}"
            )
        return encoded

    def _run(self, sources: Sequence[list[int]], texts: Sequence[list[int]]) -> list[Floats]:
        """Return ln p of every token of the decoder's side, special ones included."""
        import torch

        if not any(texts):
            return [np.empty(0) for _ in texts]
        inputs, mask = padded([source or [self._start] for source in sources], self._start, self.device)
        shifted, real = padded([[self._start, *text][: len(text)] for text in texts], self._start, self.device)
        options = {"input_ids": inputs, "attention_mask": mask.long(), "decoder_input_ids": shifted}
        logits = self.model(**options, use_cache=False, return_dict=True).logits
        targets = torch.tensor([token for text in texts for token in text], dtype=torch.long)
        logprobs = target_logprobs(logits[real.to(logits.device)], targets, None)
        return np.split(logprobs.double().cpu().numpy(), np.cumsum([len(text) for text in texts])[:-1])
