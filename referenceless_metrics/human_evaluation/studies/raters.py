"""Agreement of raters with one another and with themselves, and raters whose ratings are to be looked at."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from referenceless_metrics.assessment.meta_evaluation import pearson
from referenceless_metrics.assessment.rater_ceiling import RaterCeiling, rater_ceiling
from referenceless_metrics.core.support.validation import InputError, Integers, Record
from referenceless_metrics.human_evaluation.studies.agreement import (
    FEWEST_SHARED,
    Coefficient,
    PairOfRaters,
    agreement_coefficients,
    both_orders,
    pairs_of_raters,
)
from referenceless_metrics.human_evaluation.studies.design import LETTERS
from referenceless_metrics.human_evaluation.studies.reading import Judgement, Place, StudyRatings
from referenceless_metrics.human_evaluation.studies.spans import SPANS

if TYPE_CHECKING:
    import pandas as pd

FEWEST = 10
"""Fewest ratings of a rater who is flagged."""

ONE_ANSWER = 0.95
"""Least share of texts with one and the same answer of a rater who seems not to look at them."""


AGREES_WITH_NONE = 0.2
"""Correlation below which a rater agrees with none of the others, who are above it among themselves."""

_MOST_TOLD = 6  # raters whose damaged texts are told, those with the fewest below the whole ones first
_FEWEST_FAILED = 2
"""Fewest damaged texts that a flagged rater rated as high as the whole ones: one may be a slip."""

_MOST_APART = 30
"""Most raters among whom `raters_apart` looks for some."""

_ONE_SIDED = 1.645
"""Quantile of the normal distribution for a one-sided bound at 95 %."""


class Answer(NamedTuple):
    """Answer of a rater about something that was rated.

    Attributes:
        rater: the rater.
        unit: the rated unit: an output, or two of them; of a tuple the first element is the item.
        value: the rating; for a preference the share of a win for the later of the two systems in their order, as of
            one that is compared with the baseline, in whichever order they were shown.
        shown: the rater's choice on the screen.
        cluster: the cluster of the item, such as its document; None for an item that is one of its own.
    """

    rater: str
    unit: Hashable
    value: float
    shown: float
    cluster: Hashable = None


@dataclass(frozen=True)
class RaterAgreement:
    """Agreement of raters.

    Attributes:
        coefficients: see `agreement_coefficients`; NaN if nothing was rated twice or all answers are one.
        n_units: number of rated outputs.
        n_shared: number of outputs rated by at least two raters.
        n_shared_items: number of items of these.
        n_shared_clusters: number of clusters of these, which the intervals leave out; 0 if nobody named clusters.
        n_pairs: number of pairs of raters who share enough for Cohen's κ, and of all who share an output.
        raters: one row per rater, by name: `rater`; `n` ratings, without repeats; their `mean` and `spread` (the
            standard deviation, NaN for one rating); `one_answer`, the share of the rater's most frequent answer;
            `n_shared` ratings of outputs that others rated too; `correlation` with the other raters: Pearson's r over
            the outputs that two raters share, the mean over those with whom at least `FEWEST_SHARED` are shared,
            weighted by their number (NaN without any); `n_repeats`, the number of outputs rated again, with the share
            of the `same` answer and the mean `distance` of the two (NaN without repeats); `flags`, striking facts, in
            words.
        ceiling: the most that rater noise leaves a metric; None of preferences and labels, and if nothing was rated
            twice, or all alike.
    """

    coefficients: dict[str, Coefficient]
    n_units: int
    n_shared: int
    n_shared_items: int
    n_shared_clusters: int
    n_pairs: tuple[int, int]
    raters: list[Record]
    ceiling: RaterCeiling | None


def answers_of(study: StudyRatings, criterion: str = "") -> list[Answer]:
    """Return a study's answers in the order of the screens, an answer for each thing shown, repeats last.

    A repeat does not stand in for a first answer that is missing: like the scores, agreement rests on first answers.

    Args:
        study: the study.
        criterion: the name of the criterion by which the answers judge.
    """
    answers = []
    judged: set[tuple[str, Hashable]] = set()
    for rater, number, output, of_criterion, rating, *_ in sorted(study.judgements, key=_place_of):
        screen, value = study.design.raters[rater][number - 1], rating
        if screen.check or rating != rating or of_criterion != criterion:
            continue
        unit: Hashable = tuple(sorted(screen.outputs))
        if not study.design.are_preferences:
            unit = screen.outputs[LETTERS.index(output)]
        elif screen.outputs[0] < screen.outputs[1]:
            value = 1 - rating
        unit = (screen.item, unit)
        if screen.repeat and (rater, unit) not in judged:
            continue
        judged.add((rater, unit))
        answers.append(Answer(rater, unit, value, rating))
    return answers


def _place_of(judgement: Judgement) -> Place:
    return judgement.place


def unjudged_remarks(study: StudyRatings) -> list[str]:
    """Name the raters who could not judge some texts, with the number, by criterion, and where they say why."""
    left_out: dict[tuple[str, str], list[Judgement]] = {}
    for judgement in sorted(study.judgements, key=_place_of):
        if math.isnan(judgement.rating):
            left_out.setdefault((judgement.criterion, judgement.rater), []).append(judgement)
    remarks = []
    for name in study.design.asked:
        by = f" by {name}" if name else ""
        for (criterion, rater), judgements in left_out.items():
            if criterion == name:
                n = len(judgements)
                things = f"{'pair' if study.design.are_preferences else 'text'}{'s' if n > 1 else ''}"
                why = "; why stands in the ratings' comments" if any(each.comment for each in judgements) else ""
                remarks.append(f"{rater} could not judge {n} {things}{by}{why}.")
    return remarks


def side_remarks(study: StudyRatings, criterion: str) -> list[str]:
    """Say how often each rater preferred the output that was shown first; none of ratings.

    Args:
        study: the study.
        criterion: the name of the criterion by which the answers judge.
    """
    if not study.design.are_preferences:
        return []
    given: dict[str, list[bool]] = {}
    for judgement in study.judgements:
        is_repeat = study.design.raters[judgement.rater][judgement.screen - 1].repeat
        if judgement.criterion == criterion and not is_repeat and judgement.rating in (0.0, 1.0):
            given.setdefault(judgement.rater, []).append(judgement.rating == 1)
    if not given:
        return []
    ordered = sorted(given, key=lambda rater: -abs(sum(given[rater]) / len(given[rater]) - 0.5))
    told = [f"{rater} {sum(given[rater])} of {len(given[rater])}" for rater in ordered]
    more = f" and {len(told) - _MOST_TOLD} more raters" if len(told) > _MOST_TOLD else ""
    by = f" by {criterion}" if criterion else ""
    return [
        f"Answers A, for the output shown first{by}, without ties: {', '.join(told[:_MOST_TOLD])}{more}. Which output "
        "is A was drawn at random: who answers A, or B, nearly always may not look at the texts."
    ]


def check_flags(study: StudyRatings, criterion: str) -> dict[str, str]:
    """Return flags of raters who rated most damaged texts as high as the whole ones, by their name.

    A rater with one such text is not flagged, and nobody is if most raters would be: see `check_remarks`.

    Args:
        study: the study.
        criterion: the name of the criterion by which the answers judge.
    """
    failed = _failed_checks(study, criterion)
    if _shows_no_damage(failed):
        return {}
    return {
        rater: f"rated {sum(failed[rater])} of {len(failed[rater])} damaged texts as high as the whole ones"
        for rater in _careless(failed)
    }


def check_remarks(study: StudyRatings, criterion: str) -> list[str]:
    """Say how often damaged texts were rated below the whole ones, or that they tell nothing; none without any.

    They tell nothing by a criterion if most raters rate them as high as the whole ones: a text whose words are in
    another order may still hold all facts.

    Args:
        study: the study.
        criterion: the name of the criterion by which the answers judge.
    """
    failed = _failed_checks(study, criterion)
    by = f" by {criterion}" if criterion else ""
    n_failed, n = sum(map(sum, failed.values())), sum(map(len, failed.values()))
    if not n:
        return []
    if not _shows_no_damage(failed):
        ordered = sorted(failed, key=lambda rater: -sum(failed[rater]) / len(failed[rater]))
        told = [f"{rater} {len(failed[rater]) - sum(failed[rater])} of {len(failed[rater])}" for rater in ordered]
        more = f" and {len(told) - _MOST_TOLD} more raters" if len(told) > _MOST_TOLD else ""
        each = f"{', '.join(told[:_MOST_TOLD])}{more}"
        return [
            f"Of {n} answers about damaged texts{by}, {n - n_failed} were below those about the whole ones ({each})."
        ]
    return [
        f"Damaged texts tell nothing of the raters{by}: {n_failed} of {n} were rated as high as the whole ones, which "
        "may be right if the question is not of the words."
    ]


def _failed_checks(study: StudyRatings, criterion: str) -> dict[str, list[bool]]:
    """Return for each rater and damaged text whether it was rated as high as the whole one.

    A whole text at the low end of the scale tells nothing, since a damaged one cannot be rated lower.
    """
    low = float("-inf") if criterion == SPANS else study.design.criterion(criterion).scale.low
    whole: dict[Hashable, float] = {}
    checks: dict[str, list[bool]] = {}
    for rater, number, output, of_criterion, rating, *_ in sorted(study.judgements, key=_place_of):
        if of_criterion != criterion or math.isnan(rating):
            continue
        screen = study.design.raters[rater][number - 1]
        text = (rater, screen.item, screen.outputs[LETTERS.index(output[0])])
        if not screen.check:
            whole.setdefault(text, rating)
        elif whole.get(text, low) > low:
            checks.setdefault(rater, []).append(rating >= whole[text])
    return checks


def _careless(failed: Mapping[str, Sequence[bool]]) -> list[str]:
    """Return the raters who rated two damaged texts or more, and most of them, as high as the whole ones."""
    return [
        rater for rater, checks in failed.items() if sum(checks) >= _FEWEST_FAILED and 2 * sum(checks) > len(checks)
    ]


def _shows_no_damage(failed: Mapping[str, Sequence[bool]]) -> bool:
    """Say whether more than half of the raters rated most damaged texts as high as the whole ones."""
    n_failed = sum(2 * sum(checks) > len(checks) for checks in failed.values())
    return n_failed > 1 and 2 * n_failed > len(failed)


def rater_agreement(
    answers: Sequence[Answer],
    *,
    labels: Sequence[str] = (),
    flags: Mapping[str, str] | None = None,
    are_preferences: bool = False,
) -> RaterAgreement:
    """Return the agreement of raters with one another and with themselves.

    A rater's first answer about a unit counts; later ones are repeats. Nobody is left out; one answer nearly always
    (`ONE_ANSWER`), in at least `FEWEST` ratings, is flagged, and so is a rater who agrees with none of the others, see
    `_agrees_with_none`.

    Args:
        answers: answers of all raters, each one's in the order in which they were given.
        labels: the labels, if values are their numbers; none if they are ratings.
        flags: further flags of raters, by their name, as `check_flags` returns them.
        are_preferences: whether values are shares of a win of one of two systems, which count in both orders.

    Raises:
        InputError: for no answers.

    Example:
        >>> answers = [Answer(rater, text, text % 5, text % 5) for rater in ("ann", "bob") for text in range(20)]
        >>> rater_agreement(answers).coefficients["alpha nominal"].value
        1.0
    """
    if not answers:
        raise InputError("there are no ratings")
    import pandas as pd

    table = pd.DataFrame(list(answers), columns=Answer._fields)
    is_repeat = table.duplicated(["rater", "unit"])
    first = table[~is_repeat]
    repeats = table[is_repeat].merge(first, on=["rater", "unit"])
    units, raters, groups = _numbered(first)
    names = first["rater"].unique()
    values = first["value"].to_numpy(dtype=float)
    is_shared = np.bincount(units)[units] > 1
    pairs = pairs_of_raters(units, raters, values)
    correlated = _correlated(pairs, are_preferences=are_preferences)
    correlations = _correlations(correlated, len(names))
    coefficients = agreement_coefficients(units, raters, values, groups, are_preferences=are_preferences)
    rows = []
    for number, name in sorted(enumerate(names), key=lambda pair: _by_numbers(str(pair[1]))):
        row = _own_row(str(name), first[raters == number], repeats[repeats["rater"] == name], labels)
        row["n_shared"] = int(is_shared[raters == number].sum())
        row["correlation"] = correlations[number]
        unlike = "" if labels else _agrees_with_none(correlated, number)
        row["flags"] += [unlike] if unlike else []
        row["flags"] += [flag for rater, flag in (flags or {}).items() if rater == name]
        if unlike:
            rest = raters != number
            of_rest = units[rest], raters[rest], values[rest], groups[rest]
            without = agreement_coefficients(*of_rest, are_preferences=are_preferences)
            row["flags"][-1] += _without(coefficients, without, ["ordinal"] if are_preferences else _OF_RATINGS)
        rows.append(row)
    ceiling = None
    if not (labels or are_preferences):
        ceiling = rater_ceiling([repr(unit) for unit in first["unit"]], values, first["rater"])
    return RaterAgreement(
        coefficients=coefficients,
        n_units=len(np.unique(units)),
        n_shared=len(np.unique(units[is_shared])),
        n_shared_items=first["unit"][is_shared].map(item_of).nunique(),
        n_shared_clusters=len(np.unique(groups[is_shared])) if first["cluster"].notna().any() else 0,
        n_pairs=(sum(len(pair.units) >= FEWEST_SHARED for pair in pairs), len(pairs)),
        raters=rows,
        ceiling=ceiling,
    )


_OF_RATINGS = ("ordinal", "interval")
"""The kinds of α of ratings: one takes their order, and the other their distances, as means do."""


def _without(coefficients: Mapping[str, Coefficient], others: Mapping[str, Coefficient], kinds: Sequence[str]) -> str:
    """Return α without a rater beside that of all, as the end of a sentence.

    Args:
        coefficients: the coefficients of all ratings.
        others: those without the rater's.
        kinds: the kinds of α.
    """
    values = [[f"{of[f'alpha {kind}'].value:.2f}" for kind in kinds] for of in (others, coefficients)]
    now, before = (" and ".join(each) for each in values)
    return f"; without these ratings {' and '.join(kinds)} α is {now}, and not {before}"


def _by_numbers(name: str) -> list[str | int]:
    """Return the parts of a name by which names are put in order, numbers in it by their size.

    >>> sorted(["10", "r2", "2", "r10"], key=_by_numbers)
    ['2', '10', 'r2', 'r10']
    """
    return [int(part) if place % 2 else part for place, part in enumerate(re.split(r"(\d+)", name))]


def coefficients_of(answers: Sequence[Answer]) -> dict[str, Coefficient]:
    """Return the coefficients of raters' agreement alone, as `rater_agreement` does."""
    import pandas as pd

    table = pd.DataFrame(list(answers), columns=Answer._fields).drop_duplicates(["rater", "unit"])
    units, raters, groups = _numbered(table)
    return agreement_coefficients(units, raters, table["value"].to_numpy(dtype=float), groups)


def _numbered(answers: pd.DataFrame) -> tuple[Integers, Integers, Integers]:
    """Return the units, raters and clusters of answers by number; an item without a cluster is one of its own."""
    import pandas as pd

    units = pd.factorize(answers["unit"])[0]
    raters = pd.factorize(answers["rater"])[0]
    both = zip(answers["unit"], answers["cluster"], strict=True)
    clusters = [("item", item_of(unit)) if pd.isna(cluster) else ("cluster", cluster) for unit, cluster in both]
    return units, raters, pd.factorize(pd.Series(clusters))[0]


def item_of(unit: Hashable) -> Hashable:
    """Return the item that something rated is an output of, or two of them."""
    return unit[0] if isinstance(unit, tuple) else unit


class _Correlated(NamedTuple):
    """Two raters with at least `FEWEST_SHARED` units in common: their numbers, the number of units, and Pearson's r."""

    raters: tuple[int, int]
    n: int
    r: float


def _correlated(pairs: Sequence[PairOfRaters], *, are_preferences: bool = False) -> list[_Correlated]:
    """Return the correlations of raters who share enough, of preferences in both orders; none that is not defined."""
    found = []
    for pair in pairs:
        if len(pair.units) < FEWEST_SHARED:
            continue
        r = pearson(*(both_orders(pair.ratings) if are_preferences else pair.ratings))
        if not math.isnan(r):
            found.append(_Correlated(pair.raters, len(pair.units), r))
    return found


def _correlations(correlated: Sequence[_Correlated], n_raters: int) -> list[float]:
    """Return each rater's mean correlation with the others, NaN for one who shares too little with each of them."""
    sums = np.zeros(n_raters)
    shared = np.zeros(n_raters)
    for each in correlated:
        for rater in each.raters:
            sums[rater] += each.n * each.r
            shared[rater] += each.n
    return [total / n if n else math.nan for total, n in zip(sums.tolist(), shared.tolist(), strict=True)]


def _agrees_with_none(correlated: Sequence[_Correlated], number: int) -> str:
    """Say that a rater agrees with none of the others, who agree among themselves; "" otherwise.

    By Fisher's z (Fisher 1921, "On the probable error of a coefficient of correlation"), the one-sided upper bound at
    95 % of the rater's mean correlation with the others is below `AGREES_WITH_NONE`, and the lower bound of theirs
    among themselves above it. In simulations with 3 to 8 raters of 40 to 240 outputs whose noise was .5 to 3.5 times
    the spread of the outputs, at most .5 % of honest raters were flagged; of those who answered at random beside
    others of moderate noise about half over 120 outputs, and nine of ten over 240.

    Args:
        correlated: the raters' correlations.
        number: the rater.
    """
    own = [(each.n, each.r) for each in correlated if number in each.raters]
    others = [(each.n, each.r) for each in correlated if number not in each.raters]
    if not own or not others:
        return ""
    (with_others, high), (among, low) = _with_bound(own, 1), _with_bound(others, -1)
    if not high < AGREES_WITH_NONE < low:
        return ""
    return f"agrees with none of the others (r {with_others:.2f}, and theirs among themselves {among:.2f})"


def _with_bound(correlations: Sequence[tuple[int, float]], side: int) -> tuple[float, float]:
    """Return the mean of correlations, weighted by the outputs that each is of, and its one-sided bound.

    Args:
        correlations: numbers of outputs with the correlations.
        side: 1 for the upper bound, −1 for the lower one.
    """
    n = sum(shared for shared, _ in correlations)
    mean = sum(shared * r for shared, r in correlations) / n
    error = 1 / math.sqrt(n / len(correlations) - 3)
    return mean, math.tanh(math.atanh(max(min(mean, 1 - 1e-9), -1 + 1e-9)) + side * _ONE_SIDED * error)


def raters_apart(ratings: pd.DataFrame) -> dict[str, str]:
    """Return what tells raters who agree with none of the others, in words, by their names; see `_agrees_with_none`.

    Args:
        ratings: single ratings with the columns `unit`, `rater` and `rating`; of a rater's ratings of a unit the first
            counts. Of more than `_MOST_APART` raters none is told.
    """
    import pandas as pd

    first = ratings.drop_duplicates(["unit", "rater"])
    raters, names = pd.factorize(first["rater"])
    if not 2 < len(names) <= _MOST_APART:
        return {}
    of_units = pd.factorize(first["unit"])[0], raters, first["rating"].to_numpy(dtype=float)
    correlated = _correlated(pairs_of_raters(*of_units))
    told = {str(name): _agrees_with_none(correlated, number) for number, name in enumerate(names)}
    return {name: why for name, why in told.items() if why}


def _own_row(name: str, mine: pd.DataFrame, repeats: pd.DataFrame, labels: Sequence[str]) -> Record:
    """Return the figures of a rater's own answers and repeats.

    Args:
        name: the rater's name.
        mine: the rater's first answers.
        repeats: the later ones, with the columns `value_x` (the later answer) and `value_y` (the first).
        labels: the labels, if values are their numbers; none if they are ratings.
    """
    shares = mine["shown"].value_counts(normalize=True)
    most = float(shares.iloc[0])
    distances = (repeats["value_x"] - repeats["value_y"]).abs()
    flags = []
    if len(mine) >= FEWEST and most >= ONE_ANSWER:
        given = labels[int(shares.index[0])] if labels else f"{shares.index[0]:g}"
        flags.append(f"gives {given} in {most:.0%} of {len(mine)} ratings")
    return {
        "rater": name,
        "n": len(mine),
        "mean": float(mine["value"].mean()),
        "spread": float(mine["value"].std()),
        "one_answer": most,
        "n_shared": 0,
        "correlation": math.nan,
        "n_repeats": len(repeats),
        "same": float((distances == 0).mean()),
        "distance": float(distances.mean()),
        "flags": flags,
    }
