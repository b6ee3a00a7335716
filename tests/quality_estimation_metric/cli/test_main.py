"""`referenceless fit`, `score` and `evaluate` with quality estimation."""

import csv
import json

import pytest
from click.testing import CliRunner

from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.example import DEMO_SOURCES, DEMO_TEXTS, RATINGS, SOURCES, TEXTS
from quality_estimation_metric.model_files.source import fitted_estimators
from referenceless_metrics.cli import cli

COLUMNS = ("--text-column", "output", "--source-column", "mr")


@pytest.fixture
def ratings(tmp_path):
    path = tmp_path / "ratings.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["output", "mr", "rating", "naturalness"])
        writer.writerows(zip(TEXTS, SOURCES, RATINGS, [7 - rating for rating in RATINGS], strict=True))
    return str(path)


def run(command, *arguments, status=0):
    done = CliRunner().invoke(cli, [command, "--metric", "quality_estimation", *arguments])
    assert done.exit_code == status, done.output
    return done.output if status else done.stdout


def test_fit_several_ratings_and_score(ratings, tmp_path):
    both = ("--rating-column", "rating", "--rating-column", "naturalness")
    run("fit", ratings, *COLUMNS, *both, "-o", str(tmp_path / "m.npz"), "--no-texts")
    model = QualityEstimator.load(tmp_path / "m.naturalness.npz")
    assert model.texts_ is None
    place = str(tmp_path / "m.rating.npz")
    scored = run("score", ratings, *COLUMNS, "--model-file", place, "--level", "0.5", "--format", "json")
    assert "level:0.5" in json.loads(scored)["signature"]
    of_models = [word.replace("--rating", "--model-rating") for word in both]
    fitted = ("--model-file", str(tmp_path / "m.npz"), *of_models)
    files = ("--model-file", place, "--model-file", str(tmp_path / "m.naturalness.npz"))
    for models in (fitted, files):
        found = run("score", ratings, *COLUMNS, *models, "--format", "csv", "--id-column", "mr")
        row = next(csv.DictReader(found.splitlines()))
        named = {f"naturalness{end}" for end in ("", "_lower", "_upper")}
        assert {"mr", "value", "lower", "rating", "upper", *named} <= set(row)
        assert float(row["naturalness"]) == model.predict(TEXTS[:1], sources=SOURCES[:1]).values[0]
    unclear = run("score", ratings, *COLUMNS, *files, *of_models, status=2)
    assert "--model-rating-column needs the one --model-file" in unclear


def test_score_with_the_packaged_model(tmp_path):
    texts, sources = tmp_path / "texts.txt", tmp_path / "mrs.txt"
    for path, content in ((texts, DEMO_TEXTS), (sources, DEMO_SOURCES)):
        path.write_text("\n".join(content) + "\n", encoding="utf-8")
    assert "over 7 of 7 texts" in run("score", str(texts), "--sources", str(sources))
    assert "quality_estimation needs sources here" in run("score", str(texts), status=2)


def test_evaluate(ratings):
    arguments = (ratings, *COLUMNS, "--group-by", "mr", "--folds", "2")
    table = run("evaluate", *arguments)
    assert "| given groups | 8 | 40 |" in table
    assert table.endswith("\n")
    plain = json.loads(run("evaluate", *arguments, "--format", "json"))
    assert plain["rating"]["agreements"][0]["grouping"] == "given groups"


def test_what_cannot_be_read(ratings, tmp_path):
    assert "name one with -o" in run("fit", ratings, "-o", "-", status=2)
    numbers = tmp_path / "numbers.jsonl"
    numbers.write_text('{"text": 1, "rating": 2}\n', encoding="utf-8")
    options = dict.fromkeys(("source_column", "group_by", "input_format"))
    with pytest.raises(ValueError, match=r"numbers\.jsonl:1: expected a text in column 'text', but got int 1"):
        fitted_estimators(str(numbers), text_column="text", rating_columns=("rating",), reference_columns=(), **options)
