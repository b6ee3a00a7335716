"""How probable it is that people rate a text so high or higher, and how far such probabilities hold.

They are isotonic regression (Zadrozny & Elkan 2002, "Transforming classifier scores into accurate multiclass
probability estimates", KDD) of what left-out rated texts were rated on what was estimated of them. One rating more on
the wrong side of each end, high below all and low above all, keeps probabilities of few texts from 0 and 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metric_commons.assessment.folds import random_folds, splits
from metric_commons.support.validation import Floats, check_number

_BINS = _FOLDS = 5


def chances(left_out: Floats, at_least: float, estimates: Floats) -> Floats:
    """Return the probability that each of m texts is rated `at_least` so high, shape (m,), strictly between 0 and 1.

    Args:
        left_out: estimates of n rated texts by models without them, and their ratings, shape (2, n).
        at_least: the rating.
        estimates: of the m texts, shape (m,).

    Raises:
        TypeError: for a rating that is no number.
        ValueError: for one that is not finite.

    >>> known = np.array([[1.0, 2.0, 3.0, 4.0] * 5, [1.0, 1.0, 2.0, 2.0] * 5])
    >>> chances(known, 2, np.array([1.0, 2.5, 4.0])).round(2).tolist()
    [0.09, 0.5, 0.91]
    """
    from scipy.optimize import isotonic_regression

    check_number(at_least, "at_least")
    places, numbers, counts = np.unique(left_out[0], return_inverse=True, return_counts=True)
    shares = np.bincount(numbers, weights=left_out[1] >= at_least) / counts
    rising = isotonic_regression([1, *shares, 0], weights=[1, *counts, 1]).x[1:-1]
    return np.asarray(np.interp(estimates, places, rising))


@dataclass(frozen=True)
class Reliability:
    """How probabilities of a rating so high agree with what texts were rated.

    Attributes:
        about: of which rating, and what was left out together.
        brier: the mean squared difference of the probability and the outcome, 1 or 0.
        constant_brier: that of giving every text the overall share of such ratings.
        bins: the texts in fifths by their probability: the mean probability and the share so rated.
    """

    about: str
    brier: float
    constant_brier: float
    bins: list[list[float]]

    @classmethod
    def of(cls, left_out: str, at_least: float, probabilities: Floats, ratings: Floats) -> Reliability:
        """Compare probabilities with ratings, shape (n,) each, of texts that were left out as is said."""
        high = ratings >= at_least
        fifths = np.array_split(np.argsort(probabilities, kind="stable"), _BINS)
        return cls(
            f"P(rating ≥ {at_least:g}), {left_out}",
            float(np.mean((probabilities - high) ** 2)),
            float(high.var()),
            [[float(values[rows].mean()) for values in (probabilities, high)] for rows in fifths],
        )

    @classmethod
    def of_model(cls, left_out: Floats, at_least: float) -> Reliability:
        """Measure a model's own probabilities: those of each fifth of the texts come from the ratings of the others.

        Args:
            left_out: as for `chances`.
            at_least: the rating.
        """
        estimates, ratings = left_out
        probabilities = np.empty(len(ratings))
        for others, fold in splits(random_folds(np.arange(len(ratings)), _FOLDS, seed=0)):
            probabilities[fold] = chances(left_out[:, others], at_least, estimates[fold])
        return cls.of("each rated text left out", at_least, probabilities, ratings)

    def __str__(self) -> str:
        """Say it in a sentence."""
        fifths = ", ".join(f"{probability:.2f} → {share:.2f}" for probability, share in self.bins)
        return (
            f"{self.about}: Brier score {self.brier:.3f}, of the share alone {self.constant_brier:.3f}; in fifths, "
            f"probability → share so rated: {fifths}."
        )
