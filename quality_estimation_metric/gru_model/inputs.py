"""Settings of a recurrent estimator, and texts and sources as it reads them: rows of numbers with padding in front.

A text is put between <GO> and <STOP> and read from its end to its start; a meaning representation is read item by
item, each as act, slot and value (Dušek, Novikova & Rieser 2017, Section 2, with the authors' program for what the
paper leaves open).

Synthetic training texts are made by putting errors into texts whose rating is known, each lowering it (Section 3.2). A
text is distorted one to four times; each error picks a token at random, sparing articles and punctuation where it can,
and removes it, duplicates it in place or elsewhere, replaces it, or puts a random word before it. The text itself comes
along with its own rating, so that one text becomes five. These texts are tokens, so that a caller can hand over
delexicalised ones and fill the slots in again: an error then never falls inside a value.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from metric_commons.support.validation import Floats, Integers, Integers32, check_choice, check_ranges
from quality_estimation_metric.sources import Source, is_plain_text, parse_mr
from quality_estimation_metric.sources.base import split_words
from quality_estimation_metric.sources.delexicalise import delexicalise, delexicalise_mr

PADDING, UNKNOWN = 0, 1
NOTHING = "<NONE>"
_GO, _STOP = "<GO>", "<STOP>"
Item = tuple[str, str, str]
PADDINGS = ("skip", "read")


@dataclass(frozen=True)
class GRUSettings:
    """Sizes and training of a recurrent estimator.

    The defaults are a small network for a few thousand rated texts on a CPU, of the shape that the paper describes
    (Dušek, Novikova & Rieser 2017, Section 2), with what its text leaves open as its authors' program had it.

    Attributes:
        embedding: width of the embeddings of words and of a meaning representation's symbols.
        units: width of a GRU layer.
        layers: GRU layers of each of the two encoders.
        tanh_layers: fully connected layers after the encoders, each as wide as all final states,
            2 encoders × `layers` × `units`.
        dropout: share of the embedded inputs' elements that are set to 0 in training.
        learning_rate: of Adam.
        batch_size: rated texts a step.
        passes: passes over the rated texts, those with synthetic ones among them.
        synthetic_passes: how many of the passes also see the synthetic texts, where there are any.
        synthetic_batch_size: texts a step in these.
        padding: `skip`: what is shorter than the longest is not filled; `read`: texts are filled to `max_words` + 2
            and meaning representations to `max_items` items with symbols that the network reads, as published.
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
            "embedding units layers batch_size passes synthetic_batch_size max_words": (1, math.inf),
            "tanh_layers synthetic_passes max_items": (0, math.inf),
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
        tokens: of the text, lower-cased, values of the source replaced by their slots.
        items: of the source; none for a text without one.
    """

    tokens: tuple[str, ...]
    items: tuple[Item, ...] = ()


def prepare(texts: Sequence[str], sources: Sequence[Source] | None, *, delexicalised: bool = True) -> list[Prepared]:
    """Return texts and sources as the network reads them.

    Args:
        texts: texts.
        sources: one a text, as `parse_mr` takes them; None for none. A source of plain text is an item a word.
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
        ratings: (n,), NaN where there is none.
        lengths: (n,) words and symbols of each together.
    """

    words: Integers32
    meanings: Integers32
    ratings: Floats
    lengths: Integers

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
    def of(cls, texts: Sequence[Prepared]) -> Vocabulary:
        """Return the vocabulary of training texts, without any cut by frequency."""
        words = sorted({word for text in texts for word in text.tokens} | {_GO, _STOP})
        symbols = sorted({symbol for text in texts for item in text.items for symbol in _symbols(item)})
        return cls(tuple(words), tuple(symbols))

    @property
    def sizes(self) -> tuple[int, int]:
        """How many numbers there are for words and for symbols."""
        return len(self.words) + 2, len(self.symbols) + 2

    def encode(self, texts: Sequence[Prepared], ratings: ArrayLike | None, settings: GRUSettings) -> Examples:
        """Return texts and their meaning representations as numbers.

        Args:
            texts: n texts.
            ratings: of each; None for none.
            settings: how much is read at most.
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
            lengths=np.array([len(text) + len(each) for text, each in zip(read, items, strict=True)], dtype=np.int64),
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


MAX_ERRORS = 4
SPARED = frozenset(("!", "?", ",", ":", ".", "the", "a", "an"))
_REDRAWS = 100


def score_after(rating: float, errors: int) -> float:
    """Return the rating of a text after errors were put into it, which is never below 1.

    As the paper's text has it: the first error brings a rating of 5.5 or 6 to 4, and every other error takes off 1.

    Args:
        rating: of the text without errors.
        errors: how many.

    >>> [score_after(6, errors) for errors in range(5)]
    [6, 4.0, 3.0, 2.0, 1.0]
    >>> [score_after(5, errors) for errors in range(6)]
    [5, 4, 3, 2, 1.0, 1.0]
    """
    if errors == 0:
        return rating
    return max(1.0, 5.0 - errors if rating >= 5.5 else rating - errors)


class Distorter:
    """Puts errors into texts; random words come from the texts themselves, each by its frequency plus one.

    Args:
        texts: tokens of all texts that will be distorted.
        seed: of all that is drawn.

    Raises:
        ValueError: where no text holds a token.
    """

    def __init__(self, texts: Iterable[Sequence[str]], seed: int = 0) -> None:
        counts = Counter(token for text in texts for token in text)
        if not counts:
            raise ValueError("Expected argument `texts` to hold at least one token, but all are empty")
        self._words = list(counts)
        share = np.array([counts[word] + 1.0 for word in self._words])
        self._cumulative = np.cumsum(share / share.sum())
        self._rng = np.random.default_rng(seed)

    def distort(self, tokens: Sequence[str]) -> list[str]:
        """Return a text with one more error."""
        out = list(tokens)
        if not out:
            return [self._word("")]
        place = self._below(len(out))
        for _ in range(_REDRAWS):
            if out[place] not in SPARED:
                break
            place = self._below(len(out))
        kind = self._below(5 if len(out) > 1 else 4)
        if kind == 0:
            out.insert(place, out[place])
        elif kind == 1:
            out.insert(self._below(len(out) + 1), out[place])
        elif kind == 2:
            out[place] = self._word(out[place])
        elif kind == 3:
            out.insert(place, self._word(out[place]))
        else:
            del out[place]
        return out

    def _below(self, stop: int) -> int:
        return int(self._rng.random() * stop)

    def _word(self, other_than: str) -> str:
        word = other_than
        for _ in range(_REDRAWS):
            place = int(np.searchsorted(self._cumulative, self._rng.random(), side="right"))
            word = self._words[min(place, len(self._words) - 1)]
            if word != other_than:
                break
        return word


def synthesise(
    texts: Sequence[Prepared],
    ratings: Sequence[float],
    *,
    errors: int = MAX_ERRORS,
    after: Callable[[float, int], float] = score_after,
    seed: int = 0,
) -> list[tuple[Prepared, float]]:
    """Return each text as it is, and with 1 to `errors` errors, each version one error worse than the one before.

    Args:
        texts: n texts.
        ratings: of each, shape (n,); 6 for what people wrote.
        errors: how many errors at most.
        after: how a rating falls with errors.
        seed: of what is drawn.

    Returns:
        n × (1 + `errors`) texts with their ratings, those of a text one after another.

    >>> [rating for _, rating in synthesise([Prepared(("x", "is", "cheap"))], [6])]
    [6, 4.0, 3.0, 2.0, 1.0]
    """
    distorter = Distorter((text.tokens for text in texts), seed)
    made = []
    for text, rating in zip(texts, ratings, strict=True):
        made.append((text, rating))
        current = list(text.tokens)
        for number in range(1, errors + 1):
            current = distorter.distort(current)
            made.append((text._replace(tokens=tuple(current)), after(rating, number)))
    return made
