"""`human-score` of preferences: shares of wins of systems, over all items and in each slice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from referenceless_metrics.core.support.validation import InputError, Options, Record, told_systems
from referenceless_metrics.human_evaluation.commands.analysis import (
    Analysis,
    Findings,
    in_order,
    joined,
    of_slice,
    on_studies,
    quotes_last,
)

_SHARES = "win rate: share of a system's preferences for it, against all others, ties half each; without an interval."

if TYPE_CHECKING:
    import pandas as pd

    from referenceless_metrics.human_evaluation.inference.estimated_means import Inference
    from referenceless_metrics.human_evaluation.inference.preferences import WinRate
    from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable


@dataclass(frozen=True)
class _Preferred:
    """Systems as they are preferred by one criterion, the baseline first, with its preferences."""

    criterion: str
    table: RatingTable
    names: list[str]
    rates: Sequence[WinRate]
    strengths: Mapping[str, Inference]
    lines: list[str]
    notes: Sequence[str]


def findings_of_preferences(table: RatingTable, options: Options) -> Findings:
    """Return the findings of preferences on systems by each criterion, adjusted for criteria times comparisons.

    Raises:
        InputError: for an unknown baseline, and pairs of which none has enough items.
    """
    from referenceless_metrics.human_evaluation.inference.human_score import adjusted_together
    from referenceless_metrics.human_evaluation.ratings.criteria import each_criterion, with_overall
    from referenceless_metrics.human_evaluation.wording.preference_output import missing_sentence, ties_sentence

    tables, notes = with_overall(table, asked=options["overall"])

    def preferred_by(criterion: str, of_criterion: RatingTable) -> _Preferred | Analysis:
        names = _names(of_criterion, options)
        return _wins_alone(criterion, of_criterion.frame, names, options) or _preferred(
            criterion, of_criterion, of_criterion.frame, names, options
        )

    found, left_out = each_criterion(tables, preferred_by)
    preferred = [each for each in found.values() if isinstance(each, _Preferred)]
    together = adjusted_together([each.rates for each in preferred], options["level"]) if preferred else ()
    of_rates = [_analysis(replace(each, rates=rates), options) for each, rates in zip(preferred, together, strict=True)]
    analyses = in_order(found.values(), of_rates)
    findings = joined(analyses, [*notes, *left_out], table.unfinished, table.together)
    findings = replace(findings, is_unfinished=bool(table.unfinished) and not table.is_over)
    findings = replace(findings, basis=on_studies(table, "all answers count"))
    on_missing = missing_sentence({name: int(part.frame["preference"].isna().sum()) for name, part in tables.items()})
    lines = quotes_last([*findings.lines, on_missing, *(f"{note}." for note in table.notes)])
    findings = replace(findings, lines=lines)
    on_ties = ties_sentence(table.n_unshown_ties, has_criteria=len(analyses) > 1)
    if not on_ties:
        return findings
    return replace(findings, lines=[on_ties, *findings.lines], basis=(on_ties, *findings.basis))


def _names(table: RatingTable, options: Options) -> list[str]:
    """Return the systems, the baseline first."""
    frame = table.frame
    names = list(table.systems or dict.fromkeys((*frame["system_a"], *frame["system_b"])))
    baseline = options["baseline"] or names[0]
    if baseline not in names:
        raise InputError(
            f"{table.source}: no preference is of the baseline {baseline!r}; {told_systems(baseline, names)}"
        )
    return sorted(names, key=lambda name: name != baseline)


def _wins_alone(criterion: str, frame: pd.DataFrame, names: Sequence[str], options: Options) -> Analysis | None:
    """Return each system's share of wins against all others, if no two have preferences on enough items; else None."""
    from referenceless_metrics.human_evaluation.inference.output_ratings import FEWEST_RATINGS
    from referenceless_metrics.human_evaluation.inference.preferences import n_items_of_pairs

    answered = frame.dropna(subset="preference")
    counts = n_items_of_pairs(answered, names, options["comparisons"])
    most = max(counts, default=0)
    if not 0 < most < FEWEST_RATINGS:
        return None
    rows: list[Record] = []
    for name in names:
        rows.append({"system": name, "against": "all others", **_against_all(answered, name)})
    items_told = "item" if most == 1 else "items"
    headline = (
        f"Nothing is shown: no two of the systems that are compared have preferences on more than {most} {items_told}, "
        f"and intervals need {FEWEST_RATINGS}. Differences between these shares may be chance."
    )
    return Analysis(headline, rows, [_SHARES], names[0], (), criterion=criterion)


def _against_all(answered: pd.DataFrame, name: str) -> Record:
    """Return a system's wins, ties and losses against all others, and its share of wins, ties half each."""
    first = answered[answered["system_a"] == name]
    second = answered[answered["system_b"] == name]
    shares = [*first["preference"], *(1 - second["preference"])]
    wins, losses = sum(share > 0.5 for share in shares), sum(share < 0.5 for share in shares)
    items = {*first["item"], *second["item"]}
    counted: Record = {"items": len(items), "wins": wins, "ties": len(shares) - wins - losses, "losses": losses}
    return {**counted, "win rate": sum(shares) / len(shares) if shares else float("nan")}


def _line_on_all(answered: pd.DataFrame, names: Sequence[str]) -> str:
    """Return the sentence on each system's preferences against all others."""
    told = []
    for name in names:
        counts = _against_all(answered, name)
        told.append(f"{name} {counts['wins']}–{counts['ties']}–{counts['losses']} ({counts['win rate']:.3f})")
    return (
        f"Against all others, wins–ties–losses and win rate without an interval: {', '.join(told)}. These hold the "
        "pairs that are left out, too, and depend on who was compared with whom."
    )


def _preferred(
    criterion: str, table: RatingTable, frame: pd.DataFrame, names: list[str], options: Options
) -> _Preferred:
    """Return the findings of some of the preferences by a criterion on systems.

    Raises:
        InputError: for pairs of which none has enough items.
    """
    from referenceless_metrics.human_evaluation.inference.preferences import win_rates, without_small_pairs
    from referenceless_metrics.human_evaluation.inference.swapped_orders import merge_swapped
    from referenceless_metrics.human_evaluation.wording.preference_output import place_line, position_line

    answered, biases = merge_swapped(frame.dropna(subset="preference"))
    level, comparisons = options["level"], options["comparisons"]
    compared, notes = without_small_pairs(answered, names, comparisons)
    rates = win_rates(compared, names, source=table.source, level=level, comparisons=comparisons)
    rates = tuple(replace(rate, given_by=table.given_by) for rate in rates)
    lines = [position_line(bias, level) for bias in biases]
    if notes:
        lines.append(_line_on_all(answered, names))
    if criterion in table.places:
        lines.append(place_line(table.places[criterion]))
    part = replace(table, frame=answered)
    log_odds, why_none = _strengths(answered, names, table.source)
    return _Preferred(criterion, part, names, rates, log_odds, [*lines, *why_none], notes)


def _analysis(preferred: _Preferred, options: Options) -> Analysis:
    """Return the findings of preferences on systems by one criterion, in rows and in words."""
    from referenceless_metrics.human_evaluation.wording.headline import preference_headline

    rows, lines = _told(preferred, options["find"].get(preferred.criterion, options["find"].get("")))
    frame = preferred.table.frame
    if "slice" in frame:
        rows = of_slice("", rows)
        for part in sorted(set(frame["slice"])):
            part_rows, part_lines = _of_slice(preferred, part, options)
            rows += part_rows
            lines += part_lines
    headline = preference_headline(preferred.rates, preferred.strengths)
    baseline = preferred.names[0]
    criterion = preferred.criterion
    return Analysis(headline, rows, lines, baseline, preferred.rates, notes=preferred.notes, criterion=criterion)


def _of_slice(preferred: _Preferred, part: str, options: Options) -> tuple[list[Record], list[str]]:
    """Return rows and sentences on one slice, which is a family of comparisons of its own."""
    from referenceless_metrics.human_evaluation.wording.headline import preference_headline

    table = preferred.table
    try:
        found = _preferred("", table, table.frame[table.frame["slice"] == part], preferred.names, options)
    except InputError as error:
        return [], [f"{part}: left out, since {error}"]
    return of_slice(part, _told(found)[0]), [f"{part}: {preference_headline(found.rates, found.strengths)}"]


def _told(preferred: _Preferred, find: float | None = None) -> tuple[list[Record], list[str]]:
    """Return the findings of preferences in rows and in sentences."""
    from referenceless_metrics.human_evaluation.wording.drawn import Drawn
    from referenceless_metrics.human_evaluation.wording.human_score_output import ON_MEANS
    from referenceless_metrics.human_evaluation.wording.human_score_rows import preference_rows
    from referenceless_metrics.human_evaluation.wording.preference_output import ON_COUNTS, preference_lines

    table = preferred.table
    drawn = Drawn.of(table)
    told = preferred.strengths, drawn, table.unfinished, preferred.criterion
    on_counts = ON_MEANS if _are_means(table.frame) else ON_COUNTS
    n_items = table.frame["item"].nunique()
    lines = preference_lines(preferred.rates, *told, on_counts=on_counts, n_items=n_items, find=find)
    return preference_rows(preferred.rates), [*lines, *preferred.lines]


def _are_means(answered: pd.DataFrame) -> bool:
    """Say whether preferences are means of both orders of some pairs, and each pair of an item was judged once."""
    pairs = answered[["item", "system_a", "system_b"]]
    return not answered["preference"].isin((0.0, 0.5, 1.0)).all() and not pairs.duplicated().any()


def _strengths(answered: pd.DataFrame, names: list[str], source: str) -> tuple[Mapping[str, Inference], list[str]]:
    """Return Bradley-Terry strengths of three systems and more, or why there are none."""
    from referenceless_metrics.human_evaluation.inference.preferences import strengths

    if len(names) < 3:
        return {}, []
    try:
        return dict(strengths(answered, names, source)), []
    except InputError as error:  # the win rates hold without
        return {}, [str(error)]
