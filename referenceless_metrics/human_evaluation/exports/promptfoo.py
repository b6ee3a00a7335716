"""promptfoo: the JSON, JSON lines or CSV of `promptfoo eval --output`.

Form: `EvaluateSummaryV3` and `EvaluateResult` in src/types/index.ts of promptfoo/promptfoo, and `buildCsvHeaders` in
src/util/exportToFile. `--repeat` gives each repeat of a test a number of its own, so tests are told by their content. A
failure because of an API error has the reason 2, and in CSV the status ERROR.
"""

from __future__ import annotations

import json
import re
import warnings
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.reading import InputNote, Reading, from_json
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import InputError, Record, describe
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.exports.sighting import fields_of, refuse_where
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_ERROR = 2  # ResultFailureReason.ERROR

_STATUS, _SCORE, _NAMED, _LAST = "Status", "Score", "Named Scores", "Grader Reason"
"""Names of columns of CSV, which stand there again for each prompt, behind its outputs."""

_METRIC = re.compile(r"Metric: (.+)")
_PROVIDER = re.compile(r"\[([^\]]+)\].*", re.DOTALL)
_STATUSES = {"PASS": 1, "FAIL": 0}
_AGAIN = re.compile(r" \(\d+\)$")  # behind a name that stands in the header before


def _is_summary(sighting: Sighting) -> bool:
    content = sighting.content
    results = content.get("results") if isinstance(content, Mapping) else None
    return isinstance(results, Mapping) and ("results" in results or "version" in results)


def _is_lines(sighting: Sighting) -> bool:
    return {"testIdx", "promptIdx", "provider", "score"} <= set(sighting.columns)


FORM = Form(
    "promptfoo results",
    "JSON with `results.results`, or JSON lines with `testIdx`, `promptIdx` and `provider`",
    "scores",
    "github.com/promptfoo/promptfoo, src/types/index.ts (EvaluateSummaryV3)",
    lambda sighting: _is_summary(sighting) or _is_lines(sighting),
)


def _is_table(sighting: Sighting) -> bool:
    if sighting.path.suffix != ".csv" or not any(_LAST in line for line in sighting.opening):
        return False
    names = next(iter(fields_of(sighting.opening)), [])  # a prompt may have several lines
    return _LAST in names and _STATUS in names and _is_before_scores(names, names.index(_STATUS))


def _is_before_scores(names: Sequence[str], place: int) -> bool:
    """Say whether the columns of scores stand behind a status that has outputs before it."""
    return place > 0 and tuple(names[place + 1 : place + 3]) == (_SCORE, _NAMED)


TABLE = Form(
    "promptfoo table",
    "CSV with `Status`, `Score`, `Named Scores` and `Grader Reason` behind the outputs of each prompt",
    "scores",
    "github.com/promptfoo/promptfoo, src/util (buildCsvHeaders)",
    _is_table,
)


def read(sighting: Sighting, reading: Reading) -> Export:
    """Read the results of a run; repeats of a test are runs of one item, and API errors are missing scores."""
    results = read_table(str(sighting.path), reading).rows if sighting.rows else _summary(sighting, reading)
    try:
        systems = _systems(results)
        items = _items(results)
        rows = [_row(*each) for each in zip(results, systems, items, strict=True)]
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{sighting.path}: results of promptfoo of an unknown form ({error!r})") from None
    return Export(FORM.name, rows, _on_errors(sum(_has_failed(result) for result in results), len(results)))


def _on_errors(n_failed: int, n: int) -> tuple[str, ...]:
    """Return a note on calls that failed; none without any."""
    return (f"{n_failed} of {n} calls ended in an API error: their scores are missing.",) if n_failed else ()


def read_csv(sighting: Sighting, reading: Reading) -> Export:
    """Read the table of a run: a row for each test, with the outputs of each prompt side by side."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*names stand (twice|behind)", category=InputNote)
        table = read_table(str(sighting.path), reading)
    plain = _plain_names(table.columns)
    prompts = _prompts(table.columns, plain)
    if not prompts:
        raise InputError(f"{sighting.path}: a table of promptfoo of an unknown form: no outputs stand before 'Status'")
    systems = _numbered([_PROVIDER.sub(r"\1", _AGAIN.sub("", prompt[0])) for prompt in prompts])
    variables = table.columns[: table.columns.index(prompts[0][0])]
    contents = [json.dumps([row.get(name) for name in variables]) for row in table.rows]
    items = _in_runs(contents, range(len(contents)))
    rows = [
        _row_of_table(row, system, item, prompt, dict(zip(table.columns, plain, strict=True)))
        for row, item in zip(table.rows, items, strict=True)
        for system, prompt in zip(systems, prompts, strict=True)
    ]
    n_failed = sum(not any(score is not None for score in row.scores.values()) for row in rows)
    return Export(TABLE.name, rows, _on_errors(n_failed, len(rows)), columns=table.columns)


def _plain_names(columns: Sequence[str]) -> list[str]:
    """Return names as the file has them: without a number, and without the name of the outputs that they stand behind.

    >>> _plain_names(["q", "[a] Say", "[a] Say_Status", "[b] Say", "[b] Say_Status", "Status (2)"])
    ['q', '[a] Say', 'Status', '[b] Say', 'Status', 'Status']
    """
    found, before = [], columns[0]
    for name in columns:
        own = name.removeprefix(f"{before}_")
        before = name if own == name else before
        found.append(_AGAIN.sub("", own))
    return found


def _prompts(columns: Sequence[str], plain: Sequence[str]) -> list[list[str]]:
    """Return the columns of each prompt: the outputs, and the status with what stands behind it.

    Args:
        columns: the columns.
        plain: the name of each as the file has it.
    """
    found = []
    for place, name in enumerate(plain):
        if name == _STATUS and _is_before_scores(plain, place):
            end = plain.index(_LAST, place) if _LAST in plain[place:] else place + 3
            outputs = place - 2 if plain[place - 1] == "Reasoning" and place > 1 else place - 1
            found.append([columns[outputs], *columns[place:end]])
    return found


def _numbered(providers: Sequence[str]) -> list[str]:
    """Return the provider of each prompt, with the prompt's number if providers had several."""
    if len(set(providers)) == len(providers):
        return list(providers)
    return [f"{provider}/{number}" for number, provider in enumerate(providers)]


def _row_of_table(
    row: Record, system: str, item: tuple[str, str], prompt: Sequence[str], plain: Mapping[str, str]
) -> ScoreRow:
    """Return the scores of one output in a row of CSV; none if the call failed, or was not made."""
    outputs, status, score, named, *metrics = prompt
    held = from_json(row.get(named))
    scores: Record = {"score": _filled(row.get(score)), "success": _STATUSES.get(str(row.get(status)).strip())}
    scores |= held if isinstance(held, Mapping) else {}
    for name in metrics:
        match = _METRIC.fullmatch(plain[name])
        if match is not None:
            scores[match[1]] = _filled(row.get(name))
    if scores["success"] is None:
        scores = dict.fromkeys(scores)
    text = row.get(outputs)
    return ScoreRow(system, item[0], scores, run=item[1], text=text if isinstance(text, str) else None)


def _filled(cell: Any) -> Any:
    """Return a cell; None for a blank one."""
    return None if is_blank(cell) else cell


def refuse_table(sighting: Sighting) -> None:
    """Refuse promptfoo's CSV, whose cells hold outputs behind [PASS] or [FAIL], and no scores of assertions.

    Raises:
        InputError: for such a file.
    """
    cells = [cell for fields in fields_of(sighting.lines[1:]) for cell in fields]
    if sighting.path.suffix == ".csv" and any(cell.startswith(("[PASS]", "[FAIL]")) for cell in cells):
        raise InputError(
            f"{sighting.path}: a table of promptfoo's outputs; its scores are in JSON: promptfoo eval --output "
            f"{sighting.path.stem}.json"
        )


def _summary(sighting: Sighting, reading: Reading) -> Sequence[Any]:
    refuse_where(sighting, reading, "promptfoo")
    results = sighting.content["results"]
    if results.get("version") != 3:
        raise InputError(
            f"{sighting.path}: promptfoo's results of version {describe(results.get('version'))}; version 3 can be read"
        )
    found = results.get("results", [])
    if not isinstance(found, list):
        raise InputError(f"{sighting.path}: expected a list of promptfoo's results, but got {describe(found)}")
    return found


def _systems(results: Sequence[Any]) -> list[str]:
    """Return the provider of each result, with the number of the prompt if it had several prompts."""
    providers = [result["provider"].get("label") or result["provider"]["id"] for result in results]
    prompts = [result.get("promptIdx") for result in results]
    several = len(set(zip(providers, prompts, strict=True))) > len(set(providers))
    if not several:
        return providers
    return [f"{provider}/{prompt}" for provider, prompt in zip(providers, prompts, strict=True)]


def _items(results: Sequence[Any]) -> list[tuple[str, str]]:
    """Return the item and the run of each result: the first number of a test with this content, and the repeat."""
    return _in_runs([_content(result) for result in results], [int(result["testIdx"]) for result in results])


def _in_runs(contents: Sequence[str], numbers: Sequence[int]) -> list[tuple[str, str]]:
    """Return the item and the run of each test, by its content and number."""
    of_content = defaultdict(set)
    for content, number in zip(contents, numbers, strict=True):
        of_content[content].add(number)
    items = []
    for content, number in zip(contents, numbers, strict=True):
        runs = sorted(of_content[content])
        items.append((str(runs[0]), str(runs.index(number)) if len(runs) > 1 else ""))
    return items


def _content(result: Any) -> str:
    """Return a test's variables, assertions and options, which tell it; its number if the result has none."""
    test = result.get("testCase")
    return json.dumps(test if test else result["testIdx"], sort_keys=True)


def _has_failed(result: Any) -> bool:
    reason = result.get("failureReason")
    if reason is None:  # of versions that give no reason
        return bool(result.get("error")) and not result.get("gradingResult")
    return bool(reason == _ERROR)


def _row(result: Any, system: str, item: tuple[str, str]) -> ScoreRow:
    passed = {"success": int(result["success"])} if isinstance(result.get("success"), bool) else {}
    scores = {"score": result.get("score"), **passed, **(result.get("namedScores") or {})}
    if _has_failed(result):
        scores = dict.fromkeys(scores)
    output = (result.get("response") or {}).get("output")
    return ScoreRow(system, item[0], scores, run=item[1], text=output if isinstance(output, str) else None)
