"""Scoring block by block: what is held at any time is a block of texts and its rows, however many texts there are."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import click
import numpy as np

from metric_commons.cli.inputs import inputs_of
from metric_commons.files.atomic import atomic_write
from metric_commons.files.formats import Place
from metric_commons.files.incremental_writer import IncrementalWriter
from metric_commons.files.output import render_rows
from metric_commons.files.tables import Table
from metric_commons.metric import Metric, score_texts
from metric_commons.results import MetricResult, RunningSummary, as_plain
from metric_commons.support.errors import InputError
from metric_commons.support.progress import progress_bar

_NOT_OF_ROWS = ("resume", "progress", "n_jobs", "plot")

Blocks = Iterator[tuple[Table, list[str]]]


@dataclass(frozen=True)
class Job:
    """What is scored, and what of it is written.

    Attributes:
        source: the file of texts.
        metric: what scores them.
        format: one of `output.ROWS_ALONE`, or `parquet`.
        options: of the command: `id_column`, the column that stands in a row in place of all others, `progress`, what
            stands beside the texts (see `inputs_of`), `resume`, and all else on which rows depend.
    """

    source: str
    metric: Metric
    format: str
    options: Mapping[str, Any]

    def result_of(self, table: Table, texts: Sequence[str]) -> MetricResult:
        """Score a block."""
        return score_texts(self.metric, texts, *inputs_of(table, self.source, self.options))

    def rows_of(
        self, table: Table, texts: Sequence[str], columns: tuple[str, ...] | None
    ) -> tuple[list[dict[str, Any]], MetricResult]:
        """Score a block, and return its rows with its result; see `scored_rows`."""
        result = self.result_of(table, texts)
        kept = None if self.format == "jsonl" else columns
        return scored_rows(table, result, self.options["id_column"], kept), result


def scored_rows(
    table: Table, result: MetricResult, id_column: str | None = None, columns: tuple[str, ...] | None = None
) -> list[dict[str, Any]]:
    """Return a row a text: the input's columns, the value, the metric's own columns, and the reason for no value.

    Args:
        table: the texts' rows.
        result: what the metric says of them.
        id_column: the one column of the input that is to stand there.
        columns: the columns that are to stand there, whether a row has them or not; None for those that it has.

    Raises:
        InputError: for a column that would stand there twice, or is not among `columns`.
    """
    kept = table.rows
    if id_column is not None:
        kept = [{id_column: value} for value in table.column(id_column, "--id-column")]
    elif columns is not None:
        late = [name for name in table.columns if name not in columns]
        if late:  # what was written has no place for it
            place = next(place for place, row in enumerate(kept) if not row.keys().isdisjoint(late))
            raise InputError(
                f"{table.where(place)}: the column {late[0]!r} comes too late to be written: the first rows decide "
                "which columns there are; write JSON lines, or keep one column with --id-column"
            )
        kept = [{name: row.get(name) for name in columns} for row in kept]
    own = {"value": as_plain(result.values), **as_plain(result.columns), "reason": result.reasons}
    for name in table.columns if id_column is None else (id_column,):
        if name in own:
            raise InputError(
                f"{table.source}: it has a column {name!r} already, as the scores will have; rename it, or name the "
                "one column to keep with --id-column"
            )
    scored = (dict(zip(own, cells, strict=True)) for cells in zip(*own.values(), strict=True))
    return [{**row, **scores} for row, scores in zip(kept, scored, strict=True)]


def at_once(blocks: Blocks) -> tuple[Table, list[str]]:
    """Return blocks as one, for metrics and formats that need all texts at once."""
    tables, texts = zip(*blocks, strict=True)
    rows = [row for table in tables for row in table.rows]
    lines = [line for table in tables for line in table.lines]
    return replace(tables[0], columns=tables[-1].columns, rows=rows, lines=lines), [*chain.from_iterable(texts)]


def score_to_stream(job: Job, blocks: Blocks, output: str | None) -> RunningSummary:
    """Score blocks and write their rows as they come, to standard output, a device, or a file that is then renamed."""
    summary = RunningSummary()
    with nullcontext() if output in (None, "-") else atomic_write(str(output), "w") as stream:
        for table, _, rows, _ in _scored(job, blocks, summary, None):
            # without `color`, click drops escape sequences that stand in texts
            click.echo(render_rows(rows, job.format, header=not table.first), stream, nl=False, color=True)
    return summary


def score_to_file(job: Job, blocks: Blocks, read: Callable[[Place], Blocks], path: Path) -> RunningSummary:
    """Score a file into another, which is renamed when it is complete, and can be gone on with until then.

    Args:
        job: what is scored; its `resume` is as in `IncrementalWriter`.
        blocks: the file from its beginning.
        read: yields the blocks from another place on.
        path: where the output goes.

    Raises:
        InputError: for an unfinished run that `resume` does not speak of, or that was another.
    """
    run = {name: value for name, value in job.options.items() if name not in _NOT_OF_ROWS}
    run |= {"metric": job.metric.signature, "format": job.format}
    writer = IncrementalWriter(path, job.format, run, job.options["resume"], Path(job.source))
    try:
        if writer.read.row:
            blocks = read(writer.read)
        left = iter(()) if writer.complete else blocks
        for table, columns, rows, result in _scored(job, left, writer.summary, writer.columns):
            own = {name: values.dtype for name, values in result.columns.items()}
            types = {**table.types, "value": result.values.dtype, **own, "reason": np.dtype(np.str_)}
            writer.write(rows, types, table.end, columns)
        writer.commit()
    except BaseException:
        if writer.abandon():
            click.echo("what was scored so far is kept: the same command with --resume goes on from there", err=True)
        raise
    return writer.summary


def _scored(
    job: Job, blocks: Blocks, summary: RunningSummary, columns: tuple[str, ...] | None
) -> Iterator[tuple[Table, tuple[str, ...], list[dict[str, Any]], MetricResult]]:
    """Yield each block with the output's columns, its rows and its result, which is added to the summary."""
    for part in (job.metric, getattr(job.metric, "language_model", None)):
        if getattr(part, "progress", False) is None:
            part.progress = False  # type: ignore[union-attr]  # one bar is enough
    size = Path(job.source).stat().st_size if Path(job.source).is_file() else 0
    with progress_bar(None, "scoring", job.options["progress"]) as bar:
        bar.update(summary.n)
        bar.initial = summary.n
        for table, texts in blocks:
            columns = columns or table.columns
            with warnings.catch_warnings():
                if table.first:  # what the first block was warned of is not to be told of every other
                    warnings.simplefilter("ignore", UserWarning)
                rows, result = job.rows_of(table, texts, columns)
            summary.add(result)
            yield table, columns, rows, result
            if size and table.end.offset:  # as if the rest had lines as long
                bar.total = max(table.end.row, round(table.end.row * size / table.end.offset))
            bar.update(len(texts))
