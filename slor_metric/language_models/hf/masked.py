"""Masked language models of Hugging Face transformers: pseudo-log-likelihoods for SLOR."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.support.progress import progress_bar
from metric_commons.support.validation import check_choice, check_number, check_texts
from slor_metric.language_models.base import TokenLogprobs
from slor_metric.language_models.hf.loading import open_pair
from slor_metric.language_models.hf.target_logprobs import target_logprobs
from slor_metric.language_models.hf.torch_support import (
    length_batches,
    longest_input,
    pad_rows,
    weights_fingerprint,
)
from slor_metric.language_models.hf.unigram import (
    check_unigram,
    special_ends,
    token_strings,
    tokenise_texts,
    tokenizer_name,
)
from slor_metric.language_models.unigram import UnigramTable
from slor_metric.tokenizers.words import replace_surrogates

if TYPE_CHECKING:
    import torch

__all__ = ["MASKING", "MaskedLanguageModel", "masked_rows"]

#: What is hidden beside the token that is scored.
MASKING = ("within_word_l2r", "original")
#: Tokens of one forward pass at most, padding included (except for one single longer row).
MAX_BATCH_TOKENS = 8192


class MaskedLanguageModel:
    """A masked language model of transformers (BERT, RoBERTa, ModernBERT, …) as a language model (a `LanguageModel`).

    A token's log-probability is taken with the token hidden and the others seen, on both sides; a text's is their sum,
    its pseudo-log-likelihood (Salazar et al. 2020). Where a word has several tokens, each of them is easy to guess from
    the rest of the word; `masking="within_word_l2r"` hides the word's later tokens too (Kauf & Ivanova 2023).

    Each token costs a pass of the model over its text. A text that is longer than `max_length` is read, for each token,
    in the window with that token in its middle.

    Args:
        model: a name on the Hugging Face Hub, a folder, or a model object (then with `tokenizer`).
        tokenizer: a fast tokeniser object, or the name or path of one; None for the one that comes with `model`.
        masking: `"within_word_l2r"` or `"original"` (only the token that is scored).
        device: see `HuggingFaceLanguageModel`.
        dtype: see there.
        batch_size: rows in one forward pass, at most.
        max_length: tokens that the model reads at once, with those at the ends; None for the model's own limit, but 512
            at most.
        unigram: the unigram model to carry, for `SLOR`.
        revision: the branch, tag or commit on the Hub.
        trust_remote_code: run code that comes with the model; only for models whose code you have read.
        local_files_only: do not ask the Hub.
        progress: show a progress bar; None: only on a terminal.

    Raises:
        FileNotFoundError: for a path where there is nothing.
        ImportError: without torch and transformers (extra `hf`).
        TypeError: for arguments of the wrong kind, or a model object without a tokeniser.
        ValueError: for a model that cannot be had or is none, a tokeniser without a mask token or, for
            `"within_word_l2r"`, without words, or a unigram model of another tokenisation.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any = None,
        *,
        masking: str = "within_word_l2r",
        device: Any = None,
        dtype: Any = None,
        batch_size: int = 32,
        max_length: int | None = None,
        unigram: UnigramTable | None = None,
        revision: str | None = None,
        trust_remote_code: bool = False,
        local_files_only: bool = False,
        progress: bool | None = None,
    ) -> None:
        check_choice(masking, "masking", MASKING)
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
            kind="masked language model",
        )
        self.masking = masking
        self.batch_size = int(batch_size)
        self.progress = progress
        if self.tokenizer.mask_token_id is None:
            raise ValueError(f"Expected a masked language model, but the tokeniser of {self.name} has no mask token")
        if masking == "within_word_l2r" and not getattr(self.tokenizer, "is_fast", False):
            raise ValueError(
                "Expected argument `masking` to be 'original' for a tokeniser that does not tell which tokens make a "
                "word (a slow one), but got 'within_word_l2r'"
            )
        self.mask_id = int(self.tokenizer.mask_token_id)
        self._before, self._after = special_ends(self.tokenizer)
        limit = longest_input(self.model, self.tokenizer)
        self.max_length = min(512, limit or 512) if max_length is None else int(max_length)
        check_number(self.max_length, "max_length", minimum=len(self._before) + len(self._after) + 1, integer=True)
        if limit is not None and self.max_length > limit:
            raise ValueError(
                f"Expected argument `max_length` to be at most {limit}, which the model can read, but got {max_length}"
            )
        self.tokenizer_name = tokenizer_name(self.tokenizer)
        self._fingerprint = weights_fingerprint(self.model.named_parameters())
        self.unigram = unigram
        if unigram is not None:
            check_unigram(self.tokenizer, unigram)

    @property
    def signature(self) -> str:
        """Name, weights, tokenisation, masking and window."""
        return (
            f"mlm,{self.name},weights={self._fingerprint},tok={self.tokenizer_name},mask={self.masking},"
            f"window={self.max_length}"
        )

    def token_logprobs(self, texts: Iterable[str]) -> list[TokenLogprobs]:
        """Return the pieces of each text with their natural-log probabilities given the others.

        Args:
            texts: n texts, not a bare string. Equal texts are scored once.

        Raises:
            TypeError: for a bare string or an item that is no string.
        """
        checked = check_texts(texts, "texts")
        distinct = list(dict.fromkeys(checked))
        ids = tokenise_texts(self.tokenizer, distinct)
        scores = self._score_ids(ids, [self._words(text, row) for text, row in zip(distinct, ids, strict=True)])
        results = {
            text: TokenLogprobs(tuple(token_strings(self.tokenizer, row)), logprobs)
            for text, row, logprobs in zip(distinct, ids, scores, strict=True)
        }
        return [results[text] for text in checked]

    def _words(self, text: str, ids: Sequence[int]) -> list[int]:
        """The word of each token; with the original masking, each token is a word of its own."""
        if self.masking == "original" or not ids:
            return list(range(len(ids)))
        encoded = self.tokenizer(replace_surrogates(text), add_special_tokens=False, verbose=False)
        return [-1 - i if word is None else word for i, word in enumerate(encoded.word_ids(0))]

    def _score_ids(self, ids: Sequence[Sequence[int]], words: Sequence[Sequence[int]]) -> list[NDArray[np.float64]]:
        import torch

        room = self.max_length - len(self._before) - len(self._after)
        jobs = [(i, token) for i, row in enumerate(ids) for token in range(len(row))]
        lengths = [min(room, len(ids[i])) for i, _ in jobs]
        scores = [np.full(len(row), np.nan) for row in ids]
        was_training = self.model.training
        self.model.eval()
        try:
            with torch.inference_mode(), progress_bar(len(jobs), "scoring", self.progress) as bar:
                for batch in length_batches(lengths, self.batch_size, MAX_BATCH_TOKENS):
                    chosen = [jobs[j] for j in batch]
                    rows, places = zip(
                        *(masked_rows(ids[i], words[i], token, room, self.mask_id) for i, token in chosen), strict=True
                    )
                    targets = [ids[i][token] for i, token in chosen]
                    for (i, token), logprob in zip(chosen, self._run(rows, places, targets).tolist(), strict=True):
                        scores[i][token] = logprob
                    bar.update(len(chosen))
        finally:
            self.model.train(was_training)
        return scores

    def _run(self, rows: Sequence[Sequence[int]], places: Sequence[int], targets: Sequence[int]) -> torch.Tensor:
        """Run one batch; return ln p of the target at each row's place."""
        import torch

        device = self.model.get_input_embeddings().weight.device
        whole = [[*self._before, *row, *self._after] for row in rows]
        lengths = torch.tensor([len(row) for row in whole])
        inputs = torch.from_numpy(pad_rows(whole, fill=self.mask_id)).to(device)
        mask = (torch.arange(inputs.shape[1])[None] < lengths[:, None]).long().to(device)
        columns = torch.tensor(places) + len(self._before)
        logits = self.model(input_ids=inputs, attention_mask=mask, return_dict=True).logits
        at = logits[torch.arange(len(whole)), columns.to(logits.device)]
        return target_logprobs(at, torch.tensor(targets), None, at.shape[-1]).double().cpu()


def masked_rows(ids: Sequence[int], words: Sequence[int], token: int, room: int, mask_id: int) -> tuple[list[int], int]:
    """Return what the model reads to score one token, and where the token is in it.

    Args:
        ids: the tokens of a text.
        words: the word of each.
        token: which of them is scored.
        room: how many the model can read; of a longer text, those around the token.
        mask_id: what stands for hidden tokens: the scored one, and those of its word that follow.

    >>> masked_rows([11, 12, 13, 14], [0, 1, 1, 2], 1, 3, 0)
    ([11, 0, 0], 1)
    """
    start = max(0, min(token - room // 2, len(ids) - room))
    stop = min(len(ids), start + room)
    row = list(ids[start:stop])
    at = token
    while at < stop and words[at] == words[token]:
        row[at - start] = mask_id
        at += 1
    return row, token - start
