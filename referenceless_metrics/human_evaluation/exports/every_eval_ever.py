"""Every Eval Ever: the results of single samples, `UUID_samples.jsonl` or `UUID.jsonl`.

Form: instance_level_eval.schema.json of evaleval/every_eval_ever.
"""

from __future__ import annotations

from collections.abc import Mapping

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import InputError, Record
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.forms import Form, Sighting

FORM = Form(
    "Every Eval Ever samples",
    "JSON lines with `model_id`, `evaluation_name`, `sample_id` and `evaluation`",
    "scores",
    "github.com/evaleval/every_eval_ever, instance_level_eval.schema.json",
    lambda sighting: {"model_id", "evaluation_name", "sample_id", "evaluation"} <= set(sighting.columns),
)


def read(sighting: Sighting, reading: Reading) -> Export:
    """Read the samples; one that ended in an error has no score, and an evaluation is a slice."""
    table = read_table(str(sighting.path), reading)
    failed = 0
    rows = []
    for place, row in enumerate(table.rows):
        evaluation = row["evaluation"]
        if not isinstance(evaluation, Mapping) or "score" not in evaluation or row.get("sample_id") is None:
            raise InputError(f"{table.where(place)}: expected a sample with `sample_id` and `evaluation.score`")
        failed += bool(row.get("error"))
        rows.append(
            ScoreRow(
                str(row["model_id"]),
                str(row["sample_id"]),
                {"score": None if row.get("error") else evaluation["score"]},
                run=str(row.get("evaluation_id", "")),
                text=_output(row),
                slice=str(row["evaluation_name"]),
            )
        )
    notes = (f"{failed} of {len(rows)} samples ended in an error, and have no score.",) if failed else ()
    return Export(FORM.name, rows, notes)


def _output(row: Record) -> str | None:
    raw = (row.get("output") or {}).get("raw")
    if isinstance(raw, list):
        raw = raw[0] if len(raw) == 1 else None
    return raw if isinstance(raw, str) else None
