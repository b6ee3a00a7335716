"""The command `referenceless subsample`."""

from __future__ import annotations

import math
from typing import Any

import click

from bleu_neighbors_metric.cli.options import fitted_estimator, parameter_options, pool_options
from metric_commons.cli.base import input_options, output_options, progress_option
from metric_commons.files.output import ROWS_ALONE, UNDEFINED, render, shorten, write
from metric_commons.files.text_io import read_texts


@click.command(epilog="Example: referenceless subsample outputs.txt --pool ratings.csv --share 0.5")
@click.argument("candidates")
@click.option(
    "--share",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.5,
    show_default=True,
    help="Share of the pool in a draw.",
)
@click.option("--draws", type=click.IntRange(min=1), default=20, show_default=True, help="Parts of the pool drawn.")
@click.option("--seed", type=click.IntRange(min=0), help="Seed of the draws  [default: new draws at each call]")
@pool_options
@input_options
@parameter_options
@output_options
@progress_option
def subsample(
    candidates: str,
    share: float,
    draws: int,
    seed: int | None,
    output: str | None,
    format: str,
    **options: Any,
) -> None:
    """Estimate quality from random parts of the pool, so that a known pool cannot be gamed.

    CANDIDATES holds the texts to score, as for `score`. Each draw estimates all of them; shown are the mean over the
    draws that cover a text, the standard deviation over them, and the share of draws that cover it.
    """
    if candidates == options["pool"] == "-":
        raise click.UsageError("standard input can be the candidates or the pool, not both")
    reading = {"format": options.pop("input_format"), "text_column": options.pop("text_column")}
    texts = read_texts(candidates, data_dir=options["data_dir"], **reading)
    metric = fitted_estimator(**options)

    from bleu_neighbors_metric.tuning.learning_curve import mean_and_std
    from bleu_neighbors_metric.tuning.subsampling import SubsampledNeighbors

    estimates = SubsampledNeighbors(metric, share, n_draws=draws, seed=seed).predict(texts)
    table = format == "table"
    names = ("candidate", "estimate", "±", "draws") if table else ("text", "rating", "spread", "covered_share")
    rows = [
        dict(zip(names, (shorten(text) if table else text, *map(float, figures)), strict=True))
        for text, *figures in zip(texts, estimates.values, estimates.spread, estimates.covered_share, strict=True)
    ]
    mean, spread = mean_and_std(estimates.mean.tolist())
    coverage, coverage_spread = mean_and_std(estimates.coverage.tolist())
    summary = {
        "bleu_neighbors": mean,
        "spread": spread,
        "coverage": coverage,
        "coverage_spread": coverage_spread,
        "n_draws": draws,
        "pool_size": estimates.pool_size,
        "seed": seed,
        "signature": metric.signature,
    }
    told = UNDEFINED if math.isnan(mean) else f"{mean:.4f} ± {spread:.4f}"
    lines = [
        "",
        f"mean {told} over {draws} draws of {estimates.pool_size} of {len(metric.texts_)} rated texts (coverage "
        f"{coverage:.3f} ± {coverage_spread:.3f})",
        metric.signature,
    ]
    write(render(rows, summary, format, lines=lines), output)
    if format in ROWS_ALONE:  # rows alone: the mean and its coverage are still to be seen
        click.echo("\n".join(lines[1:]), err=True)
