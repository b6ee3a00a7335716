"""The command `reproduce packaged-models`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from metric_commons.cli.base import progress_option


@click.command(
    epilog="Example: referenceless reproduce packaged-models --corpus english.txt.xz --ratings medians.csv -o models"
)
@click.option("--corpus", type=click.Path(), help="The corpus that the card of the language models names.")
@click.option("--ratings", type=click.Path(), help="emnlp_data_medians.csv, the ratings of Novikova et al. (2017).")
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False), help="Folder to write the files to.")
@click.option(
    "--evaluate/--no-evaluate",
    default=True,
    show_default=True,
    help="Cross-validate the quality estimator, which takes longer.",
)
@progress_option
def packaged_models(
    corpus: str | None, ratings: str | None, output: str, evaluate: bool, progress: bool | None
) -> None:
    """Make the models that come with the package anew, byte for byte, and report on them as JSON.

    From --corpus come the n-gram models of SLOR and WPSLOR and the class model of Fluency, in some minutes and up to 4
    GB of memory; from --ratings the quality estimator.
    """
    from referenceless_papers.packaged_models.ngrams import train_packaged
    from referenceless_papers.packaged_models.quality import train_default
    from slor_metric.fluency.class_training import train_class_model

    if corpus is None and ratings is None:
        raise click.UsageError("give --corpus, --ratings or both: what the models are made from")
    report: dict[str, Any] = {}
    if corpus is not None:
        report |= train_packaged(Path(corpus), output, progress=progress)
        report["classes"] = train_class_model(Path(corpus), output, progress=progress)
    if ratings is not None:
        Path(output).mkdir(parents=True, exist_ok=True)
        report["quality"] = train_default(ratings, Path(output) / "default.npz", evaluate=evaluate)
    click.echo(json.dumps(report, indent=2))
