"""A comparison of systems as a table for the terminal, Markdown, LaTeX, JSON or CSV.

Where the compared metric estimates human ratings, no format marks significance.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from referenceless_metrics.comparison.headline import SIGNIFICANT, metric_headline, significant
from referenceless_metrics.core.files.escaping import code, escaped, one_line
from referenceless_metrics.core.files.output import (
    OUTPUT_FORMATS,
    PARQUET,
    fitted_table,
    paragraphs,
    render,
    terminal_width,
    write,
    write_rows,
)
from referenceless_metrics.core.results import FEWEST_FOR_INTERVAL
from referenceless_metrics.core.support.statistics import p_text

if TYPE_CHECKING:
    from sacrebleu.significance import Result

    from referenceless_metrics.comparison.comparison import Comparison

COMPARISON_FORMATS = OUTPUT_FORMATS
_TABLE_FORMATS = {"table": "fancy_grid", "markdown": "pipe", "latex": "latex_booktabs"}
NOT_PEOPLE = (
    "p concerns the mean of {metric} and not people: the metric's bias on a system is unknown until outputs of that "
    "system are rated. To claim that people rate a system higher, rate some of its outputs and use `referenceless "
    "human-score`"
)
"""What a reader must know of the p of a metric that estimates human ratings."""


def intervals_note(comparison: Comparison) -> str:
    """Return what a comparison's intervals cover: the draw of the segments, and of nothing else."""
    fixed = "the rated texts are as they are: others would give other figures"
    return (
        "intervals and p cover the draw of the segments; "
        f"{fixed if comparison.estimates_ratings else 'the metric is held fixed'}"
    )


def write_comparison(comparison: Comparison, format: str, path: str | None) -> None:
    """Write a comparison to a file or standard output in any of `COMPARISON_FORMATS`; see `render_comparison`."""
    if format == PARQUET:
        write_rows(comparison_rows(comparison), {}, format, path)
    else:
        write(render_comparison(comparison, format, columns_of_terminal=terminal_width(path)), path)


def render_comparison(comparison: Comparison, format: str = "table", *, columns_of_terminal: int | None = None) -> str:
    """Return a comparison as text.

    Args:
        comparison: what `compare_systems` returned.
        format: `table`, as sacrebleu prints a paired test; `markdown`; `latex` (booktabs); or as of `output.render`,
            with a row for each system and metric.
        columns_of_terminal: what a table is to fit; None for no limit.
    """
    headline = one_line(metric_headline(comparison))
    notes = _notes(comparison)
    if format not in _TABLE_FORMATS:
        summary = {name: getattr(comparison, name) for name in ("metric", "n_segments", "n_common", "n_samples")}
        summary |= {"baseline": comparison.rows[0].system, "p_concerns": "metric", "notes": notes}
        summary["signatures"] = dict(comparison.signatures)
        return render(comparison_rows(comparison), summary, format, lines=notes, headline=headline)
    columns = _columns(comparison, "\n" if format == "table" else " ")
    signatures = [one_line(f"{name}|{signature}") for name, signature in comparison.signatures.items()]
    if format == "markdown":
        columns = {escaped(name): [escaped(cell) for cell in cells] for name, cells in columns.items()}
    alignment = {**dict.fromkeys(columns, "center"), next(iter(columns)): "right"}
    limit = columns_of_terminal if format == "table" else None
    table = fitted_table(columns, alignment, limit, _TABLE_FORMATS[format])
    if format == "latex":
        table = re.sub(r"(?<![\w-])-(?=\d)", "$-$", table).replace("–", "--")
        return f"% {headline}\n{table}\n" + "".join(f"% {note}\n" for note in notes + signatures)
    if format == "markdown":
        listed = [*map(escaped, notes), *(code(signature) for signature in signatures)]
        return f"{escaped(headline)}\n\n{table}\n\n" + "".join(f"- {note}\n" for note in listed)
    opening = paragraphs([headline, ""], columns_of_terminal)
    return f"{opening}{table}\n\n" + paragraphs(notes + signatures, columns_of_terminal)


def _columns(comparison: Comparison, break_line: str) -> dict[str, list[str]]:
    """Return the table's columns with their cells, a system each."""
    names = [one_line(row.system) for row in comparison.rows]
    columns = {"System": [f"Baseline: {names[0]}", *names[1:]]}
    for name in comparison.signatures:
        compared = name == comparison.metric
        results = [row.results[name] for row in comparison.rows]
        cells = [_cell(result, 4 if compared else 2, break_line) for result in results]  # sacrebleu's are percentages
        if not compared or not comparison.estimates_ratings:
            starred = [False, *significant(results[1:])]
            cells = [f"{cell}*" if star else cell for cell, star in zip(cells, starred, strict=True)]
        columns[_heading(comparison, name)] = cells
        if compared:
            columns["coverage"] = [f"{row.coverage:.3f}" for row in comparison.rows]
    return columns


def _heading(comparison: Comparison, name: str) -> str:
    """Return a column's heading: what is scored, and on how many segments if not on all."""
    if name != comparison.metric or comparison.n_common == comparison.n_segments:
        return f"{name} [95% interval]"
    return f"{name} on {comparison.n_common} of {comparison.n_segments} [95% interval]"


def interval_of(result: Result) -> tuple[float, float]:
    """Return the ends of a score's 95 % interval of bootstrap resamples; NaN without one."""
    # The bootstrap's mean is a little off the score, and an interval must not end on the wrong side of its score.
    low = min(result.mean - result.ci, result.score)
    high = max(result.mean + result.ci, result.score)
    return (low, high) if result.ci == result.ci else (math.nan, math.nan)


def _cell(result: Result, decimals: int, break_line: str) -> str:
    """Return a score with its interval and p."""

    def shown(figure: float) -> str:
        rounded = round(figure, decimals) + 0.0  # which makes 0 of -0
        return f"{rounded:.{decimals}f}"

    cell = shown(result.score)
    low, high = interval_of(result)
    if not math.isnan(low):
        cell += f" [{shown(low)}, {shown(high)}]"
    if result.p_value is not None:
        cell += f"{break_line}({p_text(result.p_value)})"
    return cell


def _notes(comparison: Comparison) -> list[str]:
    first = comparison.rows[0].system
    others = [name for name in comparison.signatures if name != comparison.metric]
    notes = [f"{comparison.n_segments} segments; each score with the 95% confidence interval of bootstrap resamples"]
    if comparison.estimates_ratings:
        notes.append(NOT_PEOPLE.format(metric=comparison.metric))
        notes.append(f"{intervals_note(comparison)}; significance is not marked")
        if comparison.verdict is not None:
            notes.append(comparison.verdict)
    else:
        others.insert(0, comparison.metric)
    n = len(comparison.rows) - 1
    corrected = f" after Holm's correction over {n} comparisons" if n > 1 else ""
    marks = f"; * marks p < {SIGNIFICANT} of {', '.join(others)}{corrected}" if others else ""
    notes.append(
        f"p: how probable a difference from {first} as great as this is where the two do not differ, by approximate "
        f"randomisation ({comparison.n_samples:,} shuffles){marks}"
    )
    if comparison.n_common < comparison.n_segments:
        counts = ", ".join(f"{row.system} {row.n_covered}" for row in comparison.rows)
        notes.append(
            f"{comparison.metric} compares the systems on the {comparison.n_common} of {comparison.n_segments} "
            f"segments that it covers for all ({counts})"
        )
    if comparison.n_common < FEWEST_FOR_INTERVAL:
        notes.append(f"fewer than {FEWEST_FOR_INTERVAL} values of {comparison.metric} give no interval and no p")
    if any(row.n_rated_texts for row in comparison.rows):
        counts = ", ".join(f"{row.system} {row.n_rated_texts}" for row in comparison.rows)
        notes.append(f"outputs that are rated texts themselves: {counts} of {comparison.n_segments}")
    notes += [f"{row.system}: {warning}" for row in comparison.rows for warning in row.warnings]
    return [one_line(note) for note in notes]


def comparison_rows(comparison: Comparison) -> list[dict[str, Any]]:
    """Return a row for each system and metric: the score of the segments that count, with its interval and p.

    `n` is the number of these segments; `coverage` is the share of the system's own outputs that have a value.
    """
    rows = []
    for row in comparison.rows:
        for name, result in row.results.items():
            is_compared = name == comparison.metric
            low, high = interval_of(result)
            rows.append(
                {
                    "system": row.system,
                    "metric": name,
                    "score": result.score,
                    "low": low,
                    "high": high,
                    "p_value": result.p_value,
                    "n": comparison.n_common if is_compared else comparison.n_segments,
                    "coverage": row.coverage if is_compared else 1.0,
                    "p_concerns": "" if result.p_value is None else "metric",
                }
            )
    return rows
