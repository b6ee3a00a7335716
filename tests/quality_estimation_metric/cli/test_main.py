"""`referenceless fit`, `score` and `evaluate` with quality estimation."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.cli.options import fitted_estimators
from quality_estimation_metric.example import DEMO_SOURCES, DEMO_TEXTS, RATINGS, SOURCES, TEXTS
from referenceless_metrics.cli import cli

METRIC = ("--metric", "quality_estimation")


@pytest.fixture
def ratings(tmp_path: Path) -> str:
    path = tmp_path / "ratings.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["output", "mr", "quality", "naturalness"])
        writer.writerows(zip(TEXTS, SOURCES, RATINGS, [7 - rating for rating in RATINGS], strict=True))
    return str(path)


def run(*arguments: str) -> Any:
    return CliRunner().invoke(cli, arguments)


def test_fit_several_ratings_and_score(ratings: str, tmp_path: Path) -> None:
    columns = ("--text-column", "output", "--source-column", "mr")
    both = ("--rating-column", "quality", "--rating-column", "naturalness")
    result = run("fit", *METRIC, ratings, *columns, *both, "-o", str(tmp_path / "m.npz"), "--no-texts")
    assert result.exit_code == 0, result.output
    model = QualityEstimator.load(tmp_path / "m.naturalness.npz")
    assert model.texts_ is None
    place = str(tmp_path / "m.quality.npz")
    scored = run("score", *METRIC, ratings, *columns, "--model-file", place, "--level", "0.5", "--format", "json")
    assert scored.exit_code == 0, scored.output
    rows = json.loads(scored.output)
    assert "level:0.5" in json.dumps(rows)
    fitted = ("--model-file", str(tmp_path / "m.npz"), *both)
    files = ("--model-file", place, "--model-file", str(tmp_path / "m.naturalness.npz"))
    for models in (fitted, files):
        found = run("score", *METRIC, ratings, *columns, *models, "--format", "csv", "--id-column", "mr")
        assert found.exit_code == 0, found.output
        row = next(csv.DictReader(found.stdout.splitlines()))
        assert {
            "mr",
            "value",
            "lower",
            "quality",
            "upper",
            "naturalness",
            "naturalness_lower",
            "naturalness_upper",
        } <= set(row)
        assert float(row["naturalness"]) == model.predict(TEXTS[:1], sources=SOURCES[:1]).values[0]
    unclear = run("score", *METRIC, ratings, *columns, *files, *both)
    assert unclear.exit_code == 2
    assert "--rating-column needs the one --model-file" in unclear.output


def test_score_with_the_packaged_model(tmp_path: Path) -> None:
    (tmp_path / "texts.txt").write_text("\n".join(DEMO_TEXTS) + "\n", encoding="utf-8")
    (tmp_path / "mrs.txt").write_text("\n".join(DEMO_SOURCES) + "\n", encoding="utf-8")
    texts, sources = str(tmp_path / "texts.txt"), str(tmp_path / "mrs.txt")
    result = run("score", *METRIC, texts, "--sources", sources)
    assert "over 7 of 7 texts" in result.output
    missing = run("score", *METRIC, texts)
    assert missing.exit_code == 2
    assert "quality_estimation needs sources here" in missing.output
    compared = run("compare", *METRIC, texts, texts, "--sources", sources, "--n-samples", "10")
    assert compared.exit_code == 0, compared.output


def test_evaluate(ratings: str) -> None:
    arguments = ("--text-column", "output", "--source-column", "mr", "--group-by", "mr", "--folds", "2")
    table = run("evaluate", *METRIC, ratings, *arguments)
    assert table.exit_code == 0, table.output
    assert "| given groups | 8 | 40 |" in table.output
    assert table.output.endswith("\n")
    plain = json.loads(run("evaluate", ratings, *arguments, "--format", "json").output)
    assert plain["quality"]["agreements"][0]["grouping"] == "given groups"


def test_what_cannot_be_read(ratings: str, tmp_path: Path) -> None:
    assert "name one with -o" in run("fit", *METRIC, ratings, "-o", "-").output
    numbers = tmp_path / "numbers.jsonl"
    numbers.write_text('{"text": 1, "quality": 2}\n', encoding="utf-8")
    options: dict[str, Any] = dict.fromkeys(("source_column", "group_by", "input_format"))
    with pytest.raises(ValueError, match=r"numbers\.jsonl:1: expected a text in column 'text', but got 1"):
        fitted_estimators(
            str(numbers), text_column="text", rating_columns=("quality",), reference_columns=(), **options
        )
