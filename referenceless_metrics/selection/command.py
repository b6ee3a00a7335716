"""The command `rerank`: the best of each input's candidates, by any metric or by minimum Bayes risk.

A file has one row per input, with a list of its candidates in a column. It becomes a table of one row per candidate,
with the begin of each input's candidates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import click
import numpy as np

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.metric_command import ADVICE, ChosenMetrics, MetricCommand, metric_option
from referenceless_metrics.command_line.output_options import output_options_of, progress_option
from referenceless_metrics.command_line.reading_options import READING
from referenceless_metrics.command_line.references_and_sources import (
    REFERENCE_COLUMNS,
    SOURCE_COLUMN,
    check_beside,
    check_sources_given,
    inputs_of,
)
from referenceless_metrics.command_line.text_options import COLUMN, INPUT
from referenceless_metrics.core.files.formats import START, TEXT, Place
from referenceless_metrics.core.files.formats_of_files import source_name
from referenceless_metrics.core.files.n_best import RANK
from referenceless_metrics.core.files.nested_rows import ITEM
from referenceless_metrics.core.files.opening import STDIN
from referenceless_metrics.core.files.output import STREAMED
from referenceless_metrics.core.files.reading import from_json, tell
from referenceless_metrics.core.files.tables import BlockSize, Table, read_blocks
from referenceless_metrics.core.metric import Metric, check_metric
from referenceless_metrics.core.results import MetricResult
from referenceless_metrics.core.support.validation import InputError, Record, describe
from referenceless_metrics.scoring.rows import Job, streaming_options, write_scores
from referenceless_metrics.scoring.summary import result_lines
from referenceless_metrics.selection.mbr import MBR, UTILITIES, Lists, rerank

_TEXTS_ALONE = (
    "the choice is by the candidates' texts alone: what they leave out of their source, or add to it, does not count"
)
_BY_SOURCES = (
    "the metric reads sources, but what a candidate leaves out of its source, or adds to it, counts only as far as the "
    "ratings that the metric learned from depended on it"
)


def lists_in_cells(table: Table, column: str) -> tuple[Table, Lists]:
    """Return a row for each candidate of each row's list, with its text in place of the list.

    Args:
        table: one row per input.
        column: the column of the lists; in text formats they are written as JSON or Python writes them.

    Raises:
        InputError: for a missing column, a cell that is no list of at least one text, or another column named `text`.
    """
    cells = table.column(column, "--candidates-column")
    if TEXT in table.columns and column != TEXT:
        raise InputError(f"{table.source}: it has a column {TEXT!r} already, as the chosen texts will have; rename it")
    rows: list[Record] = []
    lines: list[int] = []
    begins = [0]
    for place, (row, cell) in enumerate(zip(table.rows, cells, strict=True)):
        candidates = from_json(cell)
        if not isinstance(candidates, list) or not candidates:
            raise InputError(
                f"{table.where(place)}: expected a list of one or more candidates in column {column!r}, but got "
                f"{describe(cell)}"
            )
        other_cells = {name: value for name, value in row.items() if name != column}
        for text in candidates:
            table.check_text(place, column, text)
            rows.append({**other_cells, TEXT: text})
        lines += table.lines[place : place + 1] * len(candidates)
        begins.append(len(rows))
    columns = (*(name for name in table.columns if name != column), TEXT)
    return replace(table, columns=columns, rows=rows, lines=lines), Lists([row[TEXT] for row in rows], np.array(begins))


def rows_at(table: Table, places: Sequence[int]) -> Table:
    """Return some of a table's rows."""
    lines = [table.lines[place] for place in places if table.lines]
    return replace(table, rows=[table.rows[place] for place in places], lines=lines)


@dataclass(frozen=True)
class RerankJob(Job):
    """A file of candidates to rerank. A block has lists of candidates, and one row per candidate.

    Attributes:
        n_best: number of candidates per input that are written.
    """

    n_best: int

    def rows_of(self, table: Table, texts: Any, columns: tuple[str, ...] | None) -> tuple[list[Record], MetricResult]:
        """Rerank a block, and return the rows of the `n_best` with the result of the best ones."""
        begins = texts.begins
        references, sources = inputs_of(rows_at(table, begins[:-1].tolist()), self.source, self.options)
        reranking = rerank(texts, self.metric, sources=sources, references=references)
        picks = enumerate(reranking.n_best(self.n_best))
        picked = [(number, rank, index) for number, pick in picks for rank, index in enumerate(pick, 1)]
        of, ranks, indices = np.array(picked, dtype=np.int64).reshape(-1, 3).T
        added = {"index": indices, "n_candidates": np.diff(begins)[of]}
        if self.n_best > 1:
            added = {"rank": ranks, **added}
        scores = reranking.scores.take(indices + begins[of])
        result = replace(scores, columns={**added, **scores.columns})
        chosen = rows_at(table, (indices + begins[of]).tolist())
        return self.rows_from(chosen, result, columns), result.take(np.flatnonzero(ranks == 1))

    def rows_from(self, table: Table, result: MetricResult, columns: tuple[str, ...] | None) -> list[Record]:
        """Return the rows of a result; the chosen text stands in each, also beside the column of ids alone."""
        rows = super().rows_from(table, result, columns)
        named = self.options["id_column"]
        if named is None:
            return rows
        texts = table.column(TEXT)
        return [{named: row[named], TEXT: text, **row} for row, text in zip(rows, texts, strict=True)]


@click.command(
    cls=MetricCommand,
    epilog="Example: referenceless rerank candidates.jsonl --metric fluency --n-best 3 -o best.jsonl",
)
@click.argument("file", type=INPUT)
@click.option(
    "--mbr", cls=Rare, type=click.Choice(UTILITIES), help="Minimum Bayes risk with this utility, for a metric."
)
@metric_option
@click.option("--n-best", type=click.IntRange(min=1), default=1, help="Candidates to write of each input.")
@click.option("--candidates-column", type=COLUMN, default="candidates", help="Column that holds lists of candidates.")
@adding(ADVICE, REFERENCE_COLUMNS, SOURCE_COLUMN, *READING)
@output_options_of(STREAMED)
@streaming_options
@progress_option
def rerank_command(
    chosen: ChosenMetrics, file: str, mbr: str | None, output: str | None, format: str, **options: Any
) -> None:
    """Choose the best of each input's candidates.

    FILE has a list of candidates in each row: in .jsonl and .parquet as it is, in .csv as JSON writes one; - is
    standard input.

    The output has one row per chosen candidate: the columns of its input (or --id-column alone), its text, its
    value, its place in its list (counted from 0), and the length of the list.

    If values are equal, the first candidate is chosen. One without a value is chosen only if no other has one. With
    --mbr a candidate's value is its mean similarity to the others (Eikema & Aziz 2020): no metric is needed.
    """
    if options["resume"] and (output in (None, "-") or not Path(file).is_file()):
        raise click.UsageError("--resume needs a FILE, and a file to write (-o)")
    if mbr is not None and (chosen.is_named or options["reference_columns"] or options["source_column"]):
        raise click.UsageError("--mbr takes the place of a metric and reads candidates alone; give one or the other")
    if mbr is None:
        check_beside(chosen.spec, None, options)
        chosen.check(options)
    blocks = _read(file, options, START)
    blocks = chain([next(blocks)], blocks)  # errors in the first block are told before the metric is loaded
    metric: Metric = MBR(mbr, n_jobs=-1) if mbr else check_metric(chosen.make(options)[0], batches=True)
    if mbr is None:
        check_sources_given(metric, [] if options["source_column"] else None)

    job = RerankJob(file, metric, format, options, options["n_best"])
    result = write_scores(job, blocks, lambda start: _read(file, options, start), output)
    summary = result_lines(result, metric)
    summary.insert(1, "the mean of what was chosen by these values: higher than that of texts that were not")
    if not metric.needs_sources and not metric.needs_references:
        summary.insert(2, _TEXTS_ALONE)
    elif metric.needs_sources and getattr(metric, "estimates_ratings", False):
        summary.insert(2, _BY_SOURCES)
    click.echo("\n".join(summary), err=True)


def _with_lists(table: Table, column: str) -> Table:
    """Return a list of the candidates of each input as a row for each input, with its texts in a column of lists."""
    rows: list[Record] = []
    lines: list[int] = []
    for number, row in zip(table.lines, table.rows, strict=True):
        if not rows or rows[-1][ITEM] != row[ITEM]:
            rows.append({ITEM: row[ITEM], column: []})
            lines.append(number)
        rows[-1][column].append(row[TEXT])
    return replace(table, columns=(ITEM, column), rows=rows, lines=lines)


def _read(file: str, options: Record, start: Place) -> Iterator[tuple[Table, Any]]:
    """Yield the rows of candidates block by block, with their lists."""
    default = "jsonl" if file == STDIN else "csv"
    none = not start.row
    listed = options["candidates_column"]
    blocks = read_blocks(file, reading=options["reading"], default=default, size=BlockSize(), start=start)
    first = next(blocks)
    if RANK in first.columns and not first.has(listed):
        if start.row:
            raise InputError(f"{first.source}: --resume does not go on in a list of candidates, which is read at once")
        first, blocks = (
            _with_lists(next(read_blocks(file, reading=options["reading"], default=default)), listed),
            iter(()),
        )
    for table in chain([first], blocks):
        tell(table.notes)
        if table.rows:
            none = False
            yield lists_in_cells(table, listed)
    if none:
        raise InputError(f"{source_name(file)}: it holds no candidates")
