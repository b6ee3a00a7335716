"""`referenceless human-score`: scores of systems from ratings and estimates, and what it refuses."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from referenceless_metrics.cli import cli

N = 120


def write(path: Path, columns: list[str], rows: Iterable[Any]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([columns, *rows])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two systems whose second is rated a point lower, with estimates that follow the ratings."""
    rng = np.random.default_rng(0)
    rated = []
    for name, shift in (("base", 0.0), ("ours", -1.0)):
        truth = np.clip(rng.normal(4 + shift, 0.7, N), 1, 6)
        texts = [f"{name} says that number {i} is fine" for i in range(N)]
        write(tmp_path / f"{name}.csv", ["text", "guess"], zip(texts, truth + rng.normal(0, 0.4, N), strict=True))
        rated += [(texts[i], truth[i], name) for i in range(40)]
    write(tmp_path / "rated.csv", ["text", "rating", "system"], rated)
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
    pool = ("--metric", "bleu_neighbors", "--pool", "rated.csv", "--rating-column", "rating", "--threshold", "auto")
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


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (
            lambda rated: "".join(line for line in rated.splitlines(True) if ",base" not in line),
            "base.csv: none of its 120",
        ),
        (
            lambda rated: "".join(rated.splitlines(True)[:41] + rated.splitlines(True)[-3:]),
            "ours.csv: 3 of its 120 outputs are rated, too",
        ),
        (lambda rated: rated.replace(",base", ",x").replace(",ours", ",y"), "ratings of other systems say nothing"),
        (lambda rated: rated.replace("base says", "nobody says"), "rated texts are among the outputs of the system"),
        (lambda rated: re.sub(r",[\d.]+(\d),ours", r",8\1,ours", rated), "different scales"),
    ],
)
def test_refusals(folder: Path, spoil: Callable[[str], str], message: str) -> None:
    rated = (folder / "rated.csv").read_text(encoding="utf-8")
    (folder / "rated.csv").write_text(spoil(rated), encoding="utf-8")
    result = run(folder, *GIVEN)
    assert result.exit_code == 1
    assert message in str(result.exception)


def test_usage(folder: Path) -> None:
    assert "LOW:HIGH" in run(folder, *GIVEN, "--rescale", "5").output
    assert "--rescale is given 2 times" in run(folder, *GIVEN, "--rescale", "1:6", "--rescale", "1:7").output
    assert "needs references" in run(folder, *GIVEN[:4], "--metric", "rouge_lm").output
