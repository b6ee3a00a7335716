"""Confidence sequences: intervals and p of a mean that hold at all numbers of items at once, however often one looks.

Items are independent and come in random order. Two kinds of sequence, from a first look that is fixed beforehand:

* Asymptotic, for values that are about symmetric, such as differences of ratings: Waudby-Smith, Arbour, Sinha, Kennedy
  & Ramdas (2024), "Time-uniform central limit theory and asymptotic confidence sequences", Annals of Statistics 52(6),
  arXiv:2103.06476, Theorem 2.2.
* By betting, for values between two known ends, of any distribution: Waudby-Smith & Ramdas (2024), "Estimating means of
  bounded random variables by betting", JRSS B 86(1), arXiv:2010.09686, Theorem 3 (the hedged capital process).

Both have a parameter that makes them narrow near one number of items, which is planned beforehand. At that number they
are about 1.5 times as wide as the interval of a single look.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.validation import Floats, InputError

FIRST_LOOK = 20
"""The first look if nobody names another: with fewer items an asymptotic sequence is wrong too often."""

PLANNED = 100
"""The number of items for which sequences are narrowest, if nobody names another."""

_MOST_OF_BET = 0.9
"""Largest share of the capital that a bet may lose (c of Waudby-Smith & Ramdas, Eq. 26). It is .5 there; with .9,
intervals of values that vary little beside the range are a quarter to a third narrower at the planned number."""

_STEPS = 60
"""Halvings of the range in which an end of a betting interval lies."""


@dataclass(frozen=True)
class Looks:
    """The looks at a study, fixed beforehand.

    Attributes:
        first: the number of items at the first look.
        planned: the number of items for which sequences are to be narrowest.
        level: the level of the intervals of a single comparison, for which they are to be narrowest.

    Raises:
        InputError: for numbers that are too small.
    """

    first: int = FIRST_LOOK
    planned: int = PLANNED
    level: float = 0.95

    def __post_init__(self) -> None:
        if self.first < 2:
            raise InputError(f"expected a first look (--first-look) after at least 2 items, but got {self.first}")
        if self.planned < self.first:
            raise InputError(
                f"expected at least as many planned items (--planned-items) as at the first look, {self.first}, but "
                f"got {self.planned}"
            )

    @classmethod
    def of_study(cls, n_items: int, level: float = 0.95) -> Looks:
        """Return the looks at a study of so many items, which are its plan, if nobody named others."""
        return cls(FIRST_LOOK, max(FIRST_LOOK, n_items), level)

    @property
    def signature(self) -> str:
        """The looks as a signature has them."""
        return f"looks:every,first={self.first},planned={self.planned}"

    def held(self, items: str = "items") -> str:
        """Return when intervals and p hold, in words.

        >>> Looks().held("complete items")
        'hold at every look from 20 complete items on (planned: 100)'
        """
        return f"hold at every look from {self.first} {items} on (planned: {self.planned})"

    def left(self, n: int) -> int:
        """Return the number of items that are left by the plan after n."""
        return max(0, self.planned - n)

    def too_early(self, n: int) -> str:
        """Return that n items are fewer than at the first look, in words.

        >>> Looks().too_early(9)
        'Too early: 9 of the 20 items of the first look are complete'
        """
        return f"Too early: {n} of the {self.first} items of the first look are complete"

    def plan(self, n: int) -> str:
        """Return the number of items that are left by the plan after n, in words."""
        if self.left(n):
            return f"{self.left(n)} more item{'s' if self.left(n) > 1 else ''} by the plan of {self.planned}"
        return f"the plan of {self.planned} items is done"


@dataclass(frozen=True, eq=False)
class AsymptoticSequence:
    """The asymptotic confidence sequence of a mean.

    With t values of mean m and standard deviation s, and u = tρ² + 1, the interval is
    m ± s √(2u / (t²ρ²) · log(√u / α)) (Theorem 2.2), and ρ is the one of least width at the planned number of items
    (Appendix B.2).

    Attributes:
        values: shape (t,), finite.
        looks: the plan of looks.

    >>> sequence = AsymptoticSequence(np.tile([0.0, 2.0], 50), Looks())
    >>> [round(end, 3) for end in sequence.interval(0.95)], sequence.p_value(0.0) < 1e-9
    ([0.695, 1.305], True)
    """

    values: Floats
    looks: Looks

    @property
    def _rho_squared(self) -> float:
        from scipy.special import lambertw

        alpha = 1 - self.looks.level
        return float(-lambertw(-(alpha**2) / math.e, -1).real - 1) / self.looks.planned

    def interval(self, level: float) -> tuple[float, float]:
        """Return the interval at a level, in (0, 1)."""
        t = len(self.values)
        mixed = t * self._rho_squared + 1
        squared = 2 * mixed / (t**2 * self._rho_squared) * math.log(math.sqrt(mixed) / (1 - level))
        mean, half = float(self.values.mean()), float(self.values.std(ddof=1)) * math.sqrt(squared)
        return mean - half, mean + half

    def p_value(self, hypothesis: float) -> float:
        """Return the two-sided p that the mean is `hypothesis`: one less the highest level that leaves it out."""
        t = len(self.values)
        deviation, distance = float(self.values.std(ddof=1)), float(self.values.mean()) - hypothesis
        if deviation == 0:
            return float(distance == 0)
        mixed = t * self._rho_squared + 1
        exponent = t**2 * self._rho_squared * (distance / deviation) ** 2 / (2 * mixed)
        return min(1.0, math.sqrt(mixed) * math.exp(-exponent))


@dataclass(frozen=True, eq=False)
class BettingSequence:
    """The confidence sequence of a mean of bounded values by betting against each mean.

    Whoever bets a share λᵢ on xᵢ being above m has the capital Π (1 + λᵢ (xᵢ − m)) after t values, whose expectation is
    1 if m is the mean; a mean is left out once half of the capital of either side is at least 1 / α (the hedged capital
    process, Theorem 3, with θ = 1/2). λᵢ is made of the values before xᵢ (Eq. 26, with the planned number of items).

    Attributes:
        values: shape (t,), within the ends, in the order in which they came.
        ends: the lowest and the highest possible value.
        looks: the plan of looks.

    Raises:
        ValueError: for a value outside the ends.

    >>> sequence = BettingSequence(np.tile([0.0, 1.0, 1.0, 1.0], 25), (0.0, 1.0), Looks())
    >>> [round(end, 2) for end in sequence.interval(0.95)], sequence.p_value(0.5) < 0.001
    ([0.62, 0.85], True)
    """

    values: Floats
    ends: tuple[float, float]
    looks: Looks

    def __post_init__(self) -> None:
        low, high = self.ends
        outside = self.values[(self.values < low) | (self.values > high)]
        if len(outside):
            raise ValueError(f"Expected `values` from {low:g} to {high:g}, but got {outside[0]:g}")

    @cached_property
    def _shares(self) -> Floats:
        """The values as shares of the range, shape (t,)."""
        low, high = self.ends
        shares: Floats = (self.values - low) / (high - low)
        return shares

    @cached_property
    def _bets(self) -> Floats:
        """λᵢ before it is cut, shape (t,): √(2 log(2 / α) / (n σ²)), σ² being the variance of the values before."""
        shares, counts = self._shares, np.arange(1, len(self._shares) + 1)
        means = (0.5 + np.cumsum(shares)) / (counts + 1)
        variances = (0.25 + np.cumsum((shares - means) ** 2)) / (counts + 1)
        before = np.concatenate([[0.25], variances[:-1]])
        bets: Floats = np.sqrt(2 * math.log(2 / (1 - self.looks.level)) / (self.looks.planned * before))
        return bets

    def _log_capital_above(self, mean: float) -> float:
        """Return the logarithm of the capital of who bets that the mean is above this one, a share of the range."""
        bets = np.minimum(self._bets, _MOST_OF_BET / mean) if mean > 0 else self._bets
        return float(np.log1p(bets * (self._shares - mean)).sum())

    def _log_capital_below(self, mean: float) -> float:
        """Return the same of who bets that it is below."""
        bets = np.minimum(self._bets, _MOST_OF_BET / (1 - mean)) if mean < 1 else self._bets
        return float(np.log1p(-bets * (self._shares - mean)).sum())

    def interval(self, level: float) -> tuple[float, float]:
        """Return the interval at a level, in (0, 1)."""
        needed = math.log(2 / (1 - level))
        lower = _threshold(lambda mean: self._log_capital_above(mean) < needed)
        upper = 1 - _threshold(lambda rest: self._log_capital_below(1 - rest) < needed)
        low, high = self.ends
        return low + (high - low) * lower, low + (high - low) * upper

    def p_value(self, hypothesis: float) -> float:
        """Return the two-sided p that the mean is `hypothesis`: one less the highest level that leaves it out."""
        low, high = self.ends
        mean = (hypothesis - low) / (high - low)
        return min(1.0, 2 * math.exp(-max(self._log_capital_above(mean), self._log_capital_below(mean))))


def _threshold(is_inside: Callable[[float], bool]) -> float:
    """Return the least share in [0, 1] that is inside, of shares that are so from there on."""
    outside, inside = 0.0, 1.0
    if is_inside(outside):
        return outside
    for _ in range(_STEPS):
        middle = (outside + inside) / 2
        if is_inside(middle):
            inside = middle
        else:
            outside = middle
    return inside


AnySequence = AsymptoticSequence | BettingSequence
