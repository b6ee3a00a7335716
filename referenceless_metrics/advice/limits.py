"""Limits of the estimates that an advice chose: how many of the texts that people rate as bad each one catches."""

from __future__ import annotations

import numpy as np

from referenceless_metrics.advice.advise import Advice
from referenceless_metrics.assessment.agreement import TEXTS
from referenceless_metrics.human_evaluation.judges.limits import Bad, Limits, limits_of

_LEVEL = 0.95


def limits_of_advice(advice: Advice, bad: Bad) -> Limits:
    """Return limits of the chosen metric's estimates, each made without the text's own rating; no abstentions count.

    Args:
        advice: the result of `advise`.
        bad: the ratings that count as bad.
    """
    known = np.isfinite(advice.estimates)
    n_known = int(known.sum())
    return limits_of(advice.estimates[known], advice.ratings[known], np.arange(n_known), bad, _LEVEL)


def limits_lines(advice: Advice, limits: Limits) -> list[str]:
    """Return the limits in sentences, which say how the estimates were made."""
    strictest = advice.assessment.strictest
    how = f" (by estimates of the {advice.chosen.name}, each text left out"
    if strictest != TEXTS:
        how += f"; with {strictest} left out a limit is worth less, as `referenceless evaluate --bad` shows"
    return limits.lines(how=f"{how})")
