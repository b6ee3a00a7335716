"""From ratings of texts to advice: what to estimate further texts with, what to expect, and whether to rate more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.tuning.calibration import calibrate, keep
from metric_commons.files.tables import RatedTexts
from metric_commons.results import MetricResult
from metric_commons.statistics.agreement import NO_BETTER, Agreement, worst
from metric_commons.statistics.rater_ceiling import RaterCeiling, rater_ceiling
from metric_commons.statistics.verdict import Verdict
from metric_commons.support.errors import InputError
from quality_estimation_metric.estimator import QualityEstimator
from referenceless_metrics.advice.candidates import Candidate, candidates
from referenceless_metrics.advice.measure import (
    Deals,
    LeftOut,
    deals_of_folds,
    group_folds,
    leave_out,
    with_all,
    worth,
)

FEWEST_TEXTS = 20
"""Distinct rated texts below which there is no advice but to rate more."""

_SURE = 0.8  # of the interval of ρ whose lower end must be above 0: one-sided, 10 %
_NOTABLE = 0.05  # a difference of two correlations that is worth a sentence
_ENOUGH_REPEATED = 0.5  # further ratings of the same texts, for each text, to say how raters agree


@dataclass(frozen=True)
class Advice:
    """What ratings allow.

    Attributes:
        n_ratings: how many there are.
        n_texts: distinct texts, whose ratings are averaged.
        candidates: what was compared.
        left_out: the candidates on texts left out at random.
        by_group: on groups left out; None without groups.
        n_groups: 0 without.
        chosen: the name of the best.
        metric: the best, trained on all ratings.
        agreement: on texts left out, of what the other folds say is best: the choice itself is paid for.
        group_agreement: on groups left out; None without.
        expected: ρ to expect of the best on further texts like these, the choice itself paid for.
        interval: of it, 95 %.
        expected_of_groups: ρ to expect on groups (systems, topics) without ratings; NaN where not known.
        gain: by how much ρ may grow with twice the ratings.
        ceiling: what the raters' disagreement allows; None where not known.
        outputs: estimates of the outputs; None for none.
        n_outputs_rated: how many outputs are among the rated texts.
        findings: all this in words, the verdict first.
    """

    n_ratings: int
    n_texts: int
    candidates: tuple[Candidate, ...]
    left_out: Deals
    by_group: LeftOut | None
    n_groups: int
    chosen: Candidate
    metric: Any
    agreement: Agreement
    group_agreement: Agreement | None
    expected: float
    interval: tuple[float, float]
    expected_of_groups: float
    gain: float
    ceiling: RaterCeiling | None
    outputs: MetricResult | None = None
    n_outputs_rated: int = 0
    findings: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """`useful`, `weak` or `no better than the mean`: the worse of texts and of groups left out."""
        of_groups = [] if self.group_agreement is None else [self.group_agreement.verdict]
        return worst([self.verdict_of_texts, *of_groups])

    @property
    def verdict_of_texts(self) -> str:
        """The verdict on further texts like the rated ones; where there is a warning, the worst."""
        return NO_BETTER if self.warns else self.agreement.verdict

    @property
    def warns(self) -> bool:
        """Whether the expected ρ is no promise: the 80 % interval of what was seen, of the choice, reaches 0.

        Of ratings that were shuffled, 80 to 90 % are warned of (HUSE's headlines, TGen's outputs in nlg-ratings, 200
        outputs of Simplicity-DA); 68 to 78 % where the interval does not count that folds share texts. Few ratings pay
        for it: of 111 that allow a ρ of .18, 31 in 100 draws are warned of too. To warn of 10 would let 30 % of
        shuffled ratings pass.
        """
        return not self.left_out.interval(self.left_out.of_the_choice, level=_SURE)[0] > 0


def advise(
    rated: RatedTexts, outputs: Sequence[str] | None = None, *, quality_estimator: bool = True, seed: int = 12345
) -> Advice:
    """Say what ratings allow.

    Args:
        rated: texts with ratings; with groups, such as systems, unseen groups are looked at too.
        outputs: texts to estimate.
        quality_estimator: whether to compare the trained estimator too, which takes most of the time.
        seed: of the folds.

    Raises:
        InputError: for fewer than 20 distinct texts, ratings that are all alike, one group only, or a group of one
            text.
    """
    texts, ratings, groups = _distinct(rated)
    _check(texts, ratings, groups)
    compared = candidates(texts, ratings, quality_estimator=quality_estimator)
    folds = deals_of_folds(len(texts), seed)
    left_out = Deals(tuple(leave_out(compared, texts, ratings, fold) for fold in folds))
    chosen = next(each for each in compared if each.name == left_out.best)
    half = Deals(tuple(leave_out([chosen], texts, ratings, fold, share=0.5, seed=seed) for fold in folds))
    by_group = None if groups is None else leave_out(compared, texts, ratings, group_folds(groups, seed))
    metric = chosen.make(texts, ratings)
    if isinstance(metric, BLEUNeighbors):
        of_all = RatedTexts(rated.texts, rated.quality, rated.groups)
        keep(metric, calibrate(metric, of_all, n_resamples=1000))
    gain = max(0.0, left_out.mean(chosen.name) - half.mean(chosen.name))
    expected = with_all(left_out.of_the_choice, gain, int(folds[0].max()) + 1)
    interval = left_out.interval(expected)
    first = left_out.each[0]
    agreement = worth(first.estimates_of_the_choice, first.centres, texts, ratings)
    group_agreement = (
        None if by_group is None else worth(by_group.estimates[chosen.name], by_group.centres, texts, ratings)
    )
    advice = Advice(
        n_ratings=len(rated.texts),
        n_texts=len(texts),
        candidates=tuple(compared),
        left_out=left_out,
        by_group=by_group,
        n_groups=0 if groups is None else len(set(groups)),
        chosen=chosen,
        metric=metric,
        agreement=agreement,
        group_agreement=group_agreement,
        expected=expected,
        interval=interval,
        expected_of_groups=float("nan") if by_group is None else by_group.mean(chosen.name),
        gain=gain,
        ceiling=rater_ceiling(rated.texts, rated.quality),
    )
    if isinstance(metric, QualityEstimator):
        metric.take_verdict(Verdict(advice.verdict, 1.0, expected, *interval, by_group=by_group is not None))
    if outputs is not None:
        known = set(texts)
        advice = _with(advice, outputs=metric.predict(outputs), n_outputs_rated=sum(text in known for text in outputs))
    return _with(advice, findings=tuple(_findings(advice, rated)))


def _with(advice: Advice, **changed: Any) -> Advice:
    return Advice(**{**vars(advice), **changed})


def _distinct(rated: RatedTexts) -> tuple[list[str], NDArray[np.float64], list[str] | None]:
    """Return distinct texts with the mean of their ratings; of a text in several groups, the first one's."""
    places: dict[str, int] = {}
    where = np.array([places.setdefault(text, len(places)) for text in rated.texts], dtype=np.int64)
    means = np.bincount(where, weights=rated.quality) / np.bincount(where)
    if rated.groups is None:
        return list(places), means, None
    first: dict[str, str] = {}
    for text, group in zip(rated.texts, rated.groups, strict=True):
        first.setdefault(text, group)
    return list(places), means, list(first.values())


def _check(texts: Sequence[str], ratings: NDArray[np.float64], groups: Sequence[str] | None) -> None:
    if len(texts) < FEWEST_TEXTS:
        raise InputError(
            f"{len(texts)} distinct rated texts are too few to leave any out: rate at least {FEWEST_TEXTS}, and better "
            "a hundred"
        )
    if np.ptp(ratings) == 0:
        raise InputError(f"all ratings are {ratings[0]:g}: they hold no information about quality")
    if groups is None:
        return
    sizes = Counter(groups)
    if len(sizes) < 2:
        raise InputError(f"all texts are of one group ({groups[0]}): to leave one out takes at least two")
    name, size = min(sizes.items(), key=lambda item: item[1])
    if size < 2:
        raise InputError(f"the group {name} has one text: a group needs at least two, and better dozens")


def _findings(advice: Advice, rated: RatedTexts) -> list[str]:
    low, high = advice.interval
    found = [
        f"{advice.verdict_of_texts.capitalize()}. Use {advice.chosen.name} ({advice.chosen.call}): expect ρ "
        f"{advice.expected:.2f} [{low:.2f}, {high:.2f}] on further texts like these."
    ]
    if advice.warns:
        found.append(
            "Do not report these estimates as quality: the ratings do not show that they rank texts better than chance."
        )
    elif not advice.agreement.mean_squared_error < advice.agreement.baseline_error:
        found.append("They order texts, and no more: as ratings, they err by no less than the mean rating does.")
    empty = sum(not text.strip() for text in rated.texts)
    if empty:
        found.append(f"{empty} of the rated texts are empty: leave them out, or the trained estimator is not tried.")
    if advice.n_texts < advice.n_ratings:
        found.append(
            f"{advice.n_ratings} ratings are of {advice.n_texts} distinct texts: equal texts count once, with their "
            "mean, and are never on both sides of a fold."
        )
    if advice.group_agreement is not None:
        found.append(
            f"On groups without ratings, each of the {advice.n_groups} left out in turn or with others: "
            f"{advice.group_agreement.verdict}, ρ {advice.expected_of_groups:.2f}. That is what to expect of a new "
            "system or topic: rate some of its texts before you rely on estimates of them."
        )
    length = advice.agreement.length.value
    if abs(length) >= max(0.2, advice.expected - _NOTABLE):
        found.append(f"The length of a text alone correlates with the ratings at ρ {length:.2f}.")
    repeated = advice.n_ratings - advice.n_texts
    if advice.ceiling is not None and advice.ceiling.reliability > 0 and repeated >= _ENOUGH_REPEATED * advice.n_texts:
        found.append(advice.ceiling.told(advice.expected))
    found.append(
        f"Twice as many ratings may add about {advice.gain:.2f} to ρ."
        if advice.gain >= 0.01
        else "Twice as many ratings may add little: with half of these the figures are the same."
    )
    if advice.outputs is not None:
        found.extend(_of_outputs(advice, advice.outputs))
    return found


def _of_outputs(advice: Advice, outputs: MetricResult) -> list[str]:
    found = [
        f"The {len(outputs)} outputs have a mean estimate of {outputs.mean:.3f} at coverage {outputs.coverage:.2f}. "
        "That is no finding about people: to say how people rate the system, rate some of its outputs and use "
        "`referenceless human-score`."
    ]
    if outputs.coverage < advice.agreement.coverage - 0.1:
        found.append(
            "The outputs resemble the rated texts less than these do one another: the estimates are less sure."
        )
    if advice.n_outputs_rated:
        found.append(f"{advice.n_outputs_rated} of them are among the rated texts: their estimates hold their ratings.")
    return found
