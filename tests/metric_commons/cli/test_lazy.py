"""Groups whose commands are imported when they run."""

import click
from click.testing import CliRunner

from metric_commons.cli.help import LazyGroup

LONG = "Say a sentence that is a good deal longer than what click would show of it in a list of commands, to its end"


@click.command(help=f"{LONG}.")
def long():
    click.echo("long")


GROUP = LazyGroup(
    name="group", sections={"Some": {"long": long, "metrics": ("metric_commons.cli.hub:metrics", "List them.")}}
)


def run(*words):
    return CliRunner().invoke(GROUP, words)


def test_commands_are_imported_by_place_and_shown_whole():
    assert GROUP.list_commands(click.Context(GROUP)) == ["long", "metrics"]
    assert run("long").output == "long\n"
    assert "wpslor" in run("metrics").output
    shown = " ".join(run("--help").output.split())
    assert LONG in shown
    assert "List them." in shown


def test_an_unknown_command():
    result = run("short")
    assert result.exit_code == 2
    assert "No such command 'short'" in result.output
