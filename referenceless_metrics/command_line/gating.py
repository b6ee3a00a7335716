"""Parts that all gates share: their statuses, their option of coverage, and a warning of a metric's worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from referenceless_metrics.command_line.help import Rare

if TYPE_CHECKING:
    from referenceless_metrics.assessment.agreement import Verdict

WORSE, CANNOT_TELL = 1, 3
"""Exit statuses; 0 is not worse, and 2 wrong usage or a file that cannot be used."""


def min_coverage_option(gate: str, default: str = "0.5") -> Rare:
    """Return the option of the least coverage for a verdict, of the gate that an option asks for."""
    return Rare(
        ["--min-coverage"],
        type=click.FloatRange(0, 1),
        metavar="SHARE",
        help=f"With {gate}: least share with a value for a verdict, else 3; 0 asks nothing  [default: {default}]",
    )


def warning_of(metric: str, verdict: Verdict | None) -> str:
    """Return a warning that a metric's estimates of ratings are worth little; "" if they are not known to be so.

    Args:
        metric: the metric's name.
        verdict: the verdict from leaving rated texts out; None if there is none.
    """
    from referenceless_metrics.assessment.agreement import UNPROVEN

    if verdict is None or verdict.verdict not in UNPROVEN:
        return ""
    return f"warning: from leaving rated texts out, the verdict on estimates of {metric} is: {verdict.verdict}"
