"""The front door: lazy names, and one command over all metrics."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

import referenceless_metrics
from referenceless_metrics.cli import cli


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


def test_papers_are_reproduced_by_their_authors_names() -> None:
    result = CliRunner().invoke(cli, ["reproduce", "--help"])
    assert {"ethayarajh", "kann"} <= set(result.output.split())


def test_the_module_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "referenceless_metrics", "hub", "metrics"], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[0].split()[0] == "bleu_neighbors"
