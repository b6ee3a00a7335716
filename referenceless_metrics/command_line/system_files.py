"""Files with the outputs of systems, one per system, and the names of the systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click
from click.core import ParameterSource

from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.core.files.names import file_names
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.text_io import read_texts


def _names_by_file(_: click.Context, __: click.Parameter, pairs: Sequence[str]) -> dict[str, str]:
    """Return the names that --name gives, by file."""
    names: dict[str, str] = {}
    for pair in pairs:
        name, equals, file = pair.partition("=")
        if not (name and equals and file):
            raise click.BadParameter(f"expected NAME=FILE, such as ours=outputs/ours.txt, but got {pair!r}")
        names[file] = name
    if len(set(names.values())) < len(pairs):
        raise click.BadParameter("expected a name of its own for each file")
    return names


#: Names of systems in place of their files' names: the argument `names`, names by file.
SYSTEM_NAMES = Rare(
    ["--name", "names"],
    multiple=True,
    metavar="NAME=FILE",
    callback=_names_by_file,
    help="What a system is called  [default: its file's name without the suffix]; may be repeated.",
)


class SystemFiles(click.Argument):
    """The argument with the files of systems. Without any, the files of --name are taken, in their order.

    Args:
        names: the argument's name.
        unless: an option that replaces the files; with it, the names of --name are not taken.
        settings: settings of `click.Argument`.
    """

    def __init__(self, names: Sequence[str], *, unless: str = "", **settings: Any) -> None:
        super().__init__(names, nargs=-1, **settings)
        self._unless = unless

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> Any:
        """Return the files and their origin; click reads all options before an argument that is not given."""
        value, source = super().consume_value(ctx, opts)
        is_given = isinstance(value, tuple) and len(value) > 0
        if is_given or ctx.params.get(self._unless):
            return value, source
        named = tuple(ctx.params.get("names", ()))
        if not named:
            return value, source
        return named, ParameterSource.COMMANDLINE


def check_named(files: Sequence[str], names: Mapping[str, str]) -> None:
    """Check that each file that --name names is read.

    Raises:
        click.UsageError: for a name of a file that is none of these.
    """
    for file, name in names.items():
        if file not in files:
            raise click.UsageError(f"--name {name}={file}: no system is read from {file}")


def system_names(files: Sequence[str], names: Mapping[str, str]) -> list[str]:
    """Return the names that --name gives, and for other files their own (see `file_names`).

    Raises:
        click.UsageError: for a name of a file that is none of these, or one that another system has.
    """
    check_named(files, names)
    called = [names.get(file, name) for file, name in zip(files, file_names(files), strict=True)]
    if names and len(set(called)) < len(called):
        raise click.UsageError(f"two systems have one name: {', '.join(called)}")
    return called


def read_outputs(
    files: Sequence[str], names: Mapping[str, str], *, text_column: str, reading: Reading
) -> list[tuple[str, list[str]]]:
    """Return the name of each system and its outputs, from a file each.

    Args:
        files: the files, the baseline first.
        names: the names that --name gives, by file.
        text_column: the column that holds the texts.
        reading: the options of reading.

    Raises:
        click.UsageError: as `system_names`.
        InputError: for a file that cannot be read.
    """
    called = system_names(files, names)
    outputs = [read_texts(file, text_column=text_column, reading=reading) for file in files]
    return list(zip(called, outputs, strict=True))
