"""What people think of systems: mean human ratings with intervals, and differences with their p.

Nothing here says anything of a system without ratings of its own outputs: estimates that were made from other systems'
ratings err by a bias that nobody has measured, and intervals that leave it out cover far less than they say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from metric_commons.assessment.meta_evaluation import pearson
from metric_commons.support.validation import check_choice
from metric_commons.systems.crossed import Crossed
from metric_commons.systems.inference import (
    LEVEL,
    Inference,
    expected_shrinkage,
    holm,
    on_scale,
    ratings_needed,
    without_heavy_tails,
)
from metric_commons.systems.output_ratings import (
    SystemRatings,
    check_systems,
    selection_warnings,
)
from metric_commons.systems.rated_means import RatedOutputs, difference_of, mean_of, rated_outputs

COMPARISONS = ("baseline", "all")
"""With what each system is compared: with the first, or each with each."""

Scale = tuple[float, float]


@dataclass(frozen=True)
class HumanScore:
    """The mean human rating of a system.

    Attributes:
        system: its name.
        n_outputs: its outputs.
        n_rated: how many of them are rated.
        mean: from ratings and estimates together.
        ratings_alone: from the ratings.
        raters: the mean for these raters and for others; its `said` is `mean`.
        power: λ of the inference: how far the estimates were used; 0 where they are of no use.
        correlation: Pearson's, of ratings and estimates over the rated outputs; NaN where one of them does not vary.
        spread: the standard deviation of the outputs' ratings.
        coverage: the share of outputs with an estimate.
        level: the nominal level of the intervals.
        scale: the ends of the ratings' scale; None where they were not named.
        enough: how many rated outputs would do for an interval that covers as it says; 0 where there are as many, and
            on a scale, where it does.
    """

    system: str
    n_outputs: int
    n_rated: int
    mean: Inference
    ratings_alone: Inference
    raters: Crossed
    power: float
    correlation: float
    spread: float
    coverage: float
    level: float
    scale: Scale | None = None
    enough: int = 0

    def interval(self, mean: Inference | None = None) -> tuple[float, float]:
        """Return the interval of `mean`, or of another inference of this system, on the scale where it is known."""
        mean = mean or self.mean
        return mean.interval(self.level) if self.scale is None else on_scale(mean, self.level, self.scale, self.n_rated)

    @property
    def shrinkage(self) -> float:
        """By which share the estimates narrowed the interval; 0 where they are of no use."""
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
        baseline: the other's.
        mean: from ratings and estimates together; its `p_value()` is two-sided, of no difference.
        ratings_alone: from the ratings.
        raters: the difference for these raters and for others; its `said` is `mean`.
        paired: what is paired: "item and rater", "item", "some items", or "" for independent samples.
        n_pairs: how many pairs there are: items that both systems are rated on.
        level: the nominal level of the intervals.
        p_adjusted: p, adjusted for the number of comparisons (Holm).
        scale: the ends of the ratings' scale; None where they were not named.
        sign_p: p of the sign test, where all pairs differ by the same; NaN elsewhere.
    """

    system: str
    baseline: str
    mean: Inference
    ratings_alone: Inference
    raters: Crossed
    paired: str
    n_pairs: int
    level: float
    p_adjusted: float = float("nan")
    scale: Scale | None = None
    sign_p: float = float("nan")

    @property
    def p_value(self) -> float:
        """How probable a difference as great as this is where people rate the two alike."""
        return self.mean.p_value() if np.isnan(self.sign_p) else self.sign_p

    def interval(self, mean: Inference | None = None) -> tuple[float, float]:
        """Return the interval of `mean`, or of another inference of this difference, on the scale where it is known."""
        low, high = (mean or self.mean).interval(self.level)
        if self.scale is None:
            return low, high
        most = self.scale[1] - self.scale[0]
        if not np.isnan(self.sign_p):
            return on_scale(mean or self.mean, self.level, (-most, most), self.n_pairs)
        return max(low, -most), min(high, most)

    @property
    def enough(self) -> int:
        """How many items would do for an interval that covers as it says; 0 where there are as many."""
        return self.raters.n_would_do

    @property
    def is_shown(self) -> bool:
        """Whether the ratings show a difference: the adjusted p is at most 1 − level."""
        return self.p_adjusted <= 1 - self.level

    @property
    def shrinkage(self) -> float:
        """By which share the estimates narrowed the interval."""
        return _shrinkage(self)


@dataclass(frozen=True)
class HumanScores:
    """The mean human ratings of systems.

    Attributes:
        scores: one a system, the baseline first.
        differences: of each further system from the baseline, or of all pairs.
        level: the nominal level of the intervals, and of what is said after Holm's correction.
        comparisons: `baseline` or `all`.
        warnings: what speaks against the rated outputs being a random part, in words.
    """

    scores: tuple[HumanScore, ...]
    differences: tuple[HumanDifference, ...]
    level: float
    comparisons: str
    warnings: tuple[str, ...] = ()


def human_scores(
    systems: Sequence[SystemRatings],
    *,
    level: float = LEVEL,
    scale: Scale | None = None,
    comparisons: str = "baseline",
    estimates_are_own: bool = True,
) -> HumanScores:
    """Return the mean human rating of each system, and how systems differ.

    Differences use what is paired: outputs for one item by one rater, or for one item (see `crossed`).

    Args:
        systems: at least one, the baseline first; their ratings are on one scale.
        level: the nominal level of the intervals, in (0, 1).
        scale: the ends of the scale of the ratings, on which intervals then stay; None where it has none.
        comparisons: `baseline` (each further system with the first) or `all` (each with each); p values are adjusted
            for their number by Holm's procedure.
        estimates_are_own: whether the estimates were made without these ratings, so that they show whether the rated
            outputs are like the others.

    Raises:
        InputError: for no system, one without ratings of its own or with fewer than 10, ratings all alike on a scale
            that is not named, ratings off the scale, or scales of different sizes.
        ValueError: for unequal lengths, infinite numbers, unknown comparisons, or a level outside (0, 1).

    Example:
        >>> generator = np.random.default_rng(0)
        >>> ratings = np.where(np.arange(200) < 40, generator.normal(4, 1, 200), np.nan)
        >>> system = SystemRatings("ours", ratings, generator.normal(size=200))
        >>> score = human_scores([system]).scores[0]
        >>> score.n_rated, round(score.ratings_alone.value, 1)
        (40, 3.9)
    """
    check_choice(comparisons, "comparisons", COMPARISONS)
    check_systems(systems, level, scale)
    light = without_heavy_tails([system.estimates for system in systems])
    rated = rated_outputs([replace(one, estimates=values) for one, values in zip(systems, light, strict=True)])
    scores = tuple(_score(one, of, level, scale) for one, of in zip(systems, rated, strict=True))
    places = range(len(systems))
    pairs = [(0, other) for other in places[1:]] if comparisons == "baseline" else list(combinations(places, 2))
    found = [_difference(rated[other], rated[one], level, scale) for one, other in pairs]
    adjusted = holm([difference.p_value for difference in found])
    differences = tuple(replace(one, p_adjusted=p) for one, p in zip(found, adjusted, strict=True))
    warnings = tuple(selection_warnings(systems, estimates_are_own=estimates_are_own))
    return HumanScores(scores, differences, level, comparisons, warnings)


def _score(system: SystemRatings, of: RatedOutputs, level: float, scale: Scale | None) -> HumanScore:
    ratings = system.ratings[system.rated]
    alone, found, power = mean_of(of, level)
    return HumanScore(
        system=system.name,
        n_outputs=len(system.ratings),
        n_rated=len(ratings),
        mean=found.said,
        ratings_alone=alone.said,
        raters=found,
        power=power,
        correlation=pearson(ratings, of.estimates[system.rated]),
        spread=float(ratings.std(ddof=1)),
        coverage=float((~np.isnan(system.estimates)).mean()),
        level=level,
        scale=scale,
        enough=alone.n_would_do if scale is None else 0,
    )


def _difference(system: RatedOutputs, baseline: RatedOutputs, level: float, scale: Scale | None) -> HumanDifference:
    alone, found, paired, n_pairs = difference_of(system, baseline, level)
    same = found.said.standard_error == 0 and found.said.value != 0
    return HumanDifference(
        system=system.name,
        baseline=baseline.name,
        mean=found.said,
        ratings_alone=alone.said,
        raters=found,
        paired=paired,
        n_pairs=n_pairs,
        level=level,
        scale=scale,
        sign_p=2 * 0.5**n_pairs if same else float("nan"),
    )


def _or_zero(value: float) -> float:
    return 0.0 if np.isnan(value) else value


def _shrinkage(found: HumanScore | HumanDifference) -> float:
    alone = found.ratings_alone.width(found.level)
    return 1 - found.mean.width(found.level) / alone if alone else 0.0
