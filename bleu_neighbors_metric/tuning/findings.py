"""A calibration in words: what the estimates are worth, why, and what would help."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bleu_neighbors_metric.tokenizers import CHARACTERS
from metric_commons.assessment.agreement import FEWEST_COVERED, NO_BETTER, USEFUL, Agreement

if TYPE_CHECKING:
    from bleu_neighbors_metric.estimator import BLEUNeighbors
    from bleu_neighbors_metric.tuning.calibration import Calibration

_LONG_STORY = 0.2  # a correlation of the ratings with the length that is worth a word


def findings(metric: BLEUNeighbors, result: Calibration) -> list[str]:
    """Return sentences, the verdict first."""
    if result.n_texts < 2:
        return ["The pool holds one distinct text: nothing can be left out. Rate more texts."]
    found = [_verdict(result)]
    if len(np.unique(metric.quality_)) == 1:
        found.append("All texts have the same rating: the pool holds no information about quality.")
    found.extend(_reasons(result.leave_one_out, ""))
    if result.by_group is not None:
        found.extend(_of_groups(result))
    found.extend(_beside(result))
    if result.alternatives:
        found.extend(_how_to_cover_more(metric, result))
    return found


def _verdict(result: Calibration) -> str:
    agreed = result.leave_one_out
    gain = 1 - agreed.mean_squared_error / agreed.baseline_error if agreed.baseline_error > 0 else 0.0
    if result.verdict == NO_BETTER:
        return "No better than the mean: do not report these estimates as quality."
    domain = "That holds for texts like those of the pool; it says nothing about other domains or other systems."
    if result.verdict == USEFUL:
        return (
            f"Useful: the estimates rank the pool's own texts better than chance and have {gain:.0%} less error than "
            f"its mean. {domain}"
        )
    return (
        f"Weak: the estimates rank the pool's own texts better than chance, with only {max(gain, 0):.0%} less error "
        f"than its mean. They may order many texts; they decide nothing about one text or one system. {domain}"
    )


def _reasons(agreed: Agreement, where: str) -> list[str]:
    """Say what kept a verdict from being better."""
    found = []
    covered = round(agreed.coverage * agreed.n_texts)
    if 0 < covered < FEWEST_COVERED:
        found.append(f"Only {covered} texts are covered{where}: too few for the figures to mean much.")
    if covered and not agreed.mean_squared_error < agreed.baseline_error:
        found.append(
            f"The error of the estimates{where} ({agreed.mean_squared_error:.4f}) is not below that of always "
            f"predicting the mean ({agreed.baseline_error:.4f})."
        )
    if covered and not agreed.spearman.low > 0:
        found.append(
            f"The 95% interval of the rank correlation{where} includes 0: the pool may not rank texts better than "
            "chance."
        )
    return found


def _of_groups(result: Calibration) -> list[str]:
    agreed = result.by_group
    if agreed is None:
        return []
    told = (
        f"Of groups that are not in the pool ({result.n_groups} groups, each left out in turn): ρ "
        f"{agreed.spearman.value:.2f} [{agreed.spearman.low:.2f}, {agreed.spearman.high:.2f}] at coverage "
        f"{agreed.coverage:.2f}, against {result.spearman.value:.2f} with the group's other texts in the pool."
    )
    return [told, *_reasons(agreed, " of groups left out")]


def _beside(result: Calibration) -> list[str]:
    """Set the figures beside what length alone tells, and what raters allow."""
    found = []
    agreed = result.leave_one_out
    if abs(agreed.length.value) >= _LONG_STORY:
        found.append(
            f"Length alone correlates with the ratings at ρ {agreed.length.value:.2f}; with the length held fixed the "
            f"estimates' ρ is {agreed.given_length.value:.2f}."
        )
    if result.ceiling is not None and agreed.spearman.n:
        found.append(result.ceiling.told(agreed.spearman.value))
    if not np.isnan(result.interval_width + result.interval_width_of_mean):
        found.append(
            f"The 90% interval of a single text's rating is {result.interval_width:.3g} wide in the mean; that around "
            f"the pool's mean, for every text the same, is {result.interval_width_of_mean:.3g} wide."
        )
    return found


def _how_to_cover_more(metric: BLEUNeighbors, result: Calibration) -> list[str]:
    found = [
        f"Coverage is {result.coverage:.2f}: {result.n_too_few} of {result.n_texts} texts have fewer than "
        f"{metric.min_neighbors} neighbours, and {result.n_too_many} have more than {metric.max_fraction:.0%} of the "
        "pool."
    ]
    if result.n_too_many:
        found.append("Too many neighbours: raise the threshold (more ratings would not help).")
    if result.n_too_few:
        found.append(_too_few(metric, result))
    for other in result.alternatives:
        agreed = other.leave_one_out
        found.append(
            f"With {_told(other.parameters)}: coverage {agreed.coverage:.2f}, ρ {agreed.spearman.value:.2f} "
            f"[{agreed.spearman.low:.2f}, {agreed.spearman.high:.2f}], {agreed.verdict}."
        )
    return found


def _too_few(metric: BLEUNeighbors, result: Calibration) -> str:
    told = "Too few neighbours: "
    remedies = ["a lower threshold", "a larger pool of texts like the candidates"]
    if metric.kernel == "bleu_star":
        if metric.smooth_method == "none" and result.matching_pairs < 0.5:
            told += (
                f"{1 - result.matching_pairs:.1%} of the pairs have similarity 0, because without smoothing two texts "
                f"must share a {max(metric.ngram_orders)}-gram of {metric.tokenize!r} tokens. "
            )
        if metric.tokenize != CHARACTERS:
            remedies.insert(0, "tokenize='char' (--tokenize char), from which the published results come")
            if metric.smooth_method == "none":
                remedies.insert(1, "smooth_method='exp' (--smooth-method exp)")
    return f"{told}Try {', '.join(remedies[:-1])} or {remedies[-1]}."


def _told(parameters: Any) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in parameters.items())
