"""The twin: Eq. 2 and Eq. 3 as anyone would type them, pair by pair, from dictionaries of n-grams."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from elementary import exp, log
from sacrebleu.metrics import BLEU

from bleu_neighbors_metric.kernels.bleu_star import BleuStarPool
from bleu_neighbors_metric.kernels.kernel import TextOptions

SACREBLEU_SMOOTH_VALUES = {"none": 0.0, "floor": 0.1, "add-k": 1.0, "exp": 0.0}


def bleu_star(candidates, pool, **options):
    """The product's BLEU* of every candidate and every pool text, shape (len(candidates), len(pool))."""
    return BleuStarPool(pool, TextOptions(**options)).similarities(candidates)


def tokens_of(text, tokenize):
    if tokenize == "char":
        return list(text)
    name = "char" if tokenize == "char-nospace" else tokenize
    return BLEU(tokenize=name).tokenizer(text.rstrip()).split()


def ngrams(tokens, order):
    return [tuple(tokens[at : at + order]) for at in range(len(tokens) - order + 1)]


@dataclass(frozen=True)
class Options:
    """The reading and comparison of texts."""

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
        self.counts = [Counter(ngrams(tokens, order)) for order in options.orders]


def similarity(x, s, options):
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
        total += log(hits / possible)
    return exp(min(0.0, 1 - s.length / x.length) + total / len(options.orders)) if any_match else 0.0


def similarities(candidates, pool, options):
    """BLEU* of each candidate and each pool text."""
    texts = [Text(text, options) for text in pool]
    return [[similarity(own, text, options) for text in texts] for own in (Text(c, options) for c in candidates)]


def estimate(
    similarities,
    ratings,
    *,
    empty,
    threshold=0.08,
    min_neighbors=5,
    max_fraction=0.66,
    weights="uniform",
):
    """Eq. 3: the estimate (NaN if undefined) and the number of neighbours."""
    neighbors = [] if empty else [i for i, value in enumerate(similarities) if value >= threshold * (1 - 1e-9)]
    if not min_neighbors <= len(neighbors) <= max_fraction * len(similarities) + 1e-9:
        return math.nan, len(neighbors)
    weight = [similarities[i] if weights == "similarity" else 1.0 for i in neighbors]
    if sum(weight) == 0:
        return math.nan, len(neighbors)
    return sum(w * ratings[i] for w, i in zip(weight, neighbors, strict=True)) / sum(weight), len(neighbors)
