"""A study while answers come in: each comparison at this look, agreement so far, and the items left by the plan."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from referenceless_metrics.core.support.statistics import p_text
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.inference.any_time import Looks
from referenceless_metrics.human_evaluation.studies.agreement import OF_MEANS
from referenceless_metrics.human_evaluation.studies.completeness import completeness
from referenceless_metrics.human_evaluation.studies.design import Design
from referenceless_metrics.human_evaluation.studies.raters import answers_of, rater_agreement
from referenceless_metrics.human_evaluation.studies.reading import StudyRatings, rating_files, read_study
from referenceless_metrics.human_evaluation.wording.holm_level import holm_sentence
from referenceless_metrics.human_evaluation.wording.phrases import count

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.inference.human_score import HumanDifference, HumanScores
    from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings
    from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable

_LEVEL = 0.95


@dataclass(frozen=True)
class Progress:
    """Findings of a study's ratings so far.

    Attributes:
        n_complete: number of items of which all raters have judged all outputs, or said that they cannot.
        n_planned: number of items of the study.
        n_unjudged: number of the complete items of which a rater could not judge an output.
        agreement: Krippendorff's α so far, a sentence for each criterion of which it can be told.
        comparisons: comparisons of each further system with the baseline, a sentence each.
        note: a condition on them, or the reason why there are none.
    """

    n_complete: int
    n_planned: int
    n_unjudged: int
    agreement: tuple[str, ...]
    comparisons: tuple[str, ...]
    note: str


def study_progress(folder: str | Path) -> Progress:
    """Return the findings of a study's ratings so far; intervals and p hold however often one asks.

    Raises:
        InputError: for a folder whose design or ratings cannot be read.
    """
    from referenceless_metrics.human_evaluation.ratings.criteria import with_overall
    from referenceless_metrics.human_evaluation.ratings.study_ratings import table_of_study
    from referenceless_metrics.human_evaluation.ratings.system_ratings import systems_of_table

    if not rating_files(folder):
        return Progress(0, len(Design.read(folder).items), 0, (), (), "There are no ratings yet.")
    study = read_study(folder)
    design = study.design
    n_planned = len(design.items)
    agreement = _agreement(study)
    reached = completeness(study)
    n_complete = reached.n_complete
    known = partial(Progress, n_complete, n_planned, reached.n_unjudged, agreement)
    if len(design.systems) < 2:
        return known((), "There is one system: nothing is compared.")
    if design.are_preferences:
        note = "Preferences have no --every-look: human-score says what they show when all are given."
        return known((), note)
    try:
        tables, _ = with_overall(table_of_study(study, str(folder)), asked=False)
        systems = {name: systems_of_table(table) for name, table in tables.items()}
        looks = Looks.of_study(n_planned, _LEVEL)
        if n_planned < looks.first:
            note = f"Looks begin at {looks.first} items: human-score says what {n_planned} show when all are rated."
            return known((), note)
        if n_complete < looks.first:
            note = f"{looks.too_early(n_complete)}."
            return known((), note)
        scores = _scores(tables, systems, looks)
    except InputError as error:
        return known((), f"Nothing can be said yet: {error}.")
    left = {name: completeness(study, name).n_open for name in design.asked}
    sentences = [
        _sentence(name, each, left.get(name, reached.n_open))
        for name, found in scores.items()
        for each in found.differences
    ]
    together = holm_sentence(_LEVEL, len(sentences))
    note = (
        f"Intervals ({_LEVEL:.0%}) and p hold however often you look from {looks.first} complete items on, for these "
        f"raters and for items in random order. {together}"
    )
    return known(tuple(sentences), note.rstrip())


def _scores(
    tables: Mapping[str, RatingTable], systems: Mapping[str, list[SystemRatings]], looks: Looks
) -> dict[str, HumanScores]:
    """Return the findings of the ratings by each criterion at this look, corrected together."""
    from referenceless_metrics.human_evaluation.inference.human_score import scores_by_criterion
    from referenceless_metrics.human_evaluation.inference.watched_ratings import watched_scores

    found = [
        watched_scores(
            systems[name], looks, asked_of=table.asked_of, level=_LEVEL, scale=table.scale, comparisons="baseline"
        )
        for name, table in tables.items()
    ]
    return dict(zip(tables, scores_by_criterion(found), strict=True))


def _agreement(study: StudyRatings) -> tuple[str, ...]:
    """Return α by each criterion with its interval, in words; nothing if no output was rated twice."""
    said = []
    design = study.design
    for criterion in design.criteria:
        answers = answers_of(study, criterion.name)
        if not answers:
            continue
        agreed = rater_agreement(answers, are_preferences=design.are_preferences)
        alpha = agreed.coefficients[f"alpha {OF_MEANS}"]
        if math.isnan(alpha.value):
            continue
        interval = "" if math.isnan(alpha.low) else f" [{alpha.low:.2f}, {alpha.high:.2f}]"
        of = f"{criterion.name}: " if criterion.name else ""
        shared = f"of {agreed.n_shared} outputs rated twice or more"
        said.append(f"{of}Krippendorff's α ({OF_MEANS}) {alpha.value:.2f}{interval}, {shared}")
    return tuple(said)


def _sentence(criterion: str, each: HumanDifference, left: int) -> str:
    watched = each.watched
    of = f"{criterion}: {each.system} less {each.baseline}" if criterion else f"{each.system} less {each.baseline}"
    plan = f"{count(left, 'more item')} by the plan" if left else "the plan is done, and no difference is shown"
    if watched is None or watched.obstacle:
        why = watched.obstacle if watched is not None else "it has no sequence"
        return f"{of}: nothing can be said yet, {why}; {plan}"
    low, high = each.adjusted_interval
    enough = "enough: the difference is shown" if each.is_shown else plan
    return f"{of}: {each.lead:+.3g} [{low:.3g}, {high:.3g}], {p_text(each.p_adjusted)}; {enough}"
