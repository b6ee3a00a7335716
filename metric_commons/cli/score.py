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

from metric_commons.cli.base import (
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
    output_options,
    plot_option,
    progress_option,
)
from metric_commons.cli.help import Rare
from metric_commons.cli.metric_options import MetricCommand, check_options, metric_option, metrics_from
from metric_commons.files.atomic import atomic_write
from metric_commons.files.formats import START, Place
from metric_commons.files.incremental_writer import IncrementalWriter
from metric_commons.files.output import (
    PARQUET,
    ROWS_ALONE,
    columns_that_fit,
    render_rows,
    rows_of_columns,
    shorten,
    terminal_width,
    write_rows,
)
from metric_commons.files.tables import STDIN, BlockSize, Table
from metric_commons.files.text_io import read_text_blocks
from metric_commons.metric import Metric, score_texts, verdict_of, with_verdict
from metric_commons.registry import MetricSpec
from metric_commons.results import MetricResult, RunningSummary, as_plain, cautions
from metric_commons.support.computing import progress_bar
from metric_commons.support.validation import InputError, Options, Record

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
    options: Options

    def result_of(self, table: Table, texts: Sequence[str]) -> MetricResult:
        """Score a block."""
        return score_texts(self.metric, texts, *inputs_of(table, self.source, self.options))

    def rows_of(
        self, table: Table, texts: Sequence[str], columns: tuple[str, ...] | None
    ) -> tuple[list[Record], MetricResult]:
        """Score a block, and return its rows with its result; see `scored_rows`."""
        result = self.result_of(table, texts)
        kept = None if self.format == "jsonl" else columns
        return scored_rows(table, result, self.options["id_column"], kept), result


def scored_rows(
    table: Table, result: MetricResult, id_column: str | None = None, columns: tuple[str, ...] | None = None
) -> list[Record]:
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
    return [{**row, **scores} for row, scores in zip(kept, rows_of_columns(own), strict=True)]


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
        for table, columns, rows, result in _scored(job, blocks, writer.summary, writer.columns):
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


_STREAMED = (*ROWS_ALONE, PARQUET)
_LARGE = 6_000_000  # bytes: about 100,000 sentences


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
@adding(WITH, REFERENCES, REFERENCE_COLUMNS, SOURCES, SOURCE_COLUMN)
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

    FILE holds the texts: a .txt file (a line a text) or a table (.csv, .tsv, .jsonl, .json, .parquet, .xlsx), - for
    standard input, or a data set such as huse:summarization with --data-dir.

    A metric that reads references, and those of --with, take them from files (--references) or from columns of FILE
    (--reference-columns), one that reads what texts were made from from a file (--sources) or a column
    (--source-column).

    The formats jsonl, csv and parquet are written while FILE is read, so that its length does not matter. What was
    written to a file is kept where the run is cut off, and --resume goes on from there.
    """
    reading = ", ".join([spec.name, *others] if spec.needs_references else others)
    if reading and not (options["references"] or options["reference_columns"]):
        raise click.UsageError(f"{reading} needs references: give --references or --reference-columns")
    check_beside(replace(spec, needs_references=bool(reading)), file, options)
    check_options(options)
    beside = [*options["references"], *filter(None, [options["sources"]])]
    if file == STDIN and STDIN in (options.get("pool"), *beside):
        raise click.UsageError("standard input can be read once: as the texts, the pool, the references or the sources")
    resume = options["resume"]
    to_file = output not in (None, "-") and (Path(output).is_file() or not Path(output).exists())
    if resume and not (format in _STREAMED and to_file and Path(file).is_file() and not beside):
        raise click.UsageError(
            f"--resume needs a FILE to read, a file to write (-o) and one of the formats {', '.join(_STREAMED)}; "
            "references and sources may come from columns of FILE"
        )

    def read(start: Place) -> Blocks:
        size = BlockSize() if format in _STREAMED else None
        return read_text_blocks(
            file,
            format=options["input_format"],
            text_column=options["text_column"],
            data_dir=options["data_dir"],
            size=size,
            start=start,
        )

    blocks = read(START)
    first = next(blocks)  # what is wrong with it is known before the metric is loaded
    metric = metrics_from(options)[0]
    ranks = bool(getattr(metric, "set_dependent", False))
    if resume and (ranks or others):
        told = others[0] if others else f"{spec.name}, which ranks the texts of a file among one another,"
        raise click.UsageError(f"{told} needs all texts at once; leave out --resume")
    check_sources_given(metric, [] if options["sources"] or options["source_column"] else None)
    if (
        Path(file).is_file()
        and Path(file).stat().st_size > _LARGE
        and spec.in_bulk
        and not any(map(options.get, spec.in_bulk))
    ):
        faster = " ".join(f"--{name} {value}" for name, value in spec.in_bulk.items())
        minutes = round(100_000 / spec.pace / 60)
        click.echo(f"{spec.name} takes about {minutes} minutes for 100,000 texts; {faster} is far faster", err=True)

    job = Job(file, metric, format, options)
    if plot is not None:
        _plot(spec, job, *first, plot)
    blocks = chain([first], blocks)
    scores: dict[str, Record] = {}
    if ranks or beside or others or format not in _STREAMED:
        table, texts = at_once(blocks)
        blocks = iter([(table, texts)])
        if others:
            scores = scores_by_references(others, texts, inputs_of(table, file, options)[0] or [])
    lines = [score["line"] for score in scores.values()]
    result: MetricResult | RunningSummary
    if format not in _STREAMED:
        result = _score_whole(job, spec, *next(blocks), output, scores)
    elif to_file:
        result = score_to_file(job, blocks, read, Path(str(output)))
    else:
        result = score_to_stream(job, blocks, output)
    if format in _STREAMED:  # rows alone: the mean and its coverage are still to be seen
        click.echo("\n".join([*result_lines(result, metric), *lines]), err=True)
    if fail_under is not None:
        from metric_commons.cli.gates import leave_if_under

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
    from metric_commons.systems.baselines import baseline

    streams = list(map(list, zip_longest(*references)))
    scores = {}
    for metric in map(baseline, names):
        score = metric.corpus_score(texts, streams)
        signature = metric.get_signature().format()
        scores[score.name] = {"score": score.score, "signature": signature, "line": score.format(2, False, signature)}
    return scores


def _plot(spec: MetricSpec, job: Job, table: Table, texts: list[str], path: str) -> None:
    """Draw what the values of the first block's texts are made of, or how sure they are."""
    if spec.plot:
        spec.load("plot")(job.metric, texts, path)
        return
    result = job.result_of(table, texts)
    if "lower" not in result.columns:
        raise click.UsageError(
            f"{spec.name} scores no tokens and gives no intervals here, so there is nothing to --plot; an index that "
            "`fit` or `advise` wrote gives them"
        )
    from metric_commons.report.plots import plot_estimates

    plot_estimates(result, texts, path)


def _score_whole(
    job: Job, spec: MetricSpec, table: Table, texts: list[str], output: str | None, others: dict[str, Record]
) -> MetricResult:
    result = job.result_of(table, texts)
    if job.format == "json":
        rows = scored_rows(table, result, job.options["id_column"], table.columns)
    else:
        rows = result_rows(texts, result, shortened=job.format == "table")
    told = with_verdict(job.metric, result)
    summary = {
        "metric": spec.name,
        "mean": told.mean,
        "coverage": told.coverage,
        "n_texts": len(told),
        "abstentions": told.abstentions,
        **told.details,
        "signature": told.signature,
    }
    if others:
        summary["others"] = {name: {key: one[key] for key in ("score", "signature")} for name, one in others.items()}
    lines = ["", *result_lines(result, job.metric), *(one["line"] for one in others.values())]
    width = terminal_width(output)
    if job.format == "table" and width is not None and rows:
        shown = columns_that_fit(rows, ("text", "value", "lower", "upper", "reason"), width)
        if "upper" not in shown:  # one end alone is no interval
            shown = [name for name in shown if name != "lower"]
        hidden = [name for name in rows[0] if name not in shown]
        rows = [{name: row[name] for name in shown} for row in rows]
        if hidden:
            lines.append(f"columns not shown: {', '.join(hidden)}; -o FILE.csv has them all")
    write_rows(rows, summary, job.format, output, lines=lines)
    return result


def result_rows(texts: Sequence[str], result: MetricResult, *, shortened: bool = True) -> list[Record]:
    """Return a row a text: the text, its value, the metric's own columns, and the reason where there is no value."""
    columns = {
        "text": list(map(shorten, texts)) if shortened else texts,
        "value": result.values.tolist(),
        **{name: column.tolist() for name, column in result.columns.items()},
    }
    if not result.covered.all():
        columns["reason"] = [reason or "" for reason in result.reasons]
    return rows_of_columns(columns)


def result_lines(result: MetricResult | RunningSummary, metric: Metric) -> list[str]:
    """Return what a result says in sum: the mean with its coverage, the abstentions by reason, the signature."""
    n, covered = len(result), result.n_covered
    parts = result.details.get("parts")
    if covered and parts:  # a mean that is 0 by construction says nothing
        told = ", ".join(f"{name} {value:.4f}" for name, value in parts.items())
        mean = f"means of the parts: {told}; over {covered} of {n} texts"
    elif covered:
        mean = f"mean {round(result.mean, 4) + 0.0:.4f} over {covered} of {n} texts"
    else:
        mean = f"no mean: none of the {n} texts has a value"
    lines = [f"{mean} (coverage {result.coverage:.3f})"]
    if getattr(metric, "set_dependent", False):
        lines.append("these values rank the texts of this file among one another: their mean is 0 by construction")
    if (verdict := verdict_of(metric)) is not None:
        lines.append(verdict.summary)
    if covered < n:
        told = ", ".join(f"{count} {reason}" for reason, count in result.abstentions.most_common())
        lines.append(f"without a value: {told}")
    if result.in_pool:
        lines.append(f"rated texts themselves: {result.in_pool} of {n}")
    lines += [f"caution: {caution}" for caution in cautions(result).values()]
    return [*lines, result.signature]
