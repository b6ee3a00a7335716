"""How far raters agree with one another (Krippendorff's α) and with themselves, and who seems not to look at texts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from metric_commons.assessment.meta_evaluation import pearson
from metric_commons.assessment.rater_ceiling import RaterCeiling, rater_ceiling
from metric_commons.support.errors import InputError
from metric_commons.support.installation import import_extra
from metric_commons.systems.studies.reading import StudyRatings

LEVELS = ("nominal", "ordinal", "interval")
FEWEST = 10
"""Ratings below which nobody is flagged."""

ONE_ANSWER = 0.95
"""A rater who gives one answer to at least this share of the texts seems not to look at them."""

_ERROR = 0.05


class Answer(NamedTuple):
    """What a rater said of something that was rated.

    Attributes:
        rater: who.
        unit: what was rated: an output, or two of them.
        value: the rating; of a preference the share of a win for the same one of the two, however they were shown.
        shown: what the rater chose on the screen.
    """

    rater: str
    unit: Hashable
    value: float
    shown: float


@dataclass(frozen=True)
class RaterAgreement:
    """One rater beside the others.

    Attributes:
        rater: the name.
        n: ratings, without repeats.
        mean: of them.
        spread: their standard deviation; NaN for one rating.
        one_answer: the share of the answer that the rater chose most often.
        n_shared: ratings of what others rated too.
        correlation: with the mean of the others' ratings of the same, each rater's own mean taken out first; NaN where
            one side does not vary.
        n_repeats: how often the rater rated the same again.
        same: the share of repeats with the same answer; NaN without repeats.
        distance: the mean distance of the two answers; NaN without repeats.
        flags: what is striking, in words.
    """

    rater: str
    n: int
    mean: float
    spread: float
    one_answer: float
    n_shared: int
    correlation: float
    n_repeats: int
    same: float
    distance: float
    flags: tuple[str, ...]


@dataclass(frozen=True)
class Agreement:
    """How far raters agree.

    Attributes:
        alpha: Krippendorff's α by level of measurement; NaN where nothing was rated twice or all answers are one.
        n_units: how many outputs were rated.
        n_shared: how many by at least two raters.
        raters: each one, by name.
        ceiling: what rater noise leaves a metric; None where nothing was rated twice.
    """

    alpha: dict[str, float]
    n_units: int
    n_shared: int
    raters: tuple[RaterAgreement, ...]
    ceiling: RaterCeiling | None


def answers_of(study: StudyRatings) -> list[Answer]:
    """Return a study's answers in the order of the screens, an answer for each thing shown, repeats last."""
    found = []
    for given in sorted(study.judgements, key=lambda each: (each.rater, each.screen)):
        screen = study.design.raters[given.rater][given.screen - 1]
        if study.design.scale.is_preference:
            turned = screen.outputs[0] > screen.outputs[1]
            value = 1 - given.rating if turned else given.rating
            found.append(Answer(given.rater, (screen.item, *sorted(screen.outputs)), value, given.rating))
        else:
            shown = screen.outputs[study.design.answers_on(screen).index(given.output)]
            found.append(Answer(given.rater, (screen.item, shown), given.rating, given.rating))
    return found


def rater_agreement(answers: Sequence[Answer]) -> Agreement:
    """Return how far raters agree with one another and with themselves.

    A rater's first answer about a unit counts; later ones are repeats. Nobody is left out, and two things are flagged,
    in at least `FEWEST` ratings: one answer nearly always (`ONE_ANSWER`); and answers as if at random, which is a
    correlation with the others' means that is not above 0 at 5 %, one-sided, and, where there are three raters or more,
    is below the median of the other raters' correlations at 5 % over all raters (Fisher's z, Bonferroni).

    Args:
        answers: of all raters, each one's in the order in which they were given.

    Raises:
        InputError: for no answers.
        ImportError: without nltk.

    Example:
        >>> answers = [Answer(rater, text, text % 5, text % 5) for rater in ("ann", "bob") for text in range(20)]
        >>> rater_agreement(answers).alpha["nominal"]
        1.0
    """
    if not answers:
        raise InputError("there are no ratings")
    import pandas as pd

    table = pd.DataFrame(list(answers), columns=Answer._fields)
    later = table.duplicated(["rater", "unit"])
    kept, again = table[~later], table[later].merge(table[~later], on=["rater", "unit"])
    distances = (again.value_x - again.value_y).abs()
    own = kept.value - kept.groupby("rater").value.transform("mean")
    of_unit = own.groupby(kept.unit)
    others = (of_unit.transform("sum") - own)[of_unit.transform("size") > 1]
    others /= of_unit.transform("size")[others.index] - 1
    correlations = {}
    for rater, mine in kept.groupby("rater"):
        beside = mine.index.intersection(others.index)
        r = pearson(own[beside].to_numpy(), others[beside].to_numpy()) if len(beside) > 2 else math.nan
        correlations[str(rater)] = (len(beside), r)
    raters = []
    for rater, mine in kept.groupby("rater"):
        most, of_repeats = mine.shown.value_counts(normalize=True), distances[again.rater == rater]
        raters.append(
            RaterAgreement(
                str(rater),
                len(mine),
                float(mine.value.mean()),
                float(mine.value.std()),
                float(most.iloc[0]),
                *correlations[str(rater)],
                len(of_repeats),
                float((of_repeats == 0).mean()),
                float(of_repeats.mean()),
                tuple(_flags(str(rater), len(mine), float(most.index[0]), float(most.iloc[0]), correlations)),
            )
        )
    firsts, times = list(map(Answer._make, kept.itertuples(index=False))), kept.unit.value_counts()
    return Agreement(
        {level: krippendorff_alpha(firsts, level) for level in LEVELS},
        len(times),
        int((times > 1).sum()),
        tuple(raters),
        rater_ceiling([repr(unit) for unit in kept.unit], kept.value),
    )


def krippendorff_alpha(answers: Sequence[Answer], level: str) -> float:
    """Return Krippendorff's α (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability"), by nltk.

    Args:
        answers: at most one of a rater for each unit; units with one answer tell nothing and are left out.
        level: `nominal`, `ordinal` or `interval`.

    Returns:
        At most 1; 0 for agreement by chance; NaN where nothing was rated twice or all answers are one.
    """
    from scipy.stats import rankdata

    agreement = import_extra("nltk.metrics.agreement", "agreement", "the agreement of raters")
    often = Counter(answer.unit for answer in answers)
    paired = [answer for answer in answers if often[answer.unit] > 1]
    values = [answer.value for answer in paired]
    if len(set(values)) < 2:
        return math.nan
    ranks = dict(zip(values, rankdata(values).tolist(), strict=True))  # as far apart as half of each and all between
    distances = {
        "nominal": lambda left, right: float(left != right),
        "ordinal": lambda left, right: (ranks[left] - ranks[right]) ** 2,
        "interval": lambda left, right: (left - right) ** 2,
    }
    task = agreement.AnnotationTask([(a.rater, a.unit, a.value) for a in paired], distances[level])
    return float(task.alpha())


def _flags(rater: str, n: int, common: float, share: float, correlations: dict[str, tuple[int, float]]) -> list[str]:
    from scipy.special import ndtri

    flags: list[str] = []
    if n < FEWEST:
        return flags
    if share >= ONE_ANSWER:
        flags.append(f"gives {common:g} in {share:.0%} of {n} ratings")
    shared, own = correlations[rater]
    others = [of for name, (count, of) in correlations.items() if name != rater and count >= FEWEST and of == of]
    if shared < FEWEST or own != own or not others:
        return flags
    z, error = math.atanh(min(own, 1 - 1e-9)), 1 / math.sqrt(shared - 3)
    below = math.atanh(min(float(np.median(others)), 1 - 1e-9)) - z
    few = len(others) < 2  # then the two correlate with each other alone
    if z < ndtri(1 - _ERROR) * error and (few or below > ndtri(1 - _ERROR / (len(others) + 1)) * error):
        flags.append(f"agrees with the others as if at random (r = {own:.2f} in {shared} ratings)")
    return flags
