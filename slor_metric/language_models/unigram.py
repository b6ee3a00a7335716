"""Unigram models: p_u(t), the denominator of SLOR, from token counts (Kann et al. 2018, Equation 2).

A corpus is read as a stream: plain, gzip, bzip2 or xz text in UTF-8, or lines from anywhere.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import lzma
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice, repeat
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import ArrayLike

from referenceless_metrics.core.files.archive import STRINGS, Array, Schema, pack_strings
from referenceless_metrics.core.files.archived import Archived
from referenceless_metrics.core.files.atomic import check_destination
from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.computing import progress_bar
from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.validation import (
    Floats,
    InputError,
    Integers,
    PathName,
    check_number,
    describe,
    lone_surrogate,
)
from slor_metric.tokenizers.words import BOS, EOS, SPECIALS, UNK, UNKNOWN, Tokeniser, get_tokeniser, tokenise

Corpus = PathName | Iterable[PathName]
"""A path; or any iterable of lines (``str``) and of files (``Path``)."""

OPENERS: dict[str, Callable[..., IO[Any]]] = {".xz": lzma.open, ".lzma": lzma.open, ".gz": gzip.open, ".bz2": bz2.open}


def read_lines(corpus: Corpus) -> Iterator[str]:
    """Yield the lines of a corpus one by one, without their line ends.

    Args:
        corpus: the path of a text file in UTF-8 (``.xz``, ``.gz`` and ``.bz2`` are decompressed on the fly), or an
            iterable in which a ``str`` is a line and a ``Path`` is a file.

    Raises:
        InputError: for a path that does not exist, a file that is not UTF-8 or not what its suffix says, and a line
            with a lone surrogate, which UTF-8 cannot hold either.
        TypeError: for anything that is no text and no path.
    """
    if isinstance(corpus, (str, os.PathLike)):
        yield from _read_file(Path(corpus))
        return
    if isinstance(corpus, (bytes, dict)) or not isinstance(corpus, Iterable):
        raise TypeError(f"Expected argument `corpus` to be a path or lines, but got {describe(corpus)}")
    for number, item in enumerate(corpus, start=1):
        if isinstance(item, str):
            if (position := lone_surrogate(item)) is not None:
                raise InputError(f"line {number} of the corpus holds a lone surrogate at position {position}")
            yield item
        elif isinstance(item, os.PathLike):
            yield from _read_file(Path(item))
        else:
            raise TypeError(f"Expected argument `corpus` to hold lines or paths only, but got {describe(item)}")


def _read_file(path: Path) -> Iterator[str]:
    if path.is_dir():
        raise InputError(f"{path}: it is a folder, not a file")
    if not path.exists():  # a pipe, such as the shell's <(…), is read like a file
        raise InputError(f"{path}: there is no such file")
    with OPENERS.get(path.suffix, open)(path, "rb") as file:
        yield from read_stream(file, str(path))


def read_stream(stream: IO[bytes], name: str) -> Iterator[str]:
    """Yield the lines of an open file in UTF-8, without their line ends.

    Raises:
        InputError: for a file that is not UTF-8, or breaks off.
    """
    number = 0
    try:
        for number, line in enumerate(stream, start=1):  # named in the error below
            yield line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}:{number}: not UTF-8 ({error.reason}); convert the file to UTF-8") from None
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise InputError(f"{name}: cannot be read after line {number} ({error})") from None


_BATCH_LINES = 4096
_MOST_SEEN = 2**53  # up to which float64 counts exactly


class UnigramTable(Archived):
    """Token counts of a corpus as a unigram model.

    p_u(t) = (c(t) + smoothing) / (N + smoothing · V), V counting one more token for all that are not in the table. A
    token that is not in the table has the probability of ``<unk>`` if the table holds it, else that of a token seen
    zero times.

    Args:
        tokens: the vocabulary, without begin- or end-of-sentence symbols.
        counts: count of each, shape (len(tokens),).
        tokenizer: the name of the tokenisation that gave these tokens; part of the signature.
        smoothing: addition to each count. With 0, a token never seen has log-probability −inf.

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
        as_given = np.asarray(counts)
        if len(self.tokens) and as_given.dtype.kind not in "iu":
            raise TypeError(f"Expected argument `counts` to hold whole numbers, but got {as_given.dtype}")
        self.counts: Integers = as_given.astype(np.int64)
        self.tokenizer_name = tokenizer
        self.smoothing = float(smoothing)
        if self.counts.shape != (len(self.tokens),):
            raise ValueError(
                f"Expected argument `counts` to have one value for each of the {len(self.tokens)} tokens, "
                f"but got shape {self.counts.shape}"
            )
        seen = float(self.counts.sum(dtype=float))  # which cannot wrap around
        if not 0 < seen <= _MOST_SEEN or self.counts.min() < 0:
            raise ValueError(
                "Expected argument `counts` to hold no negative number, and 1 to 2^53 tokens seen, but got "
                f"{seen:.17g} tokens seen, the least count being {self.counts.min(initial=0)}"
            )
        if len(set(self.tokens)) != len(self.tokens):
            raise ValueError("Expected argument `tokens` to hold each token once, but some are repeated")
        total = seen + self.smoothing * (len(self.tokens) + 1)
        shares = np.append(self.counts + self.smoothing, self.smoothing) / total
        native.call("logarithms", shares, shares)  # numpy's differ from processor to processor
        self._logprobs: Floats = shares  # the last one is that of a token that is not in the table
        if UNKNOWN in self.tokens:
            self._logprobs[-1] = self._logprobs[self.tokens.index(UNKNOWN)]

    def __len__(self) -> int:
        return len(self.tokens)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {token: place for place, token in enumerate(self.tokens)}

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
            counts: count of each token, shape (len(tokens),).
            tokenizer: the name of the tokenisation.
            smoothing: addition to each count.
        """
        counted = np.delete(np.asarray(counts, dtype=np.int64), [BOS, EOS])
        return cls([SPECIALS[UNK], *tokens[3:]], counted, tokenizer=tokenizer, smoothing=smoothing)

    def counts_of(self, tokens: Sequence[str]) -> Integers:
        """Return the count of each token, shape (len(tokens),); 0 for one that is not in the table."""
        return np.append(self.counts, 0)[self._places_of(tokens)]

    def logprobs(self, pieces: Sequence[str]) -> Floats:
        """Return ln p_u of each piece, shape (len(pieces),), in nats."""
        return self._logprobs[self._places_of(pieces)]

    def _places_of(self, tokens: Sequence[str]) -> Integers:
        """Return the place of each token in the table, shape (len(tokens),); −1 for one that is not in it."""
        # of the vocabulary of a model that carries the table, no token has to be looked up
        if tuple(tokens[: len(SPECIALS)]) == SPECIALS and (SPECIALS[UNK], *tokens[len(SPECIALS) :]) == self.tokens:
            return np.concatenate([[0, -1, -1], np.arange(1, len(self))])
        return np.fromiter(map(self._places.get, tokens, repeat(-1)), np.int64, len(tokens))

    @property
    def tokenizer(self) -> str:
        """The name of the tokenisation, as a file has it."""
        return self.tokenizer_name


def count_tokens(
    corpus: Corpus, split: Callable[[list[str]], Iterable[Sequence[Any]]], progress: bool | None
) -> Counter[Any]:
    """Count the tokens of a corpus, some lines at a time.

    Args:
        corpus: see `slor_metric.language_models.unigram.read_lines`.
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
        corpus: a path of UTF-8 text (may be compressed), or lines; see `read_lines`.
        tokenizer: ``"words"`` or ``"whitespace"``; or a tokeniser object, such as a language model's `tokenizer`.
        out: path of its file; None to write nothing.
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
