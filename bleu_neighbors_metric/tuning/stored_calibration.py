"""What a calibration found, as an estimator and its index file carry it: the verdict, and what intervals need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.files.strict_json import Fields, check_fields
from metric_commons.results import MetricResult
from metric_commons.statistics.conformal import LEVELS, MOST_RESIDUALS, ResidualIntervals
from metric_commons.statistics.verdict import FIGURES, Verdict, read_figure, read_verdict

if TYPE_CHECKING:
    from bleu_neighbors_metric.estimator import BLEUNeighbors


@dataclass(frozen=True, eq=False)
class StoredCalibration(Verdict):
    """What leaving texts out showed of a pool with certain parameters.

    Attributes:
        threshold: τ that was in use.
        settings: of the estimator, and the pool: the calibration holds for these alone (see `settings_of`).
        intervals: leave-one-out residuals.
    """

    threshold: float
    settings: str
    intervals: ResidualIntervals

    def header(self) -> dict[str, Any]:
        """Return all but the residuals, as an index file's header holds it."""
        return {**super().header(), "threshold": float(self.threshold), "settings": self.settings}


_FIELDS: Fields = {
    **{"verdict": str, "by_group": bool, "threshold": float, "settings": str},
    **dict.fromkeys(FIGURES, (float, type(None))),
}


def read_calibration(
    header: Mapping[str, Any], estimates: NDArray[np.float64], residuals: NDArray[np.float64]
) -> StoredCalibration:
    """Return what an index file holds of a calibration, checked.

    Raises:
        ValueError: for content that no calibration can have given; the message is about "it", the index.
    """
    check_fields("its calibration", header, _FIELDS)
    found = read_verdict(header)
    threshold = read_figure("threshold", header["threshold"], 0.0)
    fits = len(estimates) == len(residuals) <= MOST_RESIDUALS
    if (
        not fits
        or not np.isfinite(estimates).all()
        or not np.isfinite(residuals).all()
        or np.any(np.diff(estimates) < 0)
    ):
        raise ValueError("the residuals of its calibration do not fit together")
    return StoredCalibration(
        **vars(found),
        threshold=threshold,
        settings=header["settings"],
        intervals=ResidualIntervals(estimates, residuals),
    )


def settings_of(metric: BLEUNeighbors) -> str:
    """Return what a calibration depends on: the signature without the package's version."""
    return "|".join(part for part in metric.signature.split("|") if not part.startswith("version:"))


def with_intervals(metric: BLEUNeighbors, result: MetricResult, level: float | None) -> MetricResult:
    """Return a result with the columns `lower` and `upper` where they are asked for, or the estimator was calibrated.

    Args:
        metric: that made it.
        result: of new texts.
        level: of the intervals; None for 0.9 where there is a calibration, and no intervals elsewhere.
    """
    known = metric.calibration
    if known is None and level is None:
        return result
    used = LEVELS[-1] if level is None else level
    intervals = known.intervals if known is not None else residual_intervals(metric)
    lower, upper = intervals.bounds(result.values, used)
    details = {**result.details, "level": used}
    if known is not None:
        details["verdict"] = known.verdict
    return replace(result, columns={**result.columns, "lower": lower, "upper": upper}, details=details)


def residual_intervals(metric: BLEUNeighbors) -> ResidualIntervals:
    """Return the residuals of a fitted estimator's pool, each text left out."""
    return ResidualIntervals.of(metric.leave_one_out().values, metric.quality_)
