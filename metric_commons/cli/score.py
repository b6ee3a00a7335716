"""The command `score`: any metric on a file of texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from metric_commons.cli.base import input_options, output_options, progress_option
from metric_commons.cli.metric_options import MetricCommand, check_options, metric_from, metric_option
from metric_commons.cli.references import check_reference_options, reference_lists, reference_options
from metric_commons.cli.sources import check_source_options, check_sources_given, read_sources, source_options
from metric_commons.files.output import ROWS_ALONE, render, shorten, write
from metric_commons.files.text_io import read_texts
from metric_commons.metric import score_texts, verdict_of
from metric_commons.registry import MetricSpec
from metric_commons.results import MetricResult, as_plain


@click.command(
    cls=MetricCommand,
    epilog="Example: referenceless score outputs.txt --metric bleu_neighbors --pool ratings.csv --format csv",
)
@click.argument("file")
@metric_option
@reference_options
@source_options
@input_options
@output_options
@progress_option
def score(spec: MetricSpec, file: str, output: str | None, format: str, **options: Any) -> None:
    """Score texts.

    FILE holds the texts: a .txt (a line a text), .csv, .tsv, .jsonl or .parquet file, - for standard input, or a data
    set such as huse:summarization with --data-dir. A metric that reads references takes them from files
    (--references) or from columns of FILE (--reference-columns), one that reads what texts were made from from a file
    (--sources) or a column (--source-column).
    """
    given = bool(options["references"] or options["reference_columns"])
    if spec.needs_references and not given:
        raise click.UsageError(f"{spec.name} needs references: give --references or --reference-columns")
    if given and not spec.needs_references:
        raise click.UsageError(f"{spec.name} reads no references; leave them out")
    check_reference_options(file, options["references"], options["reference_columns"])
    check_source_options(spec, file, **options)
    check_options(spec, options)
    if file == "-" and "-" in (options.get("pool"), options["sources"], *options["references"]):
        raise click.UsageError("standard input can be read once: as the texts, the pool, the references or the sources")
    reading = {"format": options["input_format"], "text_column": options["text_column"]}
    texts = read_texts(file, data_dir=options["data_dir"], **reading)
    lists = reference_lists(file, len(texts), **options) if given else None
    sources = read_sources(file, len(texts), **options)
    metric = metric_from(spec, options)
    check_sources_given(metric, sources)
    result = score_texts(metric, texts, lists, sources)
    lines = result_lines(result)
    verdict = verdict_of(metric)
    if verdict is not None:
        lines.insert(1, verdict)
    if getattr(metric, "set_dependent", False):
        lines.insert(1, "these values rank the texts of this file among one another: their mean is 0 by construction")
    write(render(result_rows(texts, result, format), _summary(spec, result), format, lines=["", *lines]), output)
    if format in ROWS_ALONE:  # rows alone: the mean and its coverage are still to be seen
        click.echo("\n".join(lines), err=True)


def result_rows(texts: Sequence[str], result: MetricResult, format: str) -> list[dict[str, Any]]:
    """Return a row a text: the text, its value, the metric's own columns, and the reason where there is no value."""
    table = format == "table"
    columns: dict[str, Sequence[Any]] = {
        "text": [shorten(text) if table else text for text in texts],
        "value": result.values.tolist(),
        **{name: column.tolist() for name, column in result.columns.items()},
        "reason": ["" if table and reason is None else reason for reason in result.reasons],
    }
    if table and result.covered.all():
        del columns["reason"]
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def result_lines(result: MetricResult) -> list[str]:
    """Return what a result says in sum: the mean with its coverage, the abstentions by reason, the signature."""
    n, covered = len(result), int(result.covered.sum())
    parts = result.details.get("parts")
    if covered and parts:  # a mean that is 0 by construction says nothing
        told = ", ".join(f"{name} {value:.4f}" for name, value in parts.items())
        mean = f"means of the parts: {told}; over {covered} of {n} texts"
    elif covered:
        mean = f"mean {round(result.mean, 4) + 0.0:.4f} over {covered} of {n} texts"
    else:
        mean = f"no mean: none of the {n} texts has a value"
    lines = [f"{mean} (coverage {result.coverage:.3f})"]
    if covered < n:
        told = ", ".join(f"{count} {reason}" for reason, count in result.abstentions.most_common())
        lines.append(f"without a value: {told}")
    return [*lines, result.signature]


def _summary(spec: MetricSpec, result: MetricResult) -> dict[str, Any]:
    return {
        "metric": spec.name,
        "mean": result.mean,
        "coverage": result.coverage,
        "n_texts": len(result),
        "abstentions": dict(result.abstentions),
        **{name: as_plain(value) for name, value in result.details.items()},
        "signature": result.signature,
    }
