"""Scores of one system: means, and the items of the worst ones."""

import json
from pathlib import Path

import pytest
from command_lines import as_json, done, invoke
from text_files import write, write_table

from referenceless_metrics import look


def test_means_and_worst_items_of_one_system(folder):
    rows = [(f"t{n}", 1 if n % 3 else 0.2, 0.1 * n) for n in range(6)]
    write_table("run.csv", ("item", "f1", "wer"), rows)
    out = done("compare --scores run.csv --score-column f1").output
    assert "There is one system, so that nothing is compared" in out
    assert "f1: 2 of 6 items are below 1, the highest; lowest: t0 (0.2), t3 (0.2)." in out
    out = done("compare --scores run.csv --score-column wer --lower-is-better wer").output
    assert "wer: of 6 items, the highest (worst): t5 (0.5), t4 (0.4)" in out


def test_columns_of_one_metric_for_each_system_lead_to_their_comparison(folder):
    write_table("run.csv", ("item", "bleu_a", "bleu_b"), [(n, n / 7, (n + 1) / 8) for n in range(6)])
    out = done("compare --scores run.csv --score-column bleu_a --score-column bleu_b").output
    assert "as bleu_a and bleu_b, --rows-in 'bleu_*' --system-column key --score-column bleu compares a and b." in out
    out = done("compare --scores run.csv --rows-in 'bleu_*' --system-column key --score-column bleu").output
    assert "By bleu, b is higher than a" in out


@pytest.mark.parametrize("names", [("gpt_faithfulness_score", "gpt_relevance_score"), ("gpt_style", "gpt_tone")])
def test_criteria_of_one_judge_are_no_systems(names, folder):
    write_table("run.csv", ("item", *names), [(n, n % 5, n % 4) for n in range(12)])
    out = done(f"compare --scores run.csv --score-column {names[0]} --score-column {names[1]}").output
    assert "There is one system" in out
    assert "--rows-in" not in out


def test_the_worst_scores_of_several_systems(folder):
    rows = [(n, system, value + n / 10) for n in range(3) for system, value in (("a", 0.0), ("b", 0.1))]
    write_table("runs.csv", ("item", "system", "score"), rows)
    out = done("compare --scores runs.csv --worst 2 -f csv").output
    assert out.splitlines()[:3] == ["system,item,score,value", "a,0,score,0.0", "a,1,score,0.1"]
    out = done("compare --scores runs.csv --worst 2 --lower-is-better score").output
    assert "score: 2 of 6 scores, the highest (worst) first" in out
    out = done("compare --scores runs.csv --worst 2").output
    assert "score: 2 of 6 scores, the lowest (worst) first; 1 more is equal to the last one." in out
    assert "None of these scores is of b." in out
    assert "None of these" not in done("compare --scores runs.csv --worst 3").output
    assert "--fail-if-worse is of means" in invoke("compare --scores runs.csv --worst 2 --fail-if-worse").output


def test_the_worst_scores_of_an_export_have_their_texts(folder):
    files = {name: [{"mt": f"{name} {n}", "COMET": n / 20} for n in range(12)] for name in ("a", "b")}
    Path("comet.json").write_text(json.dumps(files))
    out = done("compare --scores comet.json --worst 1 -f csv").output
    assert "a,1,COMET,0.0,a 0" in out
    Path("one.json").write_text(json.dumps({"a": files["a"]}))
    assert "--worst 10 shows the outputs of the worst scores." in done("compare --scores one.json").output
    assert look("comet.json").commands[1] == "referenceless compare --scores comet.json --worst 10"


def test_the_worst_scores_of_a_table_have_the_texts_of_the_one_column_of_outputs(folder):
    texts = [(f"Question number {n} is this.", f"The answer {n} is short.", n) for n in range(12)]
    write_table("run.csv", ("question_text", "model_answer", "score"), texts)
    worst = "compare --scores run.csv --worst 1 -f csv"
    assert "run,1,score,0.0,The answer 0 is short." in done(worst).output
    two = [(text, text, n) for _, text, n in texts]
    write_table("run.csv", ("output", "summary", "score"), two)
    assert "short" not in done(worst).output


def test_columns_that_are_called_as_criteria_are_of_one_system(folder):
    rows = [(f"t{n}", 1 + n % 5, 1 + n % 4, 1 + n % 3) for n in range(24)]
    write_table("run.csv", ("item", "cohesion", "syntax", "grammar"), rows)
    criteria = " ".join(f"--score-column {name}" for name in ("cohesion", "syntax", "grammar"))
    found = as_json(f"compare --scores run.csv {criteria}")
    assert {row["system"] for row in found["rows"]} == {"run"}
    assert "bleu_a" not in done(f"compare --scores run.csv {criteria}").output


def test_intervals_of_metrics_that_are_shares_end_at_1(folder):
    rows = [(n, 1 if n else 0.1, 1 if n else 0.1) for n in range(8)]
    write_table("run.csv", ("item", "context_recall", "latency"), rows)
    shares = json.loads(done("compare --scores run.csv --score-column context_recall -f json").output)["rows"]
    assert shares[0]["high"] == 1
    others = json.loads(done("compare --scores run.csv --score-column latency -f json").output)["rows"]
    assert others[0]["high"] > 1


def test_a_gate_needs_two_systems(folder):
    write_table("run.csv", ("item", "score"), [(n, n % 2) for n in range(6)])
    assert invoke("compare --scores run.csv --fail-if-worse").exit_code != 0


@pytest.mark.parametrize(
    "suffix, score, said", [("bleurt", "bleurt", "higher"), ("ppl", "ppl", "lower is better"), ("run", "number", "")]
)
def test_the_suffix_of_a_file_of_numbers_may_name_their_metric(folder, suffix, score, said):
    for name, shift in (("base", 0), ("ours", 1)):
        write(f"{name}.{suffix}", [f"{n % 7 / 10 + shift + n * shift / 90}" for n in range(20)])
    told = as_json(f"compare --scores base.{suffix} --scores ours.{suffix}")
    names = ("base", "ours") if said else ("base.run", "ours.run")
    assert [(row["system"], row["score"]) for row in told["rows"][:2]] == [(name, score) for name in names]
    assert said in told["headline"]


def test_the_begin_of_a_files_name_may_name_the_metric_whose_numbers_it_holds(folder):
    """Two metrics were one score of twice as many systems."""
    rated = [(n + 1, s, n * 7 % 5 + at) for n in range(20) for at, s in enumerate(("base", "ours", "best"))]
    write_table("rated.csv", ("item", "system", "rating"), rated)
    for metric, sign in (("COMET-22", 1), ("MetricX-24-XL", -1)):
        for s in ("base", "ours", "best"):
            write(f"{metric}.{s}.txt", [f"{9 + sign * (rating + n % 3)}" for n, name, rating in rated if name == s])
    files = [f"--scores {metric}.{s}.txt" for metric in ("COMET-22", "MetricX-24-XL") for s in ("base", "ours", "best")]
    told = as_json(f"compare {' '.join(files)} --ratings rated.csv")
    assert [(row["score"], row["systems"]) for row in told["rows"]] == [("COMET-22", 3), ("MetricX-24-XL", 3)]
    told = as_json(f"evaluate {' '.join(files)} --ratings rated.csv")
    assert set(told["scores"]) == {"COMET-22", "MetricX-24-XL"}
    alone = as_json(f"compare {' '.join(files[3:])}")
    assert "MetricX-24-XL (lower is better)" in alone["headline"]
