"""The n-gram language model: text in, log-probabilities of its tokens out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache

from referenceless_metrics.core.files.archive import content_digest, read_digest, reading, write_archive
from referenceless_metrics.core.support.computing import ForkSafeLock
from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.validation import (
    Arrays,
    Integers,
    Integers32,
    PathName,
    Record,
    check_choice,
    check_texts,
)
from slor_metric.language_models.base import BatchLogprobs, packaged_file
from slor_metric.language_models.ngram.first_order import FirstOrderUnigrams
from slor_metric.language_models.ngram.scoring import NodeTable, build_table, frame_tokens, score_few, score_tokens
from slor_metric.language_models.ngram.storage import SCHEMA, Trie, check_trie, file_content, read_model
from slor_metric.language_models.unigram import UnigramTable
from slor_metric.language_models.vocabulary_model import OOV_RULE, VocabularyModel, check_oov_rule
from slor_metric.tokenizers.encoder import JoinedTexts
from slor_metric.tokenizers.words import TOKENISERS, Tokeniser, check_language

PACKAGED = ("wordpiece", "word")
"""The names of the packaged models: ``"wordpiece"`` is WPSLOR's default, ``"word"`` is SLOR's."""

_building = ForkSafeLock()
_FEW, _A_CALL = 200_000, 5_000  # characters that are scored without a table, and the equivalent of a call's fixed cost


class NgramLanguageModel(VocabularyModel):
    """A back-off n-gram model over words or WordPieces (a `LanguageModel`).

    Made by `train_ngram`, `load`, `from_arpa` or `packaged`.

    Args:
        trie: the n-grams.
        tokens: the vocabulary by word id; see `VocabularyModel`, also for the others.
        tokenizer: the tokeniser that cuts texts into these tokens.
        unigram: the unigram table.

    Raises:
        ValueError: for a trie that cannot be scored (see `storage.check_trie`), or tokens that are not its own.
    """

    _size = 0  # tokens scored so far

    def __init__(
        self,
        trie: Trie,
        tokens: Sequence[str],
        *,
        tokenizer: str | Tokeniser = "whitespace",
        unigram: UnigramTable | None = None,
    ) -> None:
        if not trie.checked:
            check_trie(trie)
        self.trie = trie
        super().__init__(tokens, trie.sizes[0], tokenizer, unigram)

    def __repr__(self) -> str:
        sizes = "+".join(map(str, self.trie.sizes))
        return f"NgramLanguageModel({self.tokenizer_name}, order={self.order}, n-grams={sizes})"

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return self.trie.order

    @cached_property
    def first_order(self) -> FirstOrderUnigrams:
        """The model's own 1-grams, which SLOR takes if there is no unigram table."""
        return FirstOrderUnigrams(self.tokens, self.trie.logprobs_of(1).astype(float).tolist(), self.tokenizer_name)

    @cached_property
    def signature(self) -> str:
        """Kind, order, tokenisation, rule for unknown tokens and a hash of the model's file."""
        digest = self._digest or content_digest(SCHEMA, *self._content())
        return f"{self.order}gram-{self.tokenizer_name}-{OOV_RULE}-{digest[:8]}"

    def batch_logprobs(self, texts: Iterable[str]) -> BatchLogprobs:
        """Return the log-probabilities of all tokens; see `VocabularyModel.batch_logprobs`."""
        joined = texts if isinstance(texts, JoinedTexts) else JoinedTexts(check_texts(texts, "texts"))
        return self._score(self._encoder.encode(joined), len(joined), int(joined.lengths.sum()))

    def encoded_logprobs(self, ids: Integers32, offsets: Integers) -> BatchLogprobs:
        """Return the same for texts that are token ids already.

        Args:
            ids: the tokens of all texts after one another, shape (tokens,); 0 for an unknown one.
            offsets: text i holds the tokens from ``offsets[i]`` to ``offsets[i + 1]``, shape (n + 1,).
        """
        n_texts = len(offsets) - 1
        return self._score(frame_tokens(ids, offsets), n_texts, len(ids))

    def _score(self, framed: Integers32, n_texts: int, size: int) -> BatchLogprobs:
        """Score n texts of so many characters or tokens: by a table once it pays to have made one."""
        self._size += size + _A_CALL
        if self._size < _FEW:
            return self._without_markers(framed, score_few(framed, self.trie))
        return self._batch(*score_tokens(framed, n_texts, self._table))

    @property
    def _table(self) -> NodeTable:
        with _building:  # threads do not each build one
            return self._built_table

    @cached_property
    def _built_table(self) -> NodeTable:
        return build_table(self.trie)

    def save(self, path: PathName) -> None:
        """Write the model with its unigram table to a ``.safetensors`` file, atomically (see `storage` for the layout).

        Raises:
            ValueError: for a tokeniser of the user's own, which cannot be stored.
        """
        if self.tokenizer_name not in (*TOKENISERS, "wordpiece"):
            raise ValueError(f"Expected a model with a tokeniser of this package, but got {self.tokenizer_name!r}")
        write_archive(path, SCHEMA, *self._content())

    def _content(self) -> tuple[Record, Arrays]:
        """Return the header and the arrays of the model's file."""
        header: Record = {"tokenizer": self.tokenizer_name, "oov": OOV_RULE}
        if self.language is not None:
            header["language"] = self.language
        counts = None
        if self.unigram is not None:
            counts, header["smoothing"] = self.unigram.counts_of(self.tokens), self.unigram.smoothing
        return file_content(self.trie, self.tokens, counts, header)

    @classmethod
    def load(cls, path: PathName) -> NgramLanguageModel:
        """Read a model that `save` wrote.

        Args:
            path: the file.

        Raises:
            FileNotFoundError: if there is no such file.
            ValueError: for a truncated, damaged or foreign file, or one of a later version.
        """
        return cls._read(path)

    @classmethod
    def _read(cls, path: PathName, *, verified: bool = False) -> NgramLanguageModel:
        trie, tokens, counts, header = read_model(path, verified=verified)
        with reading(path, SCHEMA):
            name = header["tokenizer"]
            unigram = None if counts is None else UnigramTable.by_id(tokens, counts, name, header["smoothing"])
            check_oov_rule(header["oov"])
            model = cls(trie, tokens, tokenizer=name, unigram=unigram)
            model._digest = read_digest(path)
            if header.get("language") is not None:
                model.language = check_language(header["language"])
            return model

    @classmethod
    def from_arpa(
        cls,
        path: PathName,
        *,
        tokenizer: str | Tokeniser = "whitespace",
        unigram: UnigramTable | None = None,
        progress: bool | None = None,
    ) -> NgramLanguageModel:
        """Read an ARPA file, such as kenlm's ``lmplz`` or SRILM write; ``.gz``, ``.bz2`` and ``.xz`` too.

        Args:
            path: the file.
                A file without ``<unk>`` gives it a log10 probability of −100, as in kenlm.
            tokenizer: the tokeniser that cuts texts into the file's words: ``"whitespace"``, ``"words"``,
                ``"wordpiece"`` or a tokeniser object.
            unigram: the unigram table of the same corpus and tokenisation; an ARPA file holds no counts, and without
                them SLOR takes the file's 1-grams.
            progress: show a progress bar; None: on a terminal.

        Raises:
            FileNotFoundError: if there is no such file.
            ValueError: for a file that is no ARPA file or is cut short; the line is named.
        """
        from slor_metric.language_models.ngram.arpa import read_arpa

        trie, tokens = read_arpa(path, progress=progress)
        return cls(trie, tokens, tokenizer=tokenizer, unigram=unigram)

    def to_arpa(self, path: PathName) -> None:
        """Write the n-grams as an ARPA file (log10, UTF-8), which kenlm and SRILM read; atomically.

        Raises:
            ValueError: for a token that holds a space, a tab or a line end, which the format cannot hold.
        """
        from slor_metric.language_models.ngram.arpa import write_arpa

        write_arpa(path, self.trie, self.tokens)

    def perplexity(self, texts: Iterable[str]) -> float:
        """Exp of the mean negative log-probability per token of texts, ends of sentences included."""
        batch = self.batch_logprobs(texts)
        tokens = len(batch.logprobs) + len(batch.end_logprobs)
        if not tokens:
            return math.nan
        return math.exp(-(batch.logprobs.sum() + batch.end_logprobs.sum()) / tokens)


def packaged(name: str = "wordpiece", *, folder: str | None = None) -> NgramLanguageModel:
    """Load a model that comes with the package, or that of a folder; a second call gives the same object.

    Args:
        name: ``"wordpiece"`` or ``"word"``.
        folder: one that `train fluency` wrote; None for the package.

    Raises:
        ValueError: for another name.
        FileNotFoundError: for a folder without the model.

    >>> packaged("word").token_logprobs(["It rained."])[0].pieces
    ('it', 'rained', '.')
    """
    check_choice(name, "name", tuple(PACKAGED))
    return _packaged(name, folder)


@cache
def _packaged(name: str, folder: str | None) -> NgramLanguageModel:
    model = NgramLanguageModel._read(packaged_file(f"{name}.safetensors", folder), verified=folder is None)
    if folder is None:
        model.language = "en"
    return model
