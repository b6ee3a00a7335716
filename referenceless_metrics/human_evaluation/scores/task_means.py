"""Results of an evaluation harness: the mean of each task with its standard error, compared between runs.

Form: `results_….json` of EleutherAI/lm-evaluation-harness (lm_eval/evaluator.py) and of lighteval: `results` holds an
object for each task, with `acc` beside `acc_stderr`, or `acc,none` beside `acc_stderr,none`. Such files do not tell
which questions two runs answered alike, so that a difference has the standard error of independent samples.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple

from referenceless_metrics.core.files.formats_of_files import suffix_of
from referenceless_metrics.core.files.names import file_names
from referenceless_metrics.core.support.statistics import p_text
from referenceless_metrics.core.support.validation import InputError, Record, shortened, told_systems
from referenceless_metrics.human_evaluation.exports.sighting import json_of
from referenceless_metrics.human_evaluation.inference.estimated_means import holm, holm_levels
from referenceless_metrics.human_evaluation.scores.columns import quoted
from referenceless_metrics.human_evaluation.scores.directions import NONE, is_lower_better
from referenceless_metrics.human_evaluation.wording.holm_level import percent

_BESIDE = ("versions", "n-shot", "config_general", "config", "configs")
"""Keys beside `results`."""

_ERROR = "_stderr"
_ALL = "all"  # the mean over tasks in files of lighteval
_AVERAGE = ":_average"  # in the name of a mean over the parts of a task in files of lighteval
_DATE = re.compile(r"_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(\.\d+)?(?=\.json$)")

INDEPENDENT = (
    "Intervals take the questions of two runs as independent samples, which these files allow and no more: runs on the "
    "same questions are told apart better by the files of samples (`--log_samples`)."
)
"""A sentence on what such results can tell."""


class TaskMean(NamedTuple):
    """The mean of one run on one task.

    Attributes:
        value: the mean.
        error: its standard error; NaN if it is not told.
    """

    value: float
    error: float


_Means = Mapping[tuple[str, str], TaskMean]
"""Means by score and task."""


class _Run(NamedTuple):
    """The results of one file.

    Attributes:
        means: means by score and task.
        lower: the scores of which it says that lower ones are better.
        groups: the tasks that are means of others in the file, each with these others.
        model: the model that it names; "" for none.
    """

    means: _Means
    lower: frozenset[str]
    groups: Mapping[str, frozenset[str]]
    model: str


@dataclass(frozen=True)
class TaskDifference:
    """A run's mean on a task beside the baseline's.

    Attributes:
        score: the score, such as `acc`.
        task: the task.
        system: the run.
        value: its mean.
        baseline: the baseline's mean.
        error: the standard error of their difference; NaN if it is not told.
        p: two-sided p of no difference; NaN without a standard error.
        p_adjusted: the same, corrected for the tasks and runs of the score (Holm).
        own_level: the level at which Holm's procedure tests it.
    """

    score: str
    task: str
    system: str
    value: float
    baseline: float
    error: float
    p: float = math.nan
    p_adjusted: float = math.nan
    own_level: float = 0.95

    @property
    def difference(self) -> float:
        """The run's mean less the baseline's."""
        return self.value - self.baseline

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the difference at its own level; NaN without a standard error."""
        half = NormalDist().inv_cdf((1 + self.own_level) / 2) * self.error
        return self.difference - half, self.difference + half


@dataclass(frozen=True)
class TaskComparison:
    """Runs beside a baseline on the tasks that they share.

    Attributes:
        baseline: its name.
        level: the confidence level.
        differences: the differences, by score, task and run.
        lower_is_better: the scores of which lower ones are better.
        notes: what was left out.
    """

    baseline: str
    level: float
    differences: tuple[TaskDifference, ...]
    lower_is_better: frozenset[str]
    notes: tuple[str, ...]


def holds_task_means(path: str) -> bool:
    """Say whether a file holds results of a harness with standard errors."""
    if suffix_of(path) != "json" or not Path(path).is_file():
        return False
    try:
        means = _run_of(json_of(Path(path))).means
    except (OSError, EOFError, ValueError, RecursionError):
        return False
    return any(math.isfinite(mean.error) for mean in means.values())


def run_names(files: Sequence[str]) -> list[str]:
    """Return the names of runs: the models that their files name, or else their files' names without a date.

    Raises:
        OSError: if a file cannot be read.
    """
    return _names_of(files, [_run_of(json_of(Path(file))).model for file in files])


def _names_of(files: Sequence[str], models: Sequence[str]) -> list[str]:
    if all(models) and len(set(models)) == len(models):
        return list(models)
    undated = file_names([_DATE.sub("", file) for file in files])
    return undated if len(set(undated)) == len(undated) else file_names(files)


def _run_of(content: Any) -> _Run:
    """Return the results in JSON; nothing for other content."""
    results = content.get("results") if isinstance(content, Mapping) else None
    if not isinstance(results, Mapping) or not set(_BESIDE) & set(content):
        return _Run({}, frozenset(), {}, "")
    found: dict[tuple[str, str], TaskMean] = {}
    directions = content.get("higher_is_better")
    lower = set()
    for task, held in results.items():
        if task == _ALL or not isinstance(held, Mapping):
            continue
        for name, value in held.items():
            metric, _, filtered = name.partition(",")
            if metric.endswith(_ERROR) or not _is_number(value):
                continue
            error = held.get(f"{metric}{_ERROR}{',' + filtered if filtered else ''}")
            if error is None and filtered == "":
                error = held.get(f"{name}{_ERROR}")
            score = metric if filtered in ("", "none") else name
            found[score, task] = TaskMean(float(value), _number(error))
            told = directions.get(task) if isinstance(directions, Mapping) else None
            if isinstance(told, Mapping) and told.get(metric) is False:
                lower.add(score)
    return _Run(found, frozenset(lower), _groups_of(content, {task for _, task in found}), _model_of(content))


def _model_of(content: Mapping[str, Any]) -> str:
    """Return the model that results name; "" for none."""
    name = {**_object(content.get("config_general")), **content}.get("model_name")
    return name.strip() if isinstance(name, str) else ""


def _groups_of(content: Mapping[str, Any], tasks: set[str]) -> dict[str, frozenset[str]]:
    """Return the tasks that are means of others, each with those of them that stand in the file, too.

    A file names the parts of a group in `group_subtasks`, which may be groups themselves. If it names groups alone, and
    in a mean of lighteval, the parts are the tasks whose names begin as the group's.
    """
    told, named = _object(content.get("group_subtasks")), _object(content.get("groups"))
    parts = {str(name): each for name, each in told.items() if isinstance(each, list)}
    groups = {name: _parts_within(name, parts) for name in parts} | {
        name: {task for task in tasks if task.startswith((f"{name}_", name.partition(_AVERAGE)[0] + ":"))}
        for name in tasks
        if _AVERAGE in name or (not parts and name in named)
    }
    found = {name: frozenset(each & tasks - {name}) for name, each in groups.items() if name in tasks}
    return {name: each for name, each in found.items() if each}


def _object(value: Any) -> Mapping[str, Any]:
    """Return an object as it is, and an empty one for another value."""
    return value if isinstance(value, Mapping) else {}


def _parts_within(group: str, parts: Mapping[str, Sequence[str]]) -> set[str]:
    """Return the parts of a group, and theirs."""
    found: set[str] = set()
    ahead = [group]
    while ahead:
        new = [part for part in parts.get(ahead.pop(), ()) if part not in found]
        found.update(new)
        ahead += new
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _number(value: Any) -> float:
    """Return a number; NaN for anything else, such as N/A."""
    return float(value) if _is_number(value) else math.nan


def compare_task_means(
    files: Sequence[str],
    *,
    score_columns: Sequence[str] = (),
    names: Mapping[str, str] | None = None,
    baseline: str | None = None,
    lower_is_better: Sequence[str] = (),
    level: float = 0.95,
    groups: bool = False,
) -> TaskComparison:
    """Compare the means of runs on the tasks that they share.

    A group, which is a mean of other tasks, is left out beside its parts.

    Args:
        files: results of two runs or more, for which `holds_task_means`.
        score_columns: the scores to compare; none for all with standard errors.
        names: names of runs, by file; those of others are as in `run_names`.
        baseline: the run with which others are compared; None for the first.
        lower_is_better: scores of which lower ones are better, beside those that say so themselves.
        level: confidence level, in (0, 1).
        groups: leave out the parts, and not the groups; the widest of groups within one another counts.

    Raises:
        InputError: for one file alone, runs without a common task, an unknown baseline, and a score that is in none.
    """
    runs, lower, notes = _runs(files, names or {}, groups=groups)
    if len(runs) < 2:
        raise InputError(
            f"{files[0]}: it holds results of an evaluation harness, a mean for each task, of one run: give those of "
            "another beside it (--scores OTHER), or the file of samples, which the harness writes beside it"
        )
    first = next(iter(runs)) if baseline is None else baseline
    if first not in runs:
        raise InputError(f"--baseline {first}: {told_systems(first, list(runs))}")
    known = list(dict.fromkeys(score for means in runs.values() for score, _ in means))
    is_none = tuple(lower_is_better) == (NONE,) and NONE not in known
    for name in (*score_columns, *(() if is_none else lower_is_better)):
        if name not in known:
            raise InputError(f"there is no score {name!r} in the results; the scores are {quoted(known)}")
    chosen = list(score_columns) or known
    differences: list[TaskDifference] = []
    for score in chosen:
        of_score = list(_of_score(runs, first, score))
        if score_columns or any(math.isfinite(each.error) for each in of_score):
            differences += _corrected(of_score, level)
    if not differences:
        raise InputError(f"{', '.join(files)}: the runs share no task with a standard error")
    lower = lower | frozenset(lower_is_better) | {name for name in chosen if is_lower_better(name)}
    lower = frozenset() if is_none else lower
    return TaskComparison(first, level, tuple(differences), lower & set(chosen), (*notes, *_left_out(runs)))


def _runs(
    files: Sequence[str], names: Mapping[str, str], *, groups: bool
) -> tuple[dict[str, _Means], frozenset[str], list[str]]:
    """Return the means of each run by its name, the scores of which lower ones are better, and notes.

    Raises:
        InputError: for runs of one name, and if groups are asked for and there are none.
    """
    found = [_run_of(json_of(Path(file))) for file in files]
    runs: dict[str, _Means] = {}
    summed: set[str] = set()
    parts: set[str] = set()
    for file, run, own_name in zip(files, found, _names_of(files, [run.model for run in found]), strict=True):
        name = names.get(file, own_name)
        if name in runs:
            raise InputError(f"{file}: two runs are called {name!r}: --name FILE=NAME tells them apart")
        runs[name] = run.means
        summed |= set(run.groups)
        parts |= {part for each in run.groups.values() for part in each}
    if groups and not summed:
        raise InputError(f"--task-groups: no task of {', '.join(files)} is told as a mean of others")
    left_out = parts if groups else summed
    runs = {name: {key: mean for key, mean in means.items() if key[1] not in left_out} for name, means in runs.items()}
    return runs, frozenset().union(*(run.lower for run in found)), _on_groups(summed, parts, groups=groups)


def _on_groups(summed: set[str], parts: set[str], *, groups: bool) -> list[str]:
    """Return a note on groups of tasks if they or their parts are left out, in a list; none without groups."""
    if not summed:
        return []
    if groups:
        return [f"{len(parts)} tasks are left out, which are parts of groups"]
    listed = shortened(", ".join(sorted(summed)), 80)
    return [
        f"{len(summed)} groups of tasks are left out, which are means of others: {listed} (--task-groups compares them "
        "in place of their parts)"
    ]


def _of_score(runs: Mapping[str, _Means], baseline: str, score: str) -> Iterator[TaskDifference]:
    """Yield the differences of all runs from the baseline by one score, in the baseline's order of tasks."""
    base = runs[baseline]
    for system, means in runs.items():
        if system == baseline:
            continue
        for (name, task), mean in base.items():
            if name != score or (score, task) not in means:
                continue
            ours = means[score, task]
            error = math.hypot(ours.error, mean.error)
            yield TaskDifference(score, task, system, ours.value, mean.value, error)


def _corrected(family: Sequence[TaskDifference], level: float) -> list[TaskDifference]:
    """Return differences by one score with their p, corrected for their number."""
    tested = [each for each in family if each.error > 0]
    raw = [2 * NormalDist().cdf(-abs(each.difference) / each.error) for each in tested]
    found = {id(each): values for each, *values in zip(tested, raw, holm(raw), holm_levels(raw, level), strict=True)}
    return [
        replace(each, p=found[id(each)][0], p_adjusted=found[id(each)][1], own_level=found[id(each)][2])
        if id(each) in found
        else replace(each, error=math.nan, own_level=level)
        for each in family
    ]


def _left_out(runs: Mapping[str, _Means]) -> Iterator[str]:
    """Yield a note on tasks that not all runs have."""
    tasks = {name: {task for _, task in means} for name, means in runs.items()}
    shared = set.intersection(*tasks.values())
    for name, own in tasks.items():
        only = [task for task in own if task not in shared]
        if only:
            yield f"{name}: {len(only)} tasks are not in all runs: {shortened(', '.join(sorted(only)), 80)}"


def task_rows(found: TaskComparison) -> list[Record]:
    """Return a row per score, task and run."""
    rows = []
    for each in found.differences:
        low, high = each.interval
        figures = {"baseline": each.baseline, "value": each.value, "difference": each.difference}
        ends = {"from": low, "to": high, "p holm": each.p_adjusted, "p": each.p}
        rows.append({"score": each.score, "task": each.task, "system": each.system, **figures, **ends})
    return rows


def task_lines(found: TaskComparison) -> list[str]:
    """Return a sentence on each run by each score, and on what the figures mean."""
    lines = []
    for score in dict.fromkeys(each.score for each in found.differences):
        for system in dict.fromkeys(each.system for each in found.differences):
            family = [each for each in found.differences if (each.score, each.system) == (score, system)]
            if family:
                lines.append(_sentence(found, score, system, family))
    return lines


def _sentence(found: TaskComparison, score: str, system: str, family: Sequence[TaskDifference]) -> str:
    """Say on which tasks a run is higher and lower than the baseline by a score."""
    shown = [each for each in family if each.p_adjusted <= 1 - found.level]
    parts = []
    for word, sign in (("higher", 1), ("lower", -1)):
        n = sum(each.difference * sign > 0 for each in family)
        tasks = [each.task for each in shown if each.difference * sign > 0]
        told = f", and that is shown for {', '.join(tasks)}" if tasks else ", and that is shown for none" if n else ""
        parts.append(f"{word} on {n}{told}")
    n_equal = sum(each.difference == 0 for each in family)
    if n_equal:
        parts.append(f"equal on {n_equal}")
    one = f" ({p_text(family[0].p)})" if len(family) == 1 and math.isfinite(family[0].p) else ""
    lower = " (lower is better)" if score in found.lower_is_better else ""
    counted = "1 task" if len(family) == 1 else f"{len(family)} tasks"
    return f"{score}{lower}: of {counted}, {system} beside {found.baseline} is {'; '.join(parts)}{one}."


def task_basis(found: TaskComparison) -> list[str]:
    """Return sentences on the basis of the figures."""
    return [
        "Shown: p of a normal difference, corrected for the tasks of a score (Holm), is at most "
        f"{1 - found.level:.4g}; from and to are the ends of its {percent(found.level)} interval at that level.",
        INDEPENDENT,
        *(f"{note}." for note in found.notes),
    ]


def task_summary(found: TaskComparison) -> Record:
    """Return the facts that hold for all rows, as JSON can hold them."""
    held: Record = {"baseline": found.baseline, "level": found.level}
    held["lower_is_better"] = sorted(found.lower_is_better)
    return {**held, "findings": task_lines(found), "basis": task_basis(found)}
