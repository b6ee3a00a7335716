"""The mean score of a system, and the difference of two systems' scores, each over the items of one slice."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from referenceless_metrics.core.support.metric_names import names_metric
from referenceless_metrics.core.support.validation import Booleans, Floats, Integers, Record
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference
from referenceless_metrics.human_evaluation.inference.one_sided import (
    FEWEST_FOR_BOUNDS,
    OneSided,
    ends_of,
    third_cumulant,
)
from referenceless_metrics.human_evaluation.inference.paired_coverage import Coverage, PairedCoverage
from referenceless_metrics.human_evaluation.scores.columns import is_of_shares
from referenceless_metrics.human_evaluation.scores.independent import difference_of_means, shares_interval, shares_p
from referenceless_metrics.human_evaluation.scores.mean_intervals import FEWEST_CLUSTERS, is_binary, mean_interval
from referenceless_metrics.human_evaluation.scores.paired import (
    detectable_share,
    mean_of_clusters,
    newcombe_interval,
    paired_shares_p,
)
from referenceless_metrics.human_evaluation.scores.table import ScoreTable
from referenceless_metrics.human_evaluation.scores.unpaired_coverage import UnpairedCoverage

_FEWEST_UNLIKE = 10
"""Fewest wins and losses, or ones and zeros, for which the standard error agrees with an exact test."""

_ROUNDING = 1e-12
"""Largest difference, as a share of the largest score, that is taken for rounding."""


@dataclass(frozen=True)
class SystemMean:
    """A system's mean score.

    Attributes:
        system: its name.
        column: the score.
        slice: the part of the items; "" for all.
        n: number of items with a score for it.
        mean: the mean score.
        interval: its interval at `Findings.level`, alone and uncorrected; see `mean_interval`.
    """

    system: str
    column: str
    slice: str
    n: int
    mean: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class Difference:
    """The difference of a system's scores from the baseline's.

    Attributes:
        system: its name.
        baseline: the other system.
        column: the score.
        slice: the part of the items; "" for all.
        n: number of items with a score for both; for unpaired scores, with a score for one of them or both.
        n_clusters: number of clusters of these; n without clusters; for unpaired scores, the system's with fewer.
        wins: items with a better score than the baseline's; 0 of unpaired scores, as the next two.
        ties: items with the same score, but for rounding.
        losses: items with a worse score.
        estimate: the mean difference; its standard error is NaN if it cannot be told.
        interval: interval of the mean difference, at the level at which Holm's procedure tests it.
        p_value: two-sided p of no difference; NaN if it cannot be told.
        p_adjusted: corrected for the number of comparisons in the family (Holm).
        detectable: the least true difference that such items find with a power of .8 or more, at whatever rank Holm's
            procedure tests it (`first_level`); NaN of scores of 0 and 1 with few wins and losses.
        detectable_by_more: the same of four times as many items.
        not_worse: True if the system is shown to be worse by less than the margin, False if it is shown to be worse by
            more (one-sided; Bonferroni over the family); None if neither is shown, and without a margin.
        no_verdict: the reason why neither is shown, in words; "" if one is.
        is_paired: whether both systems have scores of the same items.
        own_interval: the interval at a level, of shares and of confidence sequences; None if it is Student's t.
        few_unlike: whether there are so few wins and losses that `detectable` is not told.
        one_sided: the one-sided bounds of the difference; None of scores of 0 and 1, which have an exact test, and if
            there is no finding.
        obstacle: the reason why there is no finding on the items at hand; "" if there is none.
        ends_said: the ends of the scale as far as they are known, as a sentence; "" if nothing rests on it.
        detectable_share: the difference of paired shares that so many items find at a level; None of other scores.
        lower_is_better: whether lower scores are better; the estimate and its interval have the scores' own sign.
        coverage: the items that the two have scores for; None of items that still come in.
        n_shared: of unpaired scores, the number of items with a score for both.
        estimates_ratings: whether the scores estimate people's ratings, of which no significance is marked.
        reach: the width of the scores' scale, beyond which no interval goes; infinite if its ends are not known.
    """

    system: str
    baseline: str
    column: str
    slice: str
    n: int
    n_clusters: int
    wins: int
    ties: int
    losses: int
    estimate: Inference
    interval: tuple[float, float] = (math.nan, math.nan)
    p_value: float = math.nan
    p_adjusted: float = math.nan
    detectable: float = math.nan
    detectable_by_more: float = math.nan
    not_worse: bool | None = None
    no_verdict: str = ""
    is_paired: bool = True
    own_interval: Callable[[float], tuple[float, float]] | None = None
    few_unlike: bool = False
    one_sided: OneSided | None = None
    obstacle: str = ""
    ends_said: str = ""
    detectable_share: Callable[[float], float] | None = None
    lower_is_better: bool = False
    coverage: Coverage | None = None
    n_shared: int = 0
    estimates_ratings: bool = False
    reach: float = math.inf

    @property
    def gain(self) -> Difference:
        """The same difference, above 0 if the system is better: with the other sign if lower scores are better."""
        if not self.lower_is_better:
            return self
        own, bounds = self.own_interval, self.one_sided
        return replace(
            self,
            estimate=self.estimate.with_other_sign,
            interval=(-self.interval[1], -self.interval[0]),
            own_interval=None if own is None else partial(_other_ends, own),
            one_sided=None if bounds is None else replace(bounds, estimate=bounds.estimate.with_other_sign),
            lower_is_better=False,
        )

    @property
    def is_equal(self) -> bool:
        """Whether both systems have the same score on every item, but for rounding."""
        return self.is_paired and self.n > 0 and self.ties == self.n

    @property
    def reason(self) -> str:
        """Reason why there is no test, in words; "" if there is one."""
        if self.obstacle or not math.isnan(self.p_value):
            return self.obstacle
        if self.n_clusters < FEWEST_CLUSTERS:
            have = "both have scores of" if self.is_paired else "one of them has scores of"
            return f"{have} fewer than {FEWEST_CLUSTERS} items or clusters"
        return "no difference varies"

    def interval_at(self, level: float) -> tuple[float, float]:
        """Return the interval at a level: Student's t, or `own_interval`, which reaches to 0 if the test does."""
        if self.own_interval is None:
            low, high = self.estimate.interval(level)
            return max(low, -self.reach), min(high, self.reach)
        low, high = self.own_interval(level)
        return (min(low, 0.0), max(high, 0.0)) if self.p_value > 1 - level else (low, high)

    def bounds_at(self, level: float) -> tuple[float, float]:
        """Return the one-sided bounds of a gate, as the ends of an interval at a two-sided level; see `OneSided`."""
        return self.interval_at(level) if self.one_sided is None else self.one_sided.bounds(level)

    def verdict(self, margin: float, level: float) -> tuple[bool | None, str]:
        """Return whether the system is not worse by a margin, and why that cannot be told; see `OneSided.verdict`."""
        if self.one_sided is not None and self.one_sided.n < FEWEST_FOR_BOUNDS:
            things = "clusters" if self.n_clusters < self.n else "items"
            return None, f"{self.one_sided.n} {things}, and {FEWEST_FOR_BOUNDS} are needed"
        gain = self.gain
        if gain.one_sided is not None:
            not_worse, why = gain.one_sided.verdict(margin, level)
            if not_worse is not None or why:
                return not_worse, why
        else:
            low, high = gain.interval_at(level)
            if low > -margin:
                return True, ""
            if high < -margin:
                return False, ""
        low, high = self.bounds_at(level)
        return None, f"one-sided bounds {low:+.3g} and {high:+.3g}"

    def detectable_at(self, level: float, times: int = 1) -> float:
        """Return the true difference that such items find at a level with a power of .8; NaN if that is unknown.

        Args:
            level: confidence level, in (0, 1).
            times: number of items, as a multiple of those at hand.
        """
        if self.few_unlike:
            return math.nan
        if self.detectable_share is not None:
            return self.detectable_share(level) / math.sqrt(times)
        return self.estimate.detectable(level, times)

    def is_shown(self, level: float) -> bool:
        """Whether the scores show a difference: the adjusted p is at most 1 − level, and the interval leaves out 0.

        Estimates of people's ratings show none: their bias on a system is unknown.
        """
        return not self.estimates_ratings and self.p_adjusted <= 1 - level

    def shown(self, level: float) -> int:
        """Return 1 if the scores show that the system is better, −1 if they show that it is worse, and else 0."""
        if not self.is_shown(level) or self.is_equal:
            return 0
        return 1 if self.gain.estimate.value > 0 else -1


@dataclass(frozen=True)
class Subset:
    """A score on the items of a slice.

    Attributes:
        scores: all scores.
        column: the score.
        part: the slice; "" for all items.
    """

    scores: ScoreTable
    column: str
    part: str

    @property
    def has_scores(self) -> bool:
        """Whether any system has a score; tasks of one log may have scores of different names."""
        rows = self.scores.rows_of(self.part)
        return bool(np.isfinite(self.scores.values[self.column][:, rows]).any())

    @property
    def lower_is_better(self) -> bool:
        """Whether lower scores are better."""
        return self.column in self.scores.lower_is_better

    @property
    def may_be_shares(self) -> bool:
        """Whether scores of 0 and 1 tell right from wrong: no metric of texts has them, and no system other ones."""
        values = self.scores.values[self.column]
        return not names_metric(self.column) and is_binary(values[np.isfinite(values)])

    def values(self, system: str) -> Floats:
        """Return a system's scores, shape (items of the slice,); NaN without a score."""
        rows = self.scores.rows_of(self.part)
        values: Floats = self.scores.values[self.column][self.scores.systems.index(system), rows]
        return values

    def coverage(self, system: str, baseline: str) -> PairedCoverage:
        """Return the number of items for which a system and its baseline have a score.

        The items of several scores, such as those of tasks of one log, are those for which any system has this one.
        """
        rows = self.scores.rows_of(self.part)
        is_counted: Booleans = np.ones(len(rows), dtype=bool)
        if len(self.scores.columns) > 1:
            is_counted = np.logical_or.reduce(np.isfinite(self.scores.values[self.column][:, rows]))
        ours, base = (np.isfinite(self.values(name))[is_counted] for name in (system, baseline))
        clusters = None if self.scores.is_single else self.clusters(is_counted)
        return PairedCoverage.of((system, ours), (baseline, base), clusters, things="items", value=self._value)

    def coverage_apart(self, system: str, baseline: str) -> UnpairedCoverage:
        """Return the number of scores among the items that a system has rows of, and the same of its baseline."""
        of_slice = self.scores.rows_of(self.part)
        covered: list[tuple[str, Booleans]] = []
        clusters = []
        for name in (system, baseline):
            has_row = self.scores.has_row[self.column][self.scores.systems.index(name), of_slice]
            covered.append((name, np.isfinite(self.values(name))[has_row]))
            clusters.append(self.clusters(has_row))
        both = None if self.scores.is_single else (clusters[0], clusters[1])
        return UnpairedCoverage.of(covered[0], covered[1], both, value=self._value)

    @property
    def estimates_ratings(self) -> bool:
        """Whether the scores estimate people's ratings."""
        return self.column in self.scores.estimates

    @property
    def _value(self) -> str:
        return "score" if self.column == "score" else f"score {self.column!r}"

    def clusters(self, known: Booleans) -> Integers:
        """Return the clusters of some of the items, numbered from 0 up."""
        of_items = self.scores.clusters[self.scores.rows_of(self.part)]
        numbered: Integers = np.unique(of_items[known], return_inverse=True)[1]
        return numbered

    def are_shares(self, *values: Floats) -> bool:
        """Whether values are 0 and 1, of items without clusters."""
        return self.scores.is_single and is_binary(*values)


def system_mean(of: Subset, system: str, level: float) -> SystemMean:
    """Return a system's mean with its interval at a level."""
    values = of.values(system)
    known = np.isfinite(values)
    values, clusters = values[known], of.clusters(known)
    mean = float(values.mean()) if len(values) else math.nan
    low, high = mean_interval(values, clusters, level, may_be_shares=of.may_be_shares)
    lowest, highest = _ends_of_scale(of)
    return SystemMean(system, of.column, of.part, len(values), mean, (max(low, lowest), min(high, highest)))


def _ends_of_scale(of: Subset) -> tuple[float, float]:
    """Return the ends of a score's scale: those named, or 0 and 1 of a metric of shares; infinite ones otherwise."""
    if of.scores.scale is not None:
        return of.scores.scale
    if of.column in of.scores.ends:
        return of.scores.ends[of.column]
    values = of.scores.values[of.column]
    known = values[np.isfinite(values)]
    is_share = is_of_shares(of.column) and len(known) and known.min() >= 0 and known.max() <= 1
    return (0.0, 1.0) if is_share else (-math.inf, math.inf)


def paired_difference(of: Subset, system: str, baseline: str) -> Difference:
    """Return the difference over the items that both systems have a score for; its p and interval are not corrected."""
    ours, base = of.values(system), of.values(baseline)
    coverage = of.coverage(system, baseline)
    known = np.isfinite(ours) & np.isfinite(base)
    ours, base, clusters = ours[known], base[known], of.clusters(known)
    rounding = _ROUNDING * max(np.abs(ours).max(initial=0.0), np.abs(base).max(initial=0.0))
    values = _without_rounding(ours - base, rounding)
    n, wins, losses = len(values), int((values > 0).sum()), int((values < 0).sum())
    counts_of_shares = wins, losses
    if of.lower_is_better:
        wins, losses = losses, wins
    difference = Difference(
        system,
        baseline,
        of.column,
        of.part,
        n,
        _number(clusters),
        wins,
        n - wins - losses,
        losses,
        Inference(float(values.mean()) if n else math.nan, math.nan, math.nan, 0.0),
        lower_is_better=of.lower_is_better,
        coverage=coverage,
        estimates_ratings=of.estimates_ratings,
    )
    if difference.is_equal:
        return replace(difference, p_value=1.0)
    are_shares = of.are_shares(ours, base)
    # If nothing varies, the error of the mean is unknown.
    if difference.n_clusters < FEWEST_CLUSTERS or (not are_shares and np.ptp(values) == 0):
        return difference
    estimate = mean_of_clusters(values, clusters)
    if abs(estimate.value) <= rounding:
        estimate = replace(estimate, value=0.0)
    if not are_shares:
        third = third_cumulant((values - values.mean()) / n, clusters)
        return _of_numbers(difference, estimate, third, of, values)
    both = int((ours * base).sum())
    counts = both, *counts_of_shares, n - both - wins - losses
    return replace(
        difference,
        estimate=estimate,
        p_value=paired_shares_p(*counts),
        own_interval=partial(newcombe_interval, *counts),
        detectable_share=partial(detectable_share, *counts),
        few_unlike=wins + losses < _FEWEST_UNLIKE,
    )


def unpaired_difference(of: Subset, system: str, baseline: str) -> Difference:
    """Return the difference of the means of all items of each system; its p and interval are not corrected."""
    ours, base = of.values(system), of.values(baseline)
    our_clusters, base_clusters = of.clusters(np.isfinite(ours)), of.clusters(np.isfinite(base))
    n_shared = int((np.isfinite(ours) & np.isfinite(base)).sum())
    ours, base = ours[np.isfinite(ours)], base[np.isfinite(base)]
    fewest = min(_number(our_clusters), _number(base_clusters))
    mean = float(ours.mean() - base.mean()) if len(ours) and len(base) else math.nan
    unknown = Inference(mean, math.nan, math.nan, 0.0)
    n_scores = len(ours) + len(base)
    n = n_scores - n_shared
    told: Record = {"lower_is_better": of.lower_is_better, "coverage": of.coverage_apart(system, baseline)}
    told |= {"n_shared": n_shared, "estimates_ratings": of.estimates_ratings}
    difference = Difference(system, baseline, of.column, of.part, n, fewest, 0, 0, 0, unknown, is_paired=False, **told)
    are_shares = of.are_shares(ours, base)
    if fewest < FEWEST_CLUSTERS or (not are_shares and np.ptp(ours) == 0 and np.ptp(base) == 0):
        return difference
    estimate = difference_of_means(ours, our_clusters, base, base_clusters)
    if abs(estimate.value) <= _ROUNDING * max(np.abs(ours).max(), np.abs(base).max()):
        estimate = replace(estimate, value=0.0)
    if not are_shares:
        of_ours = third_cumulant((ours - ours.mean()) / len(ours), our_clusters)
        of_base = third_cumulant((base - base.mean()) / len(base), base_clusters)
        return _of_numbers(
            difference, estimate, of_ours - of_base, of, np.array([np.ptp(np.concatenate([ours, base]))])
        )
    counts = int(ours.sum()), len(ours), int(base.sum()), len(base)
    ones = counts[0] + counts[2]
    return replace(
        difference,
        estimate=estimate,
        p_value=shares_p(*counts),
        own_interval=partial(shares_interval, *counts),
        few_unlike=min(ones, n_scores - ones) < _FEWEST_UNLIKE,
    )


def _of_numbers(
    difference: Difference, estimate: Inference, third: float, of: Subset, differences: Floats
) -> Difference:
    """Return a difference of scores that are not shares.

    Args:
        difference: all but the following.
        estimate: the mean difference.
        third: its third cumulant.
        of: the scores of all systems.
        differences: differences of single items, as far as they are known.
    """
    ends = ends_of(of.scores.values[of.column], differences, of.scores.scale)
    bounds = OneSided.skewed(estimate, third, difference.n_clusters, ends)
    low, high = _ends_of_scale(of)
    return replace(difference, estimate=estimate, p_value=estimate.p_value(), one_sided=bounds, reach=high - low)


def _other_ends(interval: Callable[[float], tuple[float, float]], level: float) -> tuple[float, float]:
    """Return an interval of the value with the other sign."""
    low, high = interval(level)
    return -high, -low


def _number(clusters: Integers) -> int:
    return int(clusters.max(initial=-1)) + 1


def _without_rounding(values: Floats, rounding: float) -> Floats:
    """Return differences with 0 for each that is no greater than rounding."""
    return np.where(np.abs(values) <= rounding, 0.0, values)
