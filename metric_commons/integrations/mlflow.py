"""Wraps a metric for MLflow: a scorer for `mlflow.genai.evaluate` and a metric for `mlflow.models.evaluate`."""

from __future__ import annotations

from typing import Any

from metric_commons.metric import Metric, check_metric, coverage_name, score_row, score_texts
from metric_commons.support.installation import importing

with importing("mlflow", "the metrics for MLflow need"):
    from mlflow.entities import Feedback
    from mlflow.genai.scorers import Scorer
    from mlflow.genai.scorers import scorer as as_scorer
    from mlflow.metrics import MetricValue, make_metric
    from mlflow.models import EvaluationMetric

__all__ = ["EvaluationMetric", "Scorer", "mlflow_metric", "mlflow_scorer"]


def mlflow_scorer(metric: Metric) -> Scorer:
    """Return a scorer for `mlflow.genai.evaluate(scorers=[…])`.

    Each row gets two assessments, the score (none where undefined, with the reason as its rationale; MLflow leaves it
    out of the mean) and whether it is covered; a run gets the metrics `<name>/mean` and `<name>_coverage/mean`. A row's
    `outputs` is the text; references, for a metric that reads them, are its `expectations["expected_response"]`,
    sources its `inputs["source"]`.
    """
    check_metric(metric, batches=True)

    @as_scorer(name=metric.name)  # type: ignore[untyped-decorator]
    def score(outputs: Any, expectations: Any = None, inputs: Any = None) -> list[Feedback]:
        result = score_row(
            metric,
            outputs,
            ("expectations['expected_response']", (expectations or {}).get("expected_response")),
            ("inputs['source']", (inputs or {}).get("source")),
        )
        value = float(result.values[0])
        covered = value == value
        metadata = {"signature": metric.signature}
        return [
            Feedback(
                name=metric.name, value=value if covered else None, rationale=result.reasons[0], metadata=metadata
            ),
            Feedback(name=coverage_name(metric), value=covered, metadata=metadata),
        ]

    return score


def mlflow_metric(metric: Metric) -> EvaluationMetric:
    """Return a metric for `mlflow.models.evaluate(extra_metrics=[…])`.

    The results hold `<name>/v1/mean` over the covered rows, `<name>/v1/coverage` and, in the table, a score a row.
    References, for a metric that reads them, are the targets, sources the data's column `sources`, or the one that
    `evaluator_config={"col_mapping": {"sources": …}}` names.
    """
    check_metric(metric)

    def evaluate(predictions: Any, targets: Any = None, metrics: Any = None, sources: Any = None) -> MetricValue:
        references, inputs = (None if given is None else list(given) for given in (targets, sources))
        result = score_texts(metric, list(predictions), references, inputs)
        return MetricValue(
            scores=result.values.tolist(), aggregate_results={"mean": result.mean, "coverage": result.coverage}
        )

    return make_metric(eval_fn=evaluate, greater_is_better=True, name=metric.name, version="v1", metric_metadata=None)
