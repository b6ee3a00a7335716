"""Commands with a short help, and groups that import a command when it runs.

`--help` describes the options that are often needed, `--help-all` all of them.
"""

from __future__ import annotations

import inspect
import re
import shlex
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import click

from referenceless_metrics.command_line.unknown_options import commands_told, commands_with
from referenceless_metrics.core.support.installation import imported, plugged_in

EVERYTHING = f"{__name__}.all"
BROUGHT = f"{__name__}.brought"
"""Key of the number of words that a command put in front of those that were typed."""

_PARAGRAPHS = 2
_WIDEST = 110
_ADVICE = "--advice FOLDER"


class Rare(click.Option):
    """An option that is seldom needed: `--help` gives its name alone."""


def _show_all(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        ctx.meta[EVERYTHING] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


HELP_ALL = click.Option(
    ["--help-all"], is_flag=True, is_eager=True, expose_value=False, callback=_show_all, help="Show all options."
)


class ShortHelp(click.Command):
    """A command with a short `--help`, and `--help-all`, in which options that name one thing are given once."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. If an option is given twice, click takes the last value without a message.

        Raises:
            click.UsageError: for a second column, file or name if only one is taken.
        """
        if not ctx.resilient_parsing:
            _, _, given = self.make_parser(ctx).parse_args(args=list(args))
            typed = args[ctx.meta.get(BROUGHT, 0) :]
            for option, times in Counter(given).items():
                if times > 1 and _names_one_thing(option):
                    kept = _given_once(typed, option)
                    if kept == typed:
                        ctx.fail(f"{option.opts[0]} takes one value, and {_ADVICE} brings one: leave out one of them")
                    once = f"{ctx.command_path} {shlex.join(kept)}"
                    of_own = ", with an -o of its own" if any("-o" in each.opts for each in self.params) else ""
                    ctx.fail(
                        f"{option.opts[0]} takes one value here, and is given {times} times{_of_several(ctx, option)}; "
                        f"run the command once for each{of_own}, as `{once}`"
                    )
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the command's parameters with `--help-all`."""
        *options, help = super().get_params(ctx)
        return [*options, HELP_ALL, help]

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the command's description; the short help has its first paragraphs."""
        paragraphs = inspect.cleandoc(self.help or "").split("\n\n")[: None if EVERYTHING in ctx.meta else _PARAGRAPHS]
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text("\n\n".join(paragraphs))

    def sections(self, ctx: click.Context) -> dict[str, list[click.Parameter]]:
        """Return the parameters for each heading of options."""
        return {"Options": self.get_params(ctx)}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options: all of them, or those that are often needed and the names of the others."""
        names = []
        for heading, options in self.sections(ctx).items():
            rows = []
            for option in options:
                record = option.get_help_record(ctx) if isinstance(option, click.Option) else None
                if isinstance(option, Rare) and EVERYTHING not in ctx.meta:
                    names.append(option.opts[0])
                elif record is not None:
                    rows.append(record if EVERYTHING in ctx.meta else (record[0], _first_sentence(record[1])))
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows, col_max=26)
        if names:
            line = f"Explained by --help-all: {', '.join(names)}"
            formatter.write("\n" + textwrap.fill(line, formatter.width, break_on_hyphens=False) + "\n")


def _names_one_thing(parameter: click.Parameter) -> bool:
    """Say whether an option names one column, file or other thing; a setting, such as a number, may be given anew.

    Options whose value click keeps to itself, such as `--metric`, are read elsewhere, every one of them.
    """
    named = (click.types.StringParamType, click.Path, click.File)
    is_single = isinstance(parameter, click.Option) and not parameter.multiple and parameter.expose_value
    return is_single and isinstance(parameter.type, named)


def _of_several(ctx: click.Context, option: click.Parameter) -> str:
    """Return the commands whose option of the same name takes several values, in brackets; "" for none."""
    name = option.opts[0]
    commands = commands_with(ctx, lambda each: name in each.opts and getattr(each, "multiple", False))
    if not commands:
        return ""
    return f" ({commands_told(commands)} {'takes' if len(commands) == 1 else 'take'} several)"


def _given_once(args: Sequence[str], option: click.Parameter) -> list[str]:
    """Return the words of a command line with the first value of an option alone.

    >>> _given_once(["a.csv", "--column", "x", "--column=y", "--column", "z", "-f", "csv"], click.Option(["--column"]))
    ['a.csv', '--column', 'x', '-f', 'csv']
    """
    kept = []
    words = iter(args)
    is_given = False
    for word in words:
        name, is_joined, _ = word.partition("=")
        if name not in option.opts:
            kept.append(word)
            continue
        value = [] if is_joined else [next(words)]
        kept += [] if is_given else [word, *value]
        is_given = True
    return kept


def _first_sentence(help: str) -> str:
    """Return the first sentence of an option's help up to a semicolon, with its default.

    >>> _first_sentence("How to do it; why. As always.  [default: well]")
    'How to do it.  [default: well]'
    """
    words, default, end = help.partition("  [")
    return re.split(r"(?<=[^.]\.) (?=\S)|;", words)[0].rstrip(".") + "." + default + end


Place = click.Command | tuple[str, str]
"""A command, or its place and a sentence on it."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they run; its help imports none.

    Args:
        sections: for each heading the commands by name: a command, or its place (`module:attribute`) with a sentence on
            it.
        group: an entry-point group whose commands come last; "" for none.
        elsewhere: commands of distributions that may be missing, and the package that brings each.
        attributes: attributes of `click.Group`.
    """

    def __init__(
        self,
        *,
        sections: Mapping[str, Mapping[str, Place]],
        group: str = "",
        elsewhere: Mapping[str, str] | None = None,
        **attributes: Any,
    ) -> None:
        settings = {"help_option_names": ["-h", "--help"], "max_content_width": _WIDEST, "show_default": True}
        super().__init__(context_settings=settings, **attributes)
        self._sections = sections
        self._own = {name: place for section in sections.values() for name, place in section.items()}
        self._group = group
        self._elsewhere = elsewhere or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the sections' commands in order, then those of the entry points."""
        return list(dict.fromkeys((*self._own, *plugged_in(self._group))))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command; None for an unknown name."""
        command = self._own.get(cmd_name) or plugged_in(self._group).get(cmd_name)
        if isinstance(command, tuple):
            command = imported(command[0])
        return command if command is None or isinstance(command, click.Command) else command()

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the named command.

        Raises:
            click.UsageError: for an unknown name; the message has the most similar one.
        """
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            if args[0] in self._elsewhere:
                ctx.fail(f"The command {args[0]!r} is not installed: {self._elsewhere[args[0]]} brings it")
            from referenceless_metrics.core.support.validation import did_you_mean  # imports numpy

            near = did_you_mean(args[0], self.list_commands(ctx))
            ctx.fail(f"There is no command {args[0]!r}{near or '; see --help'}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command with its description, below its heading."""
        rows = {
            heading: [
                (name, place[1] if isinstance(place, tuple) else place.get_short_help_str(10_000))
                for name, place in section.items()
            ]
            for heading, section in self._sections.items()
        }
        others = [name for name in plugged_in(self._group) if name not in self._own]
        rows["Of other packages"] = [(name, f"See {ctx.command_path} {name} --help.") for name in others]
        for heading in filter(rows.get, rows):
            with formatter.section(heading):
                formatter.write_dl(rows[heading])
