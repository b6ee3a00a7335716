"""Coefficients of raters' agreement with intervals: Krippendorff's α, Fleiss' κ, and Cohen's κ of pairs of raters.

* α (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability"): 1 − D_o / D_e, with D_o the mean distance of two
  ratings of one unit and D_e that of any two ratings. Distances are nominal (0 or 1), ordinal (squares of differences
  of mid-ranks) or interval (squares of differences).
* Fleiss' κ (Fleiss 1971, "Measuring nominal scale agreement among many raters", Psychological Bulletin 76(5)): the mean
  share of agreeing pairs of ratings of a unit, beyond what the answers' frequencies give by chance.
* Cohen's κ (1960) and, with quadratic weights, Cohen's weighted κ (1968): of two raters over the units that both rated;
  of more raters the mean over pairs (Light 1971), weighted by the units that each shares.

Intervals are by bootstrap percentiles. What is drawn are items: all units of an item, such as the systems' outputs for
it, come together, since their ratings are not independent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_metrics.human_evaluation.inference.estimated_means import LEVEL

FEWEST_SHARED = 10
"""Units that two raters must share for their κ to count."""

_RESAMPLES = 500
_MOST = 4e6  # numbers at once


class Coefficient(NamedTuple):
    """A coefficient with its interval: 1 for full agreement, 0 for that of chance; NaN where it is not defined."""

    value: float
    low: float
    high: float


def agreement_coefficients(
    units: Integers, raters: Integers, ratings: Floats, items: Integers
) -> dict[str, Coefficient]:
    """Return the coefficients of n ratings, at most one of a rater for each unit.

    Args:
        units: what was rated, as whole numbers from 0, shape (n,).
        raters: who rated, likewise.
        ratings: shape (n,).
        items: what units lie in, likewise; of independent units the units themselves.

    Returns:
        By name: `alpha nominal`, `alpha ordinal`, `alpha interval`, `fleiss kappa`, `kappa` and `weighted kappa`.
    """
    values, codes = np.unique(ratings, return_inverse=True)
    n_items = int(items.max()) + 1
    counts = np.zeros((int(units.max()) + 1, len(values)))
    np.add.at(counts, (units, codes), 1.0)
    item_of = np.zeros(len(counts), dtype=np.int64)
    item_of[units] = items
    pairs = _pairs(units, raters, ratings)
    draws = np.random.default_rng(0).multinomial(n_items, np.full(n_items, 1 / n_items), _RESAMPLES)
    weights = np.vstack([np.ones(n_items), draws])[:, item_of].T
    several = counts.sum(axis=1) > 1
    counts = counts[several]
    with np.errstate(all="ignore"):
        parts = [
            [*_alphas(counts, values, block[several]), _fleiss(counts, block[several]), *_kappas(pairs, block)]
            for block in np.array_split(weights, math.ceil(weights.shape[1] * max(counts.size, 1) / _MOST), axis=1)
        ]
    names = ("alpha nominal", "alpha ordinal", "alpha interval", "fleiss kappa", "kappa", "weighted kappa")
    coefficients = {}
    for name, row in zip(names, np.concatenate(parts, axis=1), strict=True):
        known = row[1:][np.isfinite(row[1:])]
        ends = np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]) if len(known) else (math.nan, math.nan)
        coefficients[name] = Coefficient(float(row[0]), float(ends[0]), float(ends[1]))
    return coefficients


def _alphas(counts: Floats, values: Floats, weights: Floats) -> list[Floats]:
    """Return α by its three distances in each draw.

    Args:
        counts: of each answer for each unit with several ratings, shape (units, answers).
        values: the answers.
        weights: of the units in each draw, shape (units, draws).
    """
    of_unit = counts.sum(axis=1)
    totals = weights.T @ counts  # (draws, answers)
    n = totals.sum(axis=1)
    observed = ((of_unit**2 - (counts**2).sum(axis=1)) / (of_unit - 1)) @ weights
    alphas = [1 - observed / ((n**2 - (totals**2).sum(axis=1)) / (n - 1))]
    for places in (np.cumsum(totals, axis=1) - totals / 2, np.broadcast_to(values, totals.shape)):
        sums, squares = counts @ places.T, counts @ (places**2).T
        observed = (weights * ((of_unit[:, None] * squares - sums**2) / (of_unit[:, None] - 1))).sum(axis=0)
        expected = (n * (totals * places**2).sum(axis=1) - (totals * places).sum(axis=1) ** 2) / (n - 1)
        alphas.append(1 - observed / expected)
    varies = (totals > 0).sum(axis=1) > 1
    return [np.where(varies, alpha, np.nan) for alpha in alphas]


def _fleiss(counts: Floats, weights: Floats) -> Floats:
    of_unit = counts.sum(axis=1)
    agreeing = (((counts**2).sum(axis=1) - of_unit) / (of_unit * (of_unit - 1))) @ weights / weights.sum(axis=0)
    shares = weights.T @ counts
    by_chance = ((shares / shares.sum(axis=1, keepdims=True)) ** 2).sum(axis=1)
    return np.asarray((agreeing - by_chance) / (1 - by_chance))


def _pairs(units: Integers, raters: Integers, ratings: Floats) -> list[Any]:
    """Return for each two raters the units that both rated, and both ratings, shape (3, units) each."""
    import pandas as pd

    table = pd.DataFrame({"unit": units, "rater": raters, "rating": ratings})
    both = table.merge(table, on="unit")
    both = both[both["rater_x"] < both["rater_y"]]
    of_pairs = both.groupby(["rater_x", "rater_y"])[["unit", "rating_x", "rating_y"]]
    return [rows.to_numpy().T for _, rows in of_pairs if len(rows) >= FEWEST_SHARED]


def _kappas(pairs: Sequence[Any], weights: Floats) -> Floats:
    """Return the mean over pairs of raters of Cohen's κ, and of that with quadratic weights, in each draw.

    The mean is weighted by what pairs share, and is of those that are defined.
    """
    sums, shared = np.zeros((2, 2, weights.shape[1]))
    for units, *ratings in pairs:
        rows = weights[units.astype(int)]
        n = rows.sum(axis=0)
        answers, codes = np.unique(ratings, return_inverse=True)
        codes = codes.reshape(2, -1)
        # How often each of the two gives each answer.
        first, second = (np.eye(len(answers))[of_rater].T @ rows / n for of_rater in codes)
        distances = (answers[:, None] - answers) ** 2
        for place, apart in enumerate((distances > 0, distances)):
            kappa = 1 - (apart[*codes] @ rows / n) / (first * (apart @ second)).sum(axis=0)
            known = np.isfinite(kappa)
            sums[place] += np.where(known, kappa * n, 0.0)
            shared[place] += known * n
    return sums / shared
