"""Differences of two systems over items that were drawn along a metric's difference, and the narrowing by it.

Two draws of n of N items, both in the order of the metric's difference between the systems' outputs:

* systematic: every item at distances of N / n from a random start, so that all have equal chances and weights. A line
  fitted to people's differences along the order takes up what the draw balances: its residual variance s² has n − 2
  degrees of freedom (a line that fits badly leaves s² too large, and never too small). The order is that of all N
  items, and not the metric's difference itself, since the draw balances the former whatever the tails of the latter;
* strata of equal sizes along the order, with items drawn at random within each (stratified prediction-powered
  inference: Fisch et al. 2024, arXiv 2406.04291). Of the strata h with N_h items, of which n_h are rated, the
  difference is Σ N_h / N · (mean of people's + b · (mean of the metric's over N_h − mean over n_h)), with one slope b
  within all strata; the residual variance s² has n − H − 1 degrees of freedom. Strata with fewer than
  `FEWEST_IN_STRATUM` ratings are merged with a neighbour.

The N items are themselves drawn from all like them. With the variance t² of people's differences, the difference's
variance is s² / n + (t² − s²) / N; for simple draws it is t² / n. In strata the error of the slope is added: s² times
the square of Σ N_h / N · (the metric's mean over N_h − over n_h), divided by the metric's squares within strata. If
fewer items are rated than the n drawn, part of the balance is lost: (t² − s²) (1 / rated − 1 / n) is added to the
systematic draw's.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.validation import Floats, Integers, Record
from referenceless_metrics.human_evaluation.inference.crossed import Crossed
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference
from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings

FEWEST_IN_STRATUM = 10
"""Fewest ratings of a stratum: with fewer its variance is not known well enough."""


class DrawnItem(NamedTuple):
    """An item that was drawn along a metric's difference.

    Attributes:
        item: its place in the systems' files, counted from 0.
        order: its place in the order of the metric's difference, counted from 0.
        difference: the metric's, the second system's less the first's.
        stratum: the number of its stratum; 0 of a systematic draw.
    """

    item: int
    order: int
    difference: float
    stratum: int


class Stratum(NamedTuple):
    """A stratum of items that could be drawn: their number, and the mean of the metric's difference over them."""

    n_items: int
    mean: float


class Narrowing(NamedTuple):
    """Change that a draw along a metric makes to the inference of a simple draw of the same items.

    Attributes:
        shift: addition to the difference.
        share: the variance of the difference, as a share of that of a simple draw.
        degrees_of_freedom: degrees of freedom of the variance.
    """

    shift: float
    share: float
    degrees_of_freedom: float


@dataclass(frozen=True)
class AlongMetric:
    """A draw of items along a metric's difference of two systems.

    Attributes:
        metric: the metric's name.
        n_items: number of items that could be drawn.
        items: the items that were drawn.
        strata: the strata they were drawn from; none of a systematic draw.
    """

    metric: str
    n_items: int
    items: tuple[DrawnItem, ...]
    strata: tuple[Stratum, ...] = ()

    def sentence(self, system: SystemRatings, baseline: SystemRatings) -> str:
        """Return a sentence on how the items were drawn, and on the variance of the difference of the two systems."""
        how = "every k-th" if not self.strata else f"in {len(self.strata)} strata"
        drawn = f"Items were drawn {how} along {self.metric}'s difference of the systems"
        narrowing = self.narrowing(*self._differences(system, baseline))
        if narrowing is None:
            return f"{drawn}: too few of them are rated, or do not differ, to use that; intervals are of a simple draw."
        residual = "on their order" if not self.strata else f"on {self.metric}'s within strata"
        return (
            f"{drawn}: the variance of people's difference is that of the residuals of its regression {residual} "
            f"({narrowing.degrees_of_freedom:.0f} degrees of freedom); means of single systems have intervals of a "
            "simple draw."
        )

    def record(self) -> Record:
        """Return the draw as values of JSON."""
        return {
            "metric": self.metric,
            "n_items": self.n_items,
            "items": [list(item) for item in self.items],
            "strata": [list(stratum) for stratum in self.strata],
        }

    @classmethod
    def of_record(cls, record: Record) -> AlongMetric:
        """Return a draw from the result of `record`."""
        items = tuple(DrawnItem(*item) for item in record["items"])
        strata = tuple(Stratum(*stratum) for stratum in record["strata"])
        return cls(record["metric"], record["n_items"], items, strata)

    @cached_property
    def _by_item(self) -> Mapping[str, DrawnItem]:
        return {str(drawn.item): drawn for drawn in self.items}

    def narrowed(self, raters: Crossed, system: SystemRatings, baseline: SystemRatings) -> Crossed:
        """Return a difference of means that uses how its items were drawn; the arguments name its two systems."""
        narrowing = self.narrowing(*self._differences(system, baseline))
        if narrowing is None or raters.these is None:
            return raters
        these = _changed(raters.these, narrowing, 0.0)
        # The raters' part of the variance stays as it is.
        of_raters = 0.0
        if raters.others is not None:
            of_raters = raters.others.standard_error**2 - raters.these.standard_error**2
        others = raters.others and _changed(raters.others, narrowing, of_raters)
        return replace(raters, these=these, others=others)

    def _differences(self, system: SystemRatings, baseline: SystemRatings) -> tuple[Floats, Sequence[DrawnItem]]:
        """Return people's differences of the items that are rated of both systems, and these items, in their order."""
        ours, theirs = _by_name(system), _by_name(baseline)
        both = [name for name in ours if name in theirs and name in self._by_item]
        drawn = sorted((self._by_item[name] for name in both), key=lambda each: each.order)
        values = [ours[str(each.item)] - theirs[str(each.item)] for each in drawn]
        return np.array(values), drawn

    def narrowing(self, differences: Floats, drawn: Sequence[DrawnItem]) -> Narrowing | None:
        """Return how the draw changes the inference of a simple one; None if differences do not vary or are too few.

        Args:
            differences: people's differences on n items, shape (n,).
            drawn: these items.
        """
        n = len(differences)
        if n < 2 or not np.ptp(differences) > 0:
            return None
        if self.strata:
            return self._of_strata(differences, drawn)
        order = np.array([each.order for each in drawn], dtype=float)
        around = differences - differences.mean()
        order -= order.mean()
        if n < 3 or not order @ order > 0:
            return None
        residuals = around - (order @ around) / (order @ order) * order
        return self._narrowing(
            differences, float(residuals @ residuals), n - 2.0, 1.0, 0.0, unrated=1 - n / len(self.items)
        )

    def _of_strata(self, differences: Floats, drawn: Sequence[DrawnItem]) -> Narrowing | None:
        numbers = np.array([each.stratum for each in drawn], dtype=np.int64)
        codes, sizes, means = _merged(numbers, self.strata)
        counts = np.bincount(codes, minlength=len(sizes))
        metric = np.array([each.difference for each in drawn])

        def within(values: Floats) -> tuple[Floats, Floats]:
            """Return the strata's means of values, and the values' differences from them."""
            of_strata = np.bincount(codes, values, len(sizes)) / counts
            return of_strata, values - of_strata[codes]

        people_means, people = within(differences)
        metric_means, around = within(metric)
        spread = around @ around
        slope = float(people @ around) / spread if spread > 0 else 0.0
        freedom = len(differences) - len(sizes) - 1.0
        if freedom < 1:
            return None
        shares = sizes / sizes.sum()
        estimate = float(shares @ (people_means + slope * (means - metric_means)))
        residuals = people - slope * around
        # Of strata with equal shares of items and of ratings the first term is 1 / n; the second is the slope's error.
        lacking = float(shares @ (means - metric_means))
        of_slope = lacking**2 / float(spread) if spread > 0 else 0.0
        unequal = (float((shares**2 / counts).sum()) + of_slope) * len(differences)
        shift = estimate - float(differences.mean())
        return self._narrowing(differences, float(residuals @ residuals), freedom, unequal, shift, unrated=0.0)

    def _narrowing(
        self, differences: Floats, squares: float, freedom: float, unequal: float, shift: float, *, unrated: float
    ) -> Narrowing:
        """Return the narrowing from a sum of squared residuals; see the module's docstring.

        Args:
            differences: people's, shape (n,).
            squares: the sum.
            freedom: its degrees of freedom.
            unequal: the widening of the residuals' part by unequal weights and the slope's error.
            shift: addition to the difference.
            unrated: the share of the drawn items without ratings, whose part the draw did not balance.
        """
        residual = squares / freedom / float(differences.var(ddof=1))
        explained = max(1 - residual, 0.0)
        share = unequal * residual + explained * (len(differences) / self.n_items + unrated)
        return Narrowing(shift, share, freedom)


def _changed(known: Inference, narrowing: Narrowing, of_raters: float) -> Inference:
    """Return an inference as a draw narrows it, but for the raters' part of the variance."""
    variance = narrowing.share * (known.standard_error**2 - of_raters) + of_raters
    freedom = min(known.degrees_of_freedom, narrowing.degrees_of_freedom)
    return replace(
        known,
        value=known.value + narrowing.shift,
        standard_error=float(np.sqrt(variance)),
        degrees_of_freedom=freedom,
    )


def _by_name(system: SystemRatings) -> dict[str, float]:
    """Return the mean ratings of a system's rated outputs by their items' names."""
    items: Sequence[Hashable] = system.items or range(len(system.ratings))
    return {str(item): float(rating) for item, rating in zip(items, system.ratings, strict=True) if rating == rating}


def _merged(numbers: Integers, strata: Sequence[Stratum]) -> tuple[Integers, Floats, Floats]:
    """Merge strata with few ratings; return each rating's stratum, and the strata's sizes and means of the metric.

    The stratum with fewest ratings joins the neighbour with fewer, until all have `FEWEST_IN_STRATUM` or one is left.
    """
    counts = np.bincount(numbers, minlength=len(strata)).tolist()
    groups = [[number] for number in range(len(strata))]
    while len(groups) > 1 and min(counts) < FEWEST_IN_STRATUM:
        place = counts.index(min(counts))
        neighbours = [near for near in (place - 1, place + 1) if 0 <= near < len(groups)]
        near = min(neighbours, key=lambda each: counts[each])
        first, second = sorted((place, near))
        groups[first] += groups.pop(second)
        counts[first] += counts.pop(second)
    group_of = {number: place for place, group in enumerate(groups) for number in group}
    codes = np.array([group_of[number] for number in numbers.tolist()], dtype=np.int64)
    sizes = np.array([sum(strata[number].n_items for number in group) for group in groups], dtype=float)
    sums = np.array([sum(strata[number].n_items * strata[number].mean for number in group) for group in groups])
    return codes, sizes, sums / sizes
