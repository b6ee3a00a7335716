"""Module that Inspect finds by the entry point `inspect_ai`: any metric as a scorer by name, and an interval of means.

inspect score logs/log.eval --scorer referenceless_metrics/metric_score -S metric=wpslor
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from referenceless_metrics.assessment.conformal import check_level
from referenceless_metrics.assessment.folds import number_groups
from referenceless_metrics.core.registry import load_metric
from referenceless_metrics.core.support.installation import importing
from referenceless_metrics.frameworks.inspect_ai import inspect_scorer
from referenceless_metrics.human_evaluation.scores.mean_intervals import mean_interval

with importing("inspect", "the scorer for Inspect needs"):
    from inspect_ai.scorer import Metric, SampleScore, Scorer, mean, metric, scorer, stderr, value_to_float

__all__ = ["clustered_interval", "metric_score"]


@metric  # type: ignore[untyped-decorator]
def clustered_interval(level: float = 0.95, cluster: str = "") -> Metric:
    """Return a metric for Inspect: the interval of a mean, cluster-robust with the CR2 correction.

    Its t has Satterthwaite's degrees of freedom: with few clusters of unequal sizes it has the stated coverage; t with
    as many degrees of freedom as clusters, less one, covers less (see `human_evaluation.scores.paired`). Means of 0 and
    1 have an interval inside [0, 1] (see `mean_interval`). Samples without a value (NaN) do not count.

    Args:
        level: the nominal level, in (0, 1).
        cluster: the key of the samples' metadata that tells the cluster; "" for independent samples.

    Raises:
        ValueError: for a level outside (0, 1), and, when it is computed, for a sample without a cluster.
    """
    check_level(level)
    to_float = value_to_float()

    def interval(scores: list[SampleScore]) -> Any:
        values, clusters = [], []
        for place, score in enumerate(scores):
            value = to_float(score.score.value)
            if math.isfinite(value):
                values.append(value)
                clusters.append(_cluster(score, cluster) if cluster else place)
        lower, upper = mean_interval(np.array(values), number_groups(clusters), level)
        return {"lower": lower, "upper": upper}

    return interval


def _cluster(score: SampleScore, key: str) -> tuple[str, str]:
    """Return the cluster of a sample; values of two types, such as 1 and "1", are two clusters.

    Raises:
        ValueError: for a sample whose metadata tells no cluster.
    """
    metadata = score.sample_metadata or {}
    value = metadata.get(key)
    if value is None or value == "":
        found = "has no value there" if key in metadata else f"has {', '.join(map(repr, metadata)) or 'no metadata'}"
        raise ValueError(
            f"Expected argument `cluster`, {key!r}, to be a key of each sample's metadata, but sample "
            f"{score.sample_id!r} {found}; give each sample a cluster, or leave `cluster` out for independent samples"
        )
    return type(value).__name__, repr(value)


@scorer(metrics={"*": [mean(), stderr(), clustered_interval()]})  # type: ignore[untyped-decorator]
def metric_score(metric: str = "fluency", **parameters: Any) -> Scorer:
    """Return the scorer of a metric by its name; see `inspect_scorer`.

    Args:
        metric: its name, such as `wpslor`.
        parameters: the metric's own.
    """
    return inspect_scorer(load_metric(metric, **parameters))
