"""Potato: the table of annotated instances.

The form: https://potato-annotation.readthedocs.io/ (output formats). A row is one annotator's answers to an instance,
with `user`, `instance_id` and for each choice a column `question:::choice`, which holds the choice, or nothing.
"""

from __future__ import annotations

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.ratings.exports.answers import TEXT, Answers, Export, single

TOOL = "Potato"

_BETWEEN = ":::"


def recognises(export: Export) -> bool:
    """Say whether this is an export of Potato."""
    return {"user", "instance_id"} <= set(export.columns) and any(_BETWEEN in name for name in export.columns)


def convert(export: Export) -> Answers:
    """Return a row for each annotator and instance, with the chosen label of each question."""
    answers = Answers()
    for row in export.rows:
        fields: Record = {}
        chosen: dict[str, list[str]] = {}
        for name, cell in row.items():
            question, between, choice = name.partition(_BETWEEN)
            if not between:
                fields[name] = cell
                continue
            labels = chosen.setdefault(question, [])
            if not is_blank(cell):
                labels.append(choice)
        if "displayed_text" in fields:
            fields[TEXT] = fields["displayed_text"]
        answers.add(fields, row["instance_id"], row["user"], {name: single(labels) for name, labels in chosen.items()})
    return answers
