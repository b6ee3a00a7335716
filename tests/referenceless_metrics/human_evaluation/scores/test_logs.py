"""Logs of evaluation tools, in the formats that their documentation and code describe."""

import json

import pytest
from refusals import refused
from text_files import write

from referenceless_metrics.human_evaluation.scores.table import read_scores

PROMPTFOO = {
    "version": 3,
    "results": [
        {
            "testIdx": item,
            "promptIdx": column,
            "provider": {"id": name, "label": ""},
            "score": score,
            "namedScores": {"x": 1},
        }
        for column, (name, scores) in enumerate((("openai:a", (1, 0)), ("openai:b", (0.5, 1))))
        for item, score in enumerate(scores)
    ],
}
DEEPEVAL = {
    "testCases": [
        {"name": f"test_case_{item}", "metricsData": [{"name": "Bias", "score": score, "success": True}]}
        for item, score in enumerate((0.25, 1.0))
    ]
}
COMET = {f"out/{name}.txt": [{"src": "s", "mt": "m", "COMET": score} for score in (0.5, 0.75)] for name in ("a", "b")}
HARNESS = [{"doc_id": item, "filter": "none", "metrics": ["acc"], "acc": item % 2, "resps": [[]]} for item in range(2)]


@pytest.mark.parametrize(
    "name, content, systems, scores",
    [
        (
            "r.json",
            {"results": PROMPTFOO},
            ("openai:a", "openai:b"),
            {"score": [[1, 0], [0.5, 1]], "x": [[1, 1], [1, 1]]},
        ),
        ("ours.json", DEEPEVAL, ("ours",), {"Bias": [[0.25, 1.0]]}),
        ("run.json", {"testRunData": DEEPEVAL}, ("run",), {"Bias": [[0.25, 1.0]]}),
        ("c.json", COMET, ("a", "b"), {"COMET": [[0.5, 0.75], [0.5, 0.75]]}),
        ("model.jsonl", HARNESS, ("model",), {"acc": [[0, 1]]}),
    ],
)
def test_a_log_is_read(tmp_path, name, content, systems, scores):
    write(tmp_path / name, map(json.dumps, content) if isinstance(content, list) else [json.dumps(content)])
    table = read_scores([str(tmp_path / name)])
    assert table.systems == systems
    assert {column: values.tolist() for column, values in table.values.items()} == scores


def test_one_prompt_after_another(tmp_path):
    rows = [PROMPTFOO["results"][0] | {"promptIdx": prompt} for prompt in (0, 1)]
    write(tmp_path / "r.json", [json.dumps({"results": {"version": 3, "results": rows}})])
    assert read_scores([str(tmp_path / "r.json")]).systems == ("openai:a/0", "openai:a/1")


@pytest.mark.parametrize(
    "content, message",
    [
        ({"results": {"version": 4, "results": []}}, "promptfoo's results of version int 4; version 3"),
        ({"a.txt": [{"mt": "m"}]}, "COMET's score for each segment"),
        ({"testCases": ["one"]}, "DeepEval's test cases to be objects"),
    ],
)
def test_logs_of_another_form_are_refused(tmp_path, content, message):
    write(tmp_path / "log.json", [json.dumps(content)])
    with refused(message):
        read_scores([str(tmp_path / "log.json")])


@pytest.mark.parametrize("suffix", ["eval", "json"])
def test_inspect_logs(tmp_path, suffix):
    log = pytest.importorskip("inspect_ai.log", reason="needs Inspect")
    score = pytest.importorskip("inspect_ai.scorer").Score
    spec = log.EvalSpec(
        created="2026-01-01T00:00:00",
        task="t",
        dataset=log.EvalDataset(),
        model="mockllm/model",
        config=log.EvalConfig(),
    )
    samples = [
        log.EvalSample(id=item, epoch=run, input="x", target="y", scores={"match": score(value=grade)})
        for run in (1, 2)
        for item, grade in enumerate("CPI")
    ]
    path = str(tmp_path / f"log.{suffix}")
    log.write_eval_log(log.EvalLog(eval=spec, samples=samples, status="success"), path)
    table = read_scores([path])
    assert (table.systems, table.items) == (("mockllm/model",), ("0", "1", "2"))
    assert table.values["match"].tolist() == [[1.0, 0.5, 0.0]]
