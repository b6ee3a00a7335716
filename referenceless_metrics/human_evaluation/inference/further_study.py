"""The size of a further study of the same kind that finds a difference, from the errors of the study at hand."""

from __future__ import annotations

import math
from bisect import bisect_left
from functools import partial

from referenceless_metrics.human_evaluation.inference.estimated_means import Inference
from referenceless_metrics.human_evaluation.inference.human_score import Contrast

_MOST_TIMES = 1_000
"""Most times as many items of a further study."""


def units_to_find(contrast: Contrast, difference: float, n_units: int, *, same_raters: bool = False) -> int | None:
    """Return the number of items, or clusters, with which a study like this one finds a difference, four times in five.

    Args:
        contrast: the difference, or win rate, of this study.
        difference: the true difference, or the distance of a win rate from one half, above 0.
        n_units: number of items or clusters of this study; the result is not below it.
        same_raters: whether these raters rate all items; else raters are as many times as many, too.

    Returns:
        None if no number finds it.
    """
    detectable = partial(detectable_of_others, contrast) if same_raters else contrast.detectable

    def finds(n: int) -> bool:
        return detectable(n / n_units) <= difference

    if not finds(_MOST_TIMES * n_units):
        return None
    return bisect_left(range(_MOST_TIMES * n_units), True, lo=n_units, key=finds)


def detectable_of_others(contrast: Contrast, times_items: float, times_raters: float = 1.0) -> float:
    """Return the least difference of raters in general that other numbers of items and raters find, four times in five.

    The variance has a part that stems from the draw of items and one from the draw of raters; degrees of freedom of the
    sum are Satterthwaite's. See `Contrast.detectable`, which takes as many times more of both.

    Args:
        contrast: the difference, or win rate, of this study.
        times_items: number of items of the further study, as a multiple of those of this one.
        times_raters: the same of raters.
    """
    these, others = contrast.raters.these, contrast.raters.others
    if these is None or others is None or not others.is_known:
        return math.inf
    of_items = these.standard_error**2 / times_items
    of_raters = max(others.standard_error**2 - these.standard_error**2, 0.0) / times_raters
    variance = of_items + of_raters
    if not variance:
        return 0.0
    spread = of_items**2 / (times_items * (these.degrees_of_freedom + 1) - 1)
    spread += of_raters**2 / (times_raters * contrast.raters.n_raters - 1)
    return Inference(0.0, math.sqrt(variance), variance**2 / spread, 0.0).detectable(contrast.level_of_plans)
