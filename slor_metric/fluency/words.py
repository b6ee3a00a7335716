"""The words of a text as numbers, with their kinds."""

from __future__ import annotations

import string
import zlib
from collections.abc import Iterable, Sequence
from itertools import chain, compress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referenceless_metrics.core.files.archived import Portable
from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.normal_forms import normalise
from referenceless_metrics.core.support.validation import Booleans, Integers, Unsigned32, Unsigned64
from slor_metric.language_models.classes import WordClasses
from slor_metric.language_models.other_languages import code_points
from slor_metric.tokenizers.encoder import (
    OTHER_CHUNK,
    AsciiVocabulary,
    ChunkCache,
    JoinedTexts,
    PartedTexts,
    index_vocabulary,
)
from slor_metric.tokenizers.words import PLAIN, WordTokeniser

#: The kinds of token: a known word; an unknown one with a capital, which may be a name; an unknown one in lower case;
#: an unknown one at one edit from a frequent word; and no word: a number, a punctuation mark or a sign.
KINDS = ("word", "name", "unknown", "misspelling", "blank")
WORD, NAME, UNKNOWN, MISSPELLING, BLANK = range(len(KINDS))
FREQUENT = 20_000
#: Number of most frequent words whose letters, with a to z, are the language's alphabet.
_COMMON = 500
_UNKNOWN_IDS = 1 << 20
#: Bits of the set of traces for each letter of the frequent words; it has two traces.
_BITS_OF_LETTER = 16
#: Typographic signs of which the plain ones are read in their place; a chunk's first character stays its first one.
_PLAIN_SIGNS = {sign: plain for sign, plain in PLAIN.items() if plain is not None}


class FrequentWords(NamedTuple):
    """Words in a hash table in which the words at one edit from another are looked up (`native/misspellings.h`).

    Attributes:
        letters: the code points of all words after one another.
        begins: word i has the letters from ``begins[i]`` to ``begins[i + 1]``, shape (n + 1,).
        slots: half a hash, and the number of its word, from 1, shape (slots, 2).
        traces: a set of bits that has the words without one of their letters.
        alphabet: the code points of the language's letters.
        seed: the seed of the hash table.
    """

    letters: Unsigned32
    begins: Integers
    slots: Unsigned32
    traces: Unsigned64
    alphabet: Unsigned32
    seed: int


def index_frequent(words: Sequence[str], alphabet: Iterable[str] = string.ascii_lowercase) -> FrequentWords:
    """Return the table of frequent words.

    Args:
        words: distinct words, lower-cased.
        alphabet: the letters of the language.
    """
    letters, begins = _code_points(words)
    slots = np.zeros((1 << (2 * len(words)).bit_length(), 2), dtype=np.uint32)
    traces = np.zeros(1 << (_BITS_OF_LETTER * len(letters) // 64).bit_length(), dtype=np.uint64)
    native.call("index_frequent_words", letters, begins, native.SEED, slots, traces)
    return FrequentWords(letters, begins, slots, traces, _code_points(sorted(alphabet))[0], native.SEED)


def misspellings(words: Sequence[str], frequent: FrequentWords) -> Booleans:
    """Return True for unknown words that are one edit (Damerau 1964) from a frequent one.

    An edit leaves a letter out, adds or changes one, or swaps two neighbours; a letter that it brings in is one of the
    alphabet. Only words of 4 to 50 letters are looked at, of which at most one is not of the alphabet.

    Args:
        words: words that the vocabulary does not hold, lower-cased.
        frequent: the frequent ones.

    >>> misspellings(["sciense", "zorb", "teh", "whih"], index_frequent(["science", "the", "which"])).tolist()
    [True, False, False, True]
    """
    found = np.zeros(len(words), dtype=bool)
    native.call("find_misspellings", *_code_points(words), frequent, found)
    found &= np.fromiter(map(str.isalpha, words), bool, len(words))
    return found


def _code_points(words: Sequence[str]) -> tuple[Unsigned32, Integers]:
    """Return the code points of words after one another, and the index of each word's first one, shape (n + 1,)."""
    return code_points("".join(words)), np.append(0, np.cumsum(np.fromiter(map(len, words), np.int64, len(words))))


class WordReader(Portable):
    """Cuts texts into words and tells the kind of each.

    Chunks of ASCII are read by `native/fluency_words.cpp`, others are looked up; both ways give the same.

    Args:
        classes: the vocabulary.
    """

    def __init__(self, classes: WordClasses) -> None:
        self._classes = classes
        self._alphabet = {*string.ascii_lowercase, *"".join(filter(str.isalpha, classes.packed[:_COMMON]))}
        self.split_chunk = WordTokeniser().split_chunk

    @cached_property
    def _vocabulary(self) -> AsciiVocabulary:
        return index_vocabulary(self._classes.packed, np.arange(len(self._classes), dtype=np.int32), "words")

    @cached_property
    def _frequent(self) -> FrequentWords:
        return index_frequent(self._classes.packed[:FREQUENT], self._alphabet)

    @cached_property
    def _chunks(self) -> ChunkCache:
        return ChunkCache.of_numbers(self._encode_chunks)

    def _encode_chunks(self, chunks: Sequence[str]) -> list[list[int]]:
        """Return for each chunk the number of each of its words, times the number of kinds, plus its kind."""
        split = list(map(self.split_chunk, chunks))
        are_names = [not chunk[:1].islower() and any(map(str.isupper, chunk)) for chunk in chunks]
        in_lower_case = [words for words, is_name in zip(split, are_names, strict=True) if not is_name]
        unknown = [word for word in {*chain.from_iterable(in_lower_case)} if word not in self._classes.ids]
        misspelt = {*compress(unknown, misspellings(unknown, self._frequent).tolist())}
        return [
            [self._code(word, NAME if is_name else MISSPELLING if word in misspelt else UNKNOWN) for word in words]
            for words, is_name in zip(split, are_names, strict=True)
        ]

    def _code(self, word: str, kind_of_unknown: int) -> int:
        number = self._classes.ids.get(word)
        kind = WORD if number is not None else kind_of_unknown
        if number is None:  # a number of its own, the same in every process
            number = len(self._classes) + zlib.crc32(word.encode("utf-8", "surrogatepass")) % _UNKNOWN_IDS
        return number * len(KINDS) + (kind if any(map(str.isalpha, word)) else BLANK)

    def read(self, texts: Sequence[str], *, spare_first: bool = False) -> tuple[Integers, NDArray[np.int8], Integers]:
        """Return the word numbers and kinds of all texts after one another, and the texts' offsets.

        A number under the size of the vocabulary is the word's place in it; others tell unknown words apart.

        Args:
            texts: n texts.
            spare_first: whether a capital that begins a text says nothing of its word, as in a sentence.
        """
        parted = JoinedTexts.of(texts).parted(_PLAIN_SIGNS)
        codes = self._chunks.encode(_first_lowered(parted) if spare_first else parted.others)
        size = len(parted.characters) + len(codes)
        numbers, kinds = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int8)
        offsets = np.empty(len(texts) + 1, dtype=np.int64)
        tables = len(KINDS), self._vocabulary, len(self._classes), self._frequent
        n_words = native.call(
            "read_words", parted.characters, parted.lengths, codes, *tables, spare_first, numbers, kinds, offsets
        )
        # copies: a word takes several characters
        return numbers[:n_words].copy(), kinds[:n_words].copy(), offsets

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


def _first_lowered(parted: PartedTexts) -> list[str]:
    """Return the chunks that are not ASCII; of those that begin a text, the first character in lower case."""
    others, is_other = parted.others.copy(), parted.characters == OTHER_CHUNK
    begins = (np.cumsum(parted.lengths) - parted.lengths)[parted.lengths > 0]
    for i in np.searchsorted(np.flatnonzero(is_other), begins[is_other[begins]]).tolist():
        others[i] = others[i][:1].lower() + others[i][1:]
    return others


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
