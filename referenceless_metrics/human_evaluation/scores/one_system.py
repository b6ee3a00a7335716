"""Scores of one system, with which nothing can be compared: means with intervals, and the items of the worst scores."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from referenceless_metrics.core.support.metric_names import names_metric
from referenceless_metrics.core.support.validation import Record, joined_names
from referenceless_metrics.human_evaluation.scores.differences import Subset, system_mean
from referenceless_metrics.human_evaluation.scores.table import ScoreTable

ALONE = (
    "There is one system, so that nothing is compared: a file for each further one (--scores FILE --scores FILE), or "
    "the column of systems (--system-column), compares them."
)
SIDE_BY_SIDE = (
    "If columns hold one metric of a system each, as bleu_a and bleu_b, --rows-in 'bleu_*' --system-column key "
    "--score-column bleu compares a and b."
)
MOST_ITEMS = 10
"""Most items that are named for a score."""

_LONGEST = 240


def may_be_of_one_metric(columns: Sequence[str]) -> bool:
    """Say whether the names of several columns share that of a metric, as `bleu_a` and `bleu_b` do.

    >>> may_be_of_one_metric(["bleu_a", "bleu_b"]), may_be_of_one_metric(["gpt_style_score", "gpt_tone_score"])
    (True, False)
    """
    words = [set(re.findall(r"[a-z0-9@]+", name.lower())) for name in columns]
    return len(columns) > 1 and any(names_metric(word) for word in set.intersection(*words))


def mean_rows(scores: ScoreTable, level: float) -> list[Record]:
    """Return a row for each score and slice: the number of items, the mean, and its interval."""
    rows: list[Record] = []
    for part in ("", *scores.slices):
        for column in scores.columns:
            subset = Subset(scores, column, part)
            if subset.has_scores:
                mean = system_mean(subset, scores.systems[0], level)
                low, high = mean.interval
                row: Record = {"system": mean.system, "score": column}
                row |= {"slice": part} if scores.slices else {}
                rows.append({**row, "items": mean.n, "mean": mean.mean, "low": low, "high": high})
    return rows


def worst_lines(scores: ScoreTable) -> list[str]:
    """Return a sentence on the items of the worst values of each score, the worst first.

    Items of the best value are not among them.
    """
    lines = []
    for column in scores.columns:
        subset = Subset(scores, column, "")
        if not subset.has_scores:
            continue
        values = subset.values(scores.systems[0])
        best = np.nanmin(values) if subset.lower_is_better else np.nanmax(values)
        order = np.argsort(-values if subset.lower_is_better else values, kind="stable")  # NaN last
        worse = [place for place in order.tolist() if np.isfinite(values[place]) and values[place] != best]
        if not worse:
            lines.append(f"{column}: {best:.4g} on all items with a score.")
            continue
        n, n_best = int(np.isfinite(values).sum()), int((values == best).sum())
        shown = [f"{scores.items[place]} ({values[place]:.4g})" for place in worse[:MOST_ITEMS]]
        way, at_best = "lowest", f"below {best:.4g}, the highest"
        if subset.lower_is_better:
            way, at_best = "highest (worst)", f"above {best:.4g}, the lowest"
        told = f"of {n} items, the {way}" if n_best == 1 else f"{len(worse)} of {n} items are {at_best}; {way}"
        lines.append(f"{column}: {told}: {joined_names(shown, _LONGEST)}.")
    return lines
