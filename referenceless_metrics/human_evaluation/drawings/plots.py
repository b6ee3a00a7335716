"""The pictures that commands write: systems by a metric, people's mean ratings of them, and estimates of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from referenceless_metrics.human_evaluation.wording.holm_level import intervals_name, percent
from referenceless_metrics.pages.charts import Interval, intervals
from referenceless_metrics.pages.drawing import Plot

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.inference.human_score import Contrast, HumanScores
    from referenceless_metrics.human_evaluation.inference.preferences import WinRate


def system_places(result: HumanScores) -> dict[str, int]:
    """Return the places of the systems' colours."""
    return {score.system: place for place, score in enumerate(result.scores)}


def human_scores_plots(result: HumanScores, criterion: str = "", *, are_mqm: bool = False) -> list[Plot]:
    """Draw each system's mean human rating with its interval, and each difference.

    If estimates narrow the intervals, that of the ratings alone stands below each mean. A difference that the ratings
    show, after correction for their number, is marked by a filled point.

    Args:
        result: the scores.
        criterion: the criterion that titles name; "" for one without a name.
        are_mqm: whether the ratings are the scores of MQM.
    """
    by = f" by {criterion}" if criterion else ""
    places = system_places(result)
    has_estimates = any(score.shrinkage > 0 for score in result.scores)
    means = [
        Interval(
            f"{score.system} ({score.n_rated} of {score.n_outputs} rated)",
            score.mean.value,
            *score.interval(),
            thin=(score.ratings_alone.value, *score.interval(score.ratings_alone)) if has_estimates else (),
            place=places[score.system],
        )
        for score in result.scores
    ]
    across = f"{percent(result.level)} intervals" + ("; thin: ratings alone" if has_estimates else "")
    what = "Share rated 1" if result.are_shares else f"Mean {'MQM score' if are_mqm else result.rating}"
    best = " (0 is best)" if all(score.highest == 0 for score in result.scores) else ""
    plots = [Plot(f"{what}{by}{best}", intervals(means), across, place=0)]
    differences = [_contrast(each, "less", places) for each in result.differences]
    if differences:
        level = intervals_name(result.level, result.differences[0].n_compared)
        across = f"{level}; dashed: no difference; filled: shown"
        plots.append(Plot(f"Differences{by}", intervals(differences, 0.0), across, place=0))
    return plots


def _contrast(contrast: Contrast, word: str, places: Mapping[str, int]) -> Interval:
    """Return the interval of a system beside another one, at the level of its test; a filled point marks a shown one.

    Args:
        contrast: the difference, or the win rate.
        word: the word between the names of the two systems.
        places: the places of the systems' colours.
    """
    return Interval(
        f"{contrast.system} {word} {contrast.baseline}",
        contrast.mean.value,
        *contrast.adjusted_interval,
        is_filled=contrast.is_shown,
        place=places[contrast.system],
    )


def win_rates_plots(rates: Sequence[WinRate], criterion: str = "") -> list[Plot]:
    """Draw the win rate of each pair of systems with its interval; nothing without any.

    A preference that is shown, after correction for the number of pairs, is marked by a filled point.

    Args:
        rates: the win rates.
        criterion: the criterion that the title names; "" for one without a name.
    """
    if not rates:
        return []
    names = dict.fromkeys(name for rate in rates for name in (rate.baseline, rate.system))
    places = {name: place for place, name in enumerate(names)}
    rows = [_contrast(rate, "against", places) for rate in rates]
    by = f" by {criterion}" if criterion else ""
    across = f"{intervals_name(rates[0].level, rates[0].n_compared)}; dashed: one half; filled: shown"
    return [Plot(f"Win rates{by}", intervals(rows, rates[0].EQUAL), across, place=0)]
