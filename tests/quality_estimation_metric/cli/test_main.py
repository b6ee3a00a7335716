"""`referenceless fit`, `score` and `evaluate` with quality estimation."""

import csv
import json
from itertools import pairwise
from pathlib import Path

import pytest
from command_lines import as_json, typed
from text_files import write, write_table

from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.example import RATINGS, SOURCES, TEXTS

RATED = "ratings.csv --metric quality_estimation --text-column output --source-column mr"


@pytest.fixture(autouse=True)
def files(folder):
    write_table(
        "ratings.csv",
        ["output", "mr", "rating", "naturalness"],
        zip(TEXTS, SOURCES, RATINGS, [7 - rating for rating in RATINGS], strict=True),
    )


def test_fit_a_column_and_score():
    typed(f"fit {RATED} --rating-column naturalness -o m.npz --no-texts")
    model = QualityEstimator.load("m.npz")
    assert model.texts_ is None
    scored = typed(f"score {RATED} --model-file m.npz --level 0.5 --format json").out
    assert "level:0.5" in json.loads(scored)["signature"]
    row = next(csv.DictReader(typed(f"score {RATED} --model-file m.npz --format csv --id-column mr").out.splitlines()))
    assert {"mr", "quality_estimation", "lower", "upper"} <= set(row)
    assert float(row["quality_estimation"]) == model.predict(TEXTS[:1], sources=SOURCES[:1]).values[0]


def test_fit_says_how_its_file_is_used_which_is_no_pool():
    told = typed(f"fit {RATED} --metric quality_estimation -o m.safetensors").err
    assert "Score them over HTTP: referenceless serve --model-file m.safetensors\n" in told
    _, _, line = told.partition("Score further texts: referenceless ")
    line = line.splitlines()[0]
    assert line == "score FILE --model-file m.safetensors --source-column mr"
    assert typed(f"{line.replace('FILE', RATED.split()[0])} --text-column output -f json").out
    refused = typed("serve --pool m.safetensors", 1).err
    assert "it holds no pool of BLEU Neighbors, but another kind of content, quality estimator" in refused
    assert "in place of --pool give `--model-file m.safetensors` for quality_estimation" in refused


def test_fit_says_of_how_many_texts_the_ratings_are():
    rows = [(text, rating) for text, rating in zip(TEXTS, RATINGS, strict=True) for _ in range(2)]
    write_table("twice.csv", ("text", "rating"), rows)
    told = typed("fit --metric quality_estimation twice.csv -o twice.safetensors").err
    assert f"{len(rows)} ratings of {len(set(TEXTS))} distinct texts, from" in told


def test_fit_preferences_and_choose():
    rated = list(zip(RATINGS, TEXTS, strict=True))
    rows = [(max(two)[1], min(two)[1]) for two in pairwise(rated) if two[0][0] != two[1][0]]
    write_table("pairs.csv", ("better", "worse"), rows)
    pairs = "fit --metric quality_estimation pairs.csv --text-column better --worse-column worse -o pairs.npz"
    told = typed(pairs).err
    accuracy = QualityEstimator().fit_preferences(*zip(*rows, strict=True)).preference_accuracy_
    assert f"pairs.npz: {len(rows)} pairs of texts of which people preferred one  metric:" in told
    assert f"{accuracy:.1%} of left-out pairs in the right order" in told
    write("lists.jsonl", json.dumps({"candidates": ["serves serves food food .", "loch fyne serves thai food ."]}))
    chosen = typed("rerank lists.jsonl --metric quality_estimation --model-file pairs.npz").out
    assert json.loads(chosen)["text"] == "loch fyne serves thai food ."
    assert "--worse-column" in typed(f"{pairs} --rating-column better", 1).err


def test_evaluate():
    command = f"evaluate {RATED} --group-column mr --folds 2"
    assert ["groups", "8", "2", "40"] in [line.split()[:4] for line in typed(command).out.splitlines()]
    assert as_json(command)["agreements"][0]["grouping"] == "groups"


def test_ratings_over_estimates_are_drawn():
    typed(f"evaluate {RATED} --folds 2 --plot figure.svg")
    drawn = Path("figure.svg").read_text(encoding="utf-8")
    assert "delexicalised text left out: rating by estimate from the others: r " in drawn
    assert f"{len(TEXTS)} points" in drawn


def test_limits_of_estimates_that_read_sources_are_those_with_delexicalised_texts_left_out():
    told = typed(f"evaluate {RATED} --bad '<=3'").out
    assert "(by estimates as in the first row, delexicalised text left out)" in " ".join(told.split())


def test_a_table_of_evaluate_for_a_paper_says_what_its_figures_are():
    latex = typed(f"evaluate {RATED} --group-column mr --folds 2 --bad '<=3' -f latex").out
    caption, head, note = [line for line in latex.splitlines() if line.startswith((r"\caption", "grouped", r"\par"))]
    assert "40 ratings: texts that share what a row names are left out together" in caption
    assert r"& {r} & {$\rho$} & {MAE}" in head
    assert "MAE, RMSE: the mean absolute error" in note
    assert "Signature: metric:quality" in note
    assert "imits are told: " in latex or "% Limits: " in latex
