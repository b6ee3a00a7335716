"""References and sources of texts: the options that name them, their checks, and reading them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

import click

from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.text_options import COLUMN
from referenceless_metrics.core.files.documents import ITEM, are_documents
from referenceless_metrics.core.files.formats_of_files import file_format
from referenceless_metrics.core.files.json_rows import TEXT
from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.opening import STDIN
from referenceless_metrics.core.files.reading import BY_SUFFIX, tell
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.text_io import (
    has_column,
    is_dataset_spec,
    lists_of_texts,
    read_table,
    read_texts,
    references_of,
)
from referenceless_metrics.core.metric import Metric
from referenceless_metrics.core.registry import MetricSpec
from referenceless_metrics.core.support.validation import InputError, Options, shortened

REFERENCES = Rare(
    ["--references"],
    multiple=True,
    type=click.Path(),
    help="File with a reference for each text, in the same order: a line each (a blank one is none), or a column named "
    "reference; may be repeated.",
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


def _of_file(option: click.Option, file: str) -> Rare:
    """Return an option for a column that may lie in a file of its own, which another option names."""
    more = f"{option.help} Of {file}; without it, of the texts' own file (the baseline's)."
    return Rare(option.opts, type=COLUMN, multiple=option.multiple, metavar="NAME", help=more)


COLUMNS_BESIDE = (_of_file(REFERENCE_COLUMNS, "--references"), _of_file(SOURCE_COLUMN, "--sources"))
"""Options for columns of references and sources, of commands that take files of them, too."""

_SOURCE, _REFERENCE = "source", "reference"
"""The columns of sources and of references in a file of their own."""


def _baselines(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names that `--with` gives, each once."""
    if not values:
        return ()
    from referenceless_metrics.command_line.baselines import NAMES, not_computed

    names = [name.strip() for name in ",".join(values).split(",") if name.strip()]
    if unknown := [name for name in names if name.lower() not in NAMES]:
        told = not_computed(unknown[0])
        raise click.BadParameter(f"expected some of {', '.join(NAMES)}, but got {unknown[0]!r}{told}")
    return tuple(dict.fromkeys(map(str.lower, names)))


WITH = click.Option(
    ["--with", "others"],
    multiple=True,
    callback=_baselines,
    metavar="NAME,…",
    help="Metrics with references: bleu, chrf, chrf++, ter. They need --references. Of all texts; `score` writes them "
    "of each text, too.",
)


class Items(NamedTuple):
    """The items of texts, by which rows of a further file are found that has their column, too.

    Attributes:
        column: the column.
        values: the item of each text.
    """

    column: str
    values: Sequence[str]


def reference_streams(
    files: Sequence[str],
    n_texts: int,
    of: str,
    *,
    columns: Sequence[str] = (),
    every_text: bool = False,
    items: Items | None = None,
) -> list[list[str]]:
    """Read files of references, one stream per file, or per column if columns are named; a blank one is no reference.

    Args:
        files: the files.
        n_texts: the number of texts.
        of: the file of the texts, for messages.
        columns: the columns of references in each file, by name or pattern; none for `reference`.
        every_text: whether each text must have a reference.
        items: the texts' items; None if nothing tells them.

    Raises:
        InputError: for a file with another number of rows, a column that is not there, or a text without a reference.
    """
    streams: list[list[str]] = []
    for file in files:
        if columns:
            streams += streams_of(read_table(file), columns, n_texts, of, items=items)
            continue
        column = TEXT if are_documents(file) else _REFERENCE
        if _has_items(file, items):
            table = read_table(file)
            _check_called(table, file, column, "--references", "--reference-columns")
            single = [[text] for text in table.texts(column, null=True)]
            of_texts = _as_many(_references_of_items(single, table, items, of), "references", file, n_texts, of)
            for stream in zip_longest(*of_texts, fillvalue=""):
                streams += _streams_in(list(stream), file)
            continue
        try:
            of_file = read_texts(file, text_column=column)
        except InputError:
            if file_format(file, BY_SUFFIX, "txt") != "txt" and not is_dataset_spec(file):
                _check_called(read_table(file), file, column, "--references", "--reference-columns")
            raise
        streams += _streams_in(_as_many(of_file, "references", file, n_texts, of), file)
    if streams and every_text:
        for place, texts in enumerate(zip(*streams, strict=True)):
            if not any(text.strip() for text in texts):
                raise InputError(f"{', '.join(files)}: no reference for text {place + 1}")
    return streams


def _streams_in(texts: list[str], file: str) -> list[list[str]]:
    """Return references as one stream; of texts that all hold lists of references, as many as the longest list has."""
    lists = lists_of_texts(texts)
    if lists is None:
        return [texts]
    tell([f"{file}: each reference is a list of texts, and each of these is a reference"])
    return [list(stream) for stream in zip_longest(*(each or [""] for each in lists), fillvalue="")]


def streams_of(
    table: Table, columns: Sequence[str], n_texts: int, of: str, *, items: Items | None = None
) -> list[list[str]]:
    """Return the references of each row of a table as streams; a text with fewer than others has blank ones.

    Args:
        table: the rows.
        columns: the columns of references, by name or pattern.
        n_texts: the number of texts.
        of: the file of the texts, for messages.
        items: the texts' items; None if the rows are in the order of the texts.

    Raises:
        InputError: for another number of rows, and as `references_of`.
    """
    in_order = _references_of_items(references_of(table, columns), table, items, of)
    of_rows = _as_many(in_order, "references", table.source, n_texts, of)
    return [list(stream) for stream in zip_longest(*of_rows, fillvalue="")]


def _has_items(file: str, items: Items | None) -> bool:
    """Say whether a file is a table with the column that tells texts' items."""
    if items is None or is_dataset_spec(file) or file_format(file, BY_SUFFIX, "txt") == "txt":
        return False
    return has_column(file, BY_SUFFIX, items.column)


def _references_of_items(references: list[list[str]], table: Table, items: Items | None, of: str) -> list[list[str]]:
    """Return the references in the rows of a file in the order of the texts' items, as `_of_items` does.

    The rows of an item each hold references of it, as captions of an image by several people.
    """
    if items is None or not table.has(items.column):
        return references
    cells = _item_cells(table, items)
    if len(set(cells)) == len(cells) or cells == list(items.values):
        return _of_items(references, table, items, of)
    of_item: dict[str, dict[str, None]] = {}
    for item, texts in zip(cells, references, strict=True):
        of_item.setdefault(item, {}).update(dict.fromkeys(texts))
    together = [list(of_item[item]) for item in cells]
    counts = [len(of_item[item]) for item in set(items.values) & of_item.keys()]
    n_several = sum(count > 1 for count in counts)
    if n_several:
        tell(
            [
                f"{table.source}: {n_several} of {len(counts)} items have several rows, up to {max(counts)}, and what "
                "stands in each is a reference"
            ]
        )
    return _of_items(together, table, items, of)


def _item_cells(table: Table, items: Items) -> list[str]:
    """Return the item of each row of a file; a blank one is ""."""
    return ["" if is_blank(cell) else str(cell).strip() for cell in table.column(items.column)]


def _of_items(values: list[Any], table: Table, items: Items | None, of: str) -> list[Any]:
    """Return values of the rows of a file in the order of the texts' items, if a column of the file tells these.

    Args:
        values: a value of each row.
        table: the rows.
        items: the texts' items; None if nothing tells them.
        of: the file of the texts, for messages.

    Raises:
        InputError: for an item without a row, one whose rows have several values, and another order of items that
            repeat.
    """
    if items is None or not table.has(items.column):
        return values
    cells = _item_cells(table, items)
    if cells == list(items.values):
        return values
    told = f"column {str(items.column)!r} (--item-column) of {table.source}"
    if len(set(items.values)) < len(items.values):
        raise InputError(f"{told} holds other items than {of}, or in another order, and items that repeat tell no row")
    asked = set(items.values)
    found: dict[str, Any] = {}
    for item, value in zip(cells, values, strict=True):
        if item in asked and found.setdefault(item, value) != value:
            raise InputError(
                f"{told} holds {shortened(item, 60)!r} in rows that do not tell the same: leave one of them"
            )
    lacking = [item for item in items.values if item not in found]
    if lacking:
        raise InputError(
            f"{told} lacks {len(lacking)} of {len(items.values)} items of {of}, such as {shortened(lacking[0], 60)!r}"
        )
    tell([f"{table.source}: its rows are taken by column {str(items.column)!r} (--item-column), not by their place"])
    return [found[item] for item in items.values]


def _check_called(table: Table, file: str, column: str, option: str, naming: str) -> None:
    """Check that a table in a file of its own has the column that is read without another name.

    Raises:
        InputError: naming the option by which another column is taken.
    """
    if not table.has(column):
        context = click.get_current_context(silent=True)
        taken = [] if context is None else [name for each in context.command.get_params(context) for name in each.opts]
        way = f"name that of the {column}s ({naming} NAME), call it so" if naming in taken else "call one so"
        raise InputError(
            f"{file}: there is no column {column!r} ({option}); the columns are "
            f"{shortened(', '.join(map(repr, map(str, table.columns))), 120)}: {way}, or write the {column}s "
            "one a line into a .txt file"
        )


def check_beside(spec: MetricSpec, file: str | None, options: Options, others: Sequence[str] = ()) -> None:
    """Check the options of references and sources before any file is read.

    Args:
        spec: the metric's entry.
        file: the file of the texts; None if there are several.
        options: `references`, `sources` and their columns, as far as the command has these options.
        others: the metrics of `--with`.

    Raises:
        click.UsageError: for a metric that does not read what is named, references that are missing, or a column of
            standard input.
    """
    reading = [*([spec.name] if spec.needs_references else ()), *others]
    for kind, column, read in (
        ("references", "reference_columns", bool(reading)),
        ("sources", "source_column", spec.needs_sources),
    ):
        ways = {f"--{way.replace('_', '-')}": options[way] for way in (kind, column) if way in options}
        named = [way for way, values in ways.items() if values]
        if named and not read:
            raise click.UsageError(f"{spec.name} reads no {kind}; leave them out")
        if options.get(column) and not options.get(kind) and file == STDIN:
            raise click.UsageError(f"{named[0]} needs a file, not standard input")
        if reading and kind == "references" and not named:
            raise click.UsageError(f"{', '.join(reading)} needs references: give {' or '.join(ways)}")


def read_sources(
    file: str, n_texts: int, sources: str | None, column: str | None = None, items: Items | None = None
) -> list[Any] | None:
    """Return the source of each text from a file, or None if none is named.

    Args:
        file: the file of the texts, for messages.
        n_texts: their number.
        sources: the file of the sources; None without.
        column: its column of sources; None for `source`.
        items: the texts' items; None if nothing tells them.

    Raises:
        InputError: for a file that cannot be read or has another length.
    """
    if not sources:
        return None
    usual = TEXT if are_documents(sources) else _SOURCE
    if column is None and file_format(sources, BY_SUFFIX, "txt") == "txt":
        values: list[Any] = list(read_texts(sources))
    else:
        table = read_table(sources)
        if column is None:
            _check_called(table, sources, usual, "--sources", "--source-column")
        values = _of_items(table.column(column or usual, "--source-column"), table, items, file)
    return _as_many(values, "sources", sources, n_texts, file)


def _as_many(values: list[Any], what: str, source: str, n_texts: int, file: str) -> list[Any]:
    """Return the values of one file after checking that there is one for each text of another."""
    if len(values) != n_texts:
        raise InputError(f"{source} has {len(values)} {what}, but {file} has {n_texts} texts")
    return values


def inputs_of(table: Table, file: str, options: Options) -> tuple[list[list[str]] | None, list[Any] | None]:
    """Return the references and the sources of a block of texts; None for those that are not named.

    Args:
        table: the texts' rows.
        file: their file, for messages.
        options: see `check_beside`.

    Raises:
        InputError: for a missing column, and as `reference_streams` and `read_sources`.
    """
    references = None
    columns = options.get("reference_columns") or ()
    items = Items(ITEM, table.column(ITEM)) if are_documents(file) else None
    if options.get("references"):
        how: dict[str, Any] = {"columns": columns, "every_text": True, "items": items}
        streams = reference_streams(options["references"], len(table.rows), file, **how)
        references = [[text for text in texts if text.strip()] for texts in zip(*streams, strict=True)]
    elif columns:
        references = references_of(table, columns)
    column = options.get("source_column")
    if column and not options.get("sources"):
        return references, table.column(column, "--source-column")
    return references, read_sources(file, len(table.rows), options.get("sources"), column, items)


def check_sources_given(metric: Metric, sources: object) -> None:
    """Check that a metric that reads sources has them, and another has none.

    Raises:
        click.UsageError: naming the options.
    """
    if metric.needs_sources and sources is None:
        raise click.UsageError(f"{metric.name} needs sources here: give --source-column or --sources")
    if sources is not None and not metric.needs_sources:
        raise click.UsageError(f"this {metric.name} was fitted without sources; leave them out")
