"""Rating tables from files: long and wide tables, exports of annotation tools, and studies with their design."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import numpy as np

from referenceless_metrics.command_line.cluster_files import clusters_by_line, is_cluster_file
from referenceless_metrics.core.files.joined_names import with_single_names
from referenceless_metrics.core.files.names import file_names
from referenceless_metrics.core.files.reading import ALL_SHEETS, BY_SUFFIX, Reading, cell_of, names_in, tell
from referenceless_metrics.core.files.scales_in_words import usual_scale
from referenceless_metrics.core.files.summary_rows import note_on_summaries
from referenceless_metrics.core.files.tables import Table, is_blank, suffix_of
from referenceless_metrics.core.files.training_logs import check_is_no_training_log
from referenceless_metrics.core.files.workbooks import SHEET
from referenceless_metrics.core.support.validation import InputError, Record, shortened
from referenceless_metrics.human_evaluation.exports.error_lists import ERRORS
from referenceless_metrics.human_evaluation.exports.rows import DOCUMENT, MARKED
from referenceless_metrics.human_evaluation.exports.spans import MQM, MQM_WEIGHTS, TOLD_WEIGHTS, weights_told
from referenceless_metrics.human_evaluation.inference.output_ratings import check_same_scale
from referenceless_metrics.human_evaluation.inference.unlike_items import UnlikeItems
from referenceless_metrics.human_evaluation.inference.unnamed_clusters import (
    note_on_columns,
    note_on_items,
    note_on_told,
)
from referenceless_metrics.human_evaluation.inputs_beside import check_same_inputs
from referenceless_metrics.human_evaluation.language_pairs import cells_of_languages, check_one_pair
from referenceless_metrics.human_evaluation.ratings.asked_rows import note_on_asked_rows
from referenceless_metrics.human_evaluation.ratings.column_grid import CRITERIA_WORDS
from referenceless_metrics.human_evaluation.ratings.columns import (
    CRITERIA,
    SYSTEMS,
    RatingColumns,
    name_of,
    names,
    names_if_there,
    numbers,
)
from referenceless_metrics.human_evaluation.ratings.controls import note_on_controls
from referenceless_metrics.human_evaluation.ratings.cut_scores import cut_column
from referenceless_metrics.human_evaluation.ratings.export_files import OF_TABLES, read_rating_rows
from referenceless_metrics.human_evaluation.ratings.exports.answers import ITEM, PREFERENCE, RATER, RATING, SYSTEM, TEXT
from referenceless_metrics.human_evaluation.ratings.further_criteria import further_criteria
from referenceless_metrics.human_evaluation.ratings.joined_studies import joined_studies
from referenceless_metrics.human_evaluation.ratings.key_files import joined_with_keys
from referenceless_metrics.human_evaluation.ratings.keys import (
    check_keys,
    check_rated_texts,
    on_repeated_items,
    with_items_by_order,
    with_rows_as_items,
    with_whole_items,
)
from referenceless_metrics.human_evaluation.ratings.lists import are_names, names_beside
from referenceless_metrics.human_evaluation.ratings.model_raters import (
    JUDGES,
    MODELS,
    UNKNOWN,
    are_models,
    given_by,
    given_by_all,
    note_on_own_outputs,
)
from referenceless_metrics.human_evaluation.ratings.opponents import note_on_votes
from referenceless_metrics.human_evaluation.ratings.preference_files import holds_preferences, preferences_of_files
from referenceless_metrics.human_evaluation.ratings.ranks import are_ranks, told_ranks
from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable
from referenceless_metrics.human_evaluation.ratings.row_kinds import note_on_kinds
from referenceless_metrics.human_evaluation.ratings.scores_beside import replacing
from referenceless_metrics.human_evaluation.ratings.stray_points import note_on_stray_points
from referenceless_metrics.human_evaluation.ratings.texts_as_names import RATER_COLUMN, check_are_no_texts
from referenceless_metrics.human_evaluation.ratings.told_clusters import with_told_clusters
from referenceless_metrics.human_evaluation.ratings.unrated_rows import without_unrated_rows
from referenceless_metrics.human_evaluation.ratings.wide import WORDS, RatingRows, by_row, note_on_scales, rating_rows
from referenceless_metrics.human_evaluation.scores.columns import is_computed
from referenceless_metrics.human_evaluation.scores.learned import check_not_learned
from referenceless_metrics.human_evaluation.studies.completeness import completeness, is_over, unfinished_note
from referenceless_metrics.human_evaluation.studies.criteria import OVERALL
from referenceless_metrics.human_evaluation.studies.design import FILE
from referenceless_metrics.human_evaluation.studies.reading import (
    StudyRatings,
    check_no_sheet,
    left_out_note,
    marked_outputs,
    n_unshown_ties,
    read_study,
)
from referenceless_metrics.human_evaluation.studies.spans import SPANS
from referenceless_metrics.human_evaluation.studies.together import check_alike

if TYPE_CHECKING:
    import pandas as pd

_USUAL = RatingColumns()

_MAY_NAME = re.compile(
    r"(?:.*[._ -])?(?:system|model|generator|summarizer|policy|method|key)(?:[._ -]?(?:id|name))?", re.I
)
"""Names of columns that may name systems: a table with one is not taken for the ratings of one system."""

_MOST_NAMED = 4  # columns that a note names
_BY_FILE = "each file is of one system"

_ON_SPANS = (
    f"{SPANS}: the negative sum of the weights of the errors that a rater marked in an output: {TOLD_WEIGHTS} (MQM)"
)


def is_study(path: object) -> bool:
    """Say whether this is the folder of a study."""
    return isinstance(path, str) and (Path(path) / FILE).is_file()


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


def read_rating_table(
    sources: Sequence[str | Table],
    columns: RatingColumns = _USUAL,
    *,
    scale: tuple[float, float] | None = None,
    scales: Mapping[str, tuple[float, float]] | None = None,
    unpaired: bool = False,
    alone: bool = True,
    repeats: bool = False,
    by_file: bool = False,
    clusters: bool = True,
    reading: Reading = BY_SUFFIX,
) -> RatingTable:
    """Read ratings, or preferences.

    Args:
        sources: files of tables, tables that were read, or the folder of a study, or of several that ask the same.
        columns: names of the columns of the tables, and the way to read their cells.
        scale: the ends of the scale.
        scales: the ends of the scales of criteria, by name; None for `scale` or the study's own.
        unpaired: whether outputs of two systems are independent samples, whatever their items.
        alone: whether there are no files of the systems' outputs, by which ratings find their outputs.
        repeats: whether a rater may rate an output again; then several tables without raters are of a rater each.
        by_file: whether each file is one system if nothing names systems.
        clusters: whether the documents that a tool's export tells are clusters if no column of these is named, and a
            note points to a column that may tell them. False if they are told otherwise, or cannot count.
        reading: the way to read the files.

    Raises:
        InputError: for a file or a study that cannot be read, a column that is not there, a cell that is no rating, a
            name that is missing, rows that repeat an output and rater, a study beside other ratings, studies that do
            not ask the same, preferences beside ratings, several pairs of languages that no column tells apart, and
            scales of different sizes.
    """
    import pandas as pd

    if any(map(is_study, sources)):
        return _of_studies(_folders(sources), columns.words, scale, scales or {}, alone=alone)
    tables = _read_tables(sources, columns, reading)
    if _hold_preferences(tables, columns):
        return _preferences(tables, columns, scale, by_texts=repeats, clusters=clusters)
    _check_no_pairs(tables[0].source, columns)
    assumed = ""
    if repeats and len(tables) > 1:
        tables = _with_raters(tables, columns)
        if _rate_again(tables, columns):
            tables, _ = _with_systems(tables, columns)
    if by_file:
        tables, assumed = _of_systems(tables, columns, unpaired=unpaired)
    how: Record = {"unpaired": unpaired, "alone": alone, "repeats": repeats, "clusters": clusters}
    parts = [_ratings(table, columns, **how) for table in tables]
    notes = [note for part in parts for note in part.notes]
    tell(notes)
    if scale is None and not any("criterion" in part.frame for part in parts):
        check_same_scale({part.source: part.frame["rating"].to_numpy() for part in parts})
    # A column that one of the tables lacks is not known.
    frame = pd.concat([part.frame for part in parts], join="inner", ignore_index=True)
    source = ", ".join(part.source for part in parts)
    if columns.system == SHEET and reading.sheet == ALL_SHEETS and frame["system"].nunique() > 1:
        assumed = "each sheet is of one system"
        tell([f"{assumed} (--system-column {SHEET}); if each is of one rater: agreement … --rater-column {SHEET}"])
    _check_scales(source, frame, scales or {})
    more = _on_documents(tables, frame) if clusters and columns.cluster is None else []
    more += _on_cuts(tables, columns.ratings or (RATING,))
    if scale is None and not scales:
        scale, on_scale = _scale_of(tables, columns)
        more += on_scale
    tell(more)
    are_of_mqm = all(table.own_names.get(MQM) == RATING for table in tables)
    return RatingTable(
        source,
        frame,
        scale,
        notes=(*notes, *more),
        scales=scales or {},
        are_penalties=all(RATING in (table.own_names.get(MQM), table.own_names.get(ERRORS)) for table in tables),
        given_by=_given_by(tables, columns, frame),
        beside=next((part.beside for part in parts if part.beside), ""),
        mqm_weights=weights_told(reading.error_weights or MQM_WEIGHTS) if are_of_mqm else "",
        assumed=assumed,
        asked=columns.asked,
        further_criteria=further_criteria(tables, columns),
    )


def _folders(sources: Sequence[str | Table]) -> list[str]:
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


def _read_tables(sources: Sequence[str | Table], columns: RatingColumns, reading: Reading) -> list[Table]:
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


def _hold_preferences(tables: Sequence[Table], columns: RatingColumns) -> bool:
    """Say whether tables hold preferences, and no ratings.

    Raises:
        InputError: for some of both.
    """
    preferring = [table for table in tables if holds_preferences(table, columns)]
    if preferring and len(preferring) < len(tables):
        other = next(table for table in tables if table not in preferring)
        raise InputError(f"{preferring[0].source} holds preferences, and {other.source} does not: give one kind")
    return bool(preferring)


def _preferences(
    tables: Sequence[Table],
    columns: RatingColumns,
    scale: tuple[float, float] | None,
    *,
    by_texts: bool,
    clusters: bool,
) -> RatingTable:
    """Return preferences in long form; see `preferences_of_files`."""
    import pandas as pd

    frames, notes = preferences_of_files(tables, columns, scale, by_texts=by_texts, clusters=clusters)
    tell(notes)
    answers = [columns.preference or PREFERENCE]
    by = given_by_all({given_by(table, answers, _raters(frame)) for table, frame in zip(tables, frames, strict=True)})
    frame = pd.concat(frames, join="inner", ignore_index=True)
    return RatingTable(", ".join(table.source for table in tables), frame, notes=tuple(notes), given_by=by)


def _check_no_pairs(source: str, columns: RatingColumns) -> None:
    """Check that no option of preferences is given with ratings.

    Raises:
        InputError: if one is.
    """
    of_pairs: Record = {"--system-a-column": columns.system_a, "--system-b-column": columns.system_b}
    of_pairs["--fixed-sides"] = columns.fixed_sides or None
    unused = next((option for option, value in of_pairs.items() if value is not None), None)
    if unused is not None:
        raise InputError(
            f"{source}: these are ratings, and {unused} is of preferences: leave "
            "it out, or name the column of preferences (--preference-column)"
        )


def _of_systems(tables: Sequence[Table], columns: RatingColumns, *, unpaired: bool) -> tuple[list[Table], str]:
    """Return tables of a system each, with its name, and what was assumed; of a rater each if they rate the same."""
    if not unpaired:
        check_same_inputs([table.source for table in tables])
    if _rate_the_same(tables, columns):
        tables = _with_raters(tables, columns)
    return _with_systems(tables, columns)


def _given_by(tables: Sequence[Table], columns: RatingColumns, frame: pd.DataFrame) -> str:
    """Return who gave ratings, as far as all tables tell the same; see `ratings.model_raters`."""
    told = {given_by(table, list(map(str, columns.ratings)), _raters(frame)) for table in tables}
    if len(told) == 1:
        return told.pop()
    return JUDGES if told <= {JUDGES, MODELS} else UNKNOWN


def _scale_of(tables: Sequence[Table], columns: RatingColumns) -> tuple[tuple[float, float] | None, list[str]]:
    """Return the scale that the files' form or words tell, with a note on it; None if they tell none."""
    scale, told = _told_scale(tables) if _are_plain(columns) else (None, [])
    if scale is None and columns.words is None:
        return _scale_of_words(tables, columns.ratings or (RATING,))
    return scale, told


def _on_cuts(tables: Sequence[Table], names: Sequence[str]) -> list[str]:
    """Return notes on ratings that are a score beside them, cut at a value."""
    cuts = [cut for table in tables for name in names if table.has(name) and (cut := cut_column(table, str(name)))]
    no_people = "if no people gave it, findings on it say nothing of people; --rating-column names another column"
    return [f"{cut}, as a metric's own verdicts are: {no_people}" for cut in dict.fromkeys(cuts)]


def _are_plain(columns: RatingColumns) -> bool:
    """Say whether the column `rating` is read as it is."""
    return tuple(columns.ratings) in ((), (RATING,)) and columns.words is None


def _told_scale(tables: Sequence[Table]) -> tuple[tuple[float, float] | None, list[str]]:
    """Return the scale that the form of all files tells, with a note on it; None if they tell none, or several."""
    scales = {table.scale for table in tables}
    scale = scales.pop() if len(scales) == 1 else None
    if scale is None:
        return None, []
    return scale, [f"the scale is {scale[0]:g}-{scale[1]:g}, as the tool has it (--scale LOW-HIGH names other ends)"]


def _scale_of_words(tables: Sequence[Table], names: Sequence[str]) -> tuple[tuple[float, float] | None, list[str]]:
    """Return the ends of the usual scale whose words all ratings are, such as yes and no, with a note on it, if any."""
    cells = [cell for table in tables for name in names if table.has(name) for cell in table.column(name)]
    words = [cell for cell in cells if not is_blank(cell)]
    numbers = usual_scale(list(map(str, words))) if all(isinstance(word, str) for word in words) else None
    if not numbers:
        return None, []
    low, high = min(numbers, key=numbers.__getitem__), max(numbers, key=numbers.__getitem__)
    ends = (numbers[low], numbers[high])
    told = f"the scale is {ends[0]:g}-{ends[1]:g}, from {low!r} to {high!r} (--scale LOW-HIGH names other ends)"
    return ends, [told]


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


def _raters(frame: pd.DataFrame) -> list[str]:
    """Return the raters; none if they are not known."""
    return list(map(str, frame["rater"].unique())) if "rater" in frame else []


def read_judged_ratings(
    sources: Sequence[str | Table],
    named: Mapping[str, str | None],
    reading: Reading,
    *,
    alone: bool = True,
    clusters: bool = True,
    **how: Any,
) -> RatingTable:
    """Read ratings by which scores are judged, in a file of their own or in that of the scores.

    Args:
        sources: files, tables that were read, or a study's folder.
        named: columns of the scores by their content, such as `{"item": "seg"}`; they are those of the ratings, too, as
            far as these have them. None for a column that is not named.
        reading: the way to read the files.
        alone: whether the order of rows may tell items, if nothing else does.
        clusters: see `read_rating_table`. A named column of them that the ratings lack is one of the scores.
        **how: further fields of `RatingColumns`.

    Raises:
        InputError: like `read_rating_table`.
    """
    if any(map(is_study, sources)):
        return read_rating_table(sources, RatingColumns(**how), reading=reading)
    wanted = [*how.get("ratings", ()), *(name for name in named.values() if name is not None)]
    tables = [source if isinstance(source, Table) else read_rating_rows(source, reading, wanted) for source in sources]
    columns: dict[str, Any] = {
        name: field for name, field in named.items() if field and all(table.has_own(field) for table in tables)
    }
    clusters = clusters and not named.get("cluster")
    return read_rating_table(tables, RatingColumns(**columns, **how), alone=alone, clusters=clusters)


def _with_raters(tables: Sequence[Table], columns: RatingColumns) -> list[Table]:
    """Return tables that name no raters with one each, called as its file."""
    may_name_raters = len(columns.ratings) > 1 and columns.columns_are != CRITERIA
    if columns.rater is not None or any(RATER in table.columns for table in tables) or may_name_raters:
        return list(tables)
    _check_may_be_given(tables, columns)
    names = file_names([table.source for table in tables])
    tell([f"each file holds the ratings of one rater: {', '.join(names)} (--rater-column)"])
    tables = _with_rows_as_items(tables, columns)
    return [
        replace(table, columns=(*table.columns, RATER), rows=[{**row, RATER: name} for row in table.rows])
        for table, name in zip(tables, names, strict=True)
    ]


def _check_may_be_given(tables: Sequence[Table], columns: RatingColumns) -> None:
    """Check that the numbers in files may be ratings, before each file is taken for a rater's.

    Raises:
        InputError: for columns that are called as metrics or shares of right answers: files are then of systems.
    """
    names = list(map(str, columns.ratings))
    if names and all(is_computed(name) and name.lower() not in CRITERIA_WORDS for name in names):
        files = " ".join(f"--scores {quote(table.source)}" for table in tables)
        raise InputError(
            f"column {names[0]!r} (--rating-column) is called as a score that no rater gives, and no column names "
            f"raters (--rater-column): if each file is of a system, compare {files} --score-column {quote(names[0])}"
        )


def _rate_the_same(tables: Sequence[Table], columns: RatingColumns) -> bool:
    """Say whether several files each rate the same outputs of named systems, once: they are of a rater each.

    Files that are called as criteria are not. Without items, their rows have to be the same.
    """
    system, item = columns.system or SYSTEM, columns.item or ITEM
    if len(tables) < 2 or not all(table.has_own(system) for table in tables):
        return False
    if any(name.lower() in CRITERIA_WORDS for name in file_names([table.source for table in tables])):
        return False
    if not any(table.has_own(item) for table in tables):
        return bool(_alike_in_all(tables, columns))
    if not all(table.has_own(item) for table in tables):
        return False
    names = [[table.called_here(name) for name in (system, item)] for table in tables]
    outputs = [
        [tuple(name_of(cell_of(row, name)) for name in of_table) for row in table.rows]
        for table, of_table in zip(tables, names, strict=True)
    ]
    first = set(outputs[0])
    return all(set(each) == first and len(each) == len(first) for each in outputs)


def _alike_in_all(tables: Sequence[Table], columns: RatingColumns) -> list[str]:
    """Return the columns that are equal row by row in several files, if they tell rows apart; none otherwise.

    Those of ratings are not among them.
    """
    first, *others = tables
    if any(len(table.rows) != len(first.rows) for table in others):
        return []
    read = {str(name) for name in columns.ratings} | {RATING}
    shared = [name for name in first.columns if name not in read and all(name in table.columns for table in others)]
    alike = [name for name in shared if all(_cells(table, name) == _cells(first, name) for table in others)]
    are_told = len(set(zip(*(_cells(first, name) for name in alike), strict=True))) == len(first.rows)
    return alike if are_told else []


def _rate_again(tables: Sequence[Table], columns: RatingColumns) -> bool:
    """Say whether a rater rated an item otherwise in several files: if none names systems, these hold other outputs.

    Raises:
        InputError: for files that are called as criteria.
    """
    item, rater = columns.item or ITEM, columns.rater or RATER
    if not all(table.has_own(item) and table.has_own(rater) for table in tables):
        return False
    ratings = [str(name) for name in columns.ratings or (RATING,)]
    rated: dict[tuple[str, ...], str] = {}
    are_again = False
    for table in tables:
        names = (table.called_here(item), table.called_here(rater), columns.criterion or "criterion")
        keys = [tuple(name_of(cell_of(row, name)) for name in names if table.has(name)) for row in table.rows]
        given = [str([cell_of(row, name) for name in ratings]) for row in table.rows]
        are_again |= any(rated.get(key, told) != told for key, told in zip(keys, given, strict=True))
        rated |= dict(zip(keys, given, strict=True))
    called = file_names([table.source for table in tables])
    if are_again and all(name.lower() in CRITERIA_WORDS for name in called):
        raise InputError(
            f"{tables[0].source}: files {', '.join(called)} are called as criteria, and the same raters rated the same "
            "items in them: give one of them at a time"
        )
    return are_again


def _with_rows_as_items(tables: Sequence[Table], columns: RatingColumns) -> Sequence[Table]:
    """Return several raters' tables with the number of each row as its item, if they rated the same rows in one order.

    No column of them may be called as one of items, and the columns that tell what was rated are equal row by row.
    """
    if columns.item is not None or any(table.has_own(ITEM) or table.has_own(TEXT) for table in tables):
        return tables
    alike = _alike_in_all(tables, columns)
    if not alike:
        return tables
    told = ", ".join(map(repr, alike[:_MOST_NAMED]))
    tell([f"there is no column of items: the n-th row of each file is of item n, for {told} are the same in all files"])
    return [
        replace(
            table,
            columns=(*table.columns, ITEM),
            rows=[{**row, ITEM: str(number)} for number, row in enumerate(table.rows, 1)],
            added=table.added | {ITEM},
        )
        for table in tables
    ]


def _cells(table: Table, name: str) -> list[str]:
    return [str(row.get(name)) for row in table.rows]


def _with_systems(tables: Sequence[Table], columns: RatingColumns) -> tuple[list[Table], str]:
    """Return tables that name no systems with one each, called as its file; as they are if a column may name them.

    Rows of tables without items, texts and raters are items by their order. With the tables comes what is assumed if
    several are compared so.
    """
    are_systems = columns.columns_are == SYSTEMS and len(columns.ratings) > 1
    others = {part for name in columns.named for part in names_in(name)}  # than those that are named for another part
    names_own = any(
        table.has_own(SYSTEM) or any(map(_MAY_NAME.fullmatch, set(table.columns) - others)) for table in tables
    )
    if columns.system is not None or are_systems or names_own or any(_repeats(table, columns) for table in tables):
        return list(tables), ""
    names = file_names([table.source for table in tables])
    named = (columns.item or ITEM, columns.text or TEXT, columns.rater or RATER)
    are_by_order = not any(table.has_own(name) for table in tables for name in named)
    whose = f"all ratings are of one system, {names[0]!r}" if len(names) == 1 else _BY_FILE
    names_raters = any(table.has_own(columns.rater or RATER) for table in tables)
    more = "" if len(names) == 1 or names_raters else "; if each is of one rater, `agreement` takes them so"
    more += ", given a column of items" if more and are_by_order else ""
    told = [f"there is no column of systems: {whose} (--system-column){more}"]
    if are_by_order:
        for table in tables:
            check_is_no_training_log(table)
        told.append(
            "there is no column of items: the n-th row of each file is of item n (--item-column NAME, or --unpaired)"
        )
    tell(told)
    found = []
    for table, name in zip(tables, names, strict=True):
        rows: list[Record] = [{**row, SYSTEM: name} for row in table.rows]
        added = [SYSTEM]
        if are_by_order:
            rows = [{**row, ITEM: str(number)} for number, row in enumerate(rows, 1)]
            added.append(ITEM)
        found.append(replace(table, columns=(*table.columns, *added), rows=rows, added=table.added | {*added}))
    assumed = "" if len(names) == 1 else f"{_BY_FILE} and its n-th row of item n" if are_by_order else _BY_FILE
    return found, assumed


def _repeats(table: Table, columns: RatingColumns) -> bool:
    """Say whether items stand in several rows, and nothing known tells these apart: a column may name systems."""
    item, rater, criterion = (columns.item or ITEM, columns.rater or RATER, columns.criterion or "criterion")
    if not table.has(item) or table.has_own(rater):
        return False
    further = [name for name in (criterion, columns.cluster) if name is not None and table.has(name)]
    names = [item, *further]
    keys = [tuple(str(cell_of(row, name)) for name in names) for row in table.rows]
    return len(set(keys)) < len(keys)


def _check_scales(source: str, frame: pd.DataFrame, scales: Mapping[str, tuple[float, float]]) -> None:
    """Check that scales are of criteria that are there."""
    criteria = list(frame["criterion"].unique()) if "criterion" in frame else []
    unknown = sorted(scales.keys() - set(criteria))
    if unknown:
        known = f"its criteria are {', '.join(criteria)}" if criteria else "it has none"
        raise InputError(f"{source}: a scale is given for the criterion {unknown[0]!r}, and {known}")


def _of_studies(
    folders: Sequence[str],
    words: Mapping[str, float] | None,
    scale: tuple[float, float] | None,
    scales: Mapping[str, tuple[float, float]],
    *,
    alone: bool,
) -> RatingTable:
    """Return the ratings of a study, or of several that are alike, as a table, with the errors that were marked."""
    studies = [read_study(folder, words) for folder in folders]
    check_alike(folders, [study.design for study in studies])
    tables = [_of_study(study, folder, scale, scales) for study, folder in zip(studies, folders, strict=True)]
    table = tables[0] if len(tables) == 1 else joined_studies(folders, studies, tables, alone=alone)
    tell(table.notes)
    return table


def _of_study(
    study: StudyRatings,
    folder: str,
    scale: tuple[float, float] | None,
    scales: Mapping[str, tuple[float, float]],
) -> RatingTable:
    """Return a study's ratings as a table, with the errors that were marked."""
    table = table_of_study(study, folder, scale, scales)
    notes = [note for note in (left_out_note(study), "" if study.design.spans is None else _ON_SPANS) if note]
    marked = [] if study.design.spans is None else marked_outputs(study)
    return replace(table, notes=tuple(notes), marked=marked)


def table_of_study(
    study: StudyRatings,
    source: str,
    scale: tuple[float, float] | None = None,
    scales: Mapping[str, tuple[float, float]] | None = None,
) -> RatingTable:
    """Return a study's ratings as a table, without the errors that were marked.

    Args:
        study: the result of `read_study`.
        source: its folder.
        scale: the ends of the scale; None for those of the study.
        scales: ends of the scales of some of its criteria.

    Raises:
        InputError: for a scale that is not the one that the study has declared, of marked errors, which have none, and
            of a criterion that is not there.
    """
    design, rows = study.design, study.table[~study.table["repeat"]].astype({"item": str})
    named = scales or {}
    if SPANS in named and design.spans is not None:
        raise InputError(
            f"{source}: a scale is given for {SPANS!r} (--criterion-scale), the score of marked errors, whose lowest "
            "end nobody can name: it falls with the number of errors; leave it out"
        )
    _check_scales(source, rows, named)
    for criterion in () if design.are_preferences else design.criteria:
        asked = named.get(criterion.name, scale)
        if asked is not None and asked != (criterion.scale.low, criterion.scale.high):
            of = f" of {criterion.name}" if criterion.name else ""
            option = "--criterion-scale" if criterion.name in named else "--scale"
            raise InputError(
                f"{source}: the study has declared the scale{of} as {criterion.scale}, and {option} says "
                f"{asked[0]:g}-{asked[1]:g}: leave {option} out"
            )
    of_criteria = {each.name: (float(each.scale.low), float(each.scale.high)) for each in design.criteria}
    only = None if design.has_named_criteria else of_criteria[""]
    asked_of = {str(item.item): len(item.raters) for item in design.items}
    table = RatingTable(source, rows, only, design.systems, design.metric, scales=of_criteria, overall=design.overall)
    unlike = None if design.n_unlike is None else UnlikeItems(design.n_unlike, design.n_items)
    table = replace(table, planned=len(design.items), asked_of=asked_of, unlike=unlike, along=design.along)
    table = replace(table, estimates_column=design.estimates_column, is_over=is_over(study))
    table = replace(table, unfinished=unfinished_note(study))
    reached = completeness(study)
    n_complete = reached.n_complete if table.unfinished else None
    unjudged = {name: completeness(study, name).n_unjudged for name in design.asked}
    table = replace(table, unjudged={**unjudged, OVERALL: reached.n_unjudged})
    n_all = design.n_items if design.n_unlike is None else design.n_unlike
    table = replace(
        table, n_unshown_ties=n_unshown_ties(study), n_complete=n_complete, n_all=n_all, left_out=study.left_out
    )
    return replace(table, places=_places(study)) if design.are_preferences else table


def _places(study: StudyRatings) -> dict[str, tuple[int, int, int]]:
    """Return the answers for the first of two outputs, for the second and for neither, by criterion."""
    answers: dict[str, list[float]] = {}
    for each in study.judgements:
        if not study.design.raters[each.rater][each.screen - 1].repeat and not math.isnan(each.rating):
            answers.setdefault(each.criterion, []).append(each.rating)
    return {
        name: (sum(share > 0.5 for share in given), sum(share < 0.5 for share in given), given.count(0.5))
        for name, given in answers.items()
    }


def _ratings(
    table: Table, columns: RatingColumns, *, unpaired: bool, alone: bool, repeats: bool, clusters: bool
) -> RatingTable:
    """Return the ratings of one table, in long form."""
    if not table.rows:
        raise InputError(f"{table.source}: it holds no ratings")
    columns = columns.renamed(table.own_names)
    table, unrated = without_unrated_rows(table, columns.ratings or (RATING,), columns.keys)
    table, joined = (table, []) if repeats else with_single_names(table, columns.system or SYSTEM)
    rows = rating_rows(table, columns)
    notes = [*unrated, *joined, *rows.notes, *_on_ratings(table, rows, columns, repeats=repeats)]
    if clusters:
        columns, on_key = with_told_clusters(table, columns)
        notes += on_key
    of_row, rows = _cells_of_rows(table, columns, rows, notes)
    frame = _long_frame(of_row, rows)
    read = list(frame.columns)
    is_in_lists = rows.places is not None
    need_no_pairs = repeats or unpaired or (is_in_lists and "text" in frame)
    if "item" not in frame and need_no_pairs and (is_in_lists or rows.raters is not None):
        frame, told = with_rows_as_items(table, frame)
        notes += told
    elif is_in_lists:
        notes += on_repeated_items(frame, repeats=repeats)
    if not repeats and columns.words is None:
        _check_no_ranks(table, frame, columns)
    notes += _on_raters(frame)
    notes += note_on_summaries(frame["item"].unique()) if "item" in frame else []
    if not is_in_lists:
        notes += _on_keys(table, frame, columns, read, alone=alone, repeats=repeats)
    if clusters and columns.cluster is None:
        notes += _unnamed_clusters(table, frame, columns)
    is_long = rows.systems is None and columns.estimates is None
    beside = replacing(table, columns, frame) if is_long else ""
    if unpaired:
        frame = _with_items_of_samples(table, frame, alone=alone)
    elif alone and _has_no_keys(frame):
        frame, told = with_items_by_order(table, frame)
        notes += told
    return RatingTable(table.source, frame.drop(columns="row"), notes=tuple(notes), beside=beside)


def _on_ratings(table: Table, rows: RatingRows, columns: RatingColumns, *, repeats: bool) -> list[str]:
    """Return notes on what ratings may be beside plain ones: of several scales or kinds of rows, votes, controls."""
    asked = columns.ratings or (RATING,)
    notes = list(note_on_scales(table, rows, columns))
    if len(columns.ratings) < 2:
        notes += note_on_kinds(table, asked[0])
    if columns.words is None:
        notes += note_on_stray_points(rows.ratings, asked)
    if not repeats and "" not in (columns.words or ()):
        notes += [note for name in asked for note in note_on_asked_rows(table, str(name), columns.keys)]
    if not repeats and len(columns.ratings) < 2 and rows.systems is None:
        notes += note_on_votes(table, columns.system or SYSTEM, asked[0], np.asarray(rows.ratings, dtype=float))
    return [*notes, *note_on_controls(table, columns.named, have_slices=not repeats)]


def _cells_of_rows(
    table: Table, columns: RatingColumns, rows: RatingRows, notes: list[str]
) -> tuple[dict[str, list[Any]], RatingRows]:
    """Return the cells of a table that ratings are told apart by, by their column in long form, and the ratings.

    Args:
        table: the table.
        columns: its columns.
        rows: its ratings; those of lists whose raters another list names come back with these.
        notes: notes, to which others are added.
    """
    of_row = _names_of_rows(table, columns, notes)
    if rows.places is not None and "rater" in of_row:
        rows = _by_listed_raters(table, columns, rows)
        del of_row["rater"]
    elif rows.places is not None:
        notes += _on_listed_raters(table, rows)
    if columns.estimates is not None:
        estimates, told = numbers(table, columns.estimates, "--estimates-column", None)
        is_rated = np.isfinite(rows.ratings)
        check_not_learned(table, columns.estimates, np.asarray(rows.rows)[is_rated].tolist())
        of_row["estimates"] = estimates.tolist()
        notes += told
    if MARKED not in of_row and MARKED not in table.columns and MARKED in table.rows[0]:
        of_row[MARKED] = [row.get(MARKED) for row in table.rows]
    return of_row, rows


def _long_frame(of_row: Mapping[str, Sequence[Any]], rows: RatingRows) -> pd.DataFrame:
    """Return a row for each rating, with the number of its row in the table, and that row's cells."""
    import pandas as pd

    read: dict[str, Any] = {"row": rows.rows, "rating": rows.ratings}
    read |= {name: by_row(cells, rows) for name, cells in of_row.items()}
    of_ratings = {
        "rater": rows.raters,
        "system": rows.systems,
        "place": rows.places,
        "criterion": rows.criteria,
        WORDS: rows.words,
    }
    read |= {name: cells for name, cells in of_ratings.items() if cells is not None}
    return with_whole_items(pd.DataFrame(read))


def _on_raters(frame: pd.DataFrame) -> list[str]:
    """Return notes on raters that are language models, and on those that rated outputs of their own."""
    notes = []
    if "rater" in frame and are_models(names := frame["rater"].unique()):
        notes.append(
            f"raters are called as language models, such as {names[0]!r}: they are judges, and nothing below is said "
            "of people"
        )
    if {"rater", "system"} <= set(frame):
        rated = frame[frame["rating"].notna()]
        notes += note_on_own_outputs(rated["rater"].tolist(), [rated["system"].tolist()], "ratings")
    return notes


def _on_keys(
    table: Table, frame: pd.DataFrame, columns: RatingColumns, read: Sequence[str], *, alone: bool, repeats: bool
) -> list[str]:
    """Return notes on the keys of ratings, which tell apart what was rated.

    Args:
        table: the table.
        frame: its ratings.
        columns: its columns.
        read: the columns in long form that it fills.
        alone: see `read_rating_table`.
        repeats: the same.

    Raises:
        InputError: for rows with the same keys.
    """
    used = [part for name in vars(columns).values() if isinstance(name, str) for part in names_in(name)]
    read_already = [*read, *used, *map(str, columns.ratings)]
    notes = check_keys(table, frame, read_already, item=columns.item, repeats=repeats)
    if alone and not repeats:
        notes += check_rated_texts(table, frame, read_already)
    return notes


def _with_items_of_samples(table: Table, frame: pd.DataFrame, *, alone: bool) -> pd.DataFrame:
    """Return ratings of independent samples, of which no two systems share an item."""
    if alone and not {"item", "text", "rater", "place"} & set(frame):  # each row is of an output
        frame = frame.assign(item=[f"{table.source}, row {row}" for row in frame["row"] + 1])  # of several files, too
    if {"system", "item"} <= set(frame):
        frame = frame.assign(item=list(zip(frame["system"], frame["item"], strict=True)))
    return frame


def _check_no_ranks(table: Table, frame: pd.DataFrame, columns: RatingColumns) -> None:
    """Check that ratings do not put the systems of each item in an order.

    Raises:
        InputError: for ranks: higher numbers count as better, and nothing says whether 1 is the best of them.
    """
    if "system" not in frame or not ("item" in frame or columns.columns_are == SYSTEMS):
        return
    unit = "row" if columns.columns_are == SYSTEMS and len(columns.ratings) > 1 else "item"
    keys = [name for name in (unit, "rater", "criterion", "place") if name in frame]
    if unit in keys and are_ranks(frame, keys, "rating"):
        named = shortened(", ".join(map(repr, map(str, columns.ratings or (RATING,)))), 120)
        ranks = frame["rating"].dropna().unique().tolist()
        raise InputError(f"{table.source}: " + told_ranks(f"the numbers in {named}", ranks))


def _on_documents(tables: Sequence[Table], frame: pd.DataFrame) -> list[str]:
    """Return a note on clusters that all files tell and nobody named; none without them."""
    own = [own for table in tables for own, name in table.own_names.items() if name == DOCUMENT]
    if not own or not {"item", "cluster"} <= set(frame):
        return []
    return [note_on_told(own[0], frame["item"].nunique(), frame["cluster"].nunique())]


def _by_listed_raters(table: Table, columns: RatingColumns, rows: RatingRows) -> RatingRows:
    """Return ratings in lists with the raters that a column lists in their order, cell by cell.

    Raises:
        InputError: for a column that names one rater for all ratings of a cell, or not as many as there are, and for
            one of texts.
    """
    listed = names_beside(table.column(columns.rater or RATER), _ratings_in_rows(table, rows))
    if listed is None:
        raise InputError(_on_lists_of_one_rater(table, columns))
    every = [name for names in listed for name in names]
    check_are_no_texts(table.source, str(columns.rater or RATER), RATER_COLUMN, every)
    raters = [listed[row][int(place) - 1] for row, place in zip(rows.rows, rows.places or (), strict=True)]
    return rows._replace(raters=raters, places=None)


def _ratings_in_rows(table: Table, rows: RatingRows) -> list[int]:
    """Return the number of ratings in each row of a table."""
    return [int(n) for n in np.bincount(rows.rows, minlength=len(table.rows))]


def _on_listed_raters(table: Table, rows: RatingRows) -> list[str]:
    """Return a note on the column that may list the raters of the ratings in each cell; none without one."""
    counts = _ratings_in_rows(table, rows)
    for name in table.names():
        listed = names_beside(table.column(name), counts)
        if listed is not None and are_names(listed):
            return [
                f"column {name!r} lists as many names as there are ratings in each cell: if these are the raters, give "
                f"--rater-column {quote(name)}"
            ]
    return []


def _on_lists_of_one_rater(table: Table, columns: RatingColumns) -> str:
    """Return the message on cells of several ratings, which are of several raters, beside a column of raters."""
    rating = str(columns.ratings[0]) if columns.ratings else RATING
    rater = str(columns.rater or RATER)
    return (
        f"{table.source}: a cell of column {rating!r} (--rating-column) holds several ratings, which are those of "
        f"several raters, and column {rater!r} (--rater-column) names one rater for them all, or not as many as there "
        f"are ratings; if {rater!r} names what is asked, give --criterion-column {quote(rater)} in place of "
        "--rater-column, and if one rater gave several ratings, a row for each"
    )


def _unnamed_clusters(table: Table, frame: pd.DataFrame, columns: RatingColumns) -> list[str]:
    """Return a note if items seem to lie together in documents that nobody named."""
    own = {name: own for own, name in table.own_names.items()}
    named = [part for name in columns.named for part in names_in(name)]
    others = [own.get(name, name) for name in table.columns if name not in named]
    rows = frame.drop_duplicates("row")
    places, items = rows["row"].tolist(), list(rows.get("item", ()))

    def cells_of(name: str) -> list[object]:
        cells = table.column(table.called_here(name))
        return [cells[place] for place in places]

    note = note_on_columns(others, cells_of, items) or note_on_items(frame.get("item", ()), frame.get("system", ()))
    return [note] if note else []


def _has_no_keys(frame: pd.DataFrame) -> bool:
    """Say whether the order of rows may tell items: each output of a system has one row, and raters are unknown."""
    if "system" not in frame or frame["system"].nunique() < 2 or {"item", "rater", "place", "estimates"} & set(frame):
        return False
    of_output = [name for name in ("system", "criterion", "text") if name in frame]
    return "text" not in frame or not frame.duplicated(of_output).any()


def _names_of_rows(table: Table, columns: RatingColumns, notes: list[str]) -> dict[str, list[Any]]:
    """Return the columns of names as far as they are known, and the texts."""
    read: dict[str, list[Any]] = {}
    for kind in ("system", "item", "rater", "criterion"):
        known = names_if_there(table, getattr(columns, kind), kind)
        if known is not None:
            read[kind] = known
    if columns.cluster is not None:
        read["cluster"] = _clusters(table, columns.cluster, notes)
    if columns.slice is not None:
        read["slice"] = names(table, columns.slice, "--slice-column")
    text = columns.text or "text"
    is_whole = text in table.columns and all(isinstance(row.get(text), str) for row in table.rows)
    if is_whole or columns.text is not None:
        read["text"] = table.texts(text)
    return read


def _clusters(table: Table, column: str, notes: list[str]) -> list[Any]:
    """Return clusters by name; a row without one is None, and its item a cluster of its own."""
    cells = [name_of(cell) for cell in table.key_cells(column, "--cluster-column")]
    n_blank = cells.count("")
    if n_blank:
        notes.append(f"{n_blank} rows have no cluster in column {str(column)!r}: each of their items is one of its own")
    return [cell or None for cell in cells]
