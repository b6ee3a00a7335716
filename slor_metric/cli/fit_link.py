"""The command `fit-link`: learn from ratings how log-probabilities become a score."""

from __future__ import annotations

from typing import Any

import click

from metric_commons.files.atomic import check_destination
from slor_metric.cli.models import make_metric, model_options


@click.command("fit-link", epilog="Example: slor fit-link ratings.csv --metric wpslor -o link.npz")
@click.argument("rated_file")
@click.option("-o", "--output", required=True, type=click.Path(), help="Link file to write (.npz).")
@click.option(
    "--metric",
    type=click.Choice(("slor", "wpslor", "fluency")),
    default="wpslor",
    show_default=True,
    help="The metric that the link is for.",
)
@click.option("--text-column", default="text", show_default=True, help="Column that holds the texts.")
@click.option("--quality-column", default="quality", show_default=True, help="Column that holds the ratings.")
@click.option("--where", multiple=True, metavar="COLUMN=VALUE", help="Only rows that meet this; may be repeated.")
@click.option("--input-format", "format", help="Format of the input  [default: by suffix]")
@model_options
def fit_link(rated_file: str, output: str, metric: str, **options: Any) -> None:
    """Learn a link from rated texts, and say what it gains and how much of that is length alone.

    RATED_FILE is a .csv, .tsv, .jsonl or .parquet file with a text and a rating a row.
    """
    from slor_metric.fluency.features import FEATURES_OF
    from slor_metric.fluency.metric import Fluency
    from slor_metric.rated_outputs import read_rated_outputs

    check_destination(output)
    models = {name: options.pop(name) for name in ("lm", "unigram", "unigram_corpus", "lm_options")}
    if metric == "fluency":
        if models.pop("unigram") or models.pop("unigram_corpus") or models["lm"] not in FEATURES_OF:
            raise click.UsageError("fluency has models of its own: --lm default or smollm2, and no unigram model")
        if models["lm"] == "default" and models["lm_options"]:
            raise click.UsageError("--lm-option is for --lm smollm2")
    rated = read_rated_outputs(rated_file, **options)
    scorer: Any = Fluency(**models) if metric == "fluency" else make_metric(metric, **models)
    link = scorer.fit(rated.texts, rated.ratings).link_
    link.save(output)
    click.echo(f"{output}: {link.summary}", err=True)
