"""Items of a study that all of their raters have judged, and those that are still open."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from referenceless_metrics.human_evaluation.studies.reading import StudyRatings

_MOST_BLANK = 0.1
"""Largest share of a rater's answers that may be blank if the rater has come to the end."""


class Completeness(NamedTuple):
    """Progress of a study.

    Attributes:
        n_items: number of items that were drawn.
        n_open: number of items that lack an answer; a rater who says *cannot judge* has answered.
        n_unjudged: number of the other items that have a *cannot judge*, so that not all outputs are rated by all of
            their raters.
    """

    n_items: int
    n_open: int
    n_unjudged: int

    @property
    def n_complete(self) -> int:
        """Number of items of which all raters have judged all outputs, or said that they cannot."""
        return self.n_items - self.n_open

    @property
    def is_finished(self) -> bool:
        """Whether all answers are given."""
        return not self.n_open


def completeness(study: StudyRatings, criterion: str | None = None) -> Completeness:
    """Return the progress of a study; outputs that are shown again, and damaged texts, do not count.

    Args:
        study: the study.
        criterion: the name of the criterion whose answers count; None for all.
    """
    answers = [answer for answer in _answers(study) if criterion is None or answer[1] == criterion]
    unanswered = {item for item, _, rating in answers if rating is None}
    return Completeness(len(study.design.items), len(unanswered), len(_incomplete(answers) - unanswered))


def complete_items(study: StudyRatings, criterion: str) -> set[int]:
    """Return the places of the items of which all raters have rated all outputs by a criterion.

    An item of which nothing is asked, such as equal outputs of two systems that are to be preferred, is complete.
    """
    of_criterion = [answer for answer in _answers(study) if answer[1] == criterion]
    return set(range(len(study.design.items))) - _incomplete(of_criterion)


def _incomplete(answers: Iterable[tuple[int, str, float | None]]) -> set[int]:
    """Return the items of which not all answers are ratings."""
    return {item for item, _, rating in answers if rating is None or math.isnan(rating)}


def _answers(study: StudyRatings) -> Iterator[tuple[int, str, float | None]]:
    """Yield the item, the criterion and the rating of each answer that is asked for; None for one that is missing.

    A rating is NaN if the rater could not judge. Outputs that are shown again, and damaged texts, do not count.
    """
    design = study.design
    ratings = {judgement.place: judgement.rating for judgement in study.judgements}
    for rater, screens in design.raters.items():
        for number, screen in enumerate(screens, 1):
            if screen.repeat or screen.check:
                continue
            for output, criterion in design.asked_on(screen):
                yield screen.item, criterion, ratings.get((rater, number, output, criterion))


def is_over(study: StudyRatings) -> bool:
    """Say whether all raters have come to the end, with blanks: each has answered on the last screen and lacks few."""
    ratings = {judgement.place: judgement.rating for judgement in study.judgements}
    for rater, screens in study.design.raters.items():
        asked = [
            (number, ratings.get((rater, number, output, criterion)) is not None)
            for number, screen in enumerate(screens, 1)
            if not screen.repeat and not screen.check
            for output, criterion in study.design.asked_on(screen)
        ]
        if not asked:
            continue
        last = max(number for number, _ in asked)
        n_blank = sum(not is_answered for _, is_answered in asked)
        if n_blank > _MOST_BLANK * len(asked) or not any(
            is_answered for number, is_answered in asked if number == last
        ):
            return False
    return True


def unfinished_note(study: StudyRatings) -> str:
    """Say that a study is not finished, with the scope of its figures, in sentences; "" if it is.

    A finding before the end, made because it looked good, is wrong more often than its p says.
    """
    reached = completeness(study)
    if reached.is_finished:
        return ""
    if is_over(study):
        return (
            f"All raters have come to the end, with blanks: {reached.n_complete} of {reached.n_items} items are "
            "complete. These figures are of all answers."
        )
    told = f"Not finished: {reached.n_complete} of {reached.n_items} items are complete."
    if study.design.are_preferences:
        return (
            f"{told} These figures are of all answers; a decision while it runs is wrong more often than p says, and "
            "preferences have no --every-look."
        )
    return f"{told} These figures are of all rated outputs; if you look in order to stop, use --every-look."
