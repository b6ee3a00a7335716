"""Several studies that ask the same of the same systems, such as a study and a further one of other items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from referenceless_metrics.core.support.validation import InputError, joined_names
from referenceless_metrics.human_evaluation.studies.design import Design
from referenceless_metrics.human_evaluation.studies.reading import MarkedOutput, StudyRatings, marked_outputs

if TYPE_CHECKING:
    import pandas as pd

_KEYS = ("criterion", "system", "system_a", "system_b", "item", "rater")
"""Columns of a study's table that tell what was judged, and by whom."""


def check_alike(folders: Sequence[str], designs: Sequence[Design]) -> None:
    """Check that studies ask the same of the same systems, of items drawn alike.

    Args:
        folders: their folders, for messages.
        designs: their designs.

    Raises:
        InputError: for a study that differs from the first one, is the same, or stands alone by its draw.
    """
    first = designs[0]
    for folder, design in zip(folders[1:], designs[1:], strict=True):
        told = _difference(first, design)
        if told:
            raise InputError(f"{folders[0]} and {folder} cannot be analysed together: {told}; give one at a time")


def _difference(first: Design, second: Design) -> str:
    """Return why two studies cannot be analysed together, in words; "" if they can."""
    if first.study == second.study:
        return "they are the same study"
    if first.systems != second.systems:
        return f"the systems are {joined_names(first.systems)}, and {joined_names(second.systems)}"
    asked, others = ([(each.name, str(each.scale), each.question) for each in of.criteria] for of in (first, second))
    if asked != others or first.spans != second.spans:
        return f"raters are asked otherwise ({_told_asked(first)}; {_told_asked(second)})"
    if any(each.along is not None or each.n_unlike is not None for each in (first, second)):
        return "items drawn along a metric, or from those of which outputs differ, are analysed by their own draw"
    return ""


def _told_asked(design: Design) -> str:
    """Return what raters are asked, in words."""
    told = [f"{each.name or each.question} {each.scale}" for each in design.criteria]
    return ", ".join([*(["marked errors"] if design.spans is not None else []), *told])


def names_of_items(designs: Sequence[Design]) -> list[list[str]]:
    """Return the names of each study's items: their places in the systems' files.

    If a place holds other texts in another study, the studies are of other files, and their number stands in front.
    """
    texts: dict[int, tuple[str | None, tuple[str, ...]]] = {}
    are_of_one_set = all(
        texts.setdefault(each.item, (each.source, each.outputs)) == (each.source, each.outputs)
        for design in designs
        for each in design.items
    )
    return [
        [str(each.item) if are_of_one_set else f"{number}/{each.item}" for each in design.items]
        for number, design in enumerate(designs, 1)
    ]


def tables_together(studies: Sequence[StudyRatings]) -> tuple[pd.DataFrame, int]:
    """Return the tables of studies as one, and the number of rows that are left out.

    Items have the names of `names_of_items`. An answer about what the same rater judged in an earlier study is left
    out, as repeats are. Repeats within a study stay.
    """
    import pandas as pd

    named = names_of_items([study.design for study in studies])
    frames = []
    for study, names in zip(studies, named, strict=True):
        places = {item.item: name for item, name in zip(study.design.items, names, strict=True)}
        frames.append(study.table.assign(item=study.table["item"].map(places)))
    frame = pd.concat(frames, ignore_index=True)
    keys = [name for name in _KEYS if name in frame]
    is_again = frame.duplicated(keys) & ~frame["repeat"]
    return frame[~is_again].reset_index(drop=True), int(is_again.sum())


def marked_together(studies: Sequence[StudyRatings]) -> list[MarkedOutput]:
    """Return the outputs of studies with their marked errors; items are numbered in all studies together."""
    if len(studies) == 1:
        return marked_outputs(studies[0])
    numbers: dict[str, int] = {}
    found = []
    for study, names in zip(studies, names_of_items([study.design for study in studies]), strict=True):
        name_of = {item.item: name for item, name in zip(study.design.items, names, strict=True)}
        for each in marked_outputs(study):
            found.append(each._replace(item=numbers.setdefault(name_of[each.item], len(numbers))))
    return found


def shared_raters(studies: Sequence[StudyRatings]) -> list[str]:
    """Return the raters who rated in several of the studies, by name."""
    names = [set(study.table["rater"]) for study in studies]
    return sorted(name for name in set().union(*names) if sum(name in of_study for of_study in names) > 1)


def on_studies(folders: Sequence[str], studies: Sequence[StudyRatings]) -> str:
    """Return the sentence on studies that are analysed together."""
    listed = ", ".join(
        f"{folder}: {len(study.design.items)} items" for folder, study in zip(folders, studies, strict=True)
    )
    return (
        f"Ratings of {len(studies)} studies together ({listed}): if a further one was drawn after a look at the "
        "ratings of one before, p and intervals do not count that look, and are too favourable; say in the paper when "
        "it was decided."
    )


def notes_on_studies(studies: Sequence[StudyRatings], n_again: int) -> list[str]:
    """Return notes on raters of several studies, and on answers that are left out.

    Args:
        studies: the studies.
        n_again: number of answers about what the same rater judged before.
    """
    shared = shared_raters(studies)
    notes = [f"raters of the same name in several studies count as one: {', '.join(shared)}"] if shared else []
    if n_again:
        notes.append(f"left out: {n_again} answers about what the same rater judged in an earlier study")
    return notes
