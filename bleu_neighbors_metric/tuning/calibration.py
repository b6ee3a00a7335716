"""Calibration of a pool: estimates of its texts, each from others, compared with their ratings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.neighbors import TOO_MANY
from bleu_neighbors_metric.tokenizers import CHARACTERS
from bleu_neighbors_metric.tuning.parts import part_estimates
from bleu_neighbors_metric.tuning.stored_calibration import StoredCalibration, settings_of
from referenceless_metrics.assessment.agreement import LEFT_OUT, TEXTS, Agreement, Verdict
from referenceless_metrics.assessment.assessment import Assessment, assess, groupings_of, left_out_estimates
from referenceless_metrics.assessment.conformal import ResidualIntervals
from referenceless_metrics.assessment.meta_evaluation import Correlation
from referenceless_metrics.assessment.ordered_systems import ordered_systems_findings
from referenceless_metrics.core.files.tables import RatedTexts

EVERY_TEXT: Mapping[str, Any] = {"weights": "similarity", "threshold": 0.0, "min_neighbors": 1, "max_fraction": 1.0}
"""Settings with an estimate for every text: all pool texts are neighbours, weighted by their similarity."""

ENOUGH_COVERAGE = 0.8
"""Coverage below which a calibration says how to cover more."""


@dataclass(frozen=True)
class Calibration:
    """Agreement of a pool's estimates with its ratings.

    Attributes:
        assessment: the agreement by each way of leaving texts out, and the verdict.
        n_too_few: number of distinct texts with too few neighbours for an estimate.
        n_too_many: number of distinct texts with too many.
        carried: the verdict that the estimator carries, if it is stricter: from systems or groups that are not known
            here, or from the choice of `advise`; None without.
        signature: the signature of the fitted estimator.
        findings: sentences on the meaning of this, and on next steps.
    """

    assessment: Assessment
    n_too_few: int
    n_too_many: int
    carried: Verdict | None
    signature: str
    findings: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """One of `agreement.VERDICTS`, by the strictest known way of leaving texts out."""
        return (self.carried or self.assessment.verdict).verdict

    @property
    def expected(self) -> Agreement:
        """Agreement to expect for further texts, by the strictest way of leaving texts out."""
        return self.assessment.expected

    @property
    def leave_one_out(self) -> Agreement:
        """The agreement if each distinct text is estimated from all the others."""
        return self.assessment.agreements[TEXTS]

    @property
    def spearman(self) -> Correlation:
        """The expected rank correlation of estimates and ratings, corrected."""
        return self.expected.corrected

    @property
    def coverage(self) -> float:
        """The share of texts with an estimate."""
        return self.expected.coverage

    def figures(self) -> dict[str, float]:
        """Return the figures by name, for a table or JSON."""
        return {
            **self.assessment.figures(),
            "n_too_few": self.n_too_few,
            "n_too_many": self.n_too_many,
        }


def calibrate(metric: BLEUNeighbors, rated: RatedTexts | None = None) -> Calibration:
    """Calibrate a fitted estimator by leaving each text of its pool out in turn, and each group if there are any.

    Args:
        metric: a fitted estimator.
        rated: the rows that it was fitted on, one per rating. They also tell how raters disagree, and the system or
            group of each text.

    Raises:
        NotFittedError: before `fit`.
        InputError: for one group only, or a group with one text.
    """
    left_out, texts, ratings = metric.leave_one_out(), list(metric.texts_), metric.ratings_
    groupings = groupings_of(rated, texts)
    estimates = left_out_estimates(part_estimates(metric), ratings, groupings)
    n_ratings = int(metric.counts_.sum())
    assessment = assess(estimates, texts, ratings, groupings=groupings, rated=rated, n_ratings=n_ratings)
    n_too_many = left_out.abstentions[TOO_MANY]
    result = Calibration(
        assessment=assessment,
        n_too_few=left_out.abstentions.total() - n_too_many,
        n_too_many=n_too_many,
        carried=_stricter(metric, assessment),
        signature=metric.signature,
    )
    findings = [*_findings(metric, result), *ordered_systems_findings(estimates, ratings, groupings)]
    return replace(result, findings=tuple(findings))


def attach_calibration(metric: BLEUNeighbors, calibration: Calibration, verdict: Verdict | None = None) -> None:
    """Keep a calibration in its estimator, for results and the index file (see `stored_calibration`).

    Args:
        metric: the estimator that was calibrated, unchanged since.
        calibration: its calibration.
        verdict: the verdict on a choice among estimators, in place of the calibration's own.
    """
    metric.attach_calibration(
        StoredCalibration(
            **vars(verdict or calibration.assessment.verdict),
            threshold=metric.threshold_,
            settings=settings_of(metric.signature),
            intervals=ResidualIntervals.of(metric.leave_one_out().values, metric.ratings_),
        )
    )


def _findings(metric: BLEUNeighbors, result: Calibration) -> list[str]:
    """Return a calibration of an estimator in sentences, the verdict first."""
    n = result.assessment.n_texts
    if n < 2:
        return ["The pool holds one distinct text: nothing can be left out. Rate more texts."]
    sentences = result.assessment.findings()
    if result.carried is not None:
        is_stricter = result.carried.left_out != result.assessment.strictest
        why = "The pool keeps no systems and no groups" if is_stricter else "This counts in that it was chosen"
        sentences = [result.carried.summary, f"{why}; by its texts alone: {sentences[0]}", *sentences[1:]]
    if np.ptp(metric.ratings_) == 0:
        sentences.append("All texts have the same rating: the pool holds no information about quality.")
    if result.leave_one_out.coverage >= ENOUGH_COVERAGE:
        return sentences
    sentences.append(
        f"Coverage is {result.leave_one_out.coverage:.2f}: {result.n_too_few} of {n} texts have fewer than "
        f"{metric.rule_.min_neighbors} neighbours, and {result.n_too_many} have more than "
        f"{metric.rule_.max_fraction:.0%} of the "
        "pool."
    )
    if result.n_too_many:
        sentences.append("Too many neighbours: raise the threshold (more ratings would not help).")
    if result.n_too_few:
        sentences.append("Too few neighbours: try a lower threshold, or a larger pool of texts like the candidates.")
        parameters = metric.parameters_
        if parameters["kernel"] == "bleu_star" and parameters["tokenize"] != CHARACTERS:
            longest = max(parameters["ngram_orders"])
            sentences.append(
                f"Two texts seldom share a {longest}-gram of {parameters['tokenize']!r} tokens: try "
                "tokenize='char' (--tokenize char), from which the published results come, or smooth_method='exp' "
                "(--smooth-method exp)."
            )
    sentences.append(
        "`referenceless calibrate POOL --sweep` tries thresholds, fewest neighbours and largest shares; "
        "`QualityEstimator` (--metric quality_estimation) gives every text an estimate."
    )
    return sentences


def _stricter(metric: BLEUNeighbors, assessment: Assessment) -> Verdict | None:
    """Return the verdict that an estimator carries, if it is stricter than this assessment's; else None."""
    carried = metric.calibration_
    if carried is None:
        return None
    ways = [LEFT_OUT.index(left_out) for left_out in (carried.left_out, assessment.strictest)]
    is_lower = ways[0] == ways[1] and carried.spearman < assessment.expected.corrected.value - 1e-9
    return carried if ways[0] > ways[1] or is_lower else None
