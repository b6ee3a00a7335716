"""`referenceless reproduce …`: what the commands print, and bad input in one line."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from referenceless_metrics.cli import cli, main
from referenceless_papers.commands import reproduce

NAMES = ["ethayarajh", "kann", "dusek", "claims", "reranking", "packaged-models"]


def run(*arguments: str) -> str:
    done = CliRunner().invoke(cli, ["reproduce", *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_they_are_commands_of_the_front_door() -> None:
    assert cli.list_commands(click.Context(cli))[-1] == "reproduce"
    assert reproduce.list_commands(click.Context(reproduce)) == NAMES
    for name in NAMES:
        assert "Example: referenceless reproduce " in run(name, "--help")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["ethayarajh", "--data-dir", "nowhere"], 1, "error: nowhere: it holds neither huse/ nor asap-sas/"),
        (["kann", "none.csv"], 1, "none.csv"),
        (["dusek", "--data-dir", "nowhere"], 1, "nowhere: it holds no nlg-ratings/"),
        (["packaged-models", "-o", "models"], 2, "give --corpus, --ratings or both"),
    ],
)
def test_bad_input(arguments: list[str], status: int, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["reproduce", *arguments])
    assert left.value.code == status
    assert message in capsys.readouterr().err


def test_ethayarajh_prints_published_beside_measured(data_dir: Callable[[str], Path]) -> None:
    out = run("ethayarajh", "--data-dir", str(data_dir("huse").parent))
    assert "published" in out
    assert "Table 3: mean absolute difference of Spearman 0.02" in out


def test_kann_on_rated_texts_of_ones_own(tmp_path: Path) -> None:
    words = ["the", "cat", "sat", "on", "the", "mat", "."]
    rows = ["output,score,system,ref"]
    for i in range(24):
        text = " ".join(words[i % 4 :] + words[: i % 4])
        rows.append(f"{text},{10 - (i % 4) + i / 100},S{i % 2},the cat sat on the rug .")
    table, chart = tmp_path / "rated.csv", tmp_path / "chart.png"
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    arguments = ["kann", str(table), "--text-column", "output", "--quality-column", "score"]
    arguments += ["--system-column", "system", "--reference-columns", "ref"]
    out = run(*arguments, "--plot", str(chart))
    assert "| ROUGE-LM " in out
    assert "## By system" in out
    assert chart.read_bytes().startswith(b"\x89PNG")
    result = json.loads(run(*arguments, "--format", "json", "--no-svr"))
    assert result["overall"]["n"] == 24
    assert "SVR(ROUGE-L-mult, WPSLOR)" not in result["overall"]["metrics"]
    found = list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv"))))
    assert {row["name"] for row in found} == {"all", "S0", "S1"}
    assert float(found[0]["pearson"]) == pytest.approx(result["overall"]["metrics"]["WordSLOR"]["pearson"])
