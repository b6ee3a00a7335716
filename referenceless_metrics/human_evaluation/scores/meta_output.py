"""Metrics judged by people's ratings, as rows and in sentences."""

from __future__ import annotations

import math
from collections.abc import Collection

from referenceless_metrics.assessment.system_pairs import MetricDifference
from referenceless_metrics.core.registry import implementation
from referenceless_metrics.core.support.statistics import p_text
from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.scores.meta_evaluation import JudgedMetric, JudgedPair, MetaEvaluation
from referenceless_metrics.human_evaluation.wording.headline import RankedPair, how_tested, lower_of
from referenceless_metrics.human_evaluation.wording.phrases import count, givers_told, listed
from referenceless_metrics.pages.findings import FOR_THE_PAPER

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
        "pairwise accuracy: of pairs of systems, the share that the score's means over the rated outputs order as "
        "people's plain means do; a score of a whole corpus, such as BLEU, may order them otherwise.",
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
    n_outputs = {each.metric: each.n_outputs for each in found.metrics}
    for pair in found.pairs:
        are_fewer = pair.n_outputs < max(n_outputs[pair.metric], n_outputs[pair.other])
        on = f", on the {pair.n_outputs} outputs that have both scores" if are_fewer else ""
        lines.append(f"{pair.metric} less {pair.other}{on}: {_figures(pair, level)}.")
    if len(found.pairs) > 1:
        lines.append(f"p of differences are corrected for {len(found.pairs)} pairs of scores (Holm).")
    return [*lines, *found.notes]


def meta_headline(found: MetaEvaluation, level: float) -> str:
    """Return how scores agree with people by accuracy with ties, and which are shown to agree better, in sentences."""
    givers = givers_told(found.given_by)
    best_first = sorted(found.metrics, key=lambda each: -each.ties.value if each.ties.value == each.ties.value else 1)
    if len(best_first) == 1:
        only = best_first[0]
        return f"{only.metric} and {givers}, on {_sample(found)}: {_three_figures(only)}."
    if not found.pairs:
        return f"Scores and {givers}, on {_sample(found)}: no item has outputs of two systems to compare them by."
    told = listed([f"{each.metric} {_known(each.ties.value)}" for each in best_first])
    return f"Scores and {givers}, on {_sample(found)}, by accuracy with ties: {told}; {_on_pairs(found, level)}."


def _on_pairs(found: MetaEvaluation, level: float) -> str:
    """Return which scores agree better with people than others by accuracy with ties, with the way of testing."""
    pairs = [RankedPair(pair.metric, pair.other, pair.ties_adjusted <= 1 - level) for pair in found.pairs]
    told = [
        f"{better} agrees better with {givers_told(found.given_by)} than {listed(others)}"
        for better, others in lower_of(pairs).items()
    ]
    alike = [f"between {pair.ahead} and {pair.behind}" for pair in pairs if not pair.is_shown]
    told += [f"no difference is shown {listed(alike)}"] if alike else []
    first = found.pairs[0].ties
    return f"{'; '.join(told)} ({how_tested(level, len(pairs), first.p_value, is_least=first.is_least)})"


def _three_figures(each: JudgedMetric) -> str:
    """Return the agreement of a metric with people in words; pairwise accuracy of systems only if it is known."""
    told = [] if math.isnan(each.accuracy) else [f"pairwise accuracy {_share(each)}"]
    told += [] if each.soft is None else [f"soft pairwise accuracy {_known(each.soft.value)}"]
    return listed([*told, f"accuracy with ties {_known(each.ties.value)}"])


def _known(figure: float) -> str:
    return "not known" if math.isnan(figure) else f"{figure:.3f}"


def _sample(found: MetaEvaluation) -> str:
    """Return the numbers of outputs and systems that are judged."""
    n_outputs = _from_to({each.n_outputs for each in found.metrics})
    return f"{n_outputs} outputs of {_from_to({each.n_systems for each in found.metrics})} systems"


def _from_to(numbers: Collection[int]) -> str:
    fewest, most = min(numbers), max(numbers)
    return f"{fewest}" if fewest == most else f"{fewest} to {most}"


def meta_basis(found: MetaEvaluation) -> list[str]:
    """Return the basis of the figures as a caption has it: items, raters, tests and their correction."""
    raters = f", rated by {count(found.n_raters, 'rater')}" if found.n_raters else ""
    items = f"{_from_to({each.n_items for each in found.metrics})} items have scores and ratings of all systems{raters}"
    units = f"{_from_to(found.n_clusters)} whole clusters" if found.n_clusters else "items"
    n_pairs = len(found.pairs)
    corrected = f"; p corrected for {n_pairs} pairs of scores (Holm)" if n_pairs > 1 else ""
    return [f"{items}; {found.n_permutations:,} permutations of {units}{corrected}."]


def meta_note(found: MetaEvaluation, level: float) -> list[str]:
    """Return the note below a table for a paper: the meaning of the figures, how scores differ, and the version."""
    return [*meta_lines(found, level), f"Computed with {implementation()}."]


def meta_for_paper(found: MetaEvaluation, level: float) -> str:
    """Return the agreement of scores with people in a sentence to quote."""
    told = "; ".join(f"{each.metric} had {_three_figures(each)}" for each in found.metrics)
    by = f" by {count(found.n_raters, 'rater')}" if found.n_raters else ""
    in_criterion = f" in {found.asked}" if found.asked else ""
    rated = f" rated{by}{in_criterion}" if by or in_criterion else ""
    of_pairs = f"; by accuracy with ties, {_on_pairs(found, level)}" if found.pairs else ""
    units = f"{_from_to(found.n_clusters)} whole clusters" if found.n_clusters else "items"
    has_means = any(not math.isnan(each.accuracy) for each in found.metrics)
    of_means = "a system's score is its mean over these outputs; " if has_means else ""
    return (
        f"{FOR_THE_PAPER}On {_sample(found)}{rated}, {told}{of_pairs} ({of_means}accuracy with ties: tie-calibrated, "
        f"Deutsch et al. 2023; {found.n_permutations:,} permutations of {units}; computed with {implementation()})."
    )


def _figures(pair: JudgedPair, level: float) -> str:
    parts = [_figure("accuracy with ties", pair.ties, pair.ties_adjusted, level)]
    if pair.soft is not None:
        parts.append(_figure("soft", pair.soft, pair.soft_adjusted, level))
    return "; ".join(parts)


def _figure(name: str, difference: MetricDifference, p: float, level: float) -> str:
    shown = "shown" if p <= 1 - level else "not shown"
    if difference.is_least:  # an upper limit, as the headline has it
        return f"{name} {difference.value:+.3f} ({shown}, {p_text(p, is_least=True)})"
    return f"{name} {difference.value:+.3f} ({shown}, {p_text(p, decimals=3)} ± {difference.error:.3f})"
