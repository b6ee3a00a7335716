"""Prodigy: the JSON lines of `db-out`.

The form: https://prodi.gy/docs/api-interfaces. A line is a task with its answer: `answer` is accept, reject or ignore;
of a choice, `accept` lists the ids of the chosen `options`. `_annotator_id`, or `_session_id` in earlier versions,
names the annotator, and `_input_hash` the task that was shown.
"""

from __future__ import annotations

from typing import Any

from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.ratings.exports.answers import RATING, SYSTEM, Answers, Export, fields_of

TOOL = "Prodigy"

_TASK = ("tokens", "spans", "options", "accept", "config", "html", "relations")
_BINARY = {"accept": 1, "reject": 0}


def recognises(export: Export) -> bool:
    """Say whether this is an export of Prodigy."""
    columns = set(export.columns)
    return {"answer", "_input_hash"} <= columns or ({"answer", "_task_hash"} <= columns)


def convert(export: Export) -> Answers:
    """Return a row for each answer, with the choice in the column `rating`."""
    answers = Answers()
    is_binary = not any("accept" in row for row in export.rows)
    if is_binary:
        answers.notes.append("accept is read as 1, reject as 0")
    for row in export.rows:
        answer = row.get("answer")
        rater = row.get("_annotator_id") or row.get("_session_id")
        item = row.get("_input_hash", row.get("_task_hash"))
        fields = _fields(row)
        if answer == "ignore" or (answer == "reject" and not is_binary):
            answers.leave_out(f"answers {answer!r}")
        elif is_binary:
            answers.add(fields, item, rater, {RATING: _BINARY.get(str(answer))})
        elif len(row.get("accept") or []) > 1:
            answers.leave_out("answers with several choices")
        else:
            answers.add(fields, item, rater, {RATING: _chosen(row)})
    return answers


def _chosen(row: Record) -> Any:
    """Return the id of the chosen option, or its text if the ids only number options with texts of their own."""
    accepted = row.get("accept") or []
    return accepted[0] if accepted else None


def _fields(row: Record) -> Record:
    shown = {name: value for name, value in row.items() if name not in _TASK and not name.startswith("_")}
    fields = fields_of({name: value for name, value in shown.items() if name != "answer"})
    if SYSTEM not in fields and "meta.system" in fields:
        fields[SYSTEM] = fields["meta.system"]
    return fields
