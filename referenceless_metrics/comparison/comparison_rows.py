"""Comparisons as rows of a table in a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from referenceless_metrics.comparison.significance import Corrected, Significance, significance_of
from referenceless_metrics.comparison.table_cells import interval_of, with_interval
from referenceless_metrics.comparison.telling import alone
from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference

if TYPE_CHECKING:
    from referenceless_metrics.comparison.comparison import Comparison, SystemRow


def all_rows(comparisons: Sequence[Comparison], significance: Significance | None = None) -> list[Record]:
    """Return the rows of all comparisons; see `comparison_rows`."""
    marks = significance or significance_of(comparisons)
    return [row for comparison in comparisons for row in comparison_rows(comparison, marks)]


def comparison_rows(comparison: Comparison, significance: Significance) -> list[dict[str, Any]]:
    """Return a row for each system and metric: the score of the segments that count, with its interval and p.

    `n` is the number of these segments; `coverage` is the share of the system's own outputs that have a value. If all
    pairs are compared, each has a row behind those of the systems, and `baseline` names its other system. The interval
    of a difference is at the level at which Holm's procedure tests it, as `p_holm` is.
    """
    of_pairs = bool(comparison.pairs)
    rows = []
    for row in (alone(comparison) if of_pairs else comparison).rows:
        for name, result in row.results.items():
            test = None if of_pairs else significance.of(name, row.system)
            own = row.differences.get(name), result.p_value, test, "" if of_pairs else None
            rows.append(_score_row(comparison, row, name, *own))
    row_of = {row.system: row for row in comparison.rows}
    for pair in comparison.pairs:
        for name, p_value in pair.p_values.items():
            test = significance.of(name, pair.system, pair.baseline)
            of_pair = pair.differences.get(name), p_value, test, pair.baseline
            rows.append(_score_row(comparison, row_of[pair.system], name, *of_pair))
    return rows


def _score_row(
    comparison: Comparison,
    row: SystemRow,
    name: str,
    difference: Inference | None,
    p_value: float | None,
    test: Corrected | None,
    baseline: str | None,
) -> Record:
    """Return a row on a system's score by a metric.

    Args:
        comparison: the comparison.
        row: the system's row.
        name: name of the metric.
        difference: difference from the other system, by this metric.
        p_value: p of no difference from it.
        test: the same as corrected; None without a test.
        baseline: the name of the other system; None if it is the same in all rows.
    """
    is_compared = name == comparison.metric
    low, high = interval_of(row.results[name])
    less = with_interval(difference, test)
    return {
        "system": row.system,
        **({} if baseline is None else {"baseline": baseline}),
        "metric": name,
        "score": row.results[name].score,
        "low": low,
        "high": high,
        "difference": less[0],
        "difference_low": less[1],
        "difference_high": less[2],
        "p_value": p_value,
        "p_holm": None if test is None else test.p_value,
        "n": comparison.n_compared(name),
        "coverage": row.coverage if is_compared else 1.0,
        "p_concerns": "" if p_value is None else "metric",
    }
