"""The command `bleu-neighbors compare`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bleu_neighbors_metric.cli.options import (
    check_rated_source,
    fitted_estimator,
    parameter_options,
    rated_source_options,
)
from metric_commons.cli.base import input_options, progress_option
from metric_commons.cli.compare import compare_options, report

if TYPE_CHECKING:
    from bleu_neighbors_metric.integrations.sacrebleu import BLEUNeighborsMetric


@click.command(
    epilog="Example: bleu-neighbors compare --pool ratings.csv baseline.txt ours.txt --with bleu,chrf "
    "--references references.txt"
)
@click.argument("systems", nargs=-1, required=True)
@rated_source_options
@compare_options
@input_options
@parameter_options
@progress_option
def compare(
    systems: tuple[str, ...],
    index: str | None,
    pool: str | None,
    pool_text_column: str,
    pool_format: str | None,
    quality_column: str,
    data_dir: str | None,
    input_format: str | None,
    text_column: str,
    others: tuple[str, ...],
    references: tuple[str, ...],
    test: str,
    n_samples: int | None,
    format: str,
    width: int,
    output: str | None,
    **parameters: Any,
) -> None:
    """Compare systems: score, coverage, 95% confidence interval and p against the baseline.

    SYSTEMS are files with outputs for the same inputs, in the same order: two or more, the baseline first. Each is a
    .txt (a line a text), .csv, .tsv, .jsonl or .parquet file. Where systems are covered on different segments, the
    scores on those that are covered for all stand beside.
    """
    check_rated_source(index, pool)

    def metric() -> BLEUNeighborsMetric:
        from bleu_neighbors_metric.integrations.sacrebleu import BLEUNeighborsMetric

        estimator = fitted_estimator(index, pool, pool_text_column, pool_format, quality_column, data_dir, **parameters)
        return BLEUNeighborsMetric(estimator=estimator)

    report(
        systems,
        metric,
        others=others,
        references=references,
        test=test,
        n_samples=n_samples,
        format=format,
        width=width,
        output=output,
        text_column=text_column,
        input_format=input_format,
        data_dir=data_dir,
    )
