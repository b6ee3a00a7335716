"""The mean score of a system, and the difference of two systems' scores, each over the items of one slice."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from referenceless_metrics.core.support.validation import Booleans, Floats, Integers
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference
from referenceless_metrics.human_evaluation.scores.independent import difference_of_means, shares_interval, shares_p
from referenceless_metrics.human_evaluation.scores.mean_intervals import FEWEST_CLUSTERS, is_binary, mean_interval
from referenceless_metrics.human_evaluation.scores.paired import (
    detectable_share,
    mean_of_clusters,
    newcombe_interval,
    paired_shares_p,
    skewness_of_mean,
)
from referenceless_metrics.human_evaluation.scores.table import ScoreTable

FEWEST_FOR_BOUNDS = 20
"""Fewest clusters (or items, where there are none) for one-sided bounds: from here on exponential differences hold."""

# Hall's correction takes out what skewness does to the first order, and estimates the skewness from the same items, so
# that a mean that is still skewed is called worse too often: 10 % of equal means for lognormal differences of 20 items.
# Simulations of normal, bounded, lognormal, exponential and heavy-tailed differences of 20 to 200 items chose the two.
_SKEWNESS_TOWARDS = 0.25
"""Greatest skewness of a mean away from 0 on the side of its bound: with rare great gains a mean is called worse."""

_SKEWNESS_AWAY = 0.5
"""Greatest skewness on the other side, where the bound errs less: rare great losses are what a gate is to find."""

_FEWEST_UNLIKE = 10
"""Fewest wins and losses, or ones and zeros, from which the standard error says what an exact test would find."""

_ROUNDING = 1e-12
"""Largest difference, as a share of the largest score, that is taken for none: it is rounding."""


@dataclass(frozen=True)
class SystemMean:
    """A system's mean score.

    Attributes:
        system: its name.
        column: the score.
        slice: the part of the items; "" for all.
        n: how many items it has a score for.
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
        n: how many items both have a score for; of unpaired scores, how many items one of them has a score for.
        n_clusters: how many clusters these are in; n without clusters; of unpaired scores, the system's with fewer.
        wins: items with a higher score than the baseline's; 0 of unpaired scores, as the next two.
        ties: items with the same score, but for rounding.
        losses: items with a lower score.
        estimate: the mean difference; its standard error is NaN where it cannot be told.
        interval: of the mean difference, at the level at which Holm's procedure tests it.
        p_value: two-sided, of no difference; NaN where it cannot be told.
        p_adjusted: corrected for the number of comparisons in the family (Holm).
        detectable: the least true difference that such items find with a power of .8, at the level of the interval; NaN
            of scores of 0 and 1 with few wins and losses.
        not_worse: whether the system is shown to be worse by less than the margin (one-sided; Bonferroni over the
            family); None without a margin.
        is_paired: whether both systems have scores of the same items.
        of_shares: the interval of a difference of shares at a level; None of other scores.
        few_unlike: whether there are so few wins and losses that `detectable` is not told.
        skewness: of the mean difference, for its one-sided bounds.
        detectable_share: the difference of paired shares that so many items find at a level; None of other scores.
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
    not_worse: bool | None = None
    is_paired: bool = True
    of_shares: Callable[[float], tuple[float, float]] | None = None
    few_unlike: bool = False
    skewness: float = 0.0
    detectable_share: Callable[[float], float] | None = None

    @property
    def is_equal(self) -> bool:
        """Whether both systems have the same score on every item, but for rounding."""
        return self.is_paired and self.n > 0 and self.ties == self.n

    def interval_at(self, level: float) -> tuple[float, float]:
        """Return the interval at a level: Newcombe's for scores of 0 and 1 without clusters, else Student's t.

        Newcombe's is extended to 0 where the test does not leave it out.
        """
        if self.of_shares is None:
            return self.estimate.interval(level)
        low, high = self.of_shares(level)
        return (min(low, 0.0), max(high, 0.0)) if self.p_value > 1 - level else (low, high)

    def bounds_at(self, level: float) -> tuple[float, float]:
        """Return the one-sided bounds of a gate, as the ends of an interval at a two-sided level; NaN from few items.

        By Student's t, bounds of skewed differences hold too seldom on one side: here the skewness is taken out (Hall
        1992; see `Inference`). Below `FEWEST_FOR_BOUNDS` clusters, or items, that is not enough.
        """
        if self.of_shares is not None or self.is_equal:
            return self.interval_at(level)
        if self.n_clusters < FEWEST_FOR_BOUNDS or math.isnan(self.p_value):
            return math.nan, math.nan
        return replace(self.estimate, skewness=self.skewness).interval(level)

    @property
    def items_for_bounds(self) -> tuple[int, int]:
        """Numbers of items, or clusters, from which a verdict may rest on the lower and on the upper one-sided bound.

        The skewness of a mean falls with the root of the number of items, so that each bound needs about n (s / limit)²
        of them where the mean of n has the skewness s. Scores of 0 and 1 have bounds of their own, from any number on.
        """
        if self.of_shares is not None or self.is_equal:
            return 0, 0
        return self._items_for_bound(-self.skewness), self._items_for_bound(self.skewness)

    def _items_for_bound(self, towards: float) -> int:
        """Return how many items a bound needs if the mean has this skewness towards it, or away from it below 0."""
        limit = _SKEWNESS_TOWARDS if towards > 0 else _SKEWNESS_AWAY
        return max(FEWEST_FOR_BOUNDS, math.ceil(self.n_clusters * (towards / limit) ** 2))

    def is_not_worse_by(self, margin: float, level: float) -> bool:
        """Whether the lower bound, at a two-sided level, shows that the system is worse by less than a margin."""
        needed, _ = self.items_for_bounds
        return self.n_clusters >= needed and self.bounds_at(level)[0] > -margin

    def detectable_at(self, level: float) -> float:
        """Return the true difference that such items find at a level with a power of .8; NaN if that is unknown."""
        if self.few_unlike:
            return math.nan
        if self.detectable_share is not None:
            return self.detectable_share(level)
        return self.estimate.detectable(level)

    def is_shown(self, level: float) -> bool:
        """Whether the scores show a difference: the adjusted p is at most 1 − level, and the interval leaves out 0."""
        return self.p_adjusted <= 1 - level


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

    def values(self, system: str) -> Floats:
        """Return a system's scores, shape (items of the slice,); NaN without a score."""
        rows = self.scores.rows_of(self.part)
        values: Floats = self.scores.values[self.column][self.scores.systems.index(system), rows]
        return values

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
    interval = mean_interval(values, clusters, level)
    return SystemMean(system, of.column, of.part, len(values), mean, interval)


def paired_difference(of: Subset, system: str, baseline: str) -> Difference:
    """Return the difference over the items that both systems have a score for; its p and interval are not corrected."""
    ours, base = of.values(system), of.values(baseline)
    known = np.isfinite(ours) & np.isfinite(base)
    ours, base, clusters = ours[known], base[known], of.clusters(known)
    rounding = _ROUNDING * max(np.abs(ours).max(initial=0.0), np.abs(base).max(initial=0.0))
    values = _without_rounding(ours - base, rounding)
    n, wins, losses = len(values), int((values > 0).sum()), int((values < 0).sum())
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
    )
    if difference.is_equal:
        return replace(difference, p_value=1.0)
    are_shares = of.are_shares(ours, base)
    # If nothing varies, nothing says how far the mean may be off.
    if difference.n_clusters < FEWEST_CLUSTERS or (not are_shares and np.ptp(values) == 0):
        return difference
    estimate = mean_of_clusters(values, clusters)
    if abs(estimate.value) <= rounding:
        estimate = replace(estimate, value=0.0)
    if not are_shares:
        skewness = skewness_of_mean(values, clusters)
        return replace(difference, estimate=estimate, p_value=estimate.p_value(), skewness=skewness)
    both = int((ours * base).sum())
    counts = both, wins, losses, n - both - wins - losses
    return replace(
        difference,
        estimate=estimate,
        p_value=paired_shares_p(*counts),
        of_shares=partial(newcombe_interval, *counts),
        detectable_share=partial(detectable_share, *counts),
        few_unlike=wins + losses < _FEWEST_UNLIKE,
    )


def unpaired_difference(of: Subset, system: str, baseline: str) -> Difference:
    """Return the difference of the means of all items of each system; its p and interval are not corrected."""
    ours, base = of.values(system), of.values(baseline)
    our_clusters, base_clusters = of.clusters(np.isfinite(ours)), of.clusters(np.isfinite(base))
    ours, base = ours[np.isfinite(ours)], base[np.isfinite(base)]
    fewest = min(_number(our_clusters), _number(base_clusters))
    mean = float(ours.mean() - base.mean()) if len(ours) and len(base) else math.nan
    unknown = Inference(mean, math.nan, math.nan, 0.0)
    n = len(ours) + len(base)
    difference = Difference(system, baseline, of.column, of.part, n, fewest, 0, 0, 0, unknown, is_paired=False)
    are_shares = of.are_shares(ours, base)
    if fewest < FEWEST_CLUSTERS or (not are_shares and np.ptp(ours) == 0 and np.ptp(base) == 0):
        return difference
    estimate = difference_of_means(ours, our_clusters, base, base_clusters)
    if abs(estimate.value) <= _ROUNDING * max(np.abs(ours).max(), np.abs(base).max()):
        estimate = replace(estimate, value=0.0)
    if not are_shares:
        return replace(difference, estimate=estimate, p_value=estimate.p_value())
    counts = int(ours.sum()), len(ours), int(base.sum()), len(base)
    ones = counts[0] + counts[2]
    return replace(
        difference,
        estimate=estimate,
        p_value=shares_p(*counts),
        of_shares=partial(shares_interval, *counts),
        few_unlike=min(ones, n - ones) < _FEWEST_UNLIKE,
    )


def _number(clusters: Integers) -> int:
    return int(clusters.max(initial=-1)) + 1


def _without_rounding(values: Floats, rounding: float) -> Floats:
    """Return differences with 0 for each that is no greater than rounding."""
    return np.where(np.abs(values) <= rounding, 0.0, values)
