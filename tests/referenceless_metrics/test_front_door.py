"""The front door: lazy names, and one command over all metrics."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import referenceless_metrics
from metric_commons.registry import COMMANDS_GROUP
from referenceless_metrics.cli import bleu_neighbors_cli, cli, slor_cli

TEXTS = "The mayor opened the new bridge on Sunday.\nmayor The on bridge the new Sunday opened.\n"


def test_every_name_opens() -> None:
    for name in referenceless_metrics.__all__:
        assert getattr(referenceless_metrics, name) is not None
    assert set(referenceless_metrics.__all__) <= set(dir(referenceless_metrics))
    assert referenceless_metrics.load("wpslor").name == "wpslor"
    with pytest.raises(AttributeError, match="has no attribute 'BLEU'"):
        _ = referenceless_metrics.BLEU


def test_an_import_loads_no_metric() -> None:
    program = (
        "import sys, referenceless_metrics; print([n for n in ('numpy', 'slor_metric', 'click') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("group", [cli, bleu_neighbors_cli, slor_cli], ids=["referenceless", "bleu-neighbors", "slor"])
def test_every_command_has_help_with_an_example(group: click.Group) -> None:
    context = click.Context(group)
    for name in group.list_commands(context):
        result = CliRunner().invoke(group, [name, "--help"])
        assert result.exit_code == 0, name
        assert "Example: " in result.output or isinstance(group.get_command(context, name), click.Group), name


def test_one_command_scores_with_any_metric(tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text(TEXTS, encoding="utf-8")
    pool = tmp_path / "pool.csv"
    pool.write_text(
        "text,quality\nThe mayor opened the old bridge.,1\nThe mayor closed it on Sunday.,0\n", encoding="utf-8"
    )
    options = {
        "wpslor": [],
        "slor": [],
        "rouge_lm": ["--references", str(texts)],
        "quality_estimation": ["--sources", str(texts)],
        "bleu_neighbors": ["--pool", str(pool), "--min-neighbors", "1", "--max-fraction", "1"],
    }
    for name, more in options.items():
        result = CliRunner().invoke(cli, ["score", str(texts), "--metric", name, "--format", "json", *more])
        assert result.exit_code == 0, result.output
        found = json.loads(result.stdout)
        assert found["metric"] == name
        assert found["coverage"] == 1.0
        assert len(found["rows"]) == 2


def test_someone_elses_command_plugs_in(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = click.Command("theirs", callback=lambda: click.echo("done"), help="Do something.")
    entries = {"theirs": lambda: theirs, "score": lambda: theirs}
    monkeypatch.setattr("metric_commons.cli.lazy.plugged_in", lambda group: entries if group == COMMANDS_GROUP else {})
    assert CliRunner().invoke(cli, ["theirs"]).output == "done\n"
    assert "Do something." in CliRunner().invoke(cli, ["--help"]).output
    assert "Do something." not in CliRunner().invoke(cli, ["score", "--help"]).output  # ours come first
    assert cli.list_commands(click.Context(cli))[-1] == "theirs"


def test_the_module_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "referenceless_metrics", "metrics"], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[0].split()[0] == "bleu_neighbors"
