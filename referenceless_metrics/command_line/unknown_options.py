"""Messages on options that a command does not have: the option that was meant, or the commands that have it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from contextlib import suppress
from difflib import SequenceMatcher

import click

_ALIKE = 0.75
"""Least similarity of two options' names, without their dashes, for one to be meant by the other."""

_INSTEAD = {
    ("score", "--bad"): "`referenceless filter FILE --keep 'METRIC > LIMIT' --dropped BAD.jsonl` sets bad texts apart",
    ("compare", "--columns-are"): "several --score-column of one file are the scores of a system each, as long as no "
    "--system-column is named and they are not called as metrics; of ratings (--ratings) name one criterion at a time",
    ("evaluate", "--ratings"): "with --metric the file of ratings holds the texts, too. Of outputs in another file: "
    "`referenceless score OUTPUTS --metric NAME -o SYSTEM.csv` for each system (--text-column names its column), then "
    "`referenceless evaluate --scores SYSTEM.csv --ratings RATINGS` with a --scores for each. `referenceless report "
    "OUTPUTS --metric NAME --ratings RATINGS -o page.html` draws them without correlations",
    ("evaluate", "--metric"): "with --scores no metric is asked: leave it out, or score outputs first, as by "
    "`referenceless score OUTPUTS --metric NAME -o scores.csv`, and give --scores scores.csv",
}
"""Ways that do the same as an option that a command does not have."""

_MOST = 3
"""Most commands that a message names."""


def unknown_option(error: click.NoSuchOption) -> str:
    """Return the message on an option that a command does not have.

    Args:
        error: the error of a parser, with its context.
    """
    name = error.option_name
    near = [option for option in error.possibilities or () if _are_alike(name, option)]
    meant = f"; did you mean {' or '.join(near)}?" if near else ""
    instead = _INSTEAD.get(("" if error.ctx is None else str(error.ctx.info_name), name))
    if instead is not None:
        return f"No such option: {name}; {instead}."
    having = []
    if not near and error.ctx is not None:
        having = commands_with(error.ctx, lambda parameter: name in parameter.opts)
    lines = [] if error.ctx is None else [line for each in having if (line := _as_line_of(each, error.ctx))]
    taken = f", and this line is read: `{lines[0]}`" if lines else ""
    return f"No such option: {name}{meant}{_of_commands(having)}{taken}{'' if near else '.'}"


def _of_commands(commands: Sequence[str]) -> str:
    """Say which commands have an option, as the end of a sentence; "" for none."""
    return f"; {commands_told(commands)} {'has' if len(commands) == 1 else 'have'} it" if commands else ""


def commands_told(commands: Sequence[str]) -> str:
    """Return commands in words: the first ones by their names, and the number of the others.

    >>> commands_told(["a"]), commands_told(["a", "b", "c", "d", "e"])
    ('`a`', '`a`, `b`, `c` and 2 more')
    """
    *first, last = [f"`{command}`" for command in commands[:_MOST]]
    n_more = len(commands) - _MOST
    if n_more > 0:
        first, last = [*first, last], f"{n_more} more"
    return f"{', '.join(first)} and {last}" if first else last


def _are_alike(name: str, option: str) -> bool:
    """Say whether an option may be meant: its name begins with what was typed, or is much like it."""
    typed, known = name.lstrip("-"), option.lstrip("-")
    return known.startswith(f"{typed}-") or SequenceMatcher(None, typed, known).ratio() >= _ALIKE


def _as_line_of(command: str, context: click.Context) -> str:
    """Return the typed line as one of another command that takes the same arguments and all typed options; else ""."""
    root = context.find_root()
    typed = list(root.obj or ())
    name = command.split()[-1]
    other = root.command.get_command(root, name) if isinstance(root.command, click.Group) else None
    if other is None or typed[:1] != [context.info_name] or _arguments(other) != _arguments(context.command):
        return ""
    with suppress(click.ClickException):
        made = other.make_context(name, typed[1:], parent=root, resilient_parsing=True)
        made.resilient_parsing = False  # an unknown option is then an error
        other.make_parser(made).parse_args(typed[1:])
        return shlex.join([*command.split(), *typed[1:]])
    return ""


def _arguments(command: click.Command) -> list[str | None]:
    """Return the names of what a command takes without options."""
    return [parameter.name for parameter in command.params if isinstance(parameter, click.Argument)]


def commands_with(context: click.Context, is_meant: Callable[[click.Parameter], bool]) -> list[str]:
    """Return the commands beside the one of a context that have an option of a kind, as they are typed."""
    root = context.find_root()
    if not isinstance(root.command, click.Group):
        return []
    having = []
    for name in root.command.list_commands(root):
        try:
            command = root.command.get_command(root, name)
        except (ImportError, click.ClickException):  # of a distribution that is not installed
            continue
        if command is not None and any(map(is_meant, command.params)):
            having.append(f"referenceless {name}")
    return having
