"""Help of every command fits a screen, and the commands stand in groups."""

import tomllib

import click
import pytest
from click.testing import CliRunner
from text_files import ROOT, read

from referenceless_metrics.cli import cli
from referenceless_metrics.command_line import help
from referenceless_metrics.command_line.metric_command import MetricCommand
from referenceless_metrics.core.files.tables import BlockSize
from referenceless_metrics.core.registry import metric_names

CONTEXT = click.Context(cli)
SCREEN = 46


def commands():
    found = []
    for name in cli.list_commands(CONTEXT):
        command = cli.get_command(CONTEXT, name)
        if isinstance(command, click.Group):
            found += [[name, own] for own in command.list_commands(CONTEXT) if name != "reproduce"]
        else:
            found.append([name])
            if isinstance(command, MetricCommand):
                found += [[name, "--metric", metric] for metric in metric_names() if not metric.startswith("toy")]
    return found


def shown(*arguments):
    result = CliRunner().invoke(cli, arguments, env={"COLUMNS": "80"}, terminal_width=80)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("arguments", commands(), ids=" ".join)
def test_help_fits_a_screen_and_names_every_option(arguments):
    short = shown(*arguments, "--help")
    assert short.count("\n") <= SCREEN
    assert max(map(len, short.splitlines())) <= 80
    if "--help-all" in short:
        lines = shown(*arguments, "--help-all").replace(",", " ").splitlines()
        options = {line.split()[0] for line in lines if line.startswith("  --")}
        named = short.replace(",", " ").split()
        metric_is_named = arguments[0] == "score" or "--metric" in arguments or "--metric" not in short
        assert not metric_is_named or options <= set(named)


@pytest.mark.parametrize("command", ["score", "filter", "rerank", "fit", "calibrate", "advise"])
def test_an_error_on_a_missing_file_names_standard_input(command):
    options = ["--keep", "fluency_ngram > 0"] if command == "filter" else []
    result = CliRunner().invoke(cli, [command, *options])
    assert result.exit_code == 2
    assert "It is a file, or - for standard input." in result.output
    if command in ("score", "filter", "rerank"):
        assert "standard input" in " ".join(shown(command, "--help-all").split())


def test_the_commands_stand_in_groups():
    assert len([name for name in cli.list_commands(CONTEXT) if name != "reproduce"]) <= 22
    lines = shown("--help").splitlines()
    assert len(lines) <= SCREEN
    headings = [line for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert headings[1:5] == ["Begin here:", "Score texts and systems:", "Learn from ratings:", "Ask people:"]
    assert lines.index("Ask people:") < next(i for i, line in enumerate(lines) if line.startswith("  human-score"))


def test_a_command_of_the_other_distribution_says_what_brings_it(monkeypatch):
    monkeypatch.setattr(help, "plugged_in", lambda group: {})
    for line, command in (("reproduce kann", "reproduce"), ("train lstm", "lstm")):
        told = CliRunner().invoke(cli, line.split())
        assert told.exit_code == 2
        assert f"The command {command!r} is not installed: pip install ./papers" in told.output


def test_every_command_of_the_other_distribution_is_known():
    papers = ROOT / "papers" / "pyproject.toml"
    if not papers.is_file():
        pytest.skip("needs the other distribution's source")
    groups = tomllib.loads(read(papers))["project"]["entry-points"]
    for group, name in ((cli, "commands"), (cli.get_command(CONTEXT, "train"), "train_commands")):
        assert set(groups[f"referenceless_metrics.{name}"]) == set(group._elsewhere)


def test_resuming_tells_the_size_of_the_blocks_that_are_kept():
    told = " ".join(shown("score", "--help-all").split())
    assert f"behind the blocks of up to {BlockSize().rows:,} texts that were done" in told
