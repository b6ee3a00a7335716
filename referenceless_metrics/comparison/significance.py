"""Significance of metrics' own differences, after one correction for all tests that a command makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referenceless_metrics.comparison.comparison import Comparison
from referenceless_metrics.human_evaluation.inference.estimated_means import holm
from referenceless_metrics.human_evaluation.wording.headline import family

SIGNIFICANT = 0.05
"""The error rate of what is said of metrics' own differences, over all tests of a family."""

ALL_METRICS, EACH_METRIC = "all-metrics", "each-metric"
FAMILIES = (ALL_METRICS, EACH_METRIC)
"""The tests that Holm's correction counts as one family: those of all metrics, or of each metric alone."""


@dataclass(frozen=True)
class Significance:
    """Differences from the baseline that are significant after Holm's correction.

    A metric that estimates human ratings has none: its p is no finding about people.

    Attributes:
        starred: by metric, True for each system that is significantly different; False for the baseline, which is
            first.
        n_systems: number of systems that are compared with the baseline.
        n_metrics: number of metrics whose tests are one family.
    """

    starred: Mapping[str, list[bool]]
    n_systems: int
    n_metrics: int

    @property
    def n_tests(self) -> int:
        """The number of tests of a family."""
        return self.n_metrics * self.n_systems

    @property
    def counted(self) -> str:
        """The metrics and systems of several metrics' family, in words."""
        systems = "system" if self.n_systems == 1 else "systems"
        return f"{self.n_metrics} metrics × {self.n_systems} {systems}"

    @property
    def family(self) -> str:
        """The correction in words."""
        return family(self.n_tests) if self.n_metrics < 2 else f"{family(self.n_tests)}: {self.counted}"


def significance_of(comparisons: Sequence[Comparison], over: str = ALL_METRICS) -> Significance:
    """Return which differences from the baseline are significant.

    Args:
        comparisons: comparisons of the same systems, by one metric each.
        over: one of `FAMILIES`.
    """
    p_values: dict[str, list[float | None]] = {}
    for comparison in comparisons:
        for name in comparison.signatures:
            if name != comparison.metric or not comparison.estimates_ratings:
                p_values[name] = [row.results[name].p_value for row in comparison.rows[1:]]
    families = [list(p_values)] if over == ALL_METRICS else [[name] for name in p_values]
    starred = {}
    for names in families:
        tested = [(name, p) for name in names for p in p_values[name]]
        adjusted = holm([1.0 if p is None else p for _, p in tested]) if tested else []
        for name in names:
            is_shown = [p < SIGNIFICANT for (of, _), p in zip(tested, adjusted, strict=True) if of == name]
            starred[name] = [False, *is_shown]
    n_systems = len(comparisons[0].rows) - 1
    n_metrics = max((len(names) for names in families), default=0)
    return Significance(starred, n_systems=n_systems, n_metrics=n_metrics)
