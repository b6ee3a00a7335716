"""Scores in the logs of evaluation tools.

- lm-evaluation-harness: the file of samples, samples_….jsonl.
- Inspect: `.eval`, or `.json` of version 2; both are read by Inspect itself (extra `inspect`).
- promptfoo: the JSON of its results, of version 3.
- DeepEval: the JSON of a test run.
- COMET: the JSON that comet-score writes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.installation import import_extra
from referenceless_metrics.core.support.validation import InputError, Record, describe, parse_json


class ScoreRow(NamedTuple):
    """What one system got on one item, in one run; scores as they stand in the file, and the text that it wrote.

    The text is None where the response is none, or where the log is not asked for it.
    """

    system: str
    item: str
    scores: Record
    run: str = ""
    text: str | None = None


def log_rows(path: str) -> list[ScoreRow] | None:
    """Return the scores in a tool's log, or None for a file that is none.

    A log of one system is called after the model that it names, or else after its file.

    Raises:
        ImportError: for Inspect's logs without Inspect; the message names the extra.
        InputError: for a log of an unknown version or a damaged one.
    """
    file, name = Path(path), Path(path).stem
    if file.suffix == ".eval":
        return list(_inspect(path))
    if file.suffix == ".jsonl" and _is_harness(file):
        return list(_harness(path, name))
    if file.suffix != ".json":
        return None
    try:
        content = parse_json(file.read_bytes())
    except (OSError, ValueError):
        return None  # the reader of tables says what is wrong
    if not isinstance(content, Mapping):
        return None
    if "eval" in content and "samples" in content:
        return list(_inspect(path))
    results = content.get("results")
    if isinstance(results, Mapping):
        return list(_promptfoo(results, path))
    run = content.get("testRunData", content)
    if isinstance(run, Mapping) and "testCases" in run:
        return list(_deepeval(run, path, name))
    if content and all(isinstance(rows, list) for rows in content.values()):
        return list(_comet(content, path))
    return None


def _is_harness(file: Path) -> bool:
    try:
        with file.open(encoding="utf-8") as lines:
            row = parse_json(next(islice(lines, 1), "null"))
    except (OSError, ValueError):
        return False
    return isinstance(row, Mapping) and {"doc_id", "metrics"} <= set(row)


def _harness(path: str, name: str) -> Iterator[ScoreRow]:
    rows = read_table(path).rows
    several = len({row.get("filter") for row in rows}) > 1
    for row in rows:
        item = f"{row['doc_id']}/{row['filter']}" if several else str(row["doc_id"])
        text = row.get("filtered_resps")
        while isinstance(text, list) and text:
            text = text[0]
        scores = {metric: row.get(metric) for metric in row["metrics"]}
        yield ScoreRow(name, item, scores, text=text if isinstance(text, str) else None)


def _inspect(path: str) -> Iterator[ScoreRow]:
    reading = import_extra("inspect_ai.log", "inspect", "reading Inspect's logs")
    to_float = import_extra("inspect_ai.scorer", "inspect", "reading Inspect's logs").value_to_float()
    try:
        log = reading.read_eval_log(path)
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path}: Inspect cannot read it as a log ({error})") from None
    for sample in log.samples or []:
        scores: Record = {}
        for name, score in (sample.scores or {}).items():
            values = score.value if isinstance(score.value, Mapping) else {"": score.value}
            scores |= {
                f"{name}_{key}" if key not in ("", name) else name: float(to_float(of)) for key, of in values.items()
            }
        yield ScoreRow(log.eval.model, str(sample.id), scores, str(sample.epoch), sample.output.completion)


def _promptfoo(results: Mapping[str, Any], path: str) -> Iterator[ScoreRow]:
    if results.get("version") != 3:
        raise InputError(
            f"{path}: promptfoo's results of version {describe(results.get('version'))}; version 3 can be read"
        )
    rows = results.get("results", [])
    systems = [row["provider"].get("label") or row["provider"]["id"] for row in rows]
    # promptfoo numbers each provider with each prompt.
    columns = {(system, row.get("promptIdx")) for system, row in zip(systems, rows, strict=True)}
    several = len(columns) > len(set(systems))
    for system, row in zip(systems, rows, strict=True):
        scores = {"score": row.get("score"), **(row.get("namedScores") or {})}
        yield ScoreRow(f"{system}/{row['promptIdx']}" if several else system, str(row["testIdx"]), scores)


def _deepeval(run: Mapping[str, Any], path: str, name: str) -> Iterator[ScoreRow]:
    for place, case in enumerate(run["testCases"]):
        if not isinstance(case, Mapping):
            raise InputError(f"{path}: expected DeepEval's test cases to be objects, but got {describe(case)}")
        scores = {metric["name"]: metric.get("score") for metric in case.get("metricsData") or []}
        yield ScoreRow(name, str(case.get("name", place)), scores)


def _comet(content: Mapping[str, Any], path: str) -> Iterator[ScoreRow]:
    for system, rows in content.items():
        for place, row in enumerate(rows):
            if not isinstance(row, Mapping) or "COMET" not in row:
                raise InputError(
                    f"{path}: expected an object with COMET's score for each segment, but got {describe(row)}"
                )
            yield ScoreRow(Path(system).stem, str(place), {"COMET": row["COMET"]})
