"""DeepEval: the JSON of a test run.

Form: `TestRun` and `LLMApiTestCase` in deepeval/test_run of confident-ai/deepeval.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.support.validation import InputError, describe
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.exports.sighting import refuse_where
from referenceless_metrics.human_evaluation.forms import Form, Sighting


def _run_of(sighting: Sighting) -> Any:
    content = sighting.content
    return content.get("testRunData", content) if isinstance(content, Mapping) else None


def _is_run(sighting: Sighting) -> bool:
    run = _run_of(sighting)
    return isinstance(run, Mapping) and "testCases" in run


FORM = Form(
    "DeepEval test run",
    "JSON with `testCases`, each with `metricsData`",
    "scores",
    "github.com/confident-ai/deepeval, deepeval/test_run",
    _is_run,
)


def read(sighting: Sighting, reading: Reading) -> Export:
    """Read a test run; a metric that ended in an error has no score."""
    refuse_where(sighting, reading, "DeepEval")
    cases = _run_of(sighting)["testCases"]
    for case in cases:
        if not isinstance(case, Mapping):
            raise InputError(f"{sighting.path}: expected DeepEval's test cases to be objects, but got {describe(case)}")
    names = [str(case.get("name", place)) for place, case in enumerate(cases)]
    if len(set(names)) < len(names):  # a test that runs on several cases gives all of them its name
        names = [
            f"{name}/{case.get('order', place)}" for place, (name, case) in enumerate(zip(names, cases, strict=True))
        ]
    rows = []
    failed = 0
    for name, case in zip(names, cases, strict=True):
        metrics = case.get("metricsData") or []
        failed += sum(bool(metric.get("error")) for metric in metrics)
        scores = {metric["name"]: None if metric.get("error") else metric.get("score") for metric in metrics}
        text = case.get("actualOutput")
        rows.append(ScoreRow("", name, scores, text=text if isinstance(text, str) else None))
    missing = (
        "1 measurement ended in an error: its score is"
        if failed == 1
        else f"{failed} measurements ended in an error: their scores are"
    )
    notes = (f"{missing} missing.",) if failed else ()
    return Export(FORM.name, rows, (*_verdicts(cases), *notes), names_systems=False)


def _verdicts(cases: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return a sentence on the test cases that passed and the metrics that failed, as the file says; none without."""
    verdicts = [case["success"] for case in cases if isinstance(case.get("success"), bool)]
    if not verdicts:
        return ()
    judged: dict[str, list[bool]] = {}
    thresholds: dict[str, set[Any]] = {}
    for metric in (metric for case in cases for metric in case.get("metricsData") or []):
        if isinstance(metric.get("success"), bool) and not metric.get("error"):
            judged.setdefault(metric["name"], []).append(metric["success"])
            thresholds.setdefault(metric["name"], set()).add(metric.get("threshold"))
    failed = [f"{name} {of.count(False)} of {len(of)}{_threshold(thresholds[name])}" for name, of in judged.items()]
    of_metrics = f"; failed: {', '.join(failed)}" if failed else ""
    return (f"{sum(verdicts)} of {len(verdicts)} test cases passed, as the file says{of_metrics}.",)


def _threshold(thresholds: set[Any]) -> str:
    """Return the one threshold of a metric in words; "" if cases have different ones, or none."""
    one = next(iter(thresholds))
    return f" (threshold {one:g})" if len(thresholds) == 1 and isinstance(one, (int, float)) else ""
