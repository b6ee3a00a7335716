"""The command `train measure`: learn from ratings how log-probabilities become a score."""

from __future__ import annotations

from typing import Any

import click

from metric_commons.cli.base import adding
from metric_commons.cli.metric_options import given, options_of
from metric_commons.files.atomic import check_destination
from metric_commons.registry import metric_spec
from slor_metric.cli.models import CORPUS, SLOROptions
from slor_metric.estimator import SLOR


@click.command("measure", epilog="Example: referenceless train measure ratings.csv --metric wpslor -o measure.npz")
@click.argument("rated_file")
@click.option("-o", "--output", required=True, type=click.Path(), help="File to write (.npz).")
@click.option(
    "--metric",
    type=click.Choice(("slor", "wpslor", "fluency")),
    default="wpslor",
    show_default=True,
    help="The metric that it is for.",
)
@click.option("--text-column", default="text", show_default=True, help="Column that holds the texts.")
@click.option("--quality-column", default="quality", show_default=True, help="Column that holds the ratings.")
@click.option("--where", multiple=True, metavar="COLUMN=VALUE", help="Only rows that meet this; may be repeated.")
@click.option("--input-format", "format", help="Format of the input  [default: by suffix]")
@adding(*options_of(SLOR, without=("unknown", "max_unknown", "measure")), CORPUS)
def fit_measure(rated_file: str, output: str, metric: str, **options: Any) -> None:
    """Fit log-probabilities to ratings, and report the gain beyond text length.

    RATED_FILE is a .csv, .tsv, .jsonl or .parquet file with a text and a rating a row.
    """
    from slor_metric.fluency.features import FEATURES_OF
    from slor_metric.fluency.metric import Fluency
    from slor_metric.rated_outputs import read_rated_outputs

    check_destination(output)
    models = {name: options.pop(name) for name in ("lm", "unigram", "unigram_corpus", "lm_options")}
    if metric == "fluency":
        own = models.pop("unigram") is None and models.pop("unigram_corpus") is None
        if not own or (models["lm"] or "default") not in FEATURES_OF:
            raise click.UsageError("fluency has models of its own: --lm default or smollm2, and no unigram model")
    rated = read_rated_outputs(rated_file, **options)
    scorer: Any = Fluency(**given(models)) if metric == "fluency" else SLOROptions(metric_spec(metric)).make(models)
    measure = scorer.fit(rated.texts, rated.ratings).measure_
    measure.save(output)
    click.echo(f"{output}: {measure.summary}", err=True)
