"""Toloka: the table of responses of a pool.

The form: https://toloka.ai/docs/guide/result-of-eval. A row is a task of a page that a person answered, with `INPUT:…`,
`OUTPUT:…`, `GOLDEN:…` for tasks with known answers, and `ASSIGNMENT:worker_id`, `ASSIGNMENT:status`.
"""

from __future__ import annotations

from collections.abc import Sequence

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.ratings.exports.answers import ITEM, Answers, Export

TOOL = "Toloka"

_INPUT, _OUTPUT, _GOLDEN = "INPUT:", "OUTPUT:", "GOLDEN:"
_WORKER, _STATUS = "ASSIGNMENT:worker_id", "ASSIGNMENT:status"


def recognises(export: Export) -> bool:
    """Say whether this is a pool's table of responses."""
    starts = [name.partition(":")[0] for name in export.columns]
    return _WORKER in export.columns and {"INPUT", "OUTPUT"} <= set(starts)


def convert(export: Export) -> Answers:
    """Return a row for each task that a person answered; tasks with known answers are left out."""
    answers = Answers()
    inputs = [name for name in export.columns if name.startswith(_INPUT)]
    outputs = [name for name in export.columns if name.startswith(_OUTPUT)]
    golden = [name for name in export.columns if name.startswith(_GOLDEN)]
    numbers: dict[tuple[str, ...], int] = {}
    for row in export.rows:
        if str(row.get(_STATUS) or "").upper() == "REJECTED":
            answers.leave_out("assignments that were rejected")
        elif not all(is_blank(row.get(name)) for name in golden):
            answers.leave_out("tasks with known answers, which test raters")
        else:
            task = _task(row, inputs)
            item = numbers.setdefault(task, len(numbers) + 1)
            fields = {name.removeprefix(_INPUT): row.get(name) for name in inputs}
            given = {name.removeprefix(_OUTPUT): row.get(name) for name in outputs}
            named = fields.get(ITEM)
            answers.add(fields, item if named is None else named, row.get(_WORKER), given)
    return answers


def _task(row: Record, inputs: Sequence[str]) -> tuple[str, ...]:
    """Return the outputs that were shown; two outputs that have changed sides are the same task."""
    return tuple(sorted(str(row.get(name)) for name in inputs))
