"""The sentence that a comparison by a metric opens with."""

from __future__ import annotations

from collections.abc import Sequence

from sacrebleu.significance import Result

from referenceless_metrics.comparison.comparison import Comparison
from referenceless_metrics.human_evaluation.inference.estimated_means import holm
from referenceless_metrics.human_evaluation.wording.headline import NOT_OF_PEOPLE, family, listed, who_leads

SIGNIFICANT = 0.05
"""The error rate of what is said of a metric's own differences, over all comparisons with the baseline."""


def metric_headline(comparison: Comparison) -> str:
    """Return what a metric's own scores show, in a sentence that says that it is not about people."""
    first, *others = comparison.rows
    of_rows = [row.results[comparison.metric] for row in comparison.rows]
    if comparison.estimates_ratings:
        ranked = sorted(zip(comparison.rows, of_rows, strict=True), key=lambda both: -both[1].score)
        means = listed([f"{row.system} ({result.score:.3g})" for row, result in ranked])
        return f"By the estimates of {comparison.metric}, the order of means is {means}. {NOT_OF_PEOPLE}"
    leads = [result.score - of_rows[0].score for result in of_rows[1:]]
    compared = list(zip([row.system for row in others], leads, significant(of_rows[1:]), strict=True))
    sentence = who_leads(f"{comparison.metric} scores", compared, first.system, comparison.metric)
    tested = f"p < {SIGNIFICANT}, {family(len(others))}"
    if all(result.p_value is None for result in of_rows):
        tested = f"{comparison.n_common} segments are too few for a test"
    return f"{sentence} ({tested}). {NOT_OF_PEOPLE}"


def significant(results: Sequence[Result]) -> list[bool]:
    """Return whether each p, of a system against the baseline, is below `SIGNIFICANT` after Holm's correction."""
    p_values = [1.0 if result.p_value is None else result.p_value for result in results]
    return [p < SIGNIFICANT for p in holm(p_values)] if p_values else []
