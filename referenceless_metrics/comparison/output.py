"""Comparisons of systems as a table for the terminal, Markdown, LaTeX, JSON or CSV.

If a compared metric estimates human ratings, no format marks significance of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from referenceless_metrics.comparison.captions import caption_of, caption_of_pairs, signatures_of
from referenceless_metrics.comparison.comparison_columns import columns_of, pair_columns, paper_columns, paper_pairs
from referenceless_metrics.comparison.comparison_notes import notes_on
from referenceless_metrics.comparison.comparison_rows import all_rows
from referenceless_metrics.comparison.headline import metrics_headline
from referenceless_metrics.comparison.significance import Significance, significance_of
from referenceless_metrics.comparison.telling import alone
from referenceless_metrics.core.files.escaping import one_line
from referenceless_metrics.core.files.output import (
    FOR_PAPERS,
    OUTPUT_FORMATS,
    PARQUET,
    fitted_table,
    paper_table,
    paragraphs,
    render,
    terminal_width,
    write,
    write_rows,
)
from referenceless_metrics.core.files.paper_tables import Column, transposed
from referenceless_metrics.core.support.validation import Record

if TYPE_CHECKING:
    from referenceless_metrics.comparison.comparison import Comparison
    from referenceless_metrics.human_evaluation.commands.gates import Gate


COMPARISON_FORMATS = OUTPUT_FORMATS


def write_comparisons(
    comparisons: Sequence[Comparison],
    format: str,
    path: str | None,
    *,
    significance: Significance | None = None,
    gate: Gate | None = None,
    transpose: bool = False,
    of_outputs: Sequence[str] = (),
) -> None:
    """Write comparisons to a file or standard output in any of `COMPARISON_FORMATS`; see `render_comparisons`."""
    if format == PARQUET:
        write_rows(all_rows(comparisons, significance), {}, format, path)
    else:
        width = terminal_width(path)
        how: Record = {"significance": significance, "gate": gate, "transpose": transpose, "of_outputs": of_outputs}
        text = render_comparisons(comparisons, format, width=width, **how)
        write(text, path)


def render_comparison(comparison: Comparison, format: str = "table", *, columns_of_terminal: int | None = None) -> str:
    """Return a comparison as text.

    Args:
        comparison: the result of `compare_systems`.
        format: see `render_comparisons`.
        columns_of_terminal: the width that a table is to fit, in characters; None for no limit.
    """
    return render_comparisons([comparison], format, width=columns_of_terminal)


def render_comparisons(
    comparisons: Sequence[Comparison],
    format: str = "table",
    *,
    significance: Significance | None = None,
    gate: Gate | None = None,
    transpose: bool = False,
    of_outputs: Sequence[str] = (),
    width: int | None = None,
) -> str:
    """Return comparisons of the same systems, by one metric each, as text.

    Args:
        comparisons: the result of `compare_systems` for each metric.
        format: `table`, as sacrebleu prints a paired test; `markdown`; `latex` (booktabs, siunitx); or as of
            `output.render`, with a row for each system and metric.
        significance: significance of the differences; None for that of all metrics together.
        gate: the verdicts of a gate on these comparisons, which stand with the findings; None without.
        transpose: whether a table has a column for each system.
        of_outputs: notes on the outputs themselves, which a table for the terminal leaves to standard error.
        width: width of the terminal that a table is to fit; None for no limit.
    """
    marks = significance or significance_of(comparisons)
    headline = one_line(metrics_headline(comparisons, marks))
    *notes, to_quote = notes_on(comparisons, marks, with_basis=format not in FOR_PAPERS)  # whose caption tells it
    notes += [*(of_outputs if format != "table" else ()), to_quote]
    if gate is not None:
        headline = f"{headline} {one_line(gate.headline)}"
        notes = [*map(one_line, gate.findings), *notes]
    of_rows = list(map(alone, comparisons)) if marks.of_pairs else comparisons
    if format in FOR_PAPERS:
        columns = paper_columns(of_rows, marks)
        said: Record = {"basis": caption_of(comparisons, marks)}
        if format == "latex":  # in Markdown the sentence to quote has them, and in LaTeX that is a comment
            said["note"] = [f"Signature: {'; '.join(signatures_of(comparisons))}."]
        of_systems = transposed(columns) if transpose else columns
        if not marks.of_pairs:
            return paper_table(format, of_systems, headline, notes, **said)
        tables = [
            paper_table(format, of_systems, headline, [], **said),
            paper_table(
                format,
                paper_pairs(comparisons, marks),
                "",
                notes,
                basis=[caption_of_pairs(comparisons, marks)],
                part="pairs",
            ),
        ]
        return "\n".join(tables)
    if format != "table":
        rows = all_rows(comparisons, marks)
        summary = _summary(comparisons, marks, notes)
        summary |= {} if gate is None else {"gate": gate.record}
        return render(rows, summary, format, lines=notes, headline=headline)
    columns = columns_of(of_rows, marks)
    tables = [_grid(transposed(columns) if transpose else columns, width)]
    if marks.of_pairs:
        tables.append(_grid(pair_columns(comparisons, marks), width))
    shown = "".join(f"{table}\n\n" for table in tables)
    return f"{paragraphs([headline, ''], width)}{shown}" + paragraphs(notes, width)


def _grid(columns: Sequence[Column], width: int | None) -> str:
    """Return columns as a table for the terminal."""
    alignment = {**dict.fromkeys([column.name for column in columns], "center"), columns[0].name: "right"}
    return fitted_table({column.name: column.cells for column in columns}, alignment, width, "fancy_grid")


def _summary(comparisons: Sequence[Comparison], significance: Significance, notes: Sequence[str]) -> Record:
    """Return the facts that hold for all rows: for one metric its own figures, for several a list of them."""
    metrics = [
        {name: getattr(comparison, name) for name in ("metric", "n_segments", "n_common", "n_samples")}
        for comparison in comparisons
    ]
    summary: Record = dict(metrics[0]) if len(metrics) == 1 else {"metrics": metrics}
    signatures = {name: signature for each in comparisons for name, signature in each.signatures.items()}
    if comparisons[0].n_clusters:
        summary["clusters"] = comparisons[0].n_clusters
    if significance.of_pairs:
        summary["comparisons"] = "all"
    summary |= {"baseline": comparisons[0].rows[0].system, "p_concerns": "metric", "correction": significance.family}
    return {**summary, "notes": list(notes), "signatures": signatures}
