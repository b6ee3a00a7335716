"""Metrics with references that papers report, as functions on tokens: n-gram overlap, ROUGE-W, ROUGE-S and CIDEr-D.

ROUGE-W (Lin 2004, Section 3.2) is the longest common subsequence, runs of adjacent words counting more. With f(k) =
k^α, a run of k matches adds f(k) instead of k. With W from `weighted_lcs`, m and n words,

    recall = f⁻¹(W / f(m)),  precision = f⁻¹(W / f(n)),  f⁻¹(x) = x^(1/α).

ROUGE-S (Lin 2004, Section 4) is the overlap of pairs of words in their order, whatever stands between them.

CIDEr-D (Vedantam, Zitnick & Parikh 2015, Section 7) weighs n-grams by how few references of the set hold them. With
g_n(x) the vector of n-gram counts times log(N / df), over N segments of which df have the n-gram in a reference,

    CIDEr-D(x) = 10 / 4 · Σ_n mean over references s of  e^(−(|x| − |s|)² / 2σ²) · min(g_n(x), g_n(s)) · g_n(s)
                                                         / (‖g_n(x)‖ ‖g_n(s)‖),   n = 1 … 4, σ = 6.

A text's value depends on the references of the whole set: on one segment alone every weight is 0.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referenceless_metrics.core.support.validation import check_number, check_whole

ORDERS = (1, 2, 3, 4)
SCALE = 10.0

_Gram = tuple[str, ...]


class Overlap(NamedTuple):
    """Shares of a candidate that stands in a reference, and of the reference in the candidate.

    Attributes:
        precision: share of the candidate, in [0, 1]; 0 for an empty one.
        recall: share of the reference, likewise.
    """

    precision: float
    recall: float

    @property
    def fmeasure(self) -> float:
        """Their harmonic mean; 0 if both are 0."""
        return f_measure(self.precision, self.recall)


def f_measure(precision: float, recall: float, beta: float = 1.0) -> float:
    """Return (1 + β²) P R / (R + β² P); 0 if the denominator is 0.

    >>> f_measure(1.0, 0.5), f_measure(0.0, 0.0)
    (0.6666666666666666, 0.0)
    """
    below = recall + beta**2 * precision
    return (1 + beta**2) * precision * recall / below if below > 0 else 0.0


def ngram_counts(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    """Return the count of each n-gram of a text."""
    return Counter(tuple(tokens[place : place + order]) for place in range(len(tokens) - order + 1))


def overlap(candidate: Counter[Hashable], reference: Counter[Hashable], *, clip: bool = True) -> Overlap:
    """Return precision and recall of counted items.

    Args:
        candidate: counts of the candidate's items.
        reference: counts of the reference's.
        clip: whether an item of the candidate counts no more often than it stands in the reference, as in BLEU and
            ROUGE; without, a repeated word counts every time, and recall is of the reference's items that occur at all.
    """
    if clip:
        found = missing_none = float((candidate & reference).total())
    else:
        found = float(sum(count for item, count in candidate.items() if item in reference))
        missing_none = float(sum(count for item, count in reference.items() if item in candidate))
    return Overlap(found / max(1, candidate.total()), missing_none / max(1, reference.total()))


def ngram_overlap(candidate: Sequence[str], reference: Sequence[str], order: int = 1, *, clip: bool = True) -> Overlap:
    """Return precision and recall of n-grams.

    Args:
        candidate: its tokens.
        reference: its tokens.
        order: n, at least 1.
        clip: see `overlap`.

    >>> ngram_overlap(["i", "work"], ["i", "work", "on", "machine", "learning"])
    Overlap(precision=1.0, recall=0.4)
    """
    check_whole(order, "order", 1)
    return overlap(Counter(ngram_counts(candidate, order)), Counter(ngram_counts(reference, order)), clip=clip)


def weighted_lcs(first: Sequence[str], second: Sequence[str], weight: float = 1.2) -> float:
    """Return the weighted longest common subsequence of two token lists, by the paper's table.

    A cell (i, j) whose tokens match extends the run of (i − 1, j − 1); any other takes the larger neighbour, and ends
    the run. As in the paper, a match is always taken.

    Args:
        first: tokens.
        second: tokens.
        weight: α of f(k) = k^α, at least 1.

    >>> round(weighted_lcs("abcdefg", "abcdhik"), 3), round(weighted_lcs("abcdefg", "ahbkcid"), 3)
    (5.278, 4.0)
    """
    check_number(weight, "weight", 1.0)
    gains = [(run + 1) ** weight - run**weight for run in range(min(len(first), len(second)) + 1)]
    row, runs = [0.0] * (len(second) + 1), [0] * (len(second) + 1)
    for token in first:
        corner, corner_run = 0.0, 0
        for place, other in enumerate(second, start=1):
            above, above_run = row[place], runs[place]
            if token == other:
                row[place], runs[place] = corner + gains[corner_run], corner_run + 1
            else:
                row[place], runs[place] = max(above, row[place - 1]), 0
            corner, corner_run = above, above_run
    return row[-1]


def rouge_w(candidate: Sequence[str], reference: Sequence[str], weight: float = 1.2) -> Overlap:
    """Return precision and recall of ROUGE-W; 0 for an empty side."""
    if not candidate or not reference:
        return Overlap(0.0, 0.0)
    found = weighted_lcs(candidate, reference, weight)
    return Overlap(*((found / len(side) ** weight) ** (1 / weight) for side in (candidate, reference)))


def skip_bigrams(tokens: Sequence[str], max_skip: int | None = None) -> Counter[tuple[str, str]]:
    """Return the count of each pair of words of a text, in this order.

    Args:
        tokens: n tokens, of which there are n (n − 1) / 2 pairs.
        max_skip: most words between the two; None for any number.

    >>> sorted(skip_bigrams(["a", "b", "c"]))
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    >>> sorted(skip_bigrams(["a", "b", "c"], max_skip=0))
    [('a', 'b'), ('b', 'c')]
    """
    reach = len(tokens) if max_skip is None else max_skip + 1
    return Counter(
        (first, second) for place, first in enumerate(tokens) for second in tokens[place + 1 : place + 1 + reach]
    )


def rouge_s(candidate: Sequence[str], reference: Sequence[str], max_skip: int | None = None) -> Overlap:
    """Return precision and recall of skip-bigrams; 0 for a side of fewer than two words."""
    return overlap(Counter(skip_bigrams(candidate, max_skip)), Counter(skip_bigrams(reference, max_skip)))


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
        sigma: standard deviation of the Gaussian penalty on differences of length, in words.

    >>> cider_d([["a", "b"], ["c"]], [[["a", "b"]], [["d"]]]).round(3).tolist()
    [5.0, 0.0]
    """
    check_number(sigma, "sigma", 1e-9)
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
