"""Any causal language model of Hugging Face transformers as a language model for SLOR."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from referenceless_metrics.core.support.validation import Floats, check_whole
from slor_metric.language_models.base import TokenLogprobs
from slor_metric.language_models.hf.base import TransformersModel, token_strings, tokenise_texts
from slor_metric.language_models.hf.head import OutputHead
from slor_metric.language_models.hf.shared_rows import alike_beginnings, row_of
from slor_metric.language_models.hf.torch_support import SHARED_WIDTH, longest_input, padded, sliding_windows

#: Longest window if `max_length` is not given: memory stays small on models that read 100,000 tokens.
DEFAULT_MAX_LENGTH = 2048


class HuggingFaceLanguageModel(TransformersModel):
    """A causal language model of Hugging Face transformers (GPT-2, SmolLM2, Llama, …).

    Each text is scored by itself; the output head sees real tokens only. On a CPU short texts share a row, in which
    each sees itself and the context token alone, and those that begin alike share the tokens with which they do;
    elsewhere batches are of texts of about one length, and padding stands to the right, which a causal model does not
    see. So a score depends on neither the batch size nor the neighbours: to 1e-4 nat in float32, less closely in 16-bit
    precision.

    **First token.** A causal model gives p(token | tokens before), so that the first token needs something before it.
    `bos="auto"` takes the tokeniser's beginning-of-sequence token if it has one (GPT-2's is `<|endoftext|>`), else its
    end-of-sequence token (Qwen).

    **Long texts.** A text that is longer than `max_length` is read in windows that start half as far apart, each
    beginning with the context token. Every token is scored once, with at least half of `max_length` before it (or all
    there is).

    The end of the text is not scored (`end_logprob` is None): the end-of-sequence token of these models ends documents.

    Args:
        model: a name on the Hugging Face Hub, a folder, a GGUF file, or a model object (then with `tokenizer`).
        tokenizer: a tokeniser object, or the name or path of one; None for the one that comes with `model`.
        device: `"cpu"`, `"cuda"`, `"cuda:<n>"`, `"mps"`; None for CUDA if there is one, else the CPU. With None a model
            object
                stays on its device.
        dtype: `"float32"` (the default), `"bfloat16"`, `"float16"`, `"float64"` or `"auto"` (that of the checkpoint). A
            model object keeps its own with None. In bfloat16 a token's log-probability is off by 0.05 nat on average, a
            text's first one by a nat and SLOR by 0.07 (SmolLM2); it is worth while if the processor has instructions
            for it (AMX, AVX-512 BF16): without them float32 is faster.
        batch_size: rows in one forward pass, at most; short texts (or windows) share a row on a CPU.
        max_length: tokens that the model reads at once, the context token included; None for the model's own limit, but
            2,048 at most.
        bos: `"auto"`, or the token to begin with.
        source_end: separator between a source and its text, if texts are scored given sources. It is read and not
            scored. The text keeps the tokens that it has without a source; only if `source_end` ends in a space, and
            the tokeniser makes a space part of the word after it (as GPT-2's does), the space goes to the text.
        revision: the branch, tag or commit on the Hub.
        trust_remote_code: run code that comes with the model; only for models whose code you have read.
        progress: show a progress bar; None: only on a terminal.

    Raises:
        FileNotFoundError: for a path that does not exist.
        ImportError: without torch and transformers (extra `hf`), or without gguf for a GGUF file (extra `gguf`).
        TypeError: for arguments of the wrong kind, or a model object without a tokeniser.
        ValueError: for a model that cannot be loaded or is not causal, a device that this machine has not, or an
            unknown `bos`.

    >>> from transformers import ByT5Tokenizer, GPT2Config, GPT2LMHeadModel
    >>> model = GPT2LMHeadModel(GPT2Config(vocab_size=384, n_embd=8, n_layer=1, n_head=1))
    >>> lm = HuggingFaceLanguageModel(model, ByT5Tokenizer())  # a name such as "gpt2" would do
    >>> lm.token_logprobs(["cat"])[0].pieces
    ('c', 'a', 't')
    """

    kind = "causal language model"

    def __init__(
        self,
        model: Any,
        tokenizer: Any = None,
        *,
        max_length: int | None = None,
        bos: str = "auto",
        source_end: str = "\n",
        **options: Any,
    ) -> None:
        super().__init__(model, tokenizer, **options)
        self.bos_id = _bos_id(self.tokenizer, bos)
        self.source_end = source_end
        self._between, self._text_start = _parted(self.tokenizer, source_end)
        self.max_length = _window_length(self.model, self.tokenizer, max_length)
        self.stride = max(1, self.max_length // 2)
        self._head = OutputHead(self.model, self.max_length)
        largest = max(self.tokenizer.get_vocab().values())
        if largest >= self._head.n_inputs:
            raise ValueError(
                f"Expected argument `tokenizer` to be the model's own, but it has token {largest} and the model "
                f"{self._head.n_inputs} embeddings"
            )

    @property
    def signature(self) -> str:
        """Name, weights, tokenisation, first-token rule, precision and window."""
        dtype = str(self._head.dtype).removeprefix("torch.")
        between = "" if self.source_end == "\n" else f",source_end={self.source_end!r}"
        return (
            f"hf,{self.name},weights={self._digest},tok={self.tokenizer_name},bos={self.bos_id},dtype={dtype},"
            f"window={self.max_length}/{self.stride}{between}"
        )

    def _score(self, sources: Sequence[str], texts: Sequence[str], with_sources: bool) -> list[TokenLogprobs]:
        before: list[list[int]] = [[] for _ in texts]
        if with_sources:
            before = tokenise_texts(self.tokenizer, [source + self._between for source in sources])
            texts = [self._text_start + text if text else text for text in texts]
        ids = tokenise_texts(self.tokenizer, texts)
        scores = self._score_ids([[*source, *text] for source, text in zip(before, ids, strict=True)])
        return [
            TokenLogprobs(tuple(token_strings(self.tokenizer, row)), logprobs[len(source) :])
            for source, row, logprobs in zip(before, ids, scores, strict=True)
        ]

    def _score_ids(self, ids: Sequence[Sequence[int]]) -> list[Floats]:
        """Return ln p of each token, one array per text."""
        windows = [
            (i, *window) for i, row in enumerate(ids) for window in sliding_windows(row, self.max_length, self.stride)
        ]
        read = [tokens[:-1] for _, tokens, _ in windows]  # nothing follows the last one
        groups, shared_width = [[place] for place in range(len(windows))], 0
        if self._head.shares_rows:
            groups, shared_width = alike_beginnings(read, SHARED_WIDTH - 1), SHARED_WIDTH
        lengths = [len(row_of(self.bos_id, [read[place] for place in group]).tokens) - 1 for group in groups]

        def run(rows: list[list[int]]) -> list[Floats]:
            return self._score_windows(
                [[[windows[place][1:] for place in groups[group]] for group in row] for row in rows]
            )

        scores: list[list[Floats]] = [[np.empty(0)] for _ in ids]
        by_window = [np.empty(0)] * len(windows)
        for group, scored in zip(groups, self._by_batch(lengths, run, shared_width), strict=True):
            ends = np.cumsum([windows[place][2] for place in group])[:-1]
            for place, own in zip(group, np.split(scored, ends), strict=True):
                by_window[place] = own
        for (i, _, _), own in zip(windows, by_window, strict=True):
            scores[i].append(own)
        return [np.concatenate(parts) for parts in scores]

    def _score_windows(self, rows: Sequence[Sequence[Sequence[tuple[Sequence[int], int]]]]) -> list[Floats]:
        """Run one batch of rows of groups of windows; return ln p of the scored tokens of each group."""
        import torch

        trees = []
        asked: list[tuple[int, int, int]] = []  # row and column of an output, and a token that may follow there
        for r, row in enumerate(rows):
            windows = [window for group in row for window in group]
            trees.append(row_of(self.bos_id, [tokens[:-1] for tokens, _ in windows]))
            for (tokens, n_scored), columns in zip(windows, trees[-1].columns, strict=True):
                # The output at a column predicts the token after it, and that of the context each text's first token.
                following = zip(columns[-n_scored:], tokens[-n_scored:], strict=True)
                asked += [(r, column, token) for column, token in following]
        distinct, answers = np.unique(np.array(asked), axis=0, return_inverse=True)
        positions, inverse = np.unique(distinct[:, :2], axis=0, return_inverse=True)
        inputs, _ = padded([tree.tokens for tree in trees], self.bos_id, self.device)
        before = [tree.before for tree in trees] if any(len(tree.columns) > 1 for tree in trees) else None
        at_rows, at_columns = torch.from_numpy(positions).unbind(1)
        of_position, targets = torch.from_numpy(inverse.ravel()), torch.from_numpy(distinct[:, 2].copy())
        logprobs = self._head.logprobs(inputs, at_rows, at_columns, of_position, targets, before)
        sizes = [sum(n for _, n in group) for row in rows for group in row]
        return np.split(logprobs.cpu().numpy().astype(float)[answers.ravel()], np.cumsum(sizes)[:-1])


def _parted(tokenizer: Any, source_end: str) -> tuple[str, str]:
    """Return the separator to read before a text, and a space if the tokeniser joins it to the first word."""
    if source_end.endswith(" "):
        alone, spaced = tokenise_texts(tokenizer, ["a", " a"])
        if len(spaced) == len(alone) and spaced != alone:
            return source_end[:-1], " "
    return source_end, ""


def _bos_id(tokenizer: Any, bos: str) -> int:
    """Return the id of the token that stands before the first."""
    if bos == "auto":
        token = tokenizer.eos_token_id if tokenizer.bos_token_id is None else tokenizer.bos_token_id
        if token is None:
            raise ValueError(
                "Expected argument `bos` to name a token, for the tokeniser says of none that texts begin so"
            )
        return int(token)
    vocabulary = tokenizer.get_vocab()
    if bos not in vocabulary:
        raise ValueError(f"Expected argument `bos` to be 'auto' or a token of the vocabulary, but got {bos!r}")
    return int(vocabulary[bos])


def _window_length(model: Any, tokenizer: Any, max_length: int | None) -> int:
    """Return the length of windows, checked against the model's own limit."""
    limit = longest_input(model, tokenizer)
    if max_length is None:
        return min(DEFAULT_MAX_LENGTH, limit or DEFAULT_MAX_LENGTH)
    check_whole(max_length, "max_length", 1)
    if limit is not None and max_length > limit:
        raise ValueError(
            f"Expected argument `max_length` to be at most {limit}, which the model can read, but got {max_length}"
        )
    return int(max_length)
