"""Options for reading input files. They are the same in every command, which gets a `Reading` as `reading`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.core.files.formats import FORMATS
from referenceless_metrics.core.files.lines import known_encoding
from referenceless_metrics.core.files.reading import TRIPLE_BAR, WHITE_SPACE, Condition, Reading, condition
from referenceless_metrics.core.support.validation import InputError


def sets_reading(field: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    """Return the callback of an option that sets a field of the command's `Reading`."""

    def put(ctx: click.Context, _: click.Parameter, value: Any) -> None:
        reading = ctx.params.setdefault("reading", Reading())
        if value is not None:
            ctx.params["reading"] = replace(reading, **{field: value})

    return put


def _condition(text: str) -> Condition:
    try:
        return condition(text)
    except InputError as error:
        raise click.BadParameter(str(error)) from None


def _option(name: str, field: str, **settings: Any) -> click.Option:
    return Rare([name, f"reading_{field}"], expose_value=False, callback=sets_reading(field), **settings)


def _encoding(name: str) -> str:
    try:
        return known_encoding(name)
    except InputError as error:
        raise click.BadParameter(str(error)) from None


def _delimiter(name: str) -> str:
    """Return a delimiter, which is given by its name or as itself."""
    known = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "space": WHITE_SPACE, "pipe": "|"}
    delimiter = known.get(name.lower(), name)
    if delimiter != TRIPLE_BAR and (len(delimiter) != 1 or delimiter in '"\r\n'):
        raise click.BadParameter(f"expected one character, or {', '.join(sorted(known))}, but got {name!r}")
    return delimiter


def _names(text: str) -> tuple[str, ...]:
    """Return names of columns, separated by commas."""
    names = tuple(name.strip() for name in text.split(","))
    if "" in names or len(set(names)) < len(names):
        raise click.BadParameter(f"expected a name of its own for each column, as item,system,rating, but got {text!r}")
    return names


def _key_file(file: str) -> str:
    if not Path(file).is_file() and "{" not in file:
        raise click.BadParameter(
            f"there is no file {file!r}: write it, a table with the columns question,system,item, and criterion if "
            "several are asked, and a row for each question of an output; or give a pattern of the questions' names, "
            "such as {criterion}_{system}"
        )
    return file


QUESTIONS = _option(
    "--questions",
    "questions",
    type=_key_file,
    metavar="FILE",
    help="Of a survey: table with the columns question, system, item, which says of what each question asks; or a "
    "pattern of the questions' names, such as {criterion}_{system}, in which * is any text.",
)
"""Option of commands that read ratings."""

READING = (
    _option(
        "--input-format",
        "format",
        type=click.Choice(FORMATS),
        help="Format of the input; csv and tsv are then plain tables, and no export of a survey or an annotation tool  "
        "[default: by suffix, else by content]",
    ),
    _option(
        "--encoding",
        "encoding",
        type=_encoding,
        metavar="NAME",
        help="Encoding of text files, such as cp1252  [default: by a mark at the beginning, else utf-8]",
    ),
    _option(
        "--delimiter",
        "delimiter",
        type=_delimiter,
        metavar="CHARACTER",
        help="What separates fields: a character, tab or space  [default: by the first lines]",
    ),
    _option(
        "--columns",
        "columns",
        type=_names,
        metavar="NAME,…",
        help="Names of the columns of a table without a header, in order.",
    ),
    _option(
        "--sheet",
        "sheet",
        metavar="NAME",
        help="Sheet of a workbook, by name or number; * for all  [default: the first]",
    ),
    _option(
        "--where",
        "where",
        type=_condition,
        multiple=True,
        metavar="COLUMN=VALUE",
        help="Read only the rows whose column holds this text, or another one by COLUMN!=VALUE; no VALUE is a blank "
        "cell. May be repeated, and then all must hold.",
    ),
    _option(
        "--rows-in",
        "rows_in",
        metavar="COLUMN",
        help="Column of lists of objects that are the rows, or several columns of lists, with commas.",
    ),
    _option(
        "--data-dir",
        "data_dir",
        type=click.Path(),
        help="Folder that holds the files of a dataset spec (huse:…, asap_sas:…).",
    ),
    _option(
        "--longest-line",
        "longest_line",
        type=click.IntRange(min=1),
        metavar="BYTES",
        help="Longest line that is read  [default: 16 MB]",
    ),
    _option(
        "--most-rows",
        "most_rows",
        type=click.IntRange(min=1),
        metavar="NUMBER",
        help="Most rows that are held at once  [default: 10 million]",
    ),
)
"""Options for reading input files. A command that takes them gets a `Reading` as the argument `reading`."""
