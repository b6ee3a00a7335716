"""Ratings of a study as rows of texts and ratings, from which metrics learn."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from shlex import quote

from referenceless_metrics.core.files.reading import Reading, tell
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import InputError, Record, joined_names
from referenceless_metrics.human_evaluation.ratings.copies import without_copies
from referenceless_metrics.human_evaluation.ratings.export_files import rows_that_meet
from referenceless_metrics.human_evaluation.studies.reading import StudyRatings, left_out_note, read_study
from referenceless_metrics.human_evaluation.studies.together import (
    check_alike,
    names_of_items,
    notes_on_studies,
    tables_together,
)

CRITERION, SOURCE = "criterion", "source"


def rows_of_studies(
    folders: Sequence[str], reading: Reading, words: Mapping[str, float] | None, *, is_pool: bool
) -> Table:
    """Return the ratings of studies by one criterion as rows, with the sources of the texts if they have them.

    Ratings given again are left out.

    Args:
        folders: the folder of a study, or of several that ask the same.
        reading: the conditions on their rows, such as the criterion.
        words: see `read_study`.
        is_pool: whether the study is named as a pool, so that no condition can be given beside it.

    Raises:
        InputError: like `read_study` and `check_alike`, for preferences, and for ratings by several criteria.
    """
    studies = [read_study(folder, words) for folder in folders]
    check_alike(folders, [study.design for study in studies])
    source = ", ".join(folders)
    if studies[0].design.are_preferences:
        raise InputError(
            f"{source}: these are preferences, and this takes ratings of single texts; quality estimation learns from "
            "a table of pairs, a preferred text and the other one in a row: referenceless fit --metric "
            "quality_estimation PAIRS.csv --text-column BETTER --worse-column WORSE -o preferred.safetensors"
        )
    tell(filter(None, map(left_out_note, studies)))
    frame, n_again = (studies[0].table, 0) if len(studies) == 1 else tables_together(studies)
    tell(notes_on_studies(studies, n_again) if n_again else [])
    sources = _sources(studies)
    first = frame[~frame["repeat"]].drop(columns="repeat")
    rows: list[Record] = first.to_dict("records")
    for row in rows:
        row["rating"] = None if math.isnan(row["rating"]) else row["rating"]
        row[SOURCE] = sources[str(row["item"])]
    if not all(sources.values()):
        rows = [{name: cell for name, cell in row.items() if name != SOURCE} for row in rows]
    table, on_copies = without_copies(rows_that_meet(Table(source, tuple(rows[0]), rows), reading))
    if on_copies:
        tell([f"{source}: equal outputs of an item were shown once, and count once here"])
    criteria = list(dict.fromkeys(row[CRITERION] for row in table.rows if CRITERION in row))
    if len(criteria) > 1:
        condition = f"--where {quote(f'{CRITERION}={criteria[0]}')}"
        way = condition
        if is_pool:
            way = f"fit it first, referenceless fit {quote(folders[0])} {condition} -o POOL, and give --pool POOL"
        raise InputError(
            f"{source}: raters answered by {len(criteria)} criteria ({joined_names(criteria)}), and a metric learns "
            f"from one of them: {way}"
        )
    return table


def _sources(studies: Sequence[StudyRatings]) -> dict[str, str | None]:
    """Return the source of each item of studies, by its name; None for an item without one."""
    if len(studies) == 1:
        return {str(item.item): item.source for item in studies[0].design.items}
    designs = [study.design for study in studies]
    return {
        name: item.source
        for design, names in zip(designs, names_of_items(designs), strict=True)
        for name, item in zip(names, design.items, strict=True)
    }
