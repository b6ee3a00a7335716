"""Cells of a table of comparisons: figures, intervals, differences and p."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from referenceless_metrics.comparison.significance import Corrected, Significance
from referenceless_metrics.comparison.telling import each_score
from referenceless_metrics.core.files.paper_tables import UNDEFINED, Column, interval_cells
from referenceless_metrics.core.support.statistics import fixed, p_text
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference
from referenceless_metrics.human_evaluation.wording.holm_level import HEADING

if TYPE_CHECKING:
    from sacrebleu.significance import Result

    from referenceless_metrics.comparison.comparison import Comparison, Pair


def star_of(test: Corrected | None) -> str:
    """Return the star of a significant difference; "" for another one."""
    return "*" if test is not None and test.is_significant else ""


def kind_of_interval(name: str, significance: Significance) -> str:
    """Return the heading of intervals: at the level that Holm leaves them, or of 95 %."""
    return HEADING if significance.corrects(name) else "95% interval"


def heading_of_p(name: str, significance: Significance) -> str:
    """Return the heading of p, which says whether Holm corrects it."""
    return "p holm" if significance.corrects(name) else "p"


def pair_cells(comparison: Comparison, name: str, pair: Pair, significance: Significance) -> tuple[str, str, str]:
    """Return a pair's difference, its interval and its p by a metric; "" for an unknown one."""
    digits = decimals(comparison, name)
    test = significance.of(name, pair.system, pair.baseline)
    _, low, high = with_interval(pair.differences.get(name), test)
    interval = "" if math.isnan(low) else f"[{shown_figure(low, digits)}, {shown_figure(high, digits)}]"
    return shown_figure(pair.leads[name], digits), interval, p_in_words(comparison, name, pair.p_values[name], test)


def scores_of_rows(
    comparisons: Sequence[Comparison], significance: Significance
) -> Iterator[tuple[Comparison, str, list[Result], list[Corrected | None]]]:
    """Yield each score: its comparison, its name, the systems' results, and their tests as corrected."""
    for comparison, name in each_score(comparisons):
        results = [row.results[name] for row in comparison.rows]
        tests = [
            None if row.results[name].p_value is None else significance.of(name, row.system) for row in comparison.rows
        ]
        yield comparison, name, results, tests


def differences_in(comparison: Comparison, name: str) -> list[Inference | None]:
    """Return each system's difference from the baseline by a metric; None if there is none."""
    return [row.differences.get(name) for row in comparison.rows]


def with_interval(difference: Inference | None, test: Corrected | None) -> tuple[float, float, float]:
    """Return a difference and the ends of its interval, at the level of its test; NaN if there is none."""
    if difference is None:
        return (math.nan,) * 3
    return difference.value, *(difference.interval() if test is None else difference.interval(test.level))


def paper_differences(comparison: Comparison, name: str, group: str, significance: Significance) -> list[Column]:
    """Return the columns of the differences from the baseline with their intervals, for a paper."""
    digits = decimals(comparison, name)
    differences = [
        with_interval(difference, significance.of(name, row.system))
        for row, difference in zip(comparison.rows, differences_in(comparison, name), strict=True)
    ]
    shown, lows, highs = ([shown_figure(each[part], digits) for each in differences] for part in range(3))
    interval = f"its {kind_of_interval(name, significance)}"
    return [Column("difference", shown, group), Column(interval, interval_cells(lows, highs), group)]


def decimals(comparison: Comparison, name: str) -> int:
    """Return the decimals of a score: sacrebleu's are percentages."""
    return 4 if comparison.is_mean(name) else 2


def title(comparison: Comparison, name: str) -> str:
    """Return the title of a score: its name, and the number of segments if not all."""
    n = comparison.n_compared(name)
    return name if n == comparison.n_segments else f"{name} on {n} of {comparison.n_segments}"


def heading(comparison: Comparison, name: str, significance: Significance) -> str:
    """Return the heading of a column whose cells are scores with their intervals."""
    heading = f"{title(comparison, name)} [95% interval]"
    if any(differences_in(comparison, name)):
        heading += f"\nless baseline [{kind_of_interval(name, significance)}]"
    return heading


def interval_of(result: Result) -> tuple[float, float]:
    """Return the ends of a score's 95 % interval of bootstrap resamples; NaN without one."""
    # The bootstrap's mean is a little off the score, and an interval must not end on the wrong side of its score.
    low = min(result.mean - result.ci, result.score)
    high = max(result.mean + result.ci, result.score)
    return (low, high) if result.ci == result.ci else (math.nan, math.nan)


def shown_figure(figure: float, digits: int) -> str:
    """Return a figure with so many decimals; – if it is unknown."""
    if math.isnan(figure):
        return UNDEFINED
    return fixed(figure, digits)


def cell_of_result(result: Result, difference: Inference | None, digits: int, test: Corrected | None, p: str) -> str:
    """Return a score with its interval, the difference from the baseline with its own, and p."""
    cell = shown_figure(result.score, digits)
    low, high = interval_of(result)
    if not math.isnan(low):
        cell += f" [{shown_figure(low, digits)}, {shown_figure(high, digits)}]"
    if difference is not None:
        value, low, high = with_interval(difference, test)
        signed = f"{float(fixed(value, digits)):+.{digits}f}"
        cell += f"\n{signed} [{shown_figure(low, digits)}, {shown_figure(high, digits)}]"
    if p:
        cell += f"\n({p})"
    return f"{cell}{star_of(test)}"


def p_cell(p: str, test: Corrected | None) -> str:
    """Return the cell of a p that stands in a column of its own; a dash without a test."""
    return p.removeprefix("p ").removeprefix("= ") + star_of(test) if p else UNDEFINED


def p_in_words(comparison: Comparison, name: str, p_value: float | None, test: Corrected | None) -> str:
    """Return the p that is shown, in words; "" without a test."""
    p = p_told(p_value, test)
    return "" if p is None else p_text(p, is_least=comparison.is_least_p(name, p_value))


def p_told(p_value: float | None, test: Corrected | None) -> float | None:
    """Return the p that is shown: the corrected one of a test that is corrected; None without a test."""
    return p_value if test is None else test.p_value
