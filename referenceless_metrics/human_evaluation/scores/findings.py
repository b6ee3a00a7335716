"""What scores of the same items say of systems: differences with intervals and tests, corrected for their number.

The comparisons of one family are corrected together: all systems with the baseline in all score columns, or, for the
groups of systems that cannot be told apart, all pairs in one column; each slice is a family of its own. An interval has
the level at which Holm's procedure tests its comparison, so interval and adjusted p never contradict each other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from referenceless_metrics.core.support.validation import InputError, Integers
from referenceless_metrics.human_evaluation.inference.estimated_means import (
    LEVEL,
    Inference,
    holm,
    holm_levels,
    runs_alike,
)
from referenceless_metrics.human_evaluation.inference.unnamed_clusters import note_on_items
from referenceless_metrics.human_evaluation.scores.mean_intervals import FEWEST_CLUSTERS, is_binary, mean_interval
from referenceless_metrics.human_evaluation.scores.paired import mean_of_clusters, newcombe_interval, paired_shares_p
from referenceless_metrics.human_evaluation.scores.table import ScoreTable

_FEWEST_UNLIKE = 10  # wins and losses: with fewer the exact test finds less than the standard error says


@dataclass(frozen=True)
class SystemMean:
    """A system's mean score.

    Attributes:
        system: its name.
        column: the score.
        slice: the part of the items; "" for all.
        n: how many items it has a score for.
        mean: the mean score.
        interval: its interval at `Findings.level`, alone and uncorrected; see `mean_interval`.
    """

    system: str
    column: str
    slice: str
    n: int
    mean: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class Difference:
    """The difference of a system's scores from the baseline's, over the items that both have.

    Attributes:
        system: its name.
        baseline: the other system.
        column: the score.
        slice: the part of the items; "" for all.
        n: how many items both have a score for.
        n_clusters: how many clusters these are in; n without clusters.
        wins: items with a higher score than the baseline's.
        ties: items with the same score.
        losses: items with a lower score.
        estimate: the mean difference; its standard error is NaN where it cannot be told.
        interval: of the mean difference, at the level at which Holm's procedure tests it.
        p_value: two-sided, of no difference; NaN where it cannot be told.
        p_adjusted: corrected for the number of comparisons in the family (Holm).
        detectable: the least true difference that such items find with a power of .8, at the level of the interval; NaN
            of scores of 0 and 1 with few wins and losses.
        not_worse: whether the system is shown to be worse by less than the margin (one-sided; Bonferroni over the
            family); None without a margin.
    """

    system: str
    baseline: str
    column: str
    slice: str
    n: int
    n_clusters: int
    wins: int
    ties: int
    losses: int
    estimate: Inference
    interval: tuple[float, float] = (math.nan, math.nan)
    p_value: float = math.nan
    p_adjusted: float = math.nan
    detectable: float = math.nan
    not_worse: bool | None = None
    table: tuple[int, int, int, int] | None = None

    def interval_at(self, level: float) -> tuple[float, float]:
        """Return the interval at a level: Newcombe's for scores of 0 and 1 without clusters, else Student's t.

        Newcombe's is extended to 0 where the test, which is exact, does not leave it out.
        """
        if self.table is None:
            return self.estimate.interval(level)
        low, high = newcombe_interval(*self.table, level)
        return (min(low, 0.0), max(high, 0.0)) if self.p_value > 1 - level else (low, high)

    def is_shown(self, level: float) -> bool:
        """Whether the scores show a difference: the adjusted p is at most 1 − level, and the interval leaves out 0."""
        return self.p_adjusted <= 1 - level


@dataclass(frozen=True)
class Findings:
    """Systems compared by their scores.

    Attributes:
        baseline: the system that the others are compared with.
        level: of the intervals, and of what is said.
        margin: how much worse still counts as not worse, in the unit of the scores; None where nobody asks.
        means: one a system, column and slice.
        differences: one a system, column and slice, the baseline left out.
        groups: for each column, the systems in order of their means, in groups within which no pair is told apart
            (Holm over all pairs of the column); a system may be in several groups.
        notes: what was left out of the scores that were read, in sentences.
    """

    baseline: str
    level: float
    margin: float | None
    means: tuple[SystemMean, ...]
    differences: tuple[Difference, ...]
    groups: dict[str, list[list[str]]]
    notes: tuple[str, ...]


def compare_scores(
    scores: ScoreTable, *, baseline: str | None = None, level: float = LEVEL, margin: float | None = None
) -> Findings:
    """Compare systems by scores of the same items.

    Args:
        scores: what `read_scores` returns.
        baseline: the system that the others are compared with; None for the first.
        level: the nominal level of intervals and claims, in (0, 1).
        margin: for non-inferiority, how much worse counts as not worse, above 0; None to leave it.

    Raises:
        InputError: for fewer than two systems, or a baseline that is none of them.
    """
    systems = list(scores.systems)
    if len(systems) < 2:
        raise InputError(
            f"a comparison needs the scores of at least two systems, but there is {', '.join(systems) or 'none'}"
        )
    if baseline is not None and baseline not in systems:
        raise InputError(f"there is no system {baseline!r} to compare with; the systems are {', '.join(systems)}")
    first = baseline or systems[0]
    others = [system for system in systems if system != first]
    means, differences = [], []
    for part in ("", *scores.slices):
        rows = scores.rows_of(part)
        means += [_mean(scores, system, column, part, rows, level) for column in scores.columns for system in systems]
        family = [
            _difference(scores, system, first, column, part, rows) for column in scores.columns for system in others
        ]
        differences += _corrected(family, level, margin)
    groups = {column: _groups(scores, column, level) for column in scores.columns}
    note = note_on_items(scores.items) if scores.is_single else ""
    notes = (*scores.notes, f"{note[0].upper()}{note[1:]}.") if note else scores.notes
    return Findings(first, level, margin, tuple(means), tuple(differences), groups, notes)


def _mean(scores: ScoreTable, system: str, column: str, part: str, rows: Integers, level: float) -> SystemMean:
    values = scores.values[column][scores.systems.index(system), rows]
    known = np.isfinite(values)
    values, clusters = values[known], np.unique(scores.clusters[rows][known], return_inverse=True)[1]
    mean = float(values.mean()) if len(values) else math.nan
    interval = mean_interval(values, clusters, level)
    return SystemMean(system, column, part, len(values), mean, interval)


def _difference(scores: ScoreTable, system: str, baseline: str, column: str, part: str, rows: Integers) -> Difference:
    ours, base = (scores.values[column][scores.systems.index(name), rows] for name in (system, baseline))
    known = np.isfinite(ours) & np.isfinite(base)
    ours, base = ours[known], base[known]
    values, clusters = ours - base, np.unique(scores.clusters[rows][known], return_inverse=True)[1]
    n_clusters = int(clusters.max(initial=-1)) + 1
    wins, losses = int((values > 0).sum()), int((values < 0).sum())
    counted = system, baseline, column, part, len(values), n_clusters, wins, len(values) - wins - losses, losses
    binary = scores.is_single and is_binary(ours, base)
    # Where nothing varies, nothing says how far the mean may be off.
    if n_clusters < FEWEST_CLUSTERS or (not binary and np.ptp(values) == 0):
        mean = float(values.mean()) if len(values) else math.nan
        return Difference(*counted, Inference(mean, math.nan, math.nan, 0.0))
    estimate = mean_of_clusters(values, clusters)
    if not binary:
        return Difference(*counted, estimate, p_value=estimate.p_value())
    both = int((ours * base).sum())
    table = both, wins, losses, len(values) - both - wins - losses
    return Difference(*counted, estimate, p_value=paired_shares_p(*table), table=table)


def _corrected(family: Sequence[Difference], level: float, margin: float | None = None) -> list[Difference]:
    """Return the differences of one family with intervals, and p, corrected for their number by Holm's procedure."""
    tested = [each for each in family if not math.isnan(each.p_value)]
    p_values = [each.p_value for each in tested]
    corrected = iter(zip(holm(p_values), holm_levels(p_values, level), strict=True))
    rest = (1 - level) / max(len(tested), 1)
    findings = []
    for each in family:
        if math.isnan(each.p_value):
            findings.append(replace(each, not_worse=None if margin is None else False))
            continue
        p_adjusted, own_level = next(corrected)
        few = each.table is not None and each.wins + each.losses < _FEWEST_UNLIKE
        findings.append(
            replace(
                each,
                interval=each.interval_at(own_level),
                p_adjusted=p_adjusted,
                detectable=math.nan if few else each.estimate.detectable(own_level),
                not_worse=None if margin is None else each.interval_at(1 - 2 * rest)[0] > -margin,
            )
        )
    return findings


def _groups(scores: ScoreTable, column: str, level: float) -> list[list[str]]:
    """Return runs of systems, in order of their means, within which no pair is told apart."""
    rows = scores.rows_of("")
    mean_of = {system: _mean(scores, system, column, "", rows, level).mean for system in scores.systems}
    systems = sorted(scores.systems, key=lambda system: (math.isnan(mean_of[system]), -mean_of[system]))
    pairs = [_difference(scores, ours, base, column, "", rows) for base, ours in combinations(systems, 2)]
    apart = {frozenset((each.system, each.baseline)) for each in _corrected(pairs, level) if each.is_shown(level)}
    return [systems[first : last + 1] for first, last in runs_alike(systems, apart)]
