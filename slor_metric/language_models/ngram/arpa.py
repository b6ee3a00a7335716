"""ARPA files: the text format of back-off n-gram models that kenlm, SRILM and others share."""

from __future__ import annotations

import lzma
import math
import re
import zlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import IO

import numpy as np

from metric_commons.files.atomic import atomic_write
from metric_commons.support.computing import progress_bar
from metric_commons.support.validation import Floats32, PathName, Unsigned32, describe
from slor_metric.language_models.ngram.storage import Trie, check_trie, from_rows
from slor_metric.language_models.unigram import OPENERS
from slor_metric.tokenizers.words import SPECIALS, UNKNOWN

_LN10 = math.log(10)
_MISSING_UNK = -100.0  # log10, as in kenlm
_COUNT = re.compile(r"ngram\s+(\d+)\s*=\s*(\d+)$")
_LONGEST_LINE = 2**20  # characters
_MOST_UNPACKED = 2**28  # bytes that any packed file may unpack to; larger ones to a hundred times their size


def write_arpa(path: PathName, trie: Trie, tokens: Sequence[str], *, progress: bool | None = None) -> None:
    """Write a model as an ARPA file.

    Raises:
        ValueError: for a token that is empty or holds whitespace.
    """
    for token in tokens:
        if not token or token.split() != [token]:
            raise ValueError(f"Expected tokens without whitespace, as the ARPA format needs, but got {token!r}")
    with (
        atomic_write(path, "w") as file,
        progress_bar(sum(trie.sizes), "writing ARPA", progress, unit=" n-grams") as bar,
    ):
        file.write("\\data\\\n")
        for k, size in enumerate(trie.sizes, start=1):
            file.write(f"ngram {k}={size}\n")
        names = list(tokens)
        for k in range(1, trie.order + 1):
            level = trie.level(k)
            file.write(f"\n\\{k}-grams:\n")
            if k > 1:
                below = trie.level(k - 1).start
                last = [tokens[i] for i in trie.words[level].tolist()]
                heads = (trie.parents(k) - below).tolist()
                names = [f"{names[head]} {word}" for head, word in zip(heads, last, strict=True)]
            logprobs = (trie.logprobs_of(k).astype(float) / _LN10).tolist()
            backoffs = (trie.backoffs_of(k).astype(float) / _LN10).tolist()  # none of the highest order
            ends = [f"\t{backoff:.7g}\n" for backoff in backoffs] or ["\n"] * len(names)
            file.writelines(f"{p:.7g}\t{name}{end}" for p, name, end in zip(logprobs, names, ends, strict=True))
            bar.update(trie.sizes[k - 1])
        file.write("\n\\end\\\n")


def read_arpa(path: PathName, *, progress: bool | None = None) -> tuple[Trie, list[str]]:
    """Read an ARPA file.

    Returns:
        The trie and the vocabulary by word id, which begins with ``<unk>``, ``<s>``, ``</s>`` whatever their place in
        the file.

    Raises:
        FileNotFoundError: where there is no such file.
        ValueError: for a file that is no ARPA file, is cut short, or lists an n-gram twice or without its context.
    """
    source = Path(path)
    if not source.is_file():
        raise FileNotFoundError(f"There is no ARPA file at {source}")
    opener = OPENERS.get(source.suffix, open)
    file: IO[str] = opener(source, "rt", encoding="utf-8", newline="\n")
    reader = _Reader(file, source.stat().st_size, is_packed=opener is not open)
    try:
        sizes = reader.header()
        with progress_bar(sum(sizes), "reading ARPA", progress, unit=" n-grams") as bar:
            tokens, values = reader.unigrams(sizes)
            bar.update(sizes[0])
            ids = {token: i for i, token in enumerate(tokens)}
            rows, both = [np.arange(len(tokens), dtype=np.uint32)[:, None]], [values]
            for k in range(2, len(sizes) + 1):
                row, values = reader.ngrams(k, sizes, ids)
                rows.append(row)
                both.append(values)
                bar.update(sizes[k - 1])
        reader.expect("\\end\\")
        trie = from_rows(rows, [values[0] for values in both], [values[1] for values in both[:-1]])
        check_trie(trie)  # here the file can be named
        return trie, tokens
    except (OSError, EOFError, zlib.error, lzma.LZMAError, UnicodeDecodeError) as error:
        raise ValueError(f"{source}: cannot be read as an ARPA file ({error})") from None
    except _Malformed as error:
        raise ValueError(f"{source}:{reader.number}: {error}") from None
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None
    finally:
        file.close()


class _Malformed(Exception):
    """What is wrong with the current line."""


class _Reader:
    def __init__(self, file: IO[str], size: int, *, is_packed: bool) -> None:
        self._lines: Iterator[str] = iter(partial(file.readline, _LONGEST_LINE), "")
        self._size = size
        self._is_packed = is_packed
        self.number = 0

    def line(self) -> str:
        """The next line that is not blank."""
        for text in self._lines:
            self.number += 1
            if len(text) == _LONGEST_LINE:
                raise _Malformed(f"a line of {_LONGEST_LINE:,} characters or more: this is no ARPA file")
            text = text.strip(" \r\n\t")
            if text:
                return text
        raise _Malformed("the file ends before \\end\\: it is cut short, or no ARPA file")

    def header(self) -> list[int]:
        while self.line() != "\\data\\":  # what stands before is comment
            if self.number > 1000:
                raise _Malformed("there is no \\data\\ line: this is no ARPA file")
        sizes: list[int] = []
        while True:
            text = self.line()
            found = _COUNT.match(text)
            if found is None:
                break
            if int(found.group(1)) != len(sizes) + 1:
                raise _Malformed(f"expected the number of {len(sizes) + 1}-grams, but got {describe(text)}")
            sizes.append(int(found.group(2)))
        if not sizes or text != "\\1-grams:":
            raise _Malformed(f"expected \\1-grams: after the numbers of n-grams, but got {describe(text)}")
        if len(sizes) > 15:
            raise _Malformed(f"models of order {len(sizes)} are not supported")
        # There must be room in the file for as many n-grams as it declares, before memory is taken for them.
        least = sum(size * 2 * (k + 1) for k, size in enumerate(sizes, start=1))  # a digit, k letters, the white space
        if least > (max(_MOST_UNPACKED, 100 * self._size) if self._is_packed else self._size):
            told = f"{sum(sizes):,} n-grams, which take {least:,} bytes or more"
            raise _Malformed(f"the file declares {told}, but it has {self._size:,} bytes")
        return sizes

    def unigrams(self, sizes: list[int]) -> tuple[list[str], Floats32]:
        listed: dict[str, tuple[float, float]] = {}
        for _ in range(sizes[0]):
            logprob, words, backoff = self.entry(1, top=len(sizes) == 1)
            if words[0] in listed:
                raise _Malformed(f"the word {describe(words[0])} is listed twice")
            listed[words[0]] = (logprob, backoff)
        unk = listed.pop(UNKNOWN, None) or listed.pop("<UNK>", None) or (_MISSING_UNK * _LN10, 0.0)
        values = [unk]
        for special in SPECIALS[1:]:
            if special not in listed:
                raise _Malformed(f"the unigrams lack {special}")
            values.append(listed.pop(special))
        values += listed.values()
        return [*SPECIALS, *listed], np.array(values, dtype=np.float32).T

    def ngrams(self, k: int, sizes: list[int], ids: dict[str, int]) -> tuple[Unsigned32, Floats32]:
        """N-grams of order k as word ids, and their log-probabilities and back-offs, shapes (n, k) and (2, n)."""
        self.expect(f"\\{k}-grams:")
        size = sizes[k - 1]
        rows, values = np.empty((size, k), dtype=np.uint32), np.empty((2, size), dtype=np.float32)
        for i in range(size):
            values[0, i], words, values[1, i] = self.entry(k, top=k == len(sizes))
            try:
                rows[i] = [ids[word] for word in words]
            except KeyError as error:
                raise _Malformed(f"the word {describe(error.args[0])} is not among the unigrams") from None
        return rows, values

    def entry(self, k: int, *, top: bool) -> tuple[float, list[str], float]:
        """One n-gram: ln p, its words, and the ln of its back-off weight (0 where none is written)."""
        fields = self.line().split()
        try:
            logprob = float(fields[0]) * _LN10
            backoff = float(fields[k + 1]) * _LN10 if len(fields) > k + 1 else 0.0
        except ValueError:
            logprob = backoff = math.nan
        if not k + 1 <= len(fields) <= k + 2 - top or math.isnan(logprob + backoff):
            raise _Malformed(f"expected a {k}-gram, but got {describe(' '.join(fields))}")
        return logprob, fields[1 : k + 1], backoff

    def expect(self, wanted: str) -> None:
        """Read a line that must be this one."""
        text = self.line()
        if text != wanted:
            raise _Malformed(f"expected {wanted}, but got {describe(text)}")
