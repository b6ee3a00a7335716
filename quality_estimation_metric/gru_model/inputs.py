"""Texts and meaning representations as rows of numbers: vocabularies, and padding before what is read.

A text is put between <GO> and <STOP> and read from its end to its start; a meaning representation is read item by
item, each as act, slot and value (Dušek, Novikova & Rieser 2017, Section 2, with the authors' program for what the
paper leaves open).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quality_estimation_metric.gru_model.settings import GRUSettings

PADDING, UNKNOWN = 0, 1
_GO, _STOP = "<GO>", "<STOP>"
Item = tuple[str, str, str]


@dataclass(frozen=True)
class Examples:
    """Rated texts as numbers.

    Attributes:
        words: (n, T) numbers of words, padding first.
        meanings: (n, S) numbers of meaning symbols, padding first.
        ratings: (n,), NaN where there is none.
        lengths: (n,) words and symbols of each together.
    """

    words: NDArray[np.int32]
    meanings: NDArray[np.int32]
    ratings: NDArray[np.float64]
    lengths: NDArray[np.int64]

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self.words)


@dataclass(frozen=True)
class Vocabulary:
    """Numbers of words and of meaning symbols; 0 is padding, 1 what training has not seen.

    Attributes:
        words: words in the order of their numbers, from 2 on.
        symbols: meaning symbols likewise.
    """

    words: tuple[str, ...]
    symbols: tuple[str, ...]

    @classmethod
    def of(cls, texts: Iterable[Sequence[str]], meanings: Iterable[Sequence[Item]]) -> Vocabulary:
        """Return the vocabulary of training texts, without any cut by frequency."""
        words = sorted({word for text in texts for word in text} | {_GO, _STOP})
        symbols = sorted({symbol for items in meanings for item in items for symbol in _symbols(item)})
        return cls(tuple(words), tuple(symbols))

    @property
    def sizes(self) -> tuple[int, int]:
        """How many numbers there are for words and for symbols."""
        return len(self.words) + 2, len(self.symbols) + 2

    def encode(
        self,
        texts: Sequence[Sequence[str]],
        meanings: Sequence[Sequence[Item]],
        ratings: Sequence[float] | NDArray[np.float64] | None,
        settings: GRUSettings,
    ) -> Examples:
        """Return texts and their meaning representations as numbers.

        Args:
            texts: tokens of each.
            meanings: items of each, as many as texts; empty for none.
            ratings: of each; None for none.
            settings: how much is read at most.
        """
        word_numbers = {word: number for number, word in enumerate(self.words, start=2)}
        symbol_numbers = {symbol: number for number, symbol in enumerate(self.symbols, start=2)}
        read = [
            [word_numbers.get(word, UNKNOWN) for word in (_GO, *text[: settings.max_words], _STOP)][::-1]
            for text in texts
        ]
        items = [
            [symbol_numbers.get(symbol, UNKNOWN) for item in each[: settings.max_items] for symbol in _symbols(item)]
            for each in meanings
        ]
        return Examples(
            words=_rows(read, settings.max_words + 2),
            meanings=_rows(items, 3 * settings.max_items),
            ratings=np.full(len(texts), np.nan) if ratings is None else np.asarray(ratings, dtype=np.float64),
            lengths=np.array([len(text) + len(each) for text, each in zip(read, items, strict=True)], dtype=np.int64),
        )


def _symbols(item: Item) -> tuple[str, str, str]:
    """Mark a symbol with its place, so that a slot and a value of the same name are two."""
    act, slot, value = item
    return f"act {act}", f"slot {slot}", f"value {value}"


def _rows(numbers: Sequence[Sequence[int]], width: int) -> NDArray[np.int32]:
    out = np.full((len(numbers), width), PADDING, dtype=np.int32)
    for row, each in zip(out, numbers, strict=True):
        if each:
            row[width - len(each) :] = each
    return out
