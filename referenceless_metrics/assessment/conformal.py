"""Conformal intervals for single texts, from leave-one-out residuals.

The intervals are conformal (Vovk, Gammerman & Shafer 2005, Algorithmic Learning in a Random World, chapter 4): the
absolute residuals of rated texts, each estimated from all the others, bound that of a new text from the same source.
Estimates go wrong by more in some ranges than in others, so the residuals are those of the third of the estimates that
the new one falls into (Mondrian conformal prediction, ibid., section 4.5). If leaving one text out of the pool moves an
estimate by next to nothing, as in a mean over many neighbours, these are the intervals of the jackknife+ (Barber et al.
2021, "Predictive inference with the jackknife+", Annals of Statistics 49(1)).

If features predict the size of the error, the errors are divided by that size (`ErrorScale`), and an interval is the
estimate ± their quantile times the text's own expected error (Papadopoulos et al. 2008; Lei et al. 2018, section 5.2).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from referenceless_metrics.assessment.folds import left_out_errors
from referenceless_metrics.core.support.validation import Floats, check_number

LEVELS = (0.8, 0.9)
"""The nominal levels that results, tables and pictures show; the second is the one of `lower` and `upper`."""

MOST_RESIDUALS = 2_000
"""Most residuals that are kept: more would change a quantile by less than the quantile's own error."""

_THIRDS = 3
_FEWEST_IN_THIRD = 20  # below it a third's 90 % quantile is little else than its maximum
_SEED = 2021
_LEAST_SCALE = 0.5  # of the mean error: a smaller expectation is chance


@dataclass(frozen=True, eq=False)
class ResidualIntervals:
    """Conformal intervals for single texts, from leave-one-out residuals.

    Attributes:
        estimates: leave-one-out estimates, ascending, shape (n,), float64, finite.
        residuals: rating less estimate, in the same order, shape (n,), float64.

    Example:
        >>> known = ResidualIntervals.of([0.2, 0.4, 0.6, 0.8] * 5, [0.1, 0.5, 0.7, 0.7] * 5)
        >>> lower, upper = known.bounds([0.5, float("nan")], level=0.8)
        >>> lower.round(2).tolist(), upper.round(2).tolist()
        ([0.4, nan], [0.6, nan])
    """

    estimates: Floats
    residuals: Floats

    @classmethod
    def of(cls, estimates: ArrayLike, ratings: ArrayLike) -> ResidualIntervals:
        """Keep the residuals of rated texts that were estimated without their own rating, at most `MOST_RESIDUALS`.

        Args:
            estimates: their estimates, shape (n,); NaN if there is none, and the text is then left aside.
            ratings: their ratings, shape (n,), finite, in the unit of the estimates.
        """
        guessed, observed = np.asarray(estimates, dtype=float), np.asarray(ratings, dtype=float)
        known = np.flatnonzero(~np.isnan(guessed))
        if len(known) > MOST_RESIDUALS:
            known = np.random.default_rng(_SEED).choice(known, MOST_RESIDUALS, replace=False)
        order = known[np.lexsort((observed[known], guessed[known]))]
        return cls(guessed[order], observed[order] - guessed[order])

    def __len__(self) -> int:
        return len(self.estimates)

    def half_widths(self, estimates: ArrayLike, level: float = LEVELS[-1]) -> Floats:
        """Return the half width of each estimate's interval, shape (m,): the residuals' quantile, as for `bounds`.

        Args:
            estimates: estimates of m new texts; NaN if there is none.
            level: the share of new texts whose rating is to lie in its interval, strictly between 0 and 1.
        """
        check_level(level)
        wanted = np.asarray(estimates, dtype=float)
        cuts = self._cuts()
        ours, theirs = (np.searchsorted(cuts, values, side="right") for values in (self.estimates, wanted))
        sizes = np.abs(self.residuals)
        quantiles = np.array([_interpolated(sizes[ours == third], level) for third in range(len(cuts) + 1)])
        return np.where(np.isnan(wanted), np.nan, quantiles[theirs])

    def bounds(
        self, estimates: ArrayLike, level: float = LEVELS[-1], *, seen: ArrayLike | None = None
    ) -> tuple[Floats, Floats]:
        """Return the ends of an interval for each of m new texts.

        If new texts and their ratings come from the same source as the rated ones, the share `level` of the ratings
        lies within, overall and, with 60 residuals or more, in each third of the estimates. There is no such promise
        for other texts, such as the outputs of another system.

        Args:
            estimates: estimates of m new texts; NaN if there is none.
            level: the nominal share, strictly between 0 and 1.
            seen: ratings, beyond whose least and greatest no interval is to reach; None for no limit.

        Returns:
            Lower and upper ends, shape (m,) each, in the unit of the ratings; NaN without an estimate, and for all
            texts if there are too few residuals for the level: fewer than level / (1 − level), 9 for 0.9.

        Raises:
            TypeError: if `level` is not a number.
            ValueError: for a level outside (0, 1).
        """
        centre = np.asarray(estimates, dtype=float)
        reach = self.half_widths(centre, level)
        ends = (-np.inf, np.inf) if seen is None else (np.min(seen), np.max(seen))
        return np.clip(centre - reach, *ends), np.clip(centre + reach, *ends)

    def _cuts(self) -> Floats:
        """Return the estimates at which thirds begin: two, or none if a third would hold too few."""
        n = len(self.estimates)
        if n < _THIRDS * _FEWEST_IN_THIRD:
            return np.empty(0)
        cuts = self.estimates[[n * place // _THIRDS for place in range(1, _THIRDS)]]
        sizes = np.diff([0, *np.searchsorted(self.estimates, cuts, side="left"), n])
        return cuts if sizes.min() >= _FEWEST_IN_THIRD else np.empty(0)


def check_level(level: float) -> None:
    """Check the share of ratings that intervals are to hold.

    Raises:
        TypeError: for anything but a number.
        ValueError: for a level outside (0, 1).
    """
    check_number(level, "level", 0, 1)
    if not 0 < level < 1:
        raise ValueError(f"Expected argument `level` to be strictly between 0 and 1, but got {level:g}")


def conformal_quantile(sizes: Floats, level: float) -> float:
    """Return the conformal quantile, at rank ⌈(n + 1) · level⌉; the largest if the rank is beyond n.

    One more absolute residual of the same kind lies at or below it with probability `level`.

    >>> conformal_quantile(np.arange(1.0, 10.0), 0.8)
    8.0
    """
    rank = min(math.ceil((len(sizes) + 1) * level), len(sizes))
    return float(np.sort(sizes)[max(rank, 1) - 1])


def _interpolated(sizes: Floats, level: float) -> float:
    """Return the conformal quantile between neighbours by proportion; NaN if the rank is beyond n."""
    rank = level * (len(sizes) + 1)
    if rank > len(sizes):
        return math.nan
    return float(np.interp(rank, np.arange(1, len(sizes) + 1), np.sort(sizes)))


@dataclass(frozen=True)
class ErrorScale:
    """Expected size of an error, linear in standardised features.

    Attributes:
        weights: one per feature, shape (f,).
        mean: the mean error.
    """

    weights: Floats
    mean: float

    def __call__(self, features: Floats) -> Floats:
        """Return the expected errors of n texts, shape (n,), from their features, shape (n, f)."""
        expected = self.mean + np.sum(features * self.weights, axis=1)
        return np.asarray(np.maximum(expected, _LEAST_SCALE * self.mean))


def fit_scale(features: Floats, errors: Floats) -> tuple[ErrorScale, Floats]:
    """Fit expected errors, and return them also for the rows themselves, each left out of its own fit.

    Args:
        features: standardised, shape (n, f).
        errors: absolute errors, shape (n,).

    Returns:
        The scale, and the left-out expectations, shape (n,).
    """
    n, width = features.shape
    mean = float(errors.mean())
    if mean == 0:  # nothing was missed: intervals have no width
        return ErrorScale(np.zeros(width), 1.0), np.ones(n)
    gram = features.T @ features + n / 10 * np.eye(width)
    weights = np.linalg.solve(gram, features.T @ (errors - mean))
    leverage = np.sum(features * np.linalg.solve(gram, features.T).T, axis=1) + 1 / n
    residual = errors - mean - features @ weights
    expected = errors - left_out_errors(residual, leverage)
    return ErrorScale(weights, mean), np.maximum(expected, _LEAST_SCALE * mean)
