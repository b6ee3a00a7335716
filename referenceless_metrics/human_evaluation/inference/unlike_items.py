"""Differences of systems over all items, from ratings of those items alone of which their outputs differ.

Equal outputs are rated alike, so that the difference is 0 there. With a share p of N items of which outputs differ, and
a mean difference d over these, the difference over all items is p · d; its variance is p² var(d) + d² p (1 − p) / N,
since the N items are drawn, too.
"""

from __future__ import annotations

from dataclasses import replace

from referenceless_metrics.human_evaluation.inference.crossed import Crossed
from referenceless_metrics.human_evaluation.inference.human_score import HumanDifference, HumanScores, adjusted
from referenceless_metrics.human_evaluation.inference.one_sided import Ends, OneSided


def over_all_items(scores: HumanScores, unlike: tuple[int, int] | None) -> HumanScores:
    """Return scores whose differences are over all items, with a sentence on the scope of the means.

    Args:
        scores: scores of items with differing outputs.
        unlike: number of these items, and of all items; None if all items could be drawn.
    """
    if unlike is None:
        return scores
    n_unlike, n_items = unlike
    differences = [_over_all(each, n_unlike / n_items, n_items) for each in scores.differences]
    note = (
        f"All systems wrote the same for {n_items - n_unlike} of {n_items} items: differences are over all items, and "
        "count 0 there; means are of the items of which outputs differ."
    )
    return replace(scores, pairs=(), differences=adjusted(differences, scores.level), notes=(*scores.notes, note))


def _over_all(difference: HumanDifference, share: float, n_items: int) -> HumanDifference:
    drawn = difference.mean.value**2 * share * (1 - share) / n_items

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
        unlike_share=share,
        one_sided=OneSided(replace(raters.said, skewness=skewness), bounds.n, ends),
    )
