"""Settings of a recurrent estimator, and texts and sources as it reads them: rows of numbers with padding in front.

A text is put between <GO> and <STOP> and read from its end to its start; a meaning representation is read item by
item, each as act, slot and value (Dušek, Novikova & Rieser 2017, Section 2; the authors' program settles what the paper
leaves open).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from quality_estimation_metric.sources import Source, is_plain_text, parse_mr
from quality_estimation_metric.sources.base import split_words
from quality_estimation_metric.sources.delexicalise import delexicalise, delexicalise_mr
from referenceless_metrics.core.support.validation import Floats, Integers32, check_choice, check_ranges

PADDING, UNKNOWN = 0, 1
NOTHING = "<NONE>"
_GO, _STOP = "<GO>", "<STOP>"
Item = tuple[str, str, str]
PADDINGS = ("skip", "read")


@dataclass(frozen=True)
class GRUSettings:
    """Sizes and training of a recurrent estimator.

    The defaults are a small network for a few thousand rated texts on a CPU, of the shape that the paper describes
    (Dušek, Novikova & Rieser 2017, Section 2); settings that its text leaves open are those of its authors' program.

    Attributes:
        embedding: width of the embeddings of words and of a meaning representation's symbols.
        units: width of a GRU layer.
        layers: GRU layers of each of the two encoders.
        tanh_layers: fully connected layers after the encoders, each as wide as all final states,
            2 encoders × `layers` × `units`.
        dropout: share of the embedded inputs' elements that are set to 0 in training.
        learning_rate: learning rate of Adam.
        batch_size: rated texts per step.
        passes: passes over the rated texts, those with synthetic ones among them.
        synthetic_passes: number of passes that also see the synthetic texts, if there are any.
        synthetic_batch_size: texts per step in these.
        padding: `skip`: inputs that are shorter than the longest are not filled; `read`: texts are filled to
            `max_words` + 2 and meaning representations to `max_items` items with symbols that the network reads, as
            published.
        max_words: words of a text that are read at most.
        max_items: items of a meaning representation that are read at most.
        mean_start: whether the output starts at the mean rating, and not at 0.
    """

    embedding: int = 64
    units: int = 64
    layers: int = 1
    tanh_layers: int = 2
    dropout: float = 0.5
    learning_rate: float = 3e-3
    batch_size: int = 50
    passes: int = 18
    synthetic_passes: int = 2
    synthetic_batch_size: int = 200
    padding: str = "skip"
    max_words: int = 50
    max_items: int = 10
    mean_start: bool = True

    def __post_init__(self) -> None:
        """Check all of them."""
        ranges: dict[str, tuple[float, float]] = {
            "embedding units batch_size passes synthetic_batch_size max_words": (1, math.inf),
            "synthetic_passes max_items": (0, math.inf),
            "layers": (1, 64),
            "tanh_layers": (0, 64),
            "dropout": (0.0, 0.95),
            "learning_rate": (1e-8, 1.0),
        }
        check_ranges(self, ranges)
        check_choice(self.padding, "padding", PADDINGS)

    @property
    def width(self) -> int:
        """Width of all final states, and of the tanh layers."""
        return 2 * self.layers * self.units


class Prepared(NamedTuple):
    """A text and its source as the network reads them.

    Attributes:
        tokens: tokens of the text, lower-cased, values of the source replaced by their slots.
        items: items of the source; none for a text without one.
    """

    tokens: tuple[str, ...]
    items: tuple[Item, ...] = ()


def prepare(texts: Sequence[str], sources: Sequence[Source] | None, *, delexicalised: bool = True) -> list[Prepared]:
    """Return texts and sources as the network reads them.

    Args:
        texts: texts.
        sources: one per text, as `parse_mr` takes them; None for none. A source of plain text has one item per word.
        delexicalised: whether values of the source become their slots' names in both.

    Raises:
        TypeError: for a source of a type that is not known.
        ValueError: for a source that does not parse.
    """
    of_each = [()] * len(texts) if sources is None else sources
    return [_prepare(text, source, delexicalised) for text, source in zip(texts, of_each, strict=True)]


def _prepare(text: str, source: Source, delexicalised: bool) -> Prepared:
    triples = parse_mr(source)
    if is_plain_text(triples):
        words = [word for triple in triples for word in split_words(triple.value or "")]
        return Prepared(tuple(split_words(text)), tuple((NOTHING, NOTHING, word) for word in words))
    tokens = delexicalise(text, triples).tokens if delexicalised else tuple(split_words(text))
    items = delexicalise_mr(triples) if delexicalised else triples
    return Prepared(
        tokens,
        tuple((one.act or NOTHING, one.slot or NOTHING, NOTHING if one.value is None else one.value) for one in items),
    )


@dataclass(frozen=True)
class Examples:
    """Rated texts as numbers.

    Attributes:
        words: (n, T) numbers of words, padding first.
        meanings: (n, S) numbers of meaning symbols, padding first.
        ratings: (n,), NaN if there is none.
    """

    words: Integers32
    meanings: Integers32
    ratings: Floats

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self.words)


@dataclass(frozen=True)
class Vocabulary:
    """Numbers of words and of meaning symbols; 0 is padding, 1 a symbol that training has not seen.

    Attributes:
        words: words in the order of their numbers, from 2 on.
        symbols: meaning symbols likewise.
    """

    words: tuple[str, ...]
    symbols: tuple[str, ...]

    @classmethod
    def of(cls, texts: Sequence[Prepared]) -> Vocabulary:
        """Return the vocabulary of training texts, without any cut by frequency."""
        words = sorted({word for text in texts for word in text.tokens} | {_GO, _STOP})
        symbols = sorted({symbol for text in texts for item in text.items for symbol in _symbols(item)})
        return cls(tuple(words), tuple(symbols))

    @property
    def sizes(self) -> tuple[int, int]:
        """Numbers of different words and of symbols."""
        return len(self.words) + 2, len(self.symbols) + 2

    def encode(self, texts: Sequence[Prepared], ratings: ArrayLike | None, settings: GRUSettings) -> Examples:
        """Return texts and their meaning representations as numbers.

        Args:
            texts: n texts.
            ratings: rating of each; None for none.
            settings: settings with the most words and items that are read.
        """
        word_numbers = {word: number for number, word in enumerate(self.words, start=2)}
        symbol_numbers = {symbol: number for number, symbol in enumerate(self.symbols, start=2)}
        read = [
            [word_numbers.get(word, UNKNOWN) for word in (_GO, *text.tokens[: settings.max_words], _STOP)][::-1]
            for text in texts
        ]
        items = [
            [
                symbol_numbers.get(symbol, UNKNOWN)
                for item in text.items[: settings.max_items]
                for symbol in _symbols(item)
            ]
            for text in texts
        ]
        return Examples(
            words=_rows(read, settings.max_words + 2),
            meanings=_rows(items, 3 * settings.max_items),
            ratings=np.full(len(texts), np.nan) if ratings is None else np.asarray(ratings, dtype=float),
        )


def _symbols(item: Item) -> tuple[str, str, str]:
    """Mark a symbol with its place, so that a slot and a value of the same name are two."""
    act, slot, value = item
    return f"act {act}", f"slot {slot}", f"value {value}"


def _rows(numbers: Sequence[Sequence[int]], width: int) -> Integers32:
    out = np.full((len(numbers), width), PADDING, dtype=np.int32)
    for row, each in zip(out, numbers, strict=True):
        if each:
            row[width - len(each) :] = each
    return out
