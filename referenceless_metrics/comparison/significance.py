"""Significance of metrics' own differences, after one correction for all tests that a command makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from referenceless_metrics.comparison.comparison import Comparison
from referenceless_metrics.human_evaluation.inference.estimated_means import holm, holm_levels
from referenceless_metrics.human_evaluation.wording.headline import family

SIGNIFICANT = 0.05
"""Error rate of findings on metrics' own differences, over all tests of a family."""

ALL_METRICS, EACH_METRIC = "all-metrics", "each-metric"
FAMILIES = (ALL_METRICS, EACH_METRIC)
"""The tests that Holm's correction counts as one family: those of all metrics, or of each metric alone."""


@dataclass(frozen=True)
class Corrected:
    """The test of one difference after Holm's correction.

    Attributes:
        p_value: the corrected p.
        level: the level of the interval that agrees with it; see `holm_levels`.
        is_marked: whether a metric's significance is marked: not of one that estimates human ratings.
    """

    p_value: float
    level: float
    is_marked: bool = True

    @property
    def is_significant(self) -> bool:
        """Whether the metric's own difference is significant, and marked as such."""
        return self.is_marked and self.p_value < SIGNIFICANT


@dataclass(frozen=True)
class Significance:
    """Tests of differences from the baseline, or of those of all pairs, after Holm's correction for those made.

    Those of a metric that estimates human ratings are corrected as others, and none is marked significant: its p is no
    finding about people.

    Attributes:
        corrected: by metric, the tests that were made, by system and baseline.
        systems: the systems, the baseline of the comparison first.
        n_tests: number of tests that were made, in the largest family.
        n_metrics: number of metrics with a test in that family.
        of_pairs: True if these are all pairs of systems.
    """

    corrected: Mapping[str, Mapping[tuple[str, str], Corrected]]
    systems: Sequence[str]
    n_tests: int
    n_metrics: int
    of_pairs: bool

    def of(self, name: str, system: str, baseline: str | None = None) -> Corrected | None:
        """Return the test of a system by a metric, whichever of the two comes first in a pair; None without a test.

        Args:
            name: the metric.
            system: the system.
            baseline: the system that it is compared with; None for the baseline of the comparison.
        """
        pair = (system, self.systems[0] if baseline is None else baseline)
        tests = self.corrected.get(name, {})
        return tests.get(pair, tests.get((pair[1], pair[0])))

    def corrects(self, name: str) -> bool:
        """Return whether the p of a metric are corrected for several tests."""
        return self.n_tests > 1 and name in self.corrected

    @property
    def shown(self) -> dict[str, frozenset[tuple[str, str]]]:
        """By metric, the pairs (system, baseline) with a significant difference."""
        return {
            name: frozenset(pair for pair, test in tests.items() if test.is_significant)
            for name, tests in self.corrected.items()
        }

    @property
    def starred(self) -> dict[str, list[bool]]:
        """By metric, True for each system that differs significantly from the baseline; False for the baseline."""
        first = self.systems[0]
        return {name: [(system, first) in pairs for system in self.systems] for name, pairs in self.shown.items()}

    @property
    def tested(self) -> list[str]:
        """The metrics with a test."""
        return [name for name, tests in self.corrected.items() if tests]

    @property
    def marked(self) -> list[str]:
        """The metrics with a test whose significance is marked."""
        return [name for name, tests in self.corrected.items() if any(test.is_marked for test in tests.values())]

    @property
    def counted(self) -> str:
        """The metrics and their comparisons, if several metrics' tests are one family, in words.

        "" for one metric, and if not each comparison has a test by each of them.
        """
        n_compared, left = divmod(self.n_tests, max(self.n_metrics, 1))
        if self.n_metrics < 2 or left:
            return ""
        kind = "pair" if self.of_pairs else "system"
        return f"{self.n_metrics} metrics × {n_compared} {kind if n_compared == 1 else f'{kind}s'}"

    @property
    def family(self) -> str:
        """The correction in words."""
        told = family(self.n_tests)
        if self.counted:
            return f"{told}: {self.counted}"
        return f"{told}: all pairs" if self.of_pairs and self.n_metrics < 2 and self.n_tests > 1 else told


def significance_of(comparisons: Sequence[Comparison], over: str = ALL_METRICS) -> Significance:
    """Return the tests, corrected: of all pairs if the comparisons have them, else of differences from the baseline.

    Args:
        comparisons: comparisons of the same systems, by one metric each.
        over: one of `FAMILIES`.
    """
    p_values: dict[str, dict[tuple[str, str], float]] = {}
    for comparison in comparisons:
        p_values |= {name: _p_values(comparison, name) for name in comparison.signatures}
    unmarked = {each.metric for each in comparisons if each.estimates_ratings}
    families = [list(p_values)] if over == ALL_METRICS else [[name] for name in p_values]
    corrected: dict[str, dict[tuple[str, str], Corrected]] = {}
    sizes = [(0, 0)]
    for names in families:
        made = [p for name in names for p in p_values[name].values()]
        tests = map(Corrected, holm(made), holm_levels(made, 1 - SIGNIFICANT))
        for name in names:
            is_marked = name not in unmarked
            corrected[name] = {pair: replace(next(tests), is_marked=is_marked) for pair in p_values[name]}
        sizes.append((len(made), sum(bool(corrected[name]) for name in names)))
    n_tests, n_metrics = max(sizes)
    return Significance(
        corrected,
        systems=[row.system for row in comparisons[0].rows],
        n_tests=n_tests,
        n_metrics=n_metrics,
        of_pairs=bool(comparisons[0].pairs),
    )


def _p_values(comparison: Comparison, name: str) -> dict[tuple[str, str], float]:
    """Return the p of each test that was made by a metric, by the system and its baseline."""
    if comparison.pairs:
        p_values = {(pair.system, pair.baseline): pair.p_values[name] for pair in comparison.pairs}
    else:
        first, *others = comparison.rows
        p_values = {(row.system, first.system): row.results[name].p_value for row in others}
    return {pair: p for pair, p in p_values.items() if p is not None}
