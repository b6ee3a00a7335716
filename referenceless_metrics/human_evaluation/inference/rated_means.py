"""Means of ratings and differences of two systems', paired as far as they are, with estimates of all outputs.

Estimates enter by prediction-powered inference: Angelopoulos, Duchi & Zrnic (2023), "PPI++: Efficient
Prediction-Powered Inference", arXiv:2311.01453. A mean rating is corrected by how the estimates of the rated outputs
differ from those of the unrated ones; a paired difference by the differences of the two outputs' estimates. The
correction is weighted so that it can narrow the interval but, up to noise, never widen it, and whatever the estimates'
bias the interval stays valid, since the bias enters both sides and cancels.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.statistics import ranks
from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_metrics.human_evaluation.inference.crossed import ROUNDING, Crossed, crossed
from referenceless_metrics.human_evaluation.inference.one_sided import third_cumulant
from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings
from referenceless_metrics.human_evaluation.inference.rater_weights import weights_of_ratings
from referenceless_metrics.human_evaluation.scores.independent import IndependentShares
from referenceless_metrics.human_evaluation.scores.paired import PairedShares

Shares = PairedShares | IndependentShares
"""Single answers of 0 and 1 of two systems."""

_MOSTLY = 0.8  # of the ratings in pairs, from which on pairs alone count
_FEWEST_PAIRS = 5
_HEAVY = 10.0  # kurtosis

FEWEST_FOR_ESTIMATES = 30
"""Rated outputs below which estimates are not used: they miss rare failures, and intervals then cover too little."""


@dataclass(frozen=True, eq=False)
class RatedOutputs:
    """Ratings of some of n outputs; or of some of n items, the differences or preferences between two outputs.

    Attributes:
        ratings: shape (k,).
        outputs: index of the output of each rating, shape (k,).
        raters: number of each rating's rater, shape (k,); None if not known.
        item_of: the item of each output, shape (n,).
        estimates: estimates of the outputs, shape (n,), in any unit. The rated outputs are to be a random part, and
            none of their estimates may have been made with the rating of its own text. NaN leaves an unrated output
            aside, and all estimates if it is of a rated one.
        cluster_of: the cluster of the item of each output, such as a document, shape (n,); None for independent items.
        names: what the numbers of raters stand for, by number; none if nothing asks for it.
    """

    ratings: Floats
    outputs: Integers
    raters: Integers | None
    item_of: Integers
    estimates: Floats
    cluster_of: Integers | None = None
    names: Sequence[Hashable] = ()

    @cached_property
    def weights(self) -> Floats:
        """Weights of the ratings in the mean, shape (k,): all rated outputs have one weight, shared by their ratings.

        If raters are known and gave unequal numbers of ratings, see `weights_of_ratings`.
        """
        if self.raters is None:
            return self.plain_weights
        return weights_of_ratings(self.ratings, self.plain_weights, self.clusters, self.raters)

    @property
    def plain_weights(self) -> Floats:
        """Weights by which all rated outputs count alike, whoever rated them, shape (k,), of sum 1."""
        shares = 1 / self.counts[self.outputs]
        plain: Floats = shares / shares.sum()
        return plain

    @property
    def plain_mean(self) -> float:
        """The mean by these weights."""
        return float(self.plain_weights @ self.ratings)

    @property
    def weighted_residuals(self) -> Floats:
        """The ratings less their mean, times their weights, shape (k,)."""
        residuals: Floats = self.weights * (self.ratings - self.weights @ self.ratings)
        return residuals

    @property
    def counts(self) -> Integers:
        """Number of ratings of each output, shape (n,)."""
        return np.bincount(self.outputs, minlength=len(self.estimates))

    @property
    def items(self) -> Integers:
        """The item of each rating, shape (k,)."""
        items: Integers = self.item_of[self.outputs]
        return items

    @property
    def clusters(self) -> Integers:
        """Group in which ratings correlate beside their raters: the item, or the cluster of items, shape (k,)."""
        if self.cluster_of is None:
            return self.items
        clusters: Integers = self.cluster_of[self.outputs]
        return clusters

    @property
    def rater_names(self) -> frozenset[Hashable]:
        """Those who gave the ratings; none if they are not known, or not by name."""
        if self.raters is None or not self.names:
            return frozenset()
        return frozenset(self.names[number] for number in np.unique(self.raters).tolist())

    @property
    def is_clustered(self) -> bool:
        """Whether clusters hold items."""
        return self.cluster_of is not None

    @property
    def unrated_estimates(self) -> Floats:
        """Estimates of the outputs that are not rated, as far as they are known."""
        unrated: Floats = self.estimates[(self.counts == 0) & ~np.isnan(self.estimates)]
        return unrated

    @property
    def means(self) -> Floats:
        """The mean rating of each output, shape (n,), NaN if it is unrated."""
        with np.errstate(invalid="ignore"):
            return np.bincount(self.outputs, self.ratings, len(self.estimates)) / self.counts

    @property
    def best_power(self) -> float:
        """The λ ≥ 0 of least variance: cov(rating, estimate) / var(estimate) / (1 + n / m); 0 for no use of estimates.

        The covariance is of the n rated outputs and the variance of all n + m, as in PPI++: an unrated estimate far
        from all others then lowers λ, and does not carry the mean away. If items lie together, estimates are not used.
        """
        rated = self.counts > 0
        known, unrated = self.estimates[rated], self.unrated_estimates
        n, m = len(known), len(unrated)
        if self.is_clustered or m < 2 or n < FEWEST_FOR_ESTIMATES or not np.ptp(known) > 0:
            return 0.0
        ratings = self.means[rated]
        covariance = (known - known.mean()) @ (ratings - ratings.mean()) / (n - 1)
        return float(max(covariance / np.concatenate([known, unrated]).var(ddof=1), 0.0)) / (1 + n / m)

    def mean(self, level: float, *, skewed: bool = False, power: float | None = None) -> tuple[Crossed, Crossed, float]:
        """Return the mean from the ratings alone, from ratings and estimates, and λ (PPI++, Eq. 2 and section 6).

        θ = mean(ratings) + λ · (mean(estimates of the unrated) − mean(estimates of the rated)).

        Args:
            level: level of the interval that the estimates are to narrow; they are not used if they do not.
            skewed: see `crossed`.
            power: λ, whether it narrows the interval or not; None for the best.
        """
        of_ratings = partial(
            crossed,
            weights=self.weights,
            items=self.clusters,
            raters=self.raters,
            skewed=skewed,
            clustered=self.is_clustered,
        )
        alone = of_ratings(self.ratings)
        used = self.best_power if power is None else power
        if not used:
            return alone, alone, 0.0
        unrated = self.unrated_estimates
        m, mean = len(unrated), unrated.mean()
        third = used**3 * ((unrated - mean) ** 3).mean() / m**2 if skewed else None
        left = self.ratings - used * self.estimates[self.outputs]
        # One degree of freedom more went into λ.
        joint = of_ratings(left, fitted=1).plus(used * mean, used**2 * unrated.var(ddof=1) / m, m - 1.0, third)
        if power is None and joint.said.width(level) > alone.said.width(level):
            return alone, alone, 0.0
        return alone, joint, used


def why_without_estimates(system: SystemRatings) -> str:
    """Return why estimates do not narrow the interval of a system's mean rating, in words."""
    n_rated = int(system.rated.sum())
    known = system.estimates[system.rated & np.isfinite(system.estimates)]
    if system.clusters is not None:
        return "estimates are not used with clusters"
    if n_rated < FEWEST_FOR_ESTIMATES:
        return f"estimates are used from {FEWEST_FOR_ESTIMATES} rated outputs of a system on"
    if not np.isfinite(system.estimates[~system.rated]).any():
        return "estimates tell something of unrated outputs alone, and all outputs are rated"
    if not len(known) or not np.ptp(known) > 0:
        return "the estimates of all rated outputs are alike"
    return "estimates tell too little of the ratings"


def why_difference_without_estimates(system: SystemRatings, baseline: SystemRatings, paired: str, n_items: int) -> str:
    """Return why estimates do not narrow the interval of a difference, although they do that of a mean, in words.

    Args:
        system: the ratings of the system.
        baseline: those of the baseline.
        paired: the units that are paired; see `MeanDifference`.
        n_items: number of items that have pairs, or are rated of both.
    """
    both = system, baseline
    are_raters_known = all(each.judgements is not None for each in both)
    if paired == "some items" or (are_raters_known and paired != "item and rater"):
        return "the two systems share items or raters, and too few ratings are in pairs"
    if paired and n_items < FEWEST_FOR_ESTIMATES:
        return f"estimates are used from {FEWEST_FOR_ESTIMATES} items with ratings of both on"
    unrated = [
        {
            item
            for item, is_rated in zip(each.items or range(len(each.ratings)), each.rated, strict=True)
            if not is_rated
        }
        for each in both
    ]
    if paired and len(set.intersection(*unrated)) < 2:
        return (
            "it is not known which unrated outputs are of one item, or there are none of both systems (rows of the "
            "systems' files are items if each item of the ratings stands in one row of all files)"
        )
    return "differences of estimates tell too little of those of the ratings"


def rated_systems(systems: Sequence[SystemRatings]) -> list[RatedOutputs]:
    """Return systems' ratings in numbers: of items, clusters and raters that mean the same in all of them.

    Estimates with heavy tails (see `without_heavy_tails`) are ranks; an abstention stands for the mean of the known
    ones, rated or not, which biases nothing.
    """
    numbers: dict[tuple[str, Hashable], int] = {}

    def codes(kind: str, names: Iterable[Hashable]) -> Integers:
        return np.array([numbers.setdefault((kind, name), len(numbers)) for name in names], dtype=np.int64)

    one_length = len({len(system.ratings) for system in systems}) == 1
    raters_known = all(system.judgements is not None for system in systems)
    rated = []
    for system, estimates in zip(systems, without_heavy_tails([each.estimates for each in systems]), strict=True):
        n = len(system.ratings)
        outputs, raters, ratings = np.flatnonzero(system.rated), None, system.ratings[system.rated]
        if raters_known and system.judgements is not None:
            # A rater's ratings of one output are one rating: their mean.
            judged = system.judgements.assign(rater=codes("rater", system.judgements["rater"]))
            mean = judged.groupby(["output", "rater"], as_index=False)["rating"].mean()
            outputs, raters, ratings = (mean[name].to_numpy() for name in ("output", "rater", "rating"))
        known = ~np.isnan(estimates)
        places = range(n) if one_length else [(system.name, place) for place in range(n)]
        clusters = None if system.clusters is None else codes("cluster", system.clusters)
        items = codes("item", system.items or places)
        filled = np.where(known, estimates, estimates[known].mean() if known.any() else 0.0)
        rated.append(RatedOutputs(ratings, outputs, raters, items, filled, clusters))
    names = [name for _, name in numbers]
    return [replace(each, names=names) for each in rated]


@dataclass(frozen=True, eq=False)
class MeanDifference:
    """Difference of the mean ratings of two systems.

    Attributes:
        alone: the difference from the ratings.
        with_estimates: the difference from ratings and estimates.
        paired: the units that are paired: "item and rater", "item", "some items", or "" for independent samples.
        n_items: number of items that have pairs, or are rated of both.
        n_unpaired: number of ratings that are in no pair and left out.
        n_groups: number of clusters, or items if there are no clusters, that the precision rests on: if systems have
            different ones, the number of common ones that would make a mean of such precision.
        n_single: the same number of items.
        third: the third cumulant of the difference of the ratings; intervals take it as 0, and one-sided bounds do not.
        largest: the range of the ratings of both systems.
        n_clusters: number of clusters that hold the items of both systems; 0 if nobody named clusters.
        shares: of answers of 0 and 1, one for each output, by one rater or raters who are not known; None of others.
        n_estimated: number of unrated outputs whose estimates take part; 0 if estimates do not.
        plain: the difference from the ratings if all pairs, or all outputs of each system, count alike.
        raters: those whose ratings take part; none if they are not known.
        on_common: of systems with some items in common, the mean difference on these; NaN of others.
    """

    alone: Crossed
    with_estimates: Crossed
    paired: str
    n_items: int
    n_unpaired: int
    n_groups: float
    n_single: float
    third: float = 0.0
    largest: float = 0.0
    n_clusters: int = 0
    shares: Shares | None = None
    n_estimated: int = 0
    plain: float = np.nan
    raters: frozenset[Hashable] = frozenset()
    on_common: float = np.nan


def difference_of(
    system: RatedOutputs, baseline: RatedOutputs, level: float, *, with_estimates: bool
) -> MeanDifference:
    """Return the difference of the mean ratings of two systems, the system's less the baseline's.

    If four fifths of the ratings are in pairs (one item, and one rater if they are known), the pairs' differences
    count alone. Else all ratings do, and the variance includes the common effects of items and raters.
    """
    both = system, baseline
    n_ratings = len(system.ratings) + len(baseline.ratings)
    largest = float(np.ptp(np.concatenate([each.ratings for each in both])))
    left, right = _pairs_of(system, baseline)
    if len(left) >= _FEWEST_PAIRS and 2 * len(left) >= _MOSTLY * n_ratings:
        pairs = _paired(system, baseline, left, right)
        n_items = len(np.unique(pairs.items))
        alone, joint, _ = pairs.mean(level, power=None if with_estimates else 0.0)
        kind = "item" if pairs.raters is None else "item and rater"
        n_unpaired = n_ratings - 2 * len(left)
        third = third_cumulant(pairs.weighted_residuals, pairs.clusters)
        of_pairs = len(np.unique(pairs.clusters))
        n_clusters = of_pairs if pairs.is_clustered else 0
        shares = _paired_shares(system.ratings[left], baseline.ratings[right])
        n_raters = 1 if pairs.raters is None else len(np.unique(pairs.raters))
        if pairs.is_clustered or n_items < len(left) or n_raters > 1 or joint is not alone:
            shares = None
        n_estimated = 0 if joint is alone else 2 * len(pairs.unrated_estimates)
        counts = n_items, n_unpaired, of_pairs, n_items
        of_outputs = n_clusters, shares, n_estimated, pairs.plain_mean
        return MeanDifference(alone, joint, kind, *counts, third, largest, *of_outputs, raters=pairs.rater_names)
    n_common = len(np.intersect1d(system.items, baseline.items))
    whole = 2 * n_common >= _MOSTLY * sum((each.counts > 0).sum() for each in both)
    alone, joint, n_estimated = _unpaired(system, baseline, level, with_estimates)
    kind = ""
    if n_common:
        kind = "item" if whole else "some items"
    n_groups = 2 / sum(1 / len(np.unique(each.clusters)) for each in both)
    n_single = 2 / sum(1 / len(np.unique(each.items)) for each in both)
    residuals = np.concatenate([system.weighted_residuals, -baseline.weighted_residuals])
    third = third_cumulant(residuals, np.concatenate([each.clusters for each in both]))
    n_clusters = len(np.unique(np.concatenate([each.clusters for each in both]))) if system.is_clustered else 0
    plain = system.plain_mean - baseline.plain_mean
    is_plain = not n_common and not n_clusters and joint is alone
    of_shares = _independent_shares(system, baseline) if is_plain else None
    of_pair = n_common, 0, n_groups, n_single, third, largest, n_clusters, of_shares, n_estimated, plain
    on_common = _difference_on_common(system, baseline) if kind == "some items" else np.nan
    names = system.rater_names | baseline.rater_names
    return MeanDifference(alone, joint, kind, *of_pair, raters=names, on_common=on_common)


def _difference_on_common(system: RatedOutputs, baseline: RatedOutputs) -> float:
    """Return the mean difference of the outputs whose items are rated of both, each the mean of its ratings."""
    left, right = np.flatnonzero(system.counts), np.flatnonzero(baseline.counts)
    _, ours, base = np.intersect1d(system.item_of[left], baseline.item_of[right], return_indices=True)
    return float((system.means[left[ours]] - baseline.means[right[base]]).mean())


def _independent_shares(system: RatedOutputs, baseline: RatedOutputs) -> IndependentShares | None:
    """Return the numbers of answers of 1 and of all, of single answers of 0 and 1 on items of their own; else None."""
    counted = []
    raters: set[int] = set()
    for each in (system, baseline):
        is_single = len(each.ratings) == len(np.unique(each.items))
        if not is_single or not np.isin(each.ratings, (0.0, 1.0)).all():
            return None
        raters.update(() if each.raters is None else each.raters.tolist())
        counted += [int(each.ratings.sum()), len(each.ratings)]
    ours, n, base, m = counted
    is_constant = ours in (0, n) and base in (0, m)
    return None if len(raters) > 1 or is_constant else IndependentShares(ours, n, base, m)


def _paired_shares(ours: Floats, base: Floats) -> PairedShares | None:
    """Return how many pairs have 1 of both, of ours alone, of the baseline alone, and of neither.

    None unless all ratings are 0 or 1, and some pairs differ.

    >>> _paired_shares(np.array([1, 1, 0, 0.0]), np.array([1, 0, 0, 0.0])), _paired_shares(np.ones(3), np.ones(3))
    (PairedShares(both=1, wins=1, losses=0, neither=2), None)
    """
    if not np.isin([ours, base], (0.0, 1.0)).all() or (ours == base).all():
        return None
    wins, losses = int((ours > base).sum()), int((ours < base).sum())
    both = int((ours * base).sum())
    return PairedShares(both, wins, losses, len(ours) - both - wins - losses)


def _pairs_of(system: RatedOutputs, baseline: RatedOutputs) -> tuple[Integers, Integers]:
    """Return the places of the ratings of one item, and by one rater if raters are known, in both systems."""
    keys = []
    for each in (system, baseline):
        raters = np.zeros_like(each.items) if each.raters is None else each.raters
        keys.append(np.stack([each.items, raters], axis=1))
    n = len(keys[0])
    codes = np.unique(np.concatenate(keys), axis=0, return_inverse=True)[1].ravel()
    _, left, right = np.intersect1d(codes[:n], codes[n:], return_indices=True)
    return left, right


def _paired(system: RatedOutputs, baseline: RatedOutputs, left: Integers, right: Integers) -> RatedOutputs:
    """Return the differences of pairs of ratings, which stand at `left` and `right`."""
    outputs = system.outputs[left]
    _, of_system, of_baseline = np.intersect1d(system.item_of, baseline.item_of, return_indices=True)
    # Items in pairs, and those that are unrated of both, have a contrast.
    rated = (system.counts[of_system] > 0) | (baseline.counts[of_baseline] > 0)
    usable = ~rated | np.isin(of_system, outputs)
    contrasts = np.full(len(system.estimates), np.nan)
    contrasts[of_system[usable]] = (system.estimates[of_system] - baseline.estimates[of_baseline])[usable]
    differences = system.ratings[left] - baseline.ratings[right]
    differences[np.abs(differences) <= ROUNDING * np.abs(system.ratings).max()] = 0.0  # of means of equal ratings
    return replace(
        system,
        ratings=differences,
        outputs=outputs,
        raters=None if system.raters is None else system.raters[left],
        estimates=contrasts,
    )


def _unpaired(
    system: RatedOutputs, baseline: RatedOutputs, level: float, with_estimates: bool
) -> tuple[Crossed, Crossed, int]:
    """Return the difference of two means from the ratings alone, with estimates, and of how many outputs these are.

    Estimates are used if the two means are independent: no items in common, and raters unknown.
    """
    both = (system, baseline)
    raters = [each.raters for each in both if each.raters is not None]
    alone = crossed(
        np.concatenate([each.ratings for each in both]),
        np.concatenate([system.weights, -baseline.weights]),
        np.concatenate([each.clusters for each in both]),
        np.concatenate(raters) if raters else None,
        np.repeat([0, 1], [len(each.ratings) for each in both]),
        clustered=system.is_clustered,
    )
    if not with_estimates or raters or len(np.intersect1d(system.items, baseline.items)):
        return alone, alone, 0
    means = [each.mean(level) for each in both]
    ours, theirs = (joint.said for _, joint, _ in means)
    if not any(used for _, _, used in means):
        return alone, alone, 0
    n_estimated = sum(len(each.unrated_estimates) for each, (_, _, used) in zip(both, means, strict=True) if used)
    difference = ours.plus(-theirs.value, theirs.standard_error**2, theirs.degrees_of_freedom)
    if difference.width(level) >= alone.said.width(level):
        return alone, alone, 0
    return alone, replace(alone, these=difference), n_estimated


def without_heavy_tails(estimates: Sequence[Floats]) -> list[Floats]:
    """Return estimates of several systems' outputs, as ranks among all of them if their tails are heavy.

    The ratings have no say in it: heavy is a kurtosis above 10 (normal 3, exponential 9).

    >>> without_heavy_tails([np.array([1.0, 3.0]), np.array([2.0])])[0].tolist()
    [1.0, 3.0]
    """
    known = [each[~np.isnan(each)] for each in estimates]
    around = np.concatenate([each - each.mean() for each in known if len(each)] or [np.zeros(1)])
    if np.mean(around**4) <= _HEAVY * np.mean(around**2) ** 2:
        return list(estimates)
    every = np.concatenate(estimates)
    there = ~np.isnan(every)
    every[there] = ranks(every[there]) / there.sum()
    return np.split(every, np.cumsum([len(each) for each in estimates])[:-1])
