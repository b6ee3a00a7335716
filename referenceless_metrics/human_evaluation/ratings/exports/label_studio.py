"""Label Studio: JSON, JSON-MIN and CSV.

The form: https://labelstud.io/guide/export and https://labelstud.io/guide/task_format. JSON holds tasks with `data` and
`annotations`, whose `result` has an entry for each control (`from_name`) with its `type` and `value`; JSON-MIN and CSV
hold a row for each annotation with a column for each control, `annotator`, `annotation_id` and `lead_time`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referenceless_metrics.core.files.reading import from_json
from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.ratings.exports.answers import Answers, Export, fields_of, single

TOOL = "Label Studio"

_VALUES = ("rating", "number", "selected", "choices", "text", "ranker")
"""The fields of a value that hold an answer about the whole item; spans and boxes have others."""

_ABOUT_ANNOTATIONS = ("id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement")


def recognises(export: Export) -> bool:
    """Say whether this is an export of Label Studio."""
    columns = set(export.columns)
    return bool(columns & {"annotations", "completions"} and "data" in columns) or _is_flat(export)


def _is_flat(export: Export) -> bool:
    return {"annotation_id", "annotator", "lead_time"} <= set(export.columns)


def convert(export: Export) -> Answers:
    """Return a row for each annotation."""
    answers = Answers()
    for row in export.rows:
        if _is_flat(export):
            _add_flat(answers, row)
        else:
            _add_task(answers, row)
    return answers


def _add_task(answers: Answers, task: Record) -> None:
    fields = fields_of(task.get("data") or {})
    for annotation in task.get("annotations") or task.get("completions") or []:
        if annotation.get("was_cancelled"):
            answers.leave_out("annotations that were skipped")
            continue
        given: Record = {}
        for entry in annotation.get("result") or []:
            _add_entry(answers, given, entry)
        answers.add(fields, task.get("id"), _annotator(annotation.get("completed_by")), given)


def _add_entry(answers: Answers, given: Record, entry: Record) -> None:
    """Add the content of one control to the answers of an annotation."""
    value = entry.get("value")
    if not isinstance(value, Mapping):
        value = {}
    answer = _answer(value)
    name = str(entry.get("from_name", ""))
    if answer is None or not name:
        answers.leave_out("entries that mark a part of the text, or several choices")
        return
    if name in given:  # one control that is asked of several items
        name = f"{name}.{value.get('item_index', sum(key.startswith(name) for key in given))}"
    given[name] = answer


def _answer(value: Mapping[str, Any]) -> object | None:
    """Return the answer that a control's value holds; None if it is no answer about the whole item."""
    if "start" in value or "x" in value:
        return None
    for kind in _VALUES:
        if kind in value:
            held = value[kind]
            return single(held) if isinstance(held, list) else held
    return None


def _annotator(completed_by: object) -> object:
    """Return who annotated: a number, or of an object the address or the number in it."""
    if isinstance(completed_by, Mapping):
        return completed_by.get("email") or completed_by.get("id")
    return completed_by


def _add_flat(answers: Answers, row: Record) -> None:
    fields: Record = {}
    given: Record = {}
    for name, cell in row.items():
        value = from_json(cell)
        entry = single(value) if isinstance(value, list) else value
        if name in _ABOUT_ANNOTATIONS:
            continue
        if isinstance(entry, Mapping):
            answer = _answer(entry)
            if answer is None:
                answers.leave_out("entries that mark a part of the text, or several choices")
            else:
                given[name] = answer
        elif isinstance(value, list):
            fields[name] = cell
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            given[name] = value
        else:
            fields[name] = value
    answers.add(fields, row.get("id"), _annotator(from_json(row.get("annotator"))), given)
