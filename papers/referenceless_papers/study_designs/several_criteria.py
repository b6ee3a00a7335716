"""Do several criteria together show a false difference no more often than one, as Holm's correction says?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from referenceless_metrics.core.support.validation import Floats
from referenceless_metrics.human_evaluation.inference.human_score import human_scores, scores_by_criterion
from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings
from referenceless_papers.study_designs.held import HeldCell, held
from referenceless_papers.study_designs.keeping import Task

N_SYSTEMS = 3
_SCALE = 1.0, 5.0
_LEVEL = 0.95
_OF_ITEM = 0.5
"""Share of the variance that systems' outputs of one item have in common."""
_APART = 2.0
"""By how many points the systems differ by the criterion that tells them apart."""


@dataclass(frozen=True)
class Criteria:
    """Studies of three systems by several criteria on a scale from 1 to 5, with one rating of each output by each.

    Attributes:
        n_criteria: how many.
        correlation: of the ratings of one output by two criteria.
        n_items: items.
        is_one_different: whether systems differ by the first criterion; they are equal by all others.
    """

    n_criteria: int
    correlation: float
    n_items: int
    is_one_different: bool

    @property
    def name(self) -> str:
        """The criteria in words."""
        differing = "the first tells systems apart" if self.is_one_different else "systems are equal by all"
        return f"{self.n_criteria} criteria that correlate at {self.correlation:g}, {differing}"

    @property
    def n_compared(self) -> int:
        """Comparisons of systems that people rate alike."""
        return (N_SYSTEMS - 1) * (self.n_criteria - self.is_one_different)


def criteria_tasks(_: str, n_draws: int, seed: int) -> Iterator[Task]:
    """Yield what draws how often a study shows any difference that is none, by criteria times comparisons."""
    for n_criteria in (2, 4):
        for correlation in (0.0, 0.7):
            for n_items in (20, 50):
                for is_one_different in (False, True):
                    kind = Criteria(n_criteria, correlation, n_items, is_one_different)
                    yield partial(_cells, kind, n_draws, seed)


def _cells(kind: Criteria, n_draws: int, seed: int) -> list[HeldCell]:
    generator = np.random.default_rng(seed)
    shown, uncorrected = [], []
    for _draw in range(n_draws):
        of_criteria = [human_scores(systems, scale=_SCALE) for systems in _drawn(generator, kind)]
        equal = [
            difference
            for scores in scores_by_criterion(of_criteria)[kind.is_one_different :]
            for difference in scores.differences
        ]
        shown.append(any(each.is_shown for each in equal))
        uncorrected.append(any(each.p_value <= 1 - _LEVEL for each in equal))
    note = f"Without the correction {np.mean(uncorrected):.1%}."
    size = f"{kind.n_items} items, {kind.n_compared} comparisons of equals"
    return [held("any false difference by any criterion", kind.name, size, shown, nominal=0.05, note=note)]


def _drawn(generator: np.random.Generator, kind: Criteria) -> list[list[SystemRatings]]:
    """Return the systems' ratings by each criterion."""

    def correlated(*shape: int) -> Floats:
        """Return normal values of each criterion, first axis, with unit variance."""
        common = math.sqrt(kind.correlation) * generator.normal(size=shape)
        return common + math.sqrt(1 - kind.correlation) * generator.normal(size=(kind.n_criteria, *shape))

    of_items = np.sqrt(_OF_ITEM) * correlated(1, kind.n_items)
    opinions = of_items + np.sqrt(1 - _OF_ITEM) * correlated(N_SYSTEMS, kind.n_items)
    if kind.is_one_different:
        opinions[0] += _APART * np.arange(N_SYSTEMS)[:, None] - _APART
    ratings = np.clip(np.round(3.5 + opinions), *_SCALE)
    none = np.full(kind.n_items, np.nan)
    return [
        [SystemRatings(f"system {number}", values, none) for number, values in enumerate(of_criterion)]
        for of_criterion in ratings
    ]
