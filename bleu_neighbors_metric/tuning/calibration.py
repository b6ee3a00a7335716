"""Can a pool be trusted? Its own texts, each estimated from all the others, against their ratings."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.neighbors import NeighborRule
from bleu_neighbors_metric.tokenizers import CHARACTERS
from metric_commons.results import TOO_MANY
from metric_commons.statistics.meta_evaluation import Correlation, correlation, mean_squared_error

_FEWEST_COVERED = 30
_SMALLEST_SIMILARITY = 1e-6  # of a pair that shares anything at all


@dataclass(frozen=True)
class Calibration:
    """The leave-one-out calibration of a pool.

    Attributes:
        n_texts: distinct texts in the pool.
        n_ratings: ratings that went into them.
        coverage: share of texts with an estimate.
        n_too_few: texts rejected for too few neighbours, or none at all.
        n_too_many: texts rejected for too many.
        mean_squared_error: over the covered texts; NaN where there are none.
        baseline_error: the error of always predicting the mean of the other texts, over the same texts.
        spearman: rank correlation of estimates and ratings.
        pearson: linear correlation of estimates and ratings.
        matching_pairs: share of ordered pairs of texts whose similarity is above 0.
        signature: of the fitted estimator.
        findings: what this means and what to do about it, in words.
    """

    n_texts: int
    n_ratings: int
    coverage: float
    n_too_few: int
    n_too_many: int
    mean_squared_error: float
    baseline_error: float
    spearman: Correlation
    pearson: Correlation
    matching_pairs: float
    signature: str
    findings: tuple[str, ...]

    @property
    def trustworthy(self) -> bool:
        """Whether enough estimates beat the mean and rank texts better than chance (95% interval above 0)."""
        enough = self.coverage * self.n_texts >= _FEWEST_COVERED
        return enough and self.mean_squared_error < self.baseline_error and self.spearman.low > 0


def calibrate(metric: BLEUNeighbors, *, n_resamples: int = 2000, seed: int = 12345) -> Calibration:
    """Calibrate a fitted estimator by leaving each text of its pool out in turn.

    Args:
        metric: a fitted estimator.
        n_resamples: bootstrap resamples behind the confidence intervals.
        seed: of the bootstrap.

    Raises:
        NotFittedError: before `fit`.
    """
    estimates = metric.leave_one_out()
    ratings = metric.quality_
    n = len(ratings)
    mean_of_others = (ratings.sum() - ratings) / (n - 1) if n > 1 else np.full(n, np.nan)
    baseline = np.where(estimates.covered, mean_of_others, np.nan)
    result = Calibration(
        n_texts=n,
        n_ratings=int(metric.counts_.sum()),
        coverage=estimates.coverage,
        n_too_few=estimates.abstentions.total() - estimates.abstentions[TOO_MANY],
        n_too_many=estimates.abstentions[TOO_MANY],
        mean_squared_error=mean_squared_error(estimates.values, ratings),
        baseline_error=mean_squared_error(baseline, ratings),
        spearman=correlation(estimates.values, ratings, "spearman", n_resamples=n_resamples, seed=seed),
        pearson=correlation(estimates.values, ratings, "pearson", n_resamples=n_resamples, seed=seed),
        matching_pairs=_matching_pairs(metric),
        signature=metric.signature,
        findings=(),
    )
    return replace(result, findings=tuple(_findings(metric, result)))


def _matching_pairs(metric: BLEUNeighbors) -> float:
    """Return the share of ordered pairs of distinct pool texts whose similarity is above 0."""
    n = len(metric.texts_)
    if n < 2:
        return float("nan")
    everyone = np.arange(n, dtype=np.int64)
    rule = NeighborRule(_SMALLEST_SIMILARITY)
    parts = metric.pool.tally(metric.texts_, metric.pool_ratings, rule, excluded=everyone, n_jobs=metric.n_jobs)
    return sum(int(tally.n_neighbors.sum()) for _, tally in parts) / (n * (n - 1))


def _findings(metric: BLEUNeighbors, result: Calibration) -> list[str]:
    findings = []
    if result.n_texts < 2:
        return ["The pool holds one distinct text: nothing can be left out. Rate more texts."]
    if len(np.unique(metric.quality_)) == 1:
        findings.append("All texts have the same rating: the pool holds no information about quality.")
    if result.coverage < 0.5:
        findings.extend(_why_uncovered(metric, result))
    if result.coverage == 0:
        return findings
    if result.coverage * result.n_texts < _FEWEST_COVERED:
        findings.append(
            f"Only {round(result.coverage * result.n_texts)} texts are covered: too few for the figures above to mean "
            "much."
        )
    if not result.mean_squared_error < result.baseline_error:
        findings.append(
            "The pool predicts no better than its mean: the error of the estimates "
            f"({result.mean_squared_error:.4f}) is not below that of always predicting the mean "
            f"({result.baseline_error:.4f}). Do not report these estimates as quality."
        )
    if not result.spearman.low > 0:
        findings.append(
            "The 95% interval of the rank correlation includes 0: the pool may not rank texts better than chance."
        )
    if not findings:
        gain = 1 - result.mean_squared_error / result.baseline_error
        findings.append(
            f"The estimates rank the pool's own texts better than chance and have {gain:.0%} less error than its mean. "
            "That holds for texts like those of the pool; it says nothing about other domains."
        )
    return findings


def _why_uncovered(metric: BLEUNeighbors, result: Calibration) -> list[str]:
    findings = [
        f"Coverage is {result.coverage:.2f}: {result.n_too_few} of {result.n_texts} texts have fewer than "
        f"{metric.min_neighbors} neighbours, and {result.n_too_many} have more than {metric.max_fraction:.0%} of the "
        "pool."
    ]
    if result.n_too_few >= result.n_too_many:
        highest = max(metric.ngram_orders)
        of_ngrams = metric.kernel == "bleu_star"
        if of_ngrams and metric.smooth_method == "none" and result.matching_pairs < 0.5:
            findings.append(
                f"{1 - result.matching_pairs:.1%} of the pairs have similarity 0, because without smoothing two texts "
                f"must share a {highest}-gram of {metric.tokenize!r} tokens."
            )
        remedies = []
        if of_ngrams and metric.tokenize != CHARACTERS:
            remedies.append("tokenize='char' (--tokenize char), from which the published results come")
            if metric.smooth_method == "none":
                remedies.append("smooth_method='exp' (--smooth-method exp)")
        remedies += ["a lower threshold", "a larger pool of texts like the candidates"]
        findings.append(f"To cover more, try {', '.join(remedies[:-1])} or {remedies[-1]}.")
    else:
        findings.append("To cover more, try a higher threshold, or max_fraction=1 as the paper does for essays.")
    return findings


def figures(calibration: Calibration) -> dict[str, float]:
    """Return the calibration's figures by name, for a table or JSON."""
    return {
        "n_texts": calibration.n_texts,
        "n_ratings": calibration.n_ratings,
        "coverage": calibration.coverage,
        "n_too_few": calibration.n_too_few,
        "n_too_many": calibration.n_too_many,
        "mse": calibration.mean_squared_error,
        "mse_of_mean": calibration.baseline_error,
        **{
            f"{name}{suffix}": value
            for name, figure in (("spearman", calibration.spearman), ("pearson", calibration.pearson))
            for suffix, value in (
                ("", figure.value),
                ("_low", figure.low),
                ("_high", figure.high),
                ("_p", figure.p_value),
            )
        },
        "matching_pairs": calibration.matching_pairs,
    }
