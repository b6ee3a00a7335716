"""What are a pool's estimates worth? Its own texts, each estimated from others, against their ratings."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.options import AUTOMATIC
from bleu_neighbors_metric.tuning.findings import Alternative, Calibration, findings, mean_width
from bleu_neighbors_metric.tuning.stored_calibration import StoredCalibration, settings_of
from metric_commons.assessment.agreement import Agreement, agreement, on_common_mean, verdict_from
from metric_commons.assessment.conformal import ResidualIntervals
from metric_commons.assessment.folds import check_groups, cross_validated
from metric_commons.assessment.meta_evaluation import mean_of_others
from metric_commons.assessment.rater_ceiling import rater_ceiling
from metric_commons.files.tables import RatedTexts
from metric_commons.results import TOO_MANY
from metric_commons.support.validation import Floats

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
    parameters = {**metric.get_params(), "progress": False}

    def fit(texts: list[str], ratings: Floats) -> Callable[[list[str]], ArrayLike]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of a pool too small for any estimate: its estimates are NaN
            other = BLEUNeighbors(**parameters).fit(texts, ratings)
        return lambda wanted: other.predict(wanted).values

    estimates = cross_validated(fit, texts, ratings, of)
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
