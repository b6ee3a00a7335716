"""Share of equal systems that look different: with a metric chosen after the ratings, and with one named before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referenceless_metrics.core.support.validation import Floats
from referenceless_metrics.human_evaluation.inference.combined_estimates import combined_estimates
from referenceless_metrics.human_evaluation.inference.estimated_means import LEVEL
from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings
from referenceless_metrics.human_evaluation.inference.rated_means import difference_of, rated_systems
from referenceless_papers.public_table.columns import CONTROLS, LENGTH, METRICS
from referenceless_papers.public_table.rated_sets import RatedSet

FIVE = "SLOR", "WPSLOR", "Fluency", "ROUGE-LM (references)", LENGTH
"""The columns of the public table that a study could choose from."""


@dataclass(frozen=True)
class Choice:
    """The share of studies of two equal systems that show a difference.

    Attributes:
        n_rated: rated outputs of each system.
        alone: share by the ratings alone.
        named: share by ratings with the estimates of a metric that was named before, for each metric.
        best: share by the best of these and of the ratings alone.
        combined: share by all metrics as one, with weights that the ratings tell (`combined_estimates`).
    """

    n_rated: int
    alone: float
    named: tuple[float, ...]
    best: float
    combined: float


def estimates_of(rated: RatedSet) -> Floats:
    """Return the values of `FIVE` for a set's texts, shape (5, n)."""
    no_folds = np.zeros(len(rated), dtype=np.int64)
    return np.stack([({**METRICS, **CONTROLS})[name](rated, no_folds) for name in FIVE])


def choice(ratings: Floats, estimates: Floats, n_rated: int, *, n_draws: int, seed: int = 0) -> Choice:
    """Split rated texts at random into two systems, look at the ratings of some alone, and test the difference.

    Args:
        ratings: shape (n,).
        estimates: estimates by metric, shape (metrics, n).
        n_rated: texts of each half whose ratings are looked at.
        n_draws: studies.
        seed: seed of the splits.
    """
    generator, half = np.random.default_rng(seed), len(ratings) // 2
    items = [range(half), range(half, 2 * half)]
    none = np.full(half, np.nan)
    shown = np.zeros((n_draws, len(estimates) + 2), dtype=bool)
    for draw in range(n_draws):
        order = generator.permutation(len(ratings))
        halves = order[:half], order[half : 2 * half]
        known = [np.where(np.arange(half) < n_rated, ratings[rows], np.nan) for rows in halves]

        def p_value(estimates: Sequence[Floats], known: list[Floats] = known) -> float:
            both = zip("ab", known, estimates, items, strict=True)
            one, other = rated_systems([SystemRatings(*each) for each in both])
            return difference_of(one, other, LEVEL, with_estimates=True).with_estimates.said.p_value()

        by_metric = [[values[rows] for rows in halves] for values in estimates]
        tried = [[none, none], *by_metric, combined_estimates(by_metric, known, items)[0]]
        shown[draw] = [p_value(of_both) <= 1 - LEVEL for of_both in tried]
    alone, *named, combined = shown.mean(axis=0).tolist()
    return Choice(n_rated, alone, tuple(named), float(shown[:, :-1].any(axis=1).mean()), combined)
