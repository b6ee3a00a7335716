"""Exports of tools: a small file of each form, as the tool's source or documentation writes it."""

import bz2
import gzip
import json
import lzma
import warnings

import numpy as np
import pytest
from command_lines import done
from refusals import refused
from text_files import write, write_table

from referenceless_metrics import look
from referenceless_metrics.core.files import opening
from referenceless_metrics.core.files.reading import InputNote, Reading, condition
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.exports.reading import SCORE_FORMS, log_rows, read_export
from referenceless_metrics.human_evaluation.exports.sighting import json_of
from referenceless_metrics.human_evaluation.ratings.export_files import read_rating_rows
from referenceless_metrics.human_evaluation.scores.findings import compare_scores
from referenceless_metrics.human_evaluation.scores.table import read_scores

ITEMS = range(2)


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


# github.com/EleutherAI/lm-evaluation-harness, lm_eval/loggers/evaluation_tracker.py
HARNESS = [{"doc_id": item, "filter": "none", "metrics": ["acc"], "acc": item % 2, "resps": [[]]} for item in ITEMS]
# github.com/promptfoo/promptfoo, src/types/index.ts
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
# github.com/confident-ai/deepeval, deepeval/test_run
DEEPEVAL = {
    "testCases": [
        {"name": f"test_case_{item}", "metricsData": [{"name": "Bias", "score": score, "success": True}]}
        for item, score in enumerate((0.25, 1.0))
    ]
}
# github.com/Unbabel/COMET, comet/cli/score.py
COMET = {f"out/{name}.txt": [{"src": "s", "mt": "m", "COMET": score} for score in (0.5, 0.75)] for name in ("a", "b")}
COMET_PRINTED = [f"{name}.txt\tSegment {item}\tscore: 0.{item + 1}" for item in ITEMS for name in ("a", "b")]
# github.com/UKGovernmentBEIS/inspect_ai, src/inspect_ai/log/_log.py
INSPECT = {
    "version": 2,
    "status": "success",
    "eval": {"task": "t", "model": "openai/a"},
    "samples": [
        {
            "id": item,
            "epoch": 1,
            "scores": {"match": {"value": grade}, "two": {"value": {"f": 0.5}}},
            "output": {"choices": [{"message": {"content": "yes"}}]},
        }
        for item, grade in enumerate("CI")
    ],
}
# github.com/evaleval/every_eval_ever, instance_level_eval.schema.json
EVERY_EVAL_EVER = [
    {
        "schema_version": "0.2.1",
        "evaluation_id": "x",
        "model_id": "org/m",
        "evaluation_name": "gsm8k",
        "sample_id": f"s{item}",
        "interaction_type": "single_turn",
        "input": {"raw": "q", "reference": ["a"]},
        "output": {"raw": ["four"]},
        "answer_attribution": [],
        "evaluation": {"score": float(item), "is_correct": bool(item)},
    }
    for item in ITEMS
]
# github.com/lm-sys/FastChat, fastchat/llm_judge/common.py
MT_BENCH = [
    {"question_id": 81, "model": model, "judge": ["gpt-4", "single-v1"], "turn": turn, "score": score}
    for model, score in (("a", 7), ("b", -1))
    for turn in (1, 2)
] + [{"question_id": 82, "model": "b", "judge": ["gpt-4", "single-v1"], "turn": 1, "score": 3}]
# github.com/openai/human-eval, human_eval/evaluation.py
HUMAN_EVAL = [
    {"task_id": f"HumanEval/{item}", "completion": "x", "result": "passed", "passed": bool(item + run)}
    for item in ITEMS
    for run in ITEMS
]
# github.com/evalplus/evalplus, evalplus/evaluate.py
EVALPLUS = {
    "eval": {f"HumanEval/{item}": [{"base_status": "pass", "plus_status": "fail", "solution": "x"}] for item in ITEMS}
}
# github.com/stanford-crfm/helm, src/helm/benchmark/runner.py
HELM = [
    {
        "instance_id": f"id{item}",
        "train_trial_index": trial,
        "stats": [
            {"name": {"name": "exact_match", "split": "test"}, "mean": float(item)},
            {"name": {"name": "num_references", "split": "test"}, "mean": 4.0},
        ],
    }
    for item in ITEMS
    for trial in ITEMS
]
# github.com/openai/evals, evals/record.py
OPENAI_EVALS = [
    {"spec": {"completion_fns": ["gpt-4"], "eval_name": "t", "run_id": "r"}},
    {"run_id": "r", "event_id": 0, "sample_id": "t.0", "type": "sampling", "data": {"sampled": "x"}},
    {"run_id": "r", "event_id": 1, "sample_id": "t.0", "type": "match", "data": {"correct": True, "picked": "x"}},
    {"run_id": "r", "event_id": 2, "sample_id": "t.1", "type": "match", "data": {"correct": False, "picked": "x"}},
    {"final_report": {"accuracy": 0.5}},
]
# github.com/mlflow/mlflow, mlflow/models/evaluation
MLFLOW = {
    "columns": ["inputs", "outputs", "toxicity/v1/score", "toxicity/v1/justification"],
    "data": [[f"q{item}", "o", item / 4, "j"] for item in ITEMS],
}
# github.com/Azure/azure-sdk-for-python, azure.ai.evaluation; `gpt_tone` is an older name of `tone`
AZURE = {
    "rows": [
        {
            "inputs.query": f"q{item}",
            "inputs.response": "o",
            "outputs.style.tone": item + 1.0,
            "outputs.style.gpt_tone": item + 1.0,
            "outputs.style.tone_reason": "j",
            "outputs.style.tone_threshold": 3,
            "outputs.facts.facts": None if item else 4,
            "outputs.facts.facts_reason": "j",
            "outputs.facts.facts_threshold": 3,
            "line_number": item,
        }
        for item in ITEMS
    ],
    "metrics": {"style.tone": 1.5},
    "studio_url": None,
}
# github.com/mjpost/sacrebleu
SACREBLEU = [f"BLEU|nrefs:1|tok:13a = {score} 50.0/20.0 (BP = 1.000)" for score in (12.5, 0.0)]
# github.com/SWE-bench/SWE-bench, swebench/harness/reporting.py
SWE_BENCH = {"resolved_ids": ["c"], "unresolved_ids": ["a"], "error_ids": ["b"], "total_instances": 3}
# github.com/usnistgov/trec_eval
TREC_EVAL = ["runid\tall\tbm25", "num_ret\tq1\t7", *[f"map\tq{item}\t0.{item}" for item in ITEMS], "map\tall\t0.05"]
# github.com/google-research/mt-metrics-eval, README.md and converters/score_mqm.py
SEG_SCORE = [f"{system}\t{score}" for system in ("a", "b") for score in ("0.5", "None")]
SEG_SCORE_OF_DOCUMENTS = [f"a\tdoc\t{item}\t-{item}.0\trater1={item}.0" for item in ITEMS]
# statmt.org/wmt21/metrics-task.html
SUBMISSION = [
    "\t".join(["COMET", "en-de", "newstest2021", "news", "d", "refA", system, str(item + 1), "0.5"])
    for system in ("a", "b")
    for item in ITEMS
]
# statmt.org/wmt20 and wmt19: without domain and document, and without a reference and with two fields more
SUBMISSION_OF_2020 = [
    "\t".join(["COMET", "en-de", "newstest2020", "newstest2020-ref", system, str(item + 1), "0.5"])
    for system in ("a.1", "b.2")
    for item in ITEMS
]
SUBMISSION_OF_2019 = [
    "\t".join(["YiSi", "de-en", "newstest2019", system, str(item + 1), "0.5", "non-ensemble", "no"])
    for system in ("a.1", "b.2")
    for item in ITEMS
]
# github.com/WMT-QE-Task/wmt-qe-2022-data, predictions.txt
ESTIMATION = ["2280011066", "569330715", "1", *[f"en-de\tBASELINE\t{item}\t0.{item}5" for item in ITEMS]]

nan = np.nan
CASES = [
    ("r.json", {"results": PROMPTFOO}, ["openai:a", "openai:b"], {"score": [[1, 0], [0.5, 1]], "x": [[1, 1], [1, 1]]}),
    ("r.jsonl", lines(*PROMPTFOO["results"]), ["openai:a", "openai:b"], {"score": [[1, 0], [0.5, 1]]}),
    ("ours.json", DEEPEVAL, ["ours"], {"Bias": [[0.25, 1.0]]}),
    ("run.json", {"testRunData": DEEPEVAL}, ["run"], {"Bias": [[0.25, 1.0]]}),
    ("c.json", COMET, ["a", "b"], {"COMET": [[0.5, 0.75], [0.5, 0.75]]}),
    ("c.log", [*COMET_PRINTED, "a.txt\tscore: 0.15"], ["a", "b"], {"COMET": [[0.1, 0.2], [0.1, 0.2]]}),
    ("model.jsonl", lines(*HARNESS), ["model"], {"acc": [[0, 1]]}),
    ("log.json", INSPECT, ["openai/a"], {"match": [[1, 0]], "two_f": [[0.5, 0.5]]}),
    ("x_samples.jsonl", lines(*EVERY_EVAL_EVER), ["org/m"], {"score": [[0, 1]]}),
    ("gpt-4_single.jsonl", lines(*MT_BENCH), ["a", "b"], {"score": [[7, 7, nan], [nan, nan, 3]]}),
    ("a_results.jsonl", lines(*HUMAN_EVAL), ["a_results"], {"passed": [[0.5, 1]]}),
    ("a_eval_results.json", EVALPLUS, ["a_eval_results"], {"base": [[1, 1]], "plus": [[0, 0]]}),
    ("run.json", json.dumps(HELM), ["run"], {"exact_match": [[0, 1]]}),
    ("events.jsonl", lines(*OPENAI_EVALS), ["gpt-4"], {"correct": [[1, 0]]}),
    ("ours.json", {"f1": [0.5, 1], "hashcode": "roberta"}, ["ours"], {"f1": [[0.5, 1]]}),
    ("ours.txt", SACREBLEU, ["ours"], {"BLEU": [[12.5, 0]]}),
    ("m.run.json", SWE_BENCH, ["m.run"], {"resolved": [[0, 0, 1]]}),
    ("eval.json", MLFLOW, ["eval"], {"toxicity/v1": [[0, 0.25]]}),
    ("v1.json", AZURE, ["v1"], {"style.tone": [[1, 2]], "facts.facts": [[4, nan]]}),
    ("bm25.eval", TREC_EVAL, ["bm25"], {"map": [[0, 0.1]]}),
    ("en-de.da.seg.score", SEG_SCORE, ["a", "b"], {"en-de.da": [[0.5, nan], [0.5, nan]]}),
    ("x.seg.score", ["\tNone", "a b\t1", "c\t2", "\tNone"], ["a b", "c"], {"x": [[nan, 1], [2, nan]]}),
    ("x.seg.score", ["a\ts1\t1", "a\ts2\t2", "b\ts2\t3", "b\ts1\tNone"], ["a", "b"], {"x": [[1, 2], [nan, 3]]}),
    ("mqm.seg.score", SEG_SCORE_OF_DOCUMENTS, ["a"], {"mqm": [[0, -1]]}),
    ("predictions.txt", ESTIMATION, ["predictions"], {"score": [[0.05, 0.15]]}),
    ("comet.seg.score", SUBMISSION, ["a", "b"], {"COMET": [[0.5, 0.5], [0.5, 0.5]]}),
    ("comet.seg.score", SUBMISSION_OF_2020, ["a.1", "b.2"], {"COMET": [[0.5, 0.5], [0.5, 0.5]]}),
    ("yisi.seg.score", SUBMISSION_OF_2019, ["a.1", "b.2"], {"YiSi": [[0.5, 0.5], [0.5, 0.5]]}),
]


def saved(folder, name, content):
    text = content if isinstance(content, (str, list)) else json.dumps(content)
    return str(write(folder / name, text))


@pytest.mark.parametrize("name, content, systems, scores", CASES)
@pytest.mark.filterwarnings("ignore::referenceless_metrics.core.files.reading.InputNote")
def test_an_export_is_read(tmp_path, name, content, systems, scores):
    path = saved(tmp_path, name, content)
    table = read_scores([path], score_columns=list(scores))
    assert list(table.systems) == systems
    for column, values in scores.items():
        np.testing.assert_array_equal(table.values[column], values)
    assert len(log_rows(path)) >= len(table.items)


@pytest.mark.parametrize("name, content, systems, scores", CASES)
@pytest.mark.filterwarnings("ignore::referenceless_metrics.core.files.reading.InputNote")
def test_an_export_of_scores_is_read_as_ratings_too(tmp_path, name, content, systems, scores):
    table = read_rating_rows(saved(tmp_path, name, content))
    export = read_export(table.source)
    names = {name for row in export.rows for name in row.scores}
    assert table.has("item")
    assert not export.names_systems or sorted({row["system"] for row in table.rows}) == sorted(systems)
    for column in scores:
        of_rows = [row["rating" if len(names) == 1 else column] for row in table.rows]
        assert of_rows == [row.scores.get(column) for row in export.rows]


def test_every_form_is_tried_above_or_by_a_test_of_its_own():
    ours = {
        "outputs with marked errors",
        "rows of marked errors",
        "Pearmut log",
        "Appraise scores (CSV)",
        "Appraise scores (JSON lines)",
        "MQM annotations",
        "TREC relevance judgments",
        "sacrebleu scores of a corpus",
    }
    folders = {"lm-evaluation-harness folder"}
    assert len(SCORE_FORMS) == len({form.name for form in SCORE_FORMS})
    assert {form.name for form in SCORE_FORMS} == ours | folders | {
        "lm-evaluation-harness samples",
        "Inspect log",
        "promptfoo results",
        "promptfoo table",
        "DeepEval test run",
        "Every Eval Ever samples",
        "HELM run",
        "lists of scores",
        "sacrebleu -sl",
        "ROUGE-1.5.5 output",
        "OpenCompass summary",
        "SWE-bench report",
        "MLflow evaluation table",
        "Azure AI Evaluation result",
        "OpenAI evals log",
        "MT-Bench judgments",
        "HumanEval results",
        "EvalPlus results",
        "comet-score JSON",
        "comet-score output",
        "WMT metrics task scores",
        "mt-metrics-eval scores",
        "trec_eval -q",
        "WMT quality estimation scores",
    }
    assert all(form.source and form.told_by for form in SCORE_FORMS)


def test_scores_of_a_whole_corpus_by_sacrebleu_are_no_items(tmp_path):
    """BLEU and chrF of a system were taken for its scores of two items, and their mean was told."""
    both = [{"name": name, "score": 30.0, "signature": "nrefs:1|version:2.6.0"} for name in ("BLEU", "chrF2")]
    for place, content in enumerate((both, both[0])):
        path = saved(tmp_path, f"{place}.json", json.dumps(content))
        with pytest.raises(InputError, match=r"scores of a whole corpus, .*--metric bleu.*`sacrebleu -sl`"):
            read_scores([path])
        assert "scores of a whole corpus" in look(path).notes[0]
        assert look(path).commands == ()


def test_the_verdicts_of_a_deepeval_run_are_told_with_their_thresholds(tmp_path):
    judged = [[("Bias", 0.5, True), ("Recall", 0.7, False)], [("Bias", 0.5, False), ("Recall", 0.6, True)]]
    cases = [
        {
            "name": f"case_{place}",
            "success": False,
            "metricsData": [
                {"name": name, "score": 0.5, "threshold": threshold, "success": passed}
                for name, threshold, passed in of_case
            ],
        }
        for place, of_case in enumerate(judged)
    ]
    (note, *_) = read_scores([saved(tmp_path, "run.json", {"testCases": cases})]).notes
    said = "0 of 2 test cases passed, as the file says; failed: Bias 1 of 2 (threshold 0.5), Recall 1 of 2."
    assert note.endswith(said)


def test_error_spans_beside_the_scores_of_comet_are_counted(tmp_path):
    marked = [{"mt": "m", "COMET": 0.5, "errors": [{"text": "m", "severity": "minor"}]}]
    (note,) = read_scores([saved(tmp_path, "c.json", COMET | {"out/c.txt": marked * 2})]).notes
    assert note.endswith("holds error spans, which are no scores, and do not count: a 0, b 0, c 2 (2 minor).")


def test_lines_of_other_programs_around_the_scores_of_comet_are_left_out(tmp_path):
    first, *others = COMET_PRINTED
    logged = ["Global seed set to 1", *["Lightning says so."] * 20, f"Predicting: 50%\rPredicting: 100%\r{first}"]
    path = saved(tmp_path, "c.log", [*logged, "Some weights were not used.", *others, "a.txt\tscore: 0.15"])
    table = read_scores([path])
    assert table.values["COMET"].tolist() == [[0.1, 0.2], [0.1, 0.2]]
    assert "22 lines hold no scores, and are left out, such as 'Global seed set to 1'" in " ".join(table.notes)
    cut = saved(tmp_path, "cut.log", [*COMET_PRINTED, "a.txt\tSegment 2\tsco"])
    with refused("expected a line FILE, Segment N, score: X"):
        read_scores([cut])


def test_a_compressed_log_is_read(tmp_path):
    (tmp_path / "model.jsonl.gz").write_bytes(gzip.compress(lines(*HARNESS).encode()))
    assert read_scores([str(tmp_path / "model.jsonl.gz")]).values["acc"].tolist() == [[0, 1]]


@pytest.mark.long
def test_logs_are_opened_as_all_files_are(tmp_path):
    """Any compression and any marked encoding, and no more unpacked than the bounds allow."""
    (tmp_path / "model.jsonl.xz").write_bytes(lzma.compress(lines(*HARNESS).encode()))
    (tmp_path / "marked.jsonl").write_bytes(lines(*HARNESS).encode("utf-16"))
    (tmp_path / "results.json.bz2").write_bytes(bz2.compress(json.dumps({"results": PROMPTFOO}).encode()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputNote)
        assert read_scores([str(tmp_path / "model.jsonl.xz")]).values["acc"].tolist() == [[0, 1]]
        assert read_scores([str(tmp_path / "marked.jsonl")]).values["acc"].tolist() == [[0, 1]]
    assert read_scores([str(tmp_path / "results.json.bz2")]).systems == ("openai:a", "openai:b")
    (tmp_path / "bomb.json.gz").write_bytes(gzip.compress(b" " * (opening.MOST_AT_ONCE + 2**20)))
    with refused("bomb.json.gz: it unpacks to more than 200 times its size"):
        json_of(tmp_path / "bomb.json.gz")


def test_prompts_and_repeats_of_promptfoo(tmp_path):
    rows = [PROMPTFOO["results"][0] | {"promptIdx": prompt} for prompt in (0, 1)]
    prompts = saved(tmp_path, "r.json", {"results": {"version": 3, "results": rows}})
    assert read_scores([prompts]).systems == ("openai:a/0", "openai:a/1")
    repeated = [
        PROMPTFOO["results"][0] | {"testIdx": 3 * item + run, "testCase": {"vars": {"q": item}}, "score": run}
        for item in ITEMS
        for run in range(3)
    ]
    table = read_scores([saved(tmp_path, "r.json", {"results": {"version": 3, "results": repeated}})])
    assert (table.items, table.values["score"].tolist()) == (("0", "3"), [[1, 1]])
    assert "repeated runs of an item are averaged" in table.assumed


def test_whether_outputs_passed_is_a_score_of_promptfoo_and_missing_of_a_call_that_failed(tmp_path):
    done = [(0, "a", True, 1), (0, "b", False, 1), (1, "a", False, 1), (1, "b", False, 2)]
    rows = [
        {"testIdx": item, "provider": {"id": name}, "score": 0.5, "success": passed, "failureReason": reason}
        for item, name, passed, reason in done
    ]
    table = read_scores([saved(tmp_path, "r.json", {"results": {"version": 3, "results": rows}})])
    assert table.columns == ("score", "success")
    np.testing.assert_array_equal(table.values["success"], [[1, 0], [0, nan]])


def test_a_table_of_promptfoo_has_the_outputs_of_each_prompt_side_by_side(tmp_path):
    behind = ["Status", "Score", "Named Scores", "Metric: Tone", "Grader Reason", "Comment"]
    header = ["question", "[openai:a] Answer:\n{{question}}", *behind, "[local:b] Answer", *behind]
    rows = [
        ["q1", "yes", "PASS", 0.9, '{"Help":0.8}', 0.5, "", "", "no", "FAIL", 0.2, '{"Help":0.1}', 0.4, "", ""],
        ["q2", "yes", "PASS", 0.7, '{"Help":0.6}', 0.5, "", "", "", "ERROR", 0, "", "", "529", ""],
        ["q1", "yes", "FAIL", 0.1, '{"Help":0.4}', 0.5, "", "", "no", "FAIL", 0.2, '{"Help":0.3}', 0.4, "", ""],
    ]
    write_table(tmp_path / "r.csv", header, rows)
    table = read_scores([str(tmp_path / "r.csv")])
    assert (table.systems, table.items) == (("openai:a", "local:b"), ("0", "1"))
    assert table.columns == ("score", "success", "Help", "Tone")
    np.testing.assert_allclose(table.values["score"], [[0.5, 0.7], [0.2, nan]])
    np.testing.assert_allclose(table.values["success"], [[0.5, 1], [0, nan]])
    assert any(note.endswith("1 of 6 calls ended in an API error: their scores are missing.") for note in table.notes)


def test_errors_of_an_interface_are_missing_and_counted(tmp_path):
    failed = PROMPTFOO["results"][0] | {"score": 0, "failureReason": 2, "error": "429"}
    rows = [failed, PROMPTFOO["results"][1] | {"failureReason": 1, "error": "assertion"}]
    table = read_scores([saved(tmp_path, "r.json", {"results": {"version": 3, "results": rows}})])
    np.testing.assert_array_equal(table.values["score"], [[nan, 0]])
    assert table.notes[0].endswith("r.json: 1 of 2 calls ended in an API error: their scores are missing.")


def test_each_filter_of_a_harness_log_is_a_score(tmp_path):
    rows = [
        {"doc_id": item, "filter": name, "metrics": ["exact_match"], "exact_match": score}
        for item in ITEMS
        for name, score in (("strict-match", 0), ("flexible-extract", 1))
    ]
    table = read_scores([saved(tmp_path, "log.jsonl", lines(*rows))])
    assert (table.items, table.columns) == (("0", "1"), ("exact_match,strict-match", "exact_match,flexible-extract"))


def test_the_filters_of_several_dates_are_no_repeated_runs(tmp_path):
    for model, date in (("base", "2026-01-01T00-00-00.123456"), ("ours", "2026-01-02T00-00-00.123456")):
        rows = [
            {"doc_id": item, "filter": name, "metrics": ["exact_match"], "exact_match": score}
            for item in ITEMS
            for name, score in (("strict-match", 0), ("flexible-extract", 1))
        ]
        (tmp_path / "out" / model).mkdir(parents=True)
        write(tmp_path / "out" / model / f"samples_gsm8k_{date}.jsonl", lines(*rows))
    table = read_scores([str(tmp_path / "out")])
    assert (table.systems, len(table.columns)) == (("base", "ours"), 2)
    assert not any("repeated runs" in note for note in table.assumed)


def test_values_that_a_harness_log_holds_for_all_documents_are_no_scores(tmp_path):
    metrics = {"f1": [1, 0], "inst_level_strict_acc": [True, False], "acc": 1}
    rows = [{"doc_id": item, "filter": "none", "metrics": list(metrics), **metrics} for item in ITEMS]
    table = read_scores([saved(tmp_path, "log.jsonl", lines(*rows))])
    assert {name: values.tolist() for name, values in table.values.items()} == {
        "inst_level_strict_acc": [[0.5, 0.5]],
        "acc": [[1, 1]],
    }
    assert "f1: left out" in table.notes[0]


def test_a_folder_of_the_harness_names_the_model_and_has_a_slice_for_each_task(tmp_path):
    date = "2026-01-01T00-00-00.123456"
    for model in ("org/base", "org/ours"):
        folder = tmp_path / "out" / model.replace("/", "__")
        folder.mkdir(parents=True)
        write(folder / f"results_{date}.json", json.dumps({"model_name": model, "results": {}}))
        for task in ("gsm8k", "mmlu"):
            write(folder / f"samples_{task}_{date}.jsonl", lines(*HARNESS))
    table = read_scores([str(tmp_path / "out")])
    assert (table.systems, table.slices, len(table.items)) == (("org/base", "org/ours"), ("gsm8k", "mmlu"), 4)
    alone = read_scores([str(next((tmp_path / "out" / "org__ours").glob("samples_mmlu*")))])
    assert (alone.systems, alone.slices) == (("org/ours",), ())
    (tmp_path / "none").mkdir()
    with refused("a folder of another form than those that can be read"):
        read_scores([str(tmp_path / "none")])


@pytest.mark.parametrize("name", ["inspect", "harness"])
def test_a_score_that_is_not_a_number_is_missing(tmp_path, name):
    if name == "inspect":
        first, second = INSPECT["samples"]
        abstained = first | {"scores": {"match": {"value": float("nan")}}}
        path = saved(tmp_path, "log.json", INSPECT | {"samples": [abstained, second]})
        expected = [[nan, 0]]
    else:
        path = saved(tmp_path, "log.jsonl", lines(HARNESS[0] | {"acc": float("nan")}, HARNESS[1]))
        expected = [[nan, 1]]
    table = read_scores([path])
    np.testing.assert_array_equal(next(iter(table.values.values())), expected)
    assert "1 score is missing, and does not count: 0." in table.notes


def test_two_runs_of_one_model_need_names(tmp_path):
    files = [saved(tmp_path, name, INSPECT) for name in ("first.json", "second.json")]
    with refused("both hold a score 'match' of item '0' .* --name openai/a-1=.*first.json --name openai/a-2="):
        read_scores(files)
    names = dict(zip(files, ("first", "second"), strict=True))
    assert read_scores(files, names=names).systems == ("first", "second")


def test_samples_of_inspect_that_ended_in_an_error_are_missing(tmp_path):
    samples = [INSPECT["samples"][0] | {"error": {"message": "x"}, "scores": None}, INSPECT["samples"][1]]
    table = read_scores([saved(tmp_path, "log.json", INSPECT | {"samples": samples, "status": "error"})])
    np.testing.assert_array_equal(table.values["match"], [[nan, 0]])
    assert ": 1 of 2 samples of openai/a ended in an error" in table.notes[0]
    assert "status 'error'" in table.notes[1]


def test_tasks_with_scores_of_different_names_are_told_apart(tmp_path):
    date = "2026-01-01T00-00-00.123456"
    for model in ("base", "ours"):
        (tmp_path / model).mkdir()
        for task, metric in (("gsm8k", "exact_match"), ("mmlu", "acc")):
            rows = [{"doc_id": item, "metrics": [metric], metric: (item + len(model)) % 3} for item in range(6)]
            write(tmp_path / model / f"samples_{task}_{date}.jsonl", lines(*rows))
    scores = read_scores([str(tmp_path)])
    assert scores.notes == ()
    told = [(each.column, each.slice) for each in compare_scores(scores).differences]
    assert told == [("exact_match", ""), ("acc", ""), ("exact_match", "gsm8k"), ("acc", "mmlu")]


def test_different_tasks_are_not_taken_for_one(tmp_path):
    files = [
        saved(tmp_path, f"{task}.json", INSPECT | {"eval": {"task": task, "model": f"openai/{task}"}})
        for task in ("arc", "gsm8k")
    ]
    with refused("item '0' is in two slices: 'arc' and 'gsm8k'"):
        read_scores(files)


@pytest.mark.parametrize(
    "name, content, message",
    [
        ("log.json", {"results": {"version": 4, "results": []}}, "promptfoo's results of version int 4; version 3"),
        ("log.json", {"a.txt": [{"mt": "m"}]}, "COMET's score for each segment"),
        ("log.json", {"testCases": ["one"]}, "DeepEval's test cases to be objects"),
        ("log.json", INSPECT | {"version": 3}, "a log of Inspect of version int 3"),
        ("log.json", INSPECT | {"samples": [{"id": 1}]}, "a damaged log of Inspect"),
        ("r.csv", ["q,[openai] x", "1,[PASS] four"], "its scores are in JSON: promptfoo eval --output r.json"),
        ("x.sys.score", ["a 0.5"], "it holds one score per system"),
        ("x.seg.score", ["a 1", "a 2", "b 1"], "systems differ in length: a has 2, b has 1"),
        ("x.seg.score", ["a 1", "b x"], "x.seg.score:2: expected a system and a score"),
        ("x.seg.score", ["a\t1", "\tNone", "b\t1"], "x.seg.score:2: this line names no system, and 3 lines are no"),
        ("x.seg.score", ["a\t1", "\tNone", "a\t1", "b\t1"], "are no blocks of one length for each of 2 systems"),
        ("x.seg.score", ["\tNone"] * 2, "are no blocks of one length for each of 0 systems"),
        ("x.seg.score", ["a\ts1\t1", "a\ts1\t2"], "holds it twice"),
        ("x.eval", ["map\tq1\t0.5", "map\tq1\t0.6"], "map of query 'q1' stands twice"),
    ],
)
def test_exports_of_another_form_are_refused(tmp_path, name, content, message):
    with refused(message):
        read_scores([saved(tmp_path, name, content)])


def test_two_rounds_of_scores_of_segments_agree_as_two_raters(folder):
    for number in (1, 2):
        held = [[f"{name}\t{place + number}", "\tNone"] for name in "ab" for place in range(12)]
        write(f"en-de.ESA-{number}.seg.score", [line for pair in held for line in pair])
    told = done("agreement en-de.ESA-1.seg.score en-de.ESA-2.seg.score").output
    assert "24 of 24 outputs were rated by two raters or more" in told
    assert (
        done("look en-de.ESA-1.seg.score en-de.ESA-2.seg.score")
        .output.rstrip()
        .endswith("referenceless agreement en-de.ESA-1.seg.score en-de.ESA-2.seg.score")
    )


def test_a_table_of_columns_and_data_is_a_table(tmp_path):
    rows = [[system, f"p{item}", "o", item] for system in ("a", "b") for item in ITEMS]
    table = read_scores([saved(tmp_path, "t.json", {"columns": ["model", "prompt", "output", "score"], "data": rows})])
    assert (table.systems, table.items) == (("a", "b"), ("p0", "p1"))


def test_lists_of_the_only_file_are_systems(tmp_path):
    lists = {"base": [0.5, 1], "ours": [1, 1]}
    table = read_scores([saved(tmp_path, "scores.json", lists)])
    assert (table.systems, table.values["score"].tolist()) == (("base", "ours"), [[0.5, 1], [1, 1]])
    assert "the columns 'base', 'ours' are the scores of one system each" in table.assumed


def test_a_condition_is_for_columns(tmp_path):
    reading = Reading(where=(condition("filter=none"),))
    assert len(read_export(saved(tmp_path, "a.jsonl", lines(*HARNESS)), reading).rows) == 2
    with refused("--where is for columns, and this is an export of DeepEval"):
        read_export(saved(tmp_path, "a.json", DEEPEVAL), reading)


def test_an_unknown_score_lists_those_that_there_are(tmp_path):
    with refused("there is no score 'f1' .lm-evaluation-harness samples.; the scores are 'acc'"):
        read_scores([saved(tmp_path, "a.jsonl", lines(*HARNESS))], score_columns=["f1"])


def test_notes_on_a_log_are_told(tmp_path):
    failed = [EVERY_EVAL_EVER[0] | {"error": "timeout"}, EVERY_EVAL_EVER[1]]
    path = saved(tmp_path, "a_samples.jsonl", lines(*failed))
    with pytest.warns(InputNote, match="1 of 2 samples"):
        rows = log_rows(path)
    assert [row.scores["score"] for row in rows] == [None, 1.0]
    assert rows[0].text == "four"


@pytest.mark.parametrize("suffix", ["eval", "json"])
def test_logs_that_inspect_itself_wrote(tmp_path, suffix):
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


@pytest.mark.parametrize(
    "row, options",
    [
        ({"model_a": "x", "model_b": "y", "winner": "tie"}, ""),
        ({"instruction": "i", "generator_1": "x", "generator_2": "y", "preference": 1.2}, ".* --scale 1-2 --a-is low"),
        (
            {"instruction": "i", "generator_1": "x", "generator_2": "y", "preference": 1.2, "annotator": "gpt-4"},
            ".* --rater-column annotator --scale 1-2 --a-is low",
        ),
        ({"model_1": "x", "model_2": "y", "g1_winner": "tie", "g2_winner": "tie", "turn": 1}, ""),
        ({"model_1": "x", "model_2": "y", "g1_winner": "tie", "g2_winner": "tie"}, ""),
    ],
)
def test_preferences_are_no_scores_and_the_message_names_the_command(tmp_path, row, options):
    path = saved(tmp_path, "votes.json", json.dumps([row]))
    with refused(f"it holds preferences .*, and no scores: referenceless human-score --ratings {path}{options}$"):
        read_scores([path])
