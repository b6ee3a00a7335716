"""The part of a calibration that an estimator and its file keep: the verdict, and the residuals for intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referenceless_metrics.assessment.agreement import FIGURES, Verdict, read_figure, read_verdict
from referenceless_metrics.assessment.conformal import MOST_RESIDUALS, ResidualIntervals
from referenceless_metrics.core.support.validation import Fields, Floats, Record, check_fields


@dataclass(frozen=True, eq=False)
class StoredCalibration(Verdict):
    """Verdict and residuals of a pool with certain parameters, from leaving texts out.

    Attributes:
        threshold: τ.
        settings: settings and pool for which the calibration holds (see `settings_of`).
        intervals: the leave-one-out residuals.
    """

    threshold: float
    settings: str
    intervals: ResidualIntervals

    def header(self) -> Record:
        """Return all but the residuals, for the header of an index file."""
        return {**super().header(), "threshold": float(self.threshold), "settings": self.settings}

    def holds_for(self, signature: str) -> bool:
        """Return whether this is the signature of the calibrated estimator."""
        return self.settings == settings_of(signature)


_FIELDS: Fields = {
    **{"reason": str, "threshold": float, "settings": str, "left_out": str},
    **dict.fromkeys(FIGURES, (float, type(None))),
}


def read_calibration(header: Record, estimates: Floats, residuals: Floats) -> StoredCalibration:
    """Return the checked calibration of an index file.

    Raises:
        ValueError: for impossible content; the message calls the file "it".
    """
    check_fields("its calibration", header, _FIELDS)
    verdict = read_verdict(header)
    threshold = read_figure("threshold", header["threshold"], 0.0)
    fits = len(estimates) == len(residuals) <= MOST_RESIDUALS
    if not fits or not np.isfinite([estimates, residuals]).all() or np.any(np.diff(estimates) < 0):
        raise ValueError("the residuals of its calibration do not fit together")
    return StoredCalibration(
        **vars(verdict),
        threshold=threshold,
        settings=header["settings"],
        intervals=ResidualIntervals(estimates, residuals),
    )


def settings_of(signature: str) -> str:
    """Return the settings on which a calibration depends: the signature without version and excluded texts."""
    return "|".join(part for part in signature.split("|") if not part.startswith(("version:", "exclude:", "fill:")))
