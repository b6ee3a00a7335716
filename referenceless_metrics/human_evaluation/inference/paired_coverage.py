"""Coverage of a system and of its baseline on the same items, and whether one has clearly fewer values.

Values are seldom missing at random: an empty output, or one without a known word, has none. A mean over the items that
both cover then does not count the outputs that failed, so that a system which fails more often can have a higher one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from referenceless_metrics.core.support.statistics import p_text
from referenceless_metrics.core.support.validation import Booleans, Integers
from referenceless_metrics.human_evaluation.inference.estimated_means import holm

CLEAR_SHARE = 0.01
"""Least difference of two coverages that is reported: below it, missing values hardly move a mean."""


@dataclass(frozen=True)
class PairedCoverage:
    """Items of which a system and its baseline have values.

    Attributes:
        system: its name.
        baseline: the other's.
        n: number of items.
        n_system: number of items that the system has a value for.
        n_baseline: the baseline's.
        n_lost: number of items that only the baseline has a value for.
        n_lost_clusters: number of clusters in which the baseline covers more items; `n_lost` without clusters.
        n_gained_clusters: number of clusters in which the system covers more.
        n_compared: number of items on which the two are compared: those that both have a value for, or all systems.
        things: name of the items, in words.
        value: name of what is missing, in words.
        in_clusters: whether the items lie in clusters.
    """

    system: str
    baseline: str
    n: int
    n_system: int
    n_baseline: int
    n_lost: int
    n_lost_clusters: int
    n_gained_clusters: int
    n_compared: int
    things: str = "segments"
    value: str = "value"
    in_clusters: bool = False

    @classmethod
    def of(
        cls,
        system: tuple[str, Booleans],
        baseline: tuple[str, Booleans],
        clusters: Integers | None = None,
        n_compared: int | None = None,
        things: str = "segments",
        value: str = "value",
    ) -> PairedCoverage:
        """Return the coverage of two systems.

        Args:
            system: its name, and whether it has a value for each of n items.
            baseline: the same of the baseline.
            clusters: the cluster of each item, whole numbers from 0 up; None if items are independent.
            n_compared: number of items on which they are compared; None for all that both have a value for.
            things: name of the items, in words.
            value: name of what is missing, in words.
        """
        (name, ours), (other, base) = system, baseline
        of_items = ours.astype(int) - base.astype(int)
        of_clusters = of_items if clusters is None else np.bincount(clusters, of_items)
        return cls(
            system=name,
            baseline=other,
            n=len(ours),
            n_system=int(ours.sum()),
            n_baseline=int(base.sum()),
            n_lost=int((of_items < 0).sum()),
            n_lost_clusters=int((of_clusters < 0).sum()),
            n_gained_clusters=int((of_clusters > 0).sum()),
            n_compared=int((ours & base).sum()) if n_compared is None else n_compared,
            things=things,
            value=value,
            in_clusters=clusters is not None,
        )

    @property
    def n_both(self) -> int:
        """Number of items that both have a value for."""
        return self.n_baseline - self.n_lost

    @property
    def is_complete(self) -> bool:
        """Whether the two are compared on every item."""
        return self.n_compared == self.n

    @property
    def share(self) -> float:
        """The share of the items on which the two are compared."""
        return self.n_compared / max(self.n, 1)

    @property
    def compared(self) -> str:
        """The items on which the two are compared, in words."""
        return f"{self.n_compared} {self.things}"

    @property
    def is_apart(self) -> bool:
        """Whether the two coverages differ by enough to be reported."""
        return abs(self.n_system - self.n_baseline) >= CLEAR_SHARE * self.n

    @property
    def p_fewer(self) -> float:
        """The p of the one-sided exact sign test (McNemar's) that the system has a value as often as its baseline.

        >>> PairedCoverage("ours", "base", 50, 45, 50, 5, 5, 0, 45).p_fewer
        0.03125
        """
        return _sign_p(self.n_gained_clusters, self.n_lost_clusters)

    @property
    def test(self) -> str:
        """The name of that test."""
        return "exact sign test of clusters" if self.in_clusters else "McNemar's exact test"

    @property
    def p_value(self) -> float:
        """The two-sided p of the same test."""
        return min(1.0, 2 * min(self.p_fewer, _sign_p(self.n_lost_clusters, self.n_gained_clusters)))

    def is_lower(self, error: float) -> bool:
        """Whether the system has clearly fewer values, by the one-sided test at this error rate."""
        return self.is_apart and self.n_system < self.n_baseline and self.p_fewer <= error

    @property
    def counts(self) -> str:
        """The items that have values, in words.

        >>> PairedCoverage("ours", "base", 50, 25, 50, 25, 25, 0, 25).counts
        '25 of 50 segments have a value of both (ours 25, base 50)'
        """
        who = "both" if self.n_compared == self.n_both else "all systems"
        return (
            f"{self.n_compared} of {self.n} {self.things} have a value of {who} ({self.system} {self.n_system}, "
            f"{self.baseline} {self.n_baseline})"
        )

    @property
    def told(self) -> str:
        """The number of items for which one of the two lacks a value, in words; who lacks more is named first.

        >>> PairedCoverage("ours", "base", 50, 25, 50, 25, 25, 0, 25).told
        'ours has no value for 25 of 50 segments for which base has one'
        >>> PairedCoverage("ours", "base", 50, 48, 40, 2, 2, 10, 38).told
        'base has no value for 10 of 50 segments for which ours has one, and ours for 2 for which base has one'
        """
        n_gained = self.n_system - self.n_both
        (most, fewer, other), (n_rest, *_) = sorted(
            [(self.n_lost, self.system, self.baseline), (n_gained, self.baseline, self.system)], reverse=True
        )
        rest = f", and {other} for {n_rest} for which {fewer} has one" if n_rest else ""
        return f"{fewer} has no {self.value} for {most} of {self.n} {self.things} for which {other} has one{rest}"


def _sign_p(fewer: int, more: int) -> float:
    """Return the probability that of all differences no more than `fewer` are of this kind, if both are as likely."""
    from scipy.special import bdtr

    n = fewer + more
    return float(bdtr(fewer, n, 0.5)) if n else 1.0


class Coverage(Protocol):
    """Coverage of a system and of its baseline, on the same items or on items of their own."""

    @property
    def is_complete(self) -> bool:
        """Whether the two are compared on every item."""

    @property
    def share(self) -> float:
        """The share that a verdict needs: of the items on which they are compared, or the lower of two shares."""

    @property
    def is_apart(self) -> bool:
        """Whether the two coverages differ by enough to be reported."""

    @property
    def p_fewer(self) -> float:
        """The p of the one-sided test that the system has a value as often as its baseline."""

    @property
    def test(self) -> str:
        """The name of that test."""

    @property
    def p_value(self) -> float:
        """The two-sided p of the same test."""

    def is_lower(self, error: float) -> bool:
        """Whether the system has clearly fewer values, by the one-sided test at this error rate."""

    @property
    def compared(self) -> str:
        """The items on which the two are compared, in words."""

    @property
    def counts(self) -> str:
        """The items that have values, in words."""

    @property
    def told(self) -> str:
        """The number of items without a value, in words; who lacks more is named first."""


def unlike_coverage(coverages: Sequence[Coverage], error: float) -> list[str]:
    """Return a sentence, without its end, on each system whose coverage clearly differs from its baseline's.

    Args:
        coverages: those of systems with the same baseline.
        error: error rate of the two-sided tests over all of them together (Holm).

    >>> unlike_coverage([PairedCoverage("ours", "base", 50, 25, 50, 25, 25, 0, 25)], 0.05)
    ["ours has no value for 25 of 50 segments for which base has one (McNemar's exact test, p < 0.0001), which the \
means leave out"]
    """
    adjusted = holm([each.p_value for each in coverages]) if coverages else []
    corrected = f", Holm over {len(coverages)} systems" if len(coverages) > 1 else ""
    return [
        f"{each.told} ({each.test}, {p_text(p)}{corrected}), which the means leave out"
        for each, p in zip(coverages, adjusted, strict=True)
        if p <= error and each.is_apart
    ]
