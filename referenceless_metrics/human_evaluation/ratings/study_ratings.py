"""The ratings of a study's folder, with its design."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from referenceless_metrics.core.files.reading import tell
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.exports.spans import TOLD_WEIGHTS
from referenceless_metrics.human_evaluation.inference.unlike_items import UnlikeItems
from referenceless_metrics.human_evaluation.ratings.joined_studies import joined_studies
from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable
from referenceless_metrics.human_evaluation.ratings.told_scales import check_scales
from referenceless_metrics.human_evaluation.studies.completeness import completeness, is_over, unfinished_note
from referenceless_metrics.human_evaluation.studies.criteria import OVERALL
from referenceless_metrics.human_evaluation.studies.design import FILE
from referenceless_metrics.human_evaluation.studies.reading import (
    StudyRatings,
    left_out_note,
    marked_outputs,
    n_unshown_ties,
    read_study,
)
from referenceless_metrics.human_evaluation.studies.spans import SPANS
from referenceless_metrics.human_evaluation.studies.together import check_alike

if TYPE_CHECKING:
    pass


_ON_SPANS = (
    f"{SPANS}: the negative sum of the weights of the errors that a rater marked in an output: {TOLD_WEIGHTS} (MQM)"
)


def is_study(path: object) -> bool:
    """Say whether this is the folder of a study."""
    return isinstance(path, str) and (Path(path) / FILE).is_file()


def of_studies(
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
    check_scales(source, rows, named)
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
