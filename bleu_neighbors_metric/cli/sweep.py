"""What `calibrate` writes with --sweep and with --learning-curve."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from metric_commons.cli.base import adding
from metric_commons.cli.help import Rare
from metric_commons.cli.metric_options import numbers
from metric_commons.files.output import write_rows

if TYPE_CHECKING:
    from bleu_neighbors_metric.estimator import BLEUNeighbors

_SWEEP = (
    Rare(["--thresholds"], type=numbers(float), metavar="τ,τ,…", help="With --sweep: values of τ to try."),
    Rare(["--min-neighbors-values"], type=numbers(int), metavar="a,a,…", help="With --sweep: values of a to try."),
    Rare(["--max-fractions"], type=numbers(float), metavar="b,b,…", help="With --sweep: values of b to try."),
    Rare(
        ["--least-coverage"],
        type=click.FloatRange(0, 1),
        help="With --sweep: least coverage of the recommended setting  [default: 0.5]",
    ),
    Rare(["--all"], is_flag=True, help="With --sweep: write all settings, not the Pareto front alone."),
)
_LEARNING_CURVE = (
    Rare(
        ["--sizes"],
        type=numbers(int),
        metavar="N,N,…",
        help="With --learning-curve: pool sizes  [default: ten even ones]",
    ),
    Rare(
        ["--draws"],
        type=click.IntRange(min=1),
        help="With --learning-curve: pools drawn of each size  [default: 20]",
    ),
    Rare(["--seed"], type=click.IntRange(min=0), help="With --learning-curve: seed of the draws  [default: 12345]"),
)
study_options = adding(
    click.Option(["--sweep"], is_flag=True, help="Choose τ, a and b instead, by leaving each text out."),
    click.Option(["--learning-curve"], is_flag=True, help="Tell instead what fewer ratings, and so more, would give."),
    *_SWEEP,
    *_LEARNING_CURVE,
)


def write_sweep(
    estimator: BLEUNeighbors,
    plot: str | None,
    format: str,
    output: str | None,
    *,
    thresholds: tuple[float, ...] | None,
    min_neighbors_values: tuple[int, ...] | None,
    max_fractions: tuple[float, ...] | None,
    least_coverage: float | None,
    all: bool,
) -> None:
    """Write the settings that no other beats in both rank correlation and coverage, and the one that is recommended."""
    least_coverage = 0.5 if least_coverage is None else least_coverage
    from bleu_neighbors_metric.tuning.sweep import MAX_FRACTIONS, MIN_NEIGHBORS, WARNING, Setting
    from bleu_neighbors_metric.tuning.sweep import sweep as run

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

    rows = [setting.as_row() for setting in (result.settings if all else result.pareto)]
    summary = {
        "recommended": None if result.best is None else result.best.as_row(),
        "n_settings": len(result.settings),
        "n_texts": result.n_texts,
        "warning": WARNING,
        "signature": estimator.signature,
    }
    write_rows(rows, summary, format, output, lines=["", told(result.best), WARNING])


def write_learning_curve(
    estimator: BLEUNeighbors,
    plot: str | None,
    format: str,
    output: str | None,
    *,
    sizes: tuple[int, ...] | None,
    draws: int | None,
    seed: int | None,
) -> None:
    """Write ρ and coverage of smaller pools, drawn at random: each text is estimated from each pool without itself."""
    from bleu_neighbors_metric.tuning.learning_curve import learning_curve as run

    curve = run(estimator, sizes, n_draws=draws or 20, seed=12345 if seed is None else seed)
    if plot is not None:
        from bleu_neighbors_metric.tuning.plots import plot_learning_curve

        plot_learning_curve(curve.points, plot, title=f"{draws or 20} draws of each size, band: one standard deviation")
    rows = [vars(point) for point in curve.points]
    summary = {"findings": list(curve.findings), "signature": estimator.signature}
    write_rows(rows, summary, format, output, lines=["", *curve.findings, estimator.signature])


#: The options of --sweep and of --learning-curve, and what each of the two writes.
STUDIES: dict[str, tuple[tuple[click.Option, ...], Callable[..., None]]] = {
    "sweep": (_SWEEP, write_sweep),
    "learning_curve": (_LEARNING_CURVE, write_learning_curve),
}
