"""Texts to token ids: `native/ascii_tokens.cpp` for ASCII, the tokeniser itself for all else.

Most English text is ASCII, in which letters, digits and white space are known without tables. Both ways give the same
ids.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referenceless_metrics.core.files.archived import Portable
from referenceless_metrics.core.files.packed_strings import PackedStrings
from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.validation import Integers, Integers32, Unsigned32, Unsigned64
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


class AsciiTexts(NamedTuple):
    """Texts of ASCII as a kernel reads them, and those that are none.

    Attributes:
        characters: the characters of all texts of ASCII after one another, uint8.
        lengths: the number of characters of each text, shape (n,); −1 for one that is not of ASCII.
        others: the texts that are not.
    """

    characters: NDArray[np.uint8]
    lengths: Integers
    others: list[str]


def part_ascii(texts: Sequence[str], plain: Mapping[int, str | None] | None = None) -> AsciiTexts:
    """Part texts of ASCII from others.

    Args:
        texts: n texts. One with a NUL counts as another: it pads the keys of the kernels' tables.
        plain: ASCII replacements of other characters, at most three characters for each; None if there are none. In
            texts with such characters it applies to ASCII characters too.
    """
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    joined = "".join(texts)
    if joined.isascii() and "\0" not in joined:
        return AsciiTexts(np.frombuffer(joined.encode("ascii"), dtype=np.uint8), lengths, [])
    text = np.frombuffer(joined.encode("utf-8", "surrogatepass"), dtype=np.uint8)
    characters, own_lengths = np.empty(len(text), dtype=np.uint8), np.empty(len(texts), dtype=np.int64)
    size = native.call("part_ascii", text, lengths, *_sign_table(plain or {}), characters, own_lengths)
    others = [texts[i] for i in np.flatnonzero(own_lengths < 0).tolist()]
    return AsciiTexts(characters[:size], own_lengths, others)


def _sign_table(plain: Mapping[int, str | None]) -> tuple[Unsigned32, Unsigned32]:
    """Return signs in order, and the replacement of each: characters from the lowest byte on, none in 0."""
    signs = sorted(plain)
    written = [int.from_bytes((plain[sign] or "").encode("ascii"), "little") for sign in signs]
    return np.array(signs, dtype=np.uint32), np.array(written, dtype=np.uint32)


_MOST_KEPT = 1 << 19  # chunks
_LONGEST_KEPT = 100  # characters


class ChunkCache(dict[str, bytes]):
    """Maps a chunk to the numbers of its tokens, filled on demand and emptied when it is full.

    Long chunks are not kept: they hardly recur, and would fill the memory. The numbers are C ints in bytes: joining
    bytes is the fastest way in Python to put a text together.

    Args:
        encode_chunks: gives the numbers of each chunk's tokens.
        encode_ascii: gives the same numbers for n chunks of ASCII without NUL after one another, and the place of each
            chunk's first one among them, shape (n + 1,); None if no kernel knows the tokens.
    """

    def __init__(
        self,
        encode_chunks: Callable[[Sequence[str]], list[list[int]]],
        encode_ascii: Callable[[Sequence[str]], tuple[Integers32, Integers]] | None = None,
    ) -> None:
        super().__init__()
        self._encode_chunks = encode_chunks
        self._encode_ascii = encode_ascii

    def __missing__(self, chunk: str) -> bytes:
        """Return the numbers of a chunk that is long, or was kept until another thread emptied the cache."""
        return array("i", self._encode_chunks([chunk])[0]).tobytes()

    def encode(self, texts: Sequence[str], after: int, before: int | None = None) -> Integers32:
        """Return the numbers of all texts after one another.

        Args:
            texts: the texts.
            after: the number that follows those of each text.
            before: the number that comes before them; None for none.
        """
        split = [text.split() for text in texts]
        self._keep([*dict.fromkeys(chain.from_iterable(split))])
        begin, end = (b"" if marker is None else array("i", [marker]).tobytes() for marker in (before, after))
        lookup = self.__getitem__
        encoded = [b"".join([begin, *map(lookup, chunks), end]) for chunks in split]
        return np.frombuffer(b"".join(encoded), dtype=np.int32)

    def _keep(self, chunks: Sequence[str]) -> None:
        """Keep the short ones of distinct chunks that are not here yet; a kernel reads those of ASCII all at once."""
        new = [chunk for chunk in chunks if chunk not in self and len(chunk) <= _LONGEST_KEPT]
        if len(self) + len(new) > _MOST_KEPT:
            self.clear()
        by_kernel: list[str] = []
        if self._encode_ascii is not None:
            by_kernel = [chunk for chunk in new if chunk.isascii() and "\0" not in chunk]
            new = [chunk for chunk in new if not chunk.isascii() or "\0" in chunk]
        if new:
            self.update(zip(new, [array("i", numbers).tobytes() for numbers in self._encode_chunks(new)], strict=True))
        if by_kernel and self._encode_ascii is not None:
            numbers, begins = self._encode_ascii(by_kernel)
            packed, ends = numbers.tobytes(), (begins * numbers.itemsize).tolist()
            self.update(zip(by_kernel, [packed[begin:end] for begin, end in pairwise(ends)], strict=True))


class TextEncoder(Portable):
    """Texts as the ids of a vocabulary, each between `BOS` and `EOS`; a token that it lacks is `UNK`.

    Typographic quotes and dashes become plain ones under this package's tokenisers, so that a text whose other
    characters are ASCII takes the fast way too. Both ways give the same ids.

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
        numbers = np.fromiter(self._ids.values(), np.int32, len(self._ids))
        return index_vocabulary(list(self._ids), numbers, self._mode or "whitespace")

    @cached_property
    def _chunks(self) -> ChunkCache:
        # a chunk of a text that is tokenised already is one token, which the dictionary finds as fast
        by_kernel = self._encode_ascii if self._mode in ("words", "wordpiece") else None
        return ChunkCache(self._encode_chunks, by_kernel)

    def _encode_chunks(self, chunks: Sequence[str]) -> list[list[int]]:
        split, ids = self._tokenizer.split_chunk, self._ids
        return [[ids.get(token, UNK) for token in split(chunk)] for chunk in chunks]

    def _encode_ascii(self, chunks: Sequence[str]) -> tuple[Integers32, Integers]:
        """Return the ids of chunks of ASCII after one another, and the index of each chunk's first one."""
        ids = self.encode(chunks)
        is_marker = (ids == BOS) | (ids == EOS)
        begins = np.flatnonzero(ids == EOS) - 2 * np.arange(len(chunks)) - 1
        return ids[~is_marker], np.append(0, begins)

    def encode(self, texts: Sequence[str]) -> Integers32:
        """Return the ids of all texts after one another, each between the markers."""
        if self._mode is None:
            return self._encode_any(texts)
        parted = part_ascii(texts, None if self._mode == "whitespace" else PLAIN)
        encoded = self._encode_any(parted.others)
        out = np.empty(len(parted.characters) + 2 * len(texts) + len(encoded), dtype=np.int32)
        tables = self._vocabulary, UNK, BOS, EOS
        return out[: native.call("encode_ascii", parted.characters, parted.lengths, encoded, *tables, out)]

    def _encode_any(self, texts: Sequence[str]) -> Integers32:
        return self._chunks.encode(texts, before=BOS, after=EOS)
