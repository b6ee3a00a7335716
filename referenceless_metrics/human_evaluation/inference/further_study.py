"""The size of a further study of the same kind that finds a difference, from the errors of the study at hand."""

from __future__ import annotations

from bisect import bisect_left

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

    def finds(n: int) -> bool:
        times = n / n_units
        return contrast.detectable(times, 1.0 if same_raters else times) <= difference

    if finds(n_units):
        return n_units
    if not finds(_MOST_TIMES * n_units):
        return None
    return bisect_left(range(_MOST_TIMES * n_units), True, lo=n_units, key=finds)
