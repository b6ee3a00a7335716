"""The command `score`: any metric on a file of texts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import click

from metric_commons.cli.base import COLUMN, adding, input_options, output_options, plot_option, progress_option
from metric_commons.cli.help import Rare
from metric_commons.cli.inputs import (
    REFERENCE_COLUMNS,
    REFERENCES,
    SOURCE_COLUMN,
    SOURCES,
    check_beside,
    check_sources_given,
)
from metric_commons.cli.metric_options import MetricCommand, check_options, metric_from, metric_option
from metric_commons.cli.streaming import Blocks, Job, at_once, score_to_file, score_to_stream, scored_rows
from metric_commons.files.formats import START, Place
from metric_commons.files.output import PARQUET, ROWS_ALONE, columns_that_fit, shorten, terminal_width, write_rows
from metric_commons.files.tables import STDIN, BlockSize, Table
from metric_commons.files.text_io import read_text_blocks
from metric_commons.metric import Metric, verdict_of, with_verdict
from metric_commons.registry import MetricSpec
from metric_commons.results import MetricResult, RunningSummary, cautions

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
@adding(REFERENCES, REFERENCE_COLUMNS, SOURCES, SOURCE_COLUMN)
@input_options
@output_options
@streaming_options
@plot_option("the texts of the lowest values, token by token, or each text's estimate with its interval")
@progress_option
def score(spec: MetricSpec, file: str, output: str | None, format: str, plot: str | None, **options: Any) -> None:
    """Score texts.

    FILE holds the texts: a .txt file (a line a text) or a table (.csv, .tsv, .jsonl, .json, .parquet, .xlsx), - for
    standard input, or a data set such as huse:summarization with --data-dir.

    A metric that reads references takes them from files (--references) or from columns of FILE (--reference-columns),
    one that reads what texts were made from from a file (--sources) or a column (--source-column).

    The formats jsonl, csv and parquet are written while FILE is read, so that its length does not matter. What was
    written to a file is kept where the run is cut off, and --resume goes on from there.
    """
    if spec.needs_references and not (options["references"] or options["reference_columns"]):
        raise click.UsageError(f"{spec.name} needs references: give --references or --reference-columns")
    check_beside(spec, file, options)
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
        reading = {name: options[name] for name in ("text_column", "data_dir")}
        size = BlockSize() if format in _STREAMED else None
        return read_text_blocks(file, format=options["input_format"], size=size, start=start, **reading)

    blocks = read(START)
    first = next(blocks)  # what is wrong with it is known before the metric is loaded
    metric = metric_from(options)
    ranks = bool(getattr(metric, "set_dependent", False))
    if ranks and resume:
        raise click.UsageError(
            f"{spec.name} ranks the texts of a file among one another, and needs all at once; leave out --resume"
        )

    check_sources_given(metric, [] if options["sources"] or options["source_column"] else None)
    large = file == STDIN or (Path(file).is_file() and Path(file).stat().st_size > _LARGE)
    if large and spec.in_bulk and not any(options[name] for name in spec.in_bulk):
        faster = " ".join(f"--{name} {value}" for name, value in spec.in_bulk.items())
        minutes = round(100_000 / spec.pace / 60)
        click.echo(f"{spec.name} takes about {minutes} minutes for 100,000 texts; {faster} is far faster", err=True)

    job = Job(file, metric, format, options)
    if plot is not None:
        _plot(spec, job, *first, plot)
    blocks = chain([first], blocks)
    if ranks or beside or format not in _STREAMED:
        blocks = iter([at_once(blocks)])
    result: MetricResult | RunningSummary
    if format not in _STREAMED:
        result = _score_whole(job, spec, *next(blocks), output)
    elif to_file:
        result = score_to_file(job, blocks, read, Path(str(output)))
    else:
        result = score_to_stream(job, blocks, output)
    if format in _STREAMED:  # rows alone: the mean and its coverage are still to be seen
        click.echo("\n".join(result_lines(result, metric)), err=True)


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


def _score_whole(job: Job, spec: MetricSpec, table: Table, texts: list[str], output: str | None) -> MetricResult:
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
    lines = ["", *result_lines(result, job.metric)]
    width = terminal_width(output)
    if job.format == "table" and width is not None and rows:
        shown = columns_that_fit(rows, ("text", "value", "reason"), width)
        others = [name for name in rows[0] if name not in shown]
        rows = [{name: row[name] for name in shown} for row in rows]
        if others:
            lines.append(f"columns not shown: {', '.join(others)}; -o FILE.csv has them all")
    write_rows(rows, summary, job.format, output, lines=lines)
    return result


def result_rows(texts: Sequence[str], result: MetricResult, *, shortened: bool = True) -> list[dict[str, Any]]:
    """Return a row a text: the text, its value, the metric's own columns, and the reason where there is no value."""
    columns = {
        "text": list(map(shorten, texts)) if shortened else texts,
        "value": result.values.tolist(),
        **{name: column.tolist() for name, column in result.columns.items()},
    }
    if not result.covered.all():
        columns["reason"] = [reason or "" for reason in result.reasons]
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


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
