"""Human scores of systems: mean ratings with intervals, and differences with their p.

Nothing here says anything of a system without ratings of its own outputs: estimates that were made from other systems'
ratings err by a bias that nobody has measured, and intervals that leave it out cover far less than they say.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from referenceless_metrics.assessment.meta_evaluation import pearson
from referenceless_metrics.core.support.validation import check_choice
from referenceless_metrics.human_evaluation.inference.along_metric import AlongMetric
from referenceless_metrics.human_evaluation.inference.borrowed_variance import (
    added_variances,
    interval_of_equal_differences,
    p_value_of_equal_differences,
)
from referenceless_metrics.human_evaluation.inference.crossed import Crossed
from referenceless_metrics.human_evaluation.inference.estimated_means import (
    LEVEL,
    Inference,
    first_level,
    holm,
    holm_levels,
    on_scale,
)
from referenceless_metrics.human_evaluation.inference.every_look import Watched
from referenceless_metrics.human_evaluation.inference.one_sided import OneSided, ends_of
from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings, check_systems, told_ends
from referenceless_metrics.human_evaluation.inference.rated_means import (
    MeanDifference,
    RatedOutputs,
    Shares,
    difference_of,
    rated_systems,
)
from referenceless_metrics.human_evaluation.inference.rater_weights import note_on_raters
from referenceless_metrics.human_evaluation.inference.selection_warnings import selection_warnings
from referenceless_metrics.human_evaluation.ratings.model_raters import MEANS, PEOPLE
from referenceless_metrics.human_evaluation.scores.paired import (
    wilson_interval,
)
from referenceless_metrics.human_evaluation.wording.phrases import listed

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.inference.unlike_items import UnlikeItems
    from referenceless_metrics.pages.drawing import Drawing

COMPARISONS = ("baseline", "all")
"""Systems with which each system is compared: the first, or all others."""

SAME_MEAN = 5e-5
"""Largest distance of two means that are told as one."""

OF_SCALE, OF_OTHERS = "the scale", "the other differences"
"""Sources of variance that is added to a difference's own; see `borrowed_variance`."""

_DECIMALS = 12
"""Decimals in which equal means agree, whatever the order of their sums."""

Scale = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Finding:
    """Finding from people's answers about a system.

    Attributes:
        system: its name.
        raters: the mean from answers and estimates together, for these raters and for others.
        ratings_alone: the mean from the answers.
        level: the nominal level of the intervals.
        given_by: who gave the answers; see `ratings.model_raters`.
        plain: the mean from the ratings in which all rated outputs, or pairs, count alike; NaN of preferences.
    """

    system: str
    raters: Crossed
    ratings_alone: Inference
    level: float
    given_by: str = PEOPLE
    plain: float = math.nan

    @property
    def mean(self) -> Inference:
        """Finding on these raters or on others; see `Crossed.said`."""
        return self.raters.said

    @property
    def is_weighted(self) -> bool:
        """Whether weights of raters who gave unequal numbers of ratings move the mean from the plain one."""
        return bool(abs(self.ratings_alone.value - self.plain) > SAME_MEAN)

    def interval(self, mean: Inference | None = None, level: float | None = None) -> tuple[float, float]:
        """Return the interval of `mean`, or of another inference of the same, within possible values.

        Args:
            mean: the inference whose interval is wanted; None for the finding's own.
            level: its nominal level; None for that of the finding.
        """
        return self._ends(mean or self.mean, level or self.level)

    def _ends(self, mean: Inference, level: float) -> tuple[float, float]:
        return mean.interval(level)

    @property
    def is_too_wide(self) -> bool:
        """Whether there are too few items to tell: the interval reaches as far as ratings can differ."""
        return False

    @property
    def shrinkage(self) -> float:
        """Share by which the estimates narrowed the interval; 0 if they are of no use."""
        alone = self.ratings_alone.width(self.level)
        return 1 - self.mean.width(self.level) / alone if alone else 0.0


@dataclass(frozen=True, kw_only=True)
class HumanScore(Finding):
    """The mean human rating of a system; its interval stays on the scale if that is known.

    Attributes:
        n_outputs: its outputs.
        n_rated: number of its rated outputs.
        correlation: Pearson's, of ratings and estimates over the rated outputs; NaN if one of them does not vary.
        scale: the ends of the ratings' scale; None if they were not named.
        highest: the highest possible mean, if the scale has no other end; infinite otherwise.
        told: the ends of the scale as the ratings tell them, if nobody named them (`told_ends`); None for unknown ends.
        share: numbers of ratings of 1 and of all ratings, of single answers of 0 and 1, whose mean is a share with
            Wilson's interval; None of other ratings.
        watched: the mean of ratings that are looked at as they come in; None of one look.
        reach: how far two ratings can lie apart: the width of the scale, or of the range of all ratings.
        has_two_answers: whether each of its ratings is 0 or 1.
    """

    n_outputs: int
    n_rated: int
    correlation: float
    scale: Scale | None
    highest: float = math.inf
    told: Scale | None = None
    share: tuple[int, int] | None = None
    watched: Watched | None = None
    reach: float = math.inf
    has_two_answers: bool = False

    @property
    def is_too_wide(self) -> bool:
        """Whether there are too few outputs to tell: the interval is as wide as the scale, or as ratings lie apart."""
        low, high = self.interval()
        return self.watched is None and self.mean.is_known and _reaches(high - low, self.reach)

    def _ends(self, mean: Inference, level: float) -> tuple[float, float]:
        if self.watched is not None:
            return self.watched.interval(level)
        if self.share is not None:
            return wilson_interval(*self.share, level)
        if not mean.is_known:
            return mean.interval(level)
        if self.scale is None and self.told is not None:
            if not mean.standard_error:
                return on_scale(mean, level, self.told, self.n_rated)
            low, high = mean.interval(level)
            return max(low, self.told[0]), min(high, self.told[1])
        if self.scale is None:
            low, high = mean.interval(level)
            return low, min(high, self.highest)
        return on_scale(mean, level, self.scale, self.n_rated)


def note_on_uncertain_ends(scores: Sequence[HumanScore]) -> list[str]:
    """Name the systems whose interval reaches more than twice as far to a side as Student's t would; none without.

    Hall's transformation is nearly vertical there: a rating more or less moves the end by much.
    """
    far = []
    for score in scores:
        low, high = score.interval()
        reach = score.mean.width(score.level) / 2
        arm = max(score.mean.value - low, high - score.mean.value)
        if score.watched is None and not score.is_too_wide and 0 < 2 * reach < arm < math.inf:
            far.append(score.system)
    if not far:
        return []
    return [
        f"{listed(far)}: one end of the interval of the mean lies more than twice as far off as that of Student's t. "
        "Few ratings of such skewness leave it uncertain, and one more or less moves it by much: have more outputs "
        "rated."
    ]


@dataclass(frozen=True, kw_only=True)
class Contrast(Finding):
    """Comparison of two systems by people's answers.

    Attributes:
        EQUAL: the mean if people find the two alike.
        EQUAL_TOLD: the same in words.
        baseline: the other system.
        n_items: number of items that it rests on.
        p_adjusted: p, adjusted for the number of comparisons (Holm).
        p_these_adjusted: `p_these`, adjusted likewise.
        level_adjusted: the level of the interval that agrees with it; see `holm_levels`.
        n_compared: the number of comparisons, of all systems and criteria, for which both are adjusted.
        n_clusters: number of clusters that the items lie in, such as documents; 0 if nobody named clusters.
        rated_by: the raters whose answers it rests on; none if they are not known.
    """

    EQUAL: ClassVar[float] = 0.0
    EQUAL_TOLD: ClassVar[str] = "0"
    baseline: str
    n_items: int
    p_adjusted: float = math.nan
    p_these_adjusted: float = math.nan
    level_adjusted: float = LEVEL
    n_compared: int = 1
    n_clusters: int = 0
    rated_by: frozenset[Hashable] = frozenset()

    @property
    def adjusted_interval(self) -> tuple[float, float]:
        """The interval that leaves out equality if and only if the adjusted p shows a difference."""
        return self.interval(level=self.level_adjusted)

    @property
    def p_value(self) -> float:
        """Probability of a contrast as great as this if people find the two alike, two-sided; 1 if unknown."""
        return self.mean.p_value(self.EQUAL)

    @property
    def p_these(self) -> float:
        """The same for these raters alone; `p_value` unless the finding is about raters in general and these differ."""
        these = self.raters.these
        if not self.raters.about_others or these is None or not these.is_known or not these.standard_error:
            return self.p_value
        return self._p_of(these)

    def _p_of(self, mean: Inference) -> float:
        """Return the two-sided p that a mean with a known error is that of equal systems."""
        return mean.p_value(self.EQUAL)

    @property
    def is_shown_of_these(self) -> bool:
        """Whether these raters' answers show a difference that is not shown of raters in general."""
        return not self.is_shown and self.p_these_adjusted <= 1 - self.level

    @property
    def level_of_plans(self) -> float:
        """The level of a further study: Holm's for the smallest p, since nobody knows the rank of this one there."""
        return first_level(self.level, self.n_compared)

    def detectable(self, times: float = 1.0, times_raters: float | None = None) -> float:
        """Return the least true contrast that is found with a power of .8 or more; see `Inference.detectable`.

        Args:
            times: times as many items.
            times_raters: times as many raters, if the finding is about raters in general; None for as many times.
        """
        if self.raters.about_others and self.raters.these is not None:
            return self.raters.detectable(self.level_of_plans, times, times if times_raters is None else times_raters)
        return self.mean.detectable(self.level_of_plans, times)

    @property
    def p_told(self) -> float:
        """The adjusted p as tables and pages show it; NaN if there is no finding on the two systems."""
        return self.p_adjusted if self.mean.is_known else math.nan

    @property
    def is_shown(self) -> bool:
        """Whether the answers show a difference: the adjusted p is at most 1 − level."""
        return self.p_adjusted <= 1 - self.level

    @property
    def lead(self) -> float:
        """Lead of the system over the baseline."""
        return float(self.mean.value - self.EQUAL)

    def interval_of_lead(self, level: float) -> tuple[float, float]:
        """Return the interval of `lead`."""
        low, high = self.interval(level=level)
        return low - self.EQUAL, high - self.EQUAL

    @property
    def ranked(self) -> tuple[str, str]:
        """The system that is ahead, and the other."""
        return (self.system, self.baseline) if self.lead > 0 else (self.baseline, self.system)


AnyContrast = TypeVar("AnyContrast", bound=Contrast)


def pairs_of(systems: Sequence[str], comparisons: str) -> list[tuple[str, str]]:
    """Return baseline and system of each comparison of systems, the baseline of all first."""
    check_choice(comparisons, "comparisons", COMPARISONS)
    return [pair for pair in combinations(systems, 2) if comparisons == "all" or pair[0] == systems[0]]


def adjusted(contrasts: Sequence[AnyContrast], level: float) -> tuple[AnyContrast, ...]:
    """Return contrasts with p, and the level of intervals, adjusted for their number."""
    p_values = [contrast.p_value for contrast in contrasts]
    of_these = holm([contrast.p_these for contrast in contrasts])
    every = zip(contrasts, holm(p_values), of_these, holm_levels(p_values, level), strict=True)
    n = len(contrasts)
    return tuple(
        replace(contrast, p_adjusted=p, p_these_adjusted=p_these, level_adjusted=of_p, n_compared=n)
        for contrast, p, p_these, of_p in every
    )


def adjusted_together(families: Sequence[Sequence[AnyContrast]], level: float) -> list[tuple[AnyContrast, ...]]:
    """Return the contrasts of several criteria, adjusted for the number of all of them.

    Args:
        families: the contrasts by each criterion.
        level: the nominal level of the intervals.
    """
    every = iter(adjusted([contrast for family in families for contrast in family], level))
    return [tuple(next(every) for _ in family) for family in families]


@dataclass(frozen=True, kw_only=True)
class HumanDifference(Contrast):
    """The difference of two systems' mean human ratings, the system's less the baseline's.

    Attributes:
        paired: the units that are paired: "item and rater", "item", "some items", or "" for independent samples.
        n_unpaired: number of ratings that are in no pair and left out.
        n_rated: numbers of rated outputs of the system and of the baseline.
        scale: the ends of the ratings' scale; None if they were not named.
        one_sided: the one-sided bounds of the difference.
        watched: the difference of ratings that are looked at as they come in; None of one look.
        borrowed_from: source of the variance that was added to the difference's own, in words; "" if none was.
        shares: of answers of 0 and 1, see `MeanDifference`: p and intervals are then theirs; None of other ratings, and
            of those on another scale.
        n_estimated: number of unrated outputs whose estimates take part; 0 if estimates do not.
        reach: see `HumanScore`.
        unlike: numbers of the items of which outputs differ and could be drawn, and of all items: the others count 0 in
            the difference; None if none count so.
        on_common: of systems with some items in common, the mean difference on these: another one than that of all
            outputs if the others are easier or harder; NaN of other systems.
    """

    paired: str
    n_unpaired: int
    n_rated: tuple[int, int]
    scale: Scale | None
    one_sided: OneSided
    watched: Watched | None = None
    borrowed_from: str = ""
    shares: Shares | None = None
    n_estimated: int = 0
    reach: float = math.inf
    unlike: UnlikeItems | None = None
    on_common: float = math.nan

    @property
    def is_too_wide(self) -> bool:
        """Whether there are too few items to tell: no difference that ratings can have lies outside the interval."""
        return self._is_too_wide_at(self.level_adjusted)

    @property
    def is_plainly_too_wide(self) -> bool:
        """The same of the interval at the level of one comparison."""
        return self._is_too_wide_at(self.level)

    def _is_too_wide_at(self, level: float) -> bool:
        low, high = self.interval(level=level)
        is_of_t = self.watched is None and self.shares is None and self.mean.is_known
        return is_of_t and _reaches(-low, self.reach) and _reaches(high, self.reach)

    @property
    def is_told(self) -> bool:
        """Whether the ratings say anything about the difference."""
        return self.mean.is_known and not self.is_too_wide

    @property
    def _n_alike(self) -> int:
        """Number of independent differences that are all alike: of clusters, if items lie in clusters."""
        return self.n_clusters or self.n_items

    @property
    def p_value(self) -> float:
        """Probability of a difference as great as this if people rate the two alike; 1 if it cannot be told."""
        if self.watched is not None:
            return 1.0 if self.watched.obstacle else self.watched.p_value()
        if self.shares is not None:
            return self.shares.p_value
        if self.scale is None or self.mean.standard_error:
            return self.mean.p_value()
        return p_value_of_equal_differences(self.mean.value, self._n_alike, self.scale[1] - self.scale[0])

    @property
    def p_these(self) -> float:
        """See `Contrast.p_these`; confidence sequences and exact tests are of one kind of raters."""
        return self.p_value if self.watched is not None or self.shares is not None else super().p_these

    def _ends(self, mean: Inference, level: float) -> tuple[float, float]:
        if self.watched is not None:
            return self.watched.interval(level)
        if self.shares is not None:
            low, high = self.shares.interval(level)
            # The test is the stricter: an interval leaves out 0 if and only if p shows a difference.
            return (low, high) if self.p_value <= 1 - level else (min(low, 0.0), max(high, 0.0))
        if self.scale is None:
            return mean.interval(level)
        width = self.scale[1] - self.scale[0]
        if mean.standard_error == 0:
            return interval_of_equal_differences(mean.value, self._n_alike, width, level)
        low, high = mean.interval(level)
        return max(low, -width), min(high, width)

    def detectable(self, times: float = 1.0, times_raters: float | None = None) -> float:
        """Return the least true difference that is found with a power of .8; NaN if none of its size is."""
        if self.shares is None:
            return super().detectable(times, times_raters)
        return self.shares.detectable(self.level_of_plans, times)


@dataclass(frozen=True)
class HumanScores:
    """The mean human ratings of systems.

    Attributes:
        scores: one per system, the baseline first.
        differences: differences of each further system from the baseline, or of all pairs.
        level: the nominal level of the intervals, and of findings after Holm's correction.
        warnings: doubts whether the rated outputs are a random part, in words.
        notes: further notes on the ratings, in words.
        unfinished: the progress of a study that lacks answers, in a sentence; "" otherwise, and of ratings that are
            looked at as they come in.
        is_over: whether all raters of a study have come to the end, so that what it lacks are blanks.
        slices: the scores on each slice of the items by its name, if slices were named; each is a family of comparisons
            of its own.
        pairs: the differences of all pairs of three systems or more, adjusted for their number; none if estimates take
            part, and of ratings that are looked at as they come in.
    """

    scores: tuple[HumanScore, ...]
    differences: tuple[HumanDifference, ...]
    level: float
    warnings: tuple[str, ...]
    notes: tuple[str, ...] = ()
    unfinished: str = ""
    is_over: bool = False
    slices: Mapping[str, HumanScores] = field(default_factory=dict)
    pairs: tuple[HumanDifference, ...] = ()

    def by(self, given_by: str) -> HumanScores:
        """Return the same findings, with those who gave the ratings; see `ratings.model_raters`."""
        return replace(
            self,
            scores=tuple(replace(each, given_by=given_by) for each in self.scores),
            differences=tuple(replace(each, given_by=given_by) for each in self.differences),
            pairs=tuple(replace(each, given_by=given_by) for each in self.pairs),
        )

    @property
    def rating(self) -> str:
        """The name of a rating: "human rating" if people gave it, "rating" if a judge did or nobody knows who."""
        return "human rating" if all(each.given_by in (PEOPLE, MEANS) for each in self.scores) else "rating"

    @property
    def are_shares(self) -> bool:
        """Whether all answers are 0 or 1, on a scale with these ends or as the test of each difference takes them."""
        if self.scores[0].scale == (0.0, 1.0) and all(each.has_two_answers for each in self.scores):
            return True
        return bool(self.differences) and all(each.shares is not None for each in self.differences)

    @property
    def apart(self) -> set[frozenset[str]]:
        """The pairs of systems that the ratings tell apart."""
        return {frozenset((each.system, each.baseline)) for each in self.differences if each.is_shown}

    @property
    def are_of_all_pairs(self) -> bool:
        """Whether all pairs of three systems or more are compared."""
        n = len(self.scores)
        return n > 2 and len(self.differences) == n * (n - 1) // 2

    @property
    def differences_by_mean(self) -> list[HumanDifference]:
        """The differences in the order of the systems' means if they are of all pairs; else as they are."""
        if not self.are_of_all_pairs:
            return list(self.differences)
        ranked = sorted(self.scores, key=lambda each: math.inf if math.isnan(each.mean.value) else -each.mean.value)
        places = {each.system: place for place, each in enumerate(ranked)}
        return sorted(self.differences, key=lambda each: sorted((places[each.system], places[each.baseline])))

    @property
    def leading(self) -> tuple[list[str], list[str]]:
        """The systems with the highest mean, and those not shown to be lower than these; none without all pairs."""
        if not self.pairs:
            return [], []
        means = {each.system: round(each.mean.value, _DECIMALS) for each in self.scores}
        best = [name for name, mean in means.items() if mean == max(means.values())]
        lower = {each.ranked[1] for each in self.pairs if each.is_told and each.is_shown and each.ranked[0] in best}
        return best, [name for name in sorted(means, key=lambda name: -means[name]) if name not in {*best, *lower}]

    def to_pandas(self) -> Any:
        """Return a table of means and of differences with their intervals: `system`, `less`, `mean`, `low`, `high`."""
        import pandas

        both: list[Any] = [*self.scores, *self.differences]
        rows = [(each.system, getattr(each, "baseline", ""), each.mean.value, *each.interval()) for each in both]
        return pandas.DataFrame(rows, columns=["system", "less", "mean", "low", "high"])

    def plot(self) -> Drawing:
        """Draw the means and the differences with their intervals; a notebook shows it, and its `save` writes it."""
        from referenceless_metrics.human_evaluation.drawings.plots import human_scores_plots
        from referenceless_metrics.pages.drawing import drawing

        return drawing(human_scores_plots(self))

    def _repr_html_(self) -> str:
        """Return the notebook's view: the table, escaped, the progress of the study, and warnings."""
        unfinished = f"<p>{escape(self.unfinished)}</p>" if self.unfinished else ""
        warnings = "".join(f"<p>{escape(warning)}</p>" for warning in self.warnings)
        return f"{self.to_pandas()._repr_html_()}{unfinished}{warnings}"


def human_scores(
    systems: Sequence[SystemRatings],
    *,
    level: float = LEVEL,
    scale: Scale | None = None,
    comparisons: str = "baseline",
    along: AlongMetric | None = None,
) -> HumanScores:
    """Return the mean human rating of each system, and how systems differ.

    Differences use pairs: outputs for one item by one rater, or for one item (see `crossed`).

    Args:
        systems: at least one, the baseline first; their ratings are on one scale.
        level: the nominal level of the intervals, in (0, 1).
        scale: the ends of the scale of the ratings, on which intervals then stay; None if it has none.
        comparisons: `baseline` (each further system less the first) or `all` (of each two the one ahead less the other,
            of three systems and more); p values are adjusted for their number by Holm's procedure.
        along: the draw of the items along a metric's difference of the two systems; None for a simple draw.

    Raises:
        InputError: for no system, one without ratings of its own or with fewer than 10, ratings all alike on a scale
            that is not named, ratings off the scale, or scales of different sizes.
        ValueError: for unequal lengths, infinite numbers, unknown comparisons, or a level outside (0, 1).

    Example:
        >>> import numpy as np
        >>> generator = np.random.default_rng(0)
        >>> ratings = np.where(np.arange(200) < 40, generator.normal(4, 1, 200), np.nan)
        >>> system = SystemRatings("ours", ratings, generator.normal(size=200))
        >>> score = human_scores([system]).scores[0]
        >>> score.n_rated, round(score.ratings_alone.value, 1)
        (40, 3.9)
    """
    check_systems(systems, level, scale)
    names = [system.name for system in systems]
    rated = dict(zip(names, rated_systems(systems), strict=True))
    told = told_ends([system.single_ratings for system in systems])
    reach = _reach(systems, scale or told)
    scores = []
    for system in systems:
        alone, with_estimates, _ = rated[system.name].mean(level, skewed=True)
        if scale is None and told is None:  # ratings all alike bound no mean
            alone, with_estimates = alone.unless_certain(), with_estimates.unless_certain()
        ratings = system.ratings[system.rated]
        scores.append(
            HumanScore(
                system=system.name,
                raters=with_estimates,
                ratings_alone=alone.said,
                level=level,
                n_outputs=len(system.ratings),
                n_rated=len(ratings),
                correlation=pearson(ratings, rated[system.name].estimates[system.rated]),
                scale=scale,
                told=told if scale is None else None,
                share=_share_of(system, scale),
                reach=reach,
                plain=rated[system.name].plain_mean,
                has_two_answers=bool(np.isin(system.single_ratings, (0.0, 1.0)).all()),
            )
        )
    check_choice(comparisons, "comparisons", COMPARISONS)
    are_of_pairs = comparisons == "all" and len(names) > 2
    asked = [are_of_pairs or baseline == names[0] for baseline, _ in combinations(names, 2)]
    # All pairs tell how much items differ, also those that are not asked for.
    compared = [
        _difference_of(pair, rated, level, is_asked=is_asked, turns=are_of_pairs)
        for pair, is_asked in zip(combinations(names, 2), asked, strict=True)
    ]
    of_pairs = [difference for _, difference in compared]
    notes = _notes(systems)
    if along is not None:
        of_pairs = [_along(along, difference, systems) for difference in of_pairs]
        notes = (*notes, *(along.sentence(system, baseline) for baseline, system in combinations(systems, 2)))
    estimates = [difference.alone.these or difference.alone.said for difference in of_pairs]
    n_groups = [difference.n_groups for difference in of_pairs]
    n_single = [difference.n_single for difference in of_pairs]
    of_others = added_variances(estimates, n_groups, None, n_single)
    added = of_others if scale is None else added_variances(estimates, n_groups, scale[1] - scale[0], n_single)
    counts_of = {score.system: score.n_rated for score in scores}
    every = []
    for (pair, _), difference, variance, by_others in zip(compared, of_pairs, added, of_others, strict=True):
        counts = counts_of[pair[1]], counts_of[pair[0]]
        contrast = _contrast(pair, difference, variance, level, scale, counts)
        source = OF_SCALE if variance > by_others or not contrast.mean.standard_error else OF_OTHERS
        is_borrowed = contrast.shares is None and (variance > 0 or not contrast.mean.standard_error)
        every.append(replace(contrast, borrowed_from=source if is_borrowed else "", reach=reach))
    differences = [each for each, is_asked in zip(every, asked, strict=True) if is_asked]
    has_estimates = any(np.isfinite(system.estimates).any() for system in systems)
    all_pairs = () if has_estimates or len(systems) < 3 else adjusted(every, level)
    warnings = tuple(selection_warnings(systems))
    return HumanScores(tuple(scores), adjusted(differences, level), level, warnings, notes, pairs=all_pairs)


def _difference_of(
    pair: tuple[str, str], rated: Mapping[str, RatedOutputs], level: float, *, is_asked: bool, turns: bool
) -> tuple[tuple[str, str], MeanDifference]:
    """Return two systems, the baseline first, and the system's mean rating less the baseline's.

    Args:
        pair: the two, the baseline first.
        rated: the outputs of all systems.
        level: the nominal level.
        is_asked: whether the difference is asked for, so that estimates take part.
        turns: whether the baseline is the one that is behind.
    """
    baseline, system = pair
    difference = difference_of(rated[system], rated[baseline], level, with_estimates=is_asked)
    if turns and difference.with_estimates.said.value < 0:
        return _difference_of((system, baseline), rated, level, is_asked=is_asked, turns=False)
    return pair, difference


def _reach(systems: Sequence[SystemRatings], scale: Scale | None) -> float:
    """Return how far two ratings can lie apart: the width of the scale, or if it is not known, of all ratings."""
    if scale is not None:
        return scale[1] - scale[0]
    known = np.concatenate([system.single_ratings for system in systems])
    return float(np.ptp(known)) or math.inf


def _reaches(length: float, reach: float) -> bool:
    """Say whether a length is that of all ratings, or more, but for rounding."""
    return math.isfinite(reach) and length >= reach * (1 - 1e-9)


def _share_of(system: SystemRatings, scale: Scale | None) -> tuple[int, int] | None:
    """Return the numbers of ratings of 1 and of all, of single independent answers of 0 and 1; None of others."""
    ratings = system.ratings[system.rated]
    is_single = system.judgements is None and system.clusters is None and np.isnan(system.estimates).all()
    if not is_single or scale is not None or not np.isin(ratings, (0.0, 1.0)).all():
        return None
    return int(ratings.sum()), len(ratings)


def scores_by_criterion(of_criteria: Sequence[HumanScores]) -> list[HumanScores]:
    """Return scores by several criteria, with p and intervals adjusted for criteria times comparisons (Holm)."""
    level = of_criteria[0].level
    differences = adjusted_together([scores.differences for scores in of_criteria], level)
    pairs = adjusted_together([scores.pairs for scores in of_criteria], level)
    both = zip(of_criteria, differences, pairs, strict=True)
    return [replace(scores, differences=of_scores, pairs=of_pairs) for scores, of_scores, of_pairs in both]


def _along(along: AlongMetric, difference: MeanDifference, systems: Sequence[SystemRatings]) -> MeanDifference:
    """Return the difference of two systems as the draw of their items narrows it, if their outputs are paired."""
    if not difference.paired.startswith("item"):
        return difference
    baseline, system = systems
    narrowed = along.narrowed(difference.alone, system, baseline)
    return replace(difference, alone=narrowed, with_estimates=narrowed, shares=None, plain=math.nan)


def _notes(systems: Sequence[SystemRatings]) -> tuple[str, ...]:
    """Return further notes on the ratings, in words."""
    judgements = [system.judgements for system in systems if system.judgements is not None]
    if len(judgements) < len(systems):
        return ()
    note = note_on_raters([rater for of_system in judgements for rater in of_system["rater"]])
    return (note,) if note else ()


def _contrast(
    pair: tuple[str, str],
    difference: MeanDifference,
    added: float,
    level: float,
    scale: Scale | None,
    n_rated: tuple[int, int],
) -> HumanDifference:
    """Return the finding on a pair of systems, with a variance added; see `borrowed_variance`."""
    of_shares = scale in (None, (0.0, 1.0)) and difference.alone.said.standard_error > 0
    shares = difference.shares if of_shares else None

    def steadied(raters: Crossed) -> Crossed:
        if shares is not None:  # which have an exact test
            return raters
        if scale is None:
            return raters.widened(added).unless_certain()
        # The scale bounds a difference that did not vary.
        return raters.widened(added) if difference.alone.said.standard_error else raters

    raters = steadied(difference.with_estimates)
    ends = ends_of(np.array([]), np.array([difference.largest]), scale)
    return HumanDifference(
        system=pair[1],
        baseline=pair[0],
        raters=raters,
        ratings_alone=steadied(difference.alone).said,
        level=level,
        paired=difference.paired,
        n_items=difference.n_items,
        n_unpaired=difference.n_unpaired,
        n_rated=n_rated,
        n_clusters=difference.n_clusters,
        scale=scale,
        one_sided=OneSided.skewed(raters.said, difference.third, int(difference.n_groups), ends),
        shares=shares,
        n_estimated=difference.n_estimated,
        plain=difference.plain,
        rated_by=difference.raters,
        on_common=difference.on_common,
    )
