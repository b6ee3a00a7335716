"""Azure AI Evaluation: the results that `evaluate(…, output_path=FILE)` writes.

Form: azure.ai.evaluation of Azure/azure-sdk-for-python: an object with `rows` and `metrics`; a row holds the data in
`inputs.NAME`, and an evaluator's figures in `outputs.EVALUATOR.NAME`, beside `NAME_reason`, `NAME_result` and
`NAME_threshold`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.support.validation import InputError, describe
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.exports.sighting import refuse_where
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_OUTPUTS = "outputs."
_ITEMS = ("inputs.id", "inputs.query", "inputs.question", "inputs.prompt", "line_number")
_TEXTS = ("inputs.response", "outputs.response", "inputs.answer", "outputs.answer")


def _is_result(sighting: Sighting) -> bool:
    content = sighting.content
    if not isinstance(content, Mapping) or not isinstance(content.get("metrics"), Mapping):
        return False
    rows = content.get("rows")
    first = rows[0] if isinstance(rows, list) and rows else None
    return isinstance(first, Mapping) and any(_names_figure(name) for name in first)


def _names_figure(name: str) -> bool:
    return name.startswith(_OUTPUTS) and "." in name.removeprefix(_OUTPUTS)


FORM = Form(
    "Azure AI Evaluation result",
    "JSON with `metrics`, and `rows` whose fields are called `outputs.EVALUATOR.NAME`",
    "scores",
    "github.com/Azure/azure-sdk-for-python, azure.ai.evaluation (evaluate with output_path)",
    _is_result,
)


def read(sighting: Sighting, reading: Reading) -> Export:
    """Read a result: the numbers of evaluators, without those on another number, such as its threshold."""
    refuse_where(sighting, reading, "Azure AI Evaluation")
    held = sighting.content["rows"]
    for row in held:
        if not isinstance(row, Mapping):
            raise InputError(f"{sighting.path}: expected an object for each of the `rows`, but got {describe(row)}")
    names = list(dict.fromkeys(name for row in held for name in row))
    scores = _scores(held, names)
    items = next((name for name in _ITEMS if name in names and _tell_rows([row.get(name) for row in held])), None)
    texts = next((name for name in _TEXTS if name in names), None)
    rows = []
    for place, row in enumerate(held, 1):
        item = str(place) if items is None else str(row[items])
        text = None if texts is None else row.get(texts)
        of_row = {name.removeprefix(_OUTPUTS): row.get(name) for name in scores}
        rows.append(ScoreRow("", item, of_row, text=text if isinstance(text, str) else None))
    told = "their order" if items is None else f"column {items!r}"
    return Export(FORM.name, rows, (f"items are told by {told}.",), names_systems=False)


def _scores(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[str]:
    """Return the figures that are scores."""
    numeric = [name for name in names if _names_figure(name) and _are_numbers([row.get(name) for row in rows])]
    return [
        name
        for name in numeric
        if not name.endswith("_threshold") and not any(name.startswith(f"{other}_") for other in numeric)
    ]


def _are_numbers(cells: Sequence[Any]) -> bool:
    known = [cell for cell in cells if cell is not None]
    return bool(known) and all(isinstance(cell, (int, float)) for cell in known)


def _tell_rows(cells: Sequence[Any]) -> bool:
    return None not in cells and len({str(cell) for cell in cells}) == len(cells)
