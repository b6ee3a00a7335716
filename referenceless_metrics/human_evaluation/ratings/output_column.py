"""The column of ratings that holds the outputs, found by the systems' files if nobody names it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.reading import BY_SUFFIX, Reading
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.human_evaluation.inference.output_ratings import Outputs
from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
from referenceless_metrics.human_evaluation.ratings.export_files import read_rating_rows
from referenceless_metrics.human_evaluation.ratings.exports.answers import TEXT
from referenceless_metrics.human_evaluation.ratings.preference_files import holds_preferences
from referenceless_metrics.human_evaluation.ratings.study_ratings import is_study

_MOST = 0.5
"""Least share of a column's texts that are outputs of the systems, for the column to be taken."""


def with_output_column(
    sources: Sequence[str], columns: RatingColumns, outputs: Outputs, reading: Reading = BY_SUFFIX
) -> tuple[list[str | Table], RatingColumns, list[str]]:
    """Return the sources of ratings, and the columns with that of the outputs, if exactly one column holds them.

    A column that is named, or called `text`, stays as it is.

    Args:
        sources: files of ratings, or a study's folder.
        columns: the columns that are named.
        outputs: names and outputs of the systems; none without their files.
        reading: how to read the files.

    Returns:
        The sources, tables if they were read; the columns; and a note on the column that was found.

    Raises:
        InputError: for a file that cannot be read.
    """
    if columns.text is not None or not outputs or any(map(is_study, sources)):
        return list(sources), columns, []
    tables = [read_rating_rows(source, reading, columns.named) for source in sources]
    if any(table.has_own(TEXT) or holds_preferences(table, columns) for table in tables):
        return list(tables), columns, []
    known = {text for _, texts in outputs for text in texts}
    shared = [name for name in tables[0].names() if all(holds_outputs(table, name, known) for table in tables)]
    if len(shared) != 1:
        return list(tables), columns, []
    name = shared[0]
    note = f"column {name!r} of the ratings holds the outputs (--ratings-text-column {shlex.quote(name)})"
    return list(tables), replace(columns, text=name), [note]


def holds_outputs(table: Table, name: str, outputs: set[str]) -> bool:
    """Return whether most cells of a column are outputs."""
    cells = [row.get(name) for row in table.rows]
    known = [cell for cell in cells if not is_blank(cell)]
    return bool(known) and sum(isinstance(cell, str) and cell in outputs for cell in known) >= _MOST * len(known)
