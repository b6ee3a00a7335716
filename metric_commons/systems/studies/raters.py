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
            value = 1 - given.answer if turned else given.answer
            found.append(Answer(given.rater, (screen.item, *sorted(screen.outputs)), value, given.answer))
        else:
            shown = screen.outputs[study.design.answers_on(screen).index(given.output)]
            found.append(Answer(given.rater, (screen.item, shown), given.answer, given.answer))
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
    firsts: dict[tuple[str, Hashable], Answer] = {}
    repeats: dict[str, list[tuple[float, float]]] = {}
    for answer in answers:
        first = firsts.setdefault((answer.rater, answer.unit), answer)
        if first is not answer:
            repeats.setdefault(answer.rater, []).append((first.value, answer.value))
    by_rater: dict[str, list[Answer]] = {}
    for answer in firsts.values():
        by_rater.setdefault(answer.rater, []).append(answer)
    means = {rater: float(np.mean([each.value for each in own])) for rater, own in by_rater.items()}
    around: dict[Hashable, dict[str, float]] = {}
    for answer in firsts.values():
        around.setdefault(answer.unit, {})[answer.rater] = answer.value - means[answer.rater]
    correlations = {}
    for rater, own in by_rater.items():
        beside = [
            (of[rater], (sum(of.values()) - of[rater]) / (len(of) - 1))
            for each in own
            if len(of := around[each.unit]) > 1
        ]
        correlations[rater] = (len(beside), pearson(*np.array(beside).T) if len(beside) > 2 else math.nan)
    raters = []
    for rater in sorted(by_rater):
        own = by_rater[rater]
        values, again = np.array([each.value for each in own]), np.array(repeats.get(rater, []))
        common, times = Counter(each.shown for each in own).most_common(1)[0]
        raters.append(
            RaterAgreement(
                rater,
                len(own),
                means[rater],
                float(values.std(ddof=1)) if len(own) > 1 else math.nan,
                times / len(own),
                *correlations[rater],
                len(again),
                float((again[:, 0] == again[:, 1]).mean()) if len(again) else math.nan,
                float(abs(again[:, 0] - again[:, 1]).mean()) if len(again) else math.nan,
                tuple(_flags(rater, len(own), common, times / len(own), correlations)),
            )
        )
    kept = list(firsts.values())
    return Agreement(
        {level: krippendorff_alpha(kept, level) for level in LEVELS},
        len(around),
        sum(len(of) > 1 for of in around.values()),
        tuple(raters),
        rater_ceiling([repr(each.unit) for each in kept], [each.value for each in kept]),
    )


def krippendorff_alpha(answers: Sequence[Answer], level: str) -> float:
    """Return Krippendorff's α (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability"), by nltk.

    Args:
        answers: at most one of a rater for each unit; units with one answer tell nothing and are left out.
        level: `nominal`, `ordinal` or `interval`.

    Returns:
        At most 1; 0 for agreement by chance; NaN where nothing was rated twice or all answers are one.
    """
    agreement = import_extra("nltk.metrics.agreement", "agreement", "the agreement of raters")
    often = Counter(answer.unit for answer in answers)
    paired = [answer for answer in answers if often[answer.unit] > 1]
    counts = Counter(answer.value for answer in paired)
    if len(counts) < 2:
        return math.nan
    order = sorted(counts)
    ends = np.cumsum([counts[value] for value in order])
    ranks = dict(zip(order, (ends - [counts[value] / 2 for value in order]).tolist(), strict=True))
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
