"""What `evaluate --metric quality_estimation` runs."""

from __future__ import annotations

import json
from typing import Any

import click

from metric_commons.files.output import write
from quality_estimation_metric.cli.options import fit_options, fitted_estimators


@click.command(
    epilog="Example: referenceless evaluate --metric quality_estimation ratings.csv --text-column output "
    "--source-column mr --rating-column quality --group-by item"
)
@click.argument("file")
@click.option("--folds", type=click.IntRange(min=2), default=5, show_default=True, help="Parts, each left out once.")
@click.option("-o", "--output", type=click.Path(), help="File to write  [default: standard output]")
@click.option(
    "--format",
    type=click.Choice(("markdown", "json")),
    default="markdown",
    show_default=True,
    help="Form of the output.",
)
@fit_options
def evaluate(file: str, folds: int, output: str | None, format: str, **options: Any) -> None:
    """Cross-validate quality estimation on rated texts.

    FILE is a .csv, .tsv, .jsonl or .parquet file with a text and one or more ratings a row. Each part of the texts is
    estimated from the others. What is grouped never stands on both sides: the groups of --group-by, equal pairs of
    source and text, and texts that are equal once the source's values are placeholders. Beside it stands how far
    two ratings of the same text agree, where some texts were rated twice.
    """
    found = {name: estimator.evaluate(folds) for name, estimator in fitted_estimators(file, **options).items()}
    if format == "json":
        content = json.dumps({name: one.as_dict() for name, one in found.items()}, indent=2, allow_nan=True)
    else:
        content = "\n\n".join(f"{name}\n\n{one.to_text()}" for name, one in found.items())
    write(f"{content}\n", output)
