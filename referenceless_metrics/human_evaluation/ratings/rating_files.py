"""Rating tables from files: long and wide tables, exports of annotation tools, and studies with their design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referenceless_metrics.core.files.reading import ALL_SHEETS, BY_SUFFIX, Reading, tell
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.workbooks import SHEET
from referenceless_metrics.core.support.validation import InputError, Record
from referenceless_metrics.human_evaluation.exports.error_lists import ERRORS
from referenceless_metrics.human_evaluation.exports.spans import MQM, MQM_WEIGHTS, weights_told
from referenceless_metrics.human_evaluation.inference.output_ratings import check_same_scale
from referenceless_metrics.human_evaluation.inputs_beside import check_same_inputs
from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
from referenceless_metrics.human_evaluation.ratings.export_files import read_rating_rows
from referenceless_metrics.human_evaluation.ratings.exports.answers import PREFERENCE, RATING
from referenceless_metrics.human_evaluation.ratings.files_of_raters import rate_again, rate_the_same, with_raters
from referenceless_metrics.human_evaluation.ratings.files_of_systems import with_systems
from referenceless_metrics.human_evaluation.ratings.further_criteria import further_criteria
from referenceless_metrics.human_evaluation.ratings.model_raters import JUDGES, MODELS, UNKNOWN, given_by, given_by_all
from referenceless_metrics.human_evaluation.ratings.preference_files import holds_preferences, preferences_of_files
from referenceless_metrics.human_evaluation.ratings.rating_folders import folders_of_studies, read_tables
from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable
from referenceless_metrics.human_evaluation.ratings.study_ratings import is_study, of_studies
from referenceless_metrics.human_evaluation.ratings.table_ratings import note_on_documents, ratings_of_table
from referenceless_metrics.human_evaluation.ratings.told_scales import check_scales, note_on_cuts, scale_told

if TYPE_CHECKING:
    import pandas as pd


_USUAL = RatingColumns()


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
        return of_studies(folders_of_studies(sources), columns.words, scale, scales or {}, alone=alone)
    tables = read_tables(sources, columns, reading)
    if _hold_preferences(tables, columns):
        return _preferences(tables, columns, scale, by_texts=repeats, clusters=clusters)
    _check_no_pairs(tables[0].source, columns)
    assumed = ""
    if repeats and len(tables) > 1:
        tables = with_raters(tables, columns)
        if rate_again(tables, columns):
            tables, _ = with_systems(tables, columns)
    if by_file:
        tables, assumed = _of_systems(tables, columns, unpaired=unpaired)
    how: Record = {"unpaired": unpaired, "alone": alone, "repeats": repeats, "clusters": clusters}
    parts = [ratings_of_table(table, columns, **how) for table in tables]
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
    check_scales(source, frame, scales or {})
    more = note_on_documents(tables, frame) if clusters and columns.cluster is None else []
    more += note_on_cuts(tables, columns.ratings or (RATING,))
    if scale is None and not scales:
        scale, on_scale = scale_told(tables, columns)
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
    if rate_the_same(tables, columns):
        tables = with_raters(tables, columns)
    return with_systems(tables, columns)


def _given_by(tables: Sequence[Table], columns: RatingColumns, frame: pd.DataFrame) -> str:
    """Return who gave ratings, as far as all tables tell the same; see `ratings.model_raters`."""
    told = {given_by(table, list(map(str, columns.ratings)), _raters(frame)) for table in tables}
    if len(told) == 1:
        return told.pop()
    return JUDGES if told <= {JUDGES, MODELS} else UNKNOWN


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
