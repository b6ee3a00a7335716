"""Ratings in objects under the names of systems: `{"id": 1, "ours": {"output": "…", "fluency": 4}, "base": {…}}`.

The objects are fields of a row, or of an object in a row, or of each object in a list. The forms:
github.com/nyu-mll/SQuALITY data/human-eval (`questions`, with a list of `reviews` for each system),
github.com/krystalan/chatgpt_as_nlg_evaluator data/openmeva.json (`gen`), github.com/laihuiyuan/eval-formality-transfer
chatgpt/fluency.json (`sys`), and github.com/wgantt/eks data/human_study (`summary 1`, with the `model` inside).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from referenceless_metrics.core.files.reading import are_objects
from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.ratings.exports.answers import (
    ITEM,
    RATER,
    SYSTEM,
    Answers,
    Export,
    fields_of,
)

TOOL = "objects keyed by systems"

_SAMPLE = 20  # rows that tell the form
_NAMES = ("system", "model")
_ITEMS = ("item", "id", "doc_id", "key", "passage-id", "passage_id", "example_id", "question_id")
_RATERS = ("worker_id", "rater", "annotator", "annotator_id", "worker")


def recognises(export: Export) -> bool:
    """Say whether each row holds the objects of two systems or more, with a text and numbers in each."""
    return all(any(_groups(row)) for row in islice(export.rows, _SAMPLE))


def convert(export: Export) -> Answers:
    """Return a row for each output, or for each of its reviews."""
    answers = Answers()
    item = next((name for name in _ITEMS if name in export.columns), None)
    for number, row in enumerate(export.rows, 1):
        groups = list(_groups(row))
        if not groups:
            answers.leave_out("rows without the objects of two systems")
        beside = {name: cell for name, cell in row.items() if isinstance(cell, str) and name != item}
        for place, group in enumerate(groups, 1):
            key = number if item is None else row.get(item)
            of_group = key if len(groups) == 1 else f"{key}, {place}"
            for name, output in group.items():
                for rated in _rated(name, output):
                    numbers = [
                        field for field, cell in rated.items() if _is_number(cell) and field not in (ITEM, RATER)
                    ]
                    answers.questions.update(dict.fromkeys(numbers))
                    answers.rows.append({**beside, **rated, ITEM: of_group})
    answers.notes.append("each object with a text and numbers is an output; its name, or its 'model', is the system")
    return answers


def _groups(row: Mapping[str, Any]) -> Iterator[Mapping[str, Mapping[str, Any]]]:
    """Yield the objects of a row by the names of systems: those of the row, or those in one of its columns."""
    own = _outputs(row)
    if own:
        yield own
        return
    for cell in row.values():
        inside = [_outputs(each) for each in (cell if are_objects(cell) else [cell]) if isinstance(each, Mapping)]
        if inside and all(inside):
            yield from inside
            return


def _outputs(content: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the fields that are outputs with numbers, if there are two or more, and all have the same fields."""
    found = {name: cell for name, cell in content.items() if isinstance(cell, Mapping) and _is_output(cell)}
    are_alike = len({frozenset(cell) for cell in found.values()}) == 1
    return found if len(found) > 1 and are_alike else {}


def _is_output(content: Mapping[str, Any]) -> bool:
    cells = list(content.values())
    reviews = [each for cell in cells if are_objects(cell) for each in cell]
    numbers = [cell for each in (content, *reviews) for cell in fields_of(each).values() if _is_number(cell)]
    return any(_text(cell) for cell in cells) and bool(numbers)


def _is_number(cell: object) -> bool:
    return isinstance(cell, (int, float)) and not isinstance(cell, bool)


def _text(cell: object) -> str:
    """Return a text of several words, or the sentences of a list as one text; "" for anything else."""
    if isinstance(cell, list) and cell and all(isinstance(each, str) for each in cell):
        return " ".join(cell)
    return cell if isinstance(cell, str) and " " in cell.strip() else ""


def _rated(name: str, output: Mapping[str, Any]) -> Iterator[Record]:
    """Yield an output with its numbers; if it has reviews, once with those of each review."""
    lists: list[Sequence[Record]] = [cell for cell in output.values() if are_objects(cell)]
    named = next((field for field in _NAMES if isinstance(output.get(field), str)), None)
    fields: Record = {SYSTEM: name if named is None else output[named]}
    plain = {field: _text(cell) or cell for field, cell in output.items() if field != named and not are_objects(cell)}
    if len(lists) != 1:
        yield {**fields, **fields_of(plain)}
        return
    texts = {field: cell for field, cell in plain.items() if isinstance(cell, str)}
    for review in lists[0]:
        rater = next((field for field in _RATERS if field in review), None)
        told = {} if rater is None else {RATER: review[rater]}
        kept = {field: cell for field, cell in review.items() if field != rater and not isinstance(cell, list)}
        yield {**fields, **texts, **told, **fields_of(kept)}
