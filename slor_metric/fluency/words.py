"""The words of a text as numbers: which word, and of what kind."""

from __future__ import annotations

import unicodedata
import zlib
from array import array
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from slor_metric.fluency.classes import WordClasses
from slor_metric.fluency.misspellings import is_misspelling
from slor_metric.tokenizers.words import WordTokeniser

__all__ = ["BLANK", "KINDS", "MISSPELLING", "NAME", "UNKNOWN", "WORD", "WordReader"]

#: The kinds of token: a known word; an unknown one with a capital, which may be a name; an unknown one in lower case;
#: such a one beside a frequent word; and what is no word: a number, a punctuation mark or a sign.
KINDS = ("word", "name", "unknown", "misspelling", "blank")
WORD, NAME, UNKNOWN, MISSPELLING, BLANK = range(len(KINDS))
_FREQUENT = 20_000
_UNKNOWN_IDS = 1 << 20
_LONGEST_KEPT = 100  # characters


class WordReader(dict[str, bytes]):
    """Cuts texts into words and says what each is; a chunk between spaces is looked up once.

    Args:
        classes: the vocabulary.
        limit: how many chunks are kept.
    """

    def __init__(self, classes: WordClasses, limit: int = 1 << 19) -> None:
        super().__init__()
        self._tokeniser = WordTokeniser()
        self._classes = classes
        self._ids = classes.ids
        self._frequent = frozenset(classes.words[:_FREQUENT])
        self._limit = limit
        self._n_words = len(classes)

    def __reduce__(self) -> tuple[object, ...]:
        # what was looked up is not worth copying
        return WordReader, (self._classes, self._limit)

    def __missing__(self, chunk: str) -> bytes:
        if len(self) >= self._limit:
            self.clear()
        capital = not chunk[:1].islower() and any(map(str.isupper, chunk))
        codes = array("i", [self._code(word, capital) for word in self._tokeniser.split_chunk(chunk)]).tobytes()
        if len(chunk) <= _LONGEST_KEPT:
            self[chunk] = codes
        return codes

    def split_chunk(self, chunk: str) -> list[str]:
        """Return the words of what stands between spaces."""
        return self._tokeniser.split_chunk(chunk)

    def _code(self, word: str, capital: bool) -> int:
        number = self._ids.get(word)
        if not any(map(str.isalpha, word)):
            kind = BLANK
        elif number is not None:
            kind = WORD
        elif capital:
            kind = NAME
        else:
            kind = MISSPELLING if is_misspelling(word, self._frequent) else UNKNOWN
        if number is None:  # a number of its own, the same in every process
            number = self._n_words + zlib.crc32(word.encode("utf-8", "surrogatepass")) % _UNKNOWN_IDS
        return number * len(KINDS) + kind

    def read(self, texts: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int8], NDArray[np.int64]]:
        """Return the word numbers and kinds of all texts after one another, and the texts' offsets.

        A number under the size of the vocabulary is the word's place in it; others tell unknown words apart.
        """
        lookup = self.__getitem__
        encoded = [b"".join(map(lookup, text.split())) for text in texts]
        offsets = np.zeros(len(texts) + 1, dtype=np.int64)
        np.cumsum(np.fromiter(map(len, encoded), np.int64, len(texts)), out=offsets[1:])
        codes = np.frombuffer(b"".join(encoded), dtype=np.int32)
        return codes.astype(np.int64) // len(KINDS), (codes % len(KINDS)).astype(np.int8), offsets // 4

    def surfaces(self, text: str) -> list[str]:
        """Return the words of a text as they stand in it, as far as the tokeniser keeps them."""
        found: list[str] = []
        for chunk in text.split():
            words = self._tokeniser.split_chunk(chunk)
            plain = unicodedata.normalize("NFC", chunk)
            cut, position = [], 0
            for word in words:
                start = plain.lower().find(word, position)
                if start < 0 or len(plain.lower()) != len(plain):  # typographic signs are replaced by plain ones
                    cut = words
                    break
                cut.append(plain[start : start + len(word)])
                position = start + len(word)
            found += cut
        return found
