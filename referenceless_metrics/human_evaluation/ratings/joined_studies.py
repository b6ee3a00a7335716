"""The ratings of several studies as one rating table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable
from referenceless_metrics.human_evaluation.studies.completeness import completeness
from referenceless_metrics.human_evaluation.studies.reading import StudyRatings
from referenceless_metrics.human_evaluation.studies.together import notes_on_studies, on_studies, tables_together


def joined_studies(
    folders: Sequence[str], studies: Sequence[StudyRatings], tables: Sequence[RatingTable], *, alone: bool
) -> RatingTable:
    """Return the ratings of studies that were checked to be alike as one table.

    Args:
        folders: their folders.
        studies: the studies.
        tables: the rating table of each.
        alone: whether there are no files of the systems' outputs, by which ratings find their outputs.

    Raises:
        InputError: for studies of several sets of outputs beside the systems' files.
    """
    frame, n_again = tables_together(studies)
    rows = frame[~frame["repeat"]]
    items = rows["item"].unique()
    are_of_one_set = all(map(str.isdecimal, items))
    if not are_of_one_set and not alone:
        raise InputError(
            f"{folders[0]} and {folders[1]} were drawn from other outputs: leave out the systems' files, or give one "
            "study at a time"
        )
    n_of_each = [study.design.n_items for study in studies]
    is_unfinished = any(table.unfinished for table in tables)
    notes = [f"{folder}: {note}" for folder, table in zip(folders, tables, strict=True) for note in table.notes]
    left_out = set(chain.from_iterable(table.left_out for table in tables))
    are_counted = set(rows["rater"])
    return replace(
        tables[0],
        source=", ".join(folders),
        frame=rows.reset_index(drop=True),
        metric=_the_same([table.metric for table in tables]),
        estimates_column=_the_same([table.estimates_column for table in tables]),
        notes=(*notes, *notes_on_studies(studies, n_again)),
        overall=all(table.overall for table in tables),
        planned=len(items),
        asked_of={},
        marked=list(chain.from_iterable(table.marked for table in tables)),
        unfinished=" ".join(f"{table.source}: {table.unfinished}" for table in tables if table.unfinished),
        is_over=all(table.is_over for table in tables),
        n_complete=sum(completeness(study).n_complete for study in studies) if is_unfinished else None,
        unjudged=sum((Counter(table.unjudged) for table in tables), Counter()),
        n_all=max(n_of_each) if are_of_one_set else sum(n_of_each),
        left_out=tuple(sorted(left_out - are_counted)),
        partly_left_out=tuple(sorted(left_out & are_counted)),
        n_unshown_ties=sum(table.n_unshown_ties for table in tables),
        places=_sums_of_places(tables),
        n_studies=len(studies),
        together=on_studies(folders, studies),
    )


def _the_same(names: Sequence[str]) -> str:
    """Return the name that all studies have; "" if they differ."""
    return names[0] if len(set(names)) == 1 else ""


def _sums_of_places(tables: Sequence[RatingTable]) -> dict[str, tuple[int, int, int]]:
    """Return the answers for the first output, for the second and for neither, by criterion, of all studies."""
    found: dict[str, tuple[int, int, int]] = {}
    for table in tables:
        for name, (first, second, neither) in table.places.items():
            before = found.get(name, (0, 0, 0))
            found[name] = (before[0] + first, before[1] + second, before[2] + neither)
    return found
