"""Metrics judged by people's ratings, as rows and in sentences."""

from __future__ import annotations

import math

from referenceless_metrics.assessment.system_pairs import MetricDifference
from referenceless_metrics.core.support.statistics import p_text
from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.scores.meta_evaluation import JudgedMetric, JudgedPair, MetaEvaluation

_FEW_PAIRS = 100
"""Fewest pairs of systems for which more than two decimals of their share have a meaning."""


def meta_rows(found: MetaEvaluation, *, for_readers: bool = False) -> list[Record]:
    """Return a row for each metric.

    Args:
        found: the metrics.
        for_readers: whether shares of few pairs have two decimals.
    """
    return [
        {
            "score": each.metric,
            "systems": each.n_systems,
            "shared items": each.n_items,
            "outputs": each.n_outputs,
            "pairs of systems": each.n_pairs,
            "pairwise accuracy": _share(each) if for_readers else each.accuracy,
            "soft": math.nan if each.soft is None else each.soft.value,
            "± (draws)": math.nan if each.soft is None else each.soft.error,
            "accuracy with ties": each.ties.value,
            "tie up to": each.ties.threshold,
        }
        for each in found.metrics
    ]


def _share(each: JudgedMetric) -> float | str:
    """Return pairwise accuracy as readers see it: of few pairs, with two decimals."""
    if each.n_pairs >= _FEW_PAIRS or math.isnan(each.accuracy):
        return each.accuracy
    return f"{each.accuracy:.2f}"


def meta_lines(found: MetaEvaluation, level: float) -> list[str]:
    """Return the meaning of the figures, and which metrics agree better with people than others, in sentences."""
    lines = [
        "pairwise accuracy: of pairs of systems, the share that the score's means order as people's plain means do.",
        "soft: the same by how sure both are, one less the mean distance of the two p of a pair (± Monte Carlo error).",
        "accuracy with ties: of pairs of outputs of one item, the share that both order alike, or that both tie; "
        "tie-calibrated accuracy (Deutsch et al. 2023), a Kendall's τ that counts ties.",
    ]
    n_pairs = min(each.n_pairs for each in found.metrics)
    if 1 < n_pairs < _FEW_PAIRS:
        lines.append(f"Of {n_pairs} pairs of systems one is {1 / n_pairs:.2g} of pairwise accuracy.")
    if found.n_clusters:
        fewest, *_, most = (*found.n_clusters, *found.n_clusters)
        n_clusters = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        lines.append(
            f"Permutations are of {n_clusters} whole clusters, whose items are dependent; WMT's metrics tasks take "
            "items as independent, as --cluster-column item does."
        )
    elif found.pairs or any(each.soft is not None for each in found.metrics):
        lines.append("Permutations take items as independent, as WMT's do (--cluster-column keeps documents whole).")
    for pair in found.pairs:
        lines.append(f"{pair.metric} less {pair.other}: {_figures(pair, level)}.")
    if len(found.pairs) > 1:
        lines.append(f"p of differences are corrected for {len(found.pairs)} pairs of scores (Holm).")
    return [*lines, *found.notes]


def _figures(pair: JudgedPair, level: float) -> str:
    parts = [_figure("accuracy with ties", pair.ties, pair.ties_adjusted, level)]
    if pair.soft is not None:
        parts.append(_figure("soft", pair.soft, pair.soft_adjusted, level))
    return "; ".join(parts)


def _figure(name: str, difference: MetricDifference, p: float, level: float) -> str:
    shown = "shown" if p <= 1 - level else "not shown"
    told = p_text(p, is_least=difference.is_least, decimals=3)
    return f"{name} {difference.value:+.3f} ({shown}, {told} ± {difference.error:.3f})"
