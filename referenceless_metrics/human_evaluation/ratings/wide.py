"""Ratings of one row: one, or one per rater, system or criterion in several columns, or of several raters in a cell."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from referenceless_metrics.core.files.marked_numbers import told_times
from referenceless_metrics.core.files.scales_in_words import READ_AS
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.common_ends import common_ends
from referenceless_metrics.core.support.validation import Floats, InputError, finite_number, shortened
from referenceless_metrics.human_evaluation.ratings.column_grid import CRITERIA_WORDS, grid_of
from referenceless_metrics.human_evaluation.ratings.columns import (
    COLUMNS_ARE,
    CRITERIA,
    RATERS,
    SYSTEMS,
    RatingColumns,
    is_missing,
    numbers,
)
from referenceless_metrics.human_evaluation.ratings.exports.answers import ITEM, RATING, SYSTEM
from referenceless_metrics.human_evaluation.ratings.lists import all_of_lists, lists_in
from referenceless_metrics.human_evaluation.ratings.missing_marks import without_marks, without_marks_in_lists
from referenceless_metrics.human_evaluation.ratings.ranks import note_on_ranks
from referenceless_metrics.human_evaluation.ratings.several_scales import scales_of

if TYPE_CHECKING:
    pass

OPTION = "--rating-column"

WORDS = "rating in words"
"""The column of a table of ratings with the words that these stand for."""

_MOST_WORDS = 12

_KINDS = {RATERS: "rater", SYSTEMS: "system", CRITERIA: "criterion"}
"""Columns that would name the raters, systems or criteria of several columns of ratings, too."""


class NoRatingsError(InputError):
    """A table without the column of ratings that is read if nobody names another, and without other numbers."""


class RatingRows(NamedTuple):
    """Ratings in long form.

    Attributes:
        rows: the row of the table that each rating stands in, shape (n,).
        ratings: shape (n,); NaN for a missing one.
        raters: the rater of each, if a column is one; None else.
        systems: the system of each, if a column is one; None else.
        criteria: the criterion of each, if a column is one; None else.
        places: the place of each rating in a cell that holds several, from 1; None if cells hold one each.
        notes: notes on how cells were read.
        words: the word that each stands for, if cells hold a few; None else.
    """

    rows: Any
    ratings: Any
    raters: list[str] | None
    systems: list[str] | None
    criteria: list[str] | None
    places: list[str] | None
    notes: list[str]
    words: list[str] | None = None


def rating_rows(table: Table, columns: RatingColumns) -> RatingRows:
    """Return the ratings of a table, a row for each.

    Raises:
        NoRatingsError: for a table without the usual column and without other numbers, if none is named.
        InputError: for a column that is not there, a cell that is no rating, and several columns that are criteria, or
            of raters in a table that names its raters elsewhere.
    """
    chosen = list(dict.fromkeys(columns.ratings or (RATING,)))
    if len(chosen) == 1:
        try:
            read = _of_one_column(table, chosen[0], columns.words)
        except InputError as error:
            if columns.ratings or table.has(RATING) or _holds_numbers(table):
                raise
            raise NoRatingsError(str(error)) from None
        return read._replace(
            notes=[*read.notes, *_on_ranks(chosen, columns), *_note_on_penalties(chosen[0], read.ratings)]
        )
    kinds_of = _kinds_of_columns(table, chosen, columns)
    _check_several(table, chosen, columns, list(kinds_of[0]))
    parts = [_numbers(table, column, columns.words) for column in chosen]
    n = len(table.rows)
    notes = [note for _, of_part in parts for note in of_part]
    _check_words(table, chosen, [of_part for _, of_part in parts])
    whose = {kind: [names[kind] for names in kinds_of for _ in range(n)] for kind in kinds_of[0]}
    notes += _on_ranks(chosen, columns)
    notes.append(_on_columns(chosen, whose, columns.columns_are))
    return RatingRows(
        np.tile(np.arange(n), len(chosen)),
        np.concatenate([values for values, _ in parts]),
        whose.get(RATERS),
        whose.get(SYSTEMS),
        whose.get(CRITERIA),
        None,
        notes,
    )


def _holds_numbers(table: Table) -> bool:
    """Say whether a column of the file holds numbers that may be ratings; those that count rows are none."""
    names = [name for name in table.names() if name != ITEM and name not in table.counted]
    return any(table.range_of(name) is not None for name in names)


def _kinds_of_columns(table: Table, chosen: Sequence[str], columns: RatingColumns) -> list[dict[str, str]]:
    """Return of each column of ratings the names of its rater, system or criterion, by these kinds.

    Columns whose names have two parts, each of the first with each of the second, are of two kinds. They are systems as
    a whole if they are said to be and no part tells of criteria or raters, such as `t5_small`, `t5_large`, `bart_small`
    and `bart_large`, and criteria as a whole if another column names the raters.

    Raises:
        InputError: for such columns of which the kinds are not sure.
    """
    names = [str(column).strip() for column in chosen]
    grid = grid_of(names)
    names_raters = columns.rater is not None or _KINDS[RATERS] in table.columns
    are_whole = grid is not None and (
        (columns.columns_are == SYSTEMS and grid.may_be_whole) or (columns.columns_are == CRITERIA and names_raters)
    )
    if grid is None or are_whole:
        return [{columns.columns_are: name} for name in names]
    names_systems = columns.system is not None or SYSTEM in {*table.columns} - table.added
    kinds = grid.meanings(columns.columns_are, systems_known=names_systems)
    if kinds is None:
        shown = shortened(", ".join(map(repr, names)), 120)
        may_be = "; if those parts are systems, --columns-are systems takes the place of criteria"
        others = "" if names_systems or columns.columns_are == SYSTEMS else may_be
        raise InputError(
            f"{table.source}: columns {shown} ({OPTION}) have names of two parts, so that they are not {len(names)} "
            f"{columns.columns_are}: {grid.told(SYSTEMS if columns.columns_are == SYSTEMS else CRITERIA)}{others}"
        )
    return [dict(zip(kinds, parts, strict=True)) for parts in grid.parts]


def _on_columns(chosen: Sequence[str], whose: Mapping[str, Sequence[str]], columns_are: str) -> str:
    """Return a note on the meaning of several columns of ratings."""
    shown = shortened(", ".join(chosen), 120)
    if len(whose) == 1:
        others = "|".join(kind for kind in COLUMNS_ARE if kind != columns_are)
        return f"columns {shown} are {columns_are} (--columns-are {others})"
    told = " by ".join(f"{len(set(names))} {kind} ({', '.join(dict.fromkeys(names))})" for kind, names in whose.items())
    return f"columns {shown} are of {told}"


def _check_words(table: Table, chosen: Sequence[str], notes: Sequence[Sequence[str]]) -> None:
    """Check that words mean the same numbers in all columns.

    Raises:
        InputError: for columns whose words are of several scales.
    """
    # A note begins with the column's name, which may hold anything.
    told = {note.rpartition(READ_AS)[2] for of_column in notes for note in of_column if READ_AS in note}
    if len(told) > 1:
        listed = shortened(", ".join(map(str, chosen)), 80)
        raise InputError(
            f"{table.source}: the words in columns {listed} ({OPTION}) are of different scales ({'; '.join(told)}): "
            "say what they stand for in all of them, --values WORD=NUMBER,…"
        )


def _note_on_penalties(column: str, ratings: Floats) -> list[str]:
    """Return a note on MQM scores of which none is negative: they may be penalties, of which fewer are better."""
    known = ratings[np.isfinite(ratings)]
    if "mqm" not in str(column).lower() or not len(known) or known.min() < 0:
        return []
    return [f"{str(column)!r}: a higher number counts as rated higher; if these are penalties, it is worse"]


def _check_several(table: Table, chosen: Sequence[str], columns: RatingColumns, kinds: Collection[str]) -> None:
    """Check that several columns can be raters, systems or criteria, as the options say.

    Args:
        table: the table.
        chosen: the columns of ratings.
        columns: the columns that are named.
        kinds: what the columns are: raters, systems or criteria, or two of these.
    """
    listed = shortened(", ".join(map(repr, map(str, chosen))), 120)
    for are in kinds:
        kind = _KINDS[are]
        named = getattr(columns, kind) or (kind if kind in table.columns else None)
        if named is not None:
            others = " or ".join(other for other in COLUMNS_ARE if other != are)
            if len(kinds) > 1:  # names of two parts
                others = CRITERIA
            raise InputError(
                f"{table.source}: columns {listed} ({OPTION}) cannot be {are}, since column {str(named)!r} names them: "
                f"give --columns-are {others}, or one column"
            )
    if CRITERIA in kinds:
        return
    names = [str(column).strip().lower() for column in chosen]
    start, end = common_ends(names)
    own = [name[start : len(name) - end] for name in names]
    n_criteria = sum(name in CRITERIA_WORDS for name in own)
    if n_criteria > 1 or (n_criteria and own != names):
        raise InputError(
            f"{table.source}: columns {listed} ({OPTION}) look like criteria, and several columns are read as "
            f"{columns.columns_are}: give --columns-are criteria, or one criterion at a time"
        )


def _on_ranks(chosen: Sequence[str], columns: RatingColumns) -> list[str]:
    """Return a note on columns that are called as ranks, unless the user says what their numbers stand for."""
    return note_on_ranks(chosen) if columns.words is None else []


def _of_one_column(table: Table, column: str, words: Mapping[str, float] | None) -> RatingRows:
    cells = table.column(column, OPTION, numeric=True)
    lists = lists_in(cells)
    if not any(isinstance(each, (list, tuple)) for each in lists):
        values, notes = _numbers(table, column, words)
        return RatingRows(np.arange(len(cells)), values, None, None, None, None, notes, _few_words(cells))
    _check_lists(table, column, lists)
    if all(len(each) <= 1 for each in lists if isinstance(each, (list, tuple))):  # an empty one holds nothing
        single_cells = [{str(column): _only(each) if isinstance(each, (list, tuple)) else each} for each in lists]
        alone = Table(table.source, (str(column),), single_cells, table.lines, comma=table.comma)
        values, notes = numbers(alone, str(column), OPTION, words)
        return RatingRows(np.arange(len(cells)), values, None, None, None, None, notes)
    rows = []
    places = []
    single_ratings = []
    for row, each in enumerate(lists):
        for place, rating in enumerate(each if isinstance(each, (list, tuple)) else [each], 1):
            rows.append(row)
            places.append(str(place))
            single_ratings.append({str(column): rating})
    unrolled = Table(table.source, (str(column),), single_ratings, comma=table.comma)
    values, notes = numbers(unrolled, str(column), OPTION, words)
    notes.append(f"column {str(column)!r}: a cell holds the ratings of several raters")
    if words is None:
        values, told = without_marks_in_lists(table, column, rows, values)
        notes += told
    return RatingRows(np.array(rows, dtype=np.int64), values, None, None, None, places, notes)


def _few_words(cells: Sequence[Any]) -> list[str] | None:
    """Return cells as words, "" for a blank one; None for numbers, and for many different words.

    >>> _few_words(["good", " bad", None]), _few_words(["good", 1])
    (['good', 'bad', ''], None)
    """
    words = ["" if is_missing(cell) else str(cell).strip() for cell in cells]
    told = set(words) - {""}
    are_words = all(finite_number(word) is None for word in told)
    return words if told and are_words and len(told) <= _MOST_WORDS else None


def _only(cells: Sequence[Any]) -> Any:
    """Return the one element of a list; None of an empty one."""
    return cells[0] if cells else None


def _numbers(table: Table, column: str, words: Mapping[str, float] | None) -> tuple[Floats, list[str]]:
    """Return a column's ratings as `numbers` does, without numbers that mark missing ones unless words say of them."""
    values, notes = numbers(table, column, OPTION, words)
    if times := told_times(values, str(column)):
        raise InputError(f"{table.source}: {times}")
    if words is not None:
        return values, notes
    values, told = without_marks(table, column, values)
    return values, [*notes, *told]


def _check_lists(table: Table, column: str, lists: Sequence[object]) -> None:
    """Check that lists in cells hold ratings, and no objects with several criteria.

    Raises:
        InputError: for objects, with their fields in the message, and for answers on parts of an output.
    """
    told = all_of_lists(table, str(column))
    if told:
        raise InputError(
            f"{table.source}: column {str(column)!r} ({OPTION}): its lists, of several lengths, are no ratings of "
            f"several raters, but each is on a part of the output: {told!r} is true just where all in a list are. Take "
            f"{told!r} as the score (compare --scores FILE --score-column {quote(told)}), or give a row for each part"
        )
    for row, each in enumerate(lists):
        if isinstance(each, (list, tuple)) and each and isinstance(each[0], Mapping):
            held = shortened(", ".join(map(str, each[0])), 80)
            raise InputError(
                f"{table.where(row)}: column {str(column)!r} ({OPTION}) holds a list of objects with {held}: name one "
                f"of these, as {OPTION} {column}.{next(iter(each[0]))}"
            )


def note_on_scales(table: Table, rows: RatingRows, columns: RatingColumns) -> list[str]:
    """Return a warning if ratings are on several scales, which a column tells apart that nobody named."""
    if rows.criteria is not None or columns.criterion is not None or "criterion" in table.columns:
        return []
    found = scales_of(table, rows.ratings, columns.named, np.asarray(rows.rows, dtype=np.int64).tolist())
    return [] if found is None else [found.told("ratings")]


def by_row(cells: Sequence[Any], rows: RatingRows) -> list[Any]:
    """Return the cell of each rating, from those of the table's rows."""
    return [cells[row] for row in rows.rows]
