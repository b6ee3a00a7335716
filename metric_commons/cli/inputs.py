"""References and sources on the command line: in files of their own, or in columns beside the texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from metric_commons.cli.base import COLUMN
from metric_commons.cli.help import Rare
from metric_commons.files.tables import STDIN, Table, file_format
from metric_commons.files.text_io import read_table, read_texts, references_of
from metric_commons.metric import Metric
from metric_commons.registry import MetricSpec
from metric_commons.support.errors import InputError

_COLUMN = "source"


REFERENCES = Rare(
    ["--references"],
    multiple=True,
    type=click.Path(),
    help="File with a reference for each text, in the same order; may be repeated. A blank line is none.",
)
REFERENCE_COLUMNS = Rare(
    ["--reference-columns"],
    type=COLUMN,
    multiple=True,
    metavar="NAME",
    help="Column with references, by name or pattern ('reference_*'); may be repeated.",
)
SOURCES = Rare(
    ["--sources"],
    type=click.Path(),
    help="File with the source of each text, in the same order: a line each, or a column named source.",
)
SOURCE_COLUMN = Rare(
    ["--source-column"],
    type=COLUMN,
    metavar="NAME",
    help="Column that holds what each text was made from, such as an MR.",
)


def reference_streams(files: Sequence[str], n_texts: int, of: str, *, every_text: bool = False) -> list[list[str]]:
    """Read files of references, one stream a file; a blank line is no reference.

    Args:
        files: the files.
        n_texts: how many texts there are.
        of: the file of the texts, for messages.
        every_text: whether each text must have a reference.

    Raises:
        InputError: for a file of another length, or a text without a reference.
    """
    streams = []
    for file in files:
        found = read_texts(file, text_column="reference")
        if len(found) != n_texts:
            raise InputError(f"{file} has {len(found)} references, but {of} has {n_texts} texts")
        streams.append(found)
    if streams and every_text:
        for place, texts in enumerate(zip(*streams, strict=True)):
            if not any(text.strip() for text in texts):
                raise InputError(f"{', '.join(files)}: no reference for text {place + 1}")
    return streams


def check_beside(spec: MetricSpec, file: str | None, options: Mapping[str, Any]) -> None:
    """Check that references and sources are named in one way, and for a metric that reads them, before any is read.

    Args:
        spec: the metric's entry.
        file: the file of the texts; None where there are several.
        options: `references` or `sources`, and the columns of them, where a command takes any.

    Raises:
        click.UsageError: for both ways, a column of standard input, or a metric that reads none.
    """
    for kind, column, reads in (
        ("references", "reference-columns", spec.needs_references),
        ("sources", "source-column", spec.needs_sources),
    ):
        named, of_file = options.get(kind), options.get(column.replace("-", "_"))
        if named and of_file:
            raise click.UsageError(f"give --{kind} or --{column}, not both")
        if (named or of_file) and not reads:
            raise click.UsageError(f"{spec.name} reads no {kind}; leave them out")
        if of_file and file == STDIN:
            raise click.UsageError(f"--{column} needs a file, not standard input")


def read_sources(file: str, n_texts: int, sources: str | None) -> list[Any] | None:
    """Return the source of each text from a file, or None where none is named.

    Raises:
        InputError: for a file that cannot be read or has another length.
    """
    if not sources:
        return None
    found: list[Any]
    if file_format(sources, None, "txt") == "txt":
        found = list(read_texts(sources))
    else:
        found = read_table(sources).column(_COLUMN, "--sources")
    if len(found) != n_texts:
        raise InputError(f"{sources} has {len(found)} sources, but {file} has {n_texts} texts")
    return found


def inputs_of(table: Table, file: str, options: Mapping[str, Any]) -> tuple[list[list[str]] | None, list[Any] | None]:
    """Return the references and the sources of a block of texts; None for what is not named.

    Args:
        table: the texts' rows.
        file: their file, for messages.
        options: as in `check_beside`.

    Raises:
        InputError: for columns that are not there, and as `reference_streams` and `read_sources`.
    """
    references = None
    if options.get("reference_columns"):
        references = references_of(table, options["reference_columns"])
    elif options.get("references"):
        streams = reference_streams(options["references"], len(table.rows), file, every_text=True)
        references = [[text for text in texts if text.strip()] for texts in zip(*streams, strict=True)]
    if options.get("source_column"):
        return references, table.column(options["source_column"], "--source-column")
    return references, read_sources(file, len(table.rows), options.get("sources"))


def check_sources_given(metric: Metric, sources: object) -> None:
    """Check that there are sources for a metric that was made to read them, and none for another.

    Raises:
        click.UsageError: naming the options.
    """
    if metric.needs_sources and sources is None:
        raise click.UsageError(f"{metric.name} needs sources here: give --source-column or --sources")
    if sources is not None and not metric.needs_sources:
        raise click.UsageError(f"this {metric.name} was fitted without sources; leave them out")


def system_names(files: Sequence[str]) -> list[str]:
    """Return the files' names, as sacrebleu names systems; their paths where names are not unique."""
    names = [Path(file).name for file in files]
    if len(set(names)) == len(names):
        return names
    return [file if names.count(name) > 1 else name for file, name in zip(files, names, strict=True)]
