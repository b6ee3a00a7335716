"""The command `bleu-neighbors report`."""

from __future__ import annotations

from typing import Any

import click

from metric_commons.cli_base import input_options, progress_option
from metric_commons.cli_compare import OTHERS, _names, _others, _references, _sacrebleu_metric
from metric_commons.text_io import read_texts

from .cli_options import fitted_on, given, parameter_options, quality_option


@click.command(epilog="Example: bleu-neighbors report --pool ratings.csv baseline.txt ours.txt -o report/")
@click.argument("systems", nargs=-1, required=True)
@click.option("-o", "--output", required=True, type=click.Path(), help="Folder to write index.html to.")
@click.option("--index", type=click.Path(), help="Index file that `fit` wrote.")
@click.option("--pool", help="Rated texts, in place of an index.")
@click.option("--pool-text-column", default="text", show_default=True, help="Column of the pool's texts.")
@click.option("--pool-format", help="Format of the pool  [default: by suffix]")
@click.option("--title", default="BLEU Neighbors report", show_default=True, help="Heading of the page.")
@click.option("--examples", type=click.IntRange(1, 100), default=5, show_default=True, help="Candidates of each kind.")
@click.option("--neighbors", type=click.IntRange(1, 100), default=5, show_default=True, help="Neighbours of each.")
@click.option(
    "--with",
    "others",
    callback=_others,
    metavar="NAME,…",
    help=f"sacrebleu's metrics to put beside: {', '.join(OTHERS)}. They need --references.",
)
@click.option("--references", multiple=True, type=click.Path(), help="File with a reference for each text; repeatable.")
@click.option("--paired-bs", is_flag=True, help="Test by paired bootstrap, not by approximate randomisation.")
@click.option("--n-samples", type=click.IntRange(min=1), help="Shuffles or resamples  [default: 10000 or 1000]")
@input_options
@quality_option
@parameter_options
@progress_option
def report(
    systems: tuple[str, ...],
    output: str,
    index: str | None,
    pool: str | None,
    pool_text_column: str,
    pool_format: str | None,
    title: str,
    examples: int,
    neighbors: int,
    others: tuple[str, ...],
    references: tuple[str, ...],
    paired_bs: bool,
    n_samples: int | None,
    data_dir: str | None,
    input_format: str | None,
    text_column: str,
    quality_column: str,
    **parameters: Any,
) -> None:
    """Write a report on systems as one HTML page.

    It compares them, shows the distribution of their estimates, coverage against threshold, and the highest and
    lowest rated candidates with their neighbours. It opens from disk and needs no network. SYSTEMS are files with
    outputs for the same inputs, in the same order: two or more, the baseline first.
    """
    if (index is None) == (pool is None):
        raise click.UsageError("give either --index or --pool: the rated texts to estimate from")
    if len(systems) < 2:
        raise click.UsageError(f"report needs at least two systems, the baseline first; got only {systems[0]}")
    if others and not references:
        raise click.UsageError(f"{', '.join(others)} needs references: give --references FILE")
    named = [
        (name, read_texts(file, text_column=text_column, format=input_format, data_dir=data_dir))
        for name, file in zip(_names(systems), systems, strict=True)
    ]
    streams = [_references(file, len(named[0][1]), systems[0]) for file in references] or None

    from .estimator import BLEUNeighbors
    from .report import build_report, render_report, write_report

    if index is not None:
        estimator = BLEUNeighbors.load(index).set_params(**given(parameters))
    else:
        estimator = fitted_on(str(pool), data_dir, pool_format, pool_text_column, quality_column, **parameters)
    built = build_report(
        named,
        estimator,
        references=streams,
        others=[_sacrebleu_metric(name) for name in others],
        test="bs" if paired_bs else "ar",
        n_samples=n_samples or 0,
        n_examples=examples,
        n_neighbors=neighbors,
    )
    click.echo(write_report(render_report(built, title), output))
