"""SLOR, WPSLOR and ROUGE-LM in MLflow (extra `mlflow`).

`*_scorer` are for `mlflow.genai.evaluate(scorers=[…])`, `*_metric` for `mlflow.models.evaluate(extra_metrics=[…])`;
the arguments are those of `SLOR`, `WPSLOR` and `ROUGELM`, the last with its `statistics`.
"""

from __future__ import annotations

from typing import Any

from metric_commons.integrations.mlflow import EvaluationMetric, Scorer, mlflow_metric, mlflow_scorer
from slor_metric import scorers


def slor_scorer(**arguments: Any) -> Scorer:
    """Return SLOR as a scorer."""
    return mlflow_scorer(scorers.slor_scorer(**arguments))


def slor_metric(**arguments: Any) -> EvaluationMetric:
    """Return SLOR as a metric."""
    return mlflow_metric(scorers.slor_scorer(**arguments))


def wpslor_scorer(**arguments: Any) -> Scorer:
    """Return WPSLOR as a scorer."""
    return mlflow_scorer(scorers.wpslor_scorer(**arguments))


def wpslor_metric(**arguments: Any) -> EvaluationMetric:
    """Return WPSLOR as a metric."""
    return mlflow_metric(scorers.wpslor_scorer(**arguments))


def rouge_lm_scorer(**arguments: Any) -> Scorer:
    """Return ROUGE-LM as a scorer; the reference is a row's `expectations["expected_response"]`."""
    return mlflow_scorer(scorers.rouge_lm_scorer(**arguments))


def rouge_lm_metric(**arguments: Any) -> EvaluationMetric:
    """Return ROUGE-LM as a metric; the references are the `targets`."""
    return mlflow_metric(scorers.rouge_lm_scorer(**arguments))
