"""`referenceless human-score`: scores of systems from ratings and estimates, and what it refuses."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from referenceless_metrics.cli import cli

N = 120


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two systems whose second is rated a point lower, with estimates that follow the ratings."""
    rng = np.random.default_rng(0)
    rows = []
    for name, shift in (("base", 0.0), ("ours", -1.0)):
        truth = np.clip(rng.normal(4 + shift, 0.7, N), 1, 6)
        texts = [f"{name} says that number {i} is fine" for i in range(N)]
        with (tmp_path / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["text", "guess"])
            writer.writerows(zip(texts, truth + rng.normal(0, 0.4, N), strict=True))
        rows += [(texts[i], truth[i], name) for i in range(40)]
    with (tmp_path / "rated.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "rating", "system"])
        writer.writerows(rows)
    return tmp_path


def run(folder: Path, *arguments: str) -> Result:
    files = [str(folder / item) if (folder / item).exists() else item for item in arguments]
    return CliRunner().invoke(cli, ["human-score", *files])


GIVEN = ("base.csv", "ours.csv", "--ratings", "rated.csv", "--estimates-column", "guess")


def test_scores_and_difference(folder: Path) -> None:
    result = run(folder, *GIVEN, "--format", "json")
    assert result.exit_code == 0, result.output
    content: dict[str, Any] = json.loads(result.stdout)
    base, ours, difference = content["rows"]
    assert base["system"] == "base.csv"
    assert base["rated"] == ours["rated"] == 40
    assert base["low"] < 4 < base["high"]
    assert difference["less"] == "base.csv"
    assert difference["high"] < -0.5
    assert difference["p"] < 0.001
    assert 0.1 < base["narrower"] < 0.5  # r is about .87
    assert any("People rate ours.csv lower than base.csv" in line for line in content["findings"])
    assert any("needs about" in line for line in content["findings"])


def test_any_metric_and_rescaling(folder: Path) -> None:
    arguments = ("base.csv", "ours.csv", "--ratings", "rated.csv", "--rescale", "1:6")
    pool = ("--metric", "bleu_neighbors", "--pool", "rated.csv", "--quality-column", "rating", "--threshold", "auto")
    result = run(folder, *arguments, "--metric", "wpslor", "--format", "csv")
    assert result.exit_code == 0, result.output
    rows = list(csv.DictReader(result.stdout.splitlines()))
    assert 0 < float(rows[0]["mean"]) < 1
    refused = run(folder, *arguments, *pool)  # the pool is from 1 to 6, the ratings now are not
    assert refused.exit_code == 1
    assert "different scales" in str(refused.exception)
    crossed = run(folder, *GIVEN[:4], *pool)
    assert crossed.exit_code == 0, crossed.output
    assert "cross-fitted in folds, since 80 of its texts are rated outputs" in crossed.stdout


def without_a_system(folder: Path) -> None:
    lines = (folder / "rated.csv").read_text(encoding="utf-8").splitlines()
    (folder / "rated.csv").write_text("\n".join(line for line in lines if ",base" not in line), encoding="utf-8")


def few(folder: Path) -> None:
    lines = (folder / "rated.csv").read_text(encoding="utf-8").splitlines()
    (folder / "rated.csv").write_text("\n".join(lines[:41] + lines[-3:]), encoding="utf-8")


def of_others(folder: Path) -> None:
    content = (folder / "rated.csv").read_text(encoding="utf-8")
    (folder / "rated.csv").write_text(content.replace(",base", ",x").replace(",ours", ",y"), encoding="utf-8")


def strangers(folder: Path) -> None:
    content = (folder / "rated.csv").read_text(encoding="utf-8")
    (folder / "rated.csv").write_text(content.replace("base says", "nobody says"), encoding="utf-8")


def scales(folder: Path) -> None:
    content = (folder / "rated.csv").read_text(encoding="utf-8").replace("rating", "rating", 1)
    (folder / "rated.csv").write_text(content + "base says that number 99 is fine,87,base\n", encoding="utf-8")
    lines = content.splitlines()
    changed = [lines[0]] + [f"{line.split(',')[0]},8{i % 10},ours" for i, line in enumerate(lines[41:])]
    (folder / "rated.csv").write_text("\n".join([*lines[:41], *changed[1:]]), encoding="utf-8")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (without_a_system, "base.csv: none of its 120 outputs is rated"),
        (few, "ours.csv: 3 of its 120 outputs are rated, too few"),
        (of_others, "ratings of other systems say nothing"),
        (strangers, "rated texts are among the outputs of the system"),
        (scales, "different scales"),
    ],
)
def test_refusals(folder: Path, spoil: Any, message: str) -> None:
    spoil(folder)
    result = run(folder, *GIVEN)
    assert result.exit_code == 1
    assert message in str(result.exception)


def test_usage(folder: Path) -> None:
    assert "LOW:HIGH" in run(folder, *GIVEN, "--rescale", "5").output
    assert "--rescale is given 2 times" in run(folder, *GIVEN, "--rescale", "1:6", "--rescale", "1:7").output
    assert "needs references" in run(folder, *GIVEN[:4], "--metric", "rouge_lm").output
