"""Comparison of systems by scores of items: differences with intervals and tests, corrected for their number.

The comparisons of one family are corrected together: all systems with the baseline in all score columns, or, for the
groups of systems that cannot be told apart, all pairs in one column; each slice is a family of its own. An interval has
the level at which Holm's procedure tests its comparison, so interval and adjusted p never contradict each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from typing import NamedTuple

import numpy as np

from referenceless_metrics.core.support.validation import ContentsError, InputError, joined_names, told_systems
from referenceless_metrics.human_evaluation.inference.any_time import Looks
from referenceless_metrics.human_evaluation.inference.estimated_means import (
    LEVEL,
    first_level,
    groups_alike,
    holm,
    holm_levels,
)
from referenceless_metrics.human_evaluation.inference.unnamed_clusters import note_on_items
from referenceless_metrics.human_evaluation.ratings.model_raters import PEOPLE, UNKNOWN
from referenceless_metrics.human_evaluation.scores.differences import (
    Difference,
    Subset,
    SystemMean,
    paired_difference,
    system_mean,
    unpaired_difference,
)
from referenceless_metrics.human_evaluation.scores.every_look import check_looks, difference_at_look, mean_at_look
from referenceless_metrics.human_evaluation.scores.table import ScoredBy, ScoreTable

_Differing = Callable[[Subset, str, str], Difference]
_Meaning = Callable[[Subset, str, float], SystemMean]


class Leading(NamedTuple):
    """The best of three systems or more by a score.

    Attributes:
        best: the systems with the best mean.
        are_tested: whether any two systems are tested.
        ends_at_0: whether 0 is the best that scores can be, as of marked errors.
    """

    best: list[str]
    are_tested: bool
    ends_at_0: bool


@dataclass(frozen=True)
class Findings:
    """Systems compared by their scores.

    Attributes:
        baseline: the system that the others are compared with.
        level: confidence level of the intervals, and of the findings.
        margin: largest loss that still counts as not worse, in the unit of the scores; None if nobody asks.
        means: one per system, column and slice.
        differences: one per system, column and slice, the baseline left out.
        groups: for each column, the systems in order of their means, the best first, in groups within which no pair
                differs significantly (Holm over all pairs of the column); a system may be in several groups. None of
                scores that estimate people's ratings.
        assumed: assumptions made as the scores were read, in sentences.
        notes: scores that were left out, in sentences.
        looks: the plan of looks, for scores that are looked at as they come in; None for one look.
        lower_is_better: the scores of which lower ones are better, in the order of the columns.
        untold: the scores of which nothing tells whether higher ones are better, as they count, likewise.
        given_by: who gave the scores, as `ratings.model_raters` tells it.
        estimates: the scores that estimate people's ratings, as of `ScoreTable`.
        scored_by: the metric of each score, likewise.
        in_clusters: whether items lie together in clusters, which intervals and p allow for.
        leading: for each column the best of three systems or more, if nobody named a baseline.
        are_of_pairs: whether the differences are of all pairs of systems, and not from the baseline alone.
    """

    baseline: str
    level: float
    margin: float | None
    means: tuple[SystemMean, ...]
    differences: tuple[Difference, ...]
    groups: dict[str, list[list[str]]]
    assumed: tuple[str, ...]
    notes: tuple[str, ...]
    looks: Looks | None = None
    lower_is_better: tuple[str, ...] = ()
    untold: tuple[str, ...] = ()
    given_by: str = UNKNOWN
    in_clusters: bool = False
    estimates: Mapping[str, str] = field(default_factory=dict)
    scored_by: Mapping[str, ScoredBy] = field(default_factory=dict)
    leading: Mapping[str, Leading] = field(default_factory=dict)
    are_of_pairs: bool = False

    @property
    def tests(self) -> list[Difference]:
        """The differences over all items that are tested, of which Holm's procedure corrects p together."""
        return [each for each in self.differences if not each.slice and not math.isnan(each.p_value)]

    def told(self, column: str) -> str:
        """Return a score's name, and that lower ones are better if that is so."""
        return f"{column} (lower is better)" if column in self.lower_is_better else column


def compare_scores(
    scores: ScoreTable,
    *,
    baseline: str | None = None,
    level: float = LEVEL,
    margin: float | None = None,
    unpaired: bool = False,
    scale: tuple[float, float] | None = None,
    looks: Looks | None = None,
    all_pairs: bool = False,
) -> Findings:
    """Compare systems by scores of the same items, or of items that were assigned to them at random.

    Args:
        scores: the result of `read_scores`.
        baseline: the system that the others are compared with; None for the first.
        level: the nominal level of intervals and claims, in (0, 1).
        margin: for non-inferiority, the largest loss that counts as not worse, above 0; None to leave it.
        unpaired: whether items were assigned to systems at random, so that means of different items are compared.
        scale: the ends of the scores' scale: one-sided verdicts rest on the largest difference on items that were not
            drawn; None for the ends of `one_sided.ends_of`.
        looks: the plan of looks, if scores are looked at as items come in, in random order: intervals and p then hold
            however often that is; None for a single look.
        all_pairs: whether all pairs of systems are compared, the higher one less the lower one, and not each with the
            baseline alone.

    Raises:
        InputError: for fewer than two systems, a baseline that is none of them, and systems without a common item
            unless `unpaired`.
    """
    scores = scores.on_scale(scale)
    systems = list(scores.systems)
    if len(systems) < 2:
        raise ContentsError(
            f"a comparison needs the scores of at least two systems, but there is {', '.join(systems) or 'none'}: give "
            "a file for each (--scores FILE --scores FILE), or name the column of systems (--system-column)"
        )
    if baseline is not None and baseline not in systems:
        raise InputError(f"there is no system {baseline!r} to compare with; {told_systems(baseline, systems)}")
    first = baseline or systems[0]
    others = [system for system in systems if system != first]
    systems = [first, *others]
    differing: _Differing = unpaired_difference if unpaired else paired_difference
    mean_of: _Meaning = system_mean
    if looks is not None:
        check_looks(scores, unpaired=unpaired)
        differing = partial(difference_at_look, looks=looks)
        mean_of = partial(mean_at_look, looks=looks)
    if not unpaired:
        _check_common_items(scores, first, others)
    are_of_pairs = all_pairs and len(systems) > 2
    compared = [pair for pair in combinations(systems, 2) if are_of_pairs or pair[0] == first]
    means: list[SystemMean] = []
    differences: list[Difference] = []
    for part in ("", *scores.slices):
        subsets = [each for column in scores.columns if (each := Subset(scores, column, part)).has_scores]
        means += [mean_of(subset, system, level) for subset in subsets for system in systems]
        family = [differing(subset, system, base) for subset in subsets for base, system in compared]
        if are_of_pairs:
            family = [_ahead_first(each, Subset(scores, each.column, part), differing) for each in family]
        differences += _corrected(family, level, margin)
    # Runs of systems that are not told apart, by the column of scores.
    marked = [column for column in scores.columns if column not in scores.estimates]
    ranked = {column: _ranked(Subset(scores, column, ""), differing, level) for column in marked}
    groups = {column: of_column[0] for column, of_column in ranked.items()}
    leading = {column: of_column[1] for column, of_column in ranked.items() if of_column[1] is not None}
    notes = [*scores.notes]
    if scores.note_on_pairs and not unpaired:
        notes.append(scores.note_on_pairs)
    note = note_on_items(scores.items, scores.systems) if scores.is_single and not scores.slices else ""
    if note:
        notes.append(f"{note[0].upper()}{note[1:]}.")
    return Findings(
        baseline=first,
        level=level,
        margin=margin,
        means=tuple(means),
        differences=tuple(differences),
        groups=groups,
        assumed=scores.assumed,
        notes=tuple(notes),
        looks=looks,
        lower_is_better=tuple(column for column in scores.columns if column in scores.lower_is_better),
        untold=tuple(column for column in scores.columns if column in scores.untold and scores.given_by != PEOPLE),
        given_by=scores.given_by,
        in_clusters=not scores.is_single,
        estimates=scores.estimates,
        scored_by=scores.scored_by,
        leading=leading if baseline is None and looks is None else {},
        are_of_pairs=are_of_pairs,
    )


def _ahead_first(each: Difference, subset: Subset, differing: _Differing) -> Difference:
    """Return the difference of two systems as the one of the higher scores less the other."""
    return differing(subset, each.baseline, each.system) if each.estimate.value < 0 else each


def _check_common_items(scores: ScoreTable, baseline: str, others: Sequence[str]) -> None:
    """Check that each system shares an item with the baseline.

    Raises:
        InputError: for one that shares none.
    """
    for system in others:
        subsets = [Subset(scores, column, "") for column in scores.columns]
        shared = [np.isfinite(each.values(system)) & np.isfinite(each.values(baseline)) for each in subsets]
        if not np.any(shared):
            raise ContentsError(
                f"{system} and {baseline} have no common item with scores ({_some_items(scores, system)}; "
                f"{_some_items(scores, baseline)}): a difference would be one of the items, too. --unpaired compares "
                "them, if items were assigned to systems at random or are alike"
            )


def _some_items(scores: ScoreTable, system: str) -> str:
    known = np.isfinite(np.array([Subset(scores, column, "").values(system) for column in scores.columns])).any(axis=0)
    items = [item for item, is_known in zip(scores.items, known, strict=True) if is_known]
    return f"{system}: {joined_names(items, 40)}"


def _corrected(family: Sequence[Difference], level: float, margin: float | None = None) -> list[Difference]:
    """Return the differences of one family with intervals, and p, corrected for their number by Holm's procedure."""
    tested = [each for each in family if not math.isnan(each.p_value)]
    p_values = [each.p_value for each in tested]
    corrected = iter(zip(holm(p_values), holm_levels(p_values, level), strict=True))
    one_sided = 1 - 2 * (1 - level) / max(len(family), 1)
    of_plans = first_level(level, len(tested))
    findings = []
    for each in family:
        if math.isnan(each.p_value):
            findings.append(each)
            continue
        p_adjusted, own_level = next(corrected)
        if each.is_equal:
            findings.append(replace(each, p_adjusted=p_adjusted, not_worse=None if margin is None else True))
            continue
        found = replace(
            each,
            interval=each.interval_at(own_level),
            p_adjusted=p_adjusted,
            detectable=each.detectable_at(of_plans),
            detectable_by_more=each.detectable_at(of_plans, 4),
        )
        if margin is not None:
            # A verdict on the margin never contradicts the test beside it.
            is_better = found.shown(level) > 0
            not_worse, no_verdict = (True, "") if is_better else each.verdict(margin, one_sided)
            found = replace(found, not_worse=not_worse, no_verdict=no_verdict)
        findings.append(found)
    return findings


def _ranked(subset: Subset, differing: _Differing, level: float) -> tuple[list[list[str]], Leading | None]:
    """Return groups of systems, in order of their means, the best first, within which no pair differs significantly.

    With them comes the best of three systems or more; None of two.
    """
    mean_of = {system: system_mean(subset, system, level).mean for system in subset.scores.systems}
    sign = 1 if subset.lower_is_better else -1
    systems = sorted(mean_of, key=lambda system: (math.isnan(mean_of[system]), sign * mean_of[system]))
    pairs = [differing(subset, ours, base) for base, ours in combinations(systems, 2)]
    apart = {frozenset((each.system, each.baseline)) for each in _corrected(pairs, level) if each.is_shown(level)}
    groups = groups_alike(systems, apart)
    scored = [system for system in systems if not math.isnan(mean_of[system])]
    if len(scored) < 3:
        return groups, None
    best = [system for system in scored if math.isclose(mean_of[system], mean_of[scored[0]], rel_tol=1e-12)]
    are_tested = any(not math.isnan(each.p_value) for each in pairs)
    ends_at_0 = subset.scores.ends.get(subset.column, (0.0, 1.0))[1] == 0
    return groups, Leading(best, are_tested, ends_at_0)
