"""Do several criteria together show a false difference no more often than one, as Holm's correction says?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np

from referenceless_metrics.core.support.validation import Floats
from referenceless_metrics.human_evaluation.inference.crossed import crossed
from referenceless_metrics.human_evaluation.inference.estimated_means import holm
from referenceless_papers.study_designs.held import HeldCell, held
from referenceless_papers.study_designs.keeping import Task
from referenceless_papers.study_designs.simulation import p_values, steadied

N_SYSTEMS = 3
_SCALE = 1.0, 5.0
_LEVEL = 0.95
_OF_ITEM = 0.5
"""Share of the variance that systems' outputs of one item have in common."""
_APART = 2.0
"""Points by which the systems differ by the criterion that tells them apart."""


@dataclass(frozen=True)
class Criteria:
    """Studies of three systems by several criteria on a scale from 1 to 5, with one rating of each output by each.

    Attributes:
        n_criteria: number of criteria.
        correlation: correlation of the ratings of one output by two criteria.
        n_items: number of items.
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
    """Yield tasks that count studies that show a difference that is none, by criteria times comparisons."""
    for n_criteria in (2, 4):
        for correlation in (0.0, 0.7):
            for n_items in (20, 50):
                for is_one_different in (False, True):
                    kind = Criteria(n_criteria, correlation, n_items, is_one_different)
                    yield partial(_cells, kind, n_draws, seed)


def _cells(kind: Criteria, n_draws: int, seed: int) -> list[HeldCell]:
    p_values = p_of_comparisons(drawn_ratings(np.random.default_rng(seed), kind, n_draws))
    is_equal = np.repeat(np.arange(kind.n_criteria) >= kind.is_one_different, N_SYSTEMS - 1)
    shown, uncorrected = [], []
    for of_draw in p_values.T:
        is_shown = np.array(holm(of_draw.tolist())) <= 1 - _LEVEL
        shown.append(bool(is_shown[is_equal].any()))
        uncorrected.append(bool((of_draw[is_equal] <= 1 - _LEVEL).any()))
    note = f"Without the correction {np.mean(uncorrected):.1%}."
    size = f"{kind.n_items} items, {kind.n_compared} comparisons of equals"
    return [held("any false difference by any criterion", kind.name, size, shown, nominal=0.05, note=note)]


def p_of_comparisons(ratings: Floats) -> Floats:
    """Return p of each system's difference from the first by each criterion, as `human-score` gives it on a scale.

    Args:
        ratings: shape (criteria, systems, items, draws).

    Returns:
        Shape (criteria times comparisons, draws), the comparisons by one criterion together.
    """
    found = []
    n_items = ratings.shape[2]
    weights, items = np.full(n_items, 1 / n_items), np.arange(n_items)
    pairs = list(combinations(range(N_SYSTEMS), 2))
    for of_criterion in ratings:
        differences = [crossed(of_criterion[new] - of_criterion[old], weights, items) for old, new in pairs]
        said = steadied(differences, n_items, _SCALE[1] - _SCALE[0])
        found += [p_values(each[0]) for (old, _), each in zip(pairs, said, strict=True) if old == 0]
    return np.stack(found)


def drawn_ratings(generator: np.random.Generator, kind: Criteria, n_draws: int) -> Floats:
    """Return ratings, shape (criteria, systems, items, draws)."""

    def correlated(*shape: int) -> Floats:
        """Return normal values of each criterion, first axis, with unit variance."""
        common = math.sqrt(kind.correlation) * generator.normal(size=shape)
        return common + math.sqrt(1 - kind.correlation) * generator.normal(size=(kind.n_criteria, *shape))

    of_items = math.sqrt(_OF_ITEM) * correlated(1, kind.n_items, n_draws)
    opinions = of_items + math.sqrt(1 - _OF_ITEM) * correlated(N_SYSTEMS, kind.n_items, n_draws)
    if kind.is_one_different:
        opinions[0] += _APART * np.arange(N_SYSTEMS)[:, None, None] - _APART
    return np.asarray(np.clip(np.round(3.5 + opinions), *_SCALE))
