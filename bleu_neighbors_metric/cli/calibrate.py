"""The command `calibrate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bleu_neighbors_metric.cli.options import (
    allow_models_option,
    fitted_estimator,
    fitted_to,
    parameter_options,
    rating_columns_option,
)
from bleu_neighbors_metric.cli.sweep import STUDIES, study_options
from metric_commons.cli.base import COLUMN, input_options, output_options, plot_option, progress_option
from metric_commons.cli.help import ShortHelp
from metric_commons.files.output import paragraphs, terminal_width, write, write_rows
from metric_commons.files.text_io import read_ratings

if TYPE_CHECKING:
    from bleu_neighbors_metric.tuning.calibration import Calibration
    from metric_commons.assessment.agreement import Agreement
    from metric_commons.assessment.meta_evaluation import Correlation
    from metric_commons.files.tables import RatedTexts


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
    rows: list[dict[str, Any]] = [
        {**({"rating_column": name} if several else {}), **figures(one)} for name, one in results.items()
    ]
    told = {
        name: {"findings": list(one.findings), "verdict": one.verdict, "signature": one.signature}
        for name, one in results.items()
    }
    lines = [line for one in results.values() for line in one.findings]
    write_rows(rows, {"calibrations": told} if several else told[rating_columns[0]], format, output, lines=lines)


def calibration_lines(result: Calibration) -> list[str]:
    """Return a calibration as lines of text."""
    from tabulate import tabulate

    columns = {"": [name for name, _ in _rows(result.leave_one_out)]}
    ways = {"each text left out": result.leave_one_out}
    if result.by_group is not None:
        ways["each group left out"] = result.by_group
    columns |= {title: [value for _, value in _rows(agreed)] for title, agreed in ways.items()}
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


def _rows(agreed: Agreement) -> list[tuple[str, str]]:
    return [
        ("coverage", f"{agreed.coverage:.3f}"),
        ("MSE", _number(agreed.mean_squared_error)),
        ("MSE of the mean", _number(agreed.baseline_error)),
        ("R²", _number(agreed.r_squared)),
        ("Spearman", _interval(agreed.spearman)),
        ("Pearson", _interval(agreed.pearson)),
        ("Spearman, length fixed", _interval(agreed.given_length)),
        ("Spearman of length alone", _interval(agreed.length)),
    ]


def _number(value: float) -> str:
    return "–" if value != value else f"{value:.4f}"


def _interval(figure: Correlation) -> str:
    if figure.n == 0 or figure.value != figure.value:
        return "–"
    return f"{figure.value:.3f} [{figure.low:.3f}, {figure.high:.3f}]"
