"""The command `train-quality-default`."""

from __future__ import annotations

import json

import click


@click.command(
    "train-quality-default", epilog="Example: referenceless train-quality-default ratings.csv -o default.npz"
)
@click.argument("medians", type=click.Path())
@click.option("-o", "--output", required=True, type=click.Path(), help="Model file to write (.npz).")
@click.option(
    "--evaluate/--no-evaluate", default=True, show_default=True, help="Cross-validate it, which takes longer."
)
def train_quality_default(medians: str, output: str, evaluate: bool) -> None:
    """Make the quality estimator that comes with the package anew, byte for byte, and report on it as JSON.

    MEDIANS is emnlp_data_medians.csv, the ratings of Novikova et al. (2017).
    """
    from quality_estimation_metric.model_files.packaged import train_default

    click.echo(json.dumps(train_default(medians, output, evaluate=evaluate), indent=2))
