"""ARPA files: the text format of back-off n-gram models that kenlm, SRILM and others share."""

from __future__ import annotations

import lzma
import math
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import IO

import numpy as np

from referenceless_metrics.core.files.atomic import atomic_write
from referenceless_metrics.core.support.computing import progress_bar
from referenceless_metrics.core.support.validation import PathName, describe
from slor_metric.language_models.ngram.storage import Level, Trie, check_trie, from_levels
from slor_metric.language_models.unigram import OPENERS
from slor_metric.tokenizers.words import SPECIALS, UNK, UNKNOWN

_LN10 = math.log(10)
_MISSING_UNK = -100.0  # log10, as in kenlm
_CAPITAL_UNK = "<UNK>"  # unknown words, as in kenlm, if there is no `<unk>`; beside it a word like any other
_COUNT = re.compile(r"ngram\s+(\d+)\s*=\s*(\d+)$")
_SPACES = (
    "\0\t\n\r "  # separators of fields, as in kenlm: other white space, such as U+00A0 or U+3000, belongs to words
)
_BETWEEN_FIELDS = re.compile(f"[{_SPACES}]+")
_LONGEST_LINE = 2**20  # characters
_MOST_UNPACKED = 2**28  # bytes that any packed file may unpack to; larger ones to a hundred times their size


def write_arpa(path: PathName, trie: Trie, tokens: Sequence[str]) -> None:
    """Write a model as an ARPA file.

    Raises:
        ValueError: for a token that is empty or holds a separator of fields.
    """
    for token in tokens:
        if not token or _BETWEEN_FIELDS.search(token):
            raise ValueError(
                f"Expected tokens without spaces, tabs and line ends, as the ARPA format needs, but got {token!r}"
            )
    with atomic_write(path, "w") as file:
        file.write("\\data\\\n")
        file.writelines(f"ngram {k}={size}\n" for k, size in enumerate(trie.sizes, start=1))
        names = list(tokens)
        for k in range(1, trie.order + 1):
            file.write(f"\n\\{k}-grams:\n")
            if k > 1:
                last = [tokens[i] for i in trie.words[trie.level(k)].tolist()]
                heads = (trie.parents(k) - trie.level(k - 1).start).tolist()
                names = [f"{names[head]} {word}" for head, word in zip(heads, last, strict=True)]
            logprobs, backoffs = ((of(k).astype(float) / _LN10).tolist() for of in (trie.logprobs_of, trie.backoffs_of))
            ends = [f"\t{backoff:.7g}\n" for backoff in backoffs] or ["\n"] * len(names)  # none of the highest order
            file.writelines(f"{p:.7g}\t{name}{end}" for p, name, end in zip(logprobs, names, ends, strict=True))
        file.write("\n\\end\\\n")


def read_arpa(path: PathName, *, progress: bool | None = None) -> tuple[Trie, list[str]]:
    """Read an ARPA file.

    Returns:
        The trie and the vocabulary by word id, which begins with ``<unk>``, ``<s>``, ``</s>`` whatever their place in
        the file.

    Raises:
        FileNotFoundError: if there is no such file.
        ValueError: for a file that is no ARPA file, is cut short, or lists an n-gram twice or without its context.
    """
    source = Path(path)
    if not source.is_file():
        raise FileNotFoundError(f"There is no ARPA file at {source}")
    opener = OPENERS.get(source.suffix, open)
    size = source.stat().st_size
    file: IO[str] = opener(source, "rt", encoding="utf-8", newline="\n")
    reader = _Reader(file, size, size if opener is open else max(_MOST_UNPACKED, 100 * size))
    try:
        sizes = reader.header()
        with progress_bar(sum(sizes), "reading ARPA", progress, unit=" n-grams") as bar:
            tokens, ids, level = reader.unigrams(sizes)
            bar.update(sizes[0])
            levels, contexts = [level], ids
            for k in range(2, len(sizes) + 1):
                contexts, level = reader.ngrams(k, sizes, contexts, ids)
                levels.append(level)
                bar.update(sizes[k - 1])
        reader.expect("\\end\\")
        trie = from_levels(levels)
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
    """Fault of the current line."""


class _Reader:
    """The lines of an ARPA file.

    Args:
        file: the file.
        size: its bytes.
        most: most bytes of text that it can hold.
    """

    def __init__(self, file: IO[str], size: int, most: int) -> None:
        self._lines: Iterator[str] = iter(partial(file.readline, _LONGEST_LINE), "")
        self._size, self._most = size, most
        self.number = 0

    def line(self) -> str:
        """The next line that is not blank."""
        for text in self._lines:
            self.number += 1
            if len(text) == _LONGEST_LINE:
                raise _Malformed(f"a line of {_LONGEST_LINE:,} characters or more: this is no ARPA file")
            text = text.strip(_SPACES)
            if text:
                return text
        raise _Malformed("the file ends before \\end\\: it is cut short, or no ARPA file")

    def header(self) -> list[int]:
        while self.line() != "\\data\\":  # the lines before are comments
            if self.number > 1000:
                raise _Malformed("there is no \\data\\ line: this is no ARPA file")
        sizes: list[int] = []
        while match := _COUNT.match(text := self.line()):
            if int(match.group(1)) != len(sizes) + 1:
                raise _Malformed(f"expected the number of {len(sizes) + 1}-grams, but got {describe(text)}")
            sizes.append(int(match.group(2)))
        if not sizes or text != "\\1-grams:":
            raise _Malformed(f"expected \\1-grams: after the numbers of n-grams, but got {describe(text)}")
        if len(sizes) > 15:
            raise _Malformed(f"models of order {len(sizes)} are not supported")
        # There must be room in the file for as many n-grams as it declares, before memory is taken for them.
        least = sum(size * 2 * (k + 1) for k, size in enumerate(sizes, start=1))  # a digit, k letters, the white space
        if least > self._most:
            declared = f"{sum(sizes):,} n-grams, which take {least:,} bytes or more"
            raise _Malformed(f"the file declares {declared}, but it has {self._size:,} bytes")
        return sizes

    def unigrams(self, sizes: list[int]) -> tuple[list[str], dict[str, int], Level]:
        """The vocabulary by id, the ids, and the unigrams by id."""
        places, (_, _, values) = self.ngrams(1, sizes, {"": 0}, {})
        if UNKNOWN not in places and _CAPITAL_UNK in places:
            places[UNKNOWN] = places.pop(_CAPITAL_UNK)
        if UNKNOWN not in places:
            places[UNKNOWN] = sizes[0]
            missing = np.array([[_MISSING_UNK * _LN10], [0]], dtype=np.float32)
            values = np.concatenate([values, missing], axis=1)
        for special in SPECIALS:
            if special not in places:
                raise _Malformed(f"the unigrams lack {special}")
        tokens = [*SPECIALS, *(name for name in places if name not in SPECIALS)]
        values = values[:, [places[token] for token in tokens]]
        level = Level(np.zeros(len(tokens), np.int64), np.arange(len(tokens), dtype=np.uint32), values)
        return tokens, {_CAPITAL_UNK: UNK} | {token: i for i, token in enumerate(tokens)}, level

    def ngrams(
        self, k: int, sizes: list[int], contexts: Mapping[str, int], ids: Mapping[str, int]
    ) -> tuple[dict[str, int], Level]:
        """Return the n-grams of order k: the place of each by its words, and all of them.

        Args:
            k: their order.
            sizes: the number of n-grams of each order.
            contexts: the places of the n-grams of the order below.
            ids: ids by word; not used for unigrams.
        """
        if k > 1:
            self.expect(f"\\{k}-grams:")
        size, places = sizes[k - 1], dict[str, int]()
        level = Level(np.empty(size, np.int64), np.zeros(size, np.uint32), np.empty((2, size), np.float32))
        for i in range(size):
            level.values[0, i], words, level.values[1, i] = self.entry(k, top=k == len(sizes))
            word, name, context = words[-1], " ".join(words), " ".join(words[:-1])
            if name in places:
                raise _Malformed(f"the {k}-gram {describe(name)} is listed twice")
            if k > 1 and word not in ids:
                raise _Malformed(f"the word {describe(word)} is not among the unigrams")
            if context not in contexts:
                raise _Malformed(f"the context of the {k}-gram {describe(name)} is not listed")
            places[name], level.parents[i], level.words[i] = i, contexts[context], ids.get(word, 0)
        return places, level

    def entry(self, k: int, *, top: bool) -> tuple[float, list[str], float]:
        """One n-gram: ln p, its words, and the ln of its back-off weight (0 if none is written).

        An n-gram of the highest order may have a back-off weight of 0, which says nothing, as in kenlm.
        """
        fields = _BETWEEN_FIELDS.split(self.line())
        try:
            logprob = float(fields[0]) * _LN10
            backoff = float(fields[k + 1]) * _LN10 if len(fields) > k + 1 else 0.0
        except ValueError:
            logprob = backoff = math.nan
        if not k + 1 <= len(fields) <= k + 2 or math.isnan(logprob + backoff):
            raise _Malformed(f"expected a {k}-gram, but got {describe(' '.join(fields))}")
        if top and backoff != 0:
            raise _Malformed(f"expected no back-off weight, or 0, at the highest order, but got {fields[k + 1]}")
        return logprob, fields[1 : k + 1], backoff

    def expect(self, wanted: str) -> None:
        """Read a line that must be this one."""
        text = self.line()
        if text != wanted:
            raise _Malformed(f"expected {wanted}, but got {describe(text)}")
