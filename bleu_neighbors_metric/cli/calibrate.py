"""The command `calibrate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bleu_neighbors_metric.cli.options import allow_models_option, parameter_options, pool_or_index, quality_option
from metric_commons.cli.base import input_options, output_options, progress_option
from metric_commons.files.output import render, write

if TYPE_CHECKING:
    from bleu_neighbors_metric.tuning.calibration import Calibration


@click.command(epilog="Example: bleu-neighbors calibrate huse:summarization --data-dir data/huse")
@click.argument("pool")
@input_options
@quality_option
@allow_models_option
@parameter_options
@output_options
@progress_option
def calibrate(pool: str, output: str | None, format: str, allow_models: bool, **options: Any) -> None:
    """Tell whether a pool can be trusted, by estimating each of its texts from all the others.

    POOL holds a text and a rating a row, as for `fit`; it may also be an index file that `fit` wrote.
    """
    from bleu_neighbors_metric.tuning.calibration import calibrate, figures

    result = calibrate(pool_or_index(pool, options, allow_models=allow_models))
    row = figures(result)
    if format == "table":
        write("".join(f"{line}\n" for line in calibration_lines(result)), output)
    else:
        summary = {
            "findings": list(result.findings),
            "trustworthy": result.trustworthy,
            "signature": result.signature,
        }
        write(render([row], summary, format), output)


def calibration_lines(result: Calibration) -> list[str]:
    """Return a calibration as lines of text."""

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
