"""Inspect: its logs, `.eval` (a zip) or `.json`, of version 2.

Form: `EvalLog` in inspect_ai/log/_log.py of UKGovernmentBEIS/inspect_ai, and the recorders beside it: an `.eval` file
holds `header.json` and a file `samples/ID_epoch_N.json` for each sample. Grades are read as Inspect's `value_to_float`.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

from referenceless_metrics.core.files.opening import opened
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.support.installation import import_extra
from referenceless_metrics.core.support.validation import InputError, Record, describe
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.exports.sighting import refuse_where
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_GRADES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0, "yes": 1.0, "no": 0.0, "true": 1.0, "false": 0.0}
_HEADER = "header.json"
_SAMPLES = "samples/"


def _is_log(sighting: Sighting) -> bool:
    content = sighting.content
    return (isinstance(content, Mapping) and {"eval", "samples"} <= set(content)) or _is_zip(sighting)


def _is_zip(sighting: Sighting) -> bool:
    if sighting.path.suffix != ".eval" or not zipfile.is_zipfile(sighting.path):
        return False
    with zipfile.ZipFile(sighting.path) as archive:
        return _HEADER in archive.namelist()


FORM = Form(
    "Inspect log",
    "`.eval`, or JSON with `eval` and `samples`",
    "scores",
    "github.com/UKGovernmentBEIS/inspect_ai, src/inspect_ai/log/_log.py",
    _is_log,
)


def read(sighting: Sighting, reading: Reading) -> Export:
    """Read a log; samples are items, epochs are runs, and the task is a slice."""
    refuse_where(sighting, reading, "Inspect")
    header, samples = _archived(sighting) if sighting.content is None else _plain(sighting)
    try:
        about = header["eval"]
        model, task = str(about["model"]), str(about.get("task", ""))
        rows = [_row(sample, model, task) for sample in samples]
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{sighting.path}: a damaged log of Inspect, or one of another form ({error!r})") from None
    failed = sum(bool(sample.get("error")) for sample in samples)
    notes = []
    if failed:
        notes.append(f"{failed} of {len(samples)} samples of {model} ended in an error, and have no score.")
    status = header.get("status")
    if status not in (None, "success"):
        notes.append(f"the run of {model} has the status {status!r}: it may lack samples.")
    return Export(FORM.name, rows, tuple(notes))


def _plain(sighting: Sighting) -> tuple[Any, list[Any]]:
    content = sighting.content
    if content.get("version") not in (None, 2):
        raise InputError(
            f"{sighting.path}: a log of Inspect of version {describe(content['version'])}; version 2 can be read"
        )
    return content, list(content["samples"] or [])


def _archived(sighting: Sighting) -> tuple[Any, list[Any]]:
    """Read an archive; by Inspect itself if it is compressed in a way that Python does not know."""
    path = str(sighting.path)
    try:
        with opened(path, path) as stream, zipfile.ZipFile(stream) as archive:
            names = sorted(name for name in archive.namelist() if name.startswith(_SAMPLES) and name.endswith(".json"))
            return json.loads(archive.read(_HEADER)), [json.loads(archive.read(name)) for name in names]
    except NotImplementedError:
        log = import_extra("inspect_ai.log", "inspect", "reading logs of Inspect that are compressed by Zstandard")
        content = log.read_eval_log(path).model_dump(mode="python")
        return content, list(content["samples"] or [])
    except (zipfile.BadZipFile, ValueError, KeyError) as error:
        raise InputError(f"{sighting.path}: a damaged log of Inspect ({error})") from None


def _row(sample: Any, model: str, task: str) -> ScoreRow:
    scores: Record = {}
    if not sample.get("error"):
        for name, score in (sample.get("scores") or {}).items():
            scores |= dict(_values(name, score["value"]))
    return ScoreRow(
        model,
        str(sample["id"]),
        scores,
        run=str(sample["epoch"]),
        text=_completion(sample.get("output") or {}),
        slice=task,
    )


def _values(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the scores of a scorer, which gives one value or several by name."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield name if key in ("", name) else f"{name}_{key}", _grade(part)
    else:
        yield name, _grade(value)


def _grade(value: Any) -> Any:
    return _GRADES.get(value, _GRADES.get(value.lower(), value)) if isinstance(value, str) else value


def _completion(output: Any) -> str | None:
    choices = output.get("choices") or []
    content = choices[0]["message"]["content"] if choices else output.get("completion")
    if isinstance(content, list):
        content = "".join(part.get("text", "") for part in content)
    return content if isinstance(content, str) else None
