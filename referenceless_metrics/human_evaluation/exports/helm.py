"""HELM: `per_instance_stats.json` of a run, or the run's folder.

Form: helm/benchmark/runner.py of stanford-crfm/helm; the model is named in `run_spec.json` beside it. Trials are
repeated runs of an instance; an instance with a perturbation is an item of its own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.support.validation import InputError, Record, describe
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.exports.sighting import json_of, refuse_where
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_STATS = "per_instance_stats.json"
_SPEC = "run_spec.json"

# Statistics of the run itself, and no scores: of the prompt, the answer's length, and the cost.
_BOOKKEEPING = (
    "num_",
    "prompt_truncated",
    "finish_reason",
    "inference_",
    "training_",
    "batch_size",
    "max_prob",
    "logprob",
    "predicted_index",
)


def _are_stats(sighting: Sighting) -> bool:
    content = sighting.content
    if not isinstance(content, list) or not content:
        return False
    return all(isinstance(each, Mapping) and {"instance_id", "stats"} <= set(each) for each in content[:5])


FORM = Form(
    "HELM run",
    "a run's folder, or its `per_instance_stats.json`: a list with `instance_id` and `stats`",
    "scores",
    "github.com/stanford-crfm/helm, src/helm/benchmark/runner.py",
    lambda sighting: _are_stats(sighting) or (sighting.path / _STATS).is_file(),
)


def read(sighting: Sighting, reading: Reading) -> Export:
    """Read a run: the mean of each statistic of each instance, but for those of the run itself."""
    refuse_where(sighting, reading, "HELM")
    place = sighting.path / _STATS if sighting.path.is_dir() else sighting.path
    try:
        instances = json_of(place) if sighting.content is None else sighting.content
        rows = [_row(instance) for instance in instances]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{place}: statistics of HELM of an unknown form ({error!r})") from None
    system = _model_of(place.parent)
    rows = [row._replace(system=system) for row in rows]
    notes = ("statistics of prompts, lengths and costs are left out.",)
    return Export(FORM.name, rows, notes, names_systems=bool(system))


def _row(instance: Any) -> ScoreRow:
    scores: Record = {}
    for stat in instance["stats"]:
        name = stat["name"]["name"]
        if not name.startswith(_BOOKKEEPING):
            scores[name] = stat.get("mean")
    item = str(instance["instance_id"])
    if instance.get("perturbation"):
        item += "/" + json.dumps(instance["perturbation"], sort_keys=True)
    return ScoreRow("", item, scores, run=str(instance.get("train_trial_index", "")))


def _model_of(folder: Path) -> str:
    """Return the model that the run's specification names; "" for none."""
    try:
        spec = json_of(folder / _SPEC)
    except (OSError, ValueError):
        return ""
    adapter = spec.get("adapter_spec") if isinstance(spec, Mapping) else None
    model = adapter.get("model") if isinstance(adapter, Mapping) else None
    if model is not None and not isinstance(model, str):
        raise InputError(f"{folder / _SPEC}: expected the name of a model, but got {describe(model)}")
    return model or ""
