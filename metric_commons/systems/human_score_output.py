"""What people's ratings and preferences show, as rows of a table and in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from metric_commons.systems.crossed import FEWEST_RATERS, Crossed
from metric_commons.systems.human_score import HumanDifference, HumanScore, HumanScores
from metric_commons.systems.inference import Inference
from metric_commons.systems.preferences import Strength, WinRate

PAIRED = {
    "item and rater": "paired by item and rater",
    "item": "paired by item",
    "some items": "some items rated of both",
    "": "independent samples",
}
"""How a difference was made, by `HumanDifference.paired`."""

POWER = 0.8
_MOST = 4  # differences that get lines of their own on power and for the paper


def score_rows(scores: HumanScores) -> list[dict[str, Any]]:
    """Return a row a system, and one a difference."""
    systems = {one.system: one for one in scores.scores}
    rows = []
    both: list[HumanScore | HumanDifference] = [*scores.scores, *scores.differences]
    for one in both:
        row: dict[str, Any] = {"system": one.system, "less": getattr(one, "baseline", "")}
        row |= {"outputs": systems[one.system].n_outputs, "rated": systems[one.system].n_rated}
        for name, mean in (("", one.mean), (" alone", one.ratings_alone)):
            low, high = one.interval(mean)
            row |= {f"ratings{name}" if name else "mean": mean.value, f"low{name}": low, f"high{name}": high}
        row |= {"p": getattr(one, "p_value", math.nan), "p holm": getattr(one, "p_adjusted", math.nan)}
        row |= {"narrower": one.shrinkage, "expected": getattr(one, "expected_shrinkage", math.nan)}
        row |= {"r": getattr(one, "correlation", math.nan), **_by_raters(one)}
        made = [PAIRED[one.paired]] if isinstance(one, HumanDifference) else []
        row["made"] = ", ".join([*made, *(["approximate"] if one.enough else [])])
        rows.append(row)
    return rows


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
    level = f"{scores.level:.0%}"
    lines = [
        f"mean: of the human ratings, with {level} intervals; "
        + ("the study drew the outputs at random. " if drawn else "valid only for outputs drawn at random. ")
        + "narrower: reduction in interval width by the estimates.",
        *scores.warnings,
    ]
    for one in scores.scores:
        if one.enough:
            lines.append(
                f"The interval of {one.system} is approximate: {one.n_rated} skewed ratings on no declared scale. "
                f"About {one.enough} rated outputs would do, or the ends of the scale (--scale LOW:HIGH)."
            )
    for difference in scores.differences:
        lines += _difference_lines(difference, len(scores.differences), level)
    for one in scores.scores:
        wanted = width or one.mean.width(scores.level) / 2
        if not wanted > 0:
            continue
        with_estimates, alone = one.ratings_needed(wanted), one.ratings_needed(wanted, with_estimates=False)
        told = f"an interval of {one.system} that is {wanted:.3g} wide needs about {with_estimates} rated outputs"
        if with_estimates > one.n_outputs > one.n_rated:  # a table of ratings alone does not tell how many there are
            told += f", more than its {one.n_outputs} outputs"
        lines.append(f"{told} (ratings alone: {alone})")
    for difference in scores.differences[:_MOST]:
        lines += _power_lines(difference, sought)
    for difference in scores.differences[:_MOST]:
        lines.append(f"For the paper: {_sentence(difference, len(scores.differences), level)}")
    return lines


def _difference_lines(one: HumanDifference, n: int, level: str) -> list[str]:
    low, high = one.interval()
    correction = f", Holm over {n}: {_p(one.p_adjusted)}" if n > 1 else ""
    told = (
        f"{one.mean.value:+.3g} [{low:.3g}, {high:.3g}], {level} interval, {PAIRED[one.paired]}"
        f"{f' ({one.n_pairs} items)' if one.n_pairs else ''}, {_p(one.p_value)}{correction}"
    )
    who, rates = _who(one.raters, "rate")
    if one.is_shown:
        higher = "higher" if one.mean.value > 0 else "lower"
        said = f"{who} {rates} {one.system} {higher} than {one.baseline}: {told}."
    else:
        said = (
            f"These ratings do not show that {who[0].lower()}{who[1:]} {rates} {one.system} and {one.baseline} "
            f"differently: {told}."
        )
    if one.enough:
        said += (
            f" Take it as approximate: a few of the {one.n_pairs} items differ far more than the others, and about "
            f"{one.enough} would do."
        )
    return [said, *_of_other_raters(one.raters, one.interval)]


def _sentence(one: HumanDifference, n: int, level: str) -> str:
    low, high = one.interval()
    raters = f" by {one.raters.count} rater{'s' * (one.raters.count > 1)}" if one.raters.count else ""
    basis = f"{one.n_pairs} items" if one.paired not in ("", "some items") else "random samples of outputs"
    shown = "rated" if one.is_shown else "not shown to be rated"
    correction = f" after Holm's correction for {n} comparisons" if n > 1 else ""
    return (
        f'"On {basis}{raters}, {one.system} was {shown} {"higher" if one.mean.value > 0 else "lower"} than '
        f"{one.baseline} (mean difference {one.mean.value:.2f}, {level} CI [{low:.2f}, {high:.2f}], "
        f'{PAIRED[one.paired]}, {_p(one.p_adjusted)}{correction})."'
    )


def _power_lines(one: HumanDifference, sought: float | None) -> list[str]:
    found = one.mean.detectable(one.level, POWER)
    if not found > 0 or one.n_pairs < 2:
        return []
    wanted = sought or found / 2
    items = math.ceil(one.n_pairs * (found / wanted) ** 2)
    return [
        f"{one.system} less {one.baseline}: such ratings find a true difference of {found:.3g} with a probability of "
        f"{POWER:.0%}; to find {wanted:.3g} rate about {items} items, each rater as many as now"
    ]


def preference_rows(rates: Sequence[WinRate]) -> list[dict[str, Any]]:
    """Return a row a pair of systems."""
    rows = []
    for one in rates:
        low, high = one.interval()
        row: dict[str, Any] = {"system": one.system, "against": one.baseline, "items": one.n_items}
        row |= {"wins": one.wins, "ties": one.ties, "losses": one.losses}
        row |= {"win rate": one.rate.value, "low": low, "high": high, "p": one.p_value, "p holm": one.p_adjusted}
        row |= {
            "p sign test": one.sign_p,
            "narrower": 1 - one.rate.width(one.level) / (one.alone.width(one.level) or 1),
        }
        rows.append(row | _by_raters(one))
    return rows


def preference_lines(rates: Sequence[WinRate], strengths: Sequence[Strength], *, drawn: bool, ties: str) -> list[str]:
    """Return what preferences show, in words."""
    level = f"{rates[0].level:.0%}"
    lines = [
        f"win rate: share of preferences for the system, {'ties half each' if ties == 'half' else 'ties left out'}, "
        f"with {level} intervals; "
        + ("the study drew the items at random." if drawn else "valid only for items drawn at random.")
    ]
    for one in rates:
        low, high = one.interval()
        told = f"{one.rate.value:.0%} [{low:.0%}, {high:.0%}], {one.n_items} items, {one.ties} ties, {_p(one.p_value)}"
        told += f", Holm over {len(rates)}: {_p(one.p_adjusted)}" if len(rates) > 1 else ""
        who, prefer = _who(one.raters, "prefer")
        if one.is_shown:
            pair = (one.system, one.baseline) if one.rate.value > 0.5 else (one.baseline, one.system)
            lines.append(f"{who} {prefer} {pair[0]} to {pair[1]}: win rate of {one.system} {told}.")
        else:
            lines.append(
                f"These preferences do not show that {who[0].lower()}{who[1:]} {prefer} {one.system} or {one.baseline}"
                f": win rate {told}."
            )
        lines += _of_other_raters(one.raters, one.interval)
    for each in strengths[1:]:
        low, high = each.log_odds.interval(rates[0].level)
        lines.append(
            f"Bradley-Terry: {each.system} against {strengths[0].system}, log odds {each.log_odds.value:+.3g} "
            f"[{low:.3g}, {high:.3g}], so it is preferred in {1 / (1 + math.exp(-each.log_odds.value)):.0%}."
        )
    return lines


def _who(raters: Crossed, verb: str) -> tuple[str, str]:
    """Return of whom a sentence speaks, and its verb: of people, or of too few raters to speak of others."""
    if not raters.n_raters or raters.about_others:
        return "People", verb
    if raters.others is None:
        return "This rater", f"{verb}s"
    return f"These {raters.count} raters", verb


def _of_other_raters(raters: Crossed, interval: Any) -> list[str]:
    if not raters.n_raters or raters.about_others:
        return []
    if raters.others is None:
        return ["One rater says nothing of how others would rate."]
    low, high = interval(raters.others)
    return [
        f"For raters other than these the interval is [{low:.3g}, {high:.3g}]; fewer than {FEWEST_RATERS} raters say "
        "little of others."
    ]


def _by_raters(one: HumanScore | HumanDifference | WinRate) -> dict[str, float]:
    """Return the intervals for these raters, and for others."""
    row: dict[str, float] = {}
    either: tuple[tuple[str, Inference | None], ...] = (
        ("these raters", one.raters.these),
        ("others", one.raters.others),
    )
    for name, mean in either:
        ends = (math.nan, math.nan) if mean is None or not one.raters.n_raters else one.interval(mean)
        row |= {f"low {name}": ends[0], f"high {name}": ends[1]}
    return row


def _p(value: float) -> str:
    return "p < 0.0001" if value < 0.0001 else f"p = {value:.4f}"
