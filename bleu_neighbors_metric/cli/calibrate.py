"""The command `calibrate`, also with --sweep and with --learning-curve."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from bleu_neighbors_metric.cli.options import (
    allow_models_option,
    fitted_estimator,
    fitted_to,
    parameter_options,
    rating_columns_option,
)
from metric_commons.cli.base import COLUMN, adding, input_options, output_options, plot_option, progress_option
from metric_commons.cli.help import Rare, ShortHelp
from metric_commons.cli.metric_options import numbers
from metric_commons.files.output import paragraphs, terminal_width, write, write_rows
from metric_commons.files.text_io import read_ratings

if TYPE_CHECKING:
    from bleu_neighbors_metric.estimator import BLEUNeighbors
    from bleu_neighbors_metric.tuning.calibration import Calibration
    from metric_commons.assessment.agreement import Agreement
    from metric_commons.assessment.meta_evaluation import Correlation
    from metric_commons.files.tables import RatedTexts

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


@click.command(cls=ShortHelp, epilog="Example: referenceless calibrate pool.csv --group-column system")
@click.argument("pool")
@click.option(
    "--group-column",
    type=COLUMN,
    help="Column of the systems, topics or sources: each is then also estimated from the others alone.",
)
@study_options
@plot_option("estimates against ratings, and coverage by τ; of a sweep or a curve, its own")
@input_options
@rating_columns_option
@allow_models_option
@parameter_options
@output_options
@progress_option
def calibrate(
    pool: str,
    group_column: str | None,
    plot: str | None,
    output: str | None,
    format: str,
    allow_models: bool,
    rating_columns: tuple[str, ...],
    text_column: str,
    input_format: str | None,
    data_dir: str | None,
    **parameters: Any,
) -> None:
    """Tell what a pool's estimates are worth, by leaving texts out.

    POOL holds a text and a rating a row, as for `fit`; it may also be what `fit` wrote. Each of its texts is estimated
    from all the others, and with --group-column from the other groups.

    Several columns of ratings are looked at one after another. With --sweep or --learning-curve it takes one. Sweep on
    ratings that you train on, never on a test set: shown are the settings that no other beats in both rank correlation
    and coverage, and the one that is recommended. --learning-curve tells how many more ratings are worth buying: ρ and
    coverage of smaller pools, drawn at random.
    """
    several, asked = len(rating_columns) > 1, [name for name in STUDIES if parameters.pop(name)]
    own = {name: {str(one.name): parameters.pop(str(one.name)) for one in STUDIES[name][0]} for name in STUDIES}
    for name, values in own.items():
        given = [option for option, value in values.items() if value not in (None, False)]
        if given and name not in asked:
            raise click.UsageError(f"--{given[0]} belongs to --{name}: add it".replace("_", "-"))
    if asked:
        if len(asked) > 1 or group_column is not None or several:
            raise click.UsageError("--sweep or --learning-curve stands alone, with one --rating-column and no groups")
        if asked == ["sweep"] and pool.endswith(":test"):
            click.echo(f"warning: {pool} is a test split; settings chosen on it make its figures meaningless", err=True)
    from bleu_neighbors_metric.pool_source import holds_fitted
    from bleu_neighbors_metric.tuning.calibration import calibrate, figures

    if several and plot is not None:
        raise click.UsageError("--plot draws one column of ratings: name one")
    columns: dict[str, RatedTexts] = {}
    if holds_fitted(pool):
        if group_column is not None or several:
            what = "groups" if group_column is not None else "several ratings a text"
            raise click.UsageError(f"a fitted pool holds no {what}: give the ratings themselves")
        reading = (text_column, input_format, rating_columns, data_dir, allow_models)
        metrics = {rating_columns[0]: fitted_estimator(pool, *reading, **parameters)}
    else:
        columns = read_ratings(
            pool,
            rating_columns,
            text_column=text_column,
            group_column=group_column,
            format=input_format,
            data_dir=data_dir,
        )
        metrics = {name: fitted_to(rated, parameters) for name, rated in columns.items()}
    if asked:
        STUDIES[asked[0]][1](metrics[rating_columns[0]], plot, format, output, **own[asked[0]])
        return
    results = {name: calibrate(metric, columns.get(name)) for name, metric in metrics.items()}
    if plot is not None:
        from bleu_neighbors_metric.tuning.plots import plot_calibration

        plot_calibration(metrics[rating_columns[0]], plot, verdict=results[rating_columns[0]].verdict)
    if format == "table":
        blocks = [[*([f"{name}:"] if several else []), *calibration_lines(one)] for name, one in results.items()]
        write("\n".join(paragraphs(block, terminal_width(output)) for block in blocks), output)
        return
    rows = [{**({"rating_column": name} if several else {}), **figures(one)} for name, one in results.items()]
    told = {
        name: {"findings": list(one.findings), "verdict": one.verdict, "signature": one.signature}
        for name, one in results.items()
    }
    lines = [line for one in results.values() for line in one.findings]
    write_rows(rows, {"calibrations": told} if several else told[rating_columns[0]], format, output, lines=lines)


def calibration_lines(result: Calibration) -> list[str]:
    """Return a calibration as lines of text."""
    from tabulate import tabulate

    columns = {"": list(_rows(result.leave_one_out))}
    ways = {"each text left out": result.leave_one_out}
    if result.by_group is not None:
        ways["each group left out"] = result.by_group
    columns |= {title: list(_rows(agreed).values()) for title, agreed in ways.items()}
    return [
        f"calibration of {result.n_texts} distinct texts ({result.n_ratings} ratings): {result.verdict}",
        "",
        *str(tabulate(columns, headers="keys", disable_numparse=True)).splitlines(),
        "",
        f"without an estimate: {result.n_too_few} with too few neighbours, {result.n_too_many} with too many",
        "",
        *result.findings,
        "",
        result.signature,
    ]


def _rows(agreed: Agreement) -> dict[str, str]:
    return {
        "coverage": f"{agreed.coverage:.3f}",
        "MSE": _number(agreed.mean_squared_error),
        "MSE of the mean": _number(agreed.baseline_error),
        "R²": _number(agreed.r_squared),
        "Spearman": _interval(agreed.spearman),
        "Pearson": _interval(agreed.pearson),
        "Spearman, length fixed": _interval(agreed.given_length),
        "Spearman of length alone": _interval(agreed.length),
    }


def _number(value: float) -> str:
    return "–" if value != value else f"{value:.4f}"


def _interval(figure: Correlation) -> str:
    return "–" if figure.value != figure.value else f"{figure.value:.3f} [{figure.low:.3f}, {figure.high:.3f}]"
