"""Counts that precision, recall and F are made of, on tokens: the arithmetic behind BLEU and ROUGE."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from metric_commons.support.validation import check_choice, check_number
from metric_commons.systems.baselines import MEASURES


class Overlap(NamedTuple):
    """How much of a candidate stands in a reference, and of the reference in the candidate.

    Attributes:
        precision: share of the candidate, in [0, 1]; 0 for an empty one.
        recall: share of the reference, likewise.
    """

    precision: float
    recall: float

    @property
    def fmeasure(self) -> float:
        """Their harmonic mean; 0 where both are 0."""
        return f_measure(self.precision, self.recall)

    def measure(self, name: str) -> float:
        """Return `precision`, `recall` or `fmeasure`."""
        check_choice(name, "measure", MEASURES)
        return float(getattr(self, name))


def f_measure(precision: float, recall: float, beta: float = 1.0) -> float:
    """Return (1 + β²) P R / (R + β² P); 0 where it has no denominator.

    >>> f_measure(1.0, 0.5), f_measure(0.0, 0.0)
    (0.6666666666666666, 0.0)
    """
    below = recall + beta**2 * precision
    return (1 + beta**2) * precision * recall / below if below > 0 else 0.0


def ngram_counts(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    """Return how often each n-gram stands in a text."""
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
    check_number(order, "order", minimum=1, integer=True)
    return overlap(Counter(ngram_counts(candidate, order)), Counter(ngram_counts(reference, order)), clip=clip)
