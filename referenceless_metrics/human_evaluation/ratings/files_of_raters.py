"""Files that hold the ratings of a rater each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from shlex import quote
from typing import TYPE_CHECKING

from referenceless_metrics.core.files.names import file_names
from referenceless_metrics.core.files.reading import cell_of, tell
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.ratings.column_grid import CRITERIA_WORDS
from referenceless_metrics.human_evaluation.ratings.columns import CRITERIA, RatingColumns, name_of
from referenceless_metrics.human_evaluation.ratings.exports.answers import ITEM, RATER, RATING, SYSTEM, TEXT
from referenceless_metrics.human_evaluation.ratings.table_ratings import cells_as_texts
from referenceless_metrics.human_evaluation.scores.columns import is_computed

if TYPE_CHECKING:
    pass


_MOST_NAMED = 4  # columns that a note names


def with_raters(tables: Sequence[Table], columns: RatingColumns) -> list[Table]:
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


def rate_the_same(tables: Sequence[Table], columns: RatingColumns) -> bool:
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
    alike = [
        name for name in shared if all(cells_as_texts(table, name) == cells_as_texts(first, name) for table in others)
    ]
    are_told = len(set(zip(*(cells_as_texts(first, name) for name in alike), strict=True))) == len(first.rows)
    return alike if are_told else []


def rate_again(tables: Sequence[Table], columns: RatingColumns) -> bool:
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
