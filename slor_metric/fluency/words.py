"""The words of a text as numbers: which word, and of what kind."""

from __future__ import annotations

import string
import zlib
from collections.abc import Collection, Iterable, Sequence, Set

import numpy as np
from numpy.typing import NDArray

from referenceless_metrics.core.files.archived import Portable
from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.normal_forms import normalise
from referenceless_metrics.core.support.validation import Integers
from slor_metric.language_models.classes import WordClasses
from slor_metric.tokenizers.words import ChunkCache, WordTokeniser

#: The kinds of token: a known word; an unknown one with a capital, which may be a name; an unknown one in lower case;
#: such a one beside a frequent word; and what is no word: a number, a punctuation mark or a sign.
KINDS = ("word", "name", "unknown", "misspelling", "blank")
WORD, NAME, UNKNOWN, MISSPELLING, BLANK = range(len(KINDS))
FREQUENT = 20_000
#: The letters of so many words, and a to z, are the language's alphabet.
_COMMON = 500
_UNKNOWN_IDS = 1 << 20
#: Shorter words are near to too many others: most are abbreviations and names.
_SHORTEST = 4
#: Longer words are not corrected: no frequent word is as long, and a word of n letters has 54 n edits to try.
_LONGEST = 50


class WordReader(Portable):
    """Cuts texts into words and says what each is; a chunk between spaces is looked up once.

    Args:
        classes: the vocabulary.
    """

    def __init__(self, classes: WordClasses) -> None:
        self._classes = classes
        self._frequent = frozenset(classes.words[:FREQUENT])
        self._alphabet = {*string.ascii_lowercase, *"".join(filter(str.isalpha, classes.words[:_COMMON]))}
        self.split_chunk = WordTokeniser().split_chunk

    @cached_property
    def _chunks(self) -> ChunkCache:
        return ChunkCache(self._encode_chunk)

    def _encode_chunk(self, chunk: str) -> list[int]:
        """Return the number of each word of a chunk, times the number of kinds, plus its kind."""
        capital = not chunk[:1].islower() and any(map(str.isupper, chunk))
        return [self._code(word, capital) for word in self.split_chunk(chunk)]

    def _code(self, word: str, capital: bool) -> int:
        number = self._classes.ids.get(word)
        if not any(map(str.isalpha, word)):
            kind = BLANK
        elif number is not None:
            kind = WORD
        elif capital:
            kind = NAME
        else:
            kind = MISSPELLING if is_misspelling(word, self._frequent, self._alphabet) else UNKNOWN
        if number is None:  # a number of its own, the same in every process
            number = len(self._classes) + zlib.crc32(word.encode("utf-8", "surrogatepass")) % _UNKNOWN_IDS
        return number * len(KINDS) + kind

    def read(self, texts: Sequence[str]) -> tuple[Integers, NDArray[np.int8], Integers]:
        """Return the word numbers and kinds of all texts after one another, and the texts' offsets.

        A number under the size of the vocabulary is the word's place in it; others tell unknown words apart.
        """
        lookup = self._chunks.__getitem__
        encoded = [b"".join(map(lookup, text.split())) for text in texts]
        offsets = np.zeros(len(texts) + 1, dtype=np.int64)
        np.cumsum(np.fromiter(map(len, encoded), np.int64, len(texts)), out=offsets[1:])
        codes = np.frombuffer(b"".join(encoded), dtype=np.int32)
        return codes.astype(np.int64) // len(KINDS), (codes % len(KINDS)).astype(np.int8), offsets // 4

    def surfaces(self, text: str) -> list[str]:
        """Return the words of a text as they stand in it, as far as the tokeniser keeps them."""
        return [word for chunk in text.split() for word in self._surfaces_in(chunk)]

    def _surfaces_in(self, chunk: str) -> list[str]:
        words, plain = self.split_chunk(chunk), normalise("NFC", chunk)
        lower = plain.lower()
        if len(lower) != len(plain):
            return words
        surfaces, position = [], 0
        for word in words:
            start = lower.find(word, position)
            if start < 0:  # typographic signs are replaced by plain ones
                return words
            surfaces.append(plain[start : start + len(word)])
            position = start + len(word)
        return surfaces


def edits(word: str, alphabet: Iterable[str] = string.ascii_lowercase) -> list[str]:
    """Return all strings at one edit (Damerau 1964) from a word; some more than once.

    Edits: a letter left out, added, changed, or two neighbours swapped.

    >>> sorted(set(edits("at", "a")))
    ['a', 'aa', 'aat', 'at', 'ata', 't', 'ta']
    """
    edited = []
    for i in range(len(word) + 1):
        left, right = word[:i], word[i:]
        if right:
            edited.append(left + right[1:])
            edited += [left + letter + right[1:] for letter in alphabet]
        if len(right) > 1:
            edited.append(left + right[1] + right[0] + right[2:])
        edited += [left + letter + right for letter in alphabet]
    return edited


def is_misspelling(word: str, frequent: Set[str], alphabet: Collection[str] = string.ascii_lowercase) -> bool:
    """Tell whether an unknown word stands one edit from a frequent one.

    Args:
        word: a word that the vocabulary does not hold, lower-cased.
        frequent: the frequent words, in a set.
        alphabet: the letters of the language.

    >>> is_misspelling("sciense", {"science"}), is_misspelling("zorb", {"science"}), is_misspelling("teh", {"the"})
    (True, False, False)
    """
    if not _SHORTEST <= len(word) <= _LONGEST or not word.isalpha():
        return False
    if sum(letter not in alphabet for letter in word) > 1:
        return False  # one edit does not bring in or take away two foreign letters
    return not frequent.isdisjoint(edits(word, alphabet))
