"""Argilla: records of version 2 as JSON or as flat columns, and feedback records of version 1.

The form: https://docs.argilla.io/latest/how_to_guides/import_export and the reference of `rg.Response`. A record of
version 2 has `fields` and `responses`, from a question to a list of `value` and `user_id`; flat, a question q has the
columns `q.responses`, `q.responses.users` and `q.responses.status`. A record of version 1 has for each question a list
of objects with `user_id`, `value` and `status`, or an object of such lists; its REST interface has `responses` with
`user_id`, `values` and `status`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from referenceless_metrics.core.files.reading import are_objects, from_json
from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.ratings.exports.answers import Answers, Export, fields_of

TOOL = "Argilla"

_FLAT = ".responses"
_COUNTS = ("submitted", None, "")
"""The states of a response that counts: drafts and discarded ones do not."""


class _Response(NamedTuple):
    """One rater's answer to one question; the state is None if the export does not tell it."""

    question: str
    rater: object
    value: object
    status: object


def recognises(export: Export) -> bool:
    """Say whether this is an export of Argilla."""
    columns = set(export.columns)
    if {"fields", "responses"} <= columns:
        return True
    if any(f"{name}.users" in columns for name in columns if name.endswith(_FLAT)):
        return True
    return any(_is_question(from_json(value)) for row in export.rows[:20] for value in row.values())


def _is_question(value: object) -> bool:
    """Say whether a cell holds the responses to a question, in the form of version 1."""
    if isinstance(value, Mapping):
        return {"user_id", "value", "status"} <= set(value) and isinstance(value["value"], (list, tuple))
    if isinstance(value, (list, tuple)) and value:
        return all(isinstance(each, Mapping) and {"user_id", "value", "status"} <= set(each) for each in value)
    return False


def convert(export: Export) -> Answers:
    """Return a row for each record and rater."""
    answers = Answers()
    for number, row in enumerate(export.rows, 1):
        by_rater: dict[object, Record] = {}
        for response in _responses(row):
            if response.status not in _COUNTS:
                answers.leave_out(f"responses that are {response.status}")
            elif isinstance(response.value, (list, tuple, Mapping)):
                answers.leave_out("answers to questions that take several values, such as rankings and spans")
            else:
                by_rater.setdefault(response.rater, {})[response.question] = response.value
        item = next((row[name] for name in ("id", "external_id", "_server_id") if row.get(name) is not None), number)
        for rater, given in by_rater.items():
            answers.add(_fields(row), item, rater, given)
    return answers


def _fields(row: Record) -> Record:
    """Return the fields that a record shows its raters, and its metadata."""
    if isinstance(row.get("fields"), Mapping):
        return fields_of(row["fields"]) | fields_of({"metadata": row.get("metadata") or {}})
    flat = {name: value for name, value in row.items() if _FLAT not in name and ".suggestion" not in name}
    return {name: value for name, value in flat.items() if not _is_question(from_json(value))}


def _responses(row: Record) -> Iterator[_Response]:
    responses = from_json(row.get("responses"))
    if isinstance(responses, Mapping):  # of version 2
        for question, given in responses.items():
            for each in given or []:
                yield _Response(question, each.get("user_id"), each.get("value"), each.get("status"))
        return
    if isinstance(responses, Sequence) and not isinstance(responses, str):  # of the REST interface of version 1
        for each in responses:
            for question, value in (each.get("values") or {}).items():
                held = value.get("value") if isinstance(value, Mapping) else value
                yield _Response(question, each.get("user_id"), held, each.get("status"))
        return
    for name, cell in row.items():
        value = from_json(cell)
        if name.endswith(_FLAT):
            yield from _flat(name, value, row)
        elif _is_question(value):
            yield from _of_version_1(name, value)


def _flat(name: str, values: Any, row: Record) -> Iterator[_Response]:
    if are_objects(values):
        for each in values:
            yield _Response(name.removesuffix(_FLAT), each.get("user_id"), each.get("value"), each.get("status"))
        return
    users: Any = from_json(row.get(f"{name}.users")) or [None] * len(values or [])
    states: Any = from_json(row.get(f"{name}.status")) or [None] * len(users)
    for user, value, status in zip(users, values or [], states, strict=True):
        yield _Response(name.removesuffix(_FLAT), user, value, status)


def _of_version_1(question: str, value: Any) -> Iterator[_Response]:
    if isinstance(value, Mapping):
        for user, answer, status in zip(value["user_id"], value["value"], value["status"], strict=True):
            yield _Response(question, user, answer, status)
        return
    for each in value:
        yield _Response(question, each["user_id"], each["value"], each["status"])
