"""Texts with a rating each, from which metrics learn: read from any file of ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from referenceless_metrics.core.files.formats_of_files import suffix_of
from referenceless_metrics.core.files.joined_names import with_single_names
from referenceless_metrics.core.files.opening import STDIN
from referenceless_metrics.core.files.reading import Reading, tell
from referenceless_metrics.core.files.tables import RatedTexts, Table
from referenceless_metrics.core.files.text_io import is_dataset_spec, read_table
from referenceless_metrics.core.support.validation import InputError, shortened
from referenceless_metrics.human_evaluation.exports.sighting import header_of, sight
from referenceless_metrics.human_evaluation.language_pairs import check_pair_of_table
from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns, name_of
from referenceless_metrics.human_evaluation.ratings.copies import without_copies
from referenceless_metrics.human_evaluation.ratings.exports.answers import SYSTEM
from referenceless_metrics.human_evaluation.ratings.wide import note_on_scales, rating_rows

_SYSTEMS = "systems"
_ONE_ROW_A_LINE = ("csv", "tsv", "jsonl")


def rated_texts(
    source: str,
    *,
    rating_columns: Sequence[str],
    text_column: str,
    groupings: Mapping[str, str],
    source_column: str | None,
    words: Mapping[str, float] | None,
    reading: Reading,
    unnamed: Sequence[str] = (),
    further_studies: Sequence[str] = (),
) -> RatedTexts:
    """Read rated texts, a row for each rating; the arguments are those of `read_rated`.

    A missing rating is left out, and so is a text of a system that has no other text. `unnamed` are groupings
    that the user could have named: a column of systems among them is pointed out.

    Raises:
        InputError: for a file that cannot be read, several pairs of languages, a study of preferences or of several
            criteria, a column that it does not have, a cell that is no rating, a text without a system, and a file
            without ratings.
    """
    of_source = [] if source_column is None else [source_column]
    table, on_copies = without_copies(
        _rows_of_studies([source, *further_studies], text_column, words, reading)
        or _rows(source, reading, [text_column, *rating_columns, *groupings.values(), *of_source])
    )
    if not _is_pool(text_column):
        check_pair_of_table(table, [*groupings.values(), *of_source])
    for kind, column in groupings.items():
        if kind == _SYSTEMS and (joined := with_single_names(table, column)[1]):
            raise InputError(
                f"{table.source}: {joined[0]}; no text may be learned from and left out at once: leave --system-column "
                "out"
            )
    texts = table.texts(text_column)
    columns = RatingColumns(ratings=tuple(rating_columns), words=words)
    rows = rating_rows(table, columns)
    names = {left_out: _names(table, column, left_out) for left_out, column in groupings.items()}
    sources = None if source_column is None else table.column(source_column, "source_column")
    known = ~np.isnan(rows.ratings)
    notes = [
        *on_copies,
        *rows.notes,
        *note_on_scales(table, rows, columns),
        *_unnamed_systems(table, text_column, unnamed),
    ]
    notes += _left_out(int((~known).sum()), ("rating that is missing", "ratings that are missing"))
    if _SYSTEMS in names:
        systems = names[_SYSTEMS]
        few = _alone(texts, systems)
        alone = np.array([systems[row] in few for row in rows.rows], dtype=bool)
        of_one = f"of a system with one text: {shortened(', '.join(few), 80)}"
        notes += _left_out(int((known & alone).sum()), (f"text {of_one}", f"texts {of_one}"))
        known &= ~alone
    tell(notes)
    kept = rows.rows[known].tolist()
    if not kept:
        raise InputError(f"{table.source}: it holds no rated texts")
    return RatedTexts(
        [texts[row] for row in kept],
        rows.ratings[known],
        {left_out: tuple(of_text[row] for row in kept) for left_out, of_text in names.items()},
        None if sources is None else [sources[row] for row in kept],
    )


def _rows_of_studies(
    folders: Sequence[str], text_column: str, words: Mapping[str, float] | None, reading: Reading
) -> Table | None:
    """Return the rows of a study that `sample` drew, or of several, by one criterion; None for any other source.

    Raises:
        InputError: for several sources that are not all studies.
    """
    if len(folders) == 1 and not Path(folders[0]).is_dir():
        return None
    from referenceless_metrics.human_evaluation.ratings.study_ratings import is_study
    from referenceless_metrics.human_evaluation.ratings.study_rows import rows_of_studies

    other = next((folder for folder in folders if not is_study(folder)), None)
    if other is None:
        return rows_of_studies(folders, reading, words, is_pool=_is_pool(text_column))
    if len(folders) > 1:
        raise InputError(
            f"{other} is no study's folder: several studies are read together, and tables are brought into one file"
        )
    return None


def _rows(source: str, reading: Reading, wanted: Sequence[str]) -> Table:
    """Return the rows of a file of ratings; `wanted` are the columns that are asked for.

    A file that has no other columns is a table. It is read without the forms of all tools, whose import takes longer
    than a small file's reading.
    """
    is_file = source != STDIN and not is_dataset_spec(source) and reading.questions is None
    if is_file and suffix_of(source) in _ONE_ROW_A_LINE:
        columns = header_of(sight(source))
        if columns and set(columns) <= set(wanted):
            return read_table(source, reading, wanted)
    from referenceless_metrics.human_evaluation.ratings.export_files import read_rating_rows

    return read_rating_rows(source, reading, wanted)


def _unnamed_systems(table: Table, text_column: str, unnamed: Sequence[str]) -> list[str]:
    """Return a note on a column of systems that nobody named; none for a pool, from which a metric is made."""
    if _SYSTEMS not in unnamed or SYSTEM not in table.columns or _is_pool(text_column):
        return []
    if len({name_of(cell) for cell in table.column(SYSTEM)}) < 2:
        return []
    return [
        f"there is a column {SYSTEM!r}, and systems are not told apart: --system-column {SYSTEM} also says what to "
        "expect of a system without ratings"
    ]


def _is_pool(text_column: str) -> bool:
    """Say whether texts are of a pool that an option names beside the file that is scored."""
    return "pool" in getattr(text_column, "option", "")


def _left_out(n: int, forms: tuple[str, str]) -> list[str]:
    """Return the note on n things that are left out, named by the singular or the plural; none for 0."""
    return [f"left out: {n} {forms[n != 1]}"] if n else []


def _names(table: Table, column: str, left_out: str) -> list[str]:
    """Return the name of each row's system or group; a row without a group is a group of its own.

    Raises:
        InputError: for a row without a system.
    """
    option = f"--{left_out[:-1]}-column"
    names = [name_of(cell) for cell in table.key_cells(column, option)]
    if "" in names and left_out == _SYSTEMS:
        row = names.index("")
        raise InputError(f"{table.where(row)}: there is nothing in column {str(column)!r} ({option})")
    return [name or f"row {row + 1} without a group" for row, name in enumerate(names)]


def _alone(texts: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the systems that have one distinct text, if there are others."""
    of_group: dict[str, set[str]] = {}
    for text, name in zip(texts, names, strict=True):
        of_group.setdefault(name, set()).add(text)
    few = [name for name, distinct in of_group.items() if len(distinct) < 2]
    return few if len(of_group) - len(few) > 1 else []
