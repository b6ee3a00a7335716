"""Findings from people's preferences, in sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from referenceless_metrics.core.support.statistics import p_text
from referenceless_metrics.human_evaluation.inference.estimated_means import POWER, Inference
from referenceless_metrics.human_evaluation.inference.preferences import WinRate
from referenceless_metrics.human_evaluation.inference.swapped_orders import PositionBias
from referenceless_metrics.human_evaluation.wording.contrast_phrases import are_many, to_find
from referenceless_metrics.human_evaluation.wording.contrast_sentences import (
    figure_text,
    for_paper,
    for_paper_of_all,
    having_sentences,
    preference_finding,
    preference_sentence,
    sentence_on_all,
)
from referenceless_metrics.human_evaluation.wording.drawn import Drawn
from referenceless_metrics.human_evaluation.wording.further_study import TIMES, items_or_raters
from referenceless_metrics.human_evaluation.wording.headline import strongest_first
from referenceless_metrics.human_evaluation.wording.holm_level import percent
from referenceless_metrics.human_evaluation.wording.power_lines import further_study, power_of_many, reasons_of
from referenceless_metrics.human_evaluation.wording.whose_findings import on_these_raters, scope_sentence

if TYPE_CHECKING:
    pass


_SAME_RATE = 5e-4
"""Largest difference of a win rate from the share of wins that is not explained."""

ON_COUNTS = (
    "Wins, ties and losses count judgements; in a win rate each item counts once, or by its weight, and raters "
    "who judged much count less each time, if their ratings vary, so that it need not be the share of wins."
)
"""Why a win rate need not be the share of wins."""


def preference_lines(
    rates: Sequence[WinRate],
    strengths: Mapping[str, Inference],
    drawn: Drawn,
    unfinished: str = "",
    criterion: str = "",
    on_counts: str = ON_COUNTS,
    n_items: int = 0,
    find: float | None = None,
) -> list[str]:
    """Return sentences on the findings from preferences.

    Args:
        rates: the win rates.
        strengths: the result of `preferences.strengths`.
        drawn: the draw of the items.
        unfinished: the progress of a study that lacks answers; "" otherwise.
        criterion: the name of the criterion, for the sentences to quote; "" for one without a name.
        on_counts: why a win rate need not be the share of wins, in a sentence.
        n_items: number of items of all pairs together; 0 if it is not known.
        find: the true win rate that a further study shall find; None for none.
    """
    level = rates[0].level
    at_random = "the study drew the items at random" if drawn.is_known else "valid only for items drawn at random"
    lines = [
        f"win rate: share of preferences for the system, ties half each, with {percent(level)} intervals; {at_random}."
    ]
    if any(abs(rate.mean.value - _counted(rate)) > _SAME_RATE for rate in rates):
        lines.append(on_counts)
    if are_many(rates):
        lines += filter(None, [scope_sentence(rates), *on_these_raters(rates), *reasons_of(rates)])
        lines += [*_strength_lines(strengths, level), *power_of_many(rates, drawn.n_all, find)]
        return [
            *lines,
            *for_paper_of_all(partial(sentence_on_all, rates, criterion, n_items=n_items), rates, unfinished, drawn),
        ]
    for rate in rates:
        lines += preference_finding(rate)
    lines += on_these_raters(rates)
    lines += _strength_lines(strengths, level)
    for rate in rates:
        detectable = rate.detectable()
        if 0 < detectable < rate.EQUAL:
            times, larger = further_study(rate, drawn.n_all)
            rate_of_more = figure_text(rate.EQUAL + rate.detectable(times))
            more_told = f"; {larger} finds {rate_of_more}" if larger else ""
            alone = items_or_raters(rate) if times == TIMES else ""
            lines.append(
                f"{rate.system} against {rate.baseline}: such a study finds a true win rate of "
                f"{figure_text(rate.EQUAL + detectable)} with a probability of {POWER:.0%}{more_told}.{alone}"
            )
            lines += to_find(rate, find)
    for rate in having_sentences(rates):
        lines.append(for_paper(partial(preference_sentence, rate, criterion), unfinished, drawn))
    return lines


def _strength_lines(strengths: Mapping[str, Inference], level: float) -> list[str]:
    """Return the Bradley-Terry strengths in sentences, the strongest system first; nothing without strengths."""
    if not strengths:
        return []
    first = next(iter(strengths))
    ordered = strongest_first(strengths)
    lines = [
        f"Bradley-Terry, the strongest first: {', '.join(ordered)}. Intervals below are of one comparison each, "
        "without a correction, and rest on the preferences of all pairs."
    ]
    for system in (each for each in ordered if each != first):
        log_odds = strengths[system]
        low, high = log_odds.interval(level)
        lines.append(
            f"Bradley-Terry: {system} against {first}, log odds {log_odds.value:+.3g} "
            f"[{low:.3g}, {high:.3g}], so it is preferred in {1 / (1 + math.exp(-log_odds.value)):.0%}."
        )
    return lines


def place_line(places: tuple[int, int, int]) -> str:
    """Return how often the first of two outputs was preferred, in a study, which draws their order.

    Args:
        places: numbers of answers for the first output, for the second, and for neither.
    """
    first, second, neither = places
    return f"Places: the first output was preferred in {first} answers, the second in {second}, neither in {neither}."


def ties_sentence(n: int, *, has_criteria: bool) -> str:
    """Return the number of ties between equal outputs, which nobody was shown, in words; "" for none.

    Args:
        n: number of such ties by each criterion.
        has_criteria: whether there are several criteria.
    """
    if not n:
        return ""
    by = " by each criterion" if has_criteria else ""
    return f"Equal outputs were not shown, and count as a tie of each rater of the item: {n} of the ties{by}."


def missing_sentence(n_by: Mapping[str, int]) -> str:
    """Return the number of missing preferences, in words; "" for none.

    Args:
        n_by: the number by each criterion, by its name.

    >>> missing_sentence({"": 2}), missing_sentence({"style": 2, "form": 0}), missing_sentence({"": 0})
    ('Missing preferences (blank, or a rater could not judge): 2.', 'Missing preferences (blank, or a rater could not \
judge): 2 by style, 0 by form.', '')
    """
    if not any(n_by.values()):
        return ""
    told = ", ".join(f"{n} by {name}" if name else str(n) for name, n in n_by.items())
    return f"Missing preferences (blank, or a rater could not judge): {told}."


def _counted(rate: WinRate) -> float:
    """Return the share of judgements for the system, ties half each."""
    return (rate.wins + rate.ties / 2) / (rate.wins + rate.ties + rate.losses)


def position_line(bias: PositionBias, level: float) -> str:
    """Return a sentence on the effect of the order of two outputs on a rater's preference."""
    low, high = bias.interval(level)
    who = f" by {bias.rater}" if bias.rater else ""
    p = bias.p_value(level)
    place = "first" if bias.mean.value > 0.5 else "second"
    shown = f"the {place} output is preferred for its place" if p <= 1 - level else "no preference for a place is shown"
    return (
        f"Position: of {bias.n_pairs} pairs judged in both orders{who}, {shown}: the first won {bias.mean.value:.0%} "
        f"[{low:.0%}, {high:.0%}], {p_text(p)}; {bias.consistent:.0%} got one answer in both orders. Such a pair "
        "counts once, by the mean of both."
    )
