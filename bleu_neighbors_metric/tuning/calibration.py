"""What are a pool's estimates worth? Its own texts, each estimated from others, against their ratings."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.neighbors import NeighborRule
from bleu_neighbors_metric.kernels.thresholds import AUTO
from bleu_neighbors_metric.tuning.findings import findings
from bleu_neighbors_metric.tuning.stored_calibration import StoredCalibration, settings_of
from metric_commons.files.tables import RatedTexts
from metric_commons.results import TOO_MANY
from metric_commons.statistics.agreement import Agreement, agreement, on_one_centre, worst
from metric_commons.statistics.conformal import ResidualIntervals
from metric_commons.statistics.cross_validation import leave_one_group_out
from metric_commons.statistics.meta_evaluation import Correlation
from metric_commons.statistics.rater_ceiling import RaterCeiling, rater_ceiling

EVERY_TEXT: Mapping[str, Any] = {"weights": "similarity", "threshold": 0.0, "min_neighbors": 1, "max_fraction": 1.0}
"""The settings that give every text an estimate: all the pool is its neighbour, each text by its similarity."""

AUTOMATIC: Mapping[str, Any] = {"weights": "similarity", "threshold": AUTO}
"""The settings that cover the most of a pool by the nearest neighbours."""

ENOUGH_COVERAGE = 0.8
"""Below it, a calibration says how to cover more."""

_SMALLEST_SIMILARITY = 1e-6  # of a pair that shares anything at all


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
        matching_pairs: share of ordered pairs of texts whose similarity is above 0.
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
    matching_pairs: float
    signature: str
    intervals: ResidualIntervals
    interval_width_of_mean: float
    findings: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """`useful`, `weak` or `no better than the mean` (see `Agreement`); with groups, the worse of both ways."""
        ways = [self.leave_one_out] + ([self.by_group] if self.by_group is not None else [])
        return worst([way.verdict for way in ways])

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
        return _width(self.intervals)

    @property
    def share_of_ceiling(self) -> float:
        """The rank correlation as a share of what the raters' disagreement allows, at most 1; NaN if not known."""
        return self.ceiling.share(self.spearman.value) if self.ceiling is not None else np.nan


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
    result = Calibration(
        n_ratings=int(metric.counts_.sum()),
        n_too_few=left_out.abstentions.total() - left_out.abstentions[TOO_MANY],
        n_too_many=left_out.abstentions[TOO_MANY],
        leave_one_out=agreement(left_out.values, metric.quality_, metric.texts_, n_resamples=n_resamples, seed=seed),
        by_group=None,
        n_groups=0,
        ceiling=None if rated is None else rater_ceiling(rated.texts, rated.quality),
        alternatives=(),
        matching_pairs=_matching_pairs(metric),
        signature=metric.signature,
        intervals=ResidualIntervals.of(left_out.values, metric.quality_),
        interval_width_of_mean=_width(_around_mean(metric.quality_)),
    )
    if rated is not None and rated.groups is not None:
        by_group = _by_group(metric, rated, n_resamples, seed)
        result = replace(result, by_group=by_group, n_groups=len(set(rated.groups)))
    if result.coverage < ENOUGH_COVERAGE and result.n_texts > 1:
        result = replace(result, alternatives=tuple(_alternatives(metric, n_resamples, seed)))
    return replace(result, findings=tuple(findings(metric, result)))


def keep(metric: BLEUNeighbors, calibration: Calibration) -> None:
    """Let an estimator carry what its calibration found, into results and its index file (see `stored_calibration`).

    Args:
        metric: the estimator that was calibrated, unchanged since.
        calibration: of it.
    """
    figure = calibration.spearman
    metric.take_calibration(
        StoredCalibration(
            verdict=calibration.verdict,
            coverage=calibration.coverage,
            spearman=figure.value,
            low=figure.low,
            high=figure.high,
            by_group=calibration.by_group is not None,
            threshold=metric.threshold_,
            settings=settings_of(metric),
            intervals=calibration.intervals,
        )
    )


def _width(intervals: ResidualIntervals) -> float:
    """Return the mean width of the intervals of the texts behind them; NaN where they are too few."""
    widths = 2 * intervals.half_widths(intervals.estimates)
    return float(np.nanmean(widths)) if np.isfinite(widths).any() else float("nan")


def _around_mean(ratings: NDArray[np.float64]) -> ResidualIntervals:
    """Return the intervals around the mean of the other texts' ratings, one width for all texts."""
    n = len(ratings)
    others = (ratings.sum() - ratings) / (n - 1) if n > 1 else ratings
    return ResidualIntervals.of(np.zeros(n), ratings - others)


def _by_group(metric: BLEUNeighbors, rated: RatedTexts, n_resamples: int, seed: int) -> Agreement:
    """Return the agreement over the distinct texts of each group, each estimated from the other groups."""
    rows: dict[tuple[str, str], list[float]] = {}
    for text, group, rating in zip(rated.texts, rated.groups or (), rated.quality.tolist(), strict=True):
        rows.setdefault((text, group), []).append(rating)
    texts, groups = [text for text, _ in rows], [group for _, group in rows]
    ratings = np.array([np.mean(values) for values in rows.values()])
    estimates = leave_one_group_out(refitted(metric), texts, ratings, groups)
    _, of = np.unique(np.asarray(groups, dtype=object), return_inverse=True)
    n_outside, sums = len(of) - np.bincount(of), ratings.sum() - np.bincount(of, weights=ratings)
    estimates = on_one_centre(estimates, (sums / n_outside)[of], ratings)
    return agreement(estimates, ratings, texts, baseline=float(ratings.mean()), n_resamples=n_resamples, seed=seed)


def refitted(
    metric: BLEUNeighbors, **changed: Any
) -> Callable[[list[str], NDArray[np.float64]], Callable[[list[str]], ArrayLike]]:
    """Return what trains an estimator with a metric's parameters on other ratings (see `cross_validation.Fit`)."""
    parameters = {**metric.get_params(), **changed, "progress": False}

    def fit(texts: list[str], ratings: NDArray[np.float64]) -> Callable[[list[str]], ArrayLike]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of a pool too small for any estimate: its estimates are NaN
            other = BLEUNeighbors(**parameters).fit(texts, ratings)
        return lambda wanted: other.predict(wanted).values

    return fit


def _alternatives(metric: BLEUNeighbors, n_resamples: int, seed: int) -> list[Alternative]:
    found = []
    for parameters in (AUTOMATIC, EVERY_TEXT):
        if all(getattr(metric, name) == value for name, value in parameters.items()):
            continue
        other = copy.copy(metric).set_params(**parameters)
        values = other.leave_one_out().values
        found.append(
            Alternative(
                parameters, agreement(values, metric.quality_, metric.texts_, n_resamples=n_resamples, seed=seed)
            )
        )
    return found


def _matching_pairs(metric: BLEUNeighbors) -> float:
    """Return the share of ordered pairs of distinct pool texts whose similarity is above 0."""
    n = len(metric.texts_)
    if n < 2:
        return float("nan")
    everyone = np.arange(n, dtype=np.int64)
    rule = NeighborRule(_SMALLEST_SIMILARITY)
    parts = metric.pool.tally(metric.texts_, metric.pool_ratings, rule, excluded=everyone, n_jobs=metric.n_jobs)
    return sum(int(tally.n_neighbors.sum()) for _, tally in parts) / (n * (n - 1))


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
        "matching_pairs": calibration.matching_pairs,
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
    correlations = {
        "spearman": agreed.spearman,
        "pearson": agreed.pearson,
        "length_spearman": agreed.length,
        "spearman_given_length": agreed.given_length,
    }
    return {
        "coverage": agreed.coverage,
        "mse": agreed.mean_squared_error,
        "mse_of_mean": agreed.baseline_error,
        "r_squared": agreed.r_squared,
        **{
            f"{name}{suffix}": value
            for name, figure in correlations.items()
            for suffix, value in (
                ("", figure.value),
                ("_low", figure.low),
                ("_high", figure.high),
                ("_p", figure.p_value),
            )
        },
    }
