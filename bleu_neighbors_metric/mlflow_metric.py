"""BLEU Neighbors in MLflow (extra `mlflow`); the arguments of both are those of `bleu_neighbors_scorer`."""

from __future__ import annotations

from typing import Any

from metric_commons.mlflow_base import EvaluationMetric, Scorer, mlflow_metric, mlflow_scorer

from .scorer import bleu_neighbors_scorer


def scorer(**arguments: Any) -> Scorer:
    """Return a scorer for `mlflow.genai.evaluate(scorers=[…])`."""
    return mlflow_scorer(bleu_neighbors_scorer(**arguments))


def metric(**arguments: Any) -> EvaluationMetric:
    """Return a metric for `mlflow.models.evaluate(extra_metrics=[…])`."""
    return mlflow_metric(bleu_neighbors_scorer(**arguments))
