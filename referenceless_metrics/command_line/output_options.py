"""Options of a command's output: the file, its format, a drawing; and the progress bar."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from referenceless_metrics.command_line.adding import Command, adding
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.streams import check_standard_output
from referenceless_metrics.core.files.atomic import check_destination
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
        if isinstance(value, str) and value != "-":
            self._check_others(value, ctx, opts)
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
        """Return the format that is named, or that of the suffix.

        Raises:
            click.BadParameter: if the two contradict one another, or this command has no format of the suffix.
        """
        value, source = super().consume_value(ctx, opts)
        output = opts.get("output")
        file = None if output in (None, "-") else Path(str(output))
        if "format" in opts and file is not None:
            self._check_suffix(value, file, ctx)
        elif file is not None and file.suffix:
            value = self._format_of(file, ctx)
        if value == PARQUET and not is_file_to_write(output):
            raise click.BadParameter("parquet needs a file to write: give it with -o", ctx, self)
        return value, source

    def _check_suffix(self, value: str, file: Path, ctx: click.Context) -> None:
        """Check that the suffix of `-o` allows the format that is named; .txt allows all."""
        suffix = file.suffix.lower()
        allowed = _FORMATS_OF_SUFFIX.get(suffix, ())
        if suffix == ".txt" or not allowed or value in allowed:
            return
        if value in self._known():  # click refuses an unknown format itself
            problem = f"{value} contradicts -o {file}, whose suffix means {allowed[0]}; run the command once for each"
            raise click.BadParameter(problem, ctx, self)

    def _format_of(self, file: Path, ctx: click.Context) -> str:
        """Return the format that the suffix of `-o` means."""
        known = self._known()
        for format in _FORMATS_OF_SUFFIX.get(file.suffix.lower(), ()):
            if format in known:
                return format
        ends = ", ".join(end for end, formats in _FORMATS_OF_SUFFIX.items() if formats[0] in known)
        problem = f"expected -o FILE to end in {ends}, or --format to say the format, but got {file}"
        raise click.BadParameter(problem, ctx, self, "'-o' / '--output'")

    def _known(self) -> Sequence[str]:
        choices: Sequence[str] = self.type.choices  # type: ignore[attr-defined]
        return choices


def is_file_to_write(output: str | None) -> bool:
    """Return whether results go to a file, and neither to standard output nor to a device."""
    if output in (None, "-"):
        return False
    path = Path(str(output))
    return path.is_file() or not path.exists()


def _check_output(_: click.Context, __: click.Parameter, path: str | None) -> str | None:
    """Check that results can be written, before the work for them."""
    if path in (None, "-"):
        check_standard_output()
    else:
        check_destination(str(path))
    return path


def _open_at_end(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    """Show the page at the end of the command, when `-o` is known and the page is written."""
    if asked:
        ctx.call_on_close(partial(_show_page, ctx, time.time_ns()))


def _show_page(ctx: click.Context, began: int) -> None:
    """Show the page of `-o` in the browser, unless it is older than the command: then the command failed.

    Args:
        ctx: the command's context.
        began: time at which the command began, in nanoseconds.
    """
    path = Path(str(ctx.params.get("output")))
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
    """Return a decorator that adds the options for the format of results, one of these, and their file."""
    return adding(
        Output(
            ["-o", "--output"],
            metavar="FILE",
            callback=_check_output,
            help="File to write, by its suffix  [default: stdout]",
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
