"""Coverage of a system and of its baseline on items of their own, and whether one has clearly fewer values.

The counterpart of `paired_coverage` for independent samples. Fisher's exact test compares the two shares (Fisher 1935,
"The logic of inductive inference", JRSS 98); of items in clusters, Welch's t test with cluster-robust errors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referenceless_metrics.core.support.statistics import log_binomial
from referenceless_metrics.core.support.validation import Booleans, Integers
from referenceless_metrics.human_evaluation.inference.paired_coverage import CLEAR_SHARE
from referenceless_metrics.human_evaluation.scores.independent import difference_of_means
from referenceless_metrics.human_evaluation.scores.mean_intervals import FEWEST_CLUSTERS


@dataclass(frozen=True)
class UnpairedCoverage:
    """Items of a system, and others of its baseline, of which some have values.

    Attributes:
        system: its name.
        baseline: the other's.
        n_system: number of the system's items with a value.
        of_system: number of its items.
        n_baseline: number of the baseline's items with a value.
        of_baseline: number of its items.
        p_fewer: p of the one-sided test that the system has a value as often as its baseline.
        p_value: the two-sided p of the same test.
        things: name of the items, in words.
        value: name of what is missing, in words.
        test: name of the test.
    """

    system: str
    baseline: str
    n_system: int
    of_system: int
    n_baseline: int
    of_baseline: int
    p_fewer: float
    p_value: float
    things: str = "items"
    value: str = "value"
    test: str = "Fisher's exact test"

    @classmethod
    def of(
        cls,
        system: tuple[str, Booleans],
        baseline: tuple[str, Booleans],
        clusters: tuple[Integers, Integers] | None = None,
        things: str = "items",
        value: str = "value",
    ) -> UnpairedCoverage:
        """Return the coverage of two systems.

        Args:
            system: its name, and whether it has a value for each of its items.
            baseline: the same of the baseline.
            clusters: the clusters of the system's items, and of the baseline's: whole numbers from 0 up, none left out;
                None if items are independent.
            things: name of the items, in words.
            value: name of what is missing, in words.
        """
        (name, ours), (other, base) = system, baseline
        counts = int(ours.sum()), len(ours), int(base.sum()), len(base)
        if clusters is None:
            test = "Fisher's exact test"
            p_fewer, p_more = fewer_p(*counts), fewer_p(*counts[2:], *counts[:2])
        else:
            test = "Welch's t test with cluster-robust errors"
            p_fewer, p_more = _p_in_clusters(ours, base, *clusters)
        return cls(name, other, *counts, p_fewer, min(1.0, 2 * min(p_fewer, p_more)), things, value, test)

    @property
    def is_complete(self) -> bool:
        """Whether all items have a value."""
        return self.n_system == self.of_system and self.n_baseline == self.of_baseline

    @property
    def share(self) -> float:
        """The lower of the two coverages."""
        return min(self._shares)

    @property
    def _shares(self) -> tuple[float, float]:
        return self.n_system / max(self.of_system, 1), self.n_baseline / max(self.of_baseline, 1)

    @property
    def is_apart(self) -> bool:
        """Whether the two coverages differ by enough to be reported."""
        ours, base = self._shares
        return abs(ours - base) >= CLEAR_SHARE

    def is_lower(self, error: float) -> bool:
        """Whether the system has clearly fewer values, by the one-sided test at this error rate."""
        ours, base = self._shares
        return self.is_apart and ours < base and self.p_fewer <= error

    @property
    def compared(self) -> str:
        """The items on which the two are compared, in words."""
        return f"{self.things} with a {self.value}"

    @property
    def counts(self) -> str:
        """The items that have values, in words.

        >>> told = UnpairedCoverage("ours", "base", 25, 50, 40, 40, 0.0, 0.0)
        >>> told.counts
        '25 of 50 items of ours have a value, and 40 of 40 of base'
        """
        ours = f"{self.n_system} of {self.of_system} {self.things} of {self.system} have a {self.value}"
        return f"{ours}, and {self.n_baseline} of {self.of_baseline} of {self.baseline}"

    @property
    def told(self) -> str:
        """The number of items without a value, in words; who lacks a greater share is named first.

        >>> UnpairedCoverage("ours", "base", 25, 50, 38, 40, 0.0, 0.0).told
        'ours has no value for 25 of 50 items, and base for 2 of 40'
        """
        ours, base = self._shares
        both = [
            (ours, self.system, self.of_system - self.n_system, self.of_system),
            (base, self.baseline, self.of_baseline - self.n_baseline, self.of_baseline),
        ]
        (_, fewer, n, of), (_, other, n_other, of_other) = sorted(both)
        return f"{fewer} has no {self.value} for {n} of {of} {self.things}, and {other} for {n_other} of {of_other}"


def fewer_p(ours: int, n: int, base: int, m: int) -> float:
    """Return the one-sided p of Fisher's exact test: that the first of two shares is no lower than the other.

    Args:
        ours: number of ones among n.
        n: size of the first sample.
        base: number of ones among m.
        m: size of the other.

    >>> round(fewer_p(1, 10, 5, 10), 4)
    0.0704
    """
    ones = ours + base
    counts = np.arange(max(0, ones - m), ours + 1)
    logs = log_binomial(n, counts) + log_binomial(m, ones - counts) - log_binomial(n + m, ones)
    return min(1.0, float(np.exp(logs).sum()))


def _p_in_clusters(
    ours: Booleans, base: Booleans, our_clusters: Integers, base_clusters: Integers
) -> tuple[float, float]:
    """Return both one-sided p of Welch's t test on shares of items in clusters: of a lower share, and of a higher one.

    Both are 1 if there are too few clusters for a test, or their shares do not vary.
    """
    from scipy.special import stdtr

    if min(int(of.max(initial=-1)) + 1 for of in (our_clusters, base_clusters)) < FEWEST_CLUSTERS:
        return 1.0, 1.0
    difference = difference_of_means(ours.astype(float), our_clusters, base.astype(float), base_clusters)
    if not difference.standard_error > 0:
        return 1.0, 1.0
    p_fewer = float(stdtr(difference.degrees_of_freedom, difference.value / difference.standard_error))
    return p_fewer, 1 - p_fewer
