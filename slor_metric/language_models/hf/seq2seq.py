"""Sequence-to-sequence models of Hugging Face transformers: p(text | source)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.support.progress import progress_bar
from metric_commons.support.validation import check_number, check_texts
from slor_metric.language_models.base import TokenLogprobs, check_sources
from slor_metric.language_models.hf.loading import open_pair
from slor_metric.language_models.hf.target_logprobs import target_logprobs
from slor_metric.language_models.hf.torch_support import (
    length_batches,
    longest_input,
    pad_rows,
    weights_fingerprint,
)
from slor_metric.language_models.hf.unigram import check_unigram, special_ends, token_strings, tokenizer_name
from slor_metric.language_models.unigram import UnigramTable
from slor_metric.tokenizers.words import replace_surrogates

__all__ = ["Seq2SeqLanguageModel"]

#: Tokens of one forward pass at most, on the longer side, padding included (except for one single longer row).
MAX_BATCH_TOKENS = 8192


class Seq2SeqLanguageModel:
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
        unigram: the unigram model to carry, for `SLOR`.
        revision: the branch, tag or commit on the Hub.
        trust_remote_code: run code that comes with the model; only for models whose code you have read.
        local_files_only: do not ask the Hub.
        progress: show a progress bar; None: only on a terminal.

    Raises:
        FileNotFoundError: for a path where there is nothing.
        ImportError: without torch and transformers (extra `hf`).
        TypeError: for arguments of the wrong kind, or a model object without a tokeniser.
        ValueError: for a model that cannot be had or is none, or a unigram model of another tokenisation.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any = None,
        *,
        device: Any = None,
        dtype: Any = None,
        batch_size: int = 32,
        unigram: UnigramTable | None = None,
        revision: str | None = None,
        trust_remote_code: bool = False,
        local_files_only: bool = False,
        progress: bool | None = None,
    ) -> None:
        check_number(batch_size, "batch_size", minimum=1, integer=True)
        self.model, self.tokenizer, self.name = open_pair(
            model,
            tokenizer,
            device=device,
            dtype=dtype,
            revision=revision,
            trust_remote_code=trust_remote_code,
            local_files_only=local_files_only,
            progress=progress,
            kind="sequence-to-sequence model",
        )
        if not getattr(self.model.config, "is_encoder_decoder", False):
            raise ValueError(f"Expected a sequence-to-sequence model, but {self.name} has no encoder and decoder")
        start = self.model.config.decoder_start_token_id
        start = self.model.config.pad_token_id if start is None else start
        if start is None:
            raise ValueError(f"Expected a model that says with which token texts begin, but {self.name} does not")
        self._start = int(start)
        self.batch_size = int(batch_size)
        self.progress = progress
        self.max_length = longest_input(self.model, self.tokenizer)
        self.tokenizer_name = tokenizer_name(self.tokenizer)
        self._fingerprint = weights_fingerprint(self.model.named_parameters())
        self.unigram = unigram
        if unigram is not None:
            check_unigram(self.tokenizer, unigram)

    @property
    def signature(self) -> str:
        """Name, weights and tokenisation."""
        return f"seq2seq,{self.name},weights={self._fingerprint},tok={self.tokenizer_name}"

    def token_logprobs(self, texts: Iterable[str], sources: Iterable[str] | None = None) -> list[TokenLogprobs]:
        """Return the pieces of each text with their natural-log probabilities given its source.

        Args:
            texts: n texts, not a bare string. Equal pairs are scored once.
            sources: n sources; None for empty ones.

        Returns:
            One result a text; `end_logprob` is that of the token that the tokeniser puts after a text, if any.

        Raises:
            TypeError: for a bare string or an item that is no string.
            ValueError: for sources of another number than the texts, or a source or text that the model cannot read.
        """
        checked = check_texts(texts, "texts")
        given = [""] * len(checked) if sources is None else check_sources(sources, len(checked))
        distinct = list(dict.fromkeys(zip(given, checked, strict=True)))
        if not distinct:
            return []
        encoder = [self._encode(source, "source") for source, _ in distinct]
        decoder = [self._encode(text, "text") for _, text in distinct]
        before, after = special_ends(self.tokenizer)
        results = {}
        for pair, ids, logprobs in zip(distinct, decoder, self._score(encoder, decoder), strict=True):
            first, last = len(before), len(ids) - len(after)
            end = float(logprobs[last]) if after else None
            pieces = tuple(token_strings(self.tokenizer, ids[first:last]))
            results[pair] = TokenLogprobs(pieces, logprobs[first:last], end)
        return [results[pair] for pair in zip(given, checked, strict=True)]

    def _encode(self, text: str, name: str) -> list[int]:
        ids = list(self.tokenizer(replace_surrogates(text), verbose=False)["input_ids"])
        if self.max_length is not None and len(ids) > self.max_length:
            raise ValueError(
                f"Expected each {name} to have at most {self.max_length} tokens, which the model can read, but one has "
                f"{len(ids)}"
            )
        return ids

    def _score(self, encoder: Sequence[list[int]], decoder: Sequence[list[int]]) -> list[NDArray[np.float64]]:
        """Return ln p of every token of the decoder's side, special ones included."""
        import torch

        scores: list[NDArray[np.float64]] = [np.empty(0)] * len(decoder)
        lengths = [max(len(source), len(text)) for source, text in zip(encoder, decoder, strict=True)]
        was_training = self.model.training
        self.model.eval()
        try:
            with torch.inference_mode(), progress_bar(len(lengths), "scoring", self.progress) as bar:
                for batch in length_batches(lengths, self.batch_size, MAX_BATCH_TOKENS):
                    found = self._run([encoder[i] for i in batch], [decoder[i] for i in batch])
                    for i, logprobs in zip(batch, found, strict=True):
                        scores[i] = logprobs
                    bar.update(len(batch))
        finally:
            self.model.train(was_training)
        return scores

    def _run(self, sources: Sequence[list[int]], texts: Sequence[list[int]]) -> list[NDArray[np.float64]]:
        import torch

        device = self.model.get_input_embeddings().weight.device
        sources = [source or [self._start] for source in sources]  # an encoder reads something
        lengths = torch.tensor([len(source) for source in sources])
        inputs = torch.from_numpy(pad_rows(sources, fill=self._start)).to(device)
        mask = (torch.arange(inputs.shape[1])[None] < lengths[:, None]).long().to(device)
        shifted = [[self._start, *text[:-1]] for text in texts]
        logits = self.model(
            input_ids=inputs,
            attention_mask=mask,
            decoder_input_ids=torch.from_numpy(pad_rows(shifted, fill=self._start)).to(device),
            use_cache=False,
            return_dict=True,
        ).logits
        sizes = [len(text) for text in texts]
        rows = torch.repeat_interleave(torch.arange(len(texts)), torch.tensor(sizes)).to(logits.device)
        columns = torch.tensor([i for size in sizes for i in range(size)], dtype=torch.long).to(logits.device)
        targets = torch.tensor([token for text in texts for token in text], dtype=torch.long)
        if not len(targets):
            return [np.empty(0) for _ in texts]
        flat = target_logprobs(logits[rows, columns], targets, None, logits.shape[-1]).double().cpu().numpy()
        return np.split(flat, np.cumsum(sizes)[:-1])
