"""Significance of metrics' own differences, after one correction for all tests that a command makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referenceless_metrics.comparison.comparison import Comparison
from referenceless_metrics.human_evaluation.inference.estimated_means import holm
from referenceless_metrics.human_evaluation.wording.headline import family

SIGNIFICANT = 0.05
"""Error rate of findings on metrics' own differences, over all tests of a family."""

ALL_METRICS, EACH_METRIC = "all-metrics", "each-metric"
FAMILIES = (ALL_METRICS, EACH_METRIC)
"""The tests that Holm's correction counts as one family: those of all metrics, or of each metric alone."""


@dataclass(frozen=True)
class Significance:
    """Differences that are significant after Holm's correction: those from the baseline, or those of all pairs.

    A metric that estimates human ratings has none: its p is no finding about people.

    Attributes:
        shown: by metric, the pairs (system, baseline) with a significant difference.
        starred: by metric, True for each system that differs significantly from the baseline of the comparison; False
            for the baseline, which is first.
        n_compared: number of comparisons by one metric.
        n_metrics: number of metrics whose tests are one family.
        of_pairs: True if these are all pairs of systems.
    """

    shown: Mapping[str, frozenset[tuple[str, str]]]
    starred: Mapping[str, list[bool]]
    n_compared: int
    n_metrics: int
    of_pairs: bool

    @property
    def n_tests(self) -> int:
        """The number of tests of a family."""
        return self.n_metrics * self.n_compared

    @property
    def counted(self) -> str:
        """The metrics and their comparisons, if several metrics' tests are one family, in words."""
        kind = "pair" if self.of_pairs else "system"
        return f"{self.n_metrics} metrics × {self.n_compared} {kind if self.n_compared == 1 else f'{kind}s'}"

    @property
    def family(self) -> str:
        """The correction in words."""
        told = family(self.n_tests)
        if self.n_metrics > 1:
            return f"{told}: {self.counted}"
        return f"{told}: all pairs" if self.of_pairs and self.n_tests > 1 else told


def significance_of(comparisons: Sequence[Comparison], over: str = ALL_METRICS) -> Significance:
    """Return which differences are significant: of all pairs if the comparisons have them, else from the baseline.

    Args:
        comparisons: comparisons of the same systems, by one metric each.
        over: one of `FAMILIES`.
    """
    p_values: dict[str, dict[tuple[str, str], float | None]] = {}
    for comparison in comparisons:
        for name in comparison.signatures:
            if name != comparison.metric or not comparison.estimates_ratings:
                p_values[name] = _p_values(comparison, name)
    families = [list(p_values)] if over == ALL_METRICS else [[name] for name in p_values]
    shown: dict[str, frozenset[tuple[str, str]]] = {}
    for names in families:
        tested = [(name, pair, p) for name in names for pair, p in p_values[name].items()]
        adjusted = holm([1.0 if p is None else p for _, _, p in tested]) if tested else []
        found = [(name, pair) for (name, pair, _), p in zip(tested, adjusted, strict=True) if p < SIGNIFICANT]
        shown |= {name: frozenset(pair for of, pair in found if of == name) for name in names}
    first, *others = [row.system for row in comparisons[0].rows]
    starred = {name: [False, *((system, first) in pairs for system in others)] for name, pairs in shown.items()}
    return Significance(
        shown=shown,
        starred=starred,
        n_compared=len(comparisons[0].pairs) or len(others),
        n_metrics=max((len(names) for names in families), default=0),
        of_pairs=bool(comparisons[0].pairs),
    )


def _p_values(comparison: Comparison, name: str) -> dict[tuple[str, str], float | None]:
    """Return a metric's p of each comparison, by the system and its baseline."""
    if comparison.pairs:
        return {(pair.system, pair.baseline): pair.p_values[name] for pair in comparison.pairs}
    first, *others = comparison.rows
    return {(row.system, first.system): row.results[name].p_value for row in others}
