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
from referenceless_metrics.cli import cli

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


def test_every_command_has_help_with_an_example() -> None:
    groups: list[click.Group] = [cli]
    for group in groups:
        for name in group.list_commands(click.Context(group)):
            command = group.get_command(click.Context(group), name)
            if isinstance(command, click.Group):
                groups.append(command)
            else:
                assert "Example: referenceless " in CliRunner().invoke(group, [name, "--help"]).output, name


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


def test_papers_are_reproduced_by_their_authors_names() -> None:
    result = CliRunner().invoke(cli, ["reproduce", "--help"])
    assert {"ethayarajh", "kann"} <= set(result.output.split())


def test_the_module_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "referenceless_metrics", "hub", "metrics"], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[0].split()[0] == "bleu_neighbors"
