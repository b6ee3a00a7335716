"""Rows of scored texts, written block by block.

Memory holds one block of texts and its rows, however many texts there are.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from shlex import quote

import click
import numpy as np

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.baselines import segment_scores
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.output_options import is_file_to_write
from referenceless_metrics.command_line.references_and_sources import inputs_of
from referenceless_metrics.command_line.text_options import COLUMN
from referenceless_metrics.core.files.atomic import atomic_write
from referenceless_metrics.core.files.formats import Place
from referenceless_metrics.core.files.incremental_writer import IncrementalWriter
from referenceless_metrics.core.files.output import render_rows, rows_of_columns
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.metric import Metric, score_texts
from referenceless_metrics.core.results import MetricResult, RunningSummary, as_plain
from referenceless_metrics.core.support.computing import moving, progress_bar
from referenceless_metrics.core.support.validation import InputError, Options, Record

_NOT_OF_ROWS = ("resume", "progress", "n_jobs")
"""Options that change no row."""

Blocks = Iterator[tuple[Table, list[str]]]
"""A file of texts in blocks: the rows and the texts of each block."""

#: Options for large files.
streaming_options = adding(
    Rare(
        ["--id-column"],
        type=COLUMN,
        metavar="NAME",
        help="Only column of FILE to write beside the scores  [default: all columns of FILE]",
    ),
    Rare(
        ["--resume/--no-resume"],
        default=None,
        help="Go on with an unfinished run into the same file, behind the blocks of up to 8,192 texts that were done, "
        "or start anew  [default: start where there is none]",
    ),
)


@dataclass(frozen=True)
class Job:
    """A file of texts, the metric that scores it, and the options of its output.

    Attributes:
        source: the file of texts.
        metric: the metric; its name is that of the column of values, unless `score_name` is another.
        format: one of `output.STREAMED`.
        options: options of the command: `id_column`, the only column of the input that rows keep, `progress`, `resume`,
            references and sources (see `inputs_of`), and all others on which rows depend.
        others: names of sacrebleu's metrics with references, whose score of each text is a column, too.
    """

    source: str
    metric: Metric
    format: str
    options: Options
    others: Sequence[str] = field(default=(), kw_only=True)

    @property
    def column(self) -> str:
        """The name of the column of values."""
        return str(self.options.get("score_name") or self.metric.name)

    def result_of(self, table: Table, texts: Sequence[str]) -> MetricResult:
        """Score a block."""
        references, sources = inputs_of(table, self.source, self.options)
        result = score_texts(self.metric, texts, references, sources)
        if self.others:
            beside = {name: segment_scores(name, texts, references or []) for name in self.others}
            result = replace(result, columns={**result.columns, **beside})
        return self.explained(result, texts) if self.options.get("explain") else result

    def explained(self, result: MetricResult, texts: Sequence[str]) -> MetricResult:
        """Return a result with the columns that explain its texts, by a metric that `explains_texts`."""
        return replace(result, columns={**result.columns, **self.metric.explain(texts)})  # type: ignore[attr-defined]

    def rows_of(
        self, table: Table, texts: Sequence[str], columns: tuple[str, ...] | None
    ) -> tuple[list[Record], MetricResult]:
        """Score a block, and return its rows with its result; see `scored_rows`."""
        result = self.result_of(table, texts)
        return self.rows_from(table, result, columns), result

    def rows_from(self, table: Table, result: MetricResult, columns: tuple[str, ...] | None) -> list[Record]:
        """Return the rows of a result; JSON lines need no columns."""
        kept = None if self.format == "jsonl" else columns
        return scored_rows(table, self.column, result, self.options["id_column"], kept)


def scored_rows(
    table: Table,
    name: str,
    result: MetricResult,
    id_column: str | None = None,
    columns: tuple[str, ...] | None = None,
) -> list[Record]:
    """Return one row per text: the input's columns, the value, the metric's columns, and the reason of an abstention.

    Args:
        table: the texts' rows.
        name: the metric's name, which the column of values gets.
        result: the metric's result.
        id_column: the only column of the input that rows keep; None for all.
        columns: the columns of every row, also if the input lacks them; None for the input's own.

    Raises:
        InputError: for two columns of one name, or a column that is not among `columns`.
    """
    if id_column is not None:
        names: tuple[str, ...] = (id_column,)
        kept = rows_of_columns({id_column: table.column(id_column, "--id-column")})
    else:
        names = table.columns
        kept = table.rows if columns is None else _rows_with(columns, table)
    scores = {name: as_plain(result.values), **as_plain(result.columns), "reason": result.reasons}
    twice = [column for column in names if column in scores]
    if twice:
        raise InputError(
            f"{table.source}: it has a column {twice[0]!r} already, as the scores will have; {_way_out(name, twice[0])}"
        )
    return [{**row, **of_text} for row, of_text in zip(kept, rows_of_columns(scores), strict=True)]


def _way_out(column: str, twice: str) -> str:
    """Return what to do if a file has a column that the scores will have.

    Args:
        column: the column of values.
        twice: the column that both have.
    """
    context = click.get_current_context(silent=True)
    taken = [] if context is None else [name for each in context.command.get_params(context) for name in each.opts]
    if twice == column and "--score-name" in taken:
        return f"call that of the scores another way (--score-name {quote(f'{column}_score')})"
    return "rename it, or name the one column to keep with --id-column"


def _rows_with(columns: Sequence[str], table: Table) -> list[Record]:
    """Return a table's rows with these columns.

    Raises:
        InputError: for a row that has another.
    """
    late = [column for column in table.columns if column not in columns]
    if late:  # earlier rows were written without it
        place = next(place for place, row in enumerate(table.rows) if not row.keys().isdisjoint(late))
        raise InputError(
            f"{table.where(place)}: the column {late[0]!r} comes too late to be written: the first rows decide "
            "which columns there are; write JSON lines, or keep one column with --id-column"
        )
    return [{column: row.get(column) for column in columns} for row in table.rows]


def at_once(blocks: Blocks) -> tuple[Table, list[str]]:
    """Return all blocks as one, for metrics and formats that need all texts at once."""
    tables: list[Table] = []
    texts: list[str] = []
    for table, of_block in blocks:
        tables.append(table)
        texts += of_block
    rows = [row for table in tables for row in table.rows]
    lines = [line for table in tables for line in table.lines]
    return replace(tables[0], columns=tables[-1].columns, rows=rows, lines=lines), texts


def write_scores(job: Job, blocks: Blocks, read: Callable[[Place], Blocks], output: str | None) -> RunningSummary:
    """Score blocks and write the rows of each at once.

    A file gets its name when it is complete; until then `--resume` can go on with it. Standard output and devices get
    rows directly.

    Args:
        job: the file, the metric and the options; `resume` is as in `IncrementalWriter`.
        blocks: the texts from the beginning of the file.
        read: a function that yields the blocks from another place on.
        output: the file to write; None for standard output.

    Raises:
        InputError: for an unfinished run without `resume`, or one with other options.
    """
    if not is_file_to_write(output):
        return _write_to_stream(job, blocks, output)
    run = {name: value for name, value in job.options.items() if name not in _NOT_OF_ROWS}
    run |= {"metric": job.metric.signature, "format": job.format}
    writer = IncrementalWriter(Path(str(output)), job.format, run, job.options["resume"], Path(job.source))
    try:
        if writer.read.row:
            blocks = read(writer.read)
        for table, columns, rows, result in _scored(job, blocks, writer.summary, writer.columns):
            types = {name: values.dtype for name, values in result.columns.items()}
            types |= {job.column: result.values.dtype, "reason": np.dtype(np.str_)}
            writer.write(rows, {**table.types, **types}, table.end, columns)
        writer.commit()
    except BaseException:
        if writer.abandon():
            click.echo("what was scored so far is kept: the same command with --resume goes on from there", err=True)
        raise
    return writer.summary


def _write_to_stream(job: Job, blocks: Blocks, output: str | None) -> RunningSummary:
    """Score blocks and write their rows to standard output or a device."""
    summary = RunningSummary()
    with nullcontext() if output in (None, "-") else atomic_write(str(output), "w") as stream:
        for table, _, rows, _ in _scored(job, blocks, summary, None):
            # without `color`, click drops escape sequences in texts
            click.echo(render_rows(rows, job.format, header=not table.first), stream, nl=False, color=True)
    return summary


def _scored(
    job: Job, blocks: Blocks, summary: RunningSummary, columns: tuple[str, ...] | None
) -> Iterator[tuple[Table, tuple[str, ...], list[Record], MetricResult]]:
    """Yield each block with the output's columns, its rows and its result, and add the result to the summary."""
    size = Path(job.source).stat().st_size if Path(job.source).is_file() else 0
    with progress_bar(None, "scoring", job.options["progress"]) as bar:
        bar.update(summary.n)
        bar.initial = summary.n
        for table, texts in blocks:
            columns = columns or table.columns
            if size and table.end.offset:  # as if the other lines were as long
                bar.total = max(table.end.row, round(table.end.row * size / table.end.offset))
            with warnings.catch_warnings(), moving(bar, len(texts)):
                if table.first:  # warnings of the first block are not repeated for the others
                    warnings.simplefilter("ignore", UserWarning)
                rows, result = job.rows_of(table, texts, columns)
            summary.add(result)
            yield table, columns, rows, result
