"""Which n-grams two texts share, to show why one is a neighbour of the other; the scores come from `bleu_star`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from bleu_neighbors_metric.tokenizers import CHARACTERS, tokenize


@dataclass(frozen=True)
class Overlap:
    """What BLEU* (Ethayarajh & Sadigh 2020, Eq. 2) is made of, for one candidate and one rated text.

    Attributes:
        orders: the n-gram orders, ascending.
        shared: how many of the candidate's n-grams of each order the rated text has too.
        possible: how many n-grams of each order the candidate has.
        brevity_penalty: β, in (0, 1].
    """

    orders: tuple[int, ...]
    shared: tuple[int, ...]
    possible: tuple[int, ...]
    brevity_penalty: float


@dataclass(frozen=True)
class Piece:
    """A stretch of a text, and whether n-grams that another text has too make it up."""

    text: str
    shared: bool


def overlap(candidate: str, other: str, *, tokenizer: str, orders: Iterable[int], clip: bool = True) -> Overlap:
    """Count what a candidate shares with a rated text.

    Args:
        candidate: the candidate x.
        other: the rated text s.
        tokenizer: a tokeniser's name.
        orders: the n-gram orders.
        clip: whether an n-gram counts at most as often as it stands in the rated text.

    >>> overlap("a cat sat", "a cat ran", tokenizer="13a", orders=(1, 2)).shared
    (2, 1)
    """
    x, s = tokenize(candidate, tokenizer), tokenize(other, tokenizer)
    ascending = tuple(sorted(orders))
    shared = []
    for order in ascending:
        theirs = Counter(ngrams(s, order))
        shared.append(
            sum(
                min(count, theirs[ngram]) if clip else count
                for ngram, count in Counter(ngrams(x, order)).items()
                if ngram in theirs
            )
        )
    possible = tuple(max(0, len(x) - order + 1) for order in ascending)
    penalty = math.exp(min(0.0, 1 - len(s) / len(x))) if x else 1.0
    return Overlap(ascending, tuple(shared), possible, penalty)


def highlight(text: str, others: Iterable[str], *, tokenizer: str, order: int) -> list[Piece]:
    """Cut a text into stretches inside and outside n-grams of one order that stand in any of some other texts.

    Args:
        text: the text to cut; the pieces' texts are it again, put together. Where a tokeniser rewrites a text, so
            that its tokens do not stand in it, they are its tokens with spaces between.
        others: texts to compare with.
        tokenizer: a tokeniser's name.
        order: the n-gram order.

    >>> highlight("a cat sat", ["the cat ran"], tokenizer="char", order=4)
    [Piece(text='a', shared=False), Piece(text=' cat ', shared=True), Piece(text='sat', shared=False)]
    """
    known = {ngram for other in others for ngram in ngrams(tokenize(other, tokenizer), order)}
    tokens = tokenize(text, tokenizer)
    inside = [False] * len(tokens)
    joined = [False] * len(tokens)  # whether a shared n-gram holds this token and the one before
    for start, ngram in enumerate(ngrams(tokens, order)):
        if ngram in known:
            inside[start : start + order] = [True] * order
            joined[start + 1 : start + order] = [True] * (order - 1)
    pieces: list[Piece] = []
    spread, rest = _spread(text, tokens, tokenizer)
    for (gap, token), is_shared, is_joined in zip(spread, inside, joined, strict=True):
        pieces += [Piece(gap, is_joined), Piece(token, is_shared)]
    return _merged([*pieces, Piece(rest, False)])


def ngrams(tokens: Sequence[str], order: int) -> list[tuple[str, ...]]:
    """Return the n-grams of a sequence of tokens, in order."""
    return list(zip(*(tokens[start:] for start in range(order)), strict=False))


def _spread(text: str, tokens: Sequence[str], tokenizer: str) -> tuple[list[tuple[str, str]], str]:
    """Return each token with what stands between it and the one before, and what follows the last."""
    if tokenizer == CHARACTERS:
        return [("", token) for token in tokens], ""
    found = []
    end = 0
    for token in tokens:
        start = text.find(token, end)
        if start < 0 or text[end:start].strip():  # the tokeniser wrote something else than stood there
            return [(" " if place else "", token) for place, token in enumerate(tokens)], ""
        found.append((text[end:start], token))
        end = start + len(token)
    return found, text[end:]


def _merged(pieces: Iterable[Piece]) -> list[Piece]:
    runs = groupby((piece for piece in pieces if piece.text), key=attrgetter("shared"))
    return [Piece("".join(piece.text for piece in run), shared) for shared, run in runs]
