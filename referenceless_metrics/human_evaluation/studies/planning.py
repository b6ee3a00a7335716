"""Planning of studies: the width of an interval before anybody rates, from the variance components of ratings."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from referenceless_metrics.core.support.validation import Floats, InputError, Integers, check_ratings, joined_names
from referenceless_metrics.human_evaluation.inference.borrowed_variance import added_variances
from referenceless_metrics.human_evaluation.inference.crossed import FEWEST_RATERS
from referenceless_metrics.human_evaluation.inference.estimated_means import LEVEL, POWER, Inference
from referenceless_metrics.human_evaluation.inference.output_ratings import FEWEST_RATINGS
from referenceless_metrics.human_evaluation.studies.criteria import PREFERENCE, Criterion
from referenceless_metrics.human_evaluation.studies.design import LEFT_OUT, Design
from referenceless_metrics.human_evaluation.studies.reading import read_study
from referenceless_metrics.human_evaluation.wording.phrases import listed

if TYPE_CHECKING:
    import pandas as pd

_SHARED = (
    {0},
    {0, 1},
    {2},
    {1, 2},
    {0, 2},
)  # of item, system and rater, by two ratings, in the order of the components


_MOST_ITEMS = 1_000_000
_MOST_RATERS = 1_000
_PLANNED_RATERS, _PLANNED_OVERLAP = 24, 3


@dataclass(frozen=True)
class VarianceComponents:
    """Variances of ratings around their systems' means, in squares of the ratings' unit.

    Attributes:
        item: variance of items, common to all systems.
        item_system: variance of items within each system.
        rater: variance of raters, common to all systems.
        rater_system: variance of raters' views of each system.
        rater_item: variance of raters' views of each item, common to its systems.
        rest: variance of single ratings.
    """

    item: float
    item_system: float
    rater: float
    rater_system: float
    rater_item: float
    rest: float

    def times(self, factor: float) -> VarianceComponents:
        """Return the components of ratings that are multiplied by a factor."""
        return VarianceComponents(*(factor**2 * value for value in vars(self).values()))

    @property
    def correlation(self) -> float:
        """The correlation of two raters' ratings of an output, over items."""
        of_output = self.item + self.item_system
        return float(of_output / sum(vars(self).values()))

    def with_correlation(self, correlation: float) -> VarianceComponents:
        """Return components of the same sum with another `correlation`: outputs vary more, and all else less.

        >>> other = WEBNLG_RATINGS.with_correlation(0.4)
        >>> round(WEBNLG_RATINGS.correlation, 2), round(other.correlation, 2)
        (0.2, 0.4)
        >>> math.isclose(sum(vars(other).values()), sum(vars(WEBNLG_RATINGS).values()))
        True
        """
        total = sum(vars(self).values())
        others = self.times(math.sqrt((1 - correlation) / (1 - self.correlation)))
        return replace(others, item=self.item, item_system=correlation * total - self.item)


def variance_components(
    items: Sequence[object], systems: Sequence[object], raters: Sequence[object], ratings: ArrayLike
) -> VarianceComponents:
    """Return the components of n ratings, by the products of ratings that share an item, a rater or both.

    The product of two ratings, less their systems' means, has the sum of the components that they share as its
    expectation; the sums of products over the pairs that share an item, a rater and so on are set equal to theirs
    (method of moments by symmetric sums, Koch 1967, "A general approach to the estimation of variance components",
    Technometrics 9(1)). It needs no balance. A component that no pair tells, such as `item_system` if each output is
    rated once, is part of the rest; estimates below 0 are 0.

    Args:
        items: the item of each of n ratings, as names or numbers.
        systems: the system of each rating; for preferences the pair of systems.
        raters: the rater of each rating.
        ratings: shape (n,), finite.

    >>> components = variance_components([0, 0, 1, 1] * 2, "AABBAABB", "xyxyxyxy", [1, 2, 5, 6, 1, 2, 5, 6])
    >>> components.rest
    0.0
    """
    values = check_ratings(ratings, "ratings", length=len(items))
    codes = np.stack([np.unique(list(map(str, names)), return_inverse=True)[1] for names in (items, systems, raters)])
    residuals = values - (np.bincount(codes[1], values) / np.bincount(codes[1]))[codes[1]]

    def over_pairs(group: Integers, of: Floats) -> float:
        """Return the sum of products over ordered pairs of ratings of one group."""
        return float((np.bincount(group, of) ** 2 - np.bincount(group, of**2)).sum())

    both = [[tuple(sorted(one | other)) for other in _SHARED] for one in _SHARED]
    groups = {
        shared: np.unique(codes[list(shared)], axis=1, return_inverse=True)[1].ravel()
        for shared in {each for row in both for each in row}
    }
    n_pairs = {shared: over_pairs(group, np.ones(len(values))) for shared, group in groups.items()}
    counts = [[n_pairs[shared] for shared in row] for row in both]
    sums = [over_pairs(groups[tuple(sorted(one))], residuals) for one in _SHARED]
    components = np.maximum(np.linalg.lstsq(counts, sums)[0], 0.0).tolist()
    rest = max(0.0, float((residuals**2).mean()) - sum(components))
    return VarianceComponents(*[*components, rest])


WEBNLG_RATINGS = VarianceComponents(0.00280, 0.00685, 0.00829, 0.00165, 0.00391, 0.02359)
"""Components of fluency in WebNLG 2020 (7,942 judgements of 16 systems by 88 raters, from 0 to 100, one output at a
time), in squares of the scale's width; `variance_components` of its judgements gives them."""

WEBNLG_PREFERENCES = VarianceComponents(0.00119, 0.00010, 0.0, 0.00006, 0.01791, 0.16836)
"""The same of the 3,704 pairs of outputs of one item that one rater rated: 1 if the first is rated higher, .5 for a
tie, 0 if it is rated lower; the system is the pair of systems."""


def rounded_components(components: VarianceComponents, steps: int) -> VarianceComponents:
    """Return the components of ratings after they are rounded to a number of steps from 0 to 1.

    The ratings are normal about the middle of the scale, where rounding to few points lets them vary most. To the first
    order, rounding multiplies each covariance by the square of the mean slope of a rounded rating over the rating
    itself (Price 1958, "A useful theorem for nonlinear devices having Gaussian inputs"); the remaining variance
    of rounded ratings is the component `rest`.

    >>> on_two_points = rounded_components(WEBNLG_RATINGS, 1)
    >>> round(sum(vars(on_two_points).values()), 6)  # as many 0 as 1
    0.25
    """
    rating = NormalDist(0.5, math.sqrt(sum(vars(components).values())))
    cuts = (np.arange(steps) + 0.5) / steps
    shares = np.diff([0.0, *map(rating.cdf, cuts), 1.0])
    kept = components.times(sum(map(rating.pdf, cuts)) / steps)
    variance = float(shares @ (np.arange(steps + 1) / steps - rating.mean) ** 2)
    return replace(kept, rest=kept.rest + variance - sum(vars(kept).values()))


class StudyComponents(NamedTuple):
    """Components to plan a study with.

    Attributes:
        components: the components.
        basis: their source, in words.
        by_pair: those of each pair of systems of a pilot, if it has several pairs, which `components` pool.
    """

    components: VarianceComponents
    basis: str
    by_pair: Mapping[tuple[str, str], VarianceComponents]


def study_components(
    criterion: Criterion, pilot: str | Path | None = None, systems: Sequence[str] = ()
) -> StudyComponents:
    """Return the components to plan a study with, and their source: a pilot, or WebNLG.

    Args:
        criterion: criterion of the study that is planned.
        pilot: the folder of a study of the same criterion on the same scale, with ratings.
        systems: the systems of the study that is planned: of a pilot that has them all, these alone count.

    Raises:
        InputError: for a pilot on another scale or of other criteria, and like `read_study`.
    """
    scale = criterion.scale
    if pilot is None:
        webnlg = "vary as those of fluency in WebNLG 2020, made one by one"
        if scale.is_preference:
            basis, less, more = f"ratings {webnlg}", "side by side", ""
            components = WEBNLG_PREFERENCES
        else:
            steps = scale.high - scale.low
            basis, less, more = _basis_of_ratings(webnlg, steps)
            components = rounded_components(WEBNLG_RATINGS, steps).times(steps)
        basis = f"{basis}; yours may vary less ({less}) or more{more}: a pilot study tells (--pilot)"
        return StudyComponents(components, basis, {})
    of_design = Design.read(pilot).criteria
    if not criterion.name and len(of_design) > 1:
        names = [each.name for each in of_design]
        raise InputError(
            f"{pilot}: it has the criteria {', '.join(names)}, and this study has one without a name: name the one "
            f"that it asks for (--criterion {names[0]}={scale}=QUESTION)"
        )
    study = read_study(pilot)
    try:
        of_pilot = study.design.criterion(criterion.name)
    except InputError as error:
        raise InputError(f"{pilot}: {error}") from None
    if of_pilot.scale != scale:
        raise InputError(f"{pilot}: its scale is {of_pilot.scale}, and that of the study is {scale}")
    rows = study.table[~study.table["repeat"]].dropna()
    if study.design.has_named_criteria:
        rows = rows[rows["criterion"] == of_pilot.name]
    named = study.design.systems
    taken = [name for name in named if name in systems] if set(systems) <= set(named) and len(systems) > 1 else named
    pairs = {pair: _components_of(rows, pair) for pair in combinations(taken, 2)}
    without = f", without {listed(list(study.left_out))} ({LEFT_OUT}/)" if study.left_out else ""
    if len(pairs) < 2:
        of = f" of {listed(taken)}" if len(taken) < len(named) else ""
        return StudyComponents(_components_of(rows, taken), f"ratings{of} vary as those of {pilot}{without}", {})
    return StudyComponents(
        _components_of(rows, taken),
        f"ratings vary as those of {pilot}, of {len(taken)} systems together ({joined_names(taken)}){without}",
        pairs,
    )


def _components_of(rows: pd.DataFrame, systems: Sequence[str]) -> VarianceComponents:
    """Return the components of some systems' ratings, or of the preferences between them."""
    if PREFERENCE in rows:
        rows = rows[rows["system_a"].isin(systems) & rows["system_b"].isin(systems)]
        of_pairs = rows["system_a"] + " " + rows["system_b"]
        return variance_components(rows["item"], of_pairs, rows["rater"], rows[PREFERENCE])
    rows = rows[rows["system"].isin(systems)]
    return variance_components(rows["item"], rows["system"], rows["rater"], rows["rating"])


def _basis_of_ratings(webnlg: str, steps: int) -> tuple[str, str, str]:
    """Return what a plan assumes of ratings, where they vary less, and where more, in words.

    Args:
        webnlg: how public ratings vary, in words.
        steps: the width of the scale.
    """
    less = "near an end of the scale, or side by side"
    if steps > 1:
        return f"ratings lie about the middle of the scale and {webnlg}", less, ""
    basis = (
        "about half of the answers are 1 (about the middle of the scale, where a share varies most), and answers are "
        f"grades, rounded to 0 and 1, that {webnlg}"
    )
    return basis, less, " (of outputs that are plainly right or wrong)"


@dataclass(frozen=True)
class Plan:
    """The difference of two systems' means, or a win rate, in a study that is planned.

    Raters rate both systems' outputs of the same items, so that the effects of items and raters on both cancel in the
    difference; in a win rate, the components are of the pair, and none cancels.

    Attributes:
        components: variance components of ratings, or of preferences.
        n_items: number of rated items.
        n_raters: number of raters.
        overlap: number of raters per item.
        preferences: whether the plan is for a win rate.
        scale_width: width of the ratings' scale; None for a win rate.

    >>> study = Plan(WEBNLG_RATINGS, 50, 3, 3)
    >>> round(study.inference(all_raters=False).width(), 3), round(study.inference(all_raters=True).width(), 3)
    (0.098, 0.271)
    """

    components: VarianceComponents
    n_items: int
    n_raters: int
    overlap: int
    preferences: bool = False
    scale_width: float | None = None

    @property
    def variances(self) -> tuple[float, float, float]:
        """Variances of items with single ratings of them, of raters' views of the systems, and of single ratings."""
        of = self.components
        if self.preferences:
            of_item = of.item_system + of.item
            of_rater = of.rater_system + of.rater
            of_rating = of.rest + of.rater_item
        else:  # Two systems' ratings, in whose difference the effects of an item or a rater on both cancel.
            of_item = 2 * of.item_system
            of_rater = 2 * of.rater_system
            of_rating = 2 * of.rest
        ratings = of_rating / (self.overlap * self.n_items)
        return of_item / self.n_items + ratings, of_rater / self.n_raters, ratings

    def inference(self, *, all_raters: bool) -> Inference:
        """Return the error of the difference as `human-score` will give it: for these raters, or for raters in general.

        If it cannot be told, as for raters in general from one rater, its error is infinite.
        """
        of_items, of_raters = self.n_items - 1.0, self.n_raters - 1.0
        if self.n_items < 2 or (all_raters and self.n_raters < 2):
            return Inference.unknown(0.0)
        by_items, by_raters, by_ratings = self.variances
        # Raters' views add to the variance of items if not all raters rate each item.
        views = by_raters * (self.n_raters / self.overlap - 1) / self.n_items
        these = Inference(0.0, math.sqrt(by_items + views), of_items, 0.0)
        (added,) = added_variances([these], [self.n_items], self.scale_width)
        if not all_raters:
            return these.widened(added)
        # As in `crossed`: the variance by items, that by raters, and that of single ratings, which both hold.
        variance = by_items + by_raters
        spread = by_items**2 / of_items + (by_raters + by_ratings) ** 2 / of_raters
        spread += by_ratings**2 / (of_items * of_raters)
        freedom = min(max(variance**2 / spread if spread else of_items, of_raters), of_items)
        return Inference(0.0, math.sqrt(variance), freedom, 0.0).widened(added)

    @property
    def about_others(self) -> bool:
        """Whether the finding will be about raters in general, as `Crossed.about_others`."""
        return self.n_raters >= FEWEST_RATERS

    def detectable(self, level: float, *, all_raters: bool | None = None) -> float:
        """Return the true difference that the study finds with a probability of `POWER`.

        It is one of raters in general if the finding will be about them, and else of these raters. In general it is
        that of `Inference.detectable`, which is found more often (in 86 % of studies drawn with 5, 6 and 24 raters):
        with few raters the approximation of `power` falls short.

        Args:
            level: confidence level at which a difference is shown; of several comparisons corrected for their number.
            all_raters: whether it is one of raters in general; None for what the finding will be about.
        """
        of_others = self.about_others if all_raters is None else all_raters
        said = self.inference(all_raters=of_others)
        if not said.is_known or not said.standard_error:
            return math.inf if not said.is_known else 0.0
        if of_others:
            return said.detectable(level)
        shift, spread = self._test(said, level, raters_drawn=False)
        return float(said.standard_error * (shift + NormalDist().inv_cdf(POWER) * spread))

    def items_to_detect(self, difference: float, level: float) -> int | None:
        """Return the number of items with which such a study finds a difference, or None if no number finds it.

        It is `FEWEST_RATINGS` at least, of which `human-score` gives intervals and which `sample` draws.

        Args:
            difference: the true difference, as in `detectable`, above 0.
            level: confidence level at which it is shown.

        >>> study = Plan(WEBNLG_RATINGS, 50, 3, 3, scale_width=1.0)
        >>> n = study.items_to_detect(0.1, 0.95)
        >>> [replace(study, n_items=items).detectable(0.95) <= 0.1 for items in (n - 1, n)]
        [False, True]
        """

        def finds(n_items: int) -> bool:
            return replace(self, n_items=n_items).detectable(level) <= difference

        if not finds(_MOST_ITEMS):
            return None
        return bisect_left(range(_MOST_ITEMS), True, lo=FEWEST_RATINGS, key=finds)

    def raters_to_detect(self, difference: float, level: float) -> Plan | None:
        """Return a study with twice, four times … as many raters that finds a difference, or None if none does.

        As many raters rate each item; the items are as few as find the difference.

        Args:
            difference: the true difference, as in `detectable`, above 0.
            level: confidence level at which it is shown.

        >>> more = Plan(WEBNLG_RATINGS, 50, 5, 2, scale_width=1.0).raters_to_detect(0.05, 0.95)
        >>> more.n_raters, more.n_items
        (20, 339)
        """
        n_raters = self.n_raters
        while n_raters < _MOST_RATERS:
            n_raters *= 2
            more = replace(self, n_raters=n_raters)
            n_items = more.items_to_detect(difference, level)
            if n_items is not None:
                return replace(more, n_items=n_items)
        return None

    def power(self, difference: float, *, all_raters: bool) -> float:
        """Return the probability that the study shows a difference that people in general have.

        The distribution of t is the noncentral one, by its normal approximation (Abramowitz & Stegun 1964, 26.7.10).
        Raters are drawn anew also if the finding is about these raters alone.
        """
        said = self.inference(all_raters=all_raters)
        if not said.is_known or not said.standard_error:
            return 1.0 if said.is_known and difference > 0 else 0.0
        shift, spread = self._test(said, LEVEL, raters_drawn=True)
        return NormalDist().cdf((difference / said.standard_error - shift) / spread)

    def _test(self, said: Inference, level: float, *, raters_drawn: bool) -> tuple[float, float]:
        """Return the number of standard errors from which a difference is shown half of the time, and the spread.

        Args:
            said: the error of the difference.
            level: confidence level at which it is shown.
            raters_drawn: whether raters are drawn anew with the items.
        """
        by_items, by_raters, _ = self.variances
        drawn = by_items + (by_raters if raters_drawn else 0.0)
        t = said.width(level) / (2 * said.standard_error)
        freedom = said.degrees_of_freedom
        return t * (1 - 1 / (4 * freedom)), math.sqrt(drawn / said.standard_error**2 + t**2 / (2 * freedom))


def items_to_find(difference: float, n_raters: int, overlap: int) -> int | None:
    """Return the number of items to find a difference that people have, four times in five, at the 5 % level.

    Ratings vary as those of WebNLG 2020. The finding is about people from `FEWEST_RATERS` raters on, and else about
    these raters, as `human-score` has it.

    Args:
        difference: the difference as a share of the scale's width, above 0.
        n_raters: raters in all.
        overlap: number of raters of each item.

    Returns:
        None if so few raters cannot find it over any number of items.

    >>> items_to_find(0.05, 24, 3), items_to_find(0.1, 24, 3), items_to_find(0.05, 5, 5)
    (181, 31, None)
    """

    def finds(n_items: int) -> bool:
        study = Plan(WEBNLG_RATINGS, n_items, n_raters, overlap, scale_width=1.0)
        return study.power(difference, all_raters=n_raters >= FEWEST_RATERS) >= POWER

    return bisect_left(range(_MOST_ITEMS), True, lo=3, key=finds) if finds(_MOST_ITEMS) else None


def plan_to_find(difference: float) -> str:
    """Say how many items and raters find a difference of two systems, a share of the scale's width."""
    n_items = items_to_find(difference, _PLANNED_RATERS, _PLANNED_OVERLAP)
    return (
        f"about {(n_items or 0) * _PLANNED_OVERLAP * 2:,} ratings ({_PLANNED_RATERS} raters, {_PLANNED_OVERLAP} of "
        f"them for both systems' outputs of each of {n_items} items, which `referenceless sample` draws) find a "
        f"difference of {difference:.0%} of the scale among people four times in five, if ratings vary as those of "
        "fluency in WebNLG 2020 (0 to 100); --pilot STUDY goes by the ratings of a study of yours"
    )
