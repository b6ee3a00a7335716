"""Findings on scores, as rows and in sentences."""

from __future__ import annotations

import math
from typing import Any

from referenceless_metrics.core.support.statistics import p_text
from referenceless_metrics.human_evaluation.scores.findings import Difference, Findings
from referenceless_metrics.human_evaluation.scores.mean_intervals import FEWEST_CLUSTERS


def finding_rows(findings: Findings) -> list[dict[str, Any]]:
    """Return a row a system, column and slice: its mean, and its difference from the baseline."""
    differences = {(each.system, each.column, each.slice): each for each in findings.differences}
    sliced = any(mean.slice for mean in findings.means)
    rows = []
    for mean in findings.means:
        row: dict[str, Any] = {"system": mean.system, "score": mean.column} | ({"slice": mean.slice} if sliced else {})
        row |= {"items": mean.n, "mean": mean.mean, "low": mean.interval[0], "high": mean.interval[1]}
        each = differences.get((mean.system, mean.column, mean.slice))
        low, high = each.interval if each else (math.nan, math.nan)
        row |= {"difference": each.estimate.value if each else math.nan, "from": low, "to": high}
        row |= {name: getattr(each, field, math.nan) for name, field in _FIELDS.items()}
        rows.append(row | ({} if findings.margin is None else {"not worse": getattr(each, "not_worse", None)}))
    return rows


_FIELDS = {
    "p holm": "p_adjusted",
    "p": "p_value",
    "wins": "wins",
    "ties": "ties",
    "losses": "losses",
    "paired items": "n",
    "clusters": "n_clusters",
    "detectable": "detectable",
}
"""Columns of a difference, by its attributes."""

BESIDE = ("p", "ties", "paired items", "clusters", "detectable")
"""Columns that a table for the terminal leaves out."""


def finding_lines(findings: Findings) -> list[str]:
    """Return what the scores show, in sentences; the finding on all items first."""
    lines = [_sentence(each, findings) for each in findings.differences]
    tests = len([each for each in findings.differences if not each.slice and not math.isnan(each.p_value)])
    if tests > 1:
        lines.append(f"Intervals and p of differences are corrected for {tests} comparisons (Holm).")
    for column, groups in findings.groups.items():
        several = [group for group in groups if len(group) > 1]
        if len(groups) > 1 and several:
            listed = "; ".join(", ".join(group) for group in several)
            lines.append(f"{column}: systems that cannot be told apart (all pairs, Holm): {listed}.")
    return lines + list(findings.notes)


def _sentence(each: Difference, findings: Findings) -> str:
    where = f"{each.column}, {each.slice}" if each.slice else each.column
    level = f"{100 * findings.level:g} %"
    if math.isnan(each.p_value):
        why = (
            f"fewer than {FEWEST_CLUSTERS} items or clusters have both scores"
            if each.n_clusters < FEWEST_CLUSTERS
            else "no difference varies"
        )
        return f"{where}: {each.system} cannot be told from {each.baseline}: {why}."
    low, high = each.interval
    figures = f"difference {each.estimate.value:+.4g} [{low:.4g}, {high:.4g}], {p_text(each.p_adjusted)}"
    if each.is_shown(findings.level):
        scores = "higher" if each.estimate.value > 0 else "lower"
        sentence = f"{each.system} scores {scores} than {each.baseline} at {level}: {figures}"
    else:
        sentence = f"{each.system} is not shown to differ from {each.baseline} at {level}: {figures}"
        if each.detectable > 0:
            sentence += f"; {each.n} items find a difference of {each.detectable:.3g} four times in five"
    if findings.margin is not None:
        shown = "at most" if each.not_worse else "perhaps more than"
        sentence += f"; it is worse by {shown} {findings.margin:g}"
    return f"{where}: {sentence}."
