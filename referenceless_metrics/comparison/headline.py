"""The sentences that a comparison by metrics opens with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from referenceless_metrics.command_line.baselines import LOWER_IS_BETTER
from referenceless_metrics.comparison.comparison import Comparison
from referenceless_metrics.comparison.significance import SIGNIFICANT, Significance, significance_of
from referenceless_metrics.human_evaluation.inference.paired_coverage import unlike_coverage
from referenceless_metrics.human_evaluation.wording.headline import (
    NOT_OF_PEOPLE,
    Compared,
    RankedPair,
    how_tested,
    order_of_estimates,
    scores_lead,
    scores_of_pairs,
    verdict_told,
)
from referenceless_metrics.human_evaluation.wording.holm_level import percent
from referenceless_metrics.human_evaluation.wording.phrases import listed

_UNTESTED = "By {}, no difference is tested"
"""The finding of scores without a p: it is none."""


def metrics_headline(
    comparisons: Sequence[Comparison],
    significance: Significance | None = None,
    told: Mapping[str, str] | None = None,
) -> str:
    """Return the finding of metrics' own scores, one sentence for each, and that it is not about people.

    Args:
        comparisons: comparisons of the same systems, by one metric each.
        significance: significance of their differences; None for that of all of them together.
        told: names of metrics in a sentence, if not their own.
    """
    marks = significance or significance_of(comparisons)
    found = [finding for comparison in comparisons for finding in _findings(comparison, marks, told or {})]
    tests = [test for _, test in found if test]
    if len(tests) > 1 and len(set(tests)) == 1:
        sentences = [f"{finding}." for finding, _ in found]
        sentences.append(f"({tests[0]}.)")
    else:
        sentences = [f"{finding} ({test})." if test else f"{finding}." for finding, test in found]
    for comparison in comparisons:
        coverages = [row.paired_coverage for row in comparison.rows if row.paired_coverage is not None]
        sentences += [f"{each}." for each in unlike_coverage(coverages, SIGNIFICANT)]
    return " ".join([*sentences, NOT_OF_PEOPLE])


def _findings(comparison: Comparison, significance: Significance, told: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the findings of the scores of the metric and of those beside it, and the test; "" if there is none."""
    for name in comparison.signatures:
        if name == comparison.metric and comparison.estimates_ratings:
            yield _means_of_estimates(comparison, told.get(name, name)), ""
        else:
            lower = " (lower is better)" if name in LOWER_IS_BETTER else ""
            yield _differences(comparison, name, significance, f"{told.get(name, name)}{lower}")


def _means_of_estimates(comparison: Comparison, told: str) -> str:
    """Return the order of the means of estimates, and the worth of the estimates unless they are useful."""
    means = {row.system: row.results[comparison.metric].score for row in comparison.rows}
    return order_of_estimates(told, verdict_told(comparison.verdict), means)


def _differences(comparison: Comparison, name: str, significance: Significance, told: str) -> tuple[str, str]:
    """Return which systems' scores differ from the baseline's, and by which test."""
    if significance.of_pairs:
        return _differences_of_pairs(comparison, name, significance, told)
    first, *others = comparison.rows
    same = [row.system for row in others if row.n_same == comparison.n_segments]
    compared = [
        Compared(row.system, row.results[name].score - first.results[name].score, is_shown)
        for row, is_shown in zip(others, significance.starred[name][1:], strict=True)
        if row.system not in same
    ]
    parts = [scores_lead(told, compared, first.system)] if compared else []
    if same:
        has = "has" if len(same) == 1 else "have"
        opening = "" if compared else f"By {told}, no difference: "
        parts.append(f"{opening}{listed(same)} {has} the same outputs as {first.system}")
    p_values = [row.results[name].p_value for row in others]
    if compared and _are_untested(p_values):
        parts[0] = _UNTESTED.format(told)
    return "; ".join(parts), _test(comparison, name, significance, p_values) if compared else ""


def _differences_of_pairs(comparison: Comparison, name: str, significance: Significance, told: str) -> tuple[str, str]:
    """Return which systems' scores differ, of all pairs, and by which test."""
    unlike = [pair for pair in comparison.pairs if pair.n_same < comparison.n_segments]
    pairs = []
    for pair in unlike:
        ahead = (pair.system, pair.baseline) if pair.leads[name] > 0 else (pair.baseline, pair.system)
        pairs.append(RankedPair(*ahead, is_shown=(pair.system, pair.baseline) in significance.shown[name]))
    parts = []
    if pairs:
        score_of = {row.system: row.results[name].score for row in comparison.rows}
        parts.append(f"By {told}, {scores_of_pairs(pairs, sorted(score_of, key=lambda each: -score_of[each]))}")
    same = [f"{pair.baseline} and {pair.system}" for pair in comparison.pairs if pair not in unlike]
    if same:
        opening = "" if pairs else f"By {told}, no difference: "
        parts.append(f"{opening}{'; '.join(same)} have the same outputs")
    p_values = [pair.p_values[name] for pair in comparison.pairs]
    if pairs and _are_untested(p_values):
        parts[0] = _UNTESTED.format(told)
    return "; ".join(parts), _test(comparison, name, significance, p_values) if pairs else ""


def _are_untested(p_values: Sequence[float | None]) -> bool:
    return all(p is None for p in p_values)


def _test(comparison: Comparison, name: str, significance: Significance, p_values: Sequence[float | None]) -> str:
    """Return the test of the differences: its level and correction, or the reason why there is none."""
    if _are_untested(p_values):
        n = f"{comparison.n_clusters} clusters" if comparison.n_clusters else f"{comparison.n_compared(name)} segments"
        return f"{n} are too few for a test"
    if significance.n_tests == 1:
        p = next(p for p in p_values if p is not None)
        return how_tested(1 - SIGNIFICANT, 1, p, is_least=comparison.is_least_p(name, p))
    return f"{percent(1 - SIGNIFICANT)}, {significance.family}"
