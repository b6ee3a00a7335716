"""The gate of `score`: it fails if the mean is below a least one (`--fail-under`)."""

from __future__ import annotations

import click

from referenceless_metrics.command_line.gating import CANNOT_TELL, WORSE
from referenceless_metrics.core.results import MetricResult, RunningSummary
from referenceless_metrics.human_evaluation.wording.phrases import listed


def leave_if_under(
    result: MetricResult | RunningSummary, least: float, of: str, min_coverage: float | None, warning: str = ""
) -> None:
    """Leave with 1 if a mean is below the least that is asked for, and with 3 if there is none of enough texts.

    Args:
        result: the metric's values.
        least: the least mean that passes.
        of: the metric's name.
        min_coverage: least share of texts with a value for a verdict; None for any.
        warning: as of `warning_of`.
    """
    unsure = f"cannot be told whether the mean of {of} is at least {least:g}"
    if not result.n_covered:
        click.echo(f"{unsure}: there is none", err=True)
        click.get_current_context().exit(CANNOT_TELL)
    counts = f"{result.n_covered} of {len(result)} texts have a value"
    if result.coverage < (min_coverage or 0.0):
        reasons = listed([f"{n} {reason}" for reason, n in result.abstentions.most_common()])
        click.echo(f"{unsure}: only {counts} ({reasons}), and --min-coverage is {min_coverage:g}", err=True)
        click.get_current_context().exit(CANNOT_TELL)
    if result.mean < least:
        on = "" if result.n_covered == len(result) else f"; {counts}"
        warned = f"; {warning}" if warning else ""
        click.echo(f"the mean of {of}, {result.mean:.4g}, is below {least:g} (--fail-under){on}{warned}", err=True)
        click.get_current_context().exit(WORSE)
