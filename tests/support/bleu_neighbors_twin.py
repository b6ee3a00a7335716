"""A second twin, for many pairs: BLEU* of one text and a pool from dictionaries of n-grams, with nothing of ours.

Slower than the product by four orders of magnitude, and faster than `bleu_neighbors_reference` by one: the n-grams of a
text are counted once, and not once for each pair.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bleu_neighbors_reference import SACREBLEU_SMOOTH_VALUES, tokens_of


@dataclass(frozen=True)
class Options:
    """How texts are read and compared."""

    tokenize: str = "char"
    orders: tuple[int, ...] = (2, 3, 4)
    smooth_method: str = "none"
    smooth_value: float | None = None
    clip: bool = True


class Text:
    """A text's n-grams of each order, counted."""

    def __init__(self, text: str, options: Options) -> None:
        tokens = tokens_of(text, options.tokenize)
        self.length = len(tokens)
        self.counts = [
            Counter(tuple(tokens[at : at + order]) for at in range(len(tokens) - order + 1)) for order in options.orders
        ]


def similarity(x: Text, s: Text, options: Options) -> float:
    """Eq. 2 with sacrebleu's smoothing."""
    value = SACREBLEU_SMOOTH_VALUES[options.smooth_method] if options.smooth_value is None else options.smooth_value
    total, halvings, any_match = 0.0, 0, False
    for order, own, other in zip(options.orders, x.counts, s.counts, strict=True):
        possible = float(x.length - order + 1)
        if possible <= 0:
            return 0.0
        shared = own.keys() & other.keys()
        hits = float(sum(min(own[ngram], other[ngram]) if options.clip else own[ngram] for ngram in shared))
        any_match = any_match or hits > 0
        if options.smooth_method == "add-k" and order > 1:
            hits, possible = hits + value, possible + value
        elif hits == 0 and options.smooth_method == "floor":
            hits = value
        elif hits == 0 and options.smooth_method == "exp":
            halvings += 1
            hits = 0.5**halvings
        if hits == 0:
            return 0.0
        total += math.log(hits / possible)
    return math.exp(min(0.0, 1 - s.length / x.length) + total / len(options.orders)) if any_match else 0.0


def similarities(candidates: Sequence[str], pool: Sequence[str], options: Options) -> list[list[float]]:
    """BLEU* of each candidate and each pool text."""
    texts = [Text(text, options) for text in pool]
    return [[similarity(own, text, options) for text in texts] for own in (Text(c, options) for c in candidates)]
