"""The command `score`: any metric on a file of texts, block by block.

What is held at any time is a block of texts and its rows, however many texts there are.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

import click
import numpy as np

from referenceless_metrics.command_line.base import (
    COLUMN,
    REFERENCE_COLUMNS,
    REFERENCES,
    SOURCE_COLUMN,
    SOURCES,
    WITH,
    adding,
    check_beside,
    check_sources_given,
    input_options,
    inputs_of,
    is_file_to_write,
    output_options,
    plot_option,
    progress_option,
    text_blocks,
)
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.metric_options import (
    ADVICE,
    MetricCommand,
    check_options,
    metric_option,
    metrics_from,
)
from referenceless_metrics.core.files.atomic import atomic_write
from referenceless_metrics.core.files.formats import START, Place
from referenceless_metrics.core.files.incremental_writer import IncrementalWriter
from referenceless_metrics.core.files.opening import STDIN
from referenceless_metrics.core.files.output import (
    STREAMED,
    render_rows,
    rows_of_columns,
    shorten,
    write_rows,
)
from referenceless_metrics.core.files.tables import BlockSize, Table
from referenceless_metrics.core.metric import Metric, score_texts, verdict_of
from referenceless_metrics.core.registry import MetricSpec
from referenceless_metrics.core.results import MetricResult, RunningSummary, as_plain, warnings_of
from referenceless_metrics.core.support.computing import progress_bar
from referenceless_metrics.core.support.validation import InputError, Options, Record

_NOT_OF_ROWS = ("resume", "progress", "n_jobs")

Blocks = Iterator[tuple[Table, list[str]]]


@dataclass(frozen=True)
class Job:
    """What is scored, and what of it is written.

    Attributes:
        source: the file of texts.
        metric: what scores them; its name is that of the column of values.
        format: one of `output.STREAMED`.
        options: of the command: `id_column`, the column that stands in a row in place of all others, `progress`, what
            stands beside the texts (see `inputs_of`), `resume`, and all else on which rows depend.
    """

    source: str
    metric: Metric
    format: str
    options: Options

    def result_of(self, table: Table, texts: Sequence[str]) -> MetricResult:
        """Score a block."""
        return score_texts(self.metric, texts, *inputs_of(table, self.source, self.options))

    def rows_of(
        self, table: Table, texts: Sequence[str], columns: tuple[str, ...] | None
    ) -> tuple[list[Record], MetricResult]:
        """Score a block, and return its rows with its result; see `scored_rows`."""
        result = self.result_of(table, texts)
        return self.rows_from(table, result, columns), result

    def rows_from(self, table: Table, result: MetricResult, columns: tuple[str, ...] | None) -> list[Record]:
        """Return the rows of a result; JSON lines need no columns."""
        kept = None if self.format == "jsonl" else columns
        return scored_rows(table, self.metric.name, result, self.options["id_column"], kept)


def scored_rows(
    table: Table,
    name: str,
    result: MetricResult,
    id_column: str | None = None,
    columns: tuple[str, ...] | None = None,
) -> list[Record]:
    """Return a row a text: the input's columns, the value, the metric's own columns, and the reason for no value.

    Args:
        table: the texts' rows.
        name: the metric's, which the column of values has.
        result: what the metric says of them.
        id_column: the one column of the input that is to stand there.
        columns: the columns that are to stand there, whether a row has them or not; None for those that it has.

    Raises:
        InputError: for a column that would stand there twice, or is not among `columns`.
    """
    kept, names = table.rows, table.columns
    if id_column is not None:
        kept, names = rows_of_columns({id_column: table.column(id_column, "--id-column")}), (id_column,)
    elif columns is not None:
        late = [column for column in names if column not in columns]
        if late:  # what was written has no place for it
            place = next(place for place, row in enumerate(kept) if not row.keys().isdisjoint(late))
            raise InputError(
                f"{table.where(place)}: the column {late[0]!r} comes too late to be written: the first rows decide "
                "which columns there are; write JSON lines, or keep one column with --id-column"
            )
        kept = [{column: row.get(column) for column in columns} for row in kept]
    scores = {name: as_plain(result.values), **as_plain(result.columns), "reason": result.reasons}
    if twice := [column for column in names if column in scores]:
        raise InputError(
            f"{table.source}: it has a column {twice[0]!r} already, as the scores will have; rename it, or name the "
            "one column to keep with --id-column"
        )
    return [{**row, **of_text} for row, of_text in zip(kept, rows_of_columns(scores), strict=True)]


def at_once(blocks: Blocks) -> tuple[Table, list[str]]:
    """Return blocks as one, for metrics and formats that need all texts at once."""
    tables, texts = zip(*blocks, strict=True)
    rows = [row for table in tables for row in table.rows]
    lines = [line for table in tables for line in table.lines]
    return replace(tables[0], columns=tables[-1].columns, rows=rows, lines=lines), [*chain.from_iterable(texts)]


def write_scores(job: Job, blocks: Blocks, read: Callable[[Place], Blocks], output: str | None) -> RunningSummary:
    """Score blocks and write their rows as they come.

    A file is renamed when it is complete, and can be gone on with until then; standard output or a device gets rows
    at once.

    Args:
        job: what is scored; its `resume` is as in `IncrementalWriter`.
        blocks: the texts from their beginning.
        read: yields the blocks from another place on.
        output: where the rows go.

    Raises:
        InputError: for an unfinished run that `resume` does not speak of, or that was another.
    """
    if not is_file_to_write(output):
        summary = RunningSummary()
        with nullcontext() if output in (None, "-") else atomic_write(str(output), "w") as stream:
            for table, _, rows, _ in _scored(job, blocks, summary, None):
                # without `color`, click drops escape sequences that stand in texts
                click.echo(render_rows(rows, job.format, header=not table.first), stream, nl=False, color=True)
        return summary
    run = {name: value for name, value in job.options.items() if name not in _NOT_OF_ROWS}
    run |= {"metric": job.metric.signature, "format": job.format}
    writer = IncrementalWriter(Path(str(output)), job.format, run, job.options["resume"], Path(job.source))
    try:
        if writer.read.row:
            blocks = read(writer.read)
        for table, columns, rows, result in _scored(job, blocks, writer.summary, writer.columns):
            types = {name: values.dtype for name, values in result.columns.items()}
            types |= {job.metric.name: result.values.dtype, "reason": np.dtype(np.str_)}
            writer.write(rows, {**table.types, **types}, table.end, columns)
        writer.commit()
    except BaseException:
        if writer.abandon():
            click.echo("what was scored so far is kept: the same command with --resume goes on from there", err=True)
        raise
    return writer.summary


def _scored(
    job: Job, blocks: Blocks, summary: RunningSummary, columns: tuple[str, ...] | None
) -> Iterator[tuple[Table, tuple[str, ...], list[Record], MetricResult]]:
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


#: Of large files.
streaming_options = adding(
    Rare(
        ["--id-column"],
        type=COLUMN,
        metavar="NAME",
        help="Column to write beside the scores  [default: all columns of FILE]",
    ),
    Rare(
        ["--resume/--no-resume"],
        default=None,
        help="Go on with an unfinished run into the same file, or start anew  [default: start where there is none]",
    ),
)


@click.command(
    cls=MetricCommand,
    epilog="Example: referenceless score outputs.txt --metric bleu_neighbors --pool pool.csv -o scores.csv",
)
@click.argument("file")
@metric_option
@adding(ADVICE, WITH, REFERENCES, REFERENCE_COLUMNS, SOURCES, SOURCE_COLUMN)
@input_options
@output_options
@streaming_options
@click.option("--fail-under", type=float, metavar="VALUE", help="Exit 1 where the mean is below this.")
@plot_option("the texts of the lowest values, token by token, or each text's estimate with its interval")
@progress_option
def score(
    spec: MetricSpec,
    file: str,
    others: tuple[str, ...],
    output: str | None,
    format: str,
    plot: str | None,
    fail_under: float | None,
    **options: Any,
) -> None:
    """Score texts.

    FILE holds the texts: a .txt file (a line a text) or a table (.csv, .tsv, .jsonl, .json, .parquet), - for
    standard input, or a data set such as huse:summarization with --data-dir.

    A metric that reads references, and those of --with, take them from files (--references) or from columns of FILE
    (--reference-columns), one that reads what texts were made from from a file (--sources) or a column
    (--source-column).

    The column of values has the metric's name. The formats jsonl, csv and parquet are written while FILE is read, so
    that its length does not matter. What was written to a file is kept where the run is cut off, and --resume goes on
    from there.
    """
    check_beside(spec, file, options, others)
    check_options(options)
    input_files = [*options["references"], *filter(None, [options["sources"]])]
    if file == STDIN and STDIN in (options.get("pool"), *input_files):
        raise click.UsageError("standard input can be read once: as the texts, the pool, the references or the sources")
    in_blocks, resume = format in STREAMED, options["resume"]
    if resume and (others or input_files or not (in_blocks and is_file_to_write(output) and Path(file).is_file())):
        raise click.UsageError(
            f"--resume needs a FILE to read, a file to write (-o) and one of the formats {', '.join(STREAMED)}; "
            "references and sources may come from columns of FILE, and there is no --with"
        )

    def read(start: Place) -> Blocks:
        return text_blocks(file, options, size=BlockSize() if in_blocks else None, start=start)

    blocks = read(START)
    first = next(blocks)  # what is wrong with it is known before the metric is loaded
    job = Job(file, metrics_from(options)[0], format, options)
    ranks = bool(getattr(job.metric, "set_dependent", False))
    if resume and ranks:
        raise click.UsageError(f"{spec.name} ranks the texts of a file among one another, all at once: no --resume")
    check_sources_given(job.metric, [] if options["sources"] or options["source_column"] else None)
    if plot is not None:
        _plot(spec, job, *first, plot)
    blocks = chain([first], blocks)
    corpus_scores: dict[str, Record] = {}
    if ranks or input_files or others or not in_blocks:
        table, texts = at_once(blocks)
        blocks = iter([(table, texts)])
        if others:
            corpus_scores = scores_by_references(others, texts, inputs_of(table, file, options)[0] or [])
    lines = [each.pop("line") for each in corpus_scores.values()]
    result: MetricResult | RunningSummary
    if in_blocks:  # rows alone: the mean and its coverage are still to be seen
        result = write_scores(job, blocks, read, output)
        click.echo("\n".join([*result_lines(result, job.metric), *lines]), err=True)
    else:
        result = _write_whole(job, *next(blocks), output, corpus_scores, lines)
    if fail_under is not None:
        from referenceless_metrics.human_evaluation.commands.gates import leave_if_under

        leave_if_under(result.mean, fail_under, spec.name)


def scores_by_references(
    names: Sequence[str], texts: Sequence[str], references: Sequence[Sequence[str]]
) -> dict[str, Record]:
    """Return the corpus scores of metrics with references, by their names as sacrebleu has them.

    Args:
        names: as `--with` takes them.
        texts: n texts.
        references: the references of each.

    Returns:
        Of each its `score`, its `signature` and the `line` that sacrebleu prints.
    """
    from referenceless_metrics.command_line.baselines import baseline

    streams = list(map(list, zip_longest(*references)))
    scores = {}
    for metric in map(baseline, names):
        score = metric.corpus_score(texts, streams)
        signature = metric.get_signature().format()
        scores[score.name] = {"score": score.score, "signature": signature, "line": score.format(2, False, signature)}
    return scores


def _plot(spec: MetricSpec, job: Job, table: Table, texts: list[str], path: str) -> None:
    """Draw what the values of the first block's texts are made of, or how sure they are."""
    if spec.plot is not None:
        spec.plot()(job.metric, texts, path)
        return
    result = job.result_of(table, texts)
    if "lower" not in result.columns:
        raise click.UsageError(
            f"{spec.name} scores no tokens and gives no intervals here, so there is nothing to --plot; an index that "
            "`fit` or `advise` wrote gives them"
        )
    from referenceless_metrics.pages.estimates import plot_estimates

    plot_estimates(result, texts, path)


def _write_whole(
    job: Job, table: Table, texts: list[str], output: str | None, others: dict[str, Record], lines: list[str]
) -> MetricResult:
    """Score all texts, and write their rows with what they say in sum."""
    result, name = job.result_of(table, texts), job.metric.name
    verdict = verdict_of(job.metric)
    summary = {
        "metric": name,
        "mean": result.mean,
        "coverage": result.coverage,
        "n_texts": len(result),
        "abstentions": result.abstentions,
        **result.details,
        **({} if verdict is None else verdict.details),
        "signature": result.signature,
        **({"others": others} if others else {}),
    }
    lines = ["", *result_lines(result, job.metric), *lines]
    if job.format == "json":
        rows = job.rows_from(table, result, table.columns)
    else:
        shown = list(map(shorten, texts)) if job.format == "table" else texts
        interval = {end: result.columns[end] for end in ("lower", "upper") if end in result.columns}
        columns: Record = {"text": shown, name: result.values, **interval}
        if not result.covered.all():
            columns["reason"] = [reason or "" for reason in result.reasons]
        if job.format != "table":
            columns |= result.columns
        elif hidden := [column for column in result.columns if column not in columns]:
            lines.append(f"columns not shown: {', '.join(hidden)}; -o FILE.csv has them all")
        rows = rows_of_columns(columns)
    write_rows(rows, summary, job.format, output, lines=lines)
    return result


def result_lines(result: MetricResult | RunningSummary, metric: Metric) -> list[str]:
    """Return what a result says in sum: the mean with its coverage, the abstentions by reason, the signature."""
    n, covered = len(result), result.n_covered
    parts = result.details.get("parts")
    if covered and parts:  # a mean that is 0 by construction says nothing
        means = ", ".join(f"{name} {value:.4f}" for name, value in parts.items())
        mean = f"means of the parts: {means}; over {covered} of {n} texts"
    elif covered:
        mean = f"mean {round(result.mean, 4) + 0.0:.4f} over {covered} of {n} texts"
    else:
        mean = f"no mean: none of the {n} texts has a value"
    lines = [f"{mean} (coverage {result.coverage:.3f})"]
    if parts and getattr(metric, "set_dependent", False):
        lines.append("these values rank the texts of this file among one another: their mean is 0 by construction")
    if (verdict := verdict_of(metric)) is not None:
        lines.append(verdict.summary)
    if covered < n:
        counts = ", ".join(f"{count} {reason}" for reason, count in result.abstentions.most_common())
        lines.append(f"without a value: {counts}")
    if result.n_rated_texts:
        lines.append(f"rated texts themselves: {result.n_rated_texts} of {n}")
    lines += [f"warning: {warning}" for warning in warnings_of(result).values()]
    return [*lines, result.signature]
