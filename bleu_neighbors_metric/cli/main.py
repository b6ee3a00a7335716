"""The command line `bleu-neighbors`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from bleu_neighbors_metric.cli.app import app
from bleu_neighbors_metric.cli.compare import compare
from bleu_neighbors_metric.cli.options import (
    candidates_and_estimator,
    fitted_on,
    given,
    parameter_options,
    quality_option,
    rated_source_options,
)
from bleu_neighbors_metric.cli.report import report
from bleu_neighbors_metric.cli.reproduce import reproduce
from bleu_neighbors_metric.cli.subsample import subsample
from bleu_neighbors_metric.cli.sweep import learning_curve, sweep
from metric_commons.cli.base import input_options, output_options, progress_option, run
from metric_commons.cli.publish import publish
from metric_commons.files.output import render, shorten, write
from metric_commons.results import TOO_FEW, TOO_MANY

if TYPE_CHECKING:
    from bleu_neighbors_metric.estimator import BLEUNeighbors
    from bleu_neighbors_metric.tuning.calibration import Calibration
    from metric_commons.results import MetricResult


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="referenceless-metrics")
def cli() -> None:
    """Estimate the quality of texts without references, from rated texts that resemble them."""


cli.add_command(app)
cli.add_command(compare)
cli.add_command(report)
cli.add_command(reproduce)
cli.add_command(sweep)
cli.add_command(learning_curve)
cli.add_command(subsample)
cli.add_command(publish)


@cli.command(epilog="Example: bleu-neighbors fit ratings.csv --quality-column score -o ratings.index")
@click.argument("pool")
@click.option("-o", "--output", required=True, type=click.Path(), help="Index file to write.")
@input_options
@quality_option
@parameter_options
@progress_option
def fit(pool: str, output: str, **options: Any) -> None:
    """Fit a pool of rated texts and write it to an index file.

    POOL holds a text and a rating a row. An input is a .csv, .tsv, .jsonl or .parquet file, - for standard input,
    or a data set such as huse:summarization with --data-dir.
    """
    if output == "-":
        raise click.UsageError("an index is a binary file: name one with -o")
    metric = fitted_on(pool, **options)
    metric.save(output)
    click.echo(f"{output}: {len(metric.texts_)} distinct rated texts  {metric.signature}", err=True)


@cli.command(epilog="Example: bleu-neighbors score outputs.txt --pool ratings.csv --format csv -o scores.csv")
@click.argument("candidates")
@rated_source_options
@input_options
@parameter_options
@output_options
@progress_option
def score(
    candidates: str,
    output: str | None,
    format: str,
    **options: Any,
) -> None:
    """Estimate the quality of candidates.

    CANDIDATES holds the texts to score: a .txt (a line a text), .csv, .tsv, .jsonl or .parquet file, - for standard
    input, or a data set such as huse:summarization or asap_sas:set_8:test with --data-dir.
    """
    texts, metric = candidates_and_estimator(candidates, **options)
    estimates = metric.predict(texts)
    write(_render_scores(texts, estimates, metric, format), output)
    if format in ("jsonl", "csv"):  # rows alone: the mean and its coverage are still to be seen
        click.echo("\n".join(_score_lines(estimates, metric)[1:]), err=True)


def _render_scores(texts: Sequence[str], estimates: MetricResult, metric: BLEUNeighbors, format: str) -> str:
    table = format == "table"
    names = ("candidate", "estimate", "neighbours") if table else ("text", "quality", "n_neighbors")
    rows = [
        dict(zip(names, (shorten(text) if table else text, float(quality), int(count)), strict=True))
        for text, quality, count in zip(texts, estimates.values, estimates.n_neighbors, strict=True)
    ]
    summary = {
        "bleu_neighbors": estimates.mean,
        "coverage": estimates.coverage,
        "n_candidates": len(texts),
        "n_too_few": estimates.abstentions[TOO_FEW],
        "n_too_many": estimates.abstentions[TOO_MANY],
        "signature": metric.signature,
    }
    return render(rows, summary, format, lines=_score_lines(estimates, metric))


def _score_lines(estimates: MetricResult, metric: BLEUNeighbors) -> list[str]:
    n = len(estimates)
    covered = int(estimates.covered.sum())
    if covered:
        mean = f"mean {estimates.mean:.4f} over the {covered} of {n} candidates that are covered"
    else:
        mean = f"no mean: none of the {n} candidates is covered"
    lines = ["", f"{mean} (coverage {estimates.coverage:.3f})"]
    if covered < n:
        lines.append(
            f"not covered: {estimates.abstentions[TOO_FEW]} with fewer than {estimates.fewest} neighbours, "
            f"{estimates.abstentions[TOO_MANY]} with more than {metric.max_fraction:.0%} of the pool"
        )
    return [*lines, metric.signature]


@cli.command(epilog="Example: bleu-neighbors calibrate huse:summarization --data-dir data/huse")
@click.argument("pool")
@input_options
@quality_option
@parameter_options
@output_options
@progress_option
def calibrate(pool: str, output: str | None, format: str, **options: Any) -> None:
    """Tell whether a pool can be trusted, by estimating each of its texts from all the others.

    POOL holds a text and a rating a row, as for `fit`; it may also be an index file that `fit` wrote.
    """
    from bleu_neighbors_metric.index_file import is_index
    from bleu_neighbors_metric.tuning.calibration import calibrate, figures

    if is_index(pool):
        from bleu_neighbors_metric.estimator import BLEUNeighbors

        parameters = {name: value for name, value in options.items() if name in BLEUNeighbors.parameter_names()}
        metric = BLEUNeighbors.load(pool).set_params(**given(parameters))
    else:
        metric = fitted_on(pool, **options)
    result = calibrate(metric)
    row = figures(result)
    if format == "table":
        write("".join(f"{line}\n" for line in _calibration_lines(result)), output)
    else:
        summary = {
            "findings": list(result.findings),
            "trustworthy": result.trustworthy,
            "signature": result.signature,
        }
        write(render([row], summary, format), output)


def _calibration_lines(result: Calibration) -> list[str]:
    def interval(name: str, figure: Any) -> str:
        if figure.n == 0 or figure.value != figure.value:
            return f"{name:<22} –"
        return f"{name:<22} {figure.value:.3f}  95% CI [{figure.low:.3f}, {figure.high:.3f}]  p = {figure.p_value:.2g}"

    def number(value: float) -> str:
        return "–" if value != value else f"{value:.4f}"

    return [
        f"leave-one-out calibration of {result.n_texts} distinct texts ({result.n_ratings} ratings)",
        "",
        f"{'coverage':<22} {result.coverage:.3f}",
        f"{'  too few neighbours':<22} {result.n_too_few}",
        f"{'  too many neighbours':<22} {result.n_too_many}",
        f"{'MSE':<22} {number(result.mean_squared_error)}",
        f"{'MSE of the mean':<22} {number(result.baseline_error)}",
        interval("Spearman", result.spearman),
        interval("Pearson", result.pearson),
        "",
        *result.findings,
        "",
        result.signature,
    ]


@cli.command(epilog="Example: bleu-neighbors register, then evaluate.load('bleu_neighbors') in Python")
def register() -> None:
    """Make evaluate.load("bleu_neighbors") work from any directory."""
    from metric_commons.hub.modules import register

    click.echo(f"registered: {register('bleu_neighbors')}")
    click.echo('evaluate.load("bleu_neighbors") now works from any directory.')
    click.echo("Without a network, set HF_EVALUATE_OFFLINE=1: evaluate otherwise waits for the Hub first.")


@cli.command(epilog="Example: bleu-neighbors unregister")
def unregister() -> None:
    """Undo `register`."""
    from metric_commons.hub.modules import unregister

    removed = unregister("bleu_neighbors")
    for folder in removed:
        click.echo(f"removed: {folder}")
    if not removed:
        click.echo("nothing was registered")


@cli.command(epilog="Example: bleu-neighbors demo")
def demo() -> None:
    """Score a dozen candidates with a packaged example pool, and calibrate the pool. Needs no network."""
    from bleu_neighbors_metric.estimator import BLEUNeighbors
    from bleu_neighbors_metric.example import NOTICE, example_candidates, example_pool
    from bleu_neighbors_metric.tuning.calibration import calibrate

    pool, candidates = example_pool(), example_candidates()
    click.echo(f"{NOTICE} ({len(pool)} texts)\n")
    click.echo("(The first use after installation compiles the kernel, which takes some seconds.)\n", err=True)
    metric = BLEUNeighbors(n_jobs=-1).fit(pool.texts, pool.quality)
    click.echo(_render_scores(candidates, metric.predict(candidates), metric, "table"))
    click.echo("\n".join(_calibration_lines(calibrate(metric))[:-2]))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit status."""
    run(cli, arguments)
