"""Agreement of raters, drawn: the coefficients with their intervals, and each rater's mean."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from referenceless_metrics.pages.charts import Interval, intervals
from referenceless_metrics.pages.drawing import Plot

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.studies.raters import RaterAgreement

_TITLES = {
    "alpha nominal": "Krippendorff's α, nominal",
    "alpha ordinal": "Krippendorff's α, ordinal",
    "alpha interval": "Krippendorff's α, interval",
    "fleiss kappa": "Fleiss' κ",
    "kappa": "Cohen's κ",
    "weighted kappa": "Cohen's κ, quadratic weights",
}


def agreement_plots(agreed: RaterAgreement, criterion: str = "") -> list[Plot]:
    """Return a chart of the coefficients that are known; none if no output was rated twice.

    Args:
        agreed: the agreement.
        criterion: the criterion that the title names; "" for one without a name.
    """
    rows = [
        Interval(_TITLES[name], each.value, each.low, each.high)
        for name, each in agreed.coefficients.items()
        if not math.isnan(each.value)
    ]
    if not rows:
        return []
    heading = f"Agreement by {criterion}" if criterion else "Agreement"
    return [Plot(heading, intervals(rows, 0.0), "95% intervals; 1 is full agreement, dashed: chance", place=0)]
