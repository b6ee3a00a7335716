"""Texts to token ids: compiled code for ASCII, the tokeniser itself for all else."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from slor_metric.tokenizers.wordpiece import WordPieceTokeniser
from slor_metric.tokenizers.words import PLAIN, ChunkCache, Tokeniser, WhitespaceTokeniser, WordTokeniser

if TYPE_CHECKING:
    from slor_metric.tokenizers.ascii_vocabulary import AsciiVocabulary

__all__ = ["TextEncoder"]


class TextEncoder:
    """Texts as the ids of a vocabulary, each between two markers.

    Typographic quotes and dashes become plain ones under this package's tokenisers, so that a text whose other
    characters are ASCII takes the compiled way too. Both ways give the same ids.

    Args:
        tokeniser: cuts text into tokens.
        ids: the id of each token.
        unknown: the id of a token that is not among them.
        before: the marker before each text.
        after: the marker after it.
    """

    def __init__(self, tokeniser: Tokeniser, ids: Mapping[str, int], unknown: int, before: int, after: int) -> None:
        self._tokeniser = tokeniser
        self._ids = {token: index for token, index in ids.items() if index != unknown}
        self._unknown = unknown
        self._markers = before, after
        self._chunks = ChunkCache(tokeniser, self._ids, unknown)
        self._mode = _compiled_mode(tokeniser)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is found on demand: what is pickled does not change with use."""
        return {name: value for name, value in self.__dict__.items() if name != "_vocabulary"}

    @cached_property
    def _vocabulary(self) -> AsciiVocabulary:
        from slor_metric.tokenizers.ascii_vocabulary import index_vocabulary

        return index_vocabulary(self._ids, self._mode or "whitespace")

    def encode(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Return the ids of all texts after one another, each between the markers."""
        if self._mode is None:
            return self._encode_any(texts)
        others: list[str] = []
        lengths = list(map(len, texts))
        joined = "".join(texts)
        if not joined.isascii() or "\0" in joined:  # NUL pads the keys of the compiled code
            usual = list(texts)
            plain_already = list(map(str.isascii, texts))
            if "\0" in joined:
                plain_already = [
                    "\0" not in text and is_ascii for text, is_ascii in zip(texts, plain_already, strict=True)
                ]
            for i in [i for i, yes in enumerate(plain_already) if not yes]:
                text = texts[i]
                plain = text.translate(PLAIN) if self._mode != "whitespace" else text
                if plain.isascii() and "\0" not in text:
                    usual[i], lengths[i] = plain, len(plain)
                else:
                    others.append(text)
                    usual[i], lengths[i] = "", -1
            joined = "".join(usual)
        return self._encode_ascii(joined, lengths, self._encode_any(others))

    def _encode_any(self, texts: Sequence[str]) -> NDArray[np.int32]:
        lookup = self._chunks.__getitem__
        before, after = (array("i", [marker]).tobytes() for marker in self._markers)
        encoded = [b"".join([before, *map(lookup, text.split()), after]) for text in texts]
        return np.frombuffer(b"".join(encoded), dtype=np.int32)

    def _encode_ascii(self, joined: str, lengths: list[int], encoded: NDArray[np.int32]) -> NDArray[np.int32]:
        from slor_metric.tokenizers.compiled import encode_ascii

        vocabulary = self._vocabulary
        out = np.empty(len(joined) + 2 * len(lengths) + len(encoded), dtype=np.int32)
        written = encode_ascii(
            np.frombuffer(joined.encode("ascii"), dtype=np.uint8),
            np.array(lengths, dtype=np.int64),
            encoded,
            vocabulary.short,
            vocabulary.edges,
            vocabulary.ids,
            vocabulary.mode,
            self._unknown,
            *self._markers,
            out,
        )
        return out[:written]


def _compiled_mode(tokeniser: Tokeniser) -> str | None:
    """Return the name of the compiled rules that do what a tokeniser does; None for a tokeniser of the user's own."""
    if type(tokeniser) is WordPieceTokeniser:
        return "wordpiece" if type(tokeniser.words) is WordTokeniser else None
    return {WordTokeniser: "words", WhitespaceTokeniser: "whitespace"}.get(type(tokeniser))
