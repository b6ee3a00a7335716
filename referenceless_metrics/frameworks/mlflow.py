"""A scorer for MLflow's `mlflow.genai.evaluate`."""

from __future__ import annotations

from typing import Any

from referenceless_metrics.core.metric import Metric, check_scorer, coverage_name, score_row
from referenceless_metrics.core.support.installation import importing

with importing("mlflow", "the metrics for MLflow need"):
    from mlflow.entities import Feedback
    from mlflow.genai.scorers import Scorer
    from mlflow.genai.scorers import scorer as as_scorer

__all__ = ["Scorer", "mlflow_scorer"]


def mlflow_scorer(metric: Metric) -> Scorer:
    """Return a scorer for `mlflow.genai.evaluate(scorers=[…])`.

    Each row gets two assessments, the score (none if undefined, with the reason as its rationale; MLflow leaves it out
    of the mean) and whether it is covered; a run gets the metrics `<name>/mean` and `<name>_coverage/mean`. A row's
    `outputs` is the text; references, for a metric that reads them, are its `expectations["expected_response"]`,
    sources its `inputs["source"]`.
    """
    check_scorer(metric)

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
