"""Texts to token ids: compiled code for ASCII, the tokeniser itself for all else."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from metric_commons.files.archived import Portable
from metric_commons.support.validation import Integers32
from slor_metric.tokenizers.words import (
    PLAIN,
    ChunkCache,
    Tokeniser,
    WhitespaceTokeniser,
    WordPieceTokeniser,
    WordTokeniser,
)

if TYPE_CHECKING:
    from slor_metric.tokenizers.compiled import AsciiVocabulary


_FEW = 1 << 15
"""Characters: fewer are read sooner than the vocabulary's tables are made, and code for them compiled."""


class _VocabularyCache(ChunkCache):
    def __init__(self, tokenizer: Tokeniser, ids: Mapping[str, int], unknown: int) -> None:
        super().__init__(tokenizer)
        self.ids, self.unknown = ids, unknown

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave out the chunks: what is pickled does not depend on what was looked up."""
        return type(self), (self.tokenizer, self.ids, self.unknown)

    def encode_chunk(self, chunk: str) -> list[int]:
        ids, unknown = self.ids, self.unknown
        return [ids.get(token, unknown) for token in self.tokenizer.split_chunk(chunk)]


class TextEncoder(Portable):
    """Texts as the ids of a vocabulary, each between two markers.

    Typographic quotes and dashes become plain ones under this package's tokenisers, so that a text whose other
    characters are ASCII takes the compiled way too. Both ways give the same ids.

    Args:
        tokenizer: cuts text into tokens.
        ids: the id of each token.
        unknown: the id of a token that is not among them.
        before: the marker before each text.
        after: the marker after it.
    """

    def __init__(self, tokenizer: Tokeniser, ids: Mapping[str, int], unknown: int, before: int, after: int) -> None:
        ids = {token: index for token, index in ids.items() if index != unknown}
        self._chunks = _VocabularyCache(tokenizer, ids, unknown)
        self._markers = before, after
        self._mode = _compiled_mode(tokenizer)

    @cached_property
    def _vocabulary(self) -> AsciiVocabulary:
        from slor_metric.tokenizers.compiled import index_vocabulary

        return index_vocabulary(self._chunks.ids, self._mode or "whitespace")

    def encode(self, texts: Sequence[str]) -> Integers32:
        """Return the ids of all texts after one another, each between the markers."""
        if self._mode is None or ("_vocabulary" not in vars(self) and sum(map(len, texts)) < _FEW):
            return self._encode_any(texts)
        others: list[str] = []
        lengths = list(map(len, texts))
        joined = "".join(texts)
        if not joined.isascii() or "\0" in joined:  # NUL pads the keys of the compiled code
            usual = list(texts)
            for i, text in enumerate(texts):
                if text.isascii() and "\0" not in text:
                    continue
                plain = text.translate(PLAIN) if self._mode != "whitespace" else text
                if plain.isascii() and "\0" not in text:
                    usual[i], lengths[i] = plain, len(plain)
                else:
                    others.append(text)
                    usual[i], lengths[i] = "", -1
            joined = "".join(usual)
        return self._encode_ascii(joined, lengths, self._encode_any(others))

    def _encode_any(self, texts: Sequence[str]) -> Integers32:
        lookup = self._chunks.__getitem__
        before, after = (array("i", [marker]).tobytes() for marker in self._markers)
        encoded = [b"".join([before, *map(lookup, text.split()), after]) for text in texts]
        # as writable as what compiled code gives: what reads it is compiled for one type alone
        return np.frombuffer(bytearray().join(encoded), dtype=np.int32)

    def _encode_ascii(self, joined: str, lengths: list[int], encoded: Integers32) -> Integers32:
        from slor_metric.tokenizers.compiled import encode_ascii

        out = np.empty(len(joined) + 2 * len(lengths) + len(encoded), dtype=np.int32)
        written = encode_ascii(
            np.frombuffer(joined.encode("ascii"), dtype=np.uint8),
            np.array(lengths, dtype=np.int64),
            encoded,
            *self._vocabulary,
            self._chunks.unknown,
            *self._markers,
            out,
        )
        return out[:written]


def _compiled_mode(tokenizer: Tokeniser) -> str | None:
    """Return the name of the compiled rules that do what a tokeniser does; None for a tokeniser of the user's own."""
    if type(tokenizer) is WordPieceTokeniser:
        return "wordpiece" if type(tokenizer.words) is WordTokeniser else None
    return {WordTokeniser: "words", WhitespaceTokeniser: "whitespace"}.get(type(tokenizer))
