"""BLEU Neighbors in lighteval (extra `lighteval`)."""

from __future__ import annotations

from typing import Any

from bleu_neighbors_metric.scorer import bleu_neighbors_scorer
from metric_commons.integrations.lighteval import SampleLevelMetric, lighteval_metric


def bleu_neighbors(**arguments: Any) -> SampleLevelMetric:
    """Return the metric for a `LightevalTaskConfig`'s `metrics`; the arguments are those of `bleu_neighbors_scorer`.

    Raises:
        TypeError: for an unknown parameter.
        ValueError: where there is no pool, or more than one.
    """
    return lighteval_metric(bleu_neighbors_scorer(**arguments))
