"""promptfoo: the JSON, or JSON lines, of `promptfoo eval --output`.

Form: `EvaluateSummaryV3` and `EvaluateResult` in src/types/index.ts of promptfoo/promptfoo. `--repeat` gives each
repeat of a test a number of its own, so tests are told by their content. A failure because of an API error has the
reason 2.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import InputError, describe
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.exports.sighting import fields_of, refuse_where
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_ERROR = 2  # ResultFailureReason.ERROR


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


def read(sighting: Sighting, reading: Reading) -> Export:
    """Read the results of a run; repeats of a test are runs of one item, and API errors are missing scores."""
    results = read_table(str(sighting.path), reading).rows if sighting.rows else _summary(sighting, reading)
    try:
        systems = _systems(results)
        items = _items(results)
        rows = [_row(*each) for each in zip(results, systems, items, strict=True)]
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{sighting.path}: results of promptfoo of an unknown form ({error!r})") from None
    failed = sum(_has_failed(result) for result in results)
    notes = (f"{failed} of {len(results)} calls ended in an API error: their scores are missing.",) if failed else ()
    return Export(FORM.name, rows, notes)


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
    numbers = defaultdict(set)
    for result in results:
        numbers[_content(result)].add(int(result["testIdx"]))
    runs = {content: sorted(of_content) for content, of_content in numbers.items()}
    items = []
    for result in results:
        of_content = runs[_content(result)]
        repeat = of_content.index(int(result["testIdx"]))
        items.append((str(of_content[0]), str(repeat) if len(of_content) > 1 else ""))
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
    scores = {"score": result.get("score"), **(result.get("namedScores") or {})}
    if _has_failed(result):
        scores = dict.fromkeys(scores)
    output = (result.get("response") or {}).get("output")
    return ScoreRow(system, item[0], scores, run=item[1], text=output if isinstance(output, str) else None)
