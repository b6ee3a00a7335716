"""Base of causal and sequence-to-sequence models of Hugging Face transformers as language models for SLOR.

Unigram models for Hugging Face tokenisers, counted in a corpus.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from referenceless_metrics.core.support.computing import progress_bar
from referenceless_metrics.core.support.validation import Floats, check_texts, check_whole, describe
from slor_metric.language_models.base import TokenLogprobs, check_sources
from slor_metric.language_models.hf.loading import open_pair
from slor_metric.language_models.hf.torch_support import evaluating, row_batches, weights_digest
from slor_metric.language_models.unigram import Corpus, UnigramTable, count_tokens
from slor_metric.tokenizers.words import replace_surrogates

if TYPE_CHECKING:
    import torch


#: Text that tokenisers of the same vocabulary may cut differently.
_PROBE = (
    "Hello world! It's 12,345.67 o'clock — naïve café, ÉCOLE; Straße; 東京タワー, Привет!\tTabs\nlines  spaces 😀 <s> ",
    " a", "a", "A B", "don't Don'T", "x" * 40,
)  # fmt: skip


def tokenise_texts(tokenizer: Any, texts: Sequence[str]) -> list[list[int]]:
    """Return the token ids of each text, without special tokens, by a fast or a slow tokeniser.

    A lone surrogate counts as U+FFFD: tokenisers take whole characters only.
    """
    if not texts:
        return []
    # verbose=False: no warning that a text is longer than the model; long texts are read in windows.
    whole = [replace_surrogates(text) for text in texts]
    encoded = tokenizer(whole, add_special_tokens=False, return_attention_mask=False, verbose=False)
    return [list(row) for row in encoded["input_ids"]]


def token_strings(tokenizer: Any, ids: Sequence[int]) -> list[str]:
    """Return the tokeniser's own strings of tokens, such as `Ġthe` or `▁the`."""
    # Some slow tokenisers keep bytes; Latin-1 maps them to strings one to one.
    strings = tokenizer.convert_ids_to_tokens(list(ids))
    return [token.decode("latin-1") if isinstance(token, bytes) else str(token) for token in strings]


def tokenizer_name(tokenizer: Any) -> str:
    """Return the name under which a tokeniser's unigram models are kept: `hf-` and a digest of its behaviour.

    The digest covers the vocabulary and the tokens of some difficult text, so that the slow and the fast variant of a
    tokeniser have the same name if they give the same tokens.

    Raises:
        TypeError: for an object that is no tokeniser of transformers.
    """
    if not callable(tokenizer) or not all(hasattr(tokenizer, m) for m in ("get_vocab", "convert_ids_to_tokens")):
        raise TypeError(
            f"Expected argument `tokenizer` to be a tokeniser of transformers, but got {describe(tokenizer)}"
        )
    vocabulary = sorted((index, str(token)) for token, index in tokenizer.get_vocab().items())
    content = json.dumps([vocabulary, tokenise_texts(tokenizer, _PROBE)])
    return f"hf-{hashlib.sha256(content.encode()).hexdigest()[:12]}"


def fit_unigram(
    tokenizer: Any,
    corpus: Corpus,
    *,
    progress: bool | None = None,
) -> UnigramTable:
    """Count a Hugging Face tokeniser's tokens in a corpus; `UnigramTable.save` keeps the counts.

    Args:
        tokenizer: a tokeniser of transformers, fast or slow.
        corpus: a path of UTF-8 text, one text per line (may be compressed), or lines.
        progress: show a progress bar; None: only on a terminal.

    Returns:
        The unigram model; it covers the whole vocabulary, tokens never seen included.

    Raises:
        TypeError: for an object that is no tokeniser.
        ValueError: for a corpus without a token, or a file that cannot be read.
    """
    name = tokenizer_name(tokenizer)
    counts, merged = count_tokens(corpus, partial(tokenise_texts, tokenizer), progress), Counter[str]()
    used = sorted(tokenizer.get_vocab().values())
    for token, index in zip(token_strings(tokenizer, used), used, strict=True):  # two ids may have one string
        merged[token] += counts[index]
    return UnigramTable(list(merged), list(merged.values()), tokenizer=name)


#: Most tokens of one forward pass, padding included (except for one single longer row).
MAX_BATCH_TOKENS = 8192


class TransformersModel:
    """A model of transformers with its tokeniser: opened, identified, and asked about distinct texts only.

    Args:
        model: a name on the Hugging Face Hub, a folder, a GGUF file, or a model object (then with `tokenizer`).
        tokenizer: a tokeniser object, or the name or path of one; None for the one that comes with `model`.
        batch_size: rows in one forward pass, at most.
        progress: show a progress bar; None: only on a terminal.
        opening: `device`, `dtype`, `revision` and `trust_remote_code`, as of `open_pair`.
    """

    #: The kind of model, one of `loading.KINDS`.
    kind: ClassVar[str]

    def __init__(
        self,
        model: Any,
        tokenizer: Any = None,
        *,
        batch_size: int = 32,
        progress: bool | None = None,
        **opening: Any,
    ) -> None:
        check_whole(batch_size, "batch_size", 1)
        self.model, self.tokenizer, self.name = open_pair(model, tokenizer, self.kind, progress=progress, **opening)
        self.batch_size = int(batch_size)
        self.progress = progress
        self.tokenizer_name = tokenizer_name(self.tokenizer)
        self._digest = weights_digest(self.model.named_parameters())
        self.unigram: UnigramTable | None = None

    @property
    def device(self) -> torch.device:
        """Device to which token ids are sent: that of the input embeddings."""
        return self.model.get_input_embeddings().weight.device

    def token_logprobs(self, texts: Iterable[str], sources: Iterable[str] | None = None) -> list[TokenLogprobs]:
        """Return the pieces of each text with their natural-log probabilities.

        Args:
            texts: n texts, not a bare string. Equal texts (of equal sources) are scored once.
            sources: the sources on which the texts are conditioned, n of them; None for none.

        Returns:
            One result per text, in the order given. A text without tokens has no pieces.

        Raises:
            TypeError: for a bare string or an item that is no string.
            ValueError: for sources of another number than the texts.
        """
        checked = check_texts(texts, "texts")
        read_first = [""] * len(checked) if sources is None else check_sources(sources, len(checked))
        pairs = list(zip(read_first, checked, strict=True))
        distinct = list(dict.fromkeys(pairs))
        scored = self._score([source for source, _ in distinct], [text for _, text in distinct], sources is not None)
        results = dict(zip(distinct, scored, strict=True))
        return [results[pair] for pair in pairs]

    def _score(self, sources: Sequence[str], texts: Sequence[str], with_sources: bool) -> list[TokenLogprobs]:
        """Score distinct pairs; without sources these are empty."""
        raise NotImplementedError

    def _by_batch(
        self, lengths: Sequence[int], run: Callable[[list[list[int]]], Sequence[Floats]], shared_width: int = 0
    ) -> list[Floats]:
        """Return ln p of the scored tokens of each of n items, from batches of them under a progress bar.

        The bar counts tokens: the longest items come first, and by their number the time left would seem too long.

        Args:
            lengths: the tokens of each, shape (n,).
            run: from rows of indices of items, as `row_batches` gives them, to the values of each item in them.
            shared_width: as in `row_batches`.
        """
        values = [np.empty(0)] * len(lengths)
        with evaluating(self.model), progress_bar(sum(lengths), "scoring", self.progress, unit="token") as bar:
            for rows in row_batches(lengths, self.batch_size, MAX_BATCH_TOKENS, shared_width):
                places = [place for row in rows for place in row]
                for place, logprobs in zip(places, run(rows), strict=True):
                    values[place] = logprobs
                bar.update(sum(lengths[place] for place in places))
        return values
