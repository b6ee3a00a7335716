"""Any metric as a Python assertion of promptfoo; it needs no further package."""

from __future__ import annotations

from collections.abc import Callable

from referenceless_metrics.core.metric import Metric, check_scorer, coverage_name, score_row
from referenceless_metrics.core.support.validation import Record, check_number

Assertion = Callable[[str, Record], Record]


def promptfoo_assertion(
    metric: Metric, *, threshold: float | None = None, value_range: tuple[float, float] | None = None
) -> Assertion:
    """Return the function that an assertion's `value: file://FILE.py` looks for under the name `get_assert`.

    promptfoo sums scores over assertions and expects them between 0 and 1, so that a score is the value's place in
    `value_range`. The metric's own values are named scores: `<name>` of the covered texts and
    `<name>_coverage` of all. promptfoo keeps their sums and counts, which are the mean over the covered texts and the
    coverage. References, for a metric that reads them, are the test's `vars.reference`, sources its `vars.source`.

    Args:
        metric: a metric with its models or its pool bound, made once a process.
        threshold: the least value that passes; None to pass every text with a value. An assertion's own `threshold` is
            compared with scores. A text without a value fails with score 0, and the reason.
        value_range: the values that become the scores 0 and 1; values beyond do so too. None for the least and the
            greatest rating of a metric that holds its rated texts; any other needs it, such as (-2, 3) for SLOR.

    Raises:
        TypeError: for an object that is no metric.
        NotFittedError: for an estimator that was not fitted.
        ValueError: for a metric of whole sets, a threshold that is no number, or a range that is missing or none.
    """
    check_scorer(metric)
    if threshold is not None:
        check_number(threshold, "threshold")
    low, high = _range_of(metric) if value_range is None else value_range
    if not low < high:
        raise ValueError(f"Expected `value_range` to rise, but got {low} to {high}")

    def get_assert(output: str, context: Record) -> Record:
        inputs = context.get("vars") or {}
        result = score_row(
            metric, output, ("vars.reference", inputs.get("reference")), ("vars.source", inputs.get("source"))
        )
        value, reason = float(result.values[0]), result.reasons[0]
        covered = reason is None
        passes = covered and (threshold is None or value >= threshold)
        bound = "" if threshold is None or not covered else f", {'at least' if passes else 'below'} {threshold:g}"
        return {
            "pass": passes,
            "score": min(max((value - low) / (high - low), 0.0), 1.0) if covered else 0.0,
            "reason": f"{metric.name} {value:.4g}{bound}" if covered else f"no {metric.name}: {reason}",
            "namedScores": {**({metric.name: value} if covered else {}), coverage_name(metric): float(covered)},
        }

    return get_assert


def _range_of(metric: Metric) -> tuple[float, float]:
    ratings = getattr(metric, "ratings_", None)
    if ratings is None:
        raise ValueError(
            f"Expected `value_range`, the values of {metric.name} that become promptfoo's scores 0 and 1, such as "
            "(-2, 3), since it holds no ratings that would tell"
        )
    return float(ratings.min()), float(ratings.max())
