"""What Inspect finds by the entry point `inspect_ai`: any metric as a scorer by name, and an interval of means.

inspect score logs/log.eval --scorer referenceless_metrics/metric_score -S metric=wpslor
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from referenceless_metrics.core.registry import load_metric
from referenceless_metrics.core.support.installation import importing
from referenceless_metrics.frameworks.inspect_ai import inspect_scorer
from referenceless_metrics.human_evaluation.scores.findings import FEWEST_CLUSTERS
from referenceless_metrics.human_evaluation.scores.paired import mean_of_clusters

with importing("inspect", "the scorer for Inspect needs"):
    from inspect_ai.scorer import Metric, SampleScore, Scorer, mean, metric, scorer, stderr, value_to_float

__all__ = ["clustered_interval", "metric_score"]


@metric  # type: ignore[untyped-decorator]
def clustered_interval(level: float = 0.95, cluster: str = "") -> Metric:
    """Return a metric for Inspect: the interval of a mean, cluster-robust with the CR2 correction.

    Its t has Satterthwaite's degrees of freedom: with few clusters of unequal sizes it covers what it says, where t
    with as many degrees of freedom as clusters, less one, covers less (see `systems.scores.paired`). Samples without a
    value (NaN) do not count.

    Args:
        level: the nominal level, in (0, 1).
        cluster: the key of the samples' metadata that tells the cluster; "" for independent samples.
    """
    to_float = value_to_float()

    def interval(scores: list[SampleScore]) -> Any:
        known = [(score, value) for score in scores if math.isfinite(value := to_float(score.score.value))]
        names = [
            str((score.sample_metadata or {})[cluster]) if cluster else str(n) for n, (score, _) in enumerate(known)
        ]
        codes = np.unique(names, return_inverse=True)[1]
        if len(set(names)) < FEWEST_CLUSTERS:
            return {"lower": math.nan, "upper": math.nan}
        lower, upper = mean_of_clusters(np.array([value for _, value in known]), codes).interval(level)
        return {"lower": lower, "upper": upper}

    return interval


@scorer(metrics={"*": [mean(), stderr(), clustered_interval()]})  # type: ignore[untyped-decorator]
def metric_score(metric: str = "fluency", **parameters: Any) -> Scorer:
    """Return the scorer of a metric by its name; see `inspect_scorer`.

    Args:
        metric: its name, such as `wpslor`.
        parameters: the metric's own.
    """
    return inspect_scorer(load_metric(metric, **parameters))
