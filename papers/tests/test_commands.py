"""`referenceless reproduce …`: what the commands print, and bad input in one line."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from referenceless_metrics.__main__ import main
from referenceless_metrics.cli import cli
from referenceless_papers.commands import reproduce

NAMES = [
    "ethayarajh",
    "kann",
    "dusek",
    "claims",
    "study-designs",
    "reranking",
    "public-table",
    "open-questions",
    "packaged-models",
]


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
        (
            ["ethayarajh", "--data-dir", "nowhere"],
            1,
            "error: nowhere: it holds neither huse/, asap-sas/ nor nlg-ratings/",
        ),
        (["kann", "none.csv"], 1, "none.csv"),
        (["dusek", "--data-dir", "nowhere"], 1, "nowhere: it holds no nlg-ratings/"),
        (["packaged-models", "-o", "models"], 2, "give --corpus, --ratings, --small or several"),
    ],
)
def test_bad_input(arguments: list[str], status: int, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["reproduce", *arguments])
    assert left.value.code == status
    assert message in capsys.readouterr().err


def test_kann_on_rated_texts_of_ones_own(tmp_path: Path) -> None:
    words = ["the", "cat", "sat", "on", "the", "mat", "."]
    rows = ["output,score,system,ref"]
    for i in range(24):
        text = " ".join(words[i % 4 :] + words[: i % 4])
        rows.append(f"{text},{10 - (i % 4) + i / 100},S{i % 2},the cat sat on the rug .")
    table, out = tmp_path / "rated.csv", tmp_path / "out"
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    arguments = ["kann", str(table), "--text-column", "output", "--rating-column", "score"]
    arguments += ["--system-column", "system", "--reference-columns", "ref"]
    assert run(*arguments, "-o", str(out)).split() == [
        *(str(out / "figures" / "correlations.png"), str(out / "reproduction.md"), str(out / "reproduction.json"))
    ]
    text = (out / "reproduction.md").read_text(encoding="utf-8")
    assert "| ROUGE-LM " in text
    assert "## By system" in text
    result = json.loads(run(*arguments, "--format", "json", "--no-svr"))
    whole, by_system = result["parts"]
    assert whole["notes"][0].endswith("rated.csv: 24 texts, mean rating 8.615, variance 1.230.")
    assert "SVR(ROUGE-L-mult, WPSLOR)" not in [row["metric"] for row in whole["tables"][0]["rows"]]
    assert [table["caption"].split(",")[0] for table in by_system["tables"]] == ["S0", "S1"]
