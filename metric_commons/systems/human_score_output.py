"""What people's ratings and preferences show, as rows of a table and in sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from metric_commons.systems.crossed import FEWEST_RATERS
from metric_commons.systems.human_score import Contrast, Finding, HumanDifference, HumanScores
from metric_commons.systems.inference import POWER, Inference
from metric_commons.systems.preferences import WinRate

PAIRED = {
    "item and rater": "paired by item and rater",
    "item": "paired by item",
    "some items": "some items rated of both",
    "": "independent samples",
}
"""How a difference was made, by `HumanDifference.paired`."""

_MOST = 4  # differences that get lines of their own on power and for the paper


def score_rows(scores: HumanScores) -> list[dict[str, Any]]:
    """Return a row a system, and one a difference."""
    systems = {one.system: one for one in scores.scores}
    rows = []
    both: list[Any] = [*scores.scores, *scores.differences]
    for one in both:
        row = {"system": one.system, "less": getattr(one, "baseline", "")}
        row |= {"outputs": systems[one.system].n_outputs, "rated": systems[one.system].n_rated}
        row |= {"mean": one.mean.value} | _ends(one, "", one.mean)
        row |= {"ratings alone": one.ratings_alone.value} | _ends(one, " alone", one.ratings_alone)
        row |= {"p": getattr(one, "p_value", math.nan), "p holm": getattr(one, "p_adjusted", math.nan)}
        row |= {"narrower": one.shrinkage, "expected": getattr(one, "expected_shrinkage", math.nan)}
        row |= {"r": getattr(one, "correlation", math.nan)} | _by_raters(one)
        made = [PAIRED[one.paired]] if isinstance(one, HumanDifference) else []
        rows.append(row | {"made": ", ".join([*made, *(["approximate"] if one.enough else [])])})
    return rows


def preference_rows(rates: Sequence[WinRate]) -> list[dict[str, Any]]:
    """Return a row a pair of systems."""
    return [
        {"system": one.system, "against": one.baseline, "items": one.n_items}
        | {"wins": one.wins, "ties": one.ties, "losses": one.losses}
        | {"win rate": one.mean.value, **_ends(one, "", one.mean), "p": one.p_value, "p holm": one.p_adjusted}
        | {"p sign test": one.sign_p, "narrower": one.shrinkage, **_by_raters(one)}
        for one in rates
    ]


def _ends(one: Finding, name: str, mean: Inference | None) -> dict[str, float]:
    low, high = (math.nan, math.nan) if mean is None else one.interval(mean)
    return {f"low{name}": low, f"high{name}": high}


def _by_raters(one: Finding) -> dict[str, float]:
    """Return the intervals for these raters, and for others."""
    these = one.raters.these if one.raters.count else None
    return _ends(one, " these raters", these) | _ends(one, " others", one.raters.others)


def score_lines(
    scores: HumanScores, *, drawn: bool, width: float | None = None, sought: float | None = None
) -> list[str]:
    """Return what the figures mean, what they show, and how many ratings another width or difference would take.

    Args:
        scores: the scores.
        drawn: whether the rated outputs are known to be drawn at random, from a study's design.
        width: of intervals, to plan for; None for half the present ones.
        sought: a difference to find; None for half of what these ratings can find.
    """
    level, n = f"{scores.level:.0%}", len(scores.differences)
    at_random = "the study drew the outputs at random" if drawn else "valid only for outputs drawn at random"
    lines = [
        f"mean: of the human ratings, with {level} intervals; {at_random}. narrower: reduction in interval width by "
        "the estimates.",
        *scores.warnings,
    ]
    for one in scores.scores:
        if one.enough:
            lines.append(
                f"The interval of {one.system} is approximate: {one.n_rated} skewed ratings on no declared scale. "
                f"About {one.enough} rated outputs would do, or the ends of the scale (--scale LOW:HIGH)."
            )
    for each in scores.differences:
        low, high = each.interval()
        items = f" ({each.n_items} items)" if each.n_items else ""
        told = (
            f": {each.mean.value:+.3g} [{low:.3g}, {high:.3g}], {level} interval, {PAIRED[each.paired]}{items}, "
            f"{_p_values(each, n)}."
        )
        if each.enough:
            told += (
                f" Take it as approximate: a few of the {each.n_items} items differ far more than the others, and "
                f"about {each.enough} would do."
            )
        shown = f"{each.system} {_higher(each)} than {each.baseline}{told}"
        lines += _finding(each, "rate", "ratings", shown, f"{each.system} and {each.baseline} differently{told}")
    for one in scores.scores:
        wanted = width or one.mean.width(scores.level) / 2
        if wanted > 0:
            needed, alone = one.ratings_needed(wanted), one.ratings_needed(wanted, with_estimates=False)
            # A table of ratings alone does not tell how many outputs there are.
            more = f", more than its {one.n_outputs} outputs" if needed > one.n_outputs > one.n_rated else ""
            lines.append(
                f"an interval of {one.system} that is {wanted:.3g} wide needs about {needed} rated outputs{more} "
                f"(ratings alone: {alone})"
            )
    for each in scores.differences[:_MOST]:
        found = each.mean.detectable(scores.level)
        if found > 0 and each.n_items > 1:
            wanted = sought or found / 2
            lines.append(
                f"{each.system} less {each.baseline}: such ratings find a true difference of {found:.3g} with a "
                f"probability of {POWER:.0%}; to find {wanted:.3g} rate about "
                f"{math.ceil(each.n_items * (found / wanted) ** 2)} items, each rater as many as now"
            )
    return lines + [f"For the paper: {_sentence(each, n)}" for each in scores.differences[:_MOST]]


def _sentence(one: HumanDifference, n: int) -> str:
    low, high = one.interval()
    raters = f" by {one.raters.count} rater{'s' * (one.raters.count > 1)}" if one.raters.count else ""
    basis = f"{one.n_items} items" if one.paired.startswith("item") else "random samples of outputs"
    correction = f" after Holm's correction for {n} comparisons" if n > 1 else ""
    return (
        f'"On {basis}{raters}, {one.system} was {"rated" if one.is_shown else "not shown to be rated"} {_higher(one)} '
        f"than {one.baseline} (mean difference {one.mean.value:.2f}, {one.level:.0%} CI [{low:.2f}, {high:.2f}], "
        f'{PAIRED[one.paired]}, {_p(one.p_adjusted)}{correction})."'
    )


def preference_lines(
    rates: Sequence[WinRate], strengths: Mapping[str, Inference], *, drawn: bool, ties: str
) -> list[str]:
    """Return what preferences show, in words; `strengths` are those of `preferences.strengths`."""
    level = rates[0].level
    lines = [
        f"win rate: share of preferences for the system, {'ties half each' if ties == 'half' else 'ties left out'}, "
        f"with {level:.0%} intervals; "
        f"{'the study drew the items at random.' if drawn else 'valid only for items drawn at random.'}"
    ]
    for one in rates:
        low, high = one.interval()
        told = (
            f"{one.mean.value:.0%} [{low:.0%}, {high:.0%}], {one.n_items} items, {one.ties} ties, "
            f"{_p_values(one, len(rates))}."
        )
        pair = (one.system, one.baseline) if one.mean.value > 0.5 else (one.baseline, one.system)
        shown = f"{' to '.join(pair)}: win rate of {one.system} {told}"
        lines += _finding(one, "prefer", "preferences", shown, f"{one.system} or {one.baseline}: win rate {told}")
    first, *further = strengths or [""]
    for system in further:
        log_odds = strengths[system]
        low, high = log_odds.interval(level)
        lines.append(
            f"Bradley-Terry: {system} against {first}, log odds {log_odds.value:+.3g} "
            f"[{low:.3g}, {high:.3g}], so it is preferred in {1 / (1 + math.exp(-log_odds.value)):.0%}."
        )
    return lines


def _finding(one: Contrast, verb: str, answers: str, shown: str, alike: str) -> list[str]:
    """Say what is shown, of people or of too few raters to speak of others, and what is known of these."""
    who, others, beside = "People", one.raters.others, []
    if one.raters.count and not one.raters.about_others:
        who = f"These {one.raters.count} raters"
        if others is None:
            who, verb = "This rater", f"{verb}s"
            beside = ["One rater says nothing of how others would rate."]
        else:
            low, high = one.interval(others)
            beside = [
                f"For raters other than these the interval is [{low:.3g}, {high:.3g}]; fewer than {FEWEST_RATERS} "
                "raters say little of others."
            ]
    if one.is_shown:
        return [f"{who} {verb} {shown}", *beside]
    return [f"These {answers} do not show that {who[0].lower()}{who[1:]} {verb} {alike}", *beside]


def _higher(one: Contrast) -> str:
    return "higher" if one.mean.value > 0 else "lower"


def _p_values(one: Contrast, n: int) -> str:
    return _p(one.p_value) + (f", Holm over {n}: {_p(one.p_adjusted)}" if n > 1 else "")


def _p(value: float) -> str:
    return "p < 0.0001" if value < 0.0001 else f"p = {value:.4f}"
