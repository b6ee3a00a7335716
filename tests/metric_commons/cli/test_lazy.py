"""Groups whose commands are imported when they run."""

import click
from click.testing import CliRunner

from metric_commons.cli.help import LazyGroup

LONG = "Say a sentence that is a good deal longer than what click would show of it in a list of commands, to its end"


@click.command(help=f"{LONG}.")
def long():
    click.echo("long")


def test_commands_are_imported_by_place_and_shown_whole():
    group = LazyGroup(name="group", commands_at={"long": long, "metrics": "metric_commons.cli.hub:metrics"})
    assert group.list_commands(click.Context(group)) == ["long", "metrics"]
    assert CliRunner().invoke(group, ["long"]).output == "long\n"
    assert "wpslor" in CliRunner().invoke(group, ["metrics"]).output
    shown = " ".join(CliRunner().invoke(group, ["--help"]).output.split())
    assert LONG in shown
    assert "List the metrics that are installed." in shown


def test_an_unknown_command():
    group = LazyGroup(name="group", commands_at={"long": long})
    result = CliRunner().invoke(group, ["short"])
    assert result.exit_code == 2
    assert "No such command 'short'" in result.output
