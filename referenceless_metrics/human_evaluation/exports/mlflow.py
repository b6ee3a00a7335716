"""MLflow: the table of an evaluation, `eval_results_table.json`, in pandas' orientation `split`.

Form: mlflow/models/evaluation of mlflow/mlflow: `columns` and `data`; a metric's scores stand in `NAME/vN/score`,
beside `NAME/vN/justification`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.support.validation import InputError, describe
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.exports.sighting import refuse_where
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_SCORE = "/score"
_INPUTS = ("inputs", "input", "question", "prompt")
_OUTPUTS = ("outputs", "output", "prediction", "predictions")


def _is_table(sighting: Sighting) -> bool:
    content = sighting.content
    if not isinstance(content, Mapping) or not isinstance(content.get("columns"), list):
        return False
    if not isinstance(content.get("data"), list) or not all(isinstance(name, str) for name in content["columns"]):
        return False
    return any(name.endswith(_SCORE) for name in content["columns"])


FORM = Form(
    "MLflow evaluation table",
    "JSON with `columns`, some ending in `/score`, and `data`",
    "scores",
    "github.com/mlflow/mlflow, mlflow/models/evaluation (eval_results_table.json)",
    _is_table,
)


def read(sighting: Sighting, reading: Reading) -> Export:
    """Read a table: the scores of judges; the item of a row is its input, or its number."""
    refuse_where(sighting, reading, "MLflow")
    columns, data = sighting.content["columns"], sighting.content["data"]
    for row in data:
        if not isinstance(row, list) or len(row) != len(columns):
            raise InputError(f"{sighting.path}: expected {len(columns)} cells in each row, but got {describe(row)}")
    cells = {name: [row[place] for row in data] for place, name in enumerate(columns)}
    scores = [name for name in columns if name.endswith(_SCORE)]
    inputs = next((name for name in _INPUTS if name in cells and _tell_rows(cells[name])), None)
    outputs = next((name for name in _OUTPUTS if name in cells), None)
    rows = []
    for place in range(len(data)):
        item = str(place + 1) if inputs is None else str(cells[inputs][place])
        text = None if outputs is None else cells[outputs][place]
        of_row = {name.removesuffix(_SCORE): cells[name][place] for name in scores}
        rows.append(ScoreRow("", item, of_row, text=text if isinstance(text, str) else None))
    told = "their order" if inputs is None else f"column {inputs!r}"
    return Export(FORM.name, rows, (f"items are told by {told}.",), names_systems=False)


def _tell_rows(cells: list[Any]) -> bool:
    return len({str(cell) for cell in cells}) == len(cells)
