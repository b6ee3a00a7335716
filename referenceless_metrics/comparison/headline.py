"""The sentences that a comparison by metrics opens with."""

from __future__ import annotations

from collections.abc import Sequence

from referenceless_metrics.comparison.comparison import Comparison
from referenceless_metrics.comparison.significance import SIGNIFICANT, Significance, significance_of
from referenceless_metrics.human_evaluation.wording.headline import NOT_OF_PEOPLE, Compared, listed, scores_lead


def metrics_headline(comparisons: Sequence[Comparison], significance: Significance | None = None) -> str:
    """Return what metrics' own scores show, a sentence for each, and that it is not about people.

    Args:
        comparisons: of the same systems, by one metric each.
        significance: of their differences; None for that of all of them together.
    """
    marks = significance or significance_of(comparisons)
    found = [_finding(comparison, marks) for comparison in comparisons]
    tests = {test for _, test in found if test}
    if len(found) > 1 and len(tests) == 1:
        sentences = [f"{finding}." for finding, _ in found]
        sentences.append(f"({tests.pop()}.)")
    else:
        sentences = [f"{finding} ({test})." if test else f"{finding}." for finding, test in found]
    return " ".join([*sentences, NOT_OF_PEOPLE])


def _finding(comparison: Comparison, significance: Significance) -> tuple[str, str]:
    """Return what one metric's own scores show, and by which test; "" if none is told."""
    first, *others = comparison.rows
    of_rows = [row.results[comparison.metric] for row in comparison.rows]
    if comparison.estimates_ratings:
        ranked = sorted(zip(comparison.rows, of_rows, strict=True), key=lambda both: -both[1].score)
        means = listed([f"{row.system} ({result.score:.3g})" for row, result in ranked])
        return f"By the estimates of {comparison.metric}, the order of means is {means}", ""
    _, *starred = significance.starred[comparison.metric]
    compared = [
        Compared(row.system, result.score - of_rows[0].score, is_shown)
        for row, result, is_shown in zip(others, of_rows[1:], starred, strict=True)
    ]
    tested = f"p < {SIGNIFICANT}, {significance.family}"
    if all(result.p_value is None for result in of_rows):
        tested = f"{comparison.n_common} segments are too few for a test"
    return scores_lead(comparison.metric, compared, first.system), tested
