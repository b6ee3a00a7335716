"""Systems' outputs in one table, with a column of systems or one for each: the n-th output of each is of item n."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from shlex import quote
from typing import Any, NamedTuple

from referenceless_metrics.command_line.cluster_files import clusters_by_line, is_cluster_file, places_within
from referenceless_metrics.core.files.joined_names import with_single_names
from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.reading import MISSING, Reading, cell_of, names_in, tell
from referenceless_metrics.core.files.tables import Table, null_notes
from referenceless_metrics.core.files.text_io import read_table, references_of
from referenceless_metrics.core.support.validation import InputError, shortened
from referenceless_metrics.human_evaluation.files_in_order import columns_of_ids, ids_among
from referenceless_metrics.human_evaluation.inference.unnamed_clusters import cluster_in_key, note_on_columns
from referenceless_metrics.human_evaluation.language_pairs import check_pair_of_table
from referenceless_metrics.human_evaluation.source_columns import OTHER_ITEMS, n_unlike, names_source

_ITEM = "item"
CLUSTERS = "--cluster-column"


class Segments(NamedTuple):
    """Systems with their outputs for the same segments.

    Attributes:
        systems: names and outputs, the baseline first.
        clusters: the cluster of each segment; None if nobody named that.
        sources: the source of each segment, likewise.
        condition: the condition under which outputs of one place are of one segment, such as "If row n of each file is
            of the same input (…)", if the files leave that open; "" if they do not.
        items: the item of each segment; None if no column tells them.
        item_column: that column; "" without.
        rows: of one table of all systems, the baseline's rows in the order of segments; None of files.
    """

    systems: list[tuple[str, list[str]]]
    clusters: list[str] | None = None
    sources: list[Any] | None = None
    condition: str = ""
    items: Sequence[str] | None = None
    item_column: str = ""
    rows: Table | None = None


class OutputsApart(NamedTuple):
    """Systems with their outputs, whatever items these are of.

    Attributes:
        systems: names and outputs, in the order of the table or of the files.
        items: the item of each output, none twice of a system; None if nothing tells that.
        sources: the source of each output; None without.
    """

    systems: list[tuple[str, list[str]]]
    items: list[list[str]] | None = None
    sources: list[list[Any]] | None = None


def outputs_of_one_table(
    file: str, text_column: str, system_column: str, reading: Reading, source_column: str | None = None
) -> OutputsApart:
    """Return each system's name and outputs, in the order of the table, with their items if a column `item` tells them.

    Without, an output is called by its system and its id, if a column tells ids.

    Raises:
        InputError: for a file that cannot be read, several pairs of languages, and a row without a system.
    """
    table = read_table(file, reading)
    check_pair_of_table(table, [system_column])
    table, joined = with_single_names(table, system_column)
    tell(joined)
    texts = table.texts(text_column, null=True)
    tell(null_notes_of(table, text_column))
    cells: Sequence[Any] = table.column(_ITEM, "--item-column") if _ITEM in table.columns else [None] * len(texts)
    outputs: dict[str, list[str]] = {}
    items: dict[str, list[str]] = {}
    sources: dict[str, list[Any]] = {}
    of_texts = [None] * len(texts) if source_column is None else table.column(source_column, "--source-column")
    systems = names_in_column(table, system_column, "--system-column")
    for system, text, cell, source in zip(systems, texts, cells, of_texts, strict=True):
        sources.setdefault(system, []).append(source)
        outputs.setdefault(system, []).append(text)
        items.setdefault(system, []).append("" if is_blank(cell) else str(cell).strip())
    are_told = all("" not in of_system and len(set(of_system)) == len(of_system) for of_system in items.values())
    of_outputs = None if source_column is None else list(sources.values())
    are_shared = len(set(chain.from_iterable(items.values()))) < len(texts)
    if are_told and (are_shared or _ITEM not in table.counted):
        return OutputsApart(list(outputs.items()), list(items.values()), of_outputs)
    ids = ids_among({name: table.column(name) for name in columns_of_ids(table)}, len(texts))
    called: dict[str, list[str]] = {}
    for system, each in zip(systems if ids else (), ids, strict=True):
        called.setdefault(system, []).append(f"{system}/{each}")
    return OutputsApart(list(outputs.items()), list(called.values()) or None, of_outputs)


def tables_of_systems(file: str, system_column: str, reading: Reading) -> dict[str, Table]:
    """Return each system's rows of one table, in the order of its outputs (see `outputs_of_one_table`).

    Raises:
        InputError: for a file that cannot be read, and a row without a system.
    """
    table, _ = with_single_names(read_table(file, reading), system_column)
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names_in_column(table, system_column, "--system-column")):
        places.setdefault(name, []).append(place)
    return {
        name: replace(
            table,
            rows=[table.rows[place] for place in of_system],
            lines=[table.lines[place] for place in of_system] if table.lines else [],
        )
        for name, of_system in places.items()
    }


def systems_of_one_table(
    file: str,
    *,
    text_column: str,
    system_column: str,
    item_column: str | None,
    reading: Reading,
    cluster_column: str | None = None,
    clusters_count: bool = True,
    source_column: str | None = None,
    reference_columns: Sequence[str] = (),
) -> Segments:
    """Return each system's name and outputs, in the order of the table, for the same items in the same order.

    Args:
        file: the table.
        text_column: the column of the outputs.
        system_column: the column of the systems.
        item_column: the column of the outputs' items; None for `item` if there is one, and else the order within each
            system.
        reading: the way to read the file.
        cluster_column: the column of the items' clusters, within which their numbers may begin again; None for the one
            that the key of items tells, if any.
        clusters_count: whether clusters may count; if not, none are told, and no note points to their column.
        source_column: the column of the items' sources; None without.
        reference_columns: the columns of the items' references, by name or pattern, which are to be alike.

    Raises:
        InputError: for a file that cannot be read, a row without a system or item, a system that has two outputs of an
            item, and systems with outputs of other items or other numbers of outputs, or other sources or references of
            an item.
    """
    table = read_table(file, reading)
    check_pair_of_table(table, [system_column, item_column, cluster_column])
    table, joined = with_single_names(table, system_column)
    tell(joined)
    texts = table.texts(text_column, null=True)
    tell(null_notes_of(table, text_column))
    systems = names_in_column(table, system_column, "--system-column")
    clusters = None
    has_items = item_column is not None or _ITEM in table.columns
    parts = names_in(item_column) if item_column is not None and item_column not in table.columns else []
    if cluster_column is None and clusters_count and len(parts) > 1:
        in_key, on_key = cluster_in_key({name: table.column(name, "--item-column") for name in parts})
        cluster_column = in_key or None
        tell([on_key] if on_key else [])
    if cluster_column is None:
        if clusters_count:
            note_columns(table, places_within(systems))
    else:
        items: Sequence[Any] = places_within(systems)
        items = names_in_column(table, item_column or _ITEM, "--item-column") if has_items else items
        clusters = clusters_of(table, cluster_column, items)
    if not has_items:
        rows = _rows_by_order(table, systems, clusters)
    else:
        rows = _rows_by_item(table, item_column or _ITEM, systems, clusters)
    first, *others = rows.values()
    sources = None
    if source_column is not None:
        cells = table.column(source_column, "--source-column")
        sources = [cells[row] for row in first]
        if any([cells[row] for row in of_system] != sources for of_system in others):
            raise InputError(
                f"{table.source}: outputs of one item have different sources in column {str(source_column)!r} "
                "(--source-column): name the column that tells items (--item-column)"
            )
    if reference_columns:
        references = references_of(table, reference_columns)
        of_first = [references[row] for row in first]
        if any([references[row] for row in of_system] != of_first for of_system in others):
            raise InputError(
                f"{table.source}: outputs of one item have different references (--reference-columns): name the column "
                "that tells items (--item-column)"
            )
    known = (text_column, system_column, item_column, source_column)
    condition = _on_sources(table, rows, known) if len(rows) > 1 else ""
    lines = [table.lines[row] for row in first] if table.lines else []
    of_baseline = replace(table, rows=[table.rows[row] for row in first], lines=lines)
    return Segments(
        [(system, [texts[row] for row in of_system]) for system, of_system in rows.items()],
        None if clusters is None else [clusters[row] for row in first],
        sources,
        condition,
        [str(cell).strip() for cell in of_baseline.column(item_column or _ITEM)] if has_items else None,
        str(item_column or _ITEM) if has_items else "",
        of_baseline,
    )


def systems_in_columns(
    file: str,
    *,
    text_columns: Sequence[str],
    reading: Reading,
    cluster_column: str | None = None,
    source_column: str | None = None,
) -> Segments:
    """Return systems, named like their columns, and their outputs: each row holds one of each system.

    Args:
        file: the table.
        text_columns: the columns of the outputs, the baseline's first.
        reading: the way to read the file.
        cluster_column: the column of the segments' clusters; None without.
        source_column: the column of the segments' sources; None without.

    Raises:
        InputError: for a file that cannot be read, a column that is not there or is named twice, and a cell that holds
            no text.
    """
    names = [str(column) for column in text_columns]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise InputError(f"expected a column of its own for each system, but --text-column names {twice[0]!r} twice")
    table = read_table(file, reading)
    check_pair_of_table(table, [cluster_column])
    systems = [(name, table.texts(column, null=True)) for name, column in zip(names, text_columns, strict=True)]
    for column in text_columns:
        tell(null_notes_of(table, column))
    sources = None if source_column is None else table.column(source_column, "--source-column")
    if cluster_column is None:
        note_columns(table, range(len(table.rows)))
        return Segments(systems, sources=sources, rows=table)
    return Segments(systems, clusters_of(table, cluster_column, range(len(table.rows))), sources, rows=table)


def _rows_by_item(
    table: Table, item_column: str, systems: list[str], clusters: list[str] | None
) -> dict[str, list[int]]:
    """Return the rows of each system, in the order in which the first one has the items."""
    items: list[tuple[str, ...]] = [(item,) for item in names_in_column(table, item_column, "--item-column")]
    if clusters is not None:
        items = [(*item, cluster) for item, cluster in zip(items, clusters, strict=True)]
    rows: dict[str, dict[tuple[str, ...], int]] = {}
    for row, (system, item) in enumerate(zip(systems, items, strict=True)):
        of_system = rows.setdefault(system, {})
        if item in of_system:
            raise InputError(
                f"{table.where(row)}: system {system!r} has a second output of item {item[0]!r}: name the column that "
                f"tells items apart (--item-column), or both (--item-column {quote(str(item_column))} "
                "--item-column COLUMN), or take a part of the rows (--where COLUMN=VALUE)"
            )
        of_system[item] = row
    first = next(iter(rows))
    for system, of_system in rows.items():
        other = set(rows[first]) ^ set(of_system)
        if other:
            raise InputError(
                f"{table.source}: {first} and {system} have outputs of other items, such as {min(other)[0]!r}: take "
                f"items that all systems have outputs of; {OTHER_ITEMS}"
            )
    return {system: [of_system[item] for item in rows[first]] for system, of_system in rows.items()}


def _rows_by_order(table: Table, systems: list[str], clusters: list[str] | None) -> dict[str, list[int]]:
    """Return the rows of each system; the n-th ones are of one item."""
    rows: dict[str, list[int]] = {}
    for row, system in enumerate(systems):
        rows.setdefault(system, []).append(row)
    if len({len(of_system) for of_system in rows.values()}) > 1:
        listed = shortened(", ".join(f"{system} {len(of_system)}" for system, of_system in rows.items()), 120)
        raise InputError(
            f"{table.source}: systems have different numbers of outputs ({listed}), so that their order does not tell "
            f"items: name the column of items (--item-column); {OTHER_ITEMS}"
        )
    tell(["there is no column of items: the n-th output of each system is of item n (--item-column NAME)"])
    first = systems[0]
    for system, of_system in rows.items():
        if clusters is not None and [clusters[row] for row in of_system] != [clusters[row] for row in rows[first]]:
            raise InputError(
                f"{table.source}: outputs of {system} lie in other clusters ({CLUSTERS}) than those of {first} in the "
                "same order: name the column of items (--item-column)"
            )
    return rows


def _on_sources(table: Table, rows: Mapping[str, Sequence[int]], known: Collection[str | None]) -> str:
    """Say that outputs of one item have different sources, and return the condition under which they are of one.

    Args:
        table: the table.
        rows: the rows of each system, in the order of the items.
        known: columns that hold something else.

    Returns:
        The condition, as of `Segments`; "" if no column called as one of sources differs.
    """
    n_items = len(next(iter(rows.values())))
    for name in table.columns:
        if name in known or not names_source(name):
            continue
        cells = [_as_text(cell_of(row, name)) for row in table.rows]
        n = n_unlike([[cells[row] for row in of_system] for of_system in rows.values()])
        if n:
            differs = f"column {name!r} differs for {n} of {n_items}"
            tell([f"{table.source}: outputs of one item have different sources: {differs} items; {OTHER_ITEMS}"])
            return f"If outputs of one item are of the same input ({differs}; {OTHER_ITEMS})"
    return ""


def _as_text(cell: object) -> str:
    return "" if cell is MISSING or cell is None else str(cell).strip()


def note_columns(table: Table, items: Sequence[int]) -> None:
    """Say that a column is called as those of documents are, unless it has a value of its own for each item.

    Args:
        table: the table.
        items: the item of each row, by its place among those of the row's system.
    """
    note = note_on_columns(table.columns, table.column, items)
    tell([note] if note else [])


def null_notes_of(table: Table, column: str) -> list[str]:
    """Return a note on the cells of a column that hold null."""
    n_null = sum(cell is None for cell in table.column(column))
    return null_notes(f"{table.source}, column {str(column)!r}", n_null, len(table.rows))


def clusters_of(table: Table, cluster_column: str, items: Sequence[Any]) -> list[str]:
    """Return the cluster of each row, by a column or by the lines of a .txt file.

    Args:
        table: the table.
        cluster_column: the column, or the file.
        items: the item of each row.
    """
    if is_cluster_file(cluster_column):
        return clusters_by_line(cluster_column, items, table.source)
    return names_in_column(table, cluster_column, CLUSTERS)


def names_in_column(table: Table, column: str, option: str) -> list[str]:
    """Return the cells of a column as names.

    Args:
        table: the table.
        column: the column.
        option: the option that names it.

    Raises:
        InputError: for a blank cell.
    """
    cells = table.key_cells(column, option)
    for row, cell in enumerate(cells):
        if is_blank(cell):
            raise InputError(f"{table.where(row)}: there is nothing in column {str(column)!r} ({option})")
    return [str(cell).strip() for cell in cells]
