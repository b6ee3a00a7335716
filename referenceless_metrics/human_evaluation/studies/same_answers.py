"""Pairs of answers about one output: the number that two raters gave, and of those that are the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from math import comb

from referenceless_metrics.human_evaluation.studies.raters import Answer


def first_answers(answers: Sequence[Answer]) -> list[Answer]:
    """Return the first answer of each rater about each unit: later ones are repeats."""
    return list({(answer.rater, answer.unit): answer for answer in reversed(answers)}.values())[::-1]


def same_answers(answers: Sequence[Answer]) -> tuple[int, int]:
    """Return the number of pairs of raters of a unit whose first answers are the same, and the number of all pairs.

    >>> same_answers([Answer("ann", 1, 1, 1), Answer("bob", 1, 1, 1), Answer("eve", 1, 0, 0), Answer("ann", 2, 1, 1)])
    (1, 3)
    """
    of_unit: dict[Hashable, Counter[float]] = {}
    for answer in first_answers(answers):
        of_unit.setdefault(answer.unit, Counter())[answer.value] += 1
    n_same = sum(comb(count, 2) for counts in of_unit.values() for count in counts.values())
    return n_same, sum(comb(counts.total(), 2) for counts in of_unit.values())
