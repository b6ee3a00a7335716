"""Do the intervals hold? Draws from systems of which every output is rated, so that the truth is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from referenceless_metrics.core.support.validation import Floats
from referenceless_metrics.human_evaluation.inference.estimated_means import LEVEL, Inference
from referenceless_metrics.human_evaluation.inference.rated_means import RatedOutputs

Rated = tuple[Floats, Floats]
"""Ratings and estimates of a system's outputs, shape (n,) each, finite."""


@dataclass(frozen=True)
class Covered:
    """Record of the intervals of one mean, or difference of means.

    Attributes:
        name: name of the system, or "A − B".
        coverage: the share of draws whose interval holds the truth.
        of_ratings_alone: the same of intervals from the ratings alone.
        shrinkage: mean share by which estimates narrowed the interval.
    """

    name: str
    coverage: float
    of_ratings_alone: float
    shrinkage: float


@dataclass(frozen=True)
class Simulation:
    """Record of the intervals on systems whose outputs are all rated.

    Attributes:
        means: records of each system's mean.
        differences: records of each pair's difference.
        type_one: for each system, the share of draws in which two random halves of it differ significantly at 5 %.
    """

    means: tuple[Covered, ...]
    differences: tuple[Covered, ...]
    type_one: Mapping[str, float]


def simulate(
    systems: Mapping[str, Rated], n_rated: int, *, n_draws: int = 2000, level: float = LEVEL, seed: int = 12345
) -> Simulation:
    """Draw outputs of each system with replacement, look at the ratings of some alone, and count intervals that hold.

    A system's outputs stand for all that it could write: a draw has as many, and the human mean over all of them is the
    truth.

    Args:
        systems: ratings and estimates of all outputs, by system; each has at least `n_rated` + 2.
        n_rated: number of outputs of a draw whose ratings are looked at.
        n_draws: number of draws per system.
        level: the intervals' nominal level.
        seed: seed of the draws.
    """
    generator = np.random.default_rng(seed)
    drawn = {name: _draws(rated, n_rated, n_draws, generator) for name, rated in systems.items()}
    truth = {name: float(ratings.mean()) for name, (ratings, _) in systems.items()}
    means = tuple(_covered(name, drawn[name], truth[name], level) for name in systems)
    differences = tuple(
        _covered(
            f"{one} − {other}",
            [(_less(a, c), _less(b, d)) for (a, b), (c, d) in zip(drawn[one], drawn[other], strict=True)],
            truth[one] - truth[other],
            level,
        )
        for one, other in combinations(systems, 2)
    )
    type_one = {name: _type_one(rated, n_rated, n_draws, generator) for name, rated in systems.items()}
    return Simulation(means, differences, type_one)


def _draws(
    rated: Rated, n_rated: int, n_draws: int, generator: np.random.Generator
) -> list[tuple[Inference, Inference]]:
    ratings, estimates = rated
    draws = []
    for _ in range(n_draws):
        which = generator.integers(0, len(ratings), len(ratings))
        seen, unseen = which[:n_rated], which[n_rated:]
        draws.append(means(ratings[seen], estimates[seen], estimates[unseen]))
    return draws


def _covered(name: str, draws: list[tuple[Inference, Inference]], truth: float, level: float) -> Covered:
    held = np.zeros(2)
    widths = np.zeros(2)
    for draw in draws:
        for place, inference in enumerate(draw):
            low, high = inference.interval(level)
            held[place] += low <= truth <= high
            widths[place] += inference.width(level)
    coverage = held / len(draws)
    return Covered(name, float(coverage[0]), float(coverage[1]), float(1 - widths[0] / widths[1]))


def _type_one(rated: Rated, n_rated: int, n_draws: int, generator: np.random.Generator) -> float:
    ratings, estimates = rated
    half = len(ratings) // 2
    n_seen = min(n_rated, half - 2)
    found = 0
    for _ in range(n_draws):
        order = generator.permutation(len(ratings))
        one, other = (
            means(ratings[part[:n_seen]], estimates[part[:n_seen]], estimates[part[n_seen:]])[0]
            for part in (order[:half], order[half : 2 * half])
        )
        found += _less(one, other).p_value() < 0.05
    return found / n_draws


def means(
    ratings: Floats,
    estimates: Floats,
    unrated: Floats,
    power: float | None = None,
) -> tuple[Inference, Inference]:
    """Return the mean of ratings with the estimates of all outputs, and that of the ratings alone.

    Args:
        ratings: shape (n,), one of each rated output.
        estimates: estimates of these outputs, shape (n,).
        unrated: estimates of the others, shape (m,).
        power: λ of the inference; None for the best.
    """
    n, places = len(ratings), np.arange(len(ratings) + len(unrated))
    rated = RatedOutputs(ratings, places[:n], None, places, np.concatenate([estimates, unrated]))
    alone, found, _ = rated.mean(LEVEL, skewed=True, power=power)
    return found.said, alone.said


def _less(one: Inference, other: Inference) -> Inference:
    return one.plus(-other.value, other.standard_error**2, other.degrees_of_freedom)
