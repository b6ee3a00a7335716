"""How wide an interval will be, before anybody rates: from how far items, raters and the rest make ratings vary."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from metric_commons.support.validation import Floats, InputError, check_ratings
from metric_commons.systems.inference import LEVEL, Inference, least
from metric_commons.systems.studies.design import Scale
from metric_commons.systems.studies.reading import Preference, Rating, read_study

_SHARED = (
    {0},
    {0, 1},
    {2},
    {1, 2},
    {0, 2},
)  # of item, system and rater, by two ratings, in the order of the components


@dataclass(frozen=True)
class VarianceComponents:
    """Variances of ratings around their systems' means, in squares of the ratings' unit.

    Attributes:
        item: of items, alike for all systems.
        item_system: of items, in each system its own.
        rater: of raters, alike for all systems.
        rater_system: of raters, towards each system their own.
        rater_item: of a rater towards an item, alike for its systems.
        rest: of single ratings.
    """

    item: float
    item_system: float
    rater: float
    rater_system: float
    rater_item: float
    rest: float

    def times(self, factor: float) -> VarianceComponents:
        """Return the components of ratings that are so many times as large."""
        return VarianceComponents(*(factor**2 * value for value in vars(self).values()))


def variance_components(
    items: Sequence[object], systems: Sequence[object], raters: Sequence[object], ratings: ArrayLike
) -> VarianceComponents:
    """Return the components of n ratings, by the products of ratings that share an item, a rater or both.

    The product of two ratings, less their systems' means, has the sum of the components that they share as its
    expectation; the sums of products over the pairs that share an item, a rater and so on are set equal to theirs
    (method of moments by symmetric sums, Koch 1967, "A general approach to the estimation of variance components",
    Technometrics 9(1)). It needs no balance. A component that no pair tells, such as `item_system` where each output is
    rated once, is part of the rest; estimates below 0 are 0.

    Args:
        items: of each rating, n names or numbers.
        systems: the same; of preferences the pair of systems.
        raters: the same.
        ratings: shape (n,), finite.

    >>> found = variance_components([0, 0, 1, 1] * 2, "AABBAABB", "xyxyxyxy", [1, 2, 5, 6, 1, 2, 5, 6])
    >>> found.rest
    0.0
    """
    values = check_ratings(ratings, "ratings", length=len(items))
    codes = np.stack([np.unique(list(map(str, names)), return_inverse=True)[1] for names in (items, systems, raters)])
    residuals = values - (np.bincount(codes[1], values) / np.bincount(codes[1]))[codes[1]]

    def over_pairs(shared: set[int], of: Floats) -> float:
        """Return the sum of products over ordered pairs of ratings that share these."""
        group = np.unique(codes[sorted(shared)], axis=1, return_inverse=True)[1].ravel()
        return float((np.bincount(group, of) ** 2 - np.bincount(group, of**2)).sum())

    counts = [[over_pairs(one | other, np.ones(len(values))) for other in _SHARED] for one in _SHARED]
    sums = [over_pairs(one, residuals) for one in _SHARED]
    found = np.maximum(np.linalg.lstsq(counts, sums)[0], 0.0).tolist()
    rest = max(0.0, float((residuals**2).mean()) - sum(found))
    return VarianceComponents(*[*found, rest])


WEBNLG_RATINGS = VarianceComponents(0.00280, 0.00685, 0.00829, 0.00165, 0.00391, 0.02359)
"""Of fluency in WebNLG 2020 (7,942 judgements of 16 systems by 88 raters, from 0 to 100, one output at a time), in
squares of the scale's width; `variance_components` of its judgements gives them."""

WEBNLG_PREFERENCES = VarianceComponents(0.00119, 0.00010, 0.0, 0.00006, 0.01791, 0.16836)
"""The same of the 3,704 pairs of outputs of one item that one rater rated: 1 where the first is rated higher, .5 for a
tie, 0 where it is rated lower; the system is the pair of systems."""


def study_components(scale: Scale, pilot: str | Path | None = None) -> tuple[VarianceComponents, str]:
    """Return the components to plan a study with, and what they are of: a pilot's, or WebNLG's.

    Args:
        scale: of the study that is planned.
        pilot: the folder of a study on the same scale, with ratings.

    Raises:
        InputError: for a pilot on another scale, and as `read_study`.
    """
    if pilot is None:
        basis = (
            "if ratings vary as those of fluency in WebNLG 2020, made one by one (side by side, differences are "
            "usually known better); a pilot's may differ (--pilot)"
        )
        width = scale.high - scale.low
        return (WEBNLG_PREFERENCES, basis) if scale.is_preference else (WEBNLG_RATINGS.times(width), basis)
    study = read_study(pilot)
    if study.design.scale != scale:
        raise InputError(f"{pilot}: its scale is {study.design.scale}, and that of the study is {scale}")
    given: list[Rating | Preference] = [*study.ratings, *study.preferences]
    rows = [
        (row.item, row.system, row.rater, row.rating)
        if isinstance(row, Rating)
        else (row.item, f"{row.system_a} {row.system_b}", row.rater, row.preference)
        for row in given
        if not row.repeat
    ]
    return variance_components(*map(list, zip(*rows, strict=True))), f"if ratings vary as those of {pilot}"


def planned_width(
    components: VarianceComponents,
    n_items: int,
    n_raters: int,
    overlap: int,
    *,
    preferences: bool = False,
    all_raters: bool = False,
    level: float = LEVEL,
) -> float:
    """Return how wide the interval of two systems' difference, or of a win rate, will be about.

    Raters rate both systems' outputs of the same items, so that what items and raters add to both cancels in the
    difference; in a win rate, the components are of the pair, and none cancels. Degrees of freedom are those of
    Satterthwaite (1946).

    Args:
        components: of ratings in the unit that the width is to have, or of preferences.
        n_items: how many items are rated.
        n_raters: by how many raters in all.
        overlap: how many of them rate each item.
        preferences: whether the width is of a win rate.
        all_raters: whether the interval is to hold for raters in general, and not for these alone; with one rater there
            is none, and the width is infinite.
        level: the interval's nominal level.

    >>> round(planned_width(WEBNLG_RATINGS, 50, 3, 3), 3), round(planned_width(WEBNLG_RATINGS, 200, 3, 3), 3)
    (0.098, 0.048)
    """
    twice = 1 if preferences else 2
    items = components.item_system + preferences * components.item
    raters = components.rater_system + preferences * components.rater
    rest = components.rest + preferences * components.rater_item
    by_items = twice * (items + rest / overlap) / n_items
    by_raters = twice * raters / n_raters if all_raters else 0.0
    if n_items < 2 or (n_raters < 2 and by_raters):
        return math.inf
    squares = by_items**2 / (n_items - 1) + by_raters**2 / max(n_raters - 1, 1)
    freedom = (by_items + by_raters) ** 2 / squares if squares else math.inf
    return Inference(0.0, math.sqrt(by_items + by_raters), freedom, 0.0).width(level)


def items_to_find(difference: float, n_raters: int) -> int:
    """Return how many items it takes to find two systems' true difference, if ratings vary as WebNLG 2020's fluency.

    That is to find it four times in five, at the 5 % level.

    Args:
        difference: as a share of the scale's width, above 0.
        n_raters: raters, who all rate both systems' outputs of each item, and of whom the finding is.

    >>> items_to_find(0.05, 3), items_to_find(0.1, 3)
    (95, 26)
    """
    if not difference > 0:
        raise ValueError(f"Expected argument `difference` to be above 0, but got {difference:g}")

    def found(n_items: int) -> bool:
        width = planned_width(WEBNLG_RATINGS, n_items, n_raters, n_raters)
        wide = Inference(0.0, 1.0, n_items - 1.0, 0.0)
        return wide.detectable() * width / wide.width() <= difference

    return least(found)
