"""Unigram models: p_u(t), the denominator of SLOR, from token counts (Kann et al. 2018, Equation 2)."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import chain, islice
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from metric_commons.files.archive import STRINGS, Array, Schema, pack_strings
from metric_commons.files.archived import Archived
from metric_commons.files.atomic import check_destination
from metric_commons.support.computing import progress_bar
from metric_commons.support.validation import Floats, Integers, PathName, check_number, describe
from slor_metric.language_models.corpus import Corpus, read_lines
from slor_metric.tokenizers.words import BOS, EOS, SPECIALS, UNK, UNKNOWN, Tokeniser, get_tokeniser, tokenise

_BATCH_LINES = 4096
_MOST_SEEN = 2**53  # up to which float64 counts exactly


class UnigramTable(Archived):
    """Token counts of a corpus as a unigram model.

    p_u(t) = (c(t) + smoothing) / (N + smoothing · V), V counting one more token for all that are not in the table.
    A token that is not in the table has the probability of ``<unk>`` where the table holds it, else that of a token
    seen zero times.

    Args:
        tokens: the vocabulary, without begin- or end-of-sentence symbols.
        counts: how often each was seen, shape (len(tokens),).
        tokenizer: the name of the tokenisation that gave these tokens; part of the signature.
        smoothing: what is added to each count. With 0, a token never seen has log-probability −inf.

    Raises:
        ValueError: for unequal lengths, repeated tokens, negative counts, or no count at all.

    >>> table = UnigramTable(["a", "b"], [3, 1], smoothing=0)
    >>> np.exp(table.logprobs(["a", "b"]))
    array([0.75, 0.25])
    """

    SCHEMA = Schema(
        "unigram",
        1,
        "a unigram table",
        {"tokens": STRINGS, "counts": Array("<i8", (None,))},
        {"tokenizer": str, "smoothing": float},
    )

    def __init__(
        self, tokens: Sequence[str], counts: ArrayLike, *, tokenizer: str = "unknown", smoothing: float = 1.0
    ) -> None:
        check_number(smoothing, "smoothing", 0, 1e100)
        self.tokens = tuple(tokens)
        given = np.asarray(counts)
        if len(self.tokens) and given.dtype.kind not in "iu":
            raise TypeError(f"Expected argument `counts` to hold whole numbers, but got {given.dtype}")
        self.counts: Integers = given.astype(np.int64)
        self.tokenizer_name = tokenizer
        self.smoothing = float(smoothing)
        if self.counts.shape != (len(self.tokens),):
            raise ValueError(
                f"Expected argument `counts` to have one value for each of the {len(self.tokens)} tokens, "
                f"but got shape {self.counts.shape}"
            )
        seen = float(self.counts.sum(dtype=np.float64))  # which cannot wrap around
        if not 0 < seen <= _MOST_SEEN or self.counts.min() < 0:
            raise ValueError(
                "Expected argument `counts` to hold no negative number, and 1 to 2^53 tokens seen, but got "
                f"{seen:.17g} tokens seen, the least count being {self.counts.min(initial=0)}"
            )
        if len(set(self.tokens)) != len(self.tokens):
            raise ValueError("Expected argument `tokens` to hold each token once, but some are repeated")
        total = seen + self.smoothing * (len(self.tokens) + 1)
        with np.errstate(divide="ignore"):
            table = np.log((self.counts + self.smoothing) / total)
            unseen = np.log(np.float64(self.smoothing) / total)
        self._lookup = dict(zip(self.tokens, table.tolist(), strict=True))
        self._unseen = self._lookup.get(UNKNOWN, float(unseen))

    def __len__(self) -> int:
        return len(self.tokens)

    @cached_property
    def signature(self) -> str:
        """The tokenisation and a hash of tokens, counts and smoothing."""
        digest = hashlib.sha256(pack_strings(self.tokens).tobytes())
        digest.update(self.counts.astype("<i8").tobytes())
        digest.update(repr(self.smoothing).encode())
        return f"{self.tokenizer_name}-{digest.hexdigest()[:8]}"

    @classmethod
    def by_id(cls, tokens: Sequence[str], counts: ArrayLike, tokenizer: str, smoothing: float = 1.0) -> UnigramTable:
        """Make the table of a model's vocabulary, which begins with `SPECIALS`; those of sentences' ends are left out.

        Args:
            tokens: the vocabulary by id.
            counts: by id, shape (len(tokens),).
            tokenizer: the name of the tokenisation.
            smoothing: what is added to each count.
        """
        counted = np.delete(np.asarray(counts, dtype=np.int64), [BOS, EOS])
        return cls([SPECIALS[UNK], *tokens[3:]], counted, tokenizer=tokenizer, smoothing=smoothing)

    def counts_of(self, tokens: Sequence[str]) -> Integers:
        """Return the count of each token, shape (len(tokens),); 0 for one that is not in the table."""
        lookup = dict(zip(self.tokens, self.counts.tolist(), strict=True))
        return np.array([lookup.get(token, 0) for token in tokens], dtype=np.int64)

    def logprobs(self, pieces: Sequence[str]) -> Floats:
        """Return ln p_u of each piece, shape (len(pieces),), in nats."""
        lookup, unseen = self._lookup, self._unseen
        return np.array([lookup.get(piece, unseen) for piece in pieces], dtype=np.float64)

    @property
    def tokenizer(self) -> str:
        """The name of the tokenisation, as a file has it."""
        return self.tokenizer_name


def count_tokens(
    corpus: Corpus, split: Callable[[list[str]], Iterable[Sequence[Any]]], progress: bool | None
) -> Counter[Any]:
    """Count what some lines of a corpus at a time are split into.

    Args:
        corpus: see `slor_metric.language_models.corpus.read_lines`.
        split: gives the tokens of each of some lines, or their ids.
        progress: show a progress bar; None: only on a terminal.
    """
    counts: Counter[Any] = Counter()
    lines = read_lines(corpus)
    with progress_bar(None, "counting tokens", progress, unit=" lines") as bar:
        while batch := list(islice(lines, _BATCH_LINES)):
            counts.update(chain.from_iterable(split(batch)))
            bar.update(len(batch))
    return counts


def fit_unigram(
    corpus: Corpus,
    tokenizer: str | Tokeniser,
    out: PathName | None = None,
    *,
    vocabulary: Sequence[str] = (),
    progress: bool | None = None,
) -> UnigramTable:
    """Count the tokens of a corpus and write them as a unigram model.

    Args:
        corpus: a path of UTF-8 text (may be compressed), or lines; see `slor_metric.language_models.corpus.read_lines`.
        tokenizer: ``"words"`` or ``"whitespace"``; or a tokeniser object, such as a language model's `tokenizer`.
        out: where to write it; None to write nothing.
        vocabulary: all tokens of the model it serves, so that those never seen share the smoothing.
        progress: show a progress bar; None: only on a terminal.

    Raises:
        OSError: for an `out` that cannot be written, before anything is read.
        TypeError: for a `tokenizer` that is none.
        ValueError: for a corpus without a token.
    """
    rule = get_tokeniser(tokenizer) if isinstance(tokenizer, str) else tokenizer
    if not isinstance(rule, Tokeniser):
        raise TypeError(f"Expected argument `tokenizer` to be a name or a tokeniser, but got {describe(tokenizer)}")
    if out is not None:
        check_destination(out)
    counts = count_tokens(corpus, lambda lines: (tokenise(rule, line) for line in lines), progress)
    by_count = sorted(counts, key=lambda token: (-counts[token], token))
    names = list(dict.fromkeys([*vocabulary, *by_count]))
    table = UnigramTable(names, [counts[token] for token in names], tokenizer=rule.name)
    if out is not None:
        table.save(out)
    return table
