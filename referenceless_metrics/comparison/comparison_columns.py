"""Columns of a table of comparisons, for a terminal and for a paper."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING

from referenceless_metrics.comparison.significance import Significance
from referenceless_metrics.comparison.table_cells import (
    cell_of_result,
    decimals,
    differences_in,
    heading,
    heading_of_p,
    interval_of,
    kind_of_interval,
    p_cell,
    p_in_words,
    pair_cells,
    paper_differences,
    scores_of_rows,
    shown_figure,
    star_of,
    title,
)
from referenceless_metrics.comparison.telling import each_score
from referenceless_metrics.core.files.escaping import one_line
from referenceless_metrics.core.files.paper_tables import UNDEFINED, Column, filled_columns, interval_cells

if TYPE_CHECKING:
    from referenceless_metrics.comparison.comparison import Comparison


def columns_of(comparisons: Sequence[Comparison], significance: Significance) -> list[Column]:
    """Return the columns of a table for the terminal: a score with its interval and p stands in one cell."""
    columns = [Column("System", _names(comparisons))]
    for comparison, name, results, tests in scores_of_rows(comparisons, significance):
        digits = decimals(comparison, name)
        of_rows = zip(results, differences_in(comparison, name), tests, strict=True)
        cells = [
            cell_of_result(result, difference, digits, test, p_in_words(comparison, name, result.p_value, test))
            for result, difference, test in of_rows
        ]
        columns.append(Column(heading(comparison, name, significance), cells))
    return [*columns, *_coverage(comparisons)]


def paper_columns(comparisons: Sequence[Comparison], significance: Significance) -> list[Column]:
    """Return the columns of a table for a paper: score, interval and p apart."""
    columns = [Column("system", _names(comparisons))]
    for comparison, name, results, tests in scores_of_rows(comparisons, significance):
        digits = decimals(comparison, name)
        group = title(comparison, name)
        ends = [[shown_figure(end, digits) for end in interval_of(result)] for result in results]
        intervals = interval_cells([low for low, _ in ends], [high for _, high in ends])
        p_texts = [
            p_in_words(comparison, name, result.p_value, test) for result, test in zip(results, tests, strict=True)
        ]
        p_values = [p_cell(p, test) for p, test in zip(p_texts, tests, strict=True)]
        columns.append(Column("score", [shown_figure(result.score, digits) for result in results], group))
        columns.append(Column("95% interval", intervals, group))
        columns += paper_differences(comparison, name, group, significance)
        columns.append(Column(heading_of_p(name, significance), p_values, group))
    return filled_columns([*columns, *_coverage(comparisons)])


def pair_columns(comparisons: Sequence[Comparison], significance: Significance) -> list[Column]:
    """Return the columns of all pairs for the terminal: a difference with its interval and p stands in one cell."""
    columns = [Column("Pair", _names_of_pairs(comparisons[0]))]
    for comparison, name in each_score(comparisons):
        cells = []
        for pair in comparison.pairs:
            value, interval, p = pair_cells(comparison, name, pair, significance)
            signed = value if value.startswith("-") else f"+{value}"
            star = star_of(significance.of(name, pair.system, pair.baseline))
            cells.append("\n".join(filter(None, [f"{signed} {interval}".strip(), p and f"({p}){star}"])))
        heading = f"{title(comparison, name)}: difference"
        if any(name in pair.differences for pair in comparison.pairs):
            heading += f" [{kind_of_interval(name, significance)}]"
        columns.append(Column(heading, cells))
    return columns


def paper_pairs(comparisons: Sequence[Comparison], significance: Significance) -> list[Column]:
    """Return the columns of all pairs for a paper."""
    columns = [Column("pair", _names_of_pairs(comparisons[0]))]
    for comparison, name in each_score(comparisons):
        cells = [pair_cells(comparison, name, pair, significance) for pair in comparison.pairs]
        values, intervals, told = map(list, zip(*cells, strict=True))
        group = title(comparison, name)
        columns.append(Column("difference", values, group))
        kind = kind_of_interval(name, significance)
        columns.append(Column(kind, [interval or UNDEFINED for interval in intervals], group))
        stars = [star_of(significance.of(name, pair.system, pair.baseline)) for pair in comparison.pairs]
        p_values = [p_cell(p, None) for p in told]
        columns.append(Column(heading_of_p(name, significance), list(map(operator.add, p_values, stars)), group))
    return filled_columns(columns)


def _names_of_pairs(comparison: Comparison) -> list[str]:
    """Return the names of the pairs' differences."""
    return [one_line(f"{pair.system} less {pair.baseline}") for pair in comparison.pairs]


def _coverage(comparisons: Sequence[Comparison]) -> list[Column]:
    """Return the coverage: one column if it is the same for all metrics, else one for each."""
    of_metrics = {each.metric: [f"{row.coverage:.3f}" for row in each.rows] for each in comparisons}
    if len(set(map(tuple, of_metrics.values()))) == 1:
        return [Column("coverage", next(iter(of_metrics.values())))]
    return [Column(f"coverage of {metric}", cells) for metric, cells in of_metrics.items()]


def _names(comparisons: Sequence[Comparison]) -> list[str]:
    """Return the systems' names, the baseline marked unless its name does."""
    first, *others = [one_line(row.system) for row in comparisons[0].rows]
    if comparisons[0].pairs:
        return [first, *others]
    return [first if first.casefold() == "baseline" else f"{first} (baseline)", *others]
