"""The command `fit`."""

from __future__ import annotations

from typing import Any

import click

from bleu_neighbors_metric.cli.options import PARAMETERS, fitted_to
from bleu_neighbors_metric.pool import MOST_LEFT_OUT
from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.fitted_file import uses_of
from referenceless_metrics.command_line.output_options import Output, progress_option
from referenceless_metrics.command_line.rated_text_options import GROUPINGS
from referenceless_metrics.command_line.text_options import INPUT, input_options
from referenceless_metrics.core.files.atomic import check_destination
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.text_io import read_rated
from referenceless_metrics.human_evaluation.commands.rating_options import RATING_COLUMNS, VALUES
from referenceless_metrics.human_evaluation.ratings.exports.answers import RATING


@click.command(epilog="Example: referenceless fit pool.csv --rating-column score -o pool.index")
@click.argument("pool", type=INPUT)
@click.option("-o", "--output", cls=Output, required=True, help="Index file to write.")
@click.option(
    "--calibrate/--no-calibrate",
    "calibrating",
    default=None,
    help="Keep what the pool's estimates are worth, and what intervals need  [default: of pools up to 5,000 texts]",
)
@adding(*GROUPINGS, RATING_COLUMNS, VALUES)
@input_options
@adding(*PARAMETERS)
@progress_option
def fit(
    pool: str,
    output: str,
    calibrating: bool | None,
    system_column: str | None,
    group_column: str | None,
    rating_columns: tuple[str, ...],
    values: dict[str, float] | None,
    text_column: str,
    reading: Reading,
    **parameters: Any,
) -> None:
    """Fit a pool of rated texts and write it to an index file.

    POOL holds a text and a rating per row. An input is a table, such as .csv, - for standard input, a study's folder,
    or a data set such as huse:summarization with --data-dir.
    """
    if output == "-":
        raise click.UsageError("an index is a binary file: name one with -o")
    check_destination(output)
    rated = read_rated(
        pool,
        rating_column=rating_columns or RATING,
        words=values,
        text_column=text_column,
        groupings={"groups": group_column, "systems": system_column},
        reading=reading,
    )
    metric = fitted_to(rated, parameters)
    n_texts = len(metric.texts_)
    if calibrating or (calibrating is None and 2 <= n_texts <= MOST_LEFT_OUT):
        from bleu_neighbors_metric.tuning.calibration import attach_calibration, calibrate

        attach_calibration(metric, calibrate(metric, rated))
    metric.save(output)
    click.echo(f"{output}: {n_texts} distinct rated texts  {metric.signature}", err=True)
    if metric.verdict_ is not None:
        click.echo(metric.verdict_.summary, err=True)
    click.echo(uses_of(output, "--pool"), err=True)
