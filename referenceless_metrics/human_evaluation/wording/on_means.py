"""Remarks on the means of systems: their order, ends and intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from referenceless_metrics.core.support.statistics import fixed
from referenceless_metrics.human_evaluation.inference.human_score import (
    SAME_MEAN,
    HumanDifference,
    HumanScore,
    HumanScores,
)
from referenceless_metrics.human_evaluation.wording.contrast_phrases import MOST_SENTENCES
from referenceless_metrics.human_evaluation.wording.phrases import count, listed

if TYPE_CHECKING:
    pass


TOO_FEW = "too few items to tell"
"""Words in place of an interval that reaches as far as ratings can differ."""

_LOPSIDED = 1.25
"""Ratio of the arms of an interval above which the reason of the longer one is given."""


def below_table(scores: HumanScores) -> list[str]:
    """Say why differences are not those of the means, and which systems stand in another order by the plain means.

    Estimates and weights of raters move each figure by itself, and pairs leave ratings out. These sentences stand right
    below the table.
    """
    of_systems = {each.system: each for each in scores.scores}
    gaps = {}
    for place, each in enumerate(scores.differences):
        told = _on_gap(each, of_systems[each.system], of_systems[each.baseline]) if each.watched is None else ""
        if told:
            gaps[place] = told
    if len(gaps) > MOST_SENTENCES:
        return [*on_order(scores), _on_gaps([scores.differences[place] for place in gaps], of_systems)]
    return [*on_order(scores), *gaps.values()]


def _on_gaps(differences: Sequence[HumanDifference], of_systems: Mapping[str, HumanScore]) -> str:
    """Say why many differences are not those of the two means, and by how much the farthest one."""
    gaps = [
        abs(of_systems[each.system].mean.value - of_systems[each.baseline].mean.value - each.mean.value)
        for each in differences
    ]
    farthest = differences[gaps.index(max(gaps))]
    turned = [
        f"{each.system} less {each.baseline}"
        for each in differences
        if each.mean.value * (of_systems[each.system].mean.value - of_systems[each.baseline].mean.value) < 0
    ]
    other_sign = f", and of another sign for {listed(turned[:MOST_SENTENCES])}" if turned else ""
    findings = [*differences, *of_systems.values()]
    unlike = farthest.unlike
    scope = "" if unlike is None else f"they are {unlike.scope} ({unlike.factor} of those over the others)"
    reasons = [
        (scope, bool(scope)),
        ("ratings in no pair are left out", any(each.n_unpaired for each in differences)),
        ("estimates move each figure by a weight of its own", any(each.shrinkage > 0 for each in findings)),
        ("raters are weighted anew in each mean and each difference", any(each.is_weighted for each in findings)),
    ]
    return (
        f"{len(differences)} differences are not those of the means in the rows above, by up to {fixed(max(gaps), 4)} "
        f"({farthest.system} less {farthest.baseline}){other_sign}: "
        f"{listed([reason for reason, is_one in reasons if is_one])}."
    )


def on_order(scores: HumanScores) -> list[str]:
    """Name the pairs of systems whose plain means stand in another order than their means; nothing without any."""
    ranked = sorted(scores.scores, key=lambda score: -score.mean.value)
    turned = [
        f"{above.system} stands above {below.system} by the means ({fixed(above.mean.value, 4)} and "
        f"{fixed(below.mean.value, 4)}) and below it by the plain means ({fixed(above.plain, 4)} and "
        f"{fixed(below.plain, 4)})"
        for above, below in combinations(ranked, 2)
        if above.mean.value - below.mean.value > SAME_MEAN and below.plain - above.plain > SAME_MEAN
    ]
    if not turned:
        return []
    more = f"; and so {count(len(turned) - MOST_SENTENCES, 'further pair')}" if len(turned) > MOST_SENTENCES else ""
    return [f"Other order by the plain means: {'; '.join(turned[:MOST_SENTENCES])}{more}."]


def _on_gap(difference: HumanDifference, system: HumanScore, baseline: HumanScore) -> str:
    """Say why a difference is not that of the two means; "" where it is, as it stands in the table.

    A note of the scores tells of items that count 0: a difference that they alone part from the means has no sentence.
    """
    of_means = system.mean.value - baseline.mean.value
    of_these = difference.mean.value / (1.0 if difference.unlike is None else difference.unlike.share)
    n = difference.n_unpaired
    is_moved = difference.shrinkage > 0
    are_moved = system.shrinkage > 0 or baseline.shrinkage > 0
    is_weighted = difference.is_weighted or system.is_weighted or baseline.is_weighted
    if not (n or is_moved or are_moved or is_weighted) or abs(of_means - of_these) < SAME_MEAN:
        return ""
    pair, value = f"{difference.system} less {difference.baseline}", fixed(difference.mean.value, 4)
    left_out = f" ({count(n, 'rating')} in no pair {'is' if n == 1 else 'are'} left out)" if n else ""
    weighted = ""
    if is_weighted:
        of_plain = fixed(system.plain - baseline.plain, 4)
        weighted = f" Raters are weighted anew in each mean and each difference; the plain means differ by {of_plain}."
    if difference.unlike is not None:
        told = fixed(of_these, 4)
        of_pairs = f"{told} is of pairs of ratings{left_out}, and " if n else ""
        return (
            f"{pair}: {value} is {told} times {difference.unlike.factor}, since the difference is "
            f"{difference.unlike.scope}; {of_pairs}the means in the rows above differ by "
            f"{fixed(of_means, 4)}.{weighted}"
        )
    if not (is_moved or are_moved or n):
        return f"{pair}: {value}, and the means in the rows above differ by {fixed(of_means, 4)}.{weighted}"
    if not (is_moved or are_moved or is_weighted):
        return (
            f"{pair}: {value} is the mean over {count(difference.n_items, 'item')}, of the mean difference of each "
            f"one's pairs of ratings{left_out}; the means in the rows above are over all rated outputs, of the mean of "
            f"each one's ratings, and differ by {fixed(of_means, 4)}."
        )
    if not (is_moved or are_moved):
        return (
            f"{pair}: {value} is of pairs of ratings{left_out}, and the means in the rows above differ by "
            f"{fixed(of_means, 4)}.{weighted}"
        )
    moved = "each mean and each difference by a weight of its own"
    if not (is_moved and are_moved):
        moved = "this difference and not the means" if is_moved else "the means and not this difference"
    alone = system.ratings_alone.value - baseline.ratings_alone.value
    return (
        f"{pair}: {value}, and the means in the rows above differ by {fixed(of_means, 4)}, since estimates move "
        f"{moved}. By the ratings alone it is {fixed(difference.ratings_alone.value, 4)}{left_out}, and the means "
        f"differ by {fixed(alone, 4)}.{weighted}"
    )


def on_lopsided_intervals(means: Iterable[tuple[float, float, float]], *, has_scale: bool) -> list[str]:
    """Return why intervals of mean ratings reach further to one side, if some do.

    Args:
        means: each mean rating with the ends of its interval.
        has_scale: whether the ends of the scale are named.
    """
    arms = [(value - low, high - value) for value, low, high in means if math.isfinite(low) and math.isfinite(high)]
    if not any(max(pair) > _LOPSIDED * min(pair) for pair in arms):
        return []
    of_scale = ""
    if has_scale:
        of_scale = ", and on a named scale an interval is at least that of a share of it (Korn & Graubard 1998)"
    return [
        "An interval of a mean reaches further to one side if the ratings are skewed: the skewness of the mean is "
        f"taken out of Student's t (Hall 1992){of_scale}."
    ]


def on_told_ends(scores: HumanScores) -> list[str]:
    """Say how intervals of means are bounded that no named scale bounds: shares, and means at an end of the ratings."""
    plain = [each for each in scores.scores if each.watched is None]
    lines = []
    if any(each.share is not None for each in plain):
        lines.append("Of single answers of 0 and 1 the mean is a share, and its interval is Wilson's (1927).")
    bounded = [each.told for each in plain if each.share is None and each.scale is None and _is_cut(each)]
    for low, high in filter(None, bounded[:1]):
        ends = f"from {low:g} to {high:g}, the highest rating"
        lines.append(f"Intervals of means stay in the range {ends}; --scale LOW-HIGH names other ends.")
    return lines


def on_wide_intervals(scores: HumanScores) -> list[str]:
    """Name the systems, and the pairs, of which an interval would reach as far as ratings can differ; none without."""
    named = [each.system for each in scores.scores if each.is_too_wide]
    named += [f"{each.system} less {each.baseline}" for each in scores.differences if each.is_too_wide]
    if not named:
        return []
    return [f"{listed(named)}: {TOO_FEW}, so that no interval is given: it would be {_as_wide(scores)}."]


def _as_wide(scores: HumanScores) -> str:
    first = scores.scores[0]
    return "as wide as the scale" if first.scale or first.told else "as wide as all ratings lie apart"


def _is_cut(score: HumanScore) -> bool:
    """Say whether an end of the interval is one of the scale that the ratings tell."""
    return score.told is not None and not set(score.told).isdisjoint(score.interval())
