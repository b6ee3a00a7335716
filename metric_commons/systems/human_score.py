"""What people think of systems: mean human ratings with intervals, and differences from a baseline with their p.

Nothing here says anything of a system without ratings of its own outputs: estimates that were made from other systems'
ratings err by a bias that nobody has measured, and intervals that leave it out cover far less than they say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metric_commons.assessment.conformal import check_level
from metric_commons.assessment.meta_evaluation import pearson
from metric_commons.support.errors import InputError
from metric_commons.systems.inference import (
    LEVEL,
    Inference,
    expected_shrinkage,
    mean_of_ratings,
    prediction_powered_mean,
    ratings_needed,
)
from metric_commons.systems.output_ratings import FROM_OTHERS, check_same_scale

FEWEST_RATINGS = 10
"""Below it neither a variance nor a correlation is known well enough for an interval."""


@dataclass(frozen=True, eq=False)
class SystemRatings:
    """One system's outputs as the inference sees them.

    Attributes:
        name: the system's name.
        ratings: of its n outputs, shape (n,), float64, NaN where an output is unrated. The rated ones are to be a
            random part.
        estimates: of the same outputs by a metric, shape (n,), float64, in any unit, NaN where it abstains. None may be
            made with the rating of its own text (see `cross_fitting`).
    """

    name: str
    ratings: NDArray[np.float64]
    estimates: NDArray[np.float64]

    @property
    def rated(self) -> NDArray[np.bool_]:
        """Which outputs are rated, shape (n,)."""
        return ~np.isnan(self.ratings)


@dataclass(frozen=True)
class HumanScore:
    """The mean human rating of a system.

    Attributes:
        system: its name.
        n_outputs: its outputs.
        n_rated: how many of them are rated.
        mean: from ratings and estimates together.
        ratings_alone: from the ratings.
        power: λ of the inference: how far the estimates were used; 0 where they are of no use.
        correlation: Pearson's, of ratings and estimates over the rated outputs; NaN where one of them does not vary.
        spread: the standard deviation of the ratings.
        coverage: the share of outputs with an estimate.
        level: the nominal level of the intervals.
    """

    system: str
    n_outputs: int
    n_rated: int
    mean: Inference
    ratings_alone: Inference
    power: float
    correlation: float
    spread: float
    coverage: float
    level: float

    @property
    def shrinkage(self) -> float:
        """By which share the estimates narrowed the interval; about 0 where they are of no use."""
        return _shrinkage(self)

    @property
    def expected_shrinkage(self) -> float:
        """The share that theory expects of estimates that correlate so with the ratings."""
        return expected_shrinkage(_or_zero(self.correlation), self.n_rated, self.n_outputs)

    def ratings_needed(self, width: float, *, with_estimates: bool = True) -> int:
        """Return how many rated outputs an interval of a width needs; more than `n_outputs` where all are too few.

        Raises:
            ValueError: for a width that is not above 0.
        """
        used = _or_zero(self.correlation) if with_estimates else 0.0
        return ratings_needed(width, self.spread, correlation=used, n_outputs=self.n_outputs, level=self.level)


@dataclass(frozen=True)
class HumanDifference:
    """The difference of two systems' mean human ratings, the system's less the baseline's.

    Attributes:
        system: the system's name.
        baseline: the baseline's.
        mean: from ratings and estimates together; its `p_value()` is two-sided, of no difference.
        ratings_alone: from the ratings.
        level: the nominal level of the intervals.
    """

    system: str
    baseline: str
    mean: Inference
    ratings_alone: Inference
    level: float

    @property
    def p_value(self) -> float:
        """How probable a difference as great as this is where people rate the two alike."""
        return self.mean.p_value()

    @property
    def shrinkage(self) -> float:
        """By which share the estimates narrowed the interval."""
        return _shrinkage(self)


@dataclass(frozen=True)
class HumanScores:
    """The mean human ratings of systems.

    Attributes:
        scores: one a system, the baseline first.
        differences: of each further system from the baseline.
        level: the nominal level of the intervals.
    """

    scores: tuple[HumanScore, ...]
    differences: tuple[HumanDifference, ...]
    level: float


def human_scores(systems: Sequence[SystemRatings], *, level: float = LEVEL) -> HumanScores:
    """Return the mean human rating of each system, and how it differs from the first one's.

    Systems are taken as rated independently of each other. Where they are rated on the same inputs and rise and fall
    together, the intervals of differences are somewhat wider than they need be.

    Args:
        systems: at least one, the baseline first; their ratings are on one scale.
        level: the nominal level of the intervals, in (0, 1).

    Raises:
        InputError: for no system, one without ratings of its own or with fewer than 10, ratings all alike, or scales of
            different sizes.
        ValueError: for unequal lengths, infinite numbers, or a level outside (0, 1).

    Example:
        >>> generator = np.random.default_rng(0)
        >>> ratings = np.where(np.arange(200) < 40, generator.normal(4, 1, 200), np.nan)
        >>> system = SystemRatings("ours", ratings, generator.normal(size=200))
        >>> score = human_scores([system]).scores[0]
        >>> score.n_rated, round(score.ratings_alone.value, 1)
        (40, 3.9)
    """
    check_level(level)
    if not systems:
        raise InputError("there is no system to score: name at least one, with its outputs and their ratings")
    for system in systems:
        _check(system)
    check_same_scale({system.name: system.ratings for system in systems})
    scores = tuple(_score(system, level) for system in systems)
    differences = tuple(
        HumanDifference(
            score.system,
            scores[0].system,
            score.mean - scores[0].mean,
            score.ratings_alone - scores[0].ratings_alone,
            level,
        )
        for score in scores[1:]
    )
    return HumanScores(scores, differences, level)


def _check(system: SystemRatings) -> None:
    name, ratings, estimates = system.name, system.ratings, system.estimates
    if ratings.ndim != 1 or ratings.shape != estimates.shape:
        raise ValueError(
            f"Expected the `ratings` and `estimates` of {name} to be vectors of one length, but got shapes "
            f"{ratings.shape} and {estimates.shape}"
        )
    if np.isinf(ratings).any() or np.isinf(estimates).any():
        raise ValueError(f"Expected the `ratings` and `estimates` of {name} to be finite or NaN, but one is infinite")
    known = ratings[system.rated]
    if not len(known):
        raise InputError(
            f"{name}: none of its {len(ratings)} outputs is rated, and nothing can be said of what people think of a "
            f"system from ratings of other systems: {FROM_OTHERS}; rate at least {FEWEST_RATINGS} outputs of {name}, "
            "drawn at random"
        )
    if len(known) < FEWEST_RATINGS:
        raise InputError(
            f"{name}: {len(known)} of its {len(ratings)} outputs {'are' if len(known) > 1 else 'is'} rated, too few "
            f"for an interval; rate at least {FEWEST_RATINGS}, drawn at random"
        )
    if np.ptp(known) == 0:
        raise InputError(
            f"{name}: all {len(known)} ratings are {known[0]:g}, so how much ratings vary is unknown and there is no "
            "interval; rate more outputs, or on a finer scale"
        )


def _score(system: SystemRatings, level: float) -> HumanScore:
    rated = system.rated
    ratings = system.ratings[rated]
    known = ~np.isnan(system.estimates)
    # An abstention stands for the mean estimate, for rated and unrated outputs alike, which biases nothing.
    estimates = np.where(known, system.estimates, system.estimates[known].mean() if known.any() else 0.0)
    mean, power = prediction_powered_mean(ratings, estimates[rated], estimates[~rated])
    return HumanScore(
        system=system.name,
        n_outputs=len(rated),
        n_rated=len(ratings),
        mean=mean,
        ratings_alone=mean_of_ratings(ratings),
        power=power,
        correlation=pearson(ratings, estimates[rated]),
        spread=float(ratings.std(ddof=1)),
        coverage=float(known.mean()),
        level=level,
    )


def _or_zero(value: float) -> float:
    return 0.0 if np.isnan(value) else value


def _shrinkage(found: HumanScore | HumanDifference) -> float:
    return 1 - found.mean.width(found.level) / found.ratings_alone.width(found.level)
