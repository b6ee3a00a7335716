"""Coefficients of raters' agreement with intervals: Krippendorff's α, Fleiss' κ, and Cohen's κ of pairs of raters.

* α (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability"): 1 − D_o / D_e, with D_o the mean distance of two
  ratings of one unit and D_e that of any two ratings. Distances are nominal (0 or 1), ordinal (squares of differences
  of mid-ranks) or interval (squares of differences).
* Fleiss' κ (Fleiss 1971, "Measuring nominal scale agreement among many raters", Psychological Bulletin 76(5)): the mean
  share of agreeing pairs of ratings of a unit, beyond the share that the answers' frequencies give by chance.
* Cohen's κ (1960) and, with quadratic weights, Cohen's weighted κ (1968): of two raters over the units that both rated;
  of more raters the mean over pairs (Light 1971), weighted by the units that each shares.

The order of the two systems in a preference is arbitrary. Each pair of outputs therefore counts in both orders, a share
x of a win of one system as 1 − x of the other: by chance either is as likely to be preferred, and no coefficient
depends on the order of systems. Without ties, and with as many raters of each pair, Fleiss' κ is then the coefficient
of agreement u of Kendall & Babington Smith (1940, "On the method of paired comparisons", Biometrika 31(3/4)), and
nominal α the same but for its correction of few answers.

Intervals are for these raters and further items. They are Student's t intervals of log(1 − coefficient), since
1 − coefficient is a ratio that is at least 0, with the jackknife's bias and standard error (Efron & Stein 1981, "The
jackknife estimate of variance", Annals of Statistics 9(3)). The jackknife leaves out items: all units of an item, such
as the systems' outputs for it, together, since their ratings are not independent. Of items in named
clusters, such as documents, it leaves out whole clusters.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_metrics.human_evaluation.inference.estimated_means import LEVEL

FEWEST_SHARED = 10
"""Fewest units that two raters share for their κ, or their correlation, to count."""

FEWEST_ITEMS = 10
"""Fewest items rated by two raters or more for which an interval is given."""

ENOUGH_ITEMS = 15
"""Fewest items for which the 95 % intervals hold in 93 % of studies or more; see `reproduce study-designs`."""

WHICH_ALPHA = (
    "Ordinal α takes the order of the ratings alone, interval α their distances as they are, as means and t tests do: "
    "report that of your analysis, which is interval α if you compare means, and nominal α if answers are kinds "
    "without an order."
)
"""Choice of an α for ratings."""

OF_MEANS = "interval"
"""Level of Krippendorff's α beside an analysis of means, which that of a study is: of ratings, or of shares of wins."""

SUFFICES = (
    "Krippendorff (2018, Content Analysis, chapter 12) asks for α of at least .80 where conclusions rest on single "
    "answers, and for .667 where they are tentative. A comparison of systems' means needs less: the noise of single "
    "answers averages out over items, and the intervals of `human-score` count it."
)
"""Values of α that suffice for a purpose, with the source."""

_FITTED = 2
"""Degrees of freedom that an interval loses beside that of the mean, so that it holds over few items."""

_LEAST_CORRECTED = 0.25
"""Least share of 1 − coefficient that the correction of its bias leaves."""

_MOST_LEFT_OUT = 500
"""Most parts of the items that the jackknife leaves out; of more items, each part holds several."""

_MOST_REACH = 700.0
"""Largest logarithm whose exponential is a number."""

_ROUNDING = 1e-12

_DECIMALS = 12
"""Decimals to which shares of wins are rounded, so that 1 − (1 − x) is x."""


class Coefficient(NamedTuple):
    """A coefficient with its 95 % interval: 1 for full agreement, 0 for that of chance; NaN if it is not defined."""

    value: float
    low: float
    high: float


class PairOfRaters(NamedTuple):
    """Two raters' ratings of the units that both rated.

    Attributes:
        raters: their numbers.
        units: the numbers of the k shared units, shape (k,).
        ratings: ratings of both raters, shape (2, k).
    """

    raters: tuple[int, int]
    units: Integers
    ratings: Floats


def agreement_coefficients(
    units: Integers, raters: Integers, ratings: Floats, items: Integers, *, are_preferences: bool = False
) -> dict[str, Coefficient]:
    """Return the coefficients of n ratings, at most one of a rater for each unit.

    Args:
        units: the rated unit of each rating, as whole numbers from 0, shape (n,).
        raters: the rater of each rating, likewise.
        ratings: shape (n,).
        items: the item of each rating's unit, likewise, or its cluster; for independent units the units themselves.
        are_preferences: whether ratings are shares of a win of one of two systems, which count in both orders.

    Returns:
        By name: `alpha nominal`, `alpha ordinal`, `alpha interval`, `fleiss kappa`, `kappa` and `weighted kappa`. There
        is no interval for fewer than `FEWEST_ITEMS` items with a unit that several raters rated, and none if no two
        answers about a unit differ.
    """
    pairs = [pair for pair in pairs_of_raters(units, raters, ratings) if len(pair.units) >= FEWEST_SHARED]
    if are_preferences:
        n_units = int(units.max()) + 1
        pairs = [_in_both_orders(pair, n_units) for pair in pairs]
        units, items = np.concatenate([units, units + n_units]), np.tile(items, 2)
        ratings = both_orders(ratings)
    values, codes = np.unique(ratings, return_inverse=True)
    counts = np.zeros((int(units.max()) + 1, len(values)))
    np.add.at(counts, (units, codes), 1.0)
    item_of = np.zeros(len(counts), dtype=np.int64)
    item_of[units] = items
    several = np.flatnonzero(counts.sum(axis=1) > 1)
    n_items = len(np.unique(item_of[several]))
    with np.errstate(all="ignore"):
        parts = _parts(item_of[several])
        found = _alphas(counts[several], values, parts)
        found["fleiss kappa"] = _fleiss(counts[several], parts)
        coefficients = {name: _with_interval(of_draws, n_items) for name, of_draws in found.items()}
        in_pairs = np.unique(np.concatenate([pair.units for pair in pairs])) if pairs else np.zeros(0, dtype=np.int64)
        part_of = np.full(len(counts), -1)
        part_of[in_pairs] = _parts(item_of[in_pairs])
        n_items = len(np.unique(item_of[in_pairs]))
        for name, of_draws in zip(("kappa", "weighted kappa"), _kappas(pairs, part_of), strict=True):
            coefficients[name] = _with_interval(of_draws, n_items)
    return coefficients


def both_orders(shares: Floats) -> Floats:
    """Return shares of wins of one of two systems, and behind them those of the other, along the last axis.

    >>> both_orders(np.array([1.0, 0.5])).tolist()
    [1.0, 0.5, 0.0, 0.5]
    """
    return np.round(np.concatenate([shares, 1 - shares], axis=-1), _DECIMALS)


def _in_both_orders(pair: PairOfRaters, n_units: int) -> PairOfRaters:
    """Return two raters' preferences, each unit in both orders; the second is numbered from `n_units` on."""
    return PairOfRaters(pair.raters, np.concatenate([pair.units, pair.units + n_units]), both_orders(pair.ratings))


def pairs_of_raters(units: Integers, raters: Integers, ratings: Floats) -> list[PairOfRaters]:
    """Return for each two raters with a unit in common the units that both rated, with both ratings."""
    order = np.lexsort((raters, units))
    of_unit, by, rated = units[order], raters[order], ratings[order]
    most = int(np.bincount(units).max())
    # Ratings of one unit are neighbours now: each is paired with the one that follows after one place, after two, …
    places = [np.flatnonzero(of_unit[:-step] == of_unit[step:]) for step in range(1, most)]
    if not places:
        return []
    first = np.concatenate(places)
    second = np.concatenate([place + step for step, place in enumerate(places, start=1)])
    by_pair = np.lexsort((first, by[second], by[first]))
    first, second = first[by_pair], second[by_pair]
    changes = np.flatnonzero((np.diff(by[first]) != 0) | (np.diff(by[second]) != 0)) + 1
    return [
        PairOfRaters((int(by[one[0]]), int(by[other[0]])), of_unit[one], np.stack([rated[one], rated[other]]))
        for one, other in zip(np.split(first, changes), np.split(second, changes), strict=True)
        if len(one)
    ]


def _parts(items: Integers) -> Integers:
    """Return the part that each unit is left out with, from 0 up: one per item, or of many items one per several."""
    codes = np.unique(items, return_inverse=True)[1].ravel()
    n_items = int(codes.max(initial=-1)) + 1
    part_of_item = np.random.default_rng(0).permutation(n_items) % max(1, min(n_items, _MOST_LEFT_OUT))
    return np.asarray(part_of_item[codes])


def _left_out(values: Floats, parts: Integers, n_parts: int) -> Floats:
    """Return the sum of values over all units, and over those outside each part, shape (1 + parts, …).

    Args:
        values: values of n units, shape (n, …).
        parts: the part of each, shape (n,).
        n_parts: number of parts.
    """
    sums = np.zeros((1 + n_parts, *values.shape[1:]))
    np.subtract.at(sums, 1 + parts, values)
    return np.asarray(sums + values.sum(axis=0))


def _with_interval(of_draws: Floats, n_items: int) -> Coefficient:
    """Return a coefficient with its interval, NaN if there is none.

    Args:
        of_draws: the coefficient of all items, and that without each part of them, shape (1 + parts,).
        n_items: number of items.
    """
    from scipy.special import stdtrit

    value = float(of_draws[0])
    disagreement = 1 - value
    if n_items < FEWEST_ITEMS or not disagreement > _ROUNDING:
        return Coefficient(value, math.nan, math.nan)
    left_out = of_draws[1:]
    n = len(left_out)
    # Without the only item that has another answer, nothing is defined: it is taken not to matter.
    known = np.where(np.isfinite(left_out), left_out, value)
    mean = float(known.mean())
    corrected = max(n * disagreement - (n - 1) * (1 - mean), _LEAST_CORRECTED * disagreement)
    freedom = n - 1 - _FITTED
    error = math.sqrt((n - 1) / n * float(((known - mean) ** 2).sum()) * (n - 1) / freedom)
    reach = float(stdtrit(freedom, (1 + LEVEL) / 2)) * error / disagreement
    low = 1 - corrected * math.exp(min(reach, _MOST_REACH))
    high = 1 - corrected * math.exp(-reach)
    return Coefficient(value, max(min(low, value), -1.0), max(high, value))


def _alphas(counts: Floats, values: Floats, parts: Integers) -> dict[str, Floats]:
    """Return α by its three distances, of all units and without each part.

    Args:
        counts: counts of each answer for each unit with several ratings, shape (units, answers).
        values: the answers.
        parts: the part of each unit, shape (units,).
    """
    n_parts = int(parts.max(initial=-1)) + 1
    of_unit = counts.sum(axis=1)
    totals = _left_out(counts, parts, n_parts)
    n = totals.sum(axis=1)
    varies = (totals > 0).sum(axis=1) > 1
    observed = _left_out((of_unit**2 - (counts**2).sum(axis=1)) / (of_unit - 1), parts, n_parts)
    expected = (n**2 - (totals**2).sum(axis=1)) / (n - 1)
    alphas = {"alpha nominal": np.where(varies, 1 - observed / expected, np.nan)}
    middle_ranks = np.cumsum(totals, axis=1) - totals / 2
    for name, positions in (("alpha ordinal", middle_ranks), ("alpha interval", np.broadcast_to(values, totals.shape))):
        observed = _squared_distances(counts, positions, parts)
        expected = (n * (totals * positions**2).sum(axis=1) - (totals * positions).sum(axis=1) ** 2) / (n - 1)
        alphas[name] = np.where(varies, 1 - observed / expected, np.nan)
    return alphas


def _squared_distances(counts: Floats, positions: Floats, parts: Integers) -> Floats:
    """Return the sum over units of the squared distances of their ratings, of all units and without each part.

    Args:
        counts: counts of each answer for each unit with several ratings, shape (units, answers).
        positions: positions of answers, in all units and without each part, shape (1 + parts, answers).
        parts: the part of each unit, shape (units,).
    """
    of_unit = counts.sum(axis=1)
    # The sum over all units is quadratic in the positions; the units left out are taken off one by one.
    squares = counts.T @ (of_unit / (of_unit - 1))
    products = counts.T @ (counts / (of_unit - 1)[:, None])
    sums = positions**2 @ squares - ((positions @ products) * positions).sum(axis=1)
    own = positions[1 + parts]
    left_out = (of_unit * (counts * own**2).sum(axis=1) - (counts * own).sum(axis=1) ** 2) / (of_unit - 1)
    np.subtract.at(sums, 1 + parts, left_out)
    return np.asarray(sums)


def _fleiss(counts: Floats, parts: Integers) -> Floats:
    """Return Fleiss' κ, of all units and without each part; the arguments are those of `_alphas`."""
    n_parts = int(parts.max(initial=-1)) + 1
    of_unit = counts.sum(axis=1)
    agreeing = ((counts**2).sum(axis=1) - of_unit) / (of_unit * (of_unit - 1))
    observed = _left_out(agreeing, parts, n_parts) / _left_out(np.ones(len(counts)), parts, n_parts)
    totals = _left_out(counts, parts, n_parts)
    shares = totals / totals.sum(axis=1, keepdims=True)
    by_chance = (shares**2).sum(axis=1)
    return np.asarray((observed - by_chance) / (1 - by_chance))


def _kappas(pairs: Sequence[PairOfRaters], part_of: Integers) -> Floats:
    """Return the mean over pairs of raters of Cohen's κ, and of that with quadratic weights, shape (2, 1 + parts).

    The mean is weighted by the number of units that pairs share, and is over the pairs whose κ is defined.

    Args:
        pairs: pairs of raters who share enough.
        part_of: the part of each unit, from 0 up; −1 for units that no pair shares.
    """
    n_parts = int(part_of.max(initial=-1)) + 1
    sums = np.zeros((2, 1 + n_parts))
    shared = np.zeros((2, 1 + n_parts))
    for pair in pairs:
        answers, codes = np.unique(pair.ratings, return_inverse=True)
        codes = codes.reshape(2, -1)
        parts, places = np.unique(part_of[pair.units], return_inverse=True)
        one_hot = np.eye(len(answers))
        n = _left_out(np.ones(len(pair.units)), places, len(parts))
        # The share of each answer among those of the first rater, and of the second, shape (1 + parts, answers).
        first = _left_out(one_hot[codes[0]], places, len(parts)) / n[:, None]
        second = _left_out(one_hot[codes[1]], places, len(parts)) / n[:, None]
        squares = (answers[:, None] - answers) ** 2
        for kind, distances in enumerate(((squares > 0).astype(float), squares)):
            observed = _left_out(distances[codes[0], codes[1]], places, len(parts)) / n
            by_chance = ((first @ distances) * second).sum(axis=1)
            kappa = 1 - observed / by_chance
            known = np.isfinite(kappa)
            weighted = np.where(known, kappa * n, 0.0)
            weights = np.where(known, n, 0.0)
            # Without a part that the pair does not share, its κ is that of all units.
            of_pair = np.zeros(1 + n_parts, dtype=np.int64)
            of_pair[1 + parts] = 1 + np.arange(len(parts))
            sums[kind] += weighted[of_pair]
            shared[kind] += weights[of_pair]
    return sums / shared
