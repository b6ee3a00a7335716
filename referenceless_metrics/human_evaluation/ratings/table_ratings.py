"""The ratings in the rows of one table: long, wide, or in lists, with their raters, items and clusters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from shlex import quote
from typing import TYPE_CHECKING, Any

import numpy as np

from referenceless_metrics.core.files.joined_names import with_single_names
from referenceless_metrics.core.files.reading import names_in
from referenceless_metrics.core.files.summary_rows import note_on_summaries
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import InputError, shortened
from referenceless_metrics.human_evaluation.exports.rows import DOCUMENT, MARKED
from referenceless_metrics.human_evaluation.inference.unnamed_clusters import (
    note_on_columns,
    note_on_items,
    note_on_told,
)
from referenceless_metrics.human_evaluation.ratings.asked_rows import note_on_asked_rows
from referenceless_metrics.human_evaluation.ratings.columns import (
    SYSTEMS,
    RatingColumns,
    name_of,
    names,
    names_if_there,
    numbers,
)
from referenceless_metrics.human_evaluation.ratings.controls import note_on_controls
from referenceless_metrics.human_evaluation.ratings.exports.answers import RATER, RATING, SYSTEM
from referenceless_metrics.human_evaluation.ratings.keys import (
    check_keys,
    check_rated_texts,
    on_repeated_items,
    with_items_by_order,
    with_rows_as_items,
    with_whole_items,
)
from referenceless_metrics.human_evaluation.ratings.lists import are_names, names_beside
from referenceless_metrics.human_evaluation.ratings.model_raters import are_models, note_on_own_outputs
from referenceless_metrics.human_evaluation.ratings.opponents import note_on_votes
from referenceless_metrics.human_evaluation.ratings.ranks import are_ranks, told_ranks
from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable
from referenceless_metrics.human_evaluation.ratings.row_kinds import note_on_kinds
from referenceless_metrics.human_evaluation.ratings.scores_beside import replacing
from referenceless_metrics.human_evaluation.ratings.stray_points import note_on_stray_points
from referenceless_metrics.human_evaluation.ratings.texts_as_names import RATER_COLUMN, check_are_no_texts
from referenceless_metrics.human_evaluation.ratings.told_clusters import with_told_clusters
from referenceless_metrics.human_evaluation.ratings.unrated_rows import without_unrated_rows
from referenceless_metrics.human_evaluation.ratings.wide import WORDS, RatingRows, by_row, note_on_scales, rating_rows
from referenceless_metrics.human_evaluation.scores.learned import check_not_learned

if TYPE_CHECKING:
    import pandas as pd


def cells_as_texts(table: Table, name: str) -> list[str]:
    """Return the cells of a column as texts, in the order of the rows."""
    return [str(row.get(name)) for row in table.rows]


def ratings_of_table(
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


def note_on_documents(tables: Sequence[Table], frame: pd.DataFrame) -> list[str]:
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
