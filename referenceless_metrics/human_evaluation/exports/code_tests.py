"""Results of programs that were run: HumanEval's `SAMPLES_results.jsonl`, and EvalPlus' `SAMPLES_eval_results.json`.

Form: human_eval/evaluation.py of openai/human-eval, one row per sample of a task; evalplus/evaluate.py of
evalplus/evalplus, a list of samples for each task. Samples of a task are repeated runs of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.exports.sighting import refuse_where
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_PASS = "pass"


def _is_evalplus(sighting: Sighting) -> bool:
    tasks = sighting.content.get("eval") if isinstance(sighting.content, Mapping) else None
    if not isinstance(tasks, Mapping) or not tasks:
        return False
    return all(
        isinstance(samples, list) and all(isinstance(each, Mapping) and "base_status" in each for each in samples)
        for samples in tasks.values()
    )


HUMAN_EVAL = Form(
    "HumanEval results",
    "JSON lines with `task_id`, `result` and `passed`",
    "scores",
    "github.com/openai/human-eval, human_eval/evaluation.py",
    lambda sighting: {"task_id", "result", "passed"} <= set(sighting.columns),
)
EVALPLUS = Form(
    "EvalPlus results",
    "JSON with `eval`, a list of samples with `base_status` and `plus_status` for each task",
    "scores",
    "github.com/evalplus/evalplus, evalplus/evaluate.py",
    _is_evalplus,
)


def read_human_eval(sighting: Sighting, reading: Reading) -> Export:
    """Read whether each sample passed."""
    table = read_table(str(sighting.path), reading)
    samples: Counter[str] = Counter()
    rows = []
    for place, row in enumerate(table.rows):
        if row.get("task_id") is None:
            raise InputError(f"{table.where(place)}: there is nothing in 'task_id'")
        task = str(row["task_id"])
        rows.append(ScoreRow("", task, {"passed": row["passed"]}, str(samples[task]), row.get("completion")))
        samples[task] += 1
    return Export(HUMAN_EVAL.name, rows, names_systems=False)


def read_evalplus(sighting: Sighting, reading: Reading) -> Export:
    """Read whether each sample passed the tests of the data set, and those that EvalPlus added."""
    refuse_where(sighting, reading, "EvalPlus")
    rows = []
    for task, samples in sighting.content["eval"].items():
        for run, sample in enumerate(samples):
            scores = {"base": sample["base_status"] == _PASS}
            if sample.get("plus_status") is not None:  # a sample passes if it passes both, as in EvalPlus' pass@k
                scores["plus"] = scores["base"] and sample["plus_status"] == _PASS
            rows.append(ScoreRow("", str(task), scores, str(run), sample.get("solution")))
    return Export(EVALPLUS.name, rows, names_systems=False)
