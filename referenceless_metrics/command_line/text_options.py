"""Options that say how a file of texts is read, and which of its columns holds the texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.reading_options import READING
from referenceless_metrics.core.files.formats_of_files import file_format, source_name
from referenceless_metrics.core.files.json_rows import TEXT
from referenceless_metrics.core.files.opening import STDIN
from referenceless_metrics.core.files.reading import joined_name
from referenceless_metrics.core.files.tables import ColumnName, Table
from referenceless_metrics.core.files.text_io import read_text_blocks
from referenceless_metrics.core.support.validation import InputError, Options


class _Column(click.types.StringParamType):
    """The type of an option that names a column; errors about the column name the option."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> ColumnName:
        """Return the name, with the option."""
        return ColumnName(super().convert(value, param, ctx), param.opts[0] if param is not None else "")


COLUMN = _Column()


def _joined(_: click.Context, option: click.Parameter, names: tuple[str, ...]) -> ColumnName | None:
    return ColumnName(joined_name(names), option.opts[0]) if names else None


def item_option(help: str) -> click.Option:
    """Return the option for the column of items; several columns together tell an item."""
    words, default, end = help.rstrip(".").partition("  [")
    words += "; may be repeated, if several together tell it."
    return Rare(["--item-column"], type=COLUMN, multiple=True, callback=_joined, help=f"{words}{default}{end}")


def option_of_column(name: str, help: str) -> click.Option:
    """Return the option for the column of some content, which --help-all explains.

    That of items may be repeated, and that of right answers.
    """
    if name == "item":
        return item_option(help)
    if name == "gold":
        words = f"{help.rstrip('.')}; may be repeated, if several people gave them: that of most of them counts."
        return Rare(["--gold-column"], type=COLUMN, multiple=True, callback=_joined, help=words)
    return Rare([f"--{name}-column"], type=COLUMN, help=help)


def options_of_columns(told: Mapping[str, str]) -> list[click.Option]:
    """Return the options for columns, by their content."""
    return [option_of_column(name, f"Column with {what}.") for name, what in told.items()]


class _Input(click.types.StringParamType):
    """The type of a file that may be standard input; the error that it is missing says so."""

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        """Return the description of the argument."""
        return "It is a file, or - for standard input."


INPUT = _Input()


TEXT_COLUMN = click.Option(
    ["--text-column"],
    type=COLUMN,
    default="text",
    help="Column that holds the texts.",
)
#: Options for reading one file of texts.
input_options = adding(TEXT_COLUMN, *READING)
#: Options for reading files of systems' outputs, one per system, or one table with a column per system.
system_input_options = adding(
    click.Option(
        ["--text-column", "text_columns"],
        type=COLUMN,
        multiple=True,
        default=("text",),
        help="Column that holds the texts; repeated, a column per system of one table, the baseline first.",
    ),
    *READING,
)


def text_blocks(file: str, options: Options, **part: Any) -> Iterator[tuple[Table, list[str]]]:
    """Yield a file of texts block by block, by the `input_options`; `part` is as in `read_text_blocks`.

    Raises:
        InputError: as `read_text_blocks`, and for a column of standard input that holds lines of text.
    """
    column = options["text_column"]
    if file == STDIN and column != TEXT and file_format(file, options["reading"], "txt") == "txt":
        raise InputError(
            f"{source_name(file)}: each line is a text, and --text-column {column} is for files with columns: name "
            "their format (--input-format csv)"
        )
    return read_text_blocks(file, text_column=options["text_column"], reading=options["reading"], **part)
