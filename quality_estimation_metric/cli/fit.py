"""What `fit --metric quality_estimation` runs."""

from __future__ import annotations

from typing import Any

import click

from metric_commons.files.output import places_of_columns
from quality_estimation_metric.cli.options import fit_options, fitted_estimators


@click.command(
    epilog="Example: referenceless fit --metric quality_estimation ratings.csv --text-column output --source-column mr "
    "--rating-column naturalness --rating-column quality -o model.npz"
)
@click.argument("file")
@click.option("-o", "--output", required=True, type=click.Path(), help="Model file to write (.npz).")
@click.option("--texts/--no-texts", default=True, show_default=True, help="Keep the rated texts in the file.")
@fit_options
def fit(file: str, output: str, texts: bool, **options: Any) -> None:
    """Learn to estimate ratings from rated texts, and write the model to a file.

    FILE is a .csv, .tsv, .jsonl or .parquet file with a text and one or more ratings a row, and with what the text was
    made from, where there is such a thing. For several columns of ratings there is a file each, with the column's name
    before the suffix: model.naturalness.npz. A file without texts explains no estimate by rated neighbours.
    """
    if output == "-":
        raise click.UsageError("a model is a binary file: name one with -o")
    places = places_of_columns(output, options["rating_columns"])
    for name, estimator in fitted_estimators(file, **options).items():
        estimator.save(places[name], texts=texts)
        click.echo(f"{places[name]}: {estimator.n_texts_} rated texts  {estimator.signature}", err=True)
