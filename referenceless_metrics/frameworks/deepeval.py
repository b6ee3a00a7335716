"""A metric of DeepEval's test cases, for `evaluate` and `assert_test`."""

from __future__ import annotations

from typing import Any

from referenceless_metrics.core.metric import Metric, check_scorer, score_row
from referenceless_metrics.core.support.installation import importing
from referenceless_metrics.core.support.validation import check_number

with importing("deepeval", "the metric for DeepEval needs"):
    from deepeval.metrics import BaseMetric
    from deepeval.test_case import LLMTestCase

__all__ = ["DeepEvalMetric"]


class DeepEvalMetric(BaseMetric):  # type: ignore[misc]  # DeepEval is not among the type checker's imports
    """A metric of test cases without a model as its judge.

    The text is a test case's `actual_output`. A metric that reads references gets its `expected_output`, and one that
    reads sources its `input`. A text without a value has the score None, with the reason, and does not pass.

    Args:
        metric: a metric with its models or its pool bound.
        threshold: the least value that passes, in the unit of the metric; DeepEval's usual 0.5 has no meaning here.

    Raises:
        TypeError: for an object that is no metric, or a threshold that is no number.
        NotFittedError: for an estimator that was not fitted.
        ValueError: for a metric of whole sets, or a threshold that is not finite.
    """

    # DeepEval copies a metric for each worker by its constructor, with attributes of the arguments' names.
    def __init__(self, metric: Metric, threshold: float) -> None:
        check_number(threshold, "threshold")
        self.metric = check_scorer(metric)
        self.threshold = threshold

    @property
    def __name__(self) -> str:
        return self.metric.name

    def measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float | None:
        """Score a test case and return its value, or None."""
        result = score_row(
            self.metric,
            test_case.actual_output,
            ("expected_output", test_case.expected_output),
            ("input", test_case.input),
        )
        self.reason = result.reasons[0]
        self.score = None if self.reason is not None else float(result.values[0])
        self.error = None
        self.score_breakdown = {"signature": result.signature}
        self.is_successful()
        return self.score

    async def a_measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float | None:
        """Score a test case; nothing is awaited."""
        return self.measure(test_case)

    def is_successful(self) -> bool:
        """Return whether the last test case has a value of at least the threshold."""
        self.success = self.error is None and self.score is not None and self.score >= self.threshold
        return self.success
