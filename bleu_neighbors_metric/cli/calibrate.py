"""The command `calibrate`, also with --sweep and with --learning-curve."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from bleu_neighbors_metric.cli.options import (
    allow_models_option,
    fitted_estimator,
    fitted_to,
    parameter_options,
)
from metric_commons.cli.base import (
    GROUPINGS,
    RATING_COLUMN,
    adding,
    input_options,
    output_options,
    plot_option,
    progress_option,
)
from metric_commons.cli.help import Rare, ShortHelp
from metric_commons.cli.metric_options import numbers
from metric_commons.files.output import write_rows
from metric_commons.files.text_io import read_rated

if TYPE_CHECKING:
    from bleu_neighbors_metric.estimator import BLEUNeighbors
    from bleu_neighbors_metric.tuning.calibration import Calibration
    from metric_commons.assessment.agreement import Agreement
    from metric_commons.assessment.meta_evaluation import Correlation
    from metric_commons.files.tables import RatedTexts
    from metric_commons.report.drawing import Plot
    from metric_commons.support.validation import Record

    Findings: TypeAlias = tuple[list[Record], Record, list[str], Callable[[], list[Plot]]]
    """Rows, a summary, what to say below, and what draws it."""

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
        ["--draws", "n_draws"],
        type=click.IntRange(min=1),
        help="With --learning-curve: pools drawn of each size  [default: 20]",
    ),
    Rare(["--seed"], type=click.IntRange(min=0), help="With --learning-curve: seed of the draws  [default: 12345]"),
)
_ALONE = "--sweep or --learning-curve stands alone, without groups"
_STUDIES = {"sweep": _SWEEP, "learning_curve": _LEARNING_CURVE}
study_options = adding(
    click.Option(["--sweep"], is_flag=True, help="Choose τ, a and b instead, by leaving each text out."),
    click.Option(["--learning-curve"], is_flag=True, help="Tell instead what fewer ratings, and so more, would give."),
    *_SWEEP,
    *_LEARNING_CURVE,
)


@click.command(cls=ShortHelp, epilog="Example: referenceless calibrate pool.csv --system-column system")
@click.argument("pool")
@adding(*GROUPINGS, RATING_COLUMN)
@study_options
@plot_option("ratings over estimates, errors by length, learning curve, coverage by τ; of a sweep or a curve, its own")
@input_options
@allow_models_option
@parameter_options
@output_options
@progress_option
def calibrate(
    pool: str,
    system_column: str | None,
    group_column: str | None,
    plot: str | None,
    output: str | None,
    format: str,
    allow_models: bool,
    rating_column: str,
    text_column: str,
    input_format: str | None,
    data_dir: str | None,
    **parameters: Any,
) -> None:
    """Tell what a pool's estimates are worth, by leaving texts out.

    POOL holds a text and a rating a row, as for `fit`; it may also be what `fit` wrote. Each of its texts is estimated
    from all the others. With --system-column it is also estimated from the other systems alone, which is what to expect
    of outputs of a system without ratings; with --group-column, from the other groups.

    Sweep (--sweep) on ratings that you train on, never on a test set: shown are the settings that no other beats in
    both rank correlation and coverage, and the one that is recommended. --learning-curve tells how many more ratings
    are worth buying: ρ and coverage of smaller pools, drawn at random.
    """
    groupings = {"groups": group_column, "systems": system_column}
    is_grouped = any(groupings.values())
    study, settings = _study(parameters)
    if study is not None and is_grouped:
        raise click.UsageError(_ALONE)
    if study == "sweep" and pool.endswith(":test"):
        click.echo(f"warning: {pool} is a test split; settings chosen on it make its figures meaningless", err=True)
    from metric_commons.files.archive import is_archive

    rated: RatedTexts | None = None
    if is_archive(pool):
        if is_grouped:
            raise click.UsageError("a fitted pool holds no systems or groups: give the ratings themselves")
        metric = fitted_estimator(pool, text_column, input_format, rating_column, data_dir, allow_models, **parameters)
    else:
        rated = read_rated(
            pool,
            rating_column=rating_column,
            text_column=text_column,
            groupings=groupings,
            format=input_format,
            data_dir=data_dir,
        )
        metric = fitted_to(rated, parameters)
    if study is None:
        rows, summary, lines, draw = _calibration(metric, rated, format)
    else:
        rows, summary, lines, draw = _sweep(metric, **settings) if study == "sweep" else _curve(metric, **settings)
    from metric_commons.report.drawing import drawing

    if plot is not None:
        drawing(draw()).save(plot)
    headline, drawings = "", []
    if format == "html":
        headline, *lines = list(filter(None, lines))
        drawings = [drawing([each]) for each in draw()]
    write_rows(rows, summary, format, output, lines=lines, headline=headline, drawings=drawings)


def _study(parameters: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """Take the options of --sweep and --learning-curve out of the parameters: the one that is asked for, and its own.

    Raises:
        click.UsageError: for both, or an option of one that is not asked for.
    """
    asked = [name for name in _STUDIES if parameters.pop(name)]
    if len(asked) > 1:
        raise click.UsageError(_ALONE)
    settings = {}
    for name, options in _STUDIES.items():
        for option in options:
            value = parameters.pop(str(option.name))
            if value in (None, False):
                continue
            if name not in asked:
                raise click.UsageError(f"{option.opts[0]} belongs to --{name.replace('_', '-')}: add it")
            settings[str(option.name)] = value
    return (asked[0] if asked else None), settings


def _sweep(estimator: BLEUNeighbors, *, all: bool = False, **settings: Any) -> Findings:
    """Return the settings that no other beats in both rank correlation and coverage, and the recommended one."""
    from bleu_neighbors_metric.tuning.plots import sweep_plot
    from bleu_neighbors_metric.tuning.sweep import WARNING, sweep

    if "min_neighbors_values" in settings:
        settings["min_neighbors"] = settings.pop("min_neighbors_values")
    result = sweep(estimator, **settings)
    summary = {
        "recommended": None if result.best is None else result.best.as_row(),
        "n_settings": len(result.settings),
        "n_texts": result.n_texts,
        "warning": WARNING,
        "signature": estimator.signature,
    }
    rows = [setting.as_row() for setting in (result.settings if all else result.pareto)]
    return rows, summary, ["", result.recommendation, WARNING], lambda: [sweep_plot(result)]


def _curve(estimator: BLEUNeighbors, **settings: Any) -> Findings:
    """Return ρ and coverage of smaller pools, drawn at random: each text is estimated from each pool without itself."""
    from bleu_neighbors_metric.tuning.plots import learning_curve_plot
    from bleu_neighbors_metric.tuning.subsampling import pool_learning_curve

    curve = pool_learning_curve(estimator, **settings)
    summary = {"gain_of_last_doubling": curve.gain, "findings": curve.findings, "signature": estimator.signature}
    lines = ["", *curve.findings, estimator.signature]
    return list(map(vars, curve.points)), summary, lines, lambda: [learning_curve_plot(curve.points)]


def _calibration(estimator: BLEUNeighbors, rated: RatedTexts | None, format: str) -> Findings:
    """Return what the estimates are worth."""
    from bleu_neighbors_metric.tuning.calibration import calibrate
    from bleu_neighbors_metric.tuning.plots import calibration_plots

    result = calibrate(estimator, rated)
    summary = {"findings": result.findings, "verdict": result.verdict, "signature": result.signature}
    draw = partial(calibration_plots, estimator, verdict=result.verdict)
    if format == "table":
        return [], summary, calibration_lines(result), draw
    return [result.figures()], summary, list(result.findings), draw


def calibration_lines(result: Calibration) -> list[str]:
    """Return a calibration as lines of text."""
    from tabulate import tabulate

    assessment = result.assessment
    columns = {"": list(_rows(result.leave_one_out))}
    columns |= {f"{name} left out": list(_rows(agreed).values()) for name, agreed in assessment.agreements.items()}
    return [
        f"calibration of {assessment.n_texts} distinct texts ({assessment.n_ratings} ratings): {result.verdict}",
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
