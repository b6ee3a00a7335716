"""Texts to token ids: `native/ascii_tokens.cpp` for ASCII, the tokeniser itself for all else.

Most English text is ASCII, in which letters, digits and white space are known without tables. In a text with other
characters the tokeniser reads the chunks between white space that hold them. Both ways give the same ids.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import filterfalse
from typing import NamedTuple, overload

import numpy as np

from referenceless_metrics.core.files.archived import Portable
from referenceless_metrics.core.files.packed_strings import PackedStrings
from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.validation import (
    Integers,
    Integers32,
    Unsigned8,
    Unsigned32,
    Unsigned64,
)
from slor_metric.tokenizers.words import (
    BOS,
    EOS,
    PLAIN,
    UNK,
    Tokeniser,
    WhitespaceTokeniser,
    WordPieceTokeniser,
    WordTokeniser,
)

_MODES = {"whitespace": 0, "words": 1, "wordpiece": 2}
"""Code of the kernel's way of cutting text, by the name of the tokeniser."""

_KERNEL_MODES: dict[type, str] = {
    WordPieceTokeniser: "wordpiece",
    WordTokeniser: "words",
    WhitespaceTokeniser: "whitespace",
}
"""The tokenisers whose rules the kernel knows; one of the user's own is not among them."""


_LAST_OF_ASCII = 0x7F


class AsciiVocabulary(NamedTuple):
    """The ASCII tokens of a vocabulary in hash tables: short ones whole, WordPieces and long ones as a tree of bytes.

    Attributes:
        whole: tokens of at most 16 bytes, shape (slots, 3), uint64: the bytes in two words, then the id.
        edges: edges of the tree, shape (slots, 2), int32: ``state << 8 | byte`` and the state that it leads to.
        states: the id of the token that ends in each state, shape (states,), int32; −1 for none.
        mode: one of `_MODES`.
        seed: the seed of the hash tables.
    """

    whole: Unsigned64
    edges: Integers32
    states: Integers32
    mode: int
    seed: int


def index_vocabulary(tokens: Sequence[str], ids: Integers32, tokenizer: str) -> AsciiVocabulary:
    """Return the tables of a vocabulary's ASCII tokens.

    Args:
        tokens: distinct tokens.
        ids: the id of each, which is not negative, shape (len(tokens),).
        tokenizer: one of `_MODES`. With ``"wordpiece"``, tokens that begin with ``##`` continue a word.
    """
    packed = PackedStrings.of(tokens)
    sizes = np.diff(packed.ends, prepend=-1)  # with the line end
    are_ascii = np.ones(len(packed), dtype=bool)
    are_ascii[np.searchsorted(packed.ends, np.flatnonzero(packed.text > _LAST_OF_ASCII))] = False
    numbers, lengths = ids[are_ascii], sizes[are_ascii] - 1
    is_character = np.repeat(are_ascii, sizes)
    is_character[packed.ends] = False
    text = packed.text[is_character]
    whole = np.empty((_slots(len(numbers)), 3), dtype=np.uint64)
    mode, seed = _MODES[tokenizer], native.SEED
    # at most: a NUL pads the keys of whole tokens, so that a token with one is in the tree
    n_states = int(lengths.sum() if tokenizer == "wordpiece" or 0 in text else lengths[lengths > _LONGEST_WHOLE].sum())
    states = np.empty(n_states + 2, dtype=np.int32)
    edges = np.empty((0, 2), dtype=np.int32)
    while len(edges) != _slots(n_states):  # the second time the tree has as many slots as it needs
        whole[:], edges = _FREE, np.full((_slots(n_states), 2), -1, dtype=np.int32)
        n_states = native.call("index_vocabulary", text, lengths, numbers, mode, seed, whole, edges, states)
    return AsciiVocabulary(whole, edges, states[:n_states].copy(), mode, seed)


_FREE = np.uint64(0xFFFFFFFFFFFFFFFF)
_LONGEST_WHOLE = 16
"""Most bytes of a token in `AsciiVocabulary.whole`."""


def _slots(entries: int) -> int:
    return 1 << max(4, (2 * entries).bit_length())


OTHER_CHUNK = 0x80
"""Byte in place of a chunk that is not ASCII."""


class PartedTexts(NamedTuple):
    """Texts as kernels read them, with what is not ASCII in them.

    Attributes:
        characters: the characters of all texts after one another, uint8; `OTHER_CHUNK` stands for a chunk between
            white space that is not ASCII.
        lengths: the number of these characters of each text, shape (n,).
        others: the chunks that are not ASCII.
    """

    characters: Unsigned8
    lengths: Integers
    others: list[str]


class JoinedTexts(Sequence[str]):
    r"""Texts that several functions read, joined once.

    Args:
        texts: the texts.

    >>> parted = JoinedTexts.of(["A “cat”", "ate\u2003crème brûlée."]).plain
    >>> parted.characters.tobytes(), parted.lengths.tolist(), parted.others
    (b'A "cat"ate \x80 \x80', [7, 7], ['crème', 'brûlée.'])
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts

    def __len__(self) -> int:
        return len(self._texts)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        return self._texts[place]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    @classmethod
    def of(cls, texts: Sequence[str]) -> JoinedTexts:
        """Return texts joined, unless they are already."""
        return texts if isinstance(texts, JoinedTexts) else cls(texts)

    @cached_property
    def lengths(self) -> Integers:
        """The number of characters of each text, shape (n,)."""
        return np.fromiter(map(len, self._texts), np.int64, len(self))

    def part(self, piece: slice) -> JoinedTexts:
        """Return some of the texts."""
        of_piece = JoinedTexts(self[piece])
        of_piece.lengths = self.lengths[piece]
        return of_piece

    def __add__(self, others: JoinedTexts) -> JoinedTexts:
        """Return these texts and then others."""
        both = JoinedTexts([*self, *others])
        both.lengths = np.concatenate([self.lengths, others.lengths])
        return both

    @cached_property
    def encoded(self) -> bytes:
        """All texts after one another, in UTF-8."""
        try:
            return b"".join(map(str.encode, self._texts))  # faster than joining them first if some are not ASCII
        except UnicodeEncodeError:  # a lone surrogate
            return "".join(self._texts).encode("utf-8", "surrogatepass")

    @cached_property
    def utf8(self) -> Unsigned8:
        """The same as an array."""
        return np.frombuffer(self.encoded, dtype=np.uint8)

    @cached_property
    def plain(self) -> PartedTexts:
        """The texts parted, with plain signs in place of typographic ones."""
        return self.parted(PLAIN)

    def parted(self, plain: Mapping[int, str | None], *, is_ascii_read: bool = True) -> PartedTexts:
        """Part what is ASCII from all else. NUL counts as another character: it pads the keys of the kernels' tables.

        Args:
            plain: ASCII replacements of other characters, at most three characters for each. In texts with other
                characters it applies to ASCII characters too.
            is_ascii_read: whether a kernel reads chunks of ASCII; if not, they are others as well.
        """
        if is_ascii_read and self.encoded.isascii() and 0 not in self.encoded:
            return PartedTexts(self.utf8, self.lengths, [])
        characters = np.empty(len(self.utf8), dtype=np.uint8)
        others = np.empty(len(self.utf8) + len(self), dtype=np.uint8)  # at most, with the line ends
        lengths, sizes = np.empty(len(self), dtype=np.int64), np.empty(2, dtype=np.int64)
        signs = _sign_table(plain)
        native.call(
            "part_ascii", self.utf8, self.lengths, *signs, not is_ascii_read, characters, others, lengths, sizes
        )
        lines = others[: sizes[1]].tobytes().decode("utf-8", "surrogatepass")
        return PartedTexts(characters[: sizes[0]], lengths, lines.split("\n")[:-1])


def _sign_table(plain: Mapping[int, str | None]) -> tuple[Unsigned32, Unsigned32]:
    """Return signs in order, and the replacement of each: characters from the lowest byte on, none in 0."""
    signs = sorted(plain)
    written = [int.from_bytes((plain[sign] or "").encode("ascii"), "little") for sign in signs]
    return np.array(signs, dtype=np.uint32), np.array(written, dtype=np.uint32)


_MOST_KEPT = 1 << 18  # chunks
_LONGEST_KEPT = 100  # characters
_END_OF_CHUNK = -1


class ChunkCache(dict[str, bytes]):
    """Maps a chunk to the bytes that a kernel reads in its place, filled on demand and emptied when it is full.

    Long chunks are not kept: they hardly recur, and would fill the memory.

    Args:
        write_chunks: gives the bytes of each chunk, with a mark of the end.
    """

    def __init__(self, write_chunks: Callable[[Sequence[str]], Iterable[bytes]]) -> None:
        super().__init__()
        self._write_chunks = write_chunks

    @classmethod
    def of_numbers(cls, encode_chunks: Callable[[Sequence[str]], list[list[int]]]) -> ChunkCache:
        """Return a cache of numbers: C ints, with −1 after those of each chunk."""
        return cls(lambda chunks: map(_packed, encode_chunks(chunks)))

    def __missing__(self, chunk: str) -> bytes:
        """Return the bytes of a chunk that is long, or was kept until another thread emptied the cache."""
        return next(iter(self._write_chunks([chunk])))

    def written(self, chunks: Sequence[str]) -> bytes:
        """Return the bytes of all chunks after one another."""
        unknown = filterfalse(self.__contains__, {*chunks})
        new = [chunk for chunk in unknown if len(chunk) <= _LONGEST_KEPT]
        if new:
            if len(self) + len(new) > _MOST_KEPT:
                self.clear()
            self.update(zip(new, self._write_chunks(new), strict=True))
        return b"".join(map(self.__getitem__, chunks))

    def encode(self, chunks: Sequence[str]) -> Integers32:
        """Return the numbers of all chunks after one another, with −1 after each chunk's."""
        return np.frombuffer(self.written(chunks), dtype=np.int32)


def _packed(numbers: list[int]) -> bytes:
    return array("i", [*numbers, _END_OF_CHUNK]).tobytes()


class TextEncoder(Portable):
    """Texts as the ids of a vocabulary, each between `BOS` and `EOS`; a token that it lacks is `UNK`.

    Typographic quotes and dashes become plain ones under this package's tokenisers, so that a chunk whose other
    characters are ASCII takes the fast way too.

    Args:
        tokenizer: cuts text into tokens.
        ids: the id of each token that it has, none of them `UNK`.
    """

    def __init__(self, tokenizer: Tokeniser, ids: Mapping[str, int]) -> None:
        self._tokenizer = tokenizer
        self._ids = ids
        self._mode = _KERNEL_MODES.get(type(tokenizer))

    @cached_property
    def _vocabulary(self) -> AsciiVocabulary:
        if self._mode is None:  # no kernel reads with it
            return index_vocabulary([], np.empty(0, dtype=np.int32), "whitespace")
        return index_vocabulary(list(self._ids), np.fromiter(self._ids.values(), np.int32, len(self._ids)), self._mode)

    @cached_property
    def _chunks(self) -> ChunkCache:
        return ChunkCache.of_numbers(self._encode_chunks)

    def _encode_chunks(self, chunks: Sequence[str]) -> list[list[int]]:
        split, ids = self._tokenizer.split_chunk, self._ids
        return [[ids.get(token, UNK) for token in split(chunk)] for chunk in chunks]

    def encode(self, texts: Sequence[str]) -> Integers32:
        """Return the ids of all texts after one another, each between the markers."""
        joined = JoinedTexts.of(texts)
        if self._mode in ("words", "wordpiece"):
            parted = joined.plain
        else:
            parted = joined.parted({}, is_ascii_read=self._mode is not None)
        encoded = self._chunks.encode(parted.others)
        out = np.empty(len(parted.characters) + 2 * len(joined) + len(encoded), dtype=np.int32)
        tables = self._vocabulary, UNK, BOS, EOS
        return out[: native.call("encode_ascii", parted.characters, parted.lengths, encoded, *tables, out)]
