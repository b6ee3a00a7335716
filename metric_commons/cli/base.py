"""The habits that all command lines of this project share: exit status, errors in one line, common options."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import re
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from metric_commons.cli.help import Rare
from metric_commons.files.atomic import check_destination
from metric_commons.files.escaping import one_line
from metric_commons.files.output import OUTPUT_FORMATS, PARQUET
from metric_commons.files.tables import FORMATS, ColumnName
from metric_commons.support.errors import InputError

Command = TypeVar("Command", bound=Callable[..., Any])

_ELSEWHERE = "or write to a file with -o"
_USER_ERRORS = (ValueError, TypeError, OSError, RuntimeError, ImportError)


def run(group: click.Group, arguments: Sequence[str] | None = None) -> None:
    """Run a command line and leave: 0 done, 1 bad input (one line on stderr), 2 wrong usage, 130 interrupted.

    Set the environment variable `METRICS_TRACEBACK=1` to see the traceback behind an error.
    """
    warnings.showwarning = _show_warning  # type: ignore[assignment]  # it takes the rest as *_
    _guard_standard_streams()
    try:
        given = tuple(sys.argv[1:] if arguments is None else arguments)  # which pages name
        status = group.main(args=arguments, standalone_mode=False, obj=given)
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
            for option in re.findall(r"(?m)^--[\w-]+", "\n".join(given)):
                told = told.replace(f"argument `{option[2:].replace('-', '_')}`", f"option {option}")
            click.echo(f"error: {one_line(told)}", err=True)
            status = 1
        _give_up_standard_output()
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


class _ClosedOutput(io.TextIOBase):
    """What stands for a standard output that was closed before the program began: writing to it is an error."""

    encoding = "utf-8"  # read by click
    errors = "strict"

    def write(self, text: str, /) -> int:
        raise OSError(errno.EBADF, f"standard output is closed: open it, {_ELSEWHERE}")


def _guard_standard_streams() -> None:
    """Make sure that what goes to a closed standard stream is neither lost in silence nor ends in another file."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:  # the next file to be opened would get this number, and with it what libraries print
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or _ClosedOutput()
    sys.stderr = sys.stderr or io.StringIO()
    if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.encoding.lower().startswith("utf"):
        sys.stdout.reconfigure(errors="backslashreplace")  # for help and notes; results are refused


def check_standard_output() -> None:
    """Check that results can go to standard output.

    Raises:
        InputError: where it is closed, or takes only some characters.
    """
    if sys.stdout is None or isinstance(sys.stdout, _ClosedOutput):
        raise InputError(f"standard output is closed: open it, {_ELSEWHERE}")
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    if not encoding.lower().startswith("utf"):
        told = f"standard output takes {encoding} only, which cannot hold every text"
        raise InputError(f"{told}: set PYTHONIOENCODING=utf-8, {_ELSEWHERE}")


def _give_up_standard_output() -> None:
    """Let nothing more go to a standard output that failed: Python would try once more at its end, and complain."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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


#: The formats that a suffix may mean, the first one where no format is named.
_OF_SUFFIX = {
    ".txt": ("table", "markdown"),
    ".csv": ("csv", "csv-safe"),
    ".jsonl": ("jsonl",),
    ".json": ("json",),
    ".parquet": (PARQUET,),
    ".html": ("html",),
    ".md": ("markdown",),
    ".tex": ("latex",),
}


class _Column(click.types.StringParamType):
    """The type of an option that names a column: errors about the column then name the option that mends them."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> ColumnName:
        """Return the name, with the option."""
        return ColumnName(super().convert(value, param, ctx), param.opts[0] if param is not None else "")


COLUMN = _Column()


class Output(click.Option):
    """An option that names what is written: nothing else on the command line may name it, so no input is overwritten.

    Args:
        names: the option's names.
        writes: the names of the files that are written where the option names a folder.
        settings: those of `click.Option`.
    """

    def __init__(self, names: Sequence[str], *, writes: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(names, **{"type": click.Path(), **settings})
        self._writes = writes

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> Any:
        """Return the value, after a look at all that was given: nothing is read before.

        Raises:
            click.BadParameter: for a file that is given twice.
        """
        value, source = super().consume_value(ctx, opts)
        if isinstance(value, str) and value != "-":
            beside = [Path(f"{value}.{end}") for end in ("partial", "journal")]
            written = [Path(value), *beside, *(Path(value) / name for name in self._writes)]
            for name, given in opts.items():
                for read in given if isinstance(given, (list, tuple)) else [given]:
                    may_be_file = isinstance(read, str) and not name.endswith(("column", "columns", "format"))
                    if name != self.name and may_be_file and any(_is_same(read, file) for file in written):
                        told = f"it would overwrite {read}, which is given as {name.replace('_', '-')}"
                        raise click.BadParameter(f"{told}: name another", ctx, self)
        return value, source


def _is_same(read: str, written: Path) -> bool:
    """Say whether two names are one file, by a link too, or standard input comes from it."""
    with contextlib.suppress(OSError, ValueError, AttributeError):  # no such file, or no standard input
        if read == "-":
            return written.is_file() and os.path.samestat(os.fstat(sys.stdin.fileno()), written.stat())
        return Path(read).resolve() == written.resolve() or (written.is_file() and written.samefile(read))
    return False


class _Format(click.Option):
    """`--format`, which the suffix of `-o` says where it is not given."""

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> Any:
        """Return the format that is named, or that of the suffix.

        Raises:
            click.BadParameter: where the two contradict one another, or the suffix means none of this command's.
        """
        value, source = super().consume_value(ctx, opts)
        known, output = list(self.type.choices), opts.get("output")  # type: ignore[attr-defined]
        file = Path(output) if isinstance(output, str) and output != "-" else None
        suffix = file.suffix.lower() if file is not None else ""
        meant = [one for one in _OF_SUFFIX.get(suffix, ()) if one in known]
        told, hint = "", None
        if isinstance(opts.get("format"), str):
            if value in known and value not in meant and suffix in _OF_SUFFIX and suffix != ".txt":
                told = f"{value} contradicts -o {output}, whose suffix means {_OF_SUFFIX[suffix][0]}"
        elif suffix and value is not None:
            value = meant[0] if meant else None
            if not meant:
                ends = [end for end, means in _OF_SUFFIX.items() if means[0] in known]
                told = f"expected -o FILE to end in {', '.join(ends)}, or --format to say the format, but got {output}"
                hint = "'-o' / '--output'"
        if value == PARQUET and (file is None or (file.exists() and not file.is_file())):
            told = "parquet needs a file to write: give it with -o"
        if told:
            raise click.BadParameter(told, ctx, self, hint)
        return value, source


def _check_output(_: click.Context, __: click.Parameter, path: str | None) -> str | None:
    """Check that results can be written, before the work for them."""
    if path in (None, "-"):
        check_standard_output()
    else:
        check_destination(str(path))
    return path


def output_options_of(formats: Sequence[str]) -> Callable[[Command], Command]:
    """Return a decorator that adds the options that say in which of these formats and where results are written."""
    return adding(
        Output(
            ["-o", "--output"],
            metavar="FILE",
            callback=_check_output,
            help="File to write, in the format of its suffix  [default: standard output]",
        ),
        _Format(
            ["--format", "-f"],
            type=click.Choice(formats),
            default=formats[0],
            metavar="FORMAT",
            help=f"{', '.join(formats[:-1])} or {formats[-1]}  [default: by the suffix of -o, else {formats[0]}]",
        ),
    )


#: Where and how a table is written.
output_options = output_options_of(OUTPUT_FORMATS)
#: How an input file is to be read.
input_options = adding(
    click.Option(
        ["--text-column"], type=COLUMN, default="text", show_default=True, help="Column that holds the texts."
    ),
    Rare(["--input-format"], type=click.Choice(FORMATS), help="Format of the input  [default: by suffix]"),
    Rare(["--data-dir"], type=click.Path(), help="Folder that holds the files of a dataset spec (huse:…, asap_sas:…)."),
)


def _picture(value: str) -> str:
    from metric_commons.report.plots import FORMATS as PICTURES

    if Path(value).suffix.lower() not in PICTURES:
        raise click.BadParameter(f"expected a file that ends in {' or '.join(PICTURES)}, but got {value!r}")
    return value


def plot_option(shows: str) -> Callable[[Command], Command]:
    """Return a decorator that adds `--plot FILE`; `shows` says what is drawn."""
    return adding(Output(["--plot"], type=_picture, metavar="FILE", help=f"PNG or SVG to write: {shows}."))


#: `--progress/--no-progress`; without either, a bar shows on a terminal.
progress_option = adding(
    Rare(["--progress/--no-progress"], default=None, help="Progress bar on stderr  [default: on a terminal]")
)
