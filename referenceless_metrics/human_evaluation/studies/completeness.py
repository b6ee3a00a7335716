"""Items of a study that all of their raters have judged, and those that are still open."""

from __future__ import annotations

import math
from typing import NamedTuple

from referenceless_metrics.human_evaluation.studies.reading import StudyRatings


class Completeness(NamedTuple):
    """Progress of a study.

    Attributes:
        n_items: how many items were drawn.
        n_complete: of how many of them all raters have rated all outputs by every criterion.
        n_open: of how many an answer is missing; a rater who says *cannot judge* has answered.
    """

    n_items: int
    n_complete: int
    n_open: int

    @property
    def is_finished(self) -> bool:
        """Whether all answers are given."""
        return not self.n_open


def completeness(study: StudyRatings) -> Completeness:
    """Return how far a study is; outputs that are shown again, and damaged texts, do not count."""
    design = study.design
    ratings = {judgement.place: judgement.rating for judgement in study.judgements}
    unrated: set[int] = set()
    unanswered: set[int] = set()
    for rater, screens in design.raters.items():
        for number, screen in enumerate(screens, 1):
            if screen.repeat or screen.check:
                continue
            for output, criterion in design.asked_on(screen):
                place = rater, number, output, criterion
                if place not in ratings:
                    unanswered.add(screen.item)
                if math.isnan(ratings.get(place, math.nan)):
                    unrated.add(screen.item)
    n = len(design.items)
    return Completeness(n, n - len(unrated), len(unanswered))


def unfinished_note(study: StudyRatings) -> str:
    """Say that a study is not finished, as a sentence; "" if it is.

    A finding before the end, made because it looked good, is wrong more often than its p says.
    """
    reached = completeness(study)
    if reached.is_finished:
        return ""
    looking = "if you decide while it runs, use --every-look"
    if study.design.are_preferences:
        looking = "a decision while it runs is wrong more often than p says, and preferences have no --every-look"
    return f"Not finished: {reached.n_complete} of {reached.n_items} items are complete; {looking}."
