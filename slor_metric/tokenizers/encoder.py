"""Texts to token ids: `native/ascii_tokens.cpp` for ASCII, the tokeniser itself for all else.

Most English text is ASCII, in which letters, digits and white space are known without tables. Both ways give the same
ids.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referenceless_metrics.core.files.archived import Portable
from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.validation import Integers, Integers32, Unsigned32, Unsigned64
from slor_metric.tokenizers.words import (
    BOS,
    EOS,
    PLAIN,
    UNK,
    ChunkCache,
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


def index_vocabulary(ids: Mapping[str, int], tokenizer: str) -> AsciiVocabulary:
    """Return the tables of a vocabulary's ASCII tokens.

    Args:
        ids: tokens with their ids, which are not negative.
        tokenizer: one of `_MODES`. With ``"wordpiece"``, tokens that begin with ``##`` continue a word.
    """
    ascii_ids = {token: index for token, index in ids.items() if token.isascii()}
    text = np.frombuffer("".join(ascii_ids).encode("ascii"), dtype=np.uint8)
    lengths = np.fromiter(map(len, ascii_ids), np.int64, len(ascii_ids))
    numbers = np.fromiter(ascii_ids.values(), np.int32, len(ascii_ids))
    whole = np.empty((_slots(len(ascii_ids)), 3), dtype=np.uint64)
    states = np.empty(len(text) + 2, dtype=np.int32)
    n_states, mode, seed = len(text), _MODES[tokenizer], native.SEED
    for _ in range(2):  # the second time the tree has as many slots as it needs
        whole[:], edges = _FREE, np.full((_slots(n_states), 2), -1, dtype=np.int32)
        n_states = native.call("index_vocabulary", text, lengths, numbers, mode, seed, whole, edges, states)
    return AsciiVocabulary(whole, edges, states[:n_states].copy(), mode, seed)


_FREE = np.uint64(0xFFFFFFFFFFFFFFFF)


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


class TextEncoder(Portable):
    """Texts as the ids of a vocabulary, each between `BOS` and `EOS`; a token that it lacks is `UNK`.

    Typographic quotes and dashes become plain ones under this package's tokenisers, so that a text whose other
    characters are ASCII takes the fast way too. Both ways give the same ids.

    Args:
        tokenizer: cuts text into tokens.
        ids: the id of each token.
    """

    def __init__(self, tokenizer: Tokeniser, ids: Mapping[str, int]) -> None:
        self._tokenizer = tokenizer
        self._ids = {token: index for token, index in ids.items() if index != UNK}
        self._mode = _KERNEL_MODES.get(type(tokenizer))

    @cached_property
    def _vocabulary(self) -> AsciiVocabulary:
        return index_vocabulary(self._ids, self._mode or "whitespace")

    @cached_property
    def _chunks(self) -> ChunkCache:
        return ChunkCache(lambda chunk: [self._ids.get(token, UNK) for token in self._tokenizer.split_chunk(chunk)])

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
        lookup = self._chunks.__getitem__
        before, after = (array("i", [marker]).tobytes() for marker in (BOS, EOS))
        encoded = [b"".join([before, *map(lookup, text.split()), after]) for text in texts]
        return np.frombuffer(b"".join(encoded), dtype=np.int32)
