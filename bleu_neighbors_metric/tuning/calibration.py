"""What are a pool's estimates worth? Its own texts, each estimated from others, against their ratings.

What calibration found of a pool: figures, and in words what the estimates are worth, why, and what would help.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.options import AUTOMATIC
from bleu_neighbors_metric.tokenizers import CHARACTERS
from bleu_neighbors_metric.tuning.stored_calibration import StoredCalibration, settings_of
from metric_commons.assessment.agreement import (
    NO_BETTER,
    USEFUL,
    WEAK,
    Agreement,
    agreement,
    on_common_mean,
    verdict_from,
)
from metric_commons.assessment.conformal import ResidualIntervals
from metric_commons.assessment.folds import check_groups, cross_validated, trained_like
from metric_commons.assessment.meta_evaluation import Correlation, RaterCeiling, mean_of_others, rater_ceiling
from metric_commons.files.tables import RatedTexts
from metric_commons.results import TOO_MANY

_LONG_STORY = 0.2  # a correlation of the ratings with the length that is worth a word
_DOMAIN = "That holds for texts like those of the pool; it says nothing about other domains or other systems."
_MEANING = {
    USEFUL: _DOMAIN,
    WEAK: f"The estimates may order many texts; they decide nothing about one text or one system. {_DOMAIN}",
    NO_BETTER: "Do not report these estimates as quality.",
}


@dataclass(frozen=True)
class Alternative:
    """Other settings on the same pool.

    Attributes:
        parameters: those that differ.
        leave_one_out: how they do.
    """

    parameters: Mapping[str, Any]
    leave_one_out: Agreement


@dataclass(frozen=True)
class Calibration:
    """How a pool's estimates agree with its ratings.

    Attributes:
        n_ratings: ratings that went into the pool.
        n_too_few: distinct texts rejected for too few neighbours, or none at all.
        n_too_many: texts rejected for too many.
        leave_one_out: each distinct text estimated from all the others.
        by_group: each group's texts estimated from all other groups; None without groups.
        n_groups: groups; 0 without.
        ceiling: what the raters' disagreement allows; None where no text was rated several times, or that is not known.
        alternatives: other settings, where the coverage is below 0.8.
        signature: of the fitted estimator.
        intervals: the residuals of the texts left out, from which intervals of single ratings are made.
        interval_width_of_mean: of the 90 % interval around the pool's mean, which needs no estimate.
        findings: what this means and what to do about it, in words.
    """

    n_ratings: int
    n_too_few: int
    n_too_many: int
    leave_one_out: Agreement
    by_group: Agreement | None
    n_groups: int
    ceiling: RaterCeiling | None
    alternatives: tuple[Alternative, ...]
    signature: str
    intervals: ResidualIntervals
    interval_width_of_mean: float
    findings: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """`useful`, `weak` or `no better than the mean` (see `Agreement`); with groups, the worse of both ways."""
        return verdict_from(self.leave_one_out, self.by_group).verdict

    @property
    def n_texts(self) -> int:
        """Distinct texts in the pool."""
        return self.leave_one_out.n_texts

    @property
    def coverage(self) -> float:
        """The share of texts with an estimate, leaving one out."""
        return self.leave_one_out.coverage

    @property
    def spearman(self) -> Correlation:
        """Rank correlation of estimates and ratings, leaving one out."""
        return self.leave_one_out.spearman

    @property
    def interval_width(self) -> float:
        """The width of the 90 % intervals of single ratings, in the mean over the covered texts."""
        return mean_width(self.intervals)

    @property
    def share_of_ceiling(self) -> float:
        """The rank correlation as a share of what the raters' disagreement allows, at most 1; NaN if not known."""
        return self.ceiling.share(self.spearman.value) if self.ceiling is not None else np.nan


def mean_width(intervals: ResidualIntervals) -> float:
    """Return the mean width of the intervals of the texts behind them; NaN where they are too few."""
    widths = 2 * intervals.half_widths(intervals.estimates)
    return float(np.nanmean(widths)) if np.isfinite(widths).any() else np.nan


def figures(calibration: Calibration) -> dict[str, float]:
    """Return the calibration's figures by name, for a table or JSON."""
    row: dict[str, float] = {
        "n_texts": calibration.n_texts,
        "n_ratings": calibration.n_ratings,
        "n_too_few": calibration.n_too_few,
        "n_too_many": calibration.n_too_many,
        **_figures_of(calibration.leave_one_out),
        "interval_width": calibration.interval_width,
        "interval_width_of_mean": calibration.interval_width_of_mean,
    }
    if calibration.ceiling is not None:
        row |= {
            "rater_ceiling": calibration.ceiling.by_rank,
            "rater_ceiling_low": calibration.ceiling.low,
            "rater_ceiling_high": calibration.ceiling.high,
            "share_of_ceiling": calibration.share_of_ceiling,
        }
    if calibration.by_group is not None:
        of_groups = _figures_of(calibration.by_group)
        row |= {"n_groups": calibration.n_groups, **{f"group_{name}": value for name, value in of_groups.items()}}
    return row


def _figures_of(agreed: Agreement) -> dict[str, float]:
    found = {
        "coverage": agreed.coverage,
        "mse": agreed.mean_squared_error,
        "mse_of_mean": agreed.baseline_error,
        "r_squared": agreed.r_squared,
    }
    for name, figure in (
        ("spearman", agreed.spearman),
        ("pearson", agreed.pearson),
        ("length_spearman", agreed.length),
        ("spearman_given_length", agreed.given_length),
    ):
        found |= {
            name: figure.value,
            f"{name}_low": figure.low,
            f"{name}_high": figure.high,
            f"{name}_p": figure.p_value,
        }
    return found


def findings(metric: BLEUNeighbors, result: Calibration) -> list[str]:
    """Return a calibration of an estimator in sentences, the verdict first."""
    if result.n_texts < 2:
        return ["The pool holds one distinct text: nothing can be left out. Rate more texts."]
    verdict = verdict_from(result.leave_one_out, result.by_group)
    found = [verdict.summary, _MEANING[verdict.verdict]]
    if len(np.unique(metric.ratings_)) == 1:
        found.append("All texts have the same rating: the pool holds no information about quality.")
    agreed, groups = result.leave_one_out, result.by_group
    if groups is not None:
        found += [
            f"Of groups that are not in the pool ({result.n_groups} groups, each left out in turn): ρ "
            f"{groups.spearman.value:.2f} [{groups.spearman.low:.2f}, {groups.spearman.high:.2f}] at coverage "
            f"{groups.coverage:.2f}, against {result.spearman.value:.2f} with the group's other texts in the pool."
        ]
    if agreed.baseline_error > 0:
        less = 1 - agreed.mean_squared_error / agreed.baseline_error
        found.append(
            f"As they stand, the estimates have {abs(less):.0%} {'less' if less > 0 else 'more'} squared error than "
            "the mean rating."
        )
    if abs(agreed.length.value) >= _LONG_STORY:
        found.append(
            f"Length alone correlates with the ratings at ρ {agreed.length.value:.2f}; with the length held fixed the "
            f"estimates' ρ is {agreed.given_length.value:.2f}."
        )
    if result.ceiling is not None and agreed.spearman.n:
        found.append(result.ceiling.summary(agreed.spearman.value))
    if not np.isnan(result.interval_width + result.interval_width_of_mean):
        found.append(
            f"The 90% interval of a single text's rating is {result.interval_width:.3g} wide in the mean; that around "
            f"the pool's mean, for every text the same, is {result.interval_width_of_mean:.3g} wide."
        )
    if result.alternatives:
        found.extend(_how_to_cover_more(metric, result))
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
        found.append("Too few neighbours: try a lower threshold, or a larger pool of texts like the candidates.")
        if metric.kernel == "bleu_star" and metric.tokenize != CHARACTERS:
            found.append(
                f"Two texts seldom share a {max(metric.ngram_orders)}-gram of {metric.tokenize!r} tokens: try "
                "tokenize='char' (--tokenize char), from which the published results come, or smooth_method='exp' "
                "(--smooth-method exp)."
            )
    for other in result.alternatives:
        agreed = other.leave_one_out
        named = ", ".join(f"{name}={value!r}" for name, value in other.parameters.items())
        found.append(
            f"With {named}: coverage {agreed.coverage:.2f}, ρ {agreed.spearman.value:.2f} "
            f"[{agreed.spearman.low:.2f}, {agreed.spearman.high:.2f}], {agreed.verdict}."
        )
    return found


EVERY_TEXT: Mapping[str, Any] = {"weights": "similarity", "threshold": 0.0, "min_neighbors": 1, "max_fraction": 1.0}
"""The settings that give every text an estimate: all the pool is its neighbour, each text by its similarity."""

ENOUGH_COVERAGE = 0.8
"""Below it, a calibration says how to cover more."""


def calibrate(
    metric: BLEUNeighbors, rated: RatedTexts | None = None, *, n_resamples: int = 2000, seed: int = 12345
) -> Calibration:
    """Calibrate a fitted estimator by leaving each text of its pool out in turn, and each group where there are any.

    Args:
        metric: a fitted estimator.
        rated: what it was fitted on, one row a rating. Only these rows tell how raters disagree, and of which group a
            text is.
        n_resamples: bootstrap resamples behind the confidence intervals.
        seed: of the bootstrap.

    Raises:
        NotFittedError: before `fit`.
        InputError: for one group only, or a group with one text.
    """
    left_out = metric.leave_one_out()
    agreed = agreement(left_out.values, metric.ratings_, metric.texts_, n_resamples=n_resamples, seed=seed)
    n_too_many = left_out.abstentions[TOO_MANY]
    groups = None if rated is None else rated.groups
    n = len(metric.ratings_)
    others = mean_of_others(metric.ratings_) if n > 1 else metric.ratings_
    covers_few = agreed.coverage < ENOUGH_COVERAGE and agreed.n_texts > 1
    result = Calibration(
        n_ratings=int(metric.counts_.sum()),
        n_too_few=left_out.abstentions.total() - n_too_many,
        n_too_many=n_too_many,
        leave_one_out=agreed,
        by_group=None if rated is None or groups is None else _by_group(metric, rated, n_resamples, seed),
        n_groups=len(set(groups or ())),
        ceiling=None if rated is None else rater_ceiling(rated.texts, rated.ratings),
        alternatives=tuple(_alternatives(metric, n_resamples, seed)) if covers_few else (),
        signature=metric.signature,
        intervals=ResidualIntervals.of(left_out.values, metric.ratings_),
        interval_width_of_mean=mean_width(ResidualIntervals.of(np.zeros(n), metric.ratings_ - others)),
    )
    return replace(result, findings=tuple(findings(metric, result)))


def attach_calibration(metric: BLEUNeighbors, calibration: Calibration) -> None:
    """Let an estimator carry what its calibration found, into results and its index file (see `stored_calibration`).

    Args:
        metric: the estimator that was calibrated, unchanged since.
        calibration: of it.
    """
    verdict = verdict_from(calibration.leave_one_out, calibration.by_group)
    metric.attach_calibration(
        StoredCalibration(
            **vars(verdict),
            threshold=metric.threshold_,
            settings=settings_of(metric.signature),
            intervals=calibration.intervals,
        )
    )


def _by_group(metric: BLEUNeighbors, rated: RatedTexts, n_resamples: int, seed: int) -> Agreement:
    """Return the agreement over the distinct texts of each group, each estimated from the other groups."""
    rows: dict[tuple[str, str], list[float]] = {}
    for text, group, rating in zip(rated.texts, rated.groups or (), rated.ratings.tolist(), strict=True):
        rows.setdefault((text, group), []).append(rating)
    texts, groups = [text for text, _ in rows], [group for _, group in rows]
    ratings = np.array([np.mean(values) for values in rows.values()])
    of = check_groups(groups)
    estimates = cross_validated(trained_like(metric), texts, ratings, of)
    n_outside, sums = len(of) - np.bincount(of), ratings.sum() - np.bincount(of, weights=ratings)
    estimates = on_common_mean(estimates, (sums / n_outside)[of], ratings)
    return agreement(estimates, ratings, texts, baseline=float(ratings.mean()), n_resamples=n_resamples, seed=seed)


def _alternatives(metric: BLEUNeighbors, n_resamples: int, seed: int) -> list[Alternative]:
    found = []
    for parameters in (AUTOMATIC, EVERY_TEXT):
        if all(getattr(metric, name) == value for name, value in parameters.items()):
            continue
        values = copy.copy(metric).set_params(**parameters).leave_one_out().values
        agreed = agreement(values, metric.ratings_, metric.texts_, n_resamples=n_resamples, seed=seed)
        found.append(Alternative(parameters, agreed))
    return found
