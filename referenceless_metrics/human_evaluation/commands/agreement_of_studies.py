"""What `agreement` reads of a study, or of several that ask the same: answers, flags of raters and remarks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

from referenceless_metrics.core.files.reading import tell
from referenceless_metrics.core.support.validation import Options, Record

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.studies.design import Design
    from referenceless_metrics.human_evaluation.studies.raters import Answer
    from referenceless_metrics.human_evaluation.studies.reading import StudyRatings


class OfStudies(NamedTuple):
    """Answers of raters in studies.

    Attributes:
        answers: the answers by each criterion.
        systems: the systems in their order if answers are preferences; none of ratings.
        flags: flags of raters who rated damaged texts as high as the whole ones, by criterion and rater.
        remarks: sentences on single studies.
        of_spans: sentences and a summary of the agreement on marked errors; nothing if nobody marked any.
    """

    answers: dict[str, list[Answer]]
    systems: tuple[str, ...]
    flags: dict[str, dict[str, str]]
    remarks: list[str]
    of_spans: tuple[list[str], Record]


def agreement_of_studies(folders: Sequence[str], values: Options | None) -> OfStudies:
    """Read studies, and tell who is left out.

    Args:
        folders: their folders.
        values: the numbers that words stand for.

    Raises:
        InputError: for a study that cannot be read, and studies that do not ask the same.
    """
    from referenceless_metrics.human_evaluation.studies.raters import check_remarks, side_remarks, unjudged_remarks
    from referenceless_metrics.human_evaluation.studies.reading import left_out_note, read_study
    from referenceless_metrics.human_evaluation.studies.together import check_alike, notes_on_studies

    studies = [read_study(folder, values) for folder in folders]
    check_alike(folders, [study.design for study in studies])
    starts = [f"{folder}: " if len(folders) > 1 else "" for folder in folders]
    left_out = [(start, left_out_note(study)) for start, study in zip(starts, studies, strict=True)]
    tell([f"{start}{note}" for start, note in left_out if note])
    tell(notes_on_studies(studies, 0))
    design = studies[0].design
    remarks = []
    for folder, start, study in zip(folders, starts, studies, strict=True):
        told = [*_on_equal_outputs(study), *unjudged_remarks(study)]
        if study.design.metric or study.design.estimates_column:
            told.append(_on_estimates(study.design, folder))
        told += [remark for name in design.asked for remark in check_remarks(study, name)]
        told += [remark for name in design.asked for remark in side_remarks(study, name)]
        remarks += [f"{start}{remark}" for remark in told]
    return OfStudies(
        _answers(studies),
        design.systems if design.are_preferences else (),
        {name: _flags(folders, studies, name) for name in design.asked},
        remarks,
        _agreement_on_spans(studies),
    )


def on_leaving_out(folders: Sequence[str]) -> str:
    """Say how to leave a rater out of studies."""
    moved = [f"from {Path(folder) / 'ratings'} to {Path(folder) / 'left_out'}" for folder in folders]
    told = ", and ".join(moved)
    return f"To leave a rater out, move the file {told}: `human-score` and `study describe` then say so."


def _answers(studies: Sequence[StudyRatings]) -> dict[str, list[Answer]]:
    """Return the answers of studies by each criterion; of several, items have the names that all of them know."""
    from referenceless_metrics.human_evaluation.studies.raters import answers_of
    from referenceless_metrics.human_evaluation.studies.together import names_of_items

    asked = studies[0].design.asked
    if len(studies) == 1:
        return {name: answers_of(studies[0], name) for name in asked}
    found: dict[str, list[Answer]] = {name: [] for name in asked}
    for study, names in zip(studies, names_of_items([study.design for study in studies]), strict=True):
        for name in asked:
            for answer in answers_of(study, name):
                assert isinstance(answer.unit, tuple)
                place, *outputs = answer.unit
                found[name].append(answer._replace(unit=(names[place], *outputs)))
    return found


def _flags(folders: Sequence[str], studies: Sequence[StudyRatings], criterion: str) -> dict[str, str]:
    """Return flags of raters by damaged texts, with the study in which, if there are several."""
    from referenceless_metrics.human_evaluation.studies.raters import check_flags

    told: dict[str, list[str]] = {}
    for folder, study in zip(folders, studies, strict=True):
        for rater, flag in check_flags(study, criterion).items():
            told.setdefault(rater, []).append(f"{flag} in {folder}" if len(folders) > 1 else flag)
    return {rater: ", and ".join(flags) for rater, flags in told.items()}


def _agreement_on_spans(studies: Sequence[StudyRatings]) -> tuple[list[str], Record]:
    """Return sentences and a summary of raters' agreement on errors; nothing if nobody marked any."""
    from referenceless_metrics.human_evaluation.studies.span_agreement import span_agreement
    from referenceless_metrics.human_evaluation.studies.together import marked_together
    from referenceless_metrics.human_evaluation.wording.agreement_output import span_lines

    marked = marked_together(studies)
    if not marked:
        return [], {}
    agreed = span_agreement(marked)
    prefilled = [asdict(each) for each in agreed.prefilled]
    summary = {
        "alpha over characters": agreed.alpha._asdict(),
        "f1": agreed.f1,
        "matched f1": agreed.matched_f1,
        "pairs": agreed.n_pairs,
    }
    return span_lines(agreed), {"spans": {**summary, "prefilled": prefilled}}


def _on_estimates(design: Design, study: str) -> str:
    """Return the line that leads to the worth of the estimates that a study names.

    Args:
        design: the study's design.
        study: the study's folder.
    """
    from referenceless_metrics.human_evaluation.ratings.scores_beside import narrowing_line
    from referenceless_metrics.human_evaluation.studies.design import named_estimates
    from referenceless_metrics.human_evaluation.wording.next_steps import OF_SAMPLE

    names, options = named_estimates(design.metric, design.estimates_column)
    call = f"referenceless human-score OUTPUTS --ratings {quote(study)} {options}"
    return f"{narrowing_line(' with '.join(names), call)} {OF_SAMPLE}"


def _on_equal_outputs(study: StudyRatings) -> list[str]:
    """Say how equal outputs of an item count; nothing if there are none."""
    n_equal = sum(len(item.outputs) - len(set(item.outputs)) for item in study.design.items)
    if not n_equal or study.design.are_preferences:
        return []
    return [
        "Equal outputs of an item were shown once, and count once here; `human-score` and `evaluate` count them for "
        "each of their systems."
    ]
