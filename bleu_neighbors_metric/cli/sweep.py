"""The commands `referenceless sweep` and `referenceless learning-curve`."""

from __future__ import annotations

from typing import Any

import click

from bleu_neighbors_metric.cli.options import allow_models_option, fitted_estimator, parameter_options, rating_option
from metric_commons.cli.base import input_options, numbers, output_options, plot_option, progress_option
from metric_commons.files.output import ROWS_ALONE, render, write


@click.command(epilog="Example: referenceless sweep huse:summarization --data-dir data/huse --plot sweep.png")
@click.argument("pool")
@click.option("--thresholds", type=numbers(float), metavar="τ,τ,…", help="Values of τ to try.")
@click.option("--min-neighbors-values", type=numbers(int), metavar="a,a,…", help="Values of a to try.")
@click.option("--max-fractions", type=numbers(float), metavar="b,b,…", help="Values of b to try.")
@click.option(
    "--least-coverage",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    help="Least coverage of the recommended setting.",
)
@click.option("--all", "everything", is_flag=True, help="Write all settings, not the Pareto front alone.")
@plot_option("ρ against coverage of all settings")
@input_options
@rating_option
@allow_models_option
@parameter_options
@output_options
@progress_option
def sweep(
    pool: str,
    thresholds: tuple[float, ...] | None,
    min_neighbors_values: tuple[int, ...] | None,
    max_fractions: tuple[float, ...] | None,
    least_coverage: float,
    everything: bool,
    plot: str | None,
    output: str | None,
    format: str,
    text_column: str,
    input_format: str | None,
    **options: Any,
) -> None:
    """Choose τ, a and b by leaving each text of a pool out.

    POOL holds a text and a rating a row, as for `fit`; it may also be what `fit` wrote. Shown are the
    settings that no other beats in both rank correlation and coverage, and the one that is recommended. Sweep on
    ratings that you train on, never on a test set.
    """
    from bleu_neighbors_metric.tuning.sweep import MAX_FRACTIONS, MIN_NEIGHBORS, WARNING, Setting
    from bleu_neighbors_metric.tuning.sweep import sweep as run

    if pool.endswith(":test"):
        click.echo(f"warning: {pool} is a test split; settings chosen on it make its own figures meaningless", err=True)
    estimator = fitted_estimator(pool, text_column, input_format, **options)
    result = run(
        estimator,
        thresholds=thresholds,
        min_neighbors=min_neighbors_values or MIN_NEIGHBORS,
        max_fractions=max_fractions or MAX_FRACTIONS,
        least_coverage=least_coverage,
    )
    if plot is not None:
        from bleu_neighbors_metric.tuning.plots import plot_sweep

        plot_sweep(result, plot, title=f"{len(result.settings)} settings, {result.n_texts} texts")

    def told(setting: Setting | None) -> str:
        if setting is None and len(set(estimator.ratings_.tolist())) == 1:
            return (
                f"No setting is recommended: all ratings are {estimator.ratings_[0]:g}, so nothing can correlate with "
                "them."
            )
        if setting is None:
            return (
                f"No setting is recommended: none covers {least_coverage:.0%} of the {result.n_texts} texts (and 30 of "
                "them) with a defined rank correlation. Rate more texts, or lower --least-coverage."
            )
        interval = result.best_interval
        rho = f"Spearman {setting.spearman:.3f}"
        if interval is not None:
            rho += f", 95% CI [{interval.low:.3f}, {interval.high:.3f}]"
        return (
            f"recommended: --threshold {setting.threshold:g} --min-neighbors {setting.min_neighbors} --max-fraction "
            f"{setting.max_fraction:g}  ({rho}, coverage {setting.coverage:.3f}, MSE {setting.mse:.4f})"
        )

    rows = [setting.as_row() for setting in (result.settings if everything else result.pareto)]
    summary = {
        "recommended": None if result.best is None else result.best.as_row(),
        "n_settings": len(result.settings),
        "n_texts": result.n_texts,
        "warning": WARNING,
        "signature": estimator.signature,
    }
    write(render(rows, summary, format, lines=["", told(result.best), WARNING]), output)
    if format in ROWS_ALONE:
        click.echo(f"warning: {WARNING}", err=True)


@click.command(epilog="Example: referenceless learning-curve huse:summarization --data-dir data/huse --plot curve.png")
@click.argument("pool")
@click.option("--sizes", type=numbers(int), metavar="N,N,…", help="Pool sizes  [default: ten even ones]")
@click.option("--draws", type=click.IntRange(min=1), default=20, show_default=True, help="Pools drawn of each size.")
@click.option("--seed", type=click.IntRange(min=0), default=12345, show_default=True, help="Seed of the draws.")
@plot_option("ρ and coverage against pool size")
@input_options
@rating_option
@allow_models_option
@parameter_options
@output_options
@progress_option
def learning_curve(
    pool: str,
    sizes: tuple[int, ...] | None,
    draws: int,
    seed: int,
    plot: str | None,
    output: str | None,
    format: str,
    text_column: str,
    input_format: str | None,
    **options: Any,
) -> None:
    """Tell how many more ratings are worth buying: ρ and coverage of smaller pools, drawn at random.

    POOL holds a text and a rating a row, as for `fit`; it may also be what `fit` wrote. Every text is
    estimated from each drawn pool without itself.
    """
    from bleu_neighbors_metric.tuning.learning_curve import learning_curve as run

    estimator = fitted_estimator(pool, text_column, input_format, **options)
    curve = run(estimator, sizes, n_draws=draws, seed=seed)
    if plot is not None:
        from bleu_neighbors_metric.tuning.plots import plot_learning_curve

        plot_learning_curve(curve.points, plot, title=f"{draws} draws of each size, band: one standard deviation")
    rows = [vars(point) for point in curve.points]
    summary = {"findings": list(curve.findings), "signature": estimator.signature}
    write(render(rows, summary, format, lines=["", *curve.findings, estimator.signature]), output)
