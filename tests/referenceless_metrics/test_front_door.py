"""The front door: lazy names, and one command over all metrics."""

import ast
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from command_lines import commands, done, python

import referenceless_metrics
from referenceless_metrics.cli import cli
from referenceless_metrics.command_line.help import LazyGroup
from referenceless_metrics.core.support.installation import COMMANDS_GROUP


def test_every_name_opens():
    for name in referenceless_metrics.__all__:
        assert getattr(referenceless_metrics, name) is not None
    assert {*referenceless_metrics.__all__, "mlflow_scorer"} <= set(dir(referenceless_metrics))
    assert referenceless_metrics.generation_metrics.__module__ == "referenceless_metrics.frameworks.trainer"
    assert referenceless_metrics.load("wpslor").name == "wpslor"
    with pytest.raises(AttributeError, match="has no attribute 'BLEU'"):
        _ = referenceless_metrics.BLEU


def test_who_reads_the_front_door_without_running_it_finds_every_name():
    """Type checkers and the site's reference know the lazy names by imports that never run."""
    source = ast.parse(Path(referenceless_metrics.__file__).read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(source) if isinstance(node, ast.ImportFrom)]
    imported = {alias.asname or alias.name for node in imports for alias in node.names}
    assert set(referenceless_metrics.__all__) - {"__version__"} <= imported


def test_an_import_loads_no_metric():
    loaded = "[n for n in ('numpy', 'slor_metric', 'click') if n in sys.modules]"
    assert python(f"import sys, referenceless_metrics; print({loaded})").stdout == "[]\n"


def test_every_command_has_help_with_an_example():
    for words, command in commands():
        line = " ".join((*words, "--help"))
        assert isinstance(command, click.Group) or "Example: referenceless " in done(line).output, line


def test_what_the_list_says_of_a_command_is_what_the_command_says():
    for group in (cli, *(cli.get_command(click.Context(cli), name) for name in ("train", "hub"))):
        assert isinstance(group, LazyGroup)
        told = " ".join(CliRunner().invoke(group, ["--help"], terminal_width=1000).output.split())
        for name in group.list_commands(click.Context(group)):
            command = group.get_command(click.Context(group), name)
            assert command.get_short_help_str(10_000) in told or f"{name} See" in told


def test_someone_elses_command_plugs_in(monkeypatch):
    theirs = click.Command("theirs", callback=lambda: click.echo("done"), help="Do something.")
    entries = {"theirs": lambda: theirs, "score": lambda: theirs}
    monkeypatch.setattr(
        "referenceless_metrics.command_line.help.plugged_in", lambda group: entries if group == COMMANDS_GROUP else {}
    )
    assert done("theirs").output == "done\n"
    assert "theirs  See" in done("--help").output
    assert "Do something." not in done("score --help").output  # ours come first
    assert cli.list_commands(click.Context(cli))[-1] == "theirs"
