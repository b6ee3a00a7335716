"""Options of a command's output: the file, its format, a drawing; and the progress bar."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from pathlib import Path
from typing import Any, cast

import click

from referenceless_metrics.command_line.adding import Command, adding
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.streams import check_standard_output
from referenceless_metrics.core.files.atomic import check_destination
from referenceless_metrics.core.files.opening import STDIN
from referenceless_metrics.core.files.output import OUTPUT_FORMATS, PARQUET

_FORMATS_OF_SUFFIX = {
    ".txt": ("table", "markdown"),
    ".csv": ("csv", "csv-safe"),
    ".jsonl": ("jsonl",),
    ".json": ("json",),
    ".parquet": (PARQUET,),
    ".html": ("html",),
    ".md": ("markdown",),
    ".tex": ("latex",),
}
"""Formats that a suffix allows; it means the first of them that the command has."""


_NO_FILES = ("column", "columns", "format", "language", "where")
"""Endings of the names of options whose values are not files."""


class Output(click.Option):
    """An option that names a file to write. Nothing else on the command line may name the same file.

    Args:
        names: the option's names.
        writes: names of the files that are written if the option names a folder.
        settings: settings of `click.Option`.
    """

    def __init__(self, names: Sequence[str], *, writes: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(names, **{"type": click.Path(), **settings})
        self._writes = writes

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> Any:
        """Return the value; it is checked before any file is read.

        Raises:
            click.BadParameter: for a file that is given twice.
        """
        value, source = super().consume_value(ctx, opts)
        for file in _given_files(value):
            self._check_others(file, ctx, opts)
        return value, source

    def _check_others(self, value: str, ctx: click.Context, opts: Mapping[str, Any]) -> None:
        """Check that no other option or argument names a file that this one writes."""
        written = [Path(value), Path(f"{value}.partial"), Path(f"{value}.journal")]
        written.extend(Path(value) / name for name in self._writes)
        for name, given in opts.items():
            if name == self.name or name.endswith(_NO_FILES):
                continue
            values = given if isinstance(given, (list, tuple)) else [given]
            for read in values:
                if isinstance(read, str) and any(_is_same(read, file) for file in written):
                    option = next((param.opts[0] for param in ctx.command.params if param.name == name), name)
                    problem = f"it would overwrite {read}, which is given as {option}: name another"
                    raise click.BadParameter(problem, ctx, self)


def _is_same(read: str, written: Path) -> bool:
    """Return whether both names lead to one file; "-" is the file that standard input is read from."""
    with contextlib.suppress(OSError, ValueError, AttributeError):  # no such file, or no standard input
        if read == "-":
            return written.is_file() and os.path.samestat(os.fstat(sys.stdin.fileno()), written.stat())
        return Path(read).resolve() == written.resolve() or (written.is_file() and written.samefile(read))
    return False


class _Format(click.Option):
    """`--format`. If it is not given, the suffix of `-o` tells the format."""

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> Any:
        """Return the format that is named, or that of the suffix of the first file.

        Raises:
            click.BadParameter: if the two contradict one another, this command has no format of a suffix, or one format
                is named for several files.
        """
        value, source = super().consume_value(ctx, opts)
        outputs = _given_files(opts.get("output"))
        files = list(map(Path, outputs))
        if "format" in opts and len(opts.get("output") or ()) > 1:
            raise click.BadParameter("it is of one -o FILE: of several, the suffixes tell the formats", ctx, self)
        if "format" in opts and files:
            self._check_suffix(value, files[0], ctx)
        else:
            formats = [self._format_of(file, ctx) for file in files if file.suffix]
            value = next(iter(formats), value)
        if value == PARQUET and not is_file_to_write(next(iter(outputs), None)):
            raise click.BadParameter("parquet needs a file to write: give it with -o", ctx, self)
        return value, source

    def _check_suffix(self, value: str, file: Path, ctx: click.Context) -> None:
        """Check that the suffix of `-o` allows the format that is named; .txt allows all."""
        suffix = file.suffix.lower()
        allowed = _FORMATS_OF_SUFFIX.get(suffix, ())
        if suffix == ".txt" or not allowed or value in allowed:
            return
        if value in self._known():  # click refuses an unknown format itself
            problem = f"{value} contradicts -o {file}, whose suffix means {allowed[0]}; give a file for each (-o)"
            raise click.BadParameter(problem, ctx, self)

    def _format_of(self, file: Path, ctx: click.Context) -> str:
        """Return the format that the suffix of `-o` means."""
        known = self._known()
        format = _format_of_suffix(file, known)
        if format is not None:
            return format
        ends = ", ".join(end for end, formats in _FORMATS_OF_SUFFIX.items() if formats[0] in known)
        problem = f"expected -o FILE to end in {ends}, or --format to say the format, but got {file}"
        raise click.BadParameter(problem, ctx, self, "'-o' / '--output'")

    def _known(self) -> Sequence[str]:
        choices: Sequence[str] = self.type.choices  # type: ignore[attr-defined]
        return choices


def _format_of_suffix(file: Path, known: Sequence[str]) -> str | None:
    """Return the format that a suffix means, of those that a command has; None for other suffixes."""
    return next((name for name in _FORMATS_OF_SUFFIX.get(file.suffix.lower(), ()) if name in known), None)


def _given_files(value: Any) -> list[str]:
    """Return the files that an option names, once or repeatedly; standard output is none."""
    given = value if isinstance(value, (list, tuple)) else [value]
    return [file for file in given if isinstance(file, str) and file != "-"]


def is_file_to_write(output: str | None) -> bool:
    """Return whether results go to a file, and neither to standard output nor to a device."""
    if output in (None, "-"):
        return False
    path = Path(str(output))
    return path.is_file() or not path.exists()


def _check_outputs(ctx: click.Context, option: click.Parameter, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Check that results can be written, before the work for them.

    Raises:
        click.BadParameter: for a file that is named twice.
    """
    if len(set(paths)) < len(paths):
        raise click.BadParameter(f"expected a file each, but got {', '.join(paths)}", ctx, option)
    for path in paths or ("-",):
        if path == "-":
            check_standard_output()
        else:
            check_destination(path)
    return paths


Writer = Callable[[str, str | None], None]
"""Function that writes the results of a command in a format to a file, None for standard output."""


def _for_each_file(command: Command, formats: Sequence[str]) -> Command:
    """Return a command that takes several files of `-o`, each written in the format of the suffix.

    A command that returns a `Writer` computes once and writes through it; any other one writes by itself, and is run
    for each file.

    Args:
        command: the command, which takes one file as `output`, None for standard output, and its `format`.
        formats: the formats that it has.
    """

    @wraps(command)
    def run(*arguments: Any, output: tuple[str, ...], format: str, **options: Any) -> None:
        if len(output) < 2:
            file = next(iter(output), None)
            writer = command(*arguments, output=file, format=format, **options)
            if writer is not None:
                writer(format, file)
            return
        if any(value == STDIN or (isinstance(value, tuple) and STDIN in value) for value in options.values()):
            raise click.UsageError("standard input can be read once: give one -o FILE, or a file in place of -")
        statuses = []
        writer = None
        for place, file in enumerate(output):
            told = io.StringIO() if place else sys.stderr  # notes and verdicts are the same for each file
            format = _format_of_suffix(Path(file), formats) or formats[0]
            with contextlib.redirect_stderr(told):
                try:
                    if writer is None:
                        writer = command(*arguments, output=file, format=format, **options)
                    if writer is not None:
                        writer(format, file)
                except click.exceptions.Exit as left:
                    statuses.append(left.exit_code)
        click.get_current_context().exit(max(statuses, default=0))

    return cast(Command, run)


def _open_at_end(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    """Show the page at the end of the command, when `-o` is known and the page is written."""
    if asked:
        ctx.call_on_close(partial(_show_pages, ctx, time.time_ns()))


def _show_pages(ctx: click.Context, began: int) -> None:
    """Show each page of `-o` in the browser, unless it is older than the command: then the command failed.

    Args:
        ctx: the command's context.
        began: time at which the command began, in nanoseconds.
    """
    for path in map(Path, _given_files(ctx.params.get("output"))):
        if path.suffix.lower() == ".html" and path.is_file() and path.stat().st_mtime_ns >= began:
            click.launch(path.resolve().as_uri())


#: Whether a page that a command writes is shown in the browser.
OPEN_PAGE = Rare(
    ["--open"],
    is_flag=True,
    expose_value=False,
    callback=_open_at_end,
    help="Show the page that is written (-o x.html) in the browser.",
)


def output_options_of(formats: Sequence[str]) -> Callable[[Command], Command]:
    """Return a decorator that adds the options for the format of results, one of these, and their files."""
    options = adding(
        Output(
            ["-o", "--output"],
            multiple=True,
            metavar="FILE",
            callback=_check_outputs,
            help="File to write, by its suffix; may be repeated  [default: stdout]",
        ),
        _Format(
            ["--format", "-f"],
            type=click.Choice(formats),
            default=formats[0],
            show_default=False,
            metavar="FORMAT",
            help=f"{', '.join(formats[:-1])} or {formats[-1]}  [default: by -o, else {formats[0]}]",
        ),
        OPEN_PAGE,
    )
    return lambda command: options(_for_each_file(command, formats))


#: Options for the format and the file of a table.
output_options = output_options_of(OUTPUT_FORMATS)


#: Whether a table has a column for each row.
TRANSPOSE = Rare(
    ["--transpose"], is_flag=True, help="Turn a table for readers: what would be its rows are its columns."
)


def _picture(value: str) -> str:
    from referenceless_metrics.pages.drawing import check_picture

    try:
        check_picture(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    return value


def plot_option(shows: str) -> Callable[[Command], Command]:
    """Return a decorator that adds `--plot FILE`; `shows` describes the drawing."""
    return adding(Output(["--plot"], type=_picture, metavar="FILE", help=f"SVG, PNG or PDF to write: {shows}."))


#: `--progress` or `--no-progress`; without either, a bar shows on a terminal.
progress_option = adding(
    Rare(["--progress/--no-progress"], default=None, help="Progress bar on stderr  [default: on a terminal]")
)
