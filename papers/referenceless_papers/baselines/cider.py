"""CIDEr-D (Vedantam, Zitnick & Parikh 2015, Section 7): n-grams weighted by how few references of the set hold them.

With g_n(x) the vector of n-gram counts times log(N / df), over N segments of which df have the n-gram in a reference,

    CIDEr-D(x) = 10 / 4 · Σ_n mean over references s of  e^(−(|x| − |s|)² / 2σ²) · min(g_n(x), g_n(s)) · g_n(s)
                                                         / (‖g_n(x)‖ ‖g_n(s)‖),   n = 1 … 4, σ = 6.

A text's value depends on the references of the whole set: on one segment alone every weight is 0.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metric_commons.integrations.sacrebleu import Streams
from metric_commons.support.validation import check_number
from metric_commons.support.words import rouge_words
from referenceless_papers.baselines.base import Baseline
from referenceless_papers.baselines.counts import ngram_counts

ORDERS = (1, 2, 3, 4)
SCALE = 10.0

_Gram = tuple[str, ...]


class _Vector(NamedTuple):
    weights: list[dict[_Gram, float]]
    norms: list[float]
    length: int


def cider_d(
    candidates: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str]]], sigma: float = 6.0
) -> NDArray[np.float64]:
    """Return CIDEr-D of each candidate, in [0, 10], shape (n,).

    Args:
        candidates: tokens of each.
        references: tokens of each reference of each candidate, at least one.
        sigma: how far lengths may differ.

    >>> cider_d([["a", "b"], ["c"]], [[["a", "b"]], [["d"]]]).round(3).tolist()
    [5.0, 0.0]
    """
    check_number(sigma, "sigma", minimum=1e-9)
    held: Counter[_Gram] = Counter()
    for own in references:
        held.update({gram for tokens in own for order in ORDERS for gram in ngram_counts(tokens, order)})
    total = math.log(max(1, len(references)))
    rarity = {gram: total - math.log(count) for gram, count in held.items()}

    def vector(tokens: Sequence[str]) -> _Vector:
        weights = [
            {gram: count * rarity.get(gram, total) for gram, count in ngram_counts(tokens, order).items()}
            for order in ORDERS
        ]
        return _Vector(weights, [math.hypot(*each.values()) for each in weights], len(tokens))

    return np.array(
        [
            _similarity(vector(tokens), [vector(reference) for reference in own], sigma)
            for tokens, own in zip(candidates, references, strict=True)
        ]
    )


def _similarity(candidate: _Vector, references: Sequence[_Vector], sigma: float) -> float:
    total = 0.0
    for reference in references:
        damping = math.exp(-((candidate.length - reference.length) ** 2) / (2 * sigma**2))
        for order in range(len(ORDERS)):
            norms = candidate.norms[order] * reference.norms[order]
            if norms:
                own = reference.weights[order]
                shared = sum(
                    min(weight, own[gram]) * own[gram]
                    for gram, weight in candidate.weights[order].items()
                    if gram in own
                )
                total += damping * shared / norms
    return SCALE * total / (len(ORDERS) * len(references))


class Cider(Baseline):
    """CIDEr-D on rouge-score's words, which leave punctuation out as the captions' evaluation does.

    Args:
        sigma: how far lengths may differ.
        references: reference streams to keep.
    """

    name: ClassVar[str] = "CIDEr-D"
    key: ClassVar[str] = "cider"
    bounds: ClassVar[tuple[float, float]] = (0.0, SCALE)

    def __init__(self, *, sigma: float = 6.0, references: Streams | None = None) -> None:
        check_number(sigma, "sigma", minimum=1e-9)
        self.sigma = float(sigma)
        super().__init__(references)

    def segment_values(self, texts: Sequence[str], references: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Return CIDEr-D of each text, shape (n,)."""
        words = [[rouge_words(reference) for reference in own] for own in references]
        return cider_d([rouge_words(text) for text in texts], words, self.sigma)

    def _signature_parts(self) -> dict[str, tuple[str, object]]:
        return {"sigma": ("sig", self.sigma), "rouge_tok": ("rt", "rouge_score")}
