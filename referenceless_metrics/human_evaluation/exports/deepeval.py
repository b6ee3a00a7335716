"""DeepEval: the JSON of a test run.

Form: `TestRun` and `LLMApiTestCase` in deepeval/test_run of confident-ai/deepeval.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    notes = (f"{failed} measurements ended in an error: their scores are missing.",) if failed else ()
    return Export(FORM.name, rows, notes, names_systems=False)
