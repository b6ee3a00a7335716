"""Sentences on whom findings speak of: the raters who rated, or raters in general."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from referenceless_metrics.core.support.statistics import p_text
from referenceless_metrics.human_evaluation.inference.human_score import Contrast, HumanDifference
from referenceless_metrics.human_evaluation.ratings.model_raters import JUDGES, MODELS
from referenceless_metrics.human_evaluation.wording.phrases import count, listed

_MOST_PAIRS = 6
"""Most pairs of systems that a sentence on these raters names."""


def scope_told(contrasts: Sequence[Contrast]) -> str:
    """Return whom p and intervals of contrasts speak of, in words; "" if nothing tells who rated."""
    known = [each for each in contrasts if each.raters.n_raters and getattr(each, "watched", None) is None]
    if not known:
        return ""
    rater = _rater(known)
    general = f"for {rater}s in general ({rater}s as a random factor)"
    of_others = {each.raters.about_others for each in known}
    if of_others == {True}:
        return general
    these = f"for this {rater} alone" if number_of_raters(known) == 1 else f"for these {rater}s alone"
    return these if of_others == {False} else f"{general} if a pair has enough {rater}s, else {these}"


def scope_sentence(contrasts: Sequence[Contrast]) -> str:
    """Return the same as a sentence."""
    told = scope_told(contrasts)
    of = " of differences" if any(isinstance(each, HumanDifference) for each in contrasts) else ""
    return f"p and intervals{of} are {told}." if told else ""


def on_these_raters(contrasts: Sequence[Contrast]) -> list[str]:
    """Name the pairs of systems that these raters tell apart, if that is not shown of raters in general."""
    found = [each for each in contrasts if each.is_shown_of_these]
    if not found:
        return []
    rater, n_raters = _rater(found), number_of_raters(found)
    verb = "rated higher than" if isinstance(found[0], HumanDifference) else "preferred to"
    pairs = [(*each.ranked, p_text(each.p_these_adjusted)) for each in found[:_MOST_PAIRS]]
    told = [f"{ahead} is {verb} {behind} ({p})" for ahead, behind, p in pairs]
    more = len(found) - len(told)
    told += [f"{count(more, 'further pair')} {'differs' if more == 1 else 'differ'}"] if more else []
    corrected = f" (Holm over {found[0].n_compared} comparisons)" if found[0].n_compared > 1 else ""
    return [
        f"For these {n_raters} {rater}s alone {listed(told)}{corrected}; for {rater}s in general that is not shown."
    ]


def _rater(contrasts: Sequence[Contrast]) -> str:
    return "judge" if contrasts[0].given_by in (MODELS, JUDGES) else "rater"


def number_of_raters(contrasts: Sequence[Contrast]) -> int:
    """Return the number of raters of all contrasts together, of whom each may have rated a part; 0 if it is not known.

    Raters whose names are not known are at least as many as those of any contrast.
    """
    named = frozenset[Hashable]().union(*(each.rated_by for each in contrasts))
    return max(len(named), *(each.raters.n_raters for each in contrasts))
