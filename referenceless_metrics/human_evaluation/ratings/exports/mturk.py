"""Mechanical Turk: the CSV of a batch's results.

The form: https://docs.aws.amazon.com/AWSMechTurk/latest/RequesterUI/ (Downloading batch results). A row is an
assignment, with `HITId`, `WorkerId`, `AssignmentStatus`, a column `Input.…` for each input and `Answer.…` for each
answer. Forms of Crowd elements have one column `Answer.taskAnswers` with JSON, in which a group of radio buttons is an
object of true and false; older downloads have a column for each button.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from referenceless_metrics.core.files.reading import from_json
from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.ratings.exports.answers import TEXT, Answers, Export

TOOL = "Mechanical Turk"

_INPUT, _ANSWER, _TASK = "Input.", "Answer.", "taskAnswers"
_SYSTEMS = ("system", "model")
_NUMBERED = re.compile(r"(.*?[^\d])_?(\d+)")
_TRUTHS = {"true": True, "false": False}


def recognises(export: Export) -> bool:
    """Say whether this is a batch's results."""
    columns = set(export.columns)
    return {"HITId", "WorkerId"} <= columns and any(name.startswith(_ANSWER) for name in columns)


def convert(export: Export) -> Answers:
    """Return a row for each assignment, or for each numbered part of it if inputs and answers are numbered alike."""
    answers = Answers()
    parts = _numbered_parts(export)
    of_systems = False
    if parts:
        of_systems = _are_of_systems(export, parts)
        held = "outputs of one item by as many systems" if of_systems else "items"
        answers.notes.append(f"inputs and answers are numbered: each assignment holds {len(parts)} {held}")
    for row in export.rows:
        if str(row.get("AssignmentStatus", "")).strip().lower() == "rejected":
            answers.leave_out("assignments that were rejected")
            continue
        inputs = {name.removeprefix(_INPUT): value for name, value in row.items() if name.startswith(_INPUT)}
        given = _given(row)
        hit, worker = row["HITId"], row["WorkerId"]
        if not parts:
            answers.add(inputs, hit, worker, given)
            continue
        for number in parts:
            fields = _of_part(inputs, number)
            if TEXT not in fields and len(fields) == 1:
                fields = {TEXT: next(iter(fields.values()))}
            item = hit if of_systems else f"{hit}/{number}"
            answers.add(fields, item, worker, _of_part(given, number))
    return answers


def _given(row: Record) -> Record:
    """Return the answers of an assignment by the names of the questions; of radio buttons the one that is on."""
    given: Record = {}
    buttons: dict[str, dict[str, bool]] = {}
    for column, cell in row.items():
        if not column.startswith(_ANSWER):
            continue
        name = column.removeprefix(_ANSWER)
        if name == _TASK:
            given |= _task_answers(from_json(cell))
        elif "." in name and str(cell).strip().lower() in _TRUTHS:
            question, _, button = name.rpartition(".")
            buttons.setdefault(question, {})[button] = _TRUTHS[str(cell).strip().lower()]
        else:
            given[name] = cell
    return given | {question: _pressed(of) for question, of in buttons.items()}


def _task_answers(content: Any) -> Record:
    objects = content if isinstance(content, list) else [content]
    given: Record = {}
    for each in objects:
        if isinstance(each, Mapping):
            given |= {name: _pressed(value) if isinstance(value, Mapping) else value for name, value in each.items()}
    return given


def _pressed(buttons: Mapping[str, Any]) -> str | None:
    """Return the name of the button that is on; None if none or several are."""
    on = [name for name, is_on in buttons.items() if is_on is True]
    return on[0] if len(on) == 1 else None


def _numbered_parts(export: Export) -> list[str]:
    """Return the numbers of the parts of an assignment, none if inputs and answers are not numbered alike."""
    inputs = _numbers([name.removeprefix(_INPUT) for name in export.columns if name.startswith(_INPUT)])
    answers = _numbers(list(dict.fromkeys(name for row in export.rows[:20] for name in _given(row))))
    shared = [number for number in inputs if number in answers]
    return shared if len(shared) > 1 and len(shared) == len(answers) else []


def _are_of_systems(export: Export, parts: Sequence[str]) -> bool:
    """Say whether the numbered parts of each assignment are of different systems, which an input names."""
    for row in export.rows:
        inputs = {name.removeprefix(_INPUT): value for name, value in row.items() if name.startswith(_INPUT)}
        named = [_of_part(inputs, number) for number in parts]
        systems = [fields.get(name) for fields in named for name in _SYSTEMS if fields.get(name)]
        if len(systems) != len(parts) or len(set(systems)) < len(systems):
            return False
    return True


def _numbers(names: Sequence[str]) -> list[str]:
    """Return the numbers at the ends of names, each once."""
    matches = [_NUMBERED.fullmatch(name) for name in names]
    return list(dict.fromkeys(match[2] for match in matches if match))


def _of_part(fields: Record, number: str) -> Record:
    """Return the fields of one numbered part by their names without the number, and those without a number."""
    of_part: Record = {}
    for name, value in fields.items():
        match = _NUMBERED.fullmatch(name)
        if match is None:
            of_part[name] = value
        elif match[2] == number:
            of_part[match[1].rstrip("_.-")] = value
    return of_part
