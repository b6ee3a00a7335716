"""The command `bleu-neighbors compare`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from metric_commons.cli_base import input_options, progress_option
from metric_commons.cli_compare import compare_options, report

from .cli_options import fitted_on, given, parameter_options, quality_option

if TYPE_CHECKING:
    from .sacrebleu_metric import BLEUNeighborsMetric


@click.command(
    epilog="Example: bleu-neighbors compare --pool ratings.csv baseline.txt ours.txt --with bleu,chrf "
    "--references references.txt"
)
@click.argument("systems", nargs=-1, required=True)
@click.option("--index", type=click.Path(), help="Index file that `fit` wrote.")
@click.option("--pool", help="Rated texts, in place of an index.")
@click.option("--pool-text-column", default="text", show_default=True, help="Column of the pool's texts.")
@click.option("--pool-format", help="Format of the pool  [default: by suffix]")
@compare_options
@input_options
@quality_option
@parameter_options
@progress_option
def compare(
    systems: tuple[str, ...],
    index: str | None,
    pool: str | None,
    pool_text_column: str,
    pool_format: str | None,
    data_dir: str | None,
    input_format: str | None,
    text_column: str,
    quality_column: str,
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
    if (index is None) == (pool is None):
        raise click.UsageError("give either --index or --pool: the rated texts to estimate from")

    def metric() -> BLEUNeighborsMetric:
        from .sacrebleu_metric import BLEUNeighborsMetric

        if index is not None:
            return BLEUNeighborsMetric(index=index, **given(parameters))
        estimator = fitted_on(str(pool), data_dir, pool_format, pool_text_column, quality_column, **parameters)
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
