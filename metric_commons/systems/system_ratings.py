"""One system's outputs with what people and a metric say of them, and signs that the rated ones are no random part."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metric_commons.assessment.conformal import check_level
from metric_commons.support.errors import InputError
from metric_commons.systems.output_ratings import FROM_OTHERS, check_same_scale

FEWEST_RATINGS = 10
"""Below it neither a variance nor a correlation is known well enough for an interval."""

_BEYOND_CHANCE = 0.01


@dataclass(frozen=True, eq=False)
class Judgements:
    """Single ratings of a system's outputs, where raters are known.

    Attributes:
        outputs: which output each of k ratings is of, shape (k,).
        raters: who gave it, shape (k,): numbers that stand for the same raters in all systems.
        ratings: shape (k,), finite.
    """

    outputs: NDArray[np.int64]
    raters: NDArray[np.int64]
    ratings: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SystemRatings:
    """One system's outputs as the inference sees them.

    Attributes:
        name: the system's name.
        ratings: of its n outputs, shape (n,), float64, NaN where an output is unrated; of several raters their mean.
            The rated ones are to be a random part.
        estimates: of the same outputs by a metric, shape (n,), float64, in any unit, NaN where it abstains. None may be
            made with the rating of its own text (see `cross_fitting`).
        items: what each output was made for; equal items pair outputs of two systems. None: the outputs' places, where
            all systems have as many outputs, and otherwise nothing is paired.
        judgements: the ratings by rater; None where raters are not known.
        clusters: what items lie together in, such as a document, n of them; None where items are independent.
        weights: how many items each output's item stands for, shape (n,); None where all stand for as many.
        n_missing: ratings that were asked for and are not there.
    """

    name: str
    ratings: NDArray[np.float64]
    estimates: NDArray[np.float64]
    items: Sequence[Hashable] | None = None
    judgements: Judgements | None = None
    clusters: Sequence[Hashable] | None = None
    weights: NDArray[np.float64] | None = None
    n_missing: int = 0

    @property
    def rated(self) -> NDArray[np.bool_]:
        """Which outputs are rated, shape (n,)."""
        return ~np.isnan(self.ratings)

    @property
    def known_estimates(self) -> NDArray[np.float64]:
        """The estimates; an abstention stands for their mean, rated or not, which biases nothing."""
        known = ~np.isnan(self.estimates)
        return np.where(known, self.estimates, self.estimates[known].mean() if known.any() else 0.0)


def check_systems(systems: Sequence[SystemRatings], level: float, scale: tuple[float, float] | None) -> None:
    """Check that something can be said of systems.

    Raises:
        InputError: for no system, one without ratings of its own or with fewer than 10, ratings all alike on a scale
            that is not known, ratings off the scale, or scales of different sizes.
        ValueError: for unequal lengths, infinite numbers, or a level outside (0, 1).
    """
    check_level(level)
    if not systems:
        raise InputError("there is no system to score: name at least one, with its outputs and their ratings")
    for system in systems:
        _check(system, scale)
    if scale is None:
        check_same_scale({system.name: system.ratings for system in systems})


def _check(system: SystemRatings, scale: tuple[float, float] | None) -> None:
    name, ratings, estimates = system.name, system.ratings, system.estimates
    if ratings.ndim != 1 or ratings.shape != estimates.shape:
        raise ValueError(
            f"Expected the `ratings` and `estimates` of {name} to be vectors of one length, but got shapes "
            f"{ratings.shape} and {estimates.shape}"
        )
    if np.isinf(ratings).any() or np.isinf(estimates).any():
        raise ValueError(f"Expected the `ratings` and `estimates` of {name} to be finite or NaN, but one is infinite")
    known = ratings[system.rated]
    if not len(known):
        raise InputError(
            f"{name}: none of its {len(ratings)} outputs is rated, and nothing can be said of what people think of a "
            f"system from ratings of other systems: {FROM_OTHERS}; rate at least {FEWEST_RATINGS} outputs of {name}, "
            "drawn at random"
        )
    if len(known) < FEWEST_RATINGS:
        raise InputError(
            f"{name}: {len(known)} of its {len(ratings)} outputs {'are' if len(known) > 1 else 'is'} rated, too few "
            f"for an interval; rate at least {FEWEST_RATINGS}, drawn at random"
        )
    if scale is not None:
        given = known if system.judgements is None else system.judgements.ratings
        if given.min() < scale[0] or given.max() > scale[1]:
            off = given.min() if given.min() < scale[0] else given.max()
            raise InputError(f"{name}: a rating of {off:g} lies outside the scale from {scale[0]:g} to {scale[1]:g}")
    elif np.ptp(known) == 0:
        raise InputError(
            f"{name}: all {len(known)} ratings are {known[0]:g}, so how much ratings vary is unknown and there is no "
            "interval; name the ends of the scale (`scale`, --scale LOW:HIGH), or rate more outputs"
        )


def selection_warnings(systems: Sequence[SystemRatings], *, estimates_are_own: bool = True) -> list[str]:
    """Return what speaks against the rated outputs being a random part of each system's, in words.

    Args:
        systems: the systems.
        estimates_are_own: whether the estimates were made without these ratings; otherwise they are not looked at.
    """
    from scipy.stats import chi2_contingency, ttest_ind

    found = []
    rated = [int(system.rated.sum()) for system in systems]
    total = [len(system.ratings) for system in systems]
    missing = [system.n_missing for system in systems]
    if any(missing):
        listed = ", ".join(f"{system.name} {system.n_missing}" for system in systems)
        found.append(f"Ratings that were asked for and are missing: {listed}.")
    given = [len(each.ratings[each.rated] if each.judgements is None else each.judgements.ratings) for each in systems]
    counts = np.array([given, missing] if any(missing) else [rated, np.subtract(total, rated)])
    if len(systems) > 1 and (counts.sum(axis=1) > 0).all() and chi2_contingency(counts).pvalue < _BEYOND_CHANCE:
        shares = zip(systems, counts[0], counts.sum(axis=0), strict=True)
        listed = ", ".join(f"{each.name} {n} of {m}" for each, n, m in shares)
        found.append(
            f"Warning: systems differ beyond chance in how much of them is rated ({listed}). Unless that was planned, "
            "what is missing may not be missing at random, and the means may be off."
        )
    for system in systems:
        known = ~np.isnan(system.estimates)
        inside, outside = system.estimates[known & system.rated], system.estimates[known & ~system.rated]
        stratified = system.weights is not None
        if (
            not estimates_are_own
            or stratified
            or len(outside) < 10
            or len(inside) < 10
            or not np.ptp(np.r_[inside, outside])
        ):
            continue
        p = float(ttest_ind(inside, outside, equal_var=False).pvalue)
        if p < _BEYOND_CHANCE:
            higher = "higher" if inside.mean() > outside.mean() else "lower"
            found.append(
                f"Warning: the rated outputs of {system.name} have {higher} estimates than the unrated ones, "
                f"{inside.mean():.3g} and {outside.mean():.3g} in the mean (p = {p:.2g}): they do not look like "
                f"a random part, and what is said of {system.name} may be wrong."
            )
    return found
