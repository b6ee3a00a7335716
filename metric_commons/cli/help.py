"""Help that fits a screen: `--help` shows the options that are often given, `--help-all` all of them in full."""

from __future__ import annotations

import inspect
import re
import textwrap

import click

EVERYTHING = f"{__name__}.all"
_PARAGRAPHS = 2


class Rare(click.Option):
    """An option that `--help` only names."""


def _show_all(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        ctx.meta[EVERYTHING] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


HELP_ALL = click.Option(
    ["--help-all"], is_flag=True, is_eager=True, expose_value=False, callback=_show_all, help="Show all options."
)


class ShortHelp(click.Command):
    """A command with `--help-all`, whose `--help` has the first sentence of what is often needed."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the command's parameters with `--help-all`."""
        *own, last = super().get_params(ctx)
        return [*own, HELP_ALL, last]

    def help_text(self, ctx: click.Context) -> str:
        """Return what the command does, the first sentence in a paragraph of its own."""
        return inspect.cleandoc(self.help or "")

    def is_rare(self, ctx: click.Context, one: click.Parameter) -> bool:
        """Return whether `--help` only names an option."""
        return isinstance(one, Rare)

    def sections(self, ctx: click.Context) -> dict[str, list[click.Parameter]]:
        """Return the parameters by the heading over their options."""
        return {"Options": self.get_params(ctx)}

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the command does: of a long text the first paragraphs."""
        text = "\n\n".join(self.help_text(ctx).split("\n\n")[: None if ctx.meta.get(EVERYTHING) else _PARAGRAPHS])
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(text)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, all or those that are often given, and the names of the others."""
        everything, others = ctx.meta.get(EVERYTHING), []
        for heading, parameters in self.sections(ctx).items():
            rows = []
            for one in parameters:
                record = one.get_help_record(ctx) if isinstance(one, click.Option) else None
                if self.is_rare(ctx, one) and not everything:
                    others.append(one.opts[0])
                elif record is not None:
                    rows.append(record if everything else (record[0], _first_sentence(record[1])))
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows, col_max=26)
        if others:
            told = f"Explained by --help-all: {', '.join(others)}"
            formatter.write("\n" + textwrap.fill(told, formatter.width, break_on_hyphens=False) + "\n")


def _first_sentence(help: str) -> str:
    """Return the first sentence of an option's help up to a semicolon, with its default.

    >>> _first_sentence("How to do it; why. As always.  [default: well]")
    'How to do it.  [default: well]'
    """
    words, default, end = help.partition("  [")
    return re.split(r"(?<=[^.]\.) (?=\S)|;", words)[0].rstrip(".") + "." + default + end
