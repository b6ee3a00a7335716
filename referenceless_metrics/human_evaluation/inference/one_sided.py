"""One-sided bounds of a difference of means, on which a gate rests, and reasons not to base a verdict on them.

Three things make such a bound wrong too often. Skewness: it is taken out (Hall 1992; see `Inference`), and a mean that
is still skewed gives no verdict. Few items: below `FEWEST_FOR_BOUNDS` there is none either. Items that were not drawn:
an event of a share π of items is missed by n items with a probability of (1 − π)ⁿ, so that shares below 1 − α^(1/n)
cannot be excluded at α. A verdict therefore also needs a mean that such a share could not turn, if each of its items
differed by as much as the scale allows. If nobody knows the ends of the scale, an item is taken to differ by the whole
range of the scores that were seen, and a verdict needs `FEWEST_WITHOUT_ENDS` items, which seldom miss an event in 5 %
of items; rarer kinds beyond that range are past any rule, and the verdict names its basis.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference

FEWEST_FOR_BOUNDS = 20
"""Fewest clusters (or items, if there are none) for one-sided bounds: from here on they hold for exponential
differences."""

FEWEST_WITHOUT_ENDS = 59
"""Fewest items for a verdict if the ends of the scale are not known: they miss a kind of 5 % of items with p < .05."""

# Hall's correction takes out the effect of skewness to the first order, and estimates the skewness from the same items,
# so
# that a mean that is still skewed is called worse too often: 10 % of equal means for lognormal differences of 20 items.
# Simulations of normal, bounded, lognormal, exponential and heavy-tailed differences of 20 to 200 items, and of rare
# failures, chose the two.
_SKEWNESS_TOWARDS = 0.25
"""Largest skewness of a mean away from 0 on the side of its bound: with rare large gains a mean is called worse."""

_SKEWNESS_AWAY = 0.42
"""Largest skewness on the other side, on which the bound errs less: a gate is to find rare large losses."""


@dataclass(frozen=True)
class Ends:
    """The ends of a scale, as far as they are known.

    Attributes:
        most: largest difference of two systems on one item; the range that was seen, if the ends are not known.
        scale: the ends, if they are named or seem to be known from the scores.
        said: the same in words.
        seen: the least and the greatest score that were seen, if the ends are not known; None if no score was.
    """

    most: float
    scale: tuple[float, float] | None
    said: str
    seen: tuple[float, float] | None = None

    @property
    def are_known(self) -> bool:
        """Whether the ends are known."""
        return self.scale is not None

    @property
    def sentence(self) -> str:
        """A sentence on the ends as far as they are known; "" if nothing rests on it."""
        return f"{self.said[0].upper()}{self.said[1:]}." if self.said else ""

    @property
    def proposed(self) -> tuple[float, float] | None:
        """Round ends with room for half the range that was seen on each side; None if no range was.

        They are an example of what to name, and no finding: nothing keeps a score inside.

        >>> Ends(12.6, None, "", (-11.1, 1.5)).proposed
        (-20.0, 10.0)
        """
        if self.seen is None or not 0 < self.seen[1] - self.seen[0] < math.inf:
            return None
        low, high = self.seen
        room = (high - low) / 2
        step = 10.0 ** math.floor(math.log10(high - low))
        return step * math.floor((low - room) / step), step * math.ceil((high + room) / step)


@dataclass(frozen=True)
class OneSided:
    """Bounds of a difference of means from one side.

    Attributes:
        estimate: the difference, with its skewness.
        n: number of items, or clusters, that it rests on.
        ends: the ends of the scale, which limit the difference on one item, either way; see `ends_of`.
    """

    estimate: Inference
    n: int
    ends: Ends

    @classmethod
    def skewed(cls, estimate: Inference, third: float, n: int, ends: Ends) -> OneSided:
        """Return the bounds of an estimate with this third cumulant."""
        error = estimate.standard_error
        skewness = third / error**3 if 0 < error < math.inf else 0.0
        return cls(replace(estimate, skewness=skewness), n, ends)

    def bounds(self, level: float) -> tuple[float, float]:
        """Return the bounds, as the ends of an interval at a two-sided level; NaN from few items."""
        if self.n < FEWEST_FOR_BOUNDS or not self.estimate.is_known:
            return math.nan, math.nan
        return self.estimate.interval(level)

    @property
    def fewest(self) -> int:
        """The fewest items, or clusters, on which a verdict may rest, however symmetric their differences are."""
        return FEWEST_FOR_BOUNDS if self.ends.are_known else FEWEST_WITHOUT_ENDS

    @property
    def needed(self) -> tuple[int, int]:
        """Numbers of items, or clusters, from which a verdict may rest on the lower and on the upper bound.

        The skewness of a mean falls with the root of the number of items, so that each bound needs about n (s / limit)²
        of them if the mean of n has the skewness s.
        """
        return self._needed(-self.estimate.skewness), self._needed(self.estimate.skewness)

    def _needed(self, towards: float) -> int:
        """Return the items that a bound needs for a mean with this skewness towards it, or away from it below 0."""
        limit = _SKEWNESS_TOWARDS if towards > 0 else _SKEWNESS_AWAY
        return max(FEWEST_FOR_BOUNDS, math.ceil(self.n * (towards / limit) ** 2))

    def unseen(self, level: float) -> float:
        """Return the largest shift of the mean by items of a kind that was not drawn, at a two-sided level.

        >>> ends = Ends(1.0, (0.0, 1.0), "scores lie from 0 to 1")
        >>> round(OneSided(Inference(0.0, 1.0, 9.0, 0.0), 100, ends).unseen(0.9), 4)  # about 3 / n, the rule of three
        0.0295
        """
        missed = 1 - ((1 - level) / 2) ** (1 / self.n) if self.n else math.inf
        return float(self.ends.most * missed)

    def unseen_p(self, hypothesis: float) -> float:
        """Return the two-sided p at which items of a kind that was not drawn explain the distance from a hypothesis."""
        if not self.ends.most:
            return 0.0
        share = min(abs(self.estimate.value - hypothesis) / self.ends.most, 1.0)
        return min(1.0, float(2 * (1 - share) ** self.n))

    def items_against_unseen(self, distance: float, level: float) -> float:
        """Return the number of items from which kinds that were not drawn move the mean by less than a distance."""
        share = distance / self.ends.most if self.ends.most else math.inf
        if share <= 0:
            return math.inf
        return 1 if share >= 1 else math.ceil(math.log((1 - level) / 2) / math.log1p(-share))

    def verdict(self, margin: float, level: float) -> tuple[bool | None, str]:
        """Return whether the system is not worse by a margin, and the reason if bounds are no ground to tell that.

        Args:
            margin: largest loss that counts as not worse, above 0.
            level: the two-sided level of the bounds.

        Returns:
            True if it is shown to be worse by less than the margin, False if it is shown to be worse by more, and None
            if neither is shown; the reason is "" if the margin lies between the bounds.
        """
        low, high = self.bounds(level)
        if not (math.isfinite(low) and math.isfinite(high)):
            return None, "there are no bounds"
        if high < -margin:
            obstacle = self.obstacle(-margin - self.estimate.value, level, upper=True)
            return (None, obstacle) if obstacle else (False, "")
        if low > -margin:
            obstacle = self.obstacle(self.estimate.value + margin, level, upper=False)
            return (None, obstacle) if obstacle else (True, "")
        return None, ""

    def obstacle(self, distance: float, level: float, *, upper: bool) -> str:
        """Return the reason why a bound that leaves out the hypothesis is no ground for a verdict; "" if it is one.

        Args:
            distance: distance of the difference from the hypothesis.
            level: the two-sided level of the bounds.
            upper: whether the verdict is from the upper bound.
        """
        needed = self.needed[1 if upper else 0]
        if self.n < self.fewest:
            return (
                f"nobody named the ends of the scale (--scale LOW-HIGH), and {self.n} items or clusters may miss the "
                f"few that count: {self._needed_by_ends(distance, level, needed)}"
            )
        if self.n < needed:
            return (
                f"a few items differ so much more than the rest that a verdict takes about {needed} items or clusters "
                f"like these, and here are {self.n}"
            )
        if distance > self.unseen(level):
            return ""
        takes = self.items_against_unseen(distance, level)
        ends = f" ({self.ends.said})" if self.ends.are_known else ""
        return (
            f"kinds of items that {self.n} items or clusters miss may move the mean by {self.unseen(level):.3g}, and a "
            f"verdict takes about {takes:g}{ends}"
        )

    def _needed_by_ends(self, distance: float, level: float, needed: int) -> str:
        """Return the numbers of items that a verdict takes with and without the ends of the scale, in words.

        Args:
            distance: distance of the difference from the hypothesis.
            level: the two-sided level of the bounds.
            needed: the number of items for the skewness.
        """
        without = max(needed, self.fewest)
        if needed >= without:
            return f"a verdict takes about {without}, since a few differ so much more than the rest"
        proposed = self.ends.proposed
        if proposed is None:
            about = "about " if needed > FEWEST_FOR_BOUNDS else ""
            with_ends = f"with the ends a verdict takes {about}{needed} or more, by how far apart these are"
            return f"{with_ends}, and without ends {without}"
        low, high = proposed
        on_scale = replace(self, ends=Ends(high - low, proposed, ""))
        takes = max(needed, on_scale.items_against_unseen(distance, level))
        if takes < without:
            named = f"--scale={low:g}-{high:g}"
            return (
                f"with {named}, if you count on all scores to lie there, a verdict takes about {takes:g}, and without "
                f"ends {without}"
            )
        widest = distance * on_scale.ends.most / on_scale.unseen(level)
        return f"a verdict takes {without}, and fewer only with ends less than about {widest:.2g} apart"


def third_cumulant(residuals: Floats, clusters: Integers) -> float:
    """Return the third cumulant of a weighted mean, or of a difference of two.

    Args:
        residuals: the values less their mean, times their weights in the sum, shape (n,).
        clusters: the cluster of each value, shape (n,): any whole numbers; at least three differ.
    """
    of_clusters = np.bincount(np.unique(clusters, return_inverse=True)[1].ravel(), residuals)
    m = len(of_clusters)
    return float((of_clusters**3).sum()) * m**2 / ((m - 1) * (m - 2)) if m > 2 else 0.0


def ends_of(values: Floats, differences: Floats, scale: tuple[float, float] | None) -> Ends:
    """Return the ends of a scale, as far as they are known.

    Args:
        values: all scores of one kind, NaN without a score; none if only differences are known.
        differences: differences of the two systems, on items that both have.
        scale: the ends of the scores' scale; None if nobody named them. Scores from 0 to 1 are then taken to be on that
            scale, and those from 0 to 100 with one above 10; for others the range that was seen counts.
    """
    if scale is not None:
        return Ends(scale[1] - scale[0], scale, f"scores lie from {scale[0]:g} to {scale[1]:g}")
    known = values[np.isfinite(values)]
    least, greatest = float(known.min(initial=0.0)), float(known.max(initial=0.0))
    if least >= 0 and 0 < greatest <= 1:
        return Ends(1.0, (0.0, 1.0), "scores seem to lie from 0 to 1; --scale LOW-HIGH says otherwise")
    if least >= 0 and 10 < greatest <= 100:
        return Ends(100.0, (0.0, 100.0), "scores seem to lie from 0 to 100; --scale LOW-HIGH says otherwise")
    seen = max(float(np.abs(differences).max(initial=0.0)), float(np.ptp(known)) if len(known) else 0.0)
    said = f"holds if no item differs by more than {seen:.3g}; --scale LOW-HIGH names the ends of the scale"
    return Ends(seen, None, said, (float(known.min()), float(known.max())) if len(known) else None)
