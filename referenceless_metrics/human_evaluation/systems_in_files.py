"""Systems' outputs for the same items, from a file each.

Segments lie in clusters, such as documents, if a column of them is named. If one is called as such columns are and is
not named, a note says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referenceless_metrics.command_line.cluster_files import clusters_by_line, is_cluster_file
from referenceless_metrics.command_line.system_files import system_names
from referenceless_metrics.core.files.documents import ITEM, are_documents
from referenceless_metrics.core.files.formats_of_files import file_format, source_name
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.tables import BlockSize, Table
from referenceless_metrics.core.files.text_io import is_dataset_spec, read_text_blocks
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.files_in_order import SystemFile, check_order, on_sources, paired_by_item
from referenceless_metrics.human_evaluation.inputs_beside import check_same_inputs
from referenceless_metrics.human_evaluation.language_pairs import cells_of_languages, check_one_pair
from referenceless_metrics.human_evaluation.system_table import CLUSTERS, Segments, names_in_column, note_columns

_ITEMS = "--item-column"


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
            the baseline's file. None for rows that are paired by their place; folders of texts tell items by names.
        cluster_column: the column of the segments' clusters, which each file that has it must tell alike, or a .txt
            file with a line for each row of the baseline's; None without.

    Raises:
        click.UsageError: for two systems of one name.
        InputError: for a file that cannot be read, a column that no file has, several pairs of languages, or files that
            tell other items or clusters.
    """
    if cluster_column is not None and is_cluster_file(cluster_column):
        found = systems_in_files(files, names, text_column=text_column, reading=reading, item_column=item_column)
        n_segments = len(found.systems[0][1])
        return found._replace(clusters=clusters_by_line(cluster_column, range(n_segments), source_name(files[0])))
    if item_column is None and all(map(are_documents, files)):
        item_column = ITEM
    called = system_names(files, names)
    read: list[SystemFile] = []
    lacking: list[Table] = []
    languages: list[Mapping[str, Sequence[Any]]] = []
    for file in files:
        of_file = SystemFile(source_name(file), items=None if item_column is None else [])
        has_columns = not is_dataset_spec(file) and file_format(file, reading, "txt") != "txt"
        for table, part in read_text_blocks(file, text_column=text_column, reading=reading, size=BlockSize()):
            of_file.texts += part
            if cluster_column is None:
                if not read and not table.first:
                    note_columns(table, range(len(table.rows)))
            elif has_columns and table.has_own(cluster_column):
                of_file.clusters = [*(of_file.clusters or ()), *names_in_column(table, cluster_column, CLUSTERS)]
            elif has_columns:
                lacking.append(table)
            of_file.columns.add(table)
            languages.append(cells_of_languages(table))
            if of_file.items is not None and has_columns:
                of_file.items += names_in_column(table, str(item_column), _ITEMS)
            elif of_file.items is not None:
                raise InputError(
                    f"{of_file.source}: lines of text hold no column {str(item_column)!r} ({_ITEMS}): give tables, or "
                    f"leave {_ITEMS} out, which pairs outputs by their place"
                )
        read.append(of_file)
    check_one_pair(", ".join(of_file.source for of_file in read), languages, [item_column, cluster_column])
    has_clusters = any(of_file.clusters is not None for of_file in read)
    if cluster_column is not None and not has_clusters and not lacking:
        raise InputError(
            f"{files[0]}: lines of text hold no column {str(cluster_column)!r} ({CLUSTERS}): give tables, or a .txt "
            f"file with the cluster of each line ({CLUSTERS} FILE.txt)"
        )
    if cluster_column is not None and not has_clusters:
        names_in_column(lacking[0], cluster_column, CLUSTERS)  # the error lists the columns
    condition = ""
    items = read[0].items
    if item_column is None:
        check_same_inputs(files)
        condition = check_order(read, text_column)
    else:
        read = paired_by_item(read, item_column)
    condition = condition or on_sources(read, text_column, by_item=item_column is not None)
    systems = [(name, of_file.texts) for name, of_file in zip(called, read, strict=True)]
    clusters = None if cluster_column is None else _common_clusters(read, cluster_column)
    return Segments(systems, clusters, condition=condition, items=items, item_column=str(item_column or ""))


def check_same_items(files: Sequence[str], text_column: str, reading: Reading) -> None:
    """Check that rows of one place in several files may be of one item.

    Raises:
        OtherOrderError: for files whose ids show another order.
        InputError: for a file that cannot be read.
    """
    read = []
    for file in files:
        of_file = SystemFile(source_name(file))
        for table, part in read_text_blocks(file, text_column=text_column, reading=reading, size=BlockSize()):
            of_file.texts += part
            of_file.columns.add(table)
        read.append(of_file)
    check_same_inputs(files)
    check_order(read, text_column)
    on_sources(read, text_column, by_item=False)


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
