"""Unigram models: p_u(t), the denominator of SLOR, from token counts (Kann et al. 2018, Equation 2)."""

from __future__ import annotations

import hashlib
import math
import os
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metric_commons.files.archive import (
    STRINGS,
    Array,
    Schema,
    pack_strings,
    read_archive,
    reading,
    unpack_strings,
    write_archive,
)
from metric_commons.files.atomic import check_destination
from metric_commons.support.progress import progress_bar
from metric_commons.support.validation import check_number, describe
from slor_metric.language_models.corpus import Corpus, read_lines
from slor_metric.tokenizers.words import BOS, EOS, SPECIALS, UNK, UNKNOWN, Tokeniser, get_tokeniser, tokenise

_SCHEMA = Schema(
    "unigram",
    1,
    "a unigram table",
    arrays={"tokens": STRINGS, "counts": Array("<i8", (None,))},
    fields={"tokenizer": str, "smoothing": float},
)
_MOST_SEEN = 2**53  # up to which float64 counts exactly


class UnigramTable:
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

    def __init__(
        self, tokens: Sequence[str], counts: ArrayLike, *, tokenizer: str = "unknown", smoothing: float = 1.0
    ) -> None:
        check_number(smoothing, "smoothing", minimum=0)
        self.tokens = tuple(tokens)
        given = np.asarray(counts)
        if len(self.tokens) and given.dtype.kind not in "iu":
            raise TypeError(f"Expected argument `counts` to hold whole numbers, but got {given.dtype}")
        self.counts: NDArray[np.int64] = given.astype(np.int64)
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
        if not math.isfinite(total):
            raise ValueError(f"Expected argument `smoothing` to leave a finite sum, but got {self.smoothing:.3g}")
        with np.errstate(divide="ignore"):
            table = np.log((self.counts + self.smoothing) / total)
            unseen = np.log(np.float64(self.smoothing) / total)
        self._lookup = dict(zip(self.tokens, table.tolist(), strict=True))
        self._unseen = self._lookup.get(UNKNOWN, float(unseen))

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the signature, which is found on demand: what is pickled does not change with use."""
        return {name: value for name, value in self.__dict__.items() if name != "signature"}

    def __len__(self) -> int:
        return len(self.tokens)

    def __contains__(self, token: object) -> bool:
        return token in self._lookup

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

    def counts_of(self, tokens: Sequence[str]) -> NDArray[np.int64]:
        """Return the count of each token, shape (len(tokens),); 0 for one that is not in the table."""
        lookup = dict(zip(self.tokens, self.counts.tolist(), strict=True))
        return np.array([lookup.get(token, 0) for token in tokens], dtype=np.int64)

    def logprobs(self, pieces: Sequence[str]) -> NDArray[np.float64]:
        """Return ln p_u of each piece, shape (len(pieces),), in nats."""
        lookup, unseen = self._lookup, self._unseen
        return np.array([lookup.get(piece, unseen) for piece in pieces], dtype=np.float64)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the table to an ``.npz`` file, atomically."""
        header = {"tokenizer": self.tokenizer_name, "smoothing": self.smoothing}
        arrays: dict[str, NDArray[Any]] = {"tokens": pack_strings(self.tokens), "counts": self.counts}
        write_archive(path, _SCHEMA, header, arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> UnigramTable:
        """Read a table that `save` wrote.

        Raises:
            FileNotFoundError: where there is no such file.
            ValueError: for a truncated, damaged or foreign file, or one of a later version.
        """
        header, arrays = read_archive(path, _SCHEMA)
        with reading(path, _SCHEMA):
            return cls(unpack_strings(arrays["tokens"]), arrays["counts"], **header)


def fit_unigram(
    corpus: Corpus,
    tokenizer: str | Tokeniser | Callable[[str], Sequence[str]],
    out: str | os.PathLike[str] | None = None,
    *,
    name: str | None = None,
    vocabulary: Sequence[str] | None = None,
    smoothing: float = 1.0,
    progress: bool | None = None,
) -> UnigramTable:
    """Count the tokens of a corpus and write them as a unigram model.

    Args:
        corpus: a path of UTF-8 text (may be compressed), or lines; see `slor_metric.language_models.corpus.read_lines`.
        tokenizer: ``"words"`` or ``"whitespace"``; a tokeniser object, such as a language model's `tokenizer`; or a
            function from a text to its tokens, such as ``tokenizer.tokenize`` of a Hugging Face tokeniser.
        out: where to write it; None to write nothing.
        name: the name of the tokenisation, for signatures; taken from `tokenizer` where it has one.
        vocabulary: all tokens of the model it serves, so that those never seen share the smoothing.
        smoothing: what is added to each count.
        progress: show a progress bar; None: only on a terminal.

    Raises:
        OSError: for an `out` that cannot be written, before anything is read.
        TypeError: for a `tokenizer` that is none.
        ValueError: for a corpus without a token.
    """
    if isinstance(tokenizer, str):
        tokenizer = get_tokeniser(tokenizer)
    if isinstance(tokenizer, Tokeniser):
        split: Callable[[str], Sequence[str]] = partial(tokenise, tokenizer)
        name = name or tokenizer.name
    elif callable(tokenizer):
        split = tokenizer
        name = name or getattr(tokenizer, "name", None) or "custom"
    else:
        raise TypeError(
            f"Expected argument `tokenizer` to be a name, a tokeniser or a function, but got {describe(tokenizer)}"
        )
    if out is not None:
        check_destination(out)
    counts: Counter[str] = Counter()
    with progress_bar(None, "counting tokens", progress, unit=" lines") as bar:
        for line in read_lines(corpus):
            counts.update(split(line))
            bar.update()
    if not counts:
        raise ValueError("Expected a corpus with at least one token, but got none")
    if vocabulary is None:
        names = sorted(counts, key=lambda token: (-counts[token], token))
    else:
        names = list(dict.fromkeys([*vocabulary, *sorted(counts)]))
    table = UnigramTable(names, [counts[token] for token in names], tokenizer=str(name), smoothing=smoothing)
    if out is not None:
        table.save(out)
    return table
