"""SLOR, WPSLOR and ROUGE-LM in lighteval (extra `lighteval`), for a `LightevalTaskConfig`'s `metrics`."""

from __future__ import annotations

from typing import Any

from metric_commons.integrations.lighteval import SampleLevelMetric, lighteval_metric
from slor_metric.scorers import rouge_lm_scorer, slor_scorer, wpslor_scorer


def slor(**arguments: Any) -> SampleLevelMetric:
    """Return SLOR; the arguments are those of `SLOR`."""
    return lighteval_metric(slor_scorer(**arguments))


def wpslor(**arguments: Any) -> SampleLevelMetric:
    """Return WPSLOR; the arguments are those of `WPSLOR`."""
    return lighteval_metric(wpslor_scorer(**arguments))


def rouge_lm(**arguments: Any) -> SampleLevelMetric:
    """Return ROUGE-LM; the arguments are those of `ROUGELM`, with `statistics`. References are a document's golds."""
    return lighteval_metric(rouge_lm_scorer(**arguments))
