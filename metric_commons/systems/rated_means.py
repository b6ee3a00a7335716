"""Means of a system's ratings and differences of two systems', paired as far as they are, with estimates of outputs.

Estimates enter as in prediction-powered inference (see `inference`): of a mean, its rated outputs' less the unrated
ones'; of a paired difference, the difference of the two outputs' estimates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metric_commons.systems.crossed import Crossed, crossed
from metric_commons.systems.inference import best_power
from metric_commons.systems.output_ratings import SystemRatings

_MOSTLY = 0.8  # of the ratings in pairs, from which on pairs alone count
_FEWEST_PAIRS = 5

Vector = NDArray[np.float64]
Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RatedOutputs:
    """One system's ratings in numbers that mean the same in all systems.

    Attributes:
        name: the system's.
        items: of its n outputs, shape (n,).
        clusters: shape (n,); None where items are independent.
        estimates: shape (n,), finite.
        stands_for: how many items each output stands for, shape (n,).
        outputs: which output each of k ratings is of, shape (k,).
        raters: shape (k,); None where they are not known.
        ratings: shape (k,).
    """

    name: str
    items: Codes
    clusters: Codes | None
    estimates: Vector
    stands_for: Vector
    outputs: Codes
    raters: Codes | None
    ratings: Vector

    @property
    def weights(self) -> Vector:
        """Of the ratings in the mean: each rated output has that of its item, shared by its ratings, shape (k,)."""
        shares = self.stands_for[self.outputs] / np.bincount(self.outputs, minlength=len(self.items))[self.outputs]
        weights: Vector = shares / shares.sum()
        return weights

    @property
    def takes_estimates(self) -> bool:
        """Whether estimates can enter: outputs are independent, and drawn with one probability."""
        return self.clusters is None and not np.ptp(self.stands_for)

    def of_outputs(self, values: Vector) -> Vector:
        """Return the mean of the ratings' values over each output, shape (n,), NaN where it is unrated."""
        n = len(self.items)
        with np.errstate(invalid="ignore"):
            means: Vector = np.bincount(self.outputs, values, n) / np.bincount(self.outputs, minlength=n)
        return means

    def levels(self, outputs: Codes) -> list[Codes]:
        """Return what correlates ratings of outputs beside their raters: clusters, and items."""
        own = [self.items[outputs]]
        return own if self.clusters is None else [self.clusters[outputs], *own]


def rated_outputs(systems: Sequence[SystemRatings]) -> list[RatedOutputs]:
    """Return systems' ratings in numbers: of items, clusters and raters that mean the same in all of them."""
    one_length = len({len(system.ratings) for system in systems}) == 1
    raters_known = all(system.judgements is not None for system in systems)
    items: dict[object, int] = {}
    clusters: dict[object, int] = {}
    found = []
    for system in systems:
        n = len(system.ratings)
        names = system.items or [place if one_length else (system.name, place) for place in range(n)]
        outputs, raters, ratings = np.flatnonzero(system.rated), None, system.ratings[system.rated]
        if raters_known and system.judgements is not None:
            given = system.judgements
            # A rater's ratings of one output are one rating: their mean.
            both, which = np.unique(np.stack([given.outputs, given.raters]), axis=1, return_inverse=True)
            ratings = np.bincount(which.ravel(), given.ratings) / np.bincount(which.ravel())
            outputs, raters = both[0], both[1]
        found.append(
            RatedOutputs(
                name=system.name,
                items=np.array([items.setdefault(name, len(items)) for name in names], dtype=np.int64),
                clusters=None
                if system.clusters is None
                else np.array([clusters.setdefault(name, len(clusters)) for name in system.clusters], dtype=np.int64),
                estimates=system.known_estimates,
                stands_for=np.ones(n) if system.weights is None else system.weights,
                outputs=outputs,
                raters=raters,
                ratings=ratings,
            )
        )
    return found


def mean_of(system: RatedOutputs, level: float) -> tuple[Crossed, Crossed, float]:
    """Return a system's mean rating from the ratings alone, from ratings and estimates, and the λ of these."""
    rated = system.of_outputs(system.ratings)
    unrated = system.estimates[np.isnan(rated)]
    return powered(
        Part(system.ratings, system.weights, system.levels(system.outputs), system.raters, skewed=True),
        rated[~np.isnan(rated)],
        system.estimates[~np.isnan(rated)],
        system.estimates[system.outputs],
        unrated if system.takes_estimates else unrated[:0],
        level,
    )


def difference_of(system: RatedOutputs, baseline: RatedOutputs, level: float) -> tuple[Crossed, Crossed, str, int]:
    """Return how the mean ratings of two systems differ, the system's less the baseline's.

    Where four fifths of the ratings are in pairs (one item, and one rater where they are known), the pairs' differences
    count alone. Elsewhere all ratings do, and the variance holds what items and raters have in common.

    Returns:
        The difference from the ratings alone; from ratings and estimates; what is paired; and how many pairs or common
        rated items there are.
    """
    raters = system.raters is not None and baseline.raters is not None
    keys = [_keys(one, raters) for one in (system, baseline)]
    _, left, right = np.intersect1d(keys[0], keys[1], return_indices=True)
    common = np.intersect1d(system.items[system.outputs], baseline.items[baseline.outputs])
    if len(left) >= _FEWEST_PAIRS and 2 * len(left) >= _MOSTLY * (len(keys[0]) + len(keys[1])):
        alone, found = _paired(system, baseline, left, right, level)
        return alone, found, "item and rater" if raters else "item", len(np.unique(system.items[system.outputs[left]]))
    alone, found = _unpaired(system, baseline, level)
    whole = 2 * len(common) >= _MOSTLY * sum(len(np.unique(one.outputs)) for one in (system, baseline))
    return alone, found, ("item" if whole else "some items") if len(common) else "", len(common)


@dataclass(frozen=True, eq=False)
class Part:
    """Ratings, or differences of ratings, with their weights in the mean and what they share."""

    values: Vector
    weights: Vector
    items: list[Codes]
    raters: Codes | None
    systems: Codes | None = None
    skewed: bool = False

    def crossed(self, values: Vector, fitted: int = 0) -> Crossed:
        """Return the weighted sum of values in the ratings' places; see `crossed.crossed`."""
        systems = np.zeros(len(values), dtype=np.int64) if self.systems is None else self.systems
        raters = self.raters
        numbers = [np.unique(codes, return_inverse=True)[1].ravel() for codes in self.items]
        return crossed(values, self.weights, systems, numbers, raters, fitted=fitted, skewed=self.skewed)


def powered(
    part: Part, ratings: Vector, estimates: Vector, of_values: Vector, unrated: Vector, level: float
) -> tuple[Crossed, Crossed, float]:
    """Return a mean from the ratings alone, with estimates, and their λ.

    Args:
        part: the ratings.
        ratings: their means over outputs, or differences of such over items, shape (n,).
        estimates: of the same, shape (n,).
        of_values: of what each single rating is of.
        unrated: estimates of the unrated ones, shape (m,).
        level: of the interval that they are to narrow.
    """
    alone = part.crossed(part.values)
    power = best_power(ratings, estimates, unrated)
    if not power:
        return alone, alone, 0.0
    m = len(unrated)
    third = float(((unrated - unrated.mean()) ** 3).mean()) * power**3 / m**2 if part.skewed else None
    found = part.crossed(part.values - power * of_values, fitted=1).plus(
        power * float(unrated.mean()), power**2 * float(unrated.var(ddof=1)) / m, m - 1.0, third
    )
    return (alone, found, power) if found.said.width(level) <= alone.said.width(level) else (alone, alone, 0.0)


def _paired(
    system: RatedOutputs, baseline: RatedOutputs, left: Codes, right: Codes, level: float
) -> tuple[Crossed, Crossed]:
    own, others = system.outputs[left], baseline.outputs[right]
    if system.raters is None or baseline.raters is None:
        own, others = (_rated_places(one)[each] for one, each in ((system, left), (baseline, right)))
        differences = system.of_outputs(system.ratings)[own] - baseline.of_outputs(baseline.ratings)[others]
        raters = None
    else:
        differences, raters = system.ratings[left] - baseline.ratings[right], system.raters[left]
    counts = np.bincount(own, minlength=len(system.items))
    weights = system.stands_for[own] / counts[own]
    part = Part(differences, weights / weights.sum(), system.levels(own), raters)
    _, of_system, of_baseline = np.intersect1d(system.items, baseline.items, return_indices=True)
    contrast = np.full(len(system.items), np.nan)
    contrast[of_system] = system.estimates[of_system] - baseline.estimates[of_baseline]
    untouched = np.isnan(system.of_outputs(system.ratings))[of_system]
    untouched &= np.isnan(baseline.of_outputs(baseline.ratings))[of_baseline]
    items = np.flatnonzero(counts)
    with np.errstate(invalid="ignore"):
        means = (np.bincount(own, differences, len(counts)) / counts)[items]
    usable = system.takes_estimates and baseline.takes_estimates
    unrated = contrast[of_system][untouched] if usable else np.zeros(0)
    alone, found, _ = powered(part, means, contrast[items], contrast[own], unrated, level)
    return alone, found


def _unpaired(system: RatedOutputs, baseline: RatedOutputs, level: float) -> tuple[Crossed, Crossed]:
    both = (system, baseline)
    raters = None
    if system.raters is not None and baseline.raters is not None:
        raters = np.concatenate([system.raters, baseline.raters])
    parts = [one.levels(one.outputs) for one in both]
    part = Part(
        np.concatenate([system.ratings, baseline.ratings]),
        np.concatenate([system.weights, -baseline.weights]),
        [np.concatenate(levels) for levels in zip(*parts, strict=True)],
        raters,
        np.repeat([0, 1], [len(system.ratings), len(baseline.ratings)]),
    )
    alone = part.crossed(part.values)
    means = [one.of_outputs(one.ratings) for one in both]
    unrated = [np.isnan(each) for each in means]
    powers = [
        best_power(each[~out], one.estimates[~out], one.estimates[out]) if one.takes_estimates else 0.0
        for one, each, out in zip(both, means, unrated, strict=True)
    ]
    if not any(powers):
        return alone, alone
    taken = [power * one.estimates for power, one in zip(powers, both, strict=True)]
    left = np.concatenate([one.ratings - each[one.outputs] for one, each in zip(both, taken, strict=True)])
    # Of each output: its share in the mean of the unrated, of the rated, and what is left of its rating.
    shares = [out / max(int(out.sum()), 1) for out in unrated]
    own = [np.bincount(one.outputs, one.weights, len(one.items)) for one in both]
    rest = [mean - each for mean, each in zip(means, taken, strict=True)]
    value = sum(sign * float(share @ each) for sign, share, each in zip((1, -1), shares, taken, strict=True))
    variance = sum(float(each.var(ddof=1)) * float(share @ share) for share, each in zip(shares, taken, strict=True))
    _, a, b = np.intersect1d(system.items, baseline.items, return_indices=True)
    for one, other, weights in (
        (taken[0][a], taken[1][b], shares[0][a] * shares[1][b]),
        (rest[0][a], taken[1][b], own[0][a] * shares[1][b]),
        (taken[0][a], rest[1][b], shares[0][a] * own[1][b]),
    ):
        known = ~np.isnan(one) & ~np.isnan(other)
        if known.sum() > 2 and weights.sum():
            variance -= 2 * float(np.cov(one[known], other[known])[0, 1]) * float(weights.sum())
    freedom = min(int(out.sum()) for out, power in zip(unrated, powers, strict=True) if power) - 1.0
    found = part.crossed(left, fitted=1).plus(value, variance, freedom)
    return (alone, found) if 0 < found.said.width(level) <= alone.said.width(level) else (alone, alone)


def _keys(one: RatedOutputs, raters: bool) -> Codes:
    """Return a number for each rating's item and rater, or for each rated output's item."""
    if not raters or one.raters is None:
        return one.items[_rated_places(one)]
    return one.items[one.outputs] * (2**31) + one.raters


def _rated_places(one: RatedOutputs) -> Codes:
    return np.unique(one.outputs)
