"""Findings from people's ratings and preferences as rows of a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from referenceless_metrics.human_evaluation.inference.estimated_means import Inference
from referenceless_metrics.human_evaluation.inference.human_score import (
    Contrast,
    Finding,
    HumanDifference,
    HumanScore,
    HumanScores,
)
from referenceless_metrics.human_evaluation.inference.preferences import WinRate
from referenceless_metrics.human_evaluation.wording.contrast_phrases import PAIRED, is_paired
from referenceless_metrics.human_evaluation.wording.headline import highest_first, letters_of

if TYPE_CHECKING:
    pass


def score_rows(scores: HumanScores, *, by_mean: bool = False) -> list[dict[str, Any]]:
    """Return one row per system, and one per difference.

    Args:
        scores: the scores.
        by_mean: whether three systems or more stand in the order of their means, the highest first.
    """
    both: list[Any] = [*scores.scores, *scores.differences]
    if by_mean and len(scores.scores) > 2:
        places = {each.system: place for place, each in enumerate(sorted(scores.scores, key=_highest_first))}
        both = [
            *sorted(scores.scores, key=lambda each: places[each.system]),
            *sorted(scores.differences, key=lambda each: sorted((places[each.system], places[each.baseline]))),
        ]
    letters = letters_of(highest_first(scores), scores.apart) if scores.are_of_all_pairs else {}
    rows = []
    for each in both:
        is_difference = isinstance(each, HumanDifference)
        row = {
            "system": each.system,
            "less": each.baseline if is_difference else "",
            **_counts(each),
            "mean": each.mean.value,
            **_told_ends(each),
            "plain mean": each.plain,
            "ratings alone": each.ratings_alone.value,
            **_ends(each, " alone", each.ratings_alone),
            "p": each.p_value if is_difference and each.mean.is_known else math.nan,
            **_adjusted(each),
            "narrower": each.shrinkage,
            "r": math.nan if is_difference else each.correlation,
            **_by_raters(each),
            "made": PAIRED[each.paired] if is_difference else "",
        }
        if letters:
            row["letters"] = "" if is_difference else letters[each.system]
        rows.append(row)
    return rows


def _highest_first(score: HumanScore) -> float:
    """Order systems by their means; one without a mean stands last."""
    return math.inf if math.isnan(score.mean.value) else -score.mean.value


def _counts(finding: HumanScore | HumanDifference) -> dict[str, float]:
    """Return the numbers of a system's outputs and of those rated, or of a difference that of its items.

    A difference has no outputs of its own; that of independent samples has no items either.
    """
    if isinstance(finding, HumanScore):
        return {"outputs": finding.n_outputs, "rated": finding.n_rated}
    return {"outputs": math.nan, "rated": finding.n_items if is_paired(finding) else math.nan}


def preference_rows(rates: Sequence[WinRate]) -> list[dict[str, Any]]:
    """Return one row per pair of systems."""
    rows = []
    for rate in rates:
        row = {
            "system": rate.system,
            "against": rate.baseline,
            "items": rate.n_items,
            "wins": rate.wins,
            "ties": rate.ties,
            "losses": rate.losses,
            "win rate": rate.mean.value,
            **_ends(rate, "", rate.mean),
            "p": rate.p_value,
            **_adjusted(rate),
            **_by_raters(rate),
        }
        rows.append(row)
    return rows


def _ends(finding: Finding, name: str, mean: Inference | None, level: float | None = None) -> dict[str, float]:
    """Return the ends of an interval, NaN if they are unknown."""
    low, high = (math.nan, math.nan) if mean is None else finding.interval(mean, level)
    return {f"low{name}": _finite(low), f"high{name}": _finite(high)}


def _told_ends(finding: HumanScore | HumanDifference) -> dict[str, float]:
    """Return the ends of the interval of a mean, or of a difference at the level of one; NaN if it tells nothing."""
    is_too_wide = finding.is_plainly_too_wide if isinstance(finding, HumanDifference) else finding.is_too_wide
    is_told = finding.mean.is_known and not is_too_wide
    return _ends(finding, "", finding.mean if is_told else None)


def _finite(value: float) -> float:
    return value if math.isfinite(value) else math.nan


def _adjusted(finding: Finding) -> dict[str, float]:
    """Return p after Holm's correction, and the interval that agrees with it."""
    if not isinstance(finding, Contrast) or not finding.mean.is_known:
        return {"p holm": math.nan, **_ends(finding, " holm", None)}
    mean = None if finding.is_too_wide else finding.mean
    return {"p holm": finding.p_told, **_ends(finding, " holm", mean, finding.level_adjusted)}


def _by_raters(finding: Finding) -> dict[str, float]:
    """Return the intervals for these raters, and for others, unless the raters are too few for these."""
    these = finding.raters.these if finding.raters.n_raters else None
    others = finding.raters.others if finding.raters.about_others else None
    return {**_ends(finding, " these raters", these), **_ends(finding, " others", others)}
