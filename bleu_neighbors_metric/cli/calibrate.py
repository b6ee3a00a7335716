"""The command `calibrate`, also with --sweep and with --learning-curve."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from bleu_neighbors_metric.cli.options import ALLOW_MODELS, PARAMETERS, fitted_to
from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.help import ShortHelp
from referenceless_metrics.command_line.output_options import output_options, plot_option, progress_option
from referenceless_metrics.command_line.parameter_options import given
from referenceless_metrics.command_line.rated_text_options import GROUPINGS
from referenceless_metrics.command_line.text_options import INPUT, input_options
from referenceless_metrics.core.files.output import write_rows
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.text_io import read_rated
from referenceless_metrics.human_evaluation.commands.rating_options import RATING_COLUMNS, VALUES
from referenceless_metrics.human_evaluation.ratings.exports.answers import RATING

if TYPE_CHECKING:
    from bleu_neighbors_metric.estimator import BLEUNeighbors
    from bleu_neighbors_metric.tuning.calibration import Calibration
    from referenceless_metrics.assessment.agreement import Agreement
    from referenceless_metrics.assessment.meta_evaluation import Correlation
    from referenceless_metrics.core.files.tables import RatedTexts
    from referenceless_metrics.core.support.validation import Record
    from referenceless_metrics.pages.drawing import Plot

    Findings: TypeAlias = tuple[list[Record], Record, list[str], Callable[[], list[Plot]]]
    """Rows, a summary, sentences below, and the function that draws it."""


@click.command(cls=ShortHelp, epilog="Example: referenceless calibrate pool.csv --system-column system")
@click.argument("pool", type=INPUT)
@adding(*GROUPINGS, RATING_COLUMNS, VALUES)
@click.option("--sweep", "study", flag_value="sweep", help="Choose τ, a and b instead, by leaving each text out.")
@click.option("--learning-curve", "study", flag_value="curve", help="Tell instead what more ratings would give.")
@plot_option("ratings over estimates, errors by length, learning curve, coverage by τ; of a sweep or a curve, its own")
@input_options
@adding(ALLOW_MODELS, *PARAMETERS)
@output_options
@progress_option
def calibrate(
    pool: str,
    system_column: str | None,
    group_column: str | None,
    study: str | None,
    plot: str | None,
    output: str | None,
    format: str,
    allow_models: bool,
    rating_columns: tuple[str, ...],
    values: dict[str, float] | None,
    text_column: str,
    reading: Reading,
    **parameters: Any,
) -> None:
    """Measure the worth of a pool's estimates, by leaving texts out.

    POOL holds a text and a rating per row, as for `fit`; it may also be a study's folder, or a file that `fit` wrote.
    Each of its texts is estimated from all the others. With --system-column it is also estimated from the other systems
    alone, as for outputs of a system without ratings; with --group-column, from the other groups.

    Sweep (--sweep) on ratings that you train on, never on a test set: shown are the settings that no other beats in
    both rank correlation and coverage, and the recommended one. --learning-curve estimates the worth of more ratings: ρ
    and coverage of smaller pools, drawn at random.
    """
    groupings = {"groups": group_column, "systems": system_column}
    is_grouped = any(groupings.values())
    if study is not None and is_grouped:
        raise click.UsageError("--sweep or --learning-curve stands alone, without groups")
    if study == "sweep" and pool.endswith(":test"):
        click.echo(f"warning: {pool} is a test split; settings chosen on it make its figures meaningless", err=True)
    from bleu_neighbors_metric.pool_source import bleu_neighbors
    from referenceless_metrics.core.files.archive import is_archive

    rated: RatedTexts | None = None
    if is_archive(pool):
        if is_grouped:
            raise click.UsageError("a fitted pool holds no systems or groups: give the ratings themselves")
        metric = bleu_neighbors(pool=pool, allow_models=allow_models, **given(parameters))
    else:
        rated = read_rated(
            pool,
            rating_column=rating_columns or RATING,
            words=values,
            text_column=text_column,
            groupings=groupings,
            reading=reading,
        )
        metric = fitted_to(rated, parameters)
    study_of = {"sweep": _sweep, "curve": _curve}
    rows, summary, lines, draw = study_of[study](metric) if study else _calibration(metric, rated, format)
    from referenceless_metrics.pages.drawing import drawing

    if plot is not None:
        drawing(draw()).save(plot)
    headline = ""
    page: Record = {}
    if format == "html":
        headline, *lines = list(filter(None, lines))
        page = {"plots": draw(), "following": ["What another metric would make of the same ratings:", _advise(pool)]}
    write_rows(rows, summary, format, output, lines=lines, headline=headline, page=page)


def _advise(pool: str) -> str:
    return f"referenceless advise {shlex.quote(pool)}"


def _sweep(estimator: BLEUNeighbors) -> Findings:
    """Return the settings that no other beats in both rank correlation and coverage, and the recommended one."""
    from bleu_neighbors_metric.tuning.plots import sweep_plot
    from bleu_neighbors_metric.tuning.sweep import WARNING, sweep

    result = sweep(estimator)
    summary = {
        "recommended": None if result.best is None else result.best._asdict(),
        "n_settings": len(result.settings),
        "n_texts": result.n_texts,
        "warning": WARNING,
        "signature": estimator.signature,
    }
    rows = [setting._asdict() for setting in result.pareto]
    return rows, summary, ["", result.recommendation, WARNING], lambda: [sweep_plot(result)]


def _curve(estimator: BLEUNeighbors) -> Findings:
    """Return ρ and coverage of smaller pools, drawn at random: each text is estimated from each pool without itself."""
    from bleu_neighbors_metric.tuning.parts import pool_learning_curve
    from bleu_neighbors_metric.tuning.plots import learning_curve_plot

    curve = pool_learning_curve(estimator)
    summary = {"gain_of_last_doubling": curve.gain, "findings": curve.findings, "signature": estimator.signature}
    lines = ["", *curve.findings, estimator.signature]
    return list(map(vars, curve.points)), summary, lines, lambda: [learning_curve_plot(curve.points)]


def _calibration(estimator: BLEUNeighbors, rated: RatedTexts | None, format: str) -> Findings:
    """Return the findings on the worth of the estimates."""
    from bleu_neighbors_metric.tuning.calibration import calibrate
    from bleu_neighbors_metric.tuning.plots import calibration_plots

    result = calibrate(estimator, rated)
    summary = {"findings": result.findings, "verdict": result.verdict, "signature": result.signature}
    draw = partial(calibration_plots, estimator, verdict=result.verdict)
    if format == "table":
        return [], summary, calibration_lines(result), draw
    return [result.figures()], summary, list(result.findings), draw


_ON_ABSTENTIONS = (
    "R² is over all texts, with the mean for one without an estimate; MSE over those with an estimate alone"
)


def calibration_lines(result: Calibration) -> list[str]:
    """Return a calibration as lines of text."""
    from tabulate import tabulate

    from referenceless_metrics.assessment.agreement import CORRECTED_TOLD

    assessment = result.assessment
    columns = {"": list(_rows(result.leave_one_out))}
    columns |= {f"{name} left out": list(_rows(agreed).values()) for name, agreed in assessment.agreements.items()}
    return [
        f"calibration of BLEU Neighbors on {assessment.n_texts} distinct texts ({assessment.n_ratings} ratings): "
        f"{result.verdict}; `referenceless advise` tries the other metrics, too",
        "",
        *str(tabulate(columns, headers="keys", disable_numparse=True)).splitlines(),
        "",
        f"{CORRECTED_TOLD}.",
        f"without an estimate: {result.n_too_few} with too few neighbours, {result.n_too_many} with too many",
        *([_ON_ABSTENTIONS] if result.leave_one_out.coverage < 1 else []),
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
        "Spearman, corrected": _interval(agreed.corrected),
        "Pearson": _interval(agreed.pearson),
        "Spearman, length fixed": _interval(agreed.given_length),
        "Spearman of length alone": _interval(agreed.length),
    }


def _number(value: float) -> str:
    return "–" if value != value else f"{value:.4f}"


def _interval(figure: Correlation) -> str:
    return "–" if figure.value != figure.value else f"{figure.value:.3f} [{figure.low:.3f}, {figure.high:.3f}]"
