"""The options that say how input files are read: the same in every command, which gets a `Reading` as `reading`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.core.files.reading import Condition, Reading, condition
from referenceless_metrics.core.files.tables import FORMATS
from referenceless_metrics.core.support.validation import InputError


def _sets(field: str) -> Callable[[click.Context, click.Parameter, Any], None]:
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
    return Rare([name, f"reading_{field}"], expose_value=False, callback=_sets(field), **settings)


READING = (
    _option("--input-format", "format", type=click.Choice(FORMATS), help="Format of the input  [default: by suffix]"),
    _option(
        "--where",
        "where",
        type=_condition,
        multiple=True,
        metavar="COLUMN=VALUE",
        help="Read only the rows whose column holds this text; may be repeated, and then all must hold.",
    ),
    _option(
        "--data-dir",
        "data_dir",
        type=click.Path(),
        help="Folder that holds the files of a dataset spec (huse:…, asap_sas:…).",
    ),
)
"""How an input file is to be read. A command that takes these options gets a `Reading` as the argument `reading`."""
