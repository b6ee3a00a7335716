"""The habits that all command lines of this project share: exit status, errors in one line, common options."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from metric_commons.cli.standard_streams import check_standard_output, give_up_standard_output, guard_standard_streams
from metric_commons.files.atomic import check_destination
from metric_commons.files.escaping import one_line
from metric_commons.files.output import OUTPUT_FORMATS
from metric_commons.files.tables import FORMATS

Command = TypeVar("Command", bound=Callable[..., Any])

_USER_ERRORS = (ValueError, TypeError, OSError, RuntimeError, ImportError)


def run(group: click.Group, arguments: Sequence[str] | None = None) -> None:
    """Run a command line and leave: 0 done, 1 bad input (one line on stderr), 2 wrong usage, 130 interrupted.

    Set the environment variable `METRICS_TRACEBACK=1` to see the traceback behind an error.
    """
    warnings.showwarning = _show_warning  # type: ignore[assignment]  # it takes the rest as *_
    guard_standard_streams()
    try:
        status = group.main(args=arguments, standalone_mode=False)
        sys.stdout.flush()
    except click.UsageError as error:
        error.show()
        status = error.exit_code
    except click.ClickException as error:
        error.show()
        status = 1
    except (click.Abort, KeyboardInterrupt):
        status = _interrupted()
    except (*_USER_ERRORS, MemoryError) as error:
        if os.environ.get("METRICS_TRACEBACK"):
            raise
        if _was_interrupted(error):
            status = _interrupted()
        else:
            told = out_of_memory(error) if isinstance(error, MemoryError) else str(error)
            click.echo(f"error: {one_line(told)}", err=True)
            status = 1
        give_up_standard_output()
    sys.exit(status if isinstance(status, int) else 0)


def _interrupted() -> int:
    click.echo("interrupted", err=True)
    return 130


def _was_interrupted(error: BaseException | None) -> bool:
    """Return whether an interrupt is behind an error: some libraries report one in their imports as an ImportError."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def out_of_memory(error: MemoryError) -> str:
    """Return what a user should know where memory ran out: what needed how much, and what to do."""
    context = click.get_current_context(silent=True)
    what = f"{context.command_path} " if context is not None else ""
    needed = str(error).strip() or "nothing was left"
    return (
        f"{what}ran out of memory ({needed}): give it fewer or shorter texts at once or a smaller pool, or run it "
        "where there is more memory"
    )


def _show_warning(message: Warning | str, category: type[Warning], *_: Any) -> None:
    click.echo(f"warning: {message}", err=True)


def adding(*options: click.Parameter) -> Callable[[Command], Command]:
    """Return a decorator that adds options to a command, shown in this order."""

    def add(command: Command) -> Command:
        vars(command)["__click_params__"] = [*getattr(command, "__click_params__", []), *reversed(options)]
        return command

    return add


def numbers(kind: Callable[[str], float]) -> Callable[[str], tuple[float, ...]]:
    """Return the type of an option that takes numbers separated by commas, as `int` or `float`."""

    def parse(value: str) -> tuple[float, ...]:
        try:
            return tuple(kind(part) for part in value.split(","))
        except ValueError:
            what = "whole numbers" if kind is int else "numbers"
            raise click.BadParameter(f"expected {what} separated by commas, but got {value!r}") from None

    return parse


def number_or(words: Sequence[str]) -> Callable[[str], float | str]:
    """Return the type of an option that takes a number, or one of a few words."""

    def parse(value: str) -> float | str:
        try:
            return value if value in words else float(value)
        except ValueError:
            raise click.BadParameter(f"expected a number or {' or '.join(words)}, but got {value!r}") from None

    return parse


def pairs(_: click.Context, __: click.Parameter, values: Sequence[str]) -> dict[str, Any] | None:
    """Read an option's NAME=VALUE pairs, as JSON (`true`, `0.5`, `["the", "a"]`) or else as text; None for none.

    A hyphen in a name is an underscore.

    Raises:
        click.BadParameter: for a pair without a name or without `=`.
    """
    found: dict[str, Any] = {}
    for pair in values:
        name, equals, value = pair.partition("=")
        if not name or not equals:
            raise click.BadParameter(f"expected NAME=VALUE, such as device=cuda, but got {pair!r}")
        try:
            found[name.replace("-", "_")] = json.loads(value)
        except ValueError:
            found[name.replace("-", "_")] = value
    return found or None


def _check_output(_: click.Context, __: click.Parameter, path: str | None) -> str | None:
    """Check that results can be written, before the work for them."""
    if path is None or path == "-":
        check_standard_output()
    else:
        check_destination(path)
    return path


def output_options_of(formats: Sequence[str]) -> Callable[[Command], Command]:
    """Return a decorator that adds the options that say in which of these formats and where results are written."""
    return adding(
        click.Option(
            ["--format"],
            type=click.Choice(formats),
            default=formats[0],
            show_default=True,
            help="Format of the output.",
        ),
        click.Option(
            ["-o", "--output"],
            type=click.Path(),
            callback=_check_output,
            help="File to write  [default: standard output]",
        ),
    )


#: Where and how results are written.
output_options = output_options_of(OUTPUT_FORMATS)
#: How an input file is to be read.
input_options = adding(
    click.Option(["--text-column"], default="text", show_default=True, help="Column that holds the texts."),
    click.Option(["--input-format"], type=click.Choice(FORMATS), help="Format of the input  [default: by suffix]"),
    click.Option(
        ["--data-dir"], type=click.Path(), help="Folder that holds the files of a dataset spec (huse:…, asap_sas:…)."
    ),
)


def _picture(value: str) -> str:
    from metric_commons.report.plots import FORMATS as PICTURES

    if Path(value).suffix.lower() not in PICTURES:
        raise click.BadParameter(f"expected a file that ends in {' or '.join(PICTURES)}, but got {value!r}")
    return value


def plot_option(shows: str) -> Callable[[Command], Command]:
    """Return a decorator that adds `--plot FILE`; `shows` says what is drawn."""
    return adding(click.Option(["--plot"], type=_picture, metavar="FILE", help=f"PNG or SVG to write: {shows}."))


#: `--progress/--no-progress`; without either, a bar shows on a terminal.
progress_option = adding(
    click.Option(["--progress/--no-progress"], default=None, help="Progress bar on stderr  [default: on a terminal]")
)
