"""The n-gram language model: text in, log-probabilities of its tokens out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property, partial
from typing import TypeVar

import numpy as np

from metric_commons.files.archive import content_digest, read_checksum, reading, write_archive
from metric_commons.files.archived import Portable
from metric_commons.support.validation import (
    Arrays,
    Floats,
    Integers,
    Integers32,
    PathName,
    Record,
    Unsigned8,
    check_choice,
    check_texts,
    describe,
)
from slor_metric.language_models.base import BatchLogprobs, TokenLogprobs, packaged_file
from slor_metric.language_models.known import add_up, token_flags
from slor_metric.language_models.ngram.arpa import read_arpa, write_arpa
from slor_metric.language_models.ngram.scoring import NodeTable, build_table, score_few, score_tokens
from slor_metric.language_models.ngram.storage import SCHEMA, Trie, check_trie, file_content, read_model
from slor_metric.language_models.unigram import UnigramTable
from slor_metric.tokenizers.encoder import TextEncoder
from slor_metric.tokenizers.words import (
    BOS,
    EOS,
    OOV_RULES,
    SPECIALS,
    TOKENISERS,
    UNK,
    Tokeniser,
    check_language,
    vocabulary_tokeniser,
)

PACKAGED = ("wordpiece", "word")
"""The names of the packaged models: ``"wordpiece"`` is WPSLOR's default, ``"word"`` is SLOR's."""

_FEW, _A_CALL = 200_000, 5_000  # characters that are scored without a table, and what a call counts beside its own
_BLOCK = 1 << 11  # texts scored at a time: changes no score
_THREADS = 2  # more would wait for the interpreter, which cuts the blocks and joins the results
_Result = TypeVar("_Result")
_Scored = tuple[Integers32, Integers, Floats, Floats]


class NgramLanguageModel(Portable):
    """A back-off n-gram model over words or WordPieces (a `LanguageModel`).

    Made by `train_ngram`, `load`, `from_arpa` or `packaged`. A text is one sentence: its first token is conditioned on
    the sentence start.

    Args:
        trie: the n-grams.
        tokens: the vocabulary by word id; the first three are ``<unk>``, ``<s>`` and ``</s>``.
        tokenizer: a tokeniser, or the name of one of this package: ``"words"``, ``"wordpiece"`` (of the pieces in
            `tokens`), ``"characters"`` or ``"whitespace"``.
        unigram: the unigram table of the same corpus and tokenisation, for SLOR.
        oov: what happens to a token outside the vocabulary. ``"unk"``: it counts as the token ``<unk>``, which has a
            probability under both models. ``"skip"``: it is left out of the text's tokens, and the context starts
            anew after it.

    Raises:
        ValueError: for a trie that cannot be scored (see `storage.check_trie`), or tokens that are not its own.

    Attributes:
        unigram: the unigram table, or None.
        language: the language of the corpus, where that is known: ``"en"`` for the packaged models.
    """

    language: str | None = None
    _checksum: str = ""
    _size = 0  # of what was scored so far

    def __init__(
        self,
        trie: Trie,
        tokens: Sequence[str],
        *,
        tokenizer: str | Tokeniser = "whitespace",
        unigram: UnigramTable | None = None,
        oov: str = "unk",
    ) -> None:
        check_choice(oov, "oov", OOV_RULES)
        if not trie.checked:
            check_trie(trie)
        self.trie = trie
        self.tokens = list(tokens)
        self.oov = oov
        self.unigram = unigram
        if tuple(self.tokens[:3]) != SPECIALS or len(self.tokens) != trie.sizes[0]:
            raise ValueError(
                f"Expected argument `tokens` to begin with {', '.join(SPECIALS)} and to have {trie.sizes[0]} entries, "
                f"but got {len(self.tokens)}: {describe(self.tokens[:3])}"
            )
        self.tokenizer = vocabulary_tokeniser(tokenizer, self.tokens)
        self.tokenizer_name = self.tokenizer.name
        ids = {token: i for i, token in enumerate(self.tokens)}
        if len(ids) != len(self.tokens):
            raise ValueError("Expected argument `tokens` to hold each token once, but some are repeated")
        unknown = UNK if oov == "unk" else -1
        for special in SPECIALS:  # markers cannot be written in a text
            ids[special] = unknown
        self._encoder = TextEncoder(self.tokenizer, ids, unknown, BOS, EOS)
        self._unigram_by_id: Floats | None = None
        if unigram is not None:
            self._unigram_by_id = unigram.logprobs(self.tokens)

    def __repr__(self) -> str:
        sizes = "+".join(map(str, self.trie.sizes))
        return f"NgramLanguageModel({self.tokenizer_name}, order={self.order}, n-grams={sizes}, oov={self.oov!r})"

    @cached_property
    def flags(self) -> Unsigned8:
        """What is known of each token, by its id; see `token_flags`."""
        return token_flags(self.tokens, None if self.unigram is None else self.unigram.counts_of(self.tokens))

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return self.trie.order

    @cached_property
    def signature(self) -> str:
        """Kind, order, tokenisation, OOV rule and a hash of the model's file."""
        checksum = self._checksum or content_digest(SCHEMA, *self._content())
        return f"{self.order}gram-{self.tokenizer_name}-{self.oov}-{checksum[:8]}"

    def token_logprobs(self, texts: Iterable[str]) -> list[TokenLogprobs]:
        """Return the tokens of each text and their log-probabilities.

        Args:
            texts: n texts. An empty one has no tokens.

        Raises:
            TypeError: for a bare string or an item that is no string.
        """
        return self.batch_logprobs(texts).by_text(self.tokens)

    def batch_logprobs(self, texts: Iterable[str]) -> BatchLogprobs:
        """Return the same log-probabilities as flat arrays, with the unigram model's: the fast way.

        Args:
            texts: n texts. An empty one has no tokens.

        Raises:
            TypeError: for a bare string or an item that is no string.
        """
        return self._joined(self._by_block(check_texts(texts, "texts"), lambda scored: scored))

    def totals(self, texts: Iterable[str]) -> tuple[Floats, Integers]:
        """Return the sums of each text that SLOR is made of, without an array of all tokens: the fastest way.

        Args:
            texts: n texts. An empty one has no tokens.

        Returns:
            Sums, shape (n, 5), in the columns that `known.add_up` has, and the number of tokens of each, shape (n,).

        Raises:
            TypeError: for a bare string or an item that is no string.
            ValueError: for a model without a unigram table.
        """
        if self._unigram_by_id is None:
            raise ValueError("Expected a model with a unigram table, but this one has none")
        checked = check_texts(texts, "texts")
        unigram, flags = self._unigram_by_id, self.flags

        def total(scored: _Scored) -> tuple[Floats, Integers]:
            ids, offsets, logprobs, _ = scored
            return add_up(ids, offsets, logprobs, unigram, flags), np.diff(offsets)

        sums, sizes = zip(*self._by_block(checked, total), strict=True)
        return np.concatenate(sums), np.concatenate(sizes)

    def encoded_logprobs(self, ids: Integers32, offsets: Integers) -> BatchLogprobs:
        """Return the same for texts that are token ids already.

        Args:
            ids: the tokens of all texts after one another, shape (tokens,); 0 for an unknown one.
            offsets: text i holds the tokens from ``offsets[i]`` to ``offsets[i + 1]``, shape (n + 1,).
        """
        markers = np.tile(np.array([BOS, EOS], dtype=np.int32), len(offsets) - 1)
        framed = np.insert(ids, np.stack([offsets[:-1], offsets[1:]], axis=1).ravel(), markers)
        return self._joined([self._scorer(len(ids))(framed.astype(np.int32), len(offsets) - 1)])

    def count_skipped(self, texts: Iterable[str]) -> Integers:
        """Return how many tokens of each text are left out, shape (n,): those unknown under the rule ``"skip"``."""
        checked = check_texts(texts, "texts")
        if self.oov != "skip":
            return np.zeros(len(checked), dtype=np.int64)
        framed = self._encoder.encode(checked)
        text = np.cumsum(framed == BOS) - 1
        return np.bincount(text[framed < 0], minlength=len(checked))

    def _joined(self, blocks: Iterable[_Scored]) -> BatchLogprobs:
        ids, offsets, logprobs, ends = zip(*blocks, strict=True)
        all_ids = np.concatenate(ids)
        return BatchLogprobs(
            np.concatenate(logprobs),
            None if self._unigram_by_id is None else self._unigram_by_id[all_ids],
            np.concatenate([[0], np.cumsum(np.concatenate([np.diff(bounds) for bounds in offsets]))]),
            np.concatenate(ends),
            all_ids,
        )

    def _by_block(self, texts: list[str], function: Callable[[_Scored], _Result]) -> list[_Result]:
        """Return what a function gives for the scores of each block of texts, in two threads for several blocks."""

        def run(first: int) -> _Result:
            block = texts[first : first + _BLOCK]
            return function(score(self._encoder.encode(block), len(block)))

        score = self._scorer(sum(map(len, texts)))
        firsts = range(0, max(len(texts), 1), _BLOCK)
        if len(firsts) == 1:
            return [run(0)]
        with ThreadPoolExecutor(_THREADS) as pool:
            return list(pool.map(run, firsts))

    def _scorer(self, size: int) -> Callable[[Integers32, int], _Scored]:
        """Return what scores texts of so many characters or tokens: by a table once it pays to have made one."""
        self._size += size + _A_CALL
        if self._size < _FEW:
            return partial(score_few, trie=self.trie)
        return partial(score_tokens, table=self._table)

    @cached_property
    def _table(self) -> NodeTable:
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
        header: Record = {"tokenizer": self.tokenizer_name, "oov": self.oov}
        if self.language is not None:
            header["language"] = self.language
        counts = None
        if self.unigram is not None:
            counts, header["smoothing"] = self.unigram.counts_of(self.tokens), self.unigram.smoothing
        return file_content(self.trie, self.tokens, counts, header)

    @classmethod
    def load(cls, path: PathName, *, oov: str | None = None) -> NgramLanguageModel:
        """Read a model that `save` wrote.

        Args:
            path: the file.
            oov: another rule for unknown tokens than the stored one.

        Raises:
            FileNotFoundError: where there is no such file.
            ValueError: for a truncated, damaged or foreign file, or one of a later version.
        """
        return cls._read(path, oov)

    @classmethod
    def _read(cls, path: PathName, oov: str | None, *, verified: bool = False) -> NgramLanguageModel:
        trie, tokens, counts, header = read_model(path, verified=verified)
        with reading(path, SCHEMA):
            name = header["tokenizer"]
            unigram = None if counts is None else UnigramTable.by_id(tokens, counts, name, header["smoothing"])
            rule = header["oov"] if oov is None else oov
            model = cls(trie, tokens, tokenizer=name, unigram=unigram, oov=rule)
            model._checksum = read_checksum(path)
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
        oov: str = "unk",
        progress: bool | None = None,
    ) -> NgramLanguageModel:
        """Read an ARPA file, such as kenlm's ``lmplz`` or SRILM write; ``.gz``, ``.bz2`` and ``.xz`` too.

        Args:
            path: the file.
            tokenizer: how texts are cut into the file's words: ``"whitespace"``, ``"words"``, ``"wordpiece"`` or a
                tokeniser object.
            unigram: the unigram table of the same corpus and tokenisation; an ARPA file holds no counts.
            oov: what happens to words outside the vocabulary. Where the file has no ``<unk>``, its log10 probability
                is −100, as in kenlm.
            progress: show a progress bar; None: on a terminal.

        Raises:
            FileNotFoundError: where there is no such file.
            ValueError: for a file that is no ARPA file or is cut short; the line is named.
        """
        trie, tokens = read_arpa(path, progress=progress)
        return cls(trie, tokens, tokenizer=tokenizer, unigram=unigram, oov=oov)

    def to_arpa(self, path: PathName, *, progress: bool | None = None) -> None:
        """Write the n-grams as an ARPA file (log10, UTF-8), which kenlm and SRILM read; atomically.

        Raises:
            ValueError: for a token that holds whitespace, which the format cannot hold.
        """
        write_arpa(path, self.trie, self.tokens, progress=progress)

    def perplexity(self, texts: Iterable[str]) -> float:
        """Exp of the mean negative log-probability per token of texts, ends of sentences included."""
        batch = self.batch_logprobs(texts)
        tokens = len(batch.logprobs) + len(batch.end_logprobs)
        if not tokens:
            return math.nan
        return math.exp(-(batch.logprobs.sum() + batch.end_logprobs.sum()) / tokens)


def packaged(name: str = "wordpiece", *, oov: str | None = None, folder: str | None = None) -> NgramLanguageModel:
    """Load a model that comes with the package, or that of a folder; a second call gives the same object.

    Args:
        name: ``"wordpiece"`` or ``"word"``.
        oov: another rule for unknown tokens than the model's default (see `NgramLanguageModel`).
        folder: one that `train fluency` wrote; None for the package.

    Raises:
        ValueError: for another name.
        FileNotFoundError: for a folder without the model.

    >>> packaged("word").token_logprobs(["It rained."])[0].pieces
    ('it', 'rained', '.')
    """
    check_choice(name, "name", tuple(PACKAGED))
    return _packaged(name, oov, folder)


@cache
def _packaged(name: str, oov: str | None, folder: str | None) -> NgramLanguageModel:
    model = NgramLanguageModel._read(packaged_file(f"{name}.safetensors", folder), oov, verified=folder is None)
    if folder is None:
        model.language = "en"
    return model
