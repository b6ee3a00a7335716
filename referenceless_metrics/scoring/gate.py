"""The gate of `score`: it fails if the mean is below a least one (`--fail-under`)."""

from __future__ import annotations

from dataclasses import dataclass

import click

from referenceless_metrics.command_line.gating import CANNOT_TELL, WORSE
from referenceless_metrics.core.results import MetricResult, RunningSummary
from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.wording.phrases import listed


@dataclass(frozen=True)
class LeastMean:
    """The least mean that passes.

    Attributes:
        least: the mean.
        of: the metric's name.
        min_coverage: least share of texts with a value for a verdict; None for any.
        warning: as of `warning_of`.
    """

    least: float
    of: str
    min_coverage: float | None
    warning: str = ""

    def verdict(self, result: MetricResult | RunningSummary) -> tuple[int, str]:
        """Return the status, 1 for a mean below the least one and 3 for one of too few texts, and why."""
        unsure = f"cannot be told whether the mean of {self.of} is at least {self.least:g}"
        if not result.n_covered:
            return CANNOT_TELL, f"{unsure}: there is none"
        counts = f"{result.n_covered} of {len(result)} texts have a value"
        if result.coverage < (self.min_coverage or 0.0):
            reasons = listed([f"{n} {reason}" for reason, n in result.abstentions.most_common()])
            return CANNOT_TELL, f"{unsure}: only {counts} ({reasons}), and --min-coverage is {self.min_coverage:g}"
        on = "" if result.n_covered == len(result) else f"; {counts}"
        warned = f"; {self.warning}" if self.warning else ""
        is_under = result.mean < self.least
        than = "is below" if is_under else "is at least"
        told = f"the mean of {self.of}, {result.mean:.4g}, {than} {self.least:g} (--fail-under){on}{warned}"
        return (WORSE if is_under else 0), told

    def line(self, result: MetricResult) -> str:
        """Return the verdict as a line of an output."""
        status, why = self.verdict(result)
        return f"gate: {why}; exit status {status}"

    def record(self, result: MetricResult) -> Record:
        """Return the verdict as data."""
        status, why = self.verdict(result)
        return {"status": status, "finding": why}

    def leave(self, result: MetricResult | RunningSummary) -> None:
        """Leave with the status, and say why on standard error, unless the mean passes."""
        status, why = self.verdict(result)
        if status:
            click.echo(why, err=True)
            click.get_current_context().exit(status)
