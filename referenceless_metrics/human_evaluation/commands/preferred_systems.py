"""`human-score` of preferences: how often systems are preferred, over all items and in each slice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referenceless_metrics.core.support.validation import InputError, Options, Record, told_systems
from referenceless_metrics.human_evaluation.commands.analysis import Analysis, of_slice

if TYPE_CHECKING:
    import pandas as pd

    from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable


def analysis_of_preferences(table: RatingTable, options: Options) -> Analysis:
    """Return what preferences show of systems.

    Raises:
        InputError: for an unknown baseline, and pairs of which none has enough items.
    """
    frame = table.frame
    names = list(table.systems or dict.fromkeys((*frame["system_a"], *frame["system_b"])))
    baseline = options["baseline"] or names[0]
    if baseline not in names:
        raise InputError(
            f"{table.source}: no preference is of the baseline {baseline!r}; {told_systems(baseline, names)}"
        )
    names.sort(key=lambda name: name != baseline)
    whole = _analysis(table, frame, names, options)
    whole.lines.extend(f"{note}." for note in table.notes)
    if "slice" not in frame:
        return whole
    rows = of_slice("", whole.rows)
    lines = list(whole.lines)
    for part in sorted(set(frame["slice"])):
        try:
            found = _analysis(table, frame[frame["slice"] == part], names, options)
        except InputError as error:
            lines.append(f"{part}: left out, since {error}")
            continue
        rows += of_slice(part, found.rows)
        lines.append(f"{part}: {found.headline}")
    return Analysis(whole.headline, rows, lines, baseline, whole.contrasts, notes=whole.notes)


def _analysis(table: RatingTable, frame: pd.DataFrame, names: list[str], options: Options) -> Analysis:
    """Return what some preferences show of systems, the baseline first."""
    from referenceless_metrics.human_evaluation.inference.preferences import win_rates, without_small_pairs
    from referenceless_metrics.human_evaluation.inference.swapped_orders import merge_swapped
    from referenceless_metrics.human_evaluation.wording.headline import preference_headline
    from referenceless_metrics.human_evaluation.wording.human_score_output import (
        position_line,
        preference_lines,
        preference_rows,
    )

    n_missing = int(frame["preference"].isna().sum())
    answered, biases = merge_swapped(frame.dropna(subset="preference"))
    level, comparisons = options["level"], options["comparisons"]
    compared, notes = without_small_pairs(answered, names, comparisons)
    rates = win_rates(compared, names, source=table.source, level=level, comparisons=comparisons)
    log_odds, told = _strengths(answered, names, table.source)
    lines = preference_lines(rates, log_odds, drawn=bool(table.systems))
    lines += [position_line(bias, level) for bias in biases]
    lines += told
    if n_missing:
        lines.append(f"Preferences that were asked for and are missing: {n_missing}.")
    return Analysis(preference_headline(rates), preference_rows(rates), lines, names[0], rates, notes=notes)


def _strengths(answered: pd.DataFrame, names: list[str], source: str) -> tuple[Record, list[str]]:
    """Return Bradley-Terry strengths of three systems and more, or why there are none."""
    from referenceless_metrics.human_evaluation.inference.preferences import strengths

    if len(names) < 3:
        return {}, []
    try:
        return dict(strengths(answered, names, source)), []
    except InputError as error:  # the win rates hold without
        return {}, [str(error)]
