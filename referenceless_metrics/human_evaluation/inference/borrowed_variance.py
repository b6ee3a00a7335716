"""The variance of a difference over few items, which borrows from the study's other differences and from the scale.

A few items on which a system fails make most of a difference's variance. A sample of 10 or 20 items often holds none of
them, and its variance s² is then far too small: Student's t has the stated coverage with the true variance, but not
with s². So s² is averaged with other knowledge of it, and never lowered:

* from three systems on, s*² = (ν s² + w s̄²) / (ν + w), with ν the degrees of freedom of s², s̄² the mean of the
  variances of the study's other differences, and w = 2 + n / 5, at most 10: as if these had told it by w items more;
* on a scale from low to high, s*² = (ν s² + 0.1 (high − low)²) / (ν + 0.1): as if a tenth of an item had differed by
  the whole scale.

The largest of the three counts. If no difference varied, the scale gives a bound: were the differences d with a
probability below q, n of them would all be d with a probability below qⁿ.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from referenceless_metrics.human_evaluation.inference.estimated_means import Inference

_ITEMS_OF_SCALE = 0.1
_MOST_ITEMS_OF_OTHERS = 10.0


def added_variances(
    estimates: Sequence[Inference],
    n_groups: Sequence[float],
    scale_width: float | None = None,
    n_single: Sequence[float] | None = None,
) -> list[Any]:
    """Return the addition to the variance of each difference of a study, at least 0; see the module's docstring.

    Args:
        estimates: the differences, for the raters who rated, if they are known.
        n_groups: number of items in each mean; of clusters, if items lie in clusters.
        scale_width: distance of the ends of the ratings' scale; None if they are not known.
        n_single: number of items in each mean, also if items lie in clusters; None if there are no clusters. A single
            item, and not a whole cluster, is taken to differ by the whole scale.

    >>> float(round(added_variances([Inference(0.0, 0.1, 9.0, 0.0)], [10], 4.0)[0], 4))
    0.0175
    """
    singles = n_groups if n_single is None else n_single
    of_groups = [n * estimate.standard_error**2 for n, estimate in zip(n_groups, estimates, strict=True)]
    added = []
    for place, (estimate, n, n_items) in enumerate(zip(estimates, n_groups, singles, strict=True)):
        least: Any = 0.0
        if estimate.is_known:
            freedom = estimate.degrees_of_freedom
            others = [each for i, each in enumerate(of_groups) if i != place and np.isfinite(each).all()]
            if others:
                weight = min(2 + n / 5, _MOST_ITEMS_OF_OTHERS)
                mean = sum(others) / len(others)
                least = np.maximum(least, weight * (mean / n - estimate.standard_error**2) / (freedom + weight))
            if scale_width is not None:
                of_scale = scale_width**2 / n_items - estimate.standard_error**2
                of_items = freedom + (n_items - n)
                least = np.maximum(least, _ITEMS_OF_SCALE * of_scale / (of_items + _ITEMS_OF_SCALE))
        added.append(least)
    return added


def interval_of_equal_differences(difference: float, n_items: int, width: float, level: float) -> tuple[float, float]:
    """Return the interval of a mean of n differences that are all alike, on a scale.

    >>> [round(end, 2) for end in interval_of_equal_differences(0.0, 10, 4.0, 0.95)]
    [-1.23, 1.23]
    """
    others = 1 - ((1 - level) / 2) ** (1 / n_items)
    return difference - others * (width + difference), difference + others * (width - difference)


def p_value_of_equal_differences(difference: float, n_items: int, width: float) -> float:
    """Return the two-sided p that the mean of such differences is 0.

    >>> round(p_value_of_equal_differences(2.0, 10, 4.0), 4)
    0.0347
    """
    return min(1.0, 2 * (width / (width + abs(difference))) ** n_items)
