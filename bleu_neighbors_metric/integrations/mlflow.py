"""BLEU Neighbors in MLflow (extra `mlflow`); the arguments of both are those of `bleu_neighbors_scorer`."""

from __future__ import annotations

from typing import Any

from bleu_neighbors_metric.scorer import bleu_neighbors_scorer
from metric_commons.integrations.mlflow import EvaluationMetric, Scorer, mlflow_metric, mlflow_scorer


def scorer(**arguments: Any) -> Scorer:
    """Return a scorer for `mlflow.genai.evaluate(scorers=[…])`."""
    return mlflow_scorer(bleu_neighbors_scorer(**arguments))


def metric(**arguments: Any) -> EvaluationMetric:
    """Return a metric for `mlflow.models.evaluate(extra_metrics=[…])`."""
    return mlflow_metric(bleu_neighbors_scorer(**arguments))
