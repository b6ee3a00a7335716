"""What causal and sequence-to-sequence models of Hugging Face transformers share as language models for SLOR."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

from metric_commons.support.progress import progress_bar
from metric_commons.support.validation import check_number, check_texts
from slor_metric.language_models.base import TokenLogprobs, check_sources
from slor_metric.language_models.corpus import Corpus
from slor_metric.language_models.hf.loading import open_pair
from slor_metric.language_models.hf.torch_support import evaluating, weights_fingerprint
from slor_metric.language_models.hf.unigram import check_unigram, fit_unigram, tokenizer_name
from slor_metric.language_models.unigram import UnigramTable

if TYPE_CHECKING:
    import torch

#: Tokens of one forward pass at most, padding included (except for one single longer row).
MAX_BATCH_TOKENS = 8192


class TransformersModel:
    """A model of transformers with its tokeniser: opened, identified, and asked about distinct texts only.

    Args:
        model: a name on the Hugging Face Hub, a folder, a GGUF file, or a model object (then with `tokenizer`).
        tokenizer: a tokeniser object, or the name or path of one; None for the one that comes with `model`.
        batch_size: rows in one forward pass, at most.
        unigram: the unigram model to carry, for `SLOR`.
        progress: show a progress bar; None: only on a terminal.
        opening: `device`, `dtype`, `revision` and `trust_remote_code`, as of `open_pair`.
    """

    #: What the model is to be, one of `loading.KINDS`.
    kind: ClassVar[str]

    def __init__(
        self,
        model: Any,
        tokenizer: Any = None,
        *,
        batch_size: int = 32,
        unigram: UnigramTable | None = None,
        progress: bool | None = None,
        **opening: Any,
    ) -> None:
        check_number(batch_size, "batch_size", minimum=1, integer=True)
        self.model, self.tokenizer, self.name = open_pair(model, tokenizer, self.kind, progress=progress, **opening)
        self.batch_size = int(batch_size)
        self.progress = progress
        self.tokenizer_name = tokenizer_name(self.tokenizer)
        self._fingerprint = weights_fingerprint(self.model.named_parameters())
        self.unigram = unigram
        if unigram is not None:
            check_unigram(self.tokenizer, unigram)

    @property
    def device(self) -> torch.device:
        """Where token ids are sent: the device of the input embeddings."""
        return self.model.get_input_embeddings().weight.device

    def token_logprobs(self, texts: Iterable[str], sources: Iterable[str] | None = None) -> list[TokenLogprobs]:
        """Return the pieces of each text with their natural-log probabilities.

        Args:
            texts: n texts, not a bare string. Equal texts (of equal sources) are scored once.
            sources: what each text is conditioned on, n texts; None for nothing.

        Returns:
            One result a text, in the order given. A text without tokens has no pieces.

        Raises:
            TypeError: for a bare string or an item that is no string.
            ValueError: for sources of another number than the texts.
        """
        checked = check_texts(texts, "texts")
        given = [""] * len(checked) if sources is None else check_sources(sources, len(checked))
        pairs = list(zip(given, checked, strict=True))
        distinct = list(dict.fromkeys(pairs))
        found = self._score([source for source, _ in distinct], [text for _, text in distinct], sources is not None)
        results = dict(zip(distinct, found, strict=True))
        return [results[pair] for pair in pairs]

    def _score(self, sources: Sequence[str], texts: Sequence[str], with_sources: bool) -> list[TokenLogprobs]:
        """Score distinct pairs; without sources these are empty."""
        raise NotImplementedError

    @contextmanager
    def _scoring(self, total: int) -> Iterator[Any]:
        """Run the model for its outputs alone, under a progress bar."""
        with evaluating(self.model), progress_bar(total, "scoring", self.progress) as bar:
            yield bar

    def fit_unigram(self, corpus: Corpus, **options: Any) -> UnigramTable:
        """Fit the unigram model on a corpus, and carry it from now on.

        The arguments are those of `slor_metric.language_models.hf.unigram.fit_unigram`.
        """
        self.unigram = fit_unigram(self.tokenizer, corpus, **options)
        return self.unigram
