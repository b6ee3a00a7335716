"""Intervals of a mean score, by kind of score: shares of 0 and 1, or numbers; of items alone, or in clusters."""

from __future__ import annotations

import math

import numpy as np

from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_metrics.human_evaluation.inference.estimated_means import on_scale
from referenceless_metrics.human_evaluation.scores.paired import mean_of_clusters, wilson_interval

FEWEST_CLUSTERS = 5
"""Fewest clusters (or items, if there are none) for which an interval is given."""


def is_binary(*values: Floats) -> bool:
    """Whether all values are 0 or 1."""
    return all(np.isin(each, (0.0, 1.0)).all() for each in values)


def mean_interval(
    values: Floats, clusters: Integers, level: float, *, may_be_shares: bool = True
) -> tuple[float, float]:
    """Return the interval of a mean of scores; NaN if there is none.

    * Scores of 0 and 1 of single items: Wilson's.
    * Scores of 0 and 1 in clusters: that of the cluster-robust standard error, within [0, 1] (see `on_scale`). If all
      are alike, clusters count as one score each.
    * Other scores: Student's t of the cluster-robust standard error; none if no two scores differ.

    Args:
        values: shape (n,), finite.
        clusters: the cluster of each, shape (n,): whole numbers from 0 up, none left out.
        level: the nominal level, in (0, 1).
        may_be_shares: whether scores that all are 0 or 1 tell right from wrong; False if others of their kind have
            values between.

    >>> [round(end, 2) for end in mean_interval(np.ones(6), np.arange(6), 0.95)]
    [0.61, 1.0]
    """
    n_clusters = int(clusters.max(initial=-1)) + 1
    if not len(values):
        return math.nan, math.nan
    are_shares = may_be_shares and is_binary(values)
    if n_clusters == len(values) and are_shares:
        return wilson_interval(int(values.sum()), len(values), level)
    if n_clusters < FEWEST_CLUSTERS:
        return math.nan, math.nan
    mean = mean_of_clusters(values, clusters)
    if are_shares:
        return on_scale(mean, level, (0.0, 1.0), n_clusters)
    return mean.interval(level) if np.ptp(values) > 0 else (math.nan, math.nan)
