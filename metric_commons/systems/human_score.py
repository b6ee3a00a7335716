"""What people think of systems: mean human ratings with intervals, and differences with their p.

Nothing here says anything of a system without ratings of its own outputs: estimates that were made from other systems'
ratings err by a bias that nobody has measured, and intervals that leave it out cover far less than they say.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from metric_commons.assessment.meta_evaluation import pearson
from metric_commons.support.validation import check_choice
from metric_commons.systems.crossed import Crossed
from metric_commons.systems.inference import LEVEL, Inference, expected_shrinkage, holm, on_scale, ratings_needed
from metric_commons.systems.output_ratings import SystemRatings, check_systems, selection_warnings
from metric_commons.systems.rated_means import difference_of, rated_systems

if TYPE_CHECKING:
    from metric_commons.report.drawing import Drawing

COMPARISONS = ("baseline", "all")
"""With what each system is compared: with the first, or each with each."""

Scale = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What people's answers say of a system.

    Attributes:
        system: its name.
        raters: from answers and estimates together, for these raters and for others.
        ratings_alone: from the answers.
        level: the nominal level of the intervals.
    """

    system: str
    raters: Crossed
    ratings_alone: Inference
    level: float

    @property
    def mean(self) -> Inference:
        """What is said, of these raters or of others; see `Crossed.said`."""
        return self.raters.said

    def interval(self, mean: Inference | None = None) -> tuple[float, float]:
        """Return the interval of `mean`, or of another inference of the same, within what is possible."""
        return (mean or self.mean).interval(self.level)

    @property
    def shrinkage(self) -> float:
        """By which share the estimates narrowed the interval; 0 where they are of no use."""
        alone = self.ratings_alone.width(self.level)
        return 1 - self.mean.width(self.level) / alone if alone else 0.0


@dataclass(frozen=True, kw_only=True)
class HumanScore(Finding):
    """The mean human rating of a system.

    Attributes:
        n_outputs: its outputs.
        n_rated: how many of them are rated.
        correlation: Pearson's, of ratings and estimates over the rated outputs; NaN where one of them does not vary.
        spread: the standard deviation of the outputs' ratings.
        scale: the ends of the ratings' scale; None where they were not named.
        enough: how many rated outputs would do for an interval that covers as it says; 0 where there are as many, and
            on a scale, where it does.
    """

    n_outputs: int
    n_rated: int
    correlation: float
    spread: float
    scale: Scale | None
    enough: int

    def interval(self, mean: Inference | None = None) -> tuple[float, float]:
        """Return the interval of `mean`, or of another inference of this system, on the scale where it is known."""
        if self.scale is None:
            return super().interval(mean)
        return on_scale(mean or self.mean, self.level, self.scale, self.n_rated)

    @property
    def expected_shrinkage(self) -> float:
        """The share that theory expects of estimates that correlate so with the ratings."""
        return expected_shrinkage(np.nan_to_num(self.correlation), self.n_rated, self.n_outputs)

    def ratings_needed(self, width: float, *, with_estimates: bool = True) -> int:
        """Return how many rated outputs an interval of a width needs; more than `n_outputs` where all are too few.

        Raises:
            ValueError: for a width that is not above 0.
        """
        used = np.nan_to_num(self.correlation) * with_estimates
        return ratings_needed(width, self.spread, correlation=used, n_outputs=self.n_outputs, level=self.level)


@dataclass(frozen=True, kw_only=True)
class Contrast(Finding):
    """How people's answers tell two systems apart.

    Attributes:
        baseline: the other system.
        n_items: how many items it rests on.
        sign_p: two-sided p of the sign test over these items.
        p_adjusted: p, adjusted for the number of comparisons (Holm).
    """

    baseline: str
    n_items: int
    sign_p: float
    p_adjusted: float = math.nan

    @property
    def p_value(self) -> float:
        """How probable a contrast as great as this is where people find the two alike, two-sided."""
        return self.mean.p_value()

    @property
    def is_shown(self) -> bool:
        """Whether the answers show a difference: the adjusted p is at most 1 − level."""
        return self.p_adjusted <= 1 - self.level


AnyContrast = TypeVar("AnyContrast", bound=Contrast)


def pairs_of(systems: Sequence[str], comparisons: str) -> list[tuple[str, str]]:
    """Return baseline and system of each comparison of systems, the baseline of all first."""
    check_choice(comparisons, "comparisons", COMPARISONS)
    return [pair for pair in combinations(systems, 2) if comparisons == "all" or pair[0] == systems[0]]


def adjusted(found: Sequence[AnyContrast]) -> tuple[AnyContrast, ...]:
    """Return contrasts with p adjusted for their number."""
    adjusted = holm([one.p_value for one in found])
    return tuple(replace(one, p_adjusted=p) for one, p in zip(found, adjusted, strict=True))


@dataclass(frozen=True, kw_only=True)
class HumanDifference(Contrast):
    """The difference of two systems' mean human ratings, the system's less the baseline's.

    Where all pairs differ by the same, p is that of the sign test.

    Attributes:
        paired: what is paired: "item and rater", "item", "some items", or "" for independent samples.
        scale: the ends of the ratings' scale; None where they were not named.
    """

    paired: str
    scale: Scale | None

    @property
    def _alike(self) -> bool:
        return bool(self.mean.standard_error == 0 and self.mean.value != 0)

    @property
    def p_value(self) -> float:
        """How probable a difference as great as this is where people rate the two alike."""
        return self.sign_p if self._alike else self.mean.p_value()

    @property
    def enough(self) -> int:
        """How many items would do for an interval that covers as it says; 0 where there are as many."""
        return self.raters.n_would_do

    def interval(self, mean: Inference | None = None) -> tuple[float, float]:
        """Return the interval of `mean`, or of another inference of this difference, on the scale where it is known."""
        low, high = super().interval(mean)
        if self.scale is None:
            return low, high
        most = self.scale[1] - self.scale[0]
        if self._alike:
            return on_scale(mean or self.mean, self.level, (-most, most), self.n_items)
        return max(low, -most), min(high, most)


@dataclass(frozen=True)
class HumanScores:
    """The mean human ratings of systems.

    Attributes:
        scores: one a system, the baseline first.
        differences: of each further system from the baseline, or of all pairs.
        level: the nominal level of the intervals, and of what is said after Holm's correction.
        warnings: what speaks against the rated outputs being a random part, in words.
    """

    scores: tuple[HumanScore, ...]
    differences: tuple[HumanDifference, ...]
    level: float
    warnings: tuple[str, ...]

    def to_pandas(self) -> Any:
        """Return a table of means and of differences with their intervals: `system`, `less`, `mean`, `low`, `high`."""
        import pandas

        both: list[Any] = [*self.scores, *self.differences]
        rows = [(one.system, getattr(one, "baseline", ""), one.mean.value, *one.interval()) for one in both]
        return pandas.DataFrame(rows, columns=["system", "less", "mean", "low", "high"])

    def plot(self) -> Drawing:
        """Draw the means and the differences with their intervals; a notebook shows it, and its `save` writes it."""
        from metric_commons.report.plots import human_scores_drawing

        return human_scores_drawing(self)

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the table, escaped, and what speaks against it."""
        warnings = "".join(f"<p>{escape(warning)}</p>" for warning in self.warnings)
        return f"{self.to_pandas()._repr_html_()}{warnings}"


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
    check_systems(systems, level, scale)
    rated = dict(zip([system.name for system in systems], rated_systems(systems), strict=True))
    scores, differences = [], []
    for one in systems:
        ratings, own = one.ratings[one.rated], rated[one.name]
        alone, found, _ = own.mean(level, skewed=True)
        scores.append(
            HumanScore(
                system=one.name,
                raters=found,
                ratings_alone=alone.said,
                level=level,
                n_outputs=len(one.ratings),
                n_rated=len(ratings),
                correlation=pearson(ratings, own.estimates[one.rated]),
                spread=float(ratings.std(ddof=1)),
                scale=scale,
                enough=alone.n_would_do if scale is None else 0,
            )
        )
    for baseline, system in pairs_of(list(rated), comparisons):
        alone, found, paired, n_items = difference_of(rated[system], rated[baseline], level)
        differences.append(
            HumanDifference(
                system=system,
                baseline=baseline,
                raters=found,
                ratings_alone=alone.said,
                level=level,
                paired=paired,
                n_items=n_items,
                sign_p=2 * 0.5**n_items,
                scale=scale,
            )
        )
    warnings = tuple(selection_warnings(systems, estimates_are_own=estimates_are_own))
    return HumanScores(tuple(scores), adjusted(differences), level, warnings)
