"""Comparison of several scores by how they agree with people: differences of their correlations on the same outputs.

A difference has the interval of Student's t with the jackknife's standard error over items, or over clusters of them
(see `report_card.jackknife`), so that the scores' common outputs, and their common errors, count as they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from referenceless_metrics.assessment.meta_evaluation import pearson, rank_correlation
from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference, holm, holm_levels
from referenceless_metrics.human_evaluation.judges.judged_outputs import (
    FEWEST_OUTPUTS,
    KEYS,
    JudgedOutputs,
    clusters_of,
    fewest_parts,
)
from referenceless_metrics.human_evaluation.judges.report_card import (
    KAPPA,
    PEARSON,
    SPEARMAN,
    cohen_kappa,
    jackknife_error,
    parts_of,
)
from referenceless_metrics.human_evaluation.scores.directions import are_negated, is_lower_better_in

_ROUNDING = 1e-12
"""Largest difference of correlations that is rounding."""


@dataclass(frozen=True)
class AgreementDifference:
    """The difference of two scores' agreement with people.

    Attributes:
        what: the figure: Pearson's r or Spearman's ρ, or Cohen's κ of verdicts.
        first: the name of the score that agrees better.
        second: the name of the other, whose figure is taken from that of the first.
        n: number of outputs that have both scores and a rating.
        are_fewer: whether one of the scores has a value for more outputs, on which its own figures are.
        value: the difference; see `is_turned`.
        low: the lower end of its interval, at the level at which Holm's procedure tests it; NaN without one.
        high: the upper end.
        p: two-sided p of no difference; NaN without an interval.
        p_adjusted: the same, corrected for the number of pairs by all criteria (Holm).
        missing: the reason why there is no interval; "" if there is one.
    """

    what: str
    first: str
    second: str
    n: int
    value: float
    are_fewer: bool = False
    low: float = math.nan
    high: float = math.nan
    p: float = math.nan
    p_adjusted: float = math.nan
    missing: str = ""


def agreement_differences(
    criteria: Mapping[str, Sequence[JudgedOutputs]], level: float
) -> dict[str, list[AgreementDifference]]:
    """Return the differences of all pairs of scores by each criterion, those of each figure corrected together.

    The pairs by all criteria are one family of comparisons, as in `human-score`.

    Args:
        criteria: by each criterion judged outputs, the same ones for each score, with names of their own.
        level: confidence level of the intervals, in (0, 1).
    """
    compared = {
        name: [
            _difference(what, figure, *pair)
            for what, figure in _figures(scores).items()
            for pair in combinations(scores, 2)
        ]
        for name, scores in criteria.items()
    }
    families: dict[str, list[float]] = {}
    for each, inference in (pair for of_criterion in compared.values() for pair in of_criterion):
        if inference is not None:
            families.setdefault(each.what, []).append(inference.p_value())
    corrected = {
        what: iter(zip(holm(known), holm_levels(known, level), strict=True)) for what, known in families.items()
    }

    def adjusted(each: AgreementDifference, inference: Inference | None) -> AgreementDifference:
        if inference is None:
            return each
        p_adjusted, own_level = next(corrected[each.what])
        low, high = inference.interval(own_level)
        return replace(each, low=low, high=high, p=inference.p_value(), p_adjusted=p_adjusted)

    return {name: [adjusted(*pair) for pair in of_criterion] for name, of_criterion in compared.items()}


def _figures(scores: Sequence[JudgedOutputs]) -> dict[str, Callable[[Floats, Floats], float]]:
    """Return the figures of agreement by which scores are compared, by their names."""
    if all(each.are_verdicts for each in scores):
        return {KAPPA: cohen_kappa}
    return {PEARSON: pearson, SPEARMAN: rank_correlation}


def is_turned(judged: JudgedOutputs) -> bool:
    """Say whether correlations of a score count with the other sign in differences.

    So they do if lower is better by its name, or by those of its files, some value is above 0, as nobody turned them
    before, and values fall where ratings rise.
    """
    scores, human = (judged.rated[name].to_numpy(dtype=float) for name in ("judge", "human"))
    is_lower = is_lower_better_in(judged.name, *judged.files)
    return is_lower and not are_negated(scores) and pearson(scores, human) < 0


def _difference(
    what: str, figure: Callable[[Floats, Floats], float], first: JudgedOutputs, second: JudgedOutputs
) -> tuple[AgreementDifference, Inference | None]:
    """Return the difference of two scores' figures on the outputs that have both, and the inference behind it.

    It is the figure of the score that agrees better less that of the other, whichever comes first here.
    """
    signs = [-1 if what != KAPPA and is_turned(each) else 1 for each in (first, second)]
    both = first.rated.merge(second.rated[[*KEYS, "judge"]], on=KEYS, suffixes=("", " of the other"))
    columns = [both[name].to_numpy(dtype=float) for name in ("judge", "judge of the other", "human")]
    clusters: Integers = clusters_of(both) if len(both) else np.zeros(0, dtype=np.int64)

    def differing(ours: Floats, other: Floats, human: Floats) -> float:
        return signs[0] * figure(ours, human) - signs[1] * figure(other, human)

    value = differing(*columns) if len(both) else math.nan
    if value < 0:
        return _difference(what, figure, second, first)
    n_parts = len(np.unique(clusters))
    fewest = FEWEST_OUTPUTS if what == KAPPA else fewest_parts(both)
    kind = "clusters" if "cluster" in both else "items"
    are_fewer = len(both) < max(len(first.rated), len(second.rated))
    found = AgreementDifference(what, first.name, second.name, len(both), value, are_fewer)
    if n_parts < fewest:
        return replace(found, missing=f"{n_parts} {kind}, {fewest} are needed"), None
    error = jackknife_error(differing, columns, clusters, _as_it_is)
    if not (math.isfinite(value) and error > _ROUNDING):
        alike = abs(value) <= _ROUNDING
        return replace(found, missing="the two agree alike on all outputs" if alike else "one does not vary"), None
    return found, Inference(value, error, parts_of(clusters) - 1, 0.0)


def _as_it_is(values: Floats) -> Any:
    return values
