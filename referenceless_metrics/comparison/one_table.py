"""Systems' outputs: from a file each, or from one table with a column of systems, or of outputs for each.

Segments lie in clusters, such as documents, if a column of them is named. If one is called as such columns are and is
not named, a note says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from shlex import quote
from typing import NamedTuple

from referenceless_metrics.command_line.system_files import system_names
from referenceless_metrics.comparison.files_in_order import SystemFile, check_order, paired_by_item
from referenceless_metrics.core.files.joined_names import with_single_names
from referenceless_metrics.core.files.reading import Reading, tell
from referenceless_metrics.core.files.tables import BlockSize, Table, file_format, is_blank, null_notes, source_name
from referenceless_metrics.core.files.text_io import is_dataset_spec, read_table, read_text_blocks
from referenceless_metrics.core.support.validation import InputError, shortened
from referenceless_metrics.human_evaluation.inference.unnamed_clusters import note_on_columns

_ITEM = "item"
_ITEMS = "--item-column"
_CLUSTERS = "--cluster-column"


class Segments(NamedTuple):
    """Systems with their outputs for the same segments, and the cluster of each segment; None if nobody named that."""

    systems: list[tuple[str, list[str]]]
    clusters: list[str] | None = None


def systems_in_files(
    files: Sequence[str],
    names: Mapping[str, str],
    *,
    text_column: str,
    reading: Reading,
    item_column: str | None = None,
    cluster_column: str | None = None,
) -> Segments:
    """Return systems and their outputs, one file each. A file is read once: it may be standard input.

    Args:
        files: the files, the baseline first.
        names: the names that --name gives, by file.
        text_column: the column of the outputs.
        reading: the way to read the files.
        item_column: the column of the items, which each file must have: rows of one item are paired, in the order of
            the baseline's file. None for rows that are paired by their place.
        cluster_column: the column of the segments' clusters, which each file that has it must tell alike; None without.

    Raises:
        click.UsageError: for two systems of one name.
        InputError: for a file that cannot be read, a column that no file has, or files that tell other items or
            clusters.
    """
    called = system_names(files, names)
    read: list[SystemFile] = []
    lacking: list[Table] = []
    for file in files:
        of_file = SystemFile(source_name(file), items=None if item_column is None else [])
        has_columns = not is_dataset_spec(file) and file_format(file, reading, "txt") != "txt"
        for table, part in read_text_blocks(file, text_column=text_column, reading=reading, size=BlockSize()):
            of_file.texts += part
            if cluster_column is None:
                if not read and not table.first:
                    _note_columns(table)
            elif has_columns and table.has_own(cluster_column):
                of_file.clusters = [*(of_file.clusters or ()), *_names(table, cluster_column, _CLUSTERS)]
            elif has_columns:
                lacking.append(table)
            if of_file.items is None:
                of_file.columns.add(table)
            elif has_columns:
                of_file.items += _names(table, str(item_column), _ITEMS)
            else:
                raise InputError(
                    f"{of_file.source}: lines of text hold no column {str(item_column)!r} ({_ITEMS}): give tables, or "
                    f"leave {_ITEMS} out, which pairs outputs by their place"
                )
        read.append(of_file)
    has_clusters = any(of_file.clusters is not None for of_file in read)
    if cluster_column is not None and not has_clusters and not lacking:
        raise InputError(f"{files[0]}: lines of text hold no column {str(cluster_column)!r} ({_CLUSTERS}): give tables")
    if cluster_column is not None and not has_clusters:
        _names(lacking[0], cluster_column, _CLUSTERS)  # the error lists the columns
    if item_column is None:
        check_order(read, text_column)
    else:
        read = paired_by_item(read, item_column)
    systems = [(name, of_file.texts) for name, of_file in zip(called, read, strict=True)]
    return Segments(systems, None if cluster_column is None else _common_clusters(read, cluster_column))


def _common_clusters(files: Sequence[SystemFile], cluster_column: str) -> list[str]:
    """Return the clusters that all files tell which have them.

    Raises:
        InputError: if two files tell other clusters.
    """
    first, *others = (file for file in files if file.clusters is not None)
    clusters = first.clusters or []
    for file in others:
        if file.clusters != clusters:
            are_moved = sorted(file.clusters or ()) == sorted(clusters)
            why = "the same clusters in another order than" if are_moved else "other clusters than"
            raise InputError(
                f"column {str(cluster_column)!r} of {file.source} has {why} that of {first.source}: segments must be "
                "the same, in the same order, or told by a column of items in each file (--item-column NAME)"
            )
    return clusters


def _note_columns(table: Table) -> None:
    """Say that a column is called as those of documents are."""
    note = note_on_columns(table.columns)
    tell([note] if note else [])


def systems_in_columns(
    file: str, *, text_columns: Sequence[str], reading: Reading, cluster_column: str | None = None
) -> Segments:
    """Return systems, named like their columns, and their outputs: each row holds one of each system.

    Args:
        file: the table.
        text_columns: the columns of the outputs, the baseline's first.
        reading: the way to read the file.
        cluster_column: the column of the segments' clusters; None without.

    Raises:
        InputError: for a file that cannot be read, a column that is not there or is named twice, and a cell that holds
            no text.
    """
    names = [str(column) for column in text_columns]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise InputError(f"expected a column of its own for each system, but --text-column names {twice[0]!r} twice")
    table = read_table(file, reading)
    systems = [(name, table.texts(column, null=True)) for name, column in zip(names, text_columns, strict=True)]
    for column in text_columns:
        tell(_null_notes(table, column))
    if cluster_column is None:
        _note_columns(table)
        return Segments(systems)
    return Segments(systems, _names(table, cluster_column, _CLUSTERS))


def systems_of_one_table(
    file: str,
    *,
    text_column: str,
    system_column: str,
    item_column: str | None,
    reading: Reading,
    cluster_column: str | None = None,
) -> Segments:
    """Return each system's name and outputs, in the order of the table, for the same items in the same order.

    Args:
        file: the table.
        text_column: the column of the outputs.
        system_column: the column of the systems.
        item_column: the column of the outputs' items; None for `item` if there is one, and else the order within each
            system.
        reading: the way to read the file.
        cluster_column: the column of the items' clusters, within which their numbers may begin again; None without.

    Raises:
        InputError: for a file that cannot be read, a row without a system or item, a system that has two outputs of an
            item, and systems with outputs of other items or other numbers of outputs.
    """
    table = read_table(file, reading)
    table, joined = with_single_names(table, system_column)
    tell(joined)
    texts = table.texts(text_column, null=True)
    tell(_null_notes(table, text_column))
    systems = _names(table, system_column, "--system-column")
    clusters = None
    if cluster_column is None:
        _note_columns(table)
    else:
        clusters = _names(table, cluster_column, _CLUSTERS)
    if item_column is None and _ITEM not in table.columns:
        return _by_order(table, texts, systems, clusters)
    items: list[tuple[str, ...]] = [(item,) for item in _names(table, item_column or _ITEM, "--item-column")]
    if clusters is not None:
        items = [(*item, cluster) for item, cluster in zip(items, clusters, strict=True)]
    outputs: dict[str, dict[tuple[str, ...], str]] = {}
    for row, (system, item, text) in enumerate(zip(systems, items, texts, strict=True)):
        of_system = outputs.setdefault(system, {})
        if item in of_system:
            raise InputError(
                f"{table.where(row)}: system {system!r} has a second output of item {item[0]!r}: name the column that "
                f"tells items apart (--item-column), or both (--item-column {quote(str(item_column or _ITEM))} "
                "--item-column COLUMN), or take a part of the rows (--where COLUMN=VALUE)"
            )
        of_system[item] = text
    first = next(iter(outputs))
    for system, of_system in outputs.items():
        other = set(outputs[first]) ^ set(of_system)
        if other:
            raise InputError(
                f"{table.source}: {first} and {system} have outputs of other items, such as {min(other)[0]!r}: take "
                "items that all systems have outputs of"
            )
    found = [(system, [of_system[item] for item in outputs[first]]) for system, of_system in outputs.items()]
    return Segments(found, None if clusters is None else [item[-1] for item in outputs[first]])


def outputs_of_one_table(
    file: str, text_column: str, system_column: str, reading: Reading
) -> list[tuple[str, list[str]]]:
    """Return each system's name and outputs, in the order of the table, whatever items they are of.

    Raises:
        InputError: for a file that cannot be read, and a row without a system.
    """
    table = read_table(file, reading)
    table, joined = with_single_names(table, system_column)
    tell(joined)
    texts = table.texts(text_column, null=True)
    tell(_null_notes(table, text_column))
    outputs: dict[str, list[str]] = {}
    for system, text in zip(_names(table, system_column, "--system-column"), texts, strict=True):
        outputs.setdefault(system, []).append(text)
    return list(outputs.items())


def _by_order(table: Table, texts: list[str], systems: list[str], clusters: list[str] | None) -> Segments:
    """Return systems whose n-th outputs are of one item."""
    outputs: dict[str, list[str]] = {}
    clusters_of: dict[str, list[str]] = {}
    for row, (system, text) in enumerate(zip(systems, texts, strict=True)):
        outputs.setdefault(system, []).append(text)
        clusters_of.setdefault(system, []).append("" if clusters is None else clusters[row])
    if len({len(of_system) for of_system in outputs.values()}) > 1:
        listed = shortened(", ".join(f"{system} {len(of_system)}" for system, of_system in outputs.items()), 120)
        raise InputError(
            f"{table.source}: systems have different numbers of outputs ({listed}), so that their order does not tell "
            "items: name the column of items (--item-column)"
        )
    tell(["there is no column of items: the n-th output of each system is of item n (--item-column NAME)"])
    first = systems[0]
    for system, of_system in clusters_of.items():
        if of_system != clusters_of[first]:
            raise InputError(
                f"{table.source}: outputs of {system} lie in other clusters ({_CLUSTERS}) than those of {first} in the "
                "same order: name the column of items (--item-column)"
            )
    return Segments(list(outputs.items()), None if clusters is None else clusters_of[first])


def _null_notes(table: Table, column: str) -> list[str]:
    n_null = sum(cell is None for cell in table.column(column))
    return null_notes(f"{table.source}, column {str(column)!r}", n_null, len(table.rows))


def _names(table: Table, column: str, option: str) -> list[str]:
    cells = table.column(column, option)
    for row, cell in enumerate(cells):
        if is_blank(cell):
            raise InputError(f"{table.where(row)}: there is nothing in column {str(column)!r} ({option})")
    return [str(cell).strip() for cell in cells]
