"""Sentences on the size of a further study that finds a difference which somebody names."""

from __future__ import annotations

import math

from referenceless_metrics.human_evaluation.inference.estimated_means import POWER
from referenceless_metrics.human_evaluation.inference.further_study import units_to_find
from referenceless_metrics.human_evaluation.inference.human_score import Contrast, HumanDifference

TIMES = 4.0
"""Times as many items of a further study, which finds half the difference."""


def items_or_raters(contrast: Contrast) -> str:
    """Say what more items find, and what more raters, after a space; "" if the finding is not of raters in general."""
    if not contrast.raters.about_others or contrast.raters.these is None or getattr(contrast, "watched", None):
        return ""
    units = "clusters" if contrast.n_clusters else "items"
    by_items, by_raters = (_told(contrast, contrast.detectable(*times)) for times in ((TIMES, 1), (1, TIMES)))
    return (
        f" More {units} alone, four times as many, find {by_items}; more raters alone, four times as many, {by_raters}."
    )


def _told(contrast: Contrast, size: float) -> str:
    """Return a difference, or a win rate, that a study finds; "none" beyond what answers can have."""
    farthest = contrast.reach if isinstance(contrast, HumanDifference) else contrast.EQUAL
    return f"{contrast.EQUAL + size:.3g}" if size <= farthest else "none"


def to_find_told(contrast: Contrast, wanted: float, n_units: int, units: str) -> str:
    """Say how many items, or clusters, a further study of the same kind needs to find a difference or a win rate.

    Args:
        contrast: the difference, or win rate, of the study at hand.
        wanted: the true difference, or win rate, to find.
        n_units: number of items or clusters of the study at hand.
        units: their name.
    """
    what = "difference" if isinstance(contrast, HumanDifference) else "win rate"
    pair = f"{contrast.system} and {contrast.baseline}"
    opening = f"To find a true {what} of {wanted:g} between {pair} with a probability of {POWER:.0%}"
    n = units_to_find(contrast, wanted - contrast.EQUAL, n_units)
    n_raters = contrast.raters.n_raters
    if n == n_units:
        return f"{opening} the {n_units} {units} are enough."
    if not contrast.raters.about_others:
        return f"{opening} {f'take about {n} {units}' if n else f'no number of {units} is enough'} (here {n_units})."
    if n is None:
        return f"{opening} no number of {units} and raters is enough."
    further = math.ceil(n_raters * n / n_units)
    if contrast.raters.these is None:
        return f"{opening} take about {n} {units} and {further} raters (here {n_units} and {n_raters})."
    by_same = units_to_find(contrast, wanted - contrast.EQUAL, n_units, same_raters=True)
    here = f"(here {n_units} and {n_raters})"
    if by_same is None:
        alone = f"by the same {n_raters} raters no number of {units} is enough"
        return f"{opening} take about {n} {units} and {further} raters {here}; {alone}."
    or_more = f", or about {n} {units} and {further} raters" if n < by_same else ""
    return f"{opening} take about {by_same} {units} by the same number of raters{or_more} {here}."
