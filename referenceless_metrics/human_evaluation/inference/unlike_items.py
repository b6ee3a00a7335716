"""Differences of systems over all items, from ratings of those items alone of which their outputs differ.

Equal outputs are rated alike, so that the difference is 0 there. With a share p of N items of which outputs differ, and
a mean difference d over these, the difference over all items is p · d; its variance is p² var(d) + d² p (1 − p) / N,
since the N items are drawn, too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from referenceless_metrics.human_evaluation.inference.crossed import Crossed
from referenceless_metrics.human_evaluation.inference.human_score import HumanDifference, HumanScores, adjusted
from referenceless_metrics.human_evaluation.inference.one_sided import Ends, OneSided


class UnlikeItems(NamedTuple):
    """Numbers of the items of which outputs differ, from which alone items were drawn, and of all items."""

    n_unlike: int
    n_items: int

    @property
    def n_equal(self) -> int:
        """Number of items for which all systems wrote the same."""
        return self.n_items - self.n_unlike

    @property
    def share(self) -> float:
        """Share of items of which outputs differ: a difference over all items is so much of that over these."""
        return self.n_unlike / self.n_items

    @property
    def factor(self) -> str:
        """The share as a fraction."""
        return f"{self.n_unlike}/{self.n_items}"

    @property
    def scope(self) -> str:
        """The items that a difference is over, in words."""
        return f"over all {self.n_items} items, with 0 for the {self.n_equal} of which all outputs are equal"


def over_all_items(scores: HumanScores, unlike: UnlikeItems | None) -> HumanScores:
    """Return scores whose differences are over all items, with a sentence on the scope of the means.

    Args:
        scores: scores of items with differing outputs.
        unlike: numbers of these items, and of all items; None if all items could be drawn.
    """
    if unlike is None or not unlike.n_equal:
        return scores
    differences = [_over_all(each, unlike) for each in scores.differences]
    note = (
        f"All systems wrote the same for {unlike.n_equal} of {unlike.n_items} items: differences are over all items, "
        f"and count 0 there, so that each is {unlike.factor} of that over the items of which outputs differ; means are "
        "of these items alone."
    )
    return replace(scores, pairs=(), differences=adjusted(differences, scores.level), notes=(*scores.notes, note))


def _over_all(difference: HumanDifference, unlike: UnlikeItems) -> HumanDifference:
    share = unlike.share
    drawn = difference.mean.value**2 * share * (1 - share) / unlike.n_items

    def scaled(raters: Crossed) -> Crossed:
        return raters.times(share).widened(drawn)

    raters = scaled(difference.raters)
    bounds = difference.one_sided
    ends = Ends(share * bounds.ends.most, bounds.ends.scale, bounds.ends.said)
    skewness = bounds.estimate.skewness
    return replace(
        difference,
        raters=raters,
        ratings_alone=difference.ratings_alone.times(share).widened(drawn),
        plain=share * difference.plain,
        on_common=share * difference.on_common,
        unlike=unlike,
        one_sided=OneSided(replace(raters.said, skewness=skewness), bounds.n, ends),
    )
