"""The n-gram language model: text in, log-probabilities of its tokens out."""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from metric_commons.files.archive import reading
from metric_commons.support.validation import check_choice, check_texts, describe
from slor_metric.language_models.base import TokenLogprobs
from slor_metric.language_models.known import KnownTokens
from slor_metric.language_models.ngram.arpa import read_arpa, write_arpa
from slor_metric.language_models.ngram.storage import SCHEMA, read_model, write_model
from slor_metric.language_models.ngram.trie import Trie, check_trie
from slor_metric.language_models.unigram import UnigramTable
from slor_metric.tokenizers.encoder import TextEncoder
from slor_metric.tokenizers.languages import check_language
from slor_metric.tokenizers.vocabulary import BOS, EOS, OOV_RULES, SPECIALS, UNK
from slor_metric.tokenizers.wordpiece import WordPieceTokeniser
from slor_metric.tokenizers.words import TOKENISERS, Tokeniser, get_tokeniser

__all__ = ["BatchLogprobs", "NgramLanguageModel"]

_BLOCK = 1 << 11  # texts scored at a time: changes no score
_THREADS = 2  # more would wait for the interpreter, which cuts the blocks and joins the results
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_Scored = tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True)
class BatchLogprobs:
    """Many texts under a model, as flat arrays.

    Attributes:
        logprobs: ln p(token | the tokens before it) of all texts after one another, shape (tokens,), in nats.
        unigram_logprobs: ln p_u of the same tokens, shape (tokens,); None where the model has no unigram table.
        offsets: text i holds the tokens from ``offsets[i]`` to ``offsets[i + 1]``, shape (n + 1,), int64.
        end_logprobs: ln p(end of sentence) of each text, shape (n,).
        ids: the ids of the tokens, shape (tokens,).
    """

    logprobs: NDArray[np.float64]
    unigram_logprobs: NDArray[np.float64] | None
    offsets: NDArray[np.int64]
    end_logprobs: NDArray[np.float64]
    ids: NDArray[np.int32]


class NgramLanguageModel:
    """A back-off n-gram model over words or WordPieces (a `LanguageModel`).

    Made by `train_ngram`, `load`, `from_arpa` or `packaged`. A text is one sentence: its first token is conditioned on
    the sentence start.

    Args:
        trie: the n-grams.
        tokens: the vocabulary by word id; the first three are ``<unk>``, ``<s>`` and ``</s>``.
        tokenizer: the name of the tokenisation.
        tokeniser: the tokeniser; None for the one of that name.
        unigram: the unigram table of the same corpus and tokenisation, for SLOR.
        oov: what happens to a token outside the vocabulary. ``"unk"``: it counts as the token ``<unk>``, which has a
            probability under both models. ``"skip"``: it is left out of the text's tokens, and the context starts
            anew after it.
        quantised: whether log-probabilities and back-offs are stored in 8 bits.

    Raises:
        ValueError: for a trie that cannot be scored (see `trie.check_trie`), or tokens that are not its own.

    Attributes:
        unigram: the unigram table, or None.
        language: the language of the corpus, where that is known: ``"en"`` for the packaged models.
    """

    language: str | None = None

    def __init__(
        self,
        trie: Trie,
        tokens: Sequence[str],
        *,
        tokenizer: str = "whitespace",
        tokeniser: Tokeniser | None = None,
        unigram: UnigramTable | None = None,
        oov: str = "unk",
        quantised: bool = False,
    ) -> None:
        check_choice(oov, "oov", OOV_RULES)
        check_trie(trie)
        self.trie = trie
        self.tokens = list(tokens)
        self.tokenizer = tokenizer
        self.oov = oov
        self.quantised = quantised
        self.unigram = unigram
        if tuple(self.tokens[:3]) != SPECIALS or len(self.tokens) != trie.sizes[0]:
            raise ValueError(
                f"Expected argument `tokens` to begin with {', '.join(SPECIALS)} and to have {trie.sizes[0]} entries, "
                f"but got {len(self.tokens)}: {describe(self.tokens[:3])}"
            )
        if tokeniser is None:
            tokeniser = WordPieceTokeniser(self.tokens[3:]) if tokenizer == "wordpiece" else get_tokeniser(tokenizer)
        self.tokeniser = tokeniser
        ids = {token: i for i, token in enumerate(self.tokens)}
        if len(ids) != len(self.tokens):
            raise ValueError("Expected argument `tokens` to hold each token once, but some are repeated")
        unknown = UNK if oov == "unk" else -1
        for special in SPECIALS:  # markers cannot be written in a text
            ids[special] = unknown
        self._encoder = TextEncoder(tokeniser, ids, unknown, BOS, EOS)
        self._unigram_by_id: NDArray[np.float64] | None = None
        if unigram is not None:
            self._unigram_by_id = unigram.logprobs(self.tokens)
        self._signature: str | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is found on demand: what is pickled does not change with use."""
        on_demand = ("_nodes", "known")
        return {**{name: value for name, value in self.__dict__.items() if name not in on_demand}, "_signature": None}

    def __repr__(self) -> str:
        sizes = "+".join(map(str, self.trie.sizes))
        return f"NgramLanguageModel({self.tokenizer}, order={self.order}, n-grams={sizes}, oov={self.oov!r})"

    @cached_property
    def known(self) -> KnownTokens:
        """Which tokens the model knows, by their ids."""
        counts = None
        if self.unigram is not None:
            lookup = dict(zip(self.unigram.tokens, self.unigram.counts.tolist(), strict=True))
            counts = [lookup.get(token, 0) for token in self.tokens]
        return KnownTokens(self.tokens, counts)

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return self.trie.order

    @property
    def signature(self) -> str:
        """Kind, order, tokenisation, OOV rule and a hash of vocabulary and weights."""
        if self._signature is None:
            digest = hashlib.sha256("\n".join(self.tokens).encode())
            for values in (self.trie.words, self.trie.first_child, self.trie.logprobs, self.trie.backoffs):
                digest.update(np.ascontiguousarray(values).data)
            self._signature = digest.hexdigest()[:8]
        return f"{self.order}gram-{self.tokenizer}-{self.oov}-{self._signature}"

    def token_logprobs(self, texts: Iterable[str]) -> list[TokenLogprobs]:
        """Return the tokens of each text and their log-probabilities.

        Args:
            texts: n texts. An empty one has no tokens.

        Raises:
            TypeError: for a bare string or an item that is no string.
        """
        found: list[TokenLogprobs] = []
        name = self.tokens.__getitem__
        for ids, offsets, logprobs, ends in self._blocks(check_texts(texts, "texts")):
            numbers = ids.tolist()
            bounds = offsets.tolist()
            for i, end in enumerate(ends.tolist()):
                first, last = bounds[i], bounds[i + 1]
                found.append(TokenLogprobs(tuple(map(name, numbers[first:last])), logprobs[first:last].copy(), end))
        return found

    def batch_logprobs(self, texts: Iterable[str]) -> BatchLogprobs:
        """Return the same log-probabilities as flat arrays, with the unigram model's: the fast way.

        Args:
            texts: n texts. An empty one has no tokens.

        Raises:
            TypeError: for a bare string or an item that is no string.
        """
        return self._joined(self._blocks(check_texts(texts, "texts")))

    def totals(self, texts: Iterable[str]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the sums of each text that SLOR is made of, without an array of all tokens: the fastest way.

        Args:
            texts: n texts. An empty one has no tokens.

        Returns:
            Sums, shape (n, 5), in the columns that `totals.add_up` has, and the number of tokens of each, shape (n,).

        Raises:
            TypeError: for a bare string or an item that is no string.
            ValueError: for a model without a unigram table.
        """
        from slor_metric.language_models.ngram.totals import TOTALS, add_up

        if self._unigram_by_id is None:
            raise ValueError("Expected a model with a unigram table, but this one has none")
        checked = check_texts(texts, "texts")
        sums, sizes = np.zeros((len(checked), TOTALS)), np.zeros(len(checked), dtype=np.int64)
        nodes, unigram, flags = self._nodes, self._unigram_by_id, self.known.flags

        def total(first: int) -> None:
            block = checked[first : first + _BLOCK]
            ids, offsets, logprobs, _ = self._score(nodes, self._encoder.encode(block), len(block))
            add_up(ids, offsets, logprobs, unigram, flags, sums[first : first + _BLOCK])
            sizes[first : first + _BLOCK] = np.diff(offsets)

        _in_threads(total, range(0, len(checked), _BLOCK))
        return sums, sizes

    def encoded_logprobs(self, ids: NDArray[np.int32], offsets: NDArray[np.int64]) -> BatchLogprobs:
        """Return the same for texts that are token ids already.

        Args:
            ids: the tokens of all texts after one another, shape (tokens,); 0 for an unknown one.
            offsets: text i holds the tokens from ``offsets[i]`` to ``offsets[i + 1]``, shape (n + 1,).
        """
        markers = np.tile(np.array([BOS, EOS], dtype=np.int32), len(offsets) - 1)
        framed = np.insert(ids, np.stack([offsets[:-1], offsets[1:]], axis=1).ravel(), markers)
        return self._joined([self._score(self._nodes, framed.astype(np.int32), len(offsets) - 1)])

    def count_skipped(self, texts: Iterable[str]) -> NDArray[np.int64]:
        """Return how many tokens of each text are left out, shape (n,): those unknown under the rule ``"skip"``."""
        checked = check_texts(texts, "texts")
        if self.oov != "skip":
            return np.zeros(len(checked), dtype=np.int64)
        framed = self._encoder.encode(checked)
        text = np.cumsum(framed == BOS) - 1
        return np.bincount(text[framed < 0], minlength=len(checked))

    def _joined(self, blocks: Iterable[_Scored]) -> BatchLogprobs:
        all_offsets, all_logprobs, all_unigrams, all_ends = [np.zeros(1, dtype=np.int64)], [], [], []
        all_ids = [np.zeros(0, dtype=np.int32)]
        for ids, offsets, logprobs, ends in blocks:
            all_ids.append(ids)
            all_offsets.append(offsets[1:] + all_offsets[-1][-1])
            all_logprobs.append(logprobs)
            all_ends.append(ends)
            if self._unigram_by_id is not None:
                all_unigrams.append(self._unigram_by_id[ids])
        nothing = np.zeros(0)
        return BatchLogprobs(
            np.concatenate([nothing, *all_logprobs]),
            None if self._unigram_by_id is None else np.concatenate([nothing, *all_unigrams]),
            np.concatenate(all_offsets),
            np.concatenate([nothing, *all_ends]),
            np.concatenate(all_ids),
        )

    def _blocks(self, texts: list[str]) -> Iterator[_Scored]:
        """Score texts block by block, in two threads where there are several blocks."""
        if not texts:
            return
        nodes = self._nodes  # made before the threads begin

        def score(block: list[str]) -> _Scored:
            return self._score(nodes, self._encoder.encode(block), len(block))

        yield from _in_threads(score, [texts[start : start + _BLOCK] for start in range(0, len(texts), _BLOCK)])

    @cached_property
    def _nodes(self) -> NDArray[np.uint32]:
        from slor_metric.language_models.ngram.table import build_table

        return build_table(self.trie)

    def _score(self, nodes: NDArray[np.uint32], framed: NDArray[np.int32], n_texts: int) -> _Scored:
        """Ids, offsets, log-probabilities and log-probabilities of the ends of texts, as `score_tokens` has them."""
        from slor_metric.language_models.ngram.scoring import score_tokens

        size = len(framed) - 2 * n_texts
        ids, logprobs = np.empty(size, dtype=np.int32), np.empty(size)
        offsets, ends = np.empty(n_texts + 1, dtype=np.int64), np.empty(n_texts)
        count = score_tokens(framed, nodes, nodes.view(np.float32), self.order, ids, logprobs, offsets, ends)
        return ids[:count], offsets, logprobs[:count], ends

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model with its unigram table to an ``.npz`` file, atomically (see `storage` for the layout).

        Raises:
            ValueError: for a tokeniser of the user's own, which cannot be stored.
        """
        if self.tokenizer not in (*TOKENISERS, "wordpiece"):
            raise ValueError(f"Expected a model with a tokeniser of this package, but got {self.tokenizer!r}")
        counts = None
        header: dict[str, Any] = {"tokenizer": self.tokenizer, "oov": self.oov}
        if self.language is not None:
            header["language"] = self.language
        if self.unigram is not None:
            lookup = dict(zip(self.unigram.tokens, self.unigram.counts.tolist(), strict=True))
            counts = np.array([lookup.get(token, 0) for token in self.tokens], dtype=np.int64)
            header["smoothing"] = self.unigram.smoothing
        write_model(path, self.trie, self.tokens, counts, header, quantised=self.quantised)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, oov: str | None = None) -> NgramLanguageModel:
        """Read a model that `save` wrote.

        Args:
            path: the file.
            oov: another rule for unknown tokens than the stored one.

        Raises:
            FileNotFoundError: where there is no such file.
            ValueError: for a truncated, damaged or foreign file, or one of a later version.
        """
        trie, tokens, counts, header = read_model(path)
        with reading(path, SCHEMA):
            unigram = None
            if counts is not None:
                unigram = UnigramTable(
                    [SPECIALS[UNK], *tokens[3:]],
                    np.delete(counts, [BOS, EOS]),
                    tokenizer=header["tokenizer"],
                    smoothing=header["smoothing"],
                )
            model = cls(
                trie,
                tokens,
                tokenizer=header["tokenizer"],
                unigram=unigram,
                oov=header["oov"] if oov is None else oov,
                quantised=header["quantised"],
            )
            if header.get("language") is not None:
                model.language = check_language(header["language"])
            return model

    @classmethod
    def from_arpa(
        cls,
        path: str | os.PathLike[str],
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
        name = tokenizer if isinstance(tokenizer, str) else tokenizer.name
        rule = None if isinstance(tokenizer, str) else tokenizer
        return cls(trie, tokens, tokenizer=name, tokeniser=rule, unigram=unigram, oov=oov)

    def to_arpa(self, path: str | os.PathLike[str], *, progress: bool | None = None) -> None:
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


def _in_threads(function: Callable[[_Item], _Result], items: Sequence[_Item]) -> list[_Result]:
    """Return what a function gives for each item, in two threads where there are several items."""
    if len(items) < 2:
        return [function(item) for item in items]
    with ThreadPoolExecutor(_THREADS) as pool:
        return list(pool.map(function, items))
