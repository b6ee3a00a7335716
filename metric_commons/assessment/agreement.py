"""How far estimates agree with ratings, what else would agree as well, and what that is worth in one word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metric_commons.assessment.meta_evaluation import Correlation, correlation, mean_squared_error

USEFUL, WEAK, NO_BETTER = VERDICTS = ("useful", "weak", "no better than the mean")
"""What estimates are worth, the best first."""

FEWEST_COVERED = 30
"""With fewer covered texts no figure means much."""

_USEFUL_SHARE = 0.1  # of the variance: a correlation of about .32, which spares every tenth rating


@dataclass(frozen=True)
class Agreement:
    """Estimates of n texts, each made without its own rating, beside the ratings.

    Attributes:
        n_texts: n.
        coverage: the share of texts with an estimate.
        mean_squared_error: over the covered texts; NaN where there are none.
        baseline_error: the error over the same texts of always predicting the mean of the ratings of the other texts.
        r_squared: the share of the ratings' variance that the estimates explain, over all texts: 1 less the error over
            the baseline's, with the baseline's prediction where there is no estimate. Below 0 the mean alone is better.
        spearman: rank correlation of estimates and ratings.
        pearson: linear correlation.
        length: rank correlation of the texts' lengths, in characters, with the ratings: what no metric needs to be
            bought for.
        given_length: rank correlation of estimates and ratings with the length held fixed.
    """

    n_texts: int
    coverage: float
    mean_squared_error: float
    baseline_error: float
    r_squared: float
    spearman: Correlation
    pearson: Correlation
    length: Correlation
    given_length: Correlation

    @property
    def verdict(self) -> str:
        """One of `VERDICTS`.

        *No better than the mean*: fewer than 30 texts covered, an error not below the mean's, or a rank correlation
        whose 95 % interval reaches 0. *Useful*: a straight line through the estimates tells at least a tenth of the
        ratings' variance, and the rank correlation is above 0 with the length held fixed as well. *Weak*: what lies
        between.
        """
        covered = round(self.coverage * self.n_texts)
        if covered < FEWEST_COVERED or not self.mean_squared_error < self.baseline_error or not self.spearman.low > 0:
            return NO_BETTER
        told = self.coverage * self.pearson.value**2
        return USEFUL if told >= _USEFUL_SHARE and self.given_length.low > 0 else WEAK


def agreement(
    estimates: ArrayLike,
    ratings: ArrayLike,
    texts: Sequence[str],
    *,
    baseline: float | None = None,
    n_resamples: int = 2000,
    seed: int = 12345,
) -> Agreement:
    """Compare estimates with ratings.

    Args:
        estimates: of n texts, shape (n,), NaN where there is none; none may be made with its text's own rating.
        ratings: shape (n,), finite.
        texts: the n texts.
        baseline: the rating that is guessed where nothing is known of a text; None for the mean of the others' ratings.
        n_resamples: bootstrap resamples behind the correlations' intervals.
        seed: of the bootstrap.

    Raises:
        ValueError: for unequal lengths.
    """
    guessed, rated = np.asarray(estimates, dtype=np.float64), np.asarray(ratings, dtype=np.float64)
    if not guessed.shape == rated.shape == (len(texts),):
        raise ValueError(
            f"Expected arguments `estimates` and `ratings` to have one value for each of the {len(texts)} texts, but "
            f"got shapes {guessed.shape} and {rated.shape}"
        )
    n = len(rated)
    if baseline is not None:
        others = np.full(n, baseline)
    else:
        others = (rated.sum() - rated) / (n - 1) if n > 1 else np.full(n, np.nan)
    covered = ~np.isnan(guessed)
    lengths = np.array([len(text) for text in texts], dtype=np.float64)

    def correlated(left: ArrayLike, right: ArrayLike, method: str = "spearman") -> Correlation:
        return correlation(left, right, method, n_resamples=n_resamples, seed=seed)

    return Agreement(
        n_texts=n,
        coverage=float(covered.mean()) if n else float("nan"),
        mean_squared_error=mean_squared_error(guessed, rated),
        baseline_error=mean_squared_error(np.where(covered, others, np.nan), rated),
        r_squared=_r_squared(np.where(covered, guessed, others), others, rated),
        spearman=correlated(guessed, rated),
        pearson=correlated(guessed, rated, "pearson"),
        length=correlated(lengths, rated),
        given_length=correlated(
            _apart_from(guessed[covered], lengths[covered]), _apart_from(rated[covered], lengths[covered]), "pearson"
        ),
    )


def on_one_centre(
    estimates: NDArray[np.float64], centres: NDArray[np.float64], ratings: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return estimates of left-out parts as if one set of ratings had made them all, which is how they will be made.

    A part of high ratings leaves low ones to learn from, so that the estimates of all parts together go against the
    ratings by construction, and most where there is little to tell. Each estimate is therefore taken from the mean
    rating that it was made with to the mean of all, which is then also what it is to be held against (`baseline`).

    Args:
        estimates: of n texts, shape (n,), NaN where there is none.
        centres: for each text the mean of the ratings that its estimate was made with, shape (n,).
        ratings: shape (n,).
    """
    return np.asarray(estimates - centres + ratings.mean(), dtype=np.float64)


def worst(verdicts: Sequence[str]) -> str:
    """Return the worst of verdicts: what holds by one way of looking alone does not hold.

    >>> worst(["useful", "weak"])
    'weak'
    """
    return max(verdicts, key=VERDICTS.index)


def _r_squared(estimates: NDArray[np.float64], baseline: NDArray[np.float64], ratings: NDArray[np.float64]) -> float:
    error, of_baseline = float(((estimates - ratings) ** 2).sum()), float(((baseline - ratings) ** 2).sum())
    return 1 - error / of_baseline if of_baseline > 0 else float("nan")


def _apart_from(values: NDArray[np.float64], held: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what of the values' ranks a line through the ranks of `held` does not tell."""
    from scipy.stats import rankdata

    if len(values) < 3:
        return values
    ranks: NDArray[np.float64] = np.asarray(rankdata(values))
    by: NDArray[np.float64] = np.asarray(rankdata(held))
    around = by - by.mean()
    spread = float(around @ around)
    slope = float(around @ ranks) / spread if spread else 0.0
    left: NDArray[np.float64] = ranks - ranks.mean() - slope * around
    left[np.abs(left) < 1e-9 * len(values)] = 0.0  # what rounding leaves of ranks that the line tells in full
    return left
