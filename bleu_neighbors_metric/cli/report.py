"""The command `referenceless report`."""

from __future__ import annotations

from typing import Any

import click

from bleu_neighbors_metric.cli.options import fitted_estimator, parameter_options, pool_options
from metric_commons.cli.base import Output, input_options, progress_option
from metric_commons.cli.compare import read_systems, test_options
from metric_commons.cli.help import ShortHelp
from metric_commons.systems.baselines import baseline


@click.command(cls=ShortHelp, epilog="Example: referenceless report --pool pool.csv baseline.txt ours.txt -o report/")
@click.argument("systems", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    cls=Output,
    writes=("index.html",),
    required=True,
    metavar="PLACE",
    help="Page to write, which ends in .html, or a folder for index.html.",
)
@pool_options
@test_options
@input_options
@parameter_options
@progress_option
def report(
    systems: tuple[str, ...],
    output: str,
    others: tuple[str, ...],
    references: tuple[str, ...],
    test: str,
    n_samples: int | None,
    data_dir: str | None,
    input_format: str | None,
    text_column: str,
    **options: Any,
) -> None:
    """Write a report on systems as one page of HTML.

    SYSTEMS are files with outputs for the same inputs, in the same order: two or more, the baseline first.

    The page compares them, shows the distribution of their estimates, coverage against threshold, and the highest and
    lowest rated candidates with their neighbours. It opens from disk and needs no network.
    """
    named, streams = read_systems(
        systems,
        references,
        needing=others,
        text_column=text_column,
        input_format=input_format,
        data_dir=data_dir,
    )

    from bleu_neighbors_metric.report import build_report, render_report, write_report

    estimator = fitted_estimator(data_dir=data_dir, **options)
    built = build_report(
        named,
        estimator,
        references=streams,
        others=list(map(baseline, others)),
        test=test,
        n_samples=n_samples or 0,
    )
    click.echo(write_report(render_report(built), output))
