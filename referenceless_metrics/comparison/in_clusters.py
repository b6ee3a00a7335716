"""Tests of systems whose segments lie in clusters, such as documents: segments of one cluster are dependent.

The compared metric's means and differences have cluster-robust errors, like scores of any tool (see
`human_evaluation.scores.paired`). Metrics of sacrebleu are tested on whole clusters (see `corpus_metrics`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sacrebleu.significance import Result

from referenceless_metrics.assessment.folds import number_groups
from referenceless_metrics.core.support.validation import Floats, InputError, Integers
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference
from referenceless_metrics.human_evaluation.inference.one_sided import OneSided, ends_of, third_cumulant
from referenceless_metrics.human_evaluation.scores.mean_intervals import FEWEST_CLUSTERS
from referenceless_metrics.human_evaluation.scores.paired import mean_of_clusters


def numbered(clusters: Sequence[Any], n_segments: int) -> Integers:
    """Return the number of each segment's cluster, from 0 up in the order of their first segments, shape (n,).

    Args:
        clusters: the cluster of each segment.
        n_segments: number of segments.

    Raises:
        InputError: for another number of clusters than of segments.
    """
    if len(clusters) != n_segments:
        raise InputError(f"expected the cluster of each of the {n_segments} segments, but got {len(clusters)}")
    return number_groups(map(str, clusters))


def mean_result(scores: Floats, clusters: Integers) -> Result:
    """Return a system's mean with half the width of its 95 % interval; NaN of fewer than `FEWEST_CLUSTERS` clusters."""
    mean = float(scores.mean())
    if int(clusters.max()) + 1 < FEWEST_CLUSTERS or np.ptp(scores) == 0:
        return Result(mean, None, math.nan, math.nan)
    return Result(mean, None, mean, mean_of_clusters(scores, clusters).width(0.95) / 2)


def difference_in_clusters(scores: Floats, base: Floats, clusters: Integers) -> OneSided | None:
    """Return the mean difference of two systems with its one-sided bounds.

    Returns:
        None of fewer than `FEWEST_CLUSTERS` clusters, and if all differences are the same but not 0.
    """
    differences = scores - base
    n_clusters = int(clusters.max()) + 1
    if not differences.any():
        return OneSided(Inference(0.0, 0.0, max(n_clusters - 1, 1), 0.0), n_clusters, ends_of(base, differences, None))
    if n_clusters < FEWEST_CLUSTERS or np.ptp(differences) == 0:
        return None
    estimate = mean_of_clusters(differences, clusters)
    third = third_cumulant((differences - differences.mean()) / len(differences), clusters)
    ends = ends_of(np.concatenate([scores, base]), differences, None)
    return OneSided.skewed(estimate, third, n_clusters, ends)


def tested(bounds: OneSided | None) -> Inference | None:
    """Return the difference as a two-sided test takes it, without the skewness of its bounds; None without a test."""
    return None if bounds is None else replace(bounds.estimate, skewness=0.0)
