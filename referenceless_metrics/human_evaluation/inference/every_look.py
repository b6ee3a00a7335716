"""A mean that is looked at while items come in: its sequence, and why there may be none yet.

Sequences by betting hold for scores of any distribution between two known ends. Asymptotic ones hold for values that
are about symmetric. For them the rules of one-sided bounds count: no verdict rests on a skewed mean, or on one that
kinds of items that were not drawn may turn (see `one_sided`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referenceless_metrics.core.support.validation import Floats
from referenceless_metrics.human_evaluation.inference.any_time import (
    AnySequence,
    AsymptoticSequence,
    BettingSequence,
    Looks,
)
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference
from referenceless_metrics.human_evaluation.inference.one_sided import (
    FEWEST_WITHOUT_ENDS,
    Ends,
    OneSided,
    third_cumulant,
)

_MOST_SKEWNESS = 0.1
"""Largest skewness of a mean of values without known ends. With .15, looks every 5 items to 200 show a difference of
equal means in 5.3 % of exponential differences, with .1 in 1.2 %; for normal ones .1 withholds 4 % of looks at 50."""


@dataclass(frozen=True, eq=False)
class Watched:
    """A mean at one look.

    Attributes:
        value: the mean of the complete items.
        standard_error: standard error of the mean, as of one look.
        n: number of items.
        looks: the plan of looks.
        sequence: None if nothing can be said yet.
        bounds: further bounds that an asymptotic sequence needs; None of a sequence by betting.
        obstacle: the reason why there is no interval yet, in words; "" if there is one.
    """

    value: float
    standard_error: float
    n: int
    looks: Looks
    sequence: AnySequence | None = None
    bounds: OneSided | None = None
    obstacle: str = ""

    def interval(self, level: float) -> tuple[float, float]:
        """Return the interval at a level, NaN at both ends if nothing can be said yet."""
        if self.sequence is None:
            return np.nan, np.nan
        low, high = self.sequence.interval(level)
        if self.bounds is None:
            return low, high
        unseen = self.bounds.unseen(level)
        return min(low, self.value - unseen), max(high, self.value + unseen)

    def p_value(self, hypothesis: float = 0.0) -> float:
        """Return the two-sided p of a mean, which agrees with the interval; NaN if nothing can be said yet."""
        if self.sequence is None:
            return np.nan
        p = self.sequence.p_value(hypothesis)
        return p if self.bounds is None else max(p, self.bounds.unseen_p(hypothesis))

    @property
    def is_early(self) -> bool:
        """Whether the first look is not reached."""
        return self.n < self.looks.first

    @property
    def left(self) -> int:
        """The number of items that are left by the plan."""
        return self.looks.left(self.n)


def watched_difference(values: Floats, looks: Looks, ends: Ends, *, by_betting: bool) -> Watched:
    """Return the mean difference of two systems at this look.

    Args:
        values: the differences of complete items, in the order in which they came, shape (n,).
        looks: the plan of looks.
        ends: the ends of the scale, for the largest difference on an item.
        by_betting: whether a sequence by betting is to be taken if the ends are known: of scores, which may be skewed.
    """
    if by_betting and ends.are_known:
        return _watched(values, looks, Ends(ends.most, (-ends.most, ends.most), ends.said), by_betting=True)
    return _watched(values, looks, ends, by_betting=False)


def watched_mean(values: Floats, looks: Looks, scale: tuple[float, float] | None) -> Watched:
    """Return a system's mean at this look: by betting on a scale with known ends, else asymptotic.

    Args:
        values: means of complete items, in the order in which they came, shape (n,).
        looks: the plan of looks.
        scale: the ends of the scale; None if they are not known.
    """
    most = float(np.ptp(values)) if len(values) else 0.0
    return _watched(values, looks, Ends(most, scale, ""), by_betting=scale is not None)


def _watched(values: Floats, looks: Looks, ends: Ends, *, by_betting: bool) -> Watched:
    n = len(values)
    value = float(values.mean()) if n else np.nan
    error = float(values.std(ddof=1)) / np.sqrt(n) if n > 1 else np.inf
    if n < looks.first:
        obstacle = f"the first look is at {looks.first} complete items (--first-look), and there are {n}"
        return Watched(value, error, n, looks, obstacle=obstacle)
    if by_betting and ends.scale is not None:
        return Watched(value, error, n, looks, BettingSequence(values, ends.scale, looks))
    if np.ptp(values) == 0 and not ends.are_known:
        return Watched(
            value, error, n, looks, obstacle="nothing varies, and the ends of the scale are not known (--scale)"
        )
    if n < FEWEST_WITHOUT_ENDS and not ends.are_known:
        obstacle = (
            f"nobody named the ends of the scale (--scale LOW-HIGH): without them the first look is at "
            f"{FEWEST_WITHOUT_ENDS} complete items, and there are {n}"
        )
        return Watched(value, error, n, looks, obstacle=obstacle)
    third = third_cumulant((values - value) / n, np.arange(n))
    bounds = OneSided.skewed(Inference(value, error, n - 1.0, 0.0), third, n, ends)
    if _is_too_skewed(bounds):
        obstacle = (
            "a few items differ so much more than the rest that a sequence would be wrong too often: wait for more "
            f"items{'' if ends.are_known else ', or name the ends of the scale (--scale LOW-HIGH)'}"
        )
        return Watched(value, error, n, looks, obstacle=obstacle)
    return Watched(value, error, n, looks, AsymptoticSequence(values, looks), bounds)


def _is_too_skewed(bounds: OneSided) -> bool:
    if bounds.ends.are_known:
        for_low, for_high = bounds.needed
        return bounds.n < (for_low if bounds.estimate.value > 0 else for_high)
    return abs(bounds.estimate.skewness) > _MOST_SKEWNESS
