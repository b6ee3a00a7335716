"""Lines on the differences that ratings can show, and on further studies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from referenceless_metrics.human_evaluation.inference.estimated_means import POWER
from referenceless_metrics.human_evaluation.inference.human_score import Contrast, HumanDifference
from referenceless_metrics.human_evaluation.inference.preferences import WinRate
from referenceless_metrics.human_evaluation.wording.contrast_phrases import is_paired, items_of_sample, to_find
from referenceless_metrics.human_evaluation.wording.contrast_sentences import (
    difference_finding,
    figure_text,
    is_told,
    preference_finding,
)
from referenceless_metrics.human_evaluation.wording.drawn import Drawn
from referenceless_metrics.human_evaluation.wording.further_study import TIMES, items_or_raters
from referenceless_metrics.human_evaluation.wording.on_means import TOO_FEW

if TYPE_CHECKING:
    pass


def on_power(each: HumanDifference, detectable: float, drawn: Drawn) -> str:
    """Return the true difference that such a study finds, and a larger one, if ratings can differ so much."""
    times, further = further_study(each, drawn.n_all)
    of_more = each.detectable(times)
    more = f"; {further} finds {figure_text(of_more)}" if further and of_more <= each.reach else ""
    pair = f"{each.system} less {each.baseline}"
    if detectable > each.reach:
        return f"{pair}: {TOO_FEW}: such a study finds no difference that ratings can have{more}."
    found = f"a true difference of {figure_text(detectable)} with a probability of {power_told(each)}"
    return f"{pair}: such a study finds {found}{more}.{items_or_raters(each) if times == TIMES else ''}"


def power_told(contrast: Contrast) -> str:
    """Return the power in words: of several comparisons it is more, the later Holm's procedure tests this one."""
    return f"{POWER:.0%} or more" if contrast.n_compared > 1 else f"{POWER:.0%}"


def more_ratings(shrinkage: float) -> float:
    """Return the share of further rated outputs that would narrow an interval as much as estimates do.

    >>> round(more_ratings(0.1), 2)
    0.23
    """
    return 1 / (1 - shrinkage) ** 2 - 1


def further_study(contrast: Contrast, n_all: int | None) -> tuple[float, str]:
    """Return how many times as many items a further study has, and its name; "" where there are no more items.

    Args:
        contrast: the difference, or win rate, of the study at hand.
        n_all: number of items that there are; None if it is not known.
    """
    times = TIMES if n_all is None else min(TIMES, n_all / items_of_sample(contrast))
    if times <= 1:
        return times, ""
    items = f"all {n_all} items"
    if times == TIMES:
        items = f"four times as many {'items' if is_paired(contrast) else 'outputs of each'}"
        items = "four times as many clusters" if contrast.n_clusters else items
    raters = ""
    if contrast.raters.about_others:
        n_raters = math.ceil(round(contrast.raters.n_raters * times, 6))
        here = f" by {n_raters} raters (here {contrast.raters.n_raters})"
        raters = " by four times as many raters" if times == TIMES else here
    return times, f"one of {items}{raters}"


def reasons_of(contrasts: Sequence[Contrast]) -> list[str]:
    """Return what stands beside many findings, which the table tells: what cannot be told, and notes, each once."""
    told = []
    for each in contrasts:
        lines = difference_finding(each) if isinstance(each, HumanDifference) else []
        lines = preference_finding(each) if isinstance(each, WinRate) else lines
        told += lines[1:] if is_told(each) else lines
    return list(dict.fromkeys(told))


def power_of_many(contrasts: Sequence[Contrast], n_all: int | None, find: float | None) -> list[str]:
    """Say which true differences, or win rates, a study finds, from the easiest pair of systems to the hardest.

    Args:
        contrasts: the differences, or win rates.
        n_all: number of items that there are; None if it is not known.
        find: the true difference, or win rate, that a further study shall find; None for none.
    """
    are_rates = isinstance(contrasts[0], WinRate)
    of_one_look = [each for each in contrasts if getattr(each, "watched", None) is None and items_of_sample(each) > 1]
    sizes = {place: each.detectable() for place, each in enumerate(of_one_look)}
    known = [place for place, size in sizes.items() if 0 < size < math.inf and size <= _widest(of_one_look[place])]
    if not known:
        return []
    hardest = of_one_look[max(known, key=lambda place: sizes[place])]
    least, greatest = (figure_text(hardest.EQUAL + choose(sizes[place] for place in known)) for choose in (min, max))
    times, further = further_study(hardest, n_all)
    pair = f" ({hardest.system} and {hardest.baseline})" if len(contrasts) > 1 else ""
    more = f"; in place of {greatest}{pair}, {further} finds {figure_text(hardest.EQUAL + hardest.detectable(times))}"
    what = "win rate" if are_rates else "difference"
    told = f"a true {what} of {least}"
    if least != greatest:
        told = f"true {what}s of {least} to {greatest}, by pair of systems,"
    found = f"Such a study finds {told} with a probability of {power_told(hardest)}{more if further else ''}."
    return [f"{found}{items_or_raters(hardest) if times == TIMES else ''}", *to_find(hardest, find)]


def _widest(contrast: Contrast) -> float:
    """Return the largest difference that ratings can have, or the farthest that a win rate can be from one half."""
    return contrast.reach if isinstance(contrast, HumanDifference) else contrast.EQUAL
