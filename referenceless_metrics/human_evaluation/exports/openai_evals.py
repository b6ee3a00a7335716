"""OpenAI evals: the log of events of a run, JSON lines.

Form: evals/record.py of openai/evals: the first line is the specification of the run, the others are events of samples;
those of the types `match` and `metrics` hold scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_SCORED = ("match", "metrics")


def _is_log(sighting: Sighting) -> bool:
    first = sighting.rows[0] if sighting.rows else {}
    return isinstance(first.get("spec"), Mapping) or {"run_id", "event_id", "sample_id", "data"} <= set(first)


FORM = Form(
    "OpenAI evals log",
    "JSON lines of events with `sample_id`, `type` and `data`, the first with `spec`",
    "scores",
    "github.com/openai/evals, evals/record.py",
    _is_log,
)


def read(sighting: Sighting, reading: Reading) -> Export:
    """Read the events that hold scores: true or false of matches, and the numbers of metrics."""
    table = read_table(str(sighting.path), reading)
    system = ""
    scores: dict[str, Record] = {}
    for row in table.rows:
        if isinstance(row.get("spec"), Mapping):
            system = _system(row["spec"])
        data = row.get("data")
        if row.get("type") in _SCORED and isinstance(data, Mapping) and row.get("sample_id") is not None:
            found = {name: value for name, value in data.items() if isinstance(value, (bool, int, float))}
            # A sample may be graded by several events; the first one of a name counts, as in the run's report.
            scores[row["sample_id"]] = {**found, **scores.get(row["sample_id"], {})}
    rows = [ScoreRow(system, str(sample), of_sample) for sample, of_sample in scores.items()]
    return Export(FORM.name, rows, names_systems=bool(system))


def _system(spec: Mapping[str, Any]) -> str:
    functions = spec.get("completion_fns") or []
    return ",".join(map(str, functions))
