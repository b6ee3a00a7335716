"""A scorer for Inspect: any metric on the outputs of a task's model, with coverage beside the mean."""

from __future__ import annotations

import threading

from referenceless_metrics.core.metric import Metric, check_scorer, coverage_name, score_row
from referenceless_metrics.core.results import MetricResult
from referenceless_metrics.core.support.installation import importing

with importing("inspect", "the scorer for Inspect needs"):
    import anyio.to_thread
    from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
    from inspect_ai.solver import TaskState

__all__ = ["Scorer", "inspect_scorer"]


def inspect_scorer(metric: Metric) -> Scorer:
    """Return a scorer for a `Task(scorer=…)`, or one of several.

    A log holds the scores `<name>` (mean and standard error over the covered samples) and `<name>_coverage` (its mean),
    the metric's signature among the scorer's options, and, for a sample without a value, the reason as its explanation.
    References, for a metric that reads them, are the sample's target or targets, sources its `metadata["source"]`.

    Scoring leaves the event loop free: requests to the model go on meanwhile. Samples are scored one at a time.
    """
    check_scorer(metric)
    name, coverage = metric.name, coverage_name(metric)
    lock = threading.Lock()

    def score_one(state: TaskState, target: Target) -> MetricResult:
        references = [text for text in target if text] or None  # a sample without a target has an empty one
        with lock:
            return score_row(
                metric,
                state.output.completion,
                ("target", references),
                ("metadata['source']", (state.metadata or {}).get("source")),
            )

    @scorer(name=name, metrics={name: [mean(), stderr()], coverage: [mean()]})  # type: ignore[untyped-decorator]
    def make(signature: str) -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            result = await anyio.to_thread.run_sync(score_one, state, target)
            return Score(
                value={name: float(result.values[0]), coverage: float(result.covered[0])},
                answer=state.output.completion,
                explanation=result.reasons[0],
            )

        return score

    return make(metric.signature)
