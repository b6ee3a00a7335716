"""Folders of rating files, and the tables read from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referenceless_metrics.command_line.cluster_files import clusters_by_line, is_cluster_file
from referenceless_metrics.core.files.formats_of_files import suffix_of
from referenceless_metrics.core.files.reading import Reading, cell_of, names_in, tell
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.exports.rows import DOCUMENT
from referenceless_metrics.human_evaluation.language_pairs import cells_of_languages, check_one_pair
from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
from referenceless_metrics.human_evaluation.ratings.export_files import OF_TABLES, read_rating_rows
from referenceless_metrics.human_evaluation.ratings.exports.answers import ITEM, TEXT
from referenceless_metrics.human_evaluation.ratings.key_files import joined_with_keys
from referenceless_metrics.human_evaluation.ratings.study_ratings import is_study
from referenceless_metrics.human_evaluation.studies.reading import check_no_sheet

if TYPE_CHECKING:
    pass


def files_in_folders(sources: Sequence[str]) -> list[str]:
    """Return files, and in place of a folder that holds tables of one format these, as of a participant each.

    The folder of a study, or of a tool, is one source.
    """
    found: list[str] = []
    for source in sources:
        inside = [] if is_study(source) or not Path(source).is_dir() else tables_in(Path(source))
        if inside:
            tell([f"{source}: the {len(inside)} files in this folder are read together"])
        found += inside or [source]
    return found


def tables_in(folder: Path) -> list[str]:
    """Return the tables in a folder, in the order of their names; none if other files stand among them."""
    inside = [each for each in sorted(folder.iterdir()) if not each.name.startswith(".")]
    formats = {suffix_of(str(each)) if each.is_file() else "" for each in inside}
    return [str(each) for each in inside] if len(formats) == 1 and formats <= set(OF_TABLES) else []


def folders_of_studies(sources: Sequence[str | Table]) -> list[str]:
    """Return the folders of studies.

    Raises:
        InputError: for another file beside them.
    """
    folders = [str(source) for source in sources if is_study(source)]
    others = [getattr(source, "source", source) for source in sources if not is_study(source)]
    if others:
        raise InputError(
            f"{folders[0]} is a study, and {others[0]} is none: studies are analysed with other studies alone, so "
            "give either"
        )
    return folders


def read_tables(sources: Sequence[str | Table], columns: RatingColumns, reading: Reading) -> list[Table]:
    """Return the tables of files, joined with their keys and clusters, all of one pair of languages."""
    wanted = columns.named
    if columns.words is not None:
        reading = replace(reading, words=columns.words)
    tables = [source if isinstance(source, Table) else read_rating_rows(source, reading, wanted) for source in sources]
    for each in tables:
        check_no_sheet(each)
    tables = joined_with_keys(tables, as_pairs=columns.preference is not None)
    check_one_pair(", ".join(each.source for each in tables), map(cells_of_languages, tables), columns.named)
    if columns.cluster is not None and is_cluster_file(columns.cluster):
        tables = [_with_clusters(table, columns, columns.cluster) for table in tables]
    return tables


def _with_clusters(table: Table, columns: RatingColumns, file: str) -> Table:
    """Return a table with the cluster of each row, which a .txt file tells, in a column that is called as the file.

    Raises:
        InputError: as `clusters_by_line`.
    """
    key = next((name for name in (columns.item or ITEM, columns.text or TEXT) if table.has_own(name)), None)
    items: list[Any] = list(range(len(table.rows)))
    if key is not None:
        names = names_in(table.called_here(key))
        items = [tuple(str(cell_of(row, name)) for name in names) for row in table.rows]
    try:
        clusters = clusters_by_line(file, items, table.source)
    except InputError as error:
        own = next((own for own, name in table.own_names.items() if name == DOCUMENT), DOCUMENT)
        if not table.has_own(own):
            raise
        raise InputError(f"{error}; or leave --cluster-column out: {table.source} tells documents itself") from None
    rows = [{**row, file: cluster} for row, cluster in zip(table.rows, clusters, strict=True)]
    return replace(table, columns=(*table.columns, file), rows=rows)
