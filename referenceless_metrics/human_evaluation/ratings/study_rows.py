"""Ratings of a study as rows of texts and ratings, from which metrics learn."""

from __future__ import annotations

import math
from collections.abc import Mapping
from shlex import quote

from referenceless_metrics.core.files.reading import Reading, tell
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import InputError, Record, joined_names
from referenceless_metrics.human_evaluation.ratings.copies import without_copies
from referenceless_metrics.human_evaluation.ratings.export_files import rows_that_meet
from referenceless_metrics.human_evaluation.studies.reading import left_out_note, read_study

CRITERION, SOURCE = "criterion", "source"


def rows_of_study(folder: str, reading: Reading, words: Mapping[str, float] | None, *, is_pool: bool) -> Table:
    """Return the ratings of a study by one criterion as rows, with the sources of the texts if it has them.

    Ratings given again are left out.

    Args:
        folder: the study's.
        reading: the conditions on its rows, such as the criterion.
        words: see `read_study`.
        is_pool: whether the study is named as a pool, so that no condition can be given beside it.

    Raises:
        InputError: like `read_study`, for preferences, and for ratings by several criteria.
    """
    study = read_study(folder, words)
    if study.design.are_preferences:
        raise InputError(f"{folder}: these are preferences, and a metric learns from ratings of single texts")
    tell(filter(None, [left_out_note(study)]))
    sources = {item.item: item.source for item in study.design.items}
    first = study.table[~study.table["repeat"]].drop(columns="repeat")
    rows: list[Record] = first.to_dict("records")
    for row in rows:
        row["rating"] = None if math.isnan(row["rating"]) else row["rating"]
        row[SOURCE] = sources[row["item"]]
    if not all(sources.values()):
        rows = [{name: cell for name, cell in row.items() if name != SOURCE} for row in rows]
    table, on_copies = without_copies(rows_that_meet(Table(folder, tuple(rows[0]), rows), reading))
    if on_copies:
        tell([f"{folder}: equal outputs of an item were shown once, and count once here"])
    criteria = list(dict.fromkeys(row[CRITERION] for row in table.rows if CRITERION in row))
    if len(criteria) > 1:
        condition = f"--where {quote(f'{CRITERION}={criteria[0]}')}"
        way = condition
        if is_pool:
            way = f"fit it first, referenceless fit {quote(folder)} {condition} -o POOL, and give --pool POOL"
        raise InputError(
            f"{folder}: raters answered by {len(criteria)} criteria ({joined_names(criteria)}), and a metric learns "
            f"from one of them: {way}"
        )
    return table
