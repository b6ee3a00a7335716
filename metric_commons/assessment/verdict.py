"""What an estimator's estimates are worth, as the estimator and its file carry it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from metric_commons.assessment.agreement import VERDICTS, Agreement

FIGURES = ("coverage", "spearman", "low", "high")


@dataclass(frozen=True)
class Verdict:
    """What leaving rated texts out showed.

    Attributes:
        verdict: `useful`, `weak` or `no better than the mean` (see `Agreement.verdict`).
        coverage: the share of rated texts with an estimate, each left out.
        spearman: the rank correlation of estimates and ratings; NaN where there is none.
        low: of its 95 % interval.
        high: likewise.
        by_group: whether the verdict is also that of groups left out.
    """

    verdict: str
    coverage: float
    spearman: float
    low: float
    high: float
    by_group: bool

    @property
    def told(self) -> str:
        """The verdict in a sentence."""
        how = "texts and groups of the pool left out" if self.by_group else "texts of the pool left out"
        if math.isnan(self.spearman):
            return f"the pool's calibration: {self.verdict} ({how}, coverage {self.coverage:.2f})"
        return (
            f"the pool's calibration: {self.verdict} ({how}: ρ {self.spearman:.2f} [{self.low:.2f}, {self.high:.2f}], "
            f"coverage {self.coverage:.2f})"
        )

    def header(self) -> dict[str, Any]:
        """Return the figures as JSON holds them."""
        figures = {name: getattr(self, name) for name in FIGURES}
        return {
            "verdict": self.verdict,
            **{name: None if math.isnan(value) else float(value) for name, value in figures.items()},
            "by_group": bool(self.by_group),
        }


def verdict_from(agreed: Agreement, *, by_group: bool = False) -> Verdict:
    """Return the verdict of an agreement of estimates with ratings."""
    rho = agreed.spearman
    return Verdict(agreed.verdict, agreed.coverage, rho.value, rho.low, rho.high, by_group)


def read_verdict(header: Mapping[str, Any]) -> Verdict:
    """Return what `Verdict.header` wrote, checked.

    Raises:
        KeyError: for a missing name.
        ValueError: for content that no calibration can have given; the message is about "it", the file.
    """
    if header["verdict"] not in VERDICTS:
        raise ValueError(f"the verdict of its calibration should be one of {', '.join(VERDICTS)}")
    if type(header["by_group"]) is not bool:
        raise ValueError("in its calibration, 'by_group' should be true or false")
    figures = {name: read_figure(name, header[name], -1.0) for name in FIGURES}
    return Verdict(header["verdict"], **figures, by_group=header["by_group"])


def read_figure(name: str, value: object, least: float) -> float:
    """Return a figure of a calibration, NaN for None.

    Raises:
        ValueError: for anything but None and a number from `least` to 1.
    """
    if value is None:
        return float("nan")
    if type(value) not in (int, float) or not least <= value <= 1:  # type: ignore[operator]
        raise ValueError(f"in its calibration, {name!r} should be a number from {least:g} to 1")
    return float(value)  # type: ignore[arg-type]
