"""lm-evaluation-harness: its files of samples, and the folders that it writes.

Form: lm_eval/loggers/evaluation_tracker.py of EleutherAI/lm-evaluation-harness. Samples of a task stand in
`samples_TASK_DATE.jsonl`, one row per document and filter; the model is named in `results_DATE.json` beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import InputError, Record
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.exports.sighting import json_of
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_SAMPLES = re.compile(r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d+)\.jsonl(\.gz)?")

# Names in a row that are no metrics, for logs of versions that did not list the metrics.
_NO_METRICS = frozenset(("doc_id", "doc_hash", "prompt_hash", "target_hash"))


def _is_samples(sighting: Sighting) -> bool:
    columns = set(sighting.columns)
    named = any(isinstance(row.get("metrics"), list) for row in sighting.rows)
    return "doc_id" in columns and (named or {"resps", "filtered_resps"} <= columns)


def _is_folder(sighting: Sighting) -> bool:
    return sighting.path.is_dir() and any(_sample_files(sighting.path))


FILE = Form(
    "lm-evaluation-harness samples",
    "JSON lines with `doc_id`, `metrics` and `filter`",
    "scores",
    "github.com/EleutherAI/lm-evaluation-harness, lm_eval/loggers/evaluation_tracker.py",
    _is_samples,
)
FOLDER = Form(
    "lm-evaluation-harness folder",
    "a folder with `samples_TASK_DATE.jsonl`, and `results_DATE.json` that names the model",
    "scores",
    FILE.source,
    _is_folder,
)


def read_file(sighting: Sighting, reading: Reading) -> Export:
    """Read one file of samples."""
    system = _model_of(sighting.path)
    rows, lists = _rows(sighting.path, reading, system)
    return Export(FILE.name, rows, _notes(lists), names_systems=bool(system))


def read_folder(sighting: Sighting, reading: Reading) -> Export:
    """Read all files of samples below a folder; a task is a slice, and a later date is a further run of it."""
    rows: list[ScoreRow] = []
    left_out: set[str] = set()
    for file in sorted(_sample_files(sighting.path)):
        system = _model_of(file) or file.parent.name.replace("__", "/")
        of_file, lists = _rows(file, reading, system)
        rows += of_file
        left_out |= lists
    return Export(FOLDER.name, rows, _notes(left_out))


def _sample_files(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("samples_*.jsonl*") if _SAMPLES.fullmatch(file.name))


def _model_of(samples: Path) -> str:
    """Return the model that the results of the same date beside a file of samples name; "" for none."""
    match = _SAMPLES.fullmatch(samples.name)
    results = samples.with_name(f"results_{match['date']}.json") if match else None
    if results is None or not results.is_file():
        return ""
    try:
        content = json_of(results)
    except (OSError, ValueError):
        return ""
    name = content.get("model_name") if isinstance(content, dict) else None
    return name if isinstance(name, str) else ""


def _rows(file: Path, reading: Reading, system: str) -> tuple[list[ScoreRow], set[str]]:
    """Return the rows of a file, and the names of metrics whose values are no scores of a document."""
    match = _SAMPLES.fullmatch(file.name)
    table = read_table(str(file), reading)
    several = len({row.get("filter") for row in table.rows}) > 1
    rows: list[ScoreRow] = []
    left_out: set[str] = set()
    for place, row in enumerate(table.rows):
        if row.get("doc_id") is None:
            raise InputError(f"{table.where(place)}: there is nothing in 'doc_id'")
        scores, lists = _scores(row, several)
        left_out |= lists
        rows.append(
            ScoreRow(
                system,
                str(row["doc_id"]),
                scores,
                run=match["date"] if match else "",
                text=_response(row.get("filtered_resps")),
                slice=match["task"] if match else "",
            )
        )
    return rows, left_out


def _scores(row: Record, several_filters: bool) -> tuple[Record, set[str]]:
    """Return the scores of a row, named `metric,filter` as in the tool's results if there are several filters."""
    names = row.get("metrics")
    if names is None:
        names = [
            name for name, value in row.items() if name not in _NO_METRICS and isinstance(value, (bool, int, float))
        ]
    scores: Record = {}
    left_out = set()
    for name in names:
        value = row.get(name)
        if isinstance(value, list) and value and all(isinstance(part, bool) for part in value):
            value = sum(value) / len(value)
        if isinstance(value, (list, dict)):
            left_out.add(name)
        else:
            scores[f"{name},{row['filter']}" if several_filters else name] = value
    return scores, left_out


def _notes(left_out: set[str]) -> tuple[str, ...]:
    if not left_out:
        return ()
    names = ", ".join(sorted(left_out))
    return (
        f"{names}: left out, since the log holds what it is computed from over all documents, and no score of each.",
    )


def _response(value: Any) -> str | None:
    while isinstance(value, list) and value:
        value = value[0]
    return value if isinstance(value, str) else None
