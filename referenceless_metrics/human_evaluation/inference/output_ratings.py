"""Ratings and estimates of one system's outputs, and their checks."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from referenceless_metrics.assessment.conformal import check_level
from referenceless_metrics.core.files.formats import FORMATS
from referenceless_metrics.core.support.validation import Booleans, Floats, InputError, shortened

if TYPE_CHECKING:
    import pandas as pd

Systems = Sequence[tuple[str, Sequence[str]]]
Outputs = Sequence[tuple[str, list[str]]]
"""Each system's name and outputs."""

FROM_OTHERS = (
    "on 16 systems of WebNLG 2020, intervals made from 300 ratings of the others at a nominal 95 % held a system's "
    "human mean in 10 % of the draws"
)
"""Coverage of such intervals as `reproduce claims` measured it, over fluency and correctness."""


_OF_ANOTHER_SCALE = 5
"""Times that the largest rating, and the median, of one set are those of another if both cannot be of one scale."""


def check_same_scale(ratings: Mapping[str, Floats]) -> None:
    """Check that several sets of ratings can be of one scale.

    Scales are told apart by the power of ten that their largest rating needs (1, 10, 100, …): ratings from 0 to 1, from
    1 to 7 and from 0 to 100 are of three. Two scales of one size, such as 1 to 5 and 1 to 7, cannot be told from the
    ratings. A few low ratings of a bad system need a smaller power, too: the largest ones must lie far apart, and no
    set's largest may lie between. Ratings without a scale, such as magnitudes, pass if some are negative or if no
    median is more than five times another.

    Args:
        ratings: ratings by name, such as a file's, shape (n,) each; NaN and empty ones are left aside.

    Raises:
        InputError: for scales of different sizes; the message names them.
    """
    known = {name: values[~np.isnan(values)] for name, values in ratings.items()}
    known = {name: values for name, values in known.items() if len(values)}
    if not known or min(float(values.min()) for values in known.values()) < 0:
        return
    medians = [float(np.median(values)) for values in known.values()]
    if max(medians) <= _OF_ANOTHER_SCALE * min(medians):
        return
    ordered = sorted(known, key=lambda name: float(known[name].max()))
    for name, next_name in pairwise(ordered):
        low, high = (float(known[each].max()) or 1.0 for each in (name, next_name))
        if _power(low) < _power(high) and high >= _OF_ANOTHER_SCALE * low:
            listed = " and ".join(
                f"{each} from {known[each].min():g} to {known[each].max():g}"
                for each in known
                if each in (name, next_name)
            )
            raise InputError(
                f"the ratings are on different scales: {listed}; put them on one before you join them, or if they are "
                "on one, name its ends (`scale`, --scale LOW-HIGH)"
            )


def _power(largest: float) -> int:
    """Return the power of ten that the largest rating of a set needs; 0 up to 1."""
    return math.ceil(math.log10(max(1.0, largest)))


def aliases(name: str) -> tuple[str, ...]:
    """Return how ratings may name the system of a file: with or without folder and suffix."""
    return name, Path(name).name, Path(name).stem, *(f"{name}.{suffix}" for suffix in FORMATS)


FEWEST_RATINGS = 10
"""Fewest rated outputs for an interval: with fewer, neither variance nor correlation is known well enough."""

_MOST_POINTS = 10
"""Highest rating on a scale whose ends ratings tell; higher numbers may be of no scale, such as percentages."""


@dataclass(frozen=True, eq=False)
class SystemRatings:
    """Ratings and estimates of one system's outputs.

    Attributes:
        name: the system's name.
        ratings: ratings of its n outputs, shape (n,), float64, NaN if an output is unrated; of several raters their
            mean. The rated ones are to be a random part.
        estimates: estimates of the same outputs by a metric, shape (n,), float64, in any unit, NaN if it abstains. None
            may be made with the rating of its own text.
        items: the item of each output; equal items pair outputs of two systems. None: the outputs' places, if all
            systems have as many outputs, and otherwise nothing is paired.
        judgements: the ratings by rater, one row each: `output` (its place among the n), `rater` and `rating`, finite;
            None if raters are not known.
        clusters: the cluster of each output's item, such as a document, n of them; None if items are independent.
        n_missing: ratings that were asked for and are not there.
    """

    name: str
    ratings: Floats
    estimates: Floats
    items: Sequence[Hashable] | None = None
    judgements: pd.DataFrame | None = None
    clusters: Sequence[Hashable] | None = None
    n_missing: int = 0

    @property
    def rated(self) -> Booleans:
        """Mask of the rated outputs, shape (n,)."""
        return ~np.isnan(self.ratings)

    @property
    def single_ratings(self) -> Floats:
        """The single ratings, or if raters are not known those of the outputs, shape (k,)."""
        return self.ratings[self.rated] if self.judgements is None else self.judgements["rating"].to_numpy()


def told_ends(ratings: Sequence[Floats]) -> tuple[float, float] | None:
    """Return the ends of a scale that ratings tell: the lowest point is 0 or 1, and the highest the highest rating.

    Args:
        ratings: single ratings of all systems on one scale, without NaN.

    Returns:
        The ends; None of ratings that are not all whole numbers of at most 11 points, or that are all alike.

    >>> told_ends([np.array([2.0, 5.0]), np.array([4.0, 4.0])]), told_ends([np.array([0.0, 62.5])])
    ((1.0, 5.0), None)
    """
    known = np.concatenate([*ratings, np.empty(0)])
    if not len(known) or np.ptp(known) == 0 or known.min() < 0 or known.max() > _MOST_POINTS:
        return None
    if (known != np.floor(known)).any():
        return None
    return min(1.0, float(known.min())), float(known.max())


class TooFewRatingsError(InputError):
    """A system with too few rated outputs for an interval."""


def _plain_means(systems: Sequence[SystemRatings]) -> str:
    """Return the mean and the number of rated outputs of each system, which allow no verdict."""
    rated = [(system.name, system.ratings[system.rated]) for system in systems]
    told = ", ".join(f"{name} {ratings.mean():.4g} ({len(ratings)})" for name, ratings in rated if len(ratings))
    return f"the means of rated outputs, whose differences may be chance, are {shortened(told, 400)}"


def check_systems(systems: Sequence[SystemRatings], level: float, scale: tuple[float, float] | None) -> None:
    """Check that the ratings allow a statement about each system.

    Raises:
        InputError: for no system, one without ratings of its own or with fewer than 10, ratings of each system all
            alike on a scale that is not known, ratings off the scale, or scales of different sizes.
        ValueError: for unequal lengths, infinite numbers, or a level outside (0, 1).
    """
    check_level(level)
    if not systems:
        raise InputError("there is no system to score: name at least one, with its outputs and their ratings")
    for system in systems:
        try:
            _check(system, scale)
        except TooFewRatingsError as error:
            raise TooFewRatingsError(f"{error}; {_plain_means(systems)}") from None
    if scale is None:
        _check_they_vary(systems)
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
        raise TooFewRatingsError(
            f"{name}: {len(known)} of its {len(ratings)} outputs {'are' if len(known) > 1 else 'is'} rated, too few "
            f"for an interval; rate at least {FEWEST_RATINGS}, drawn at random"
        )
    if scale is not None:
        low, high = scale
        outside = system.single_ratings[(system.single_ratings < low) | (system.single_ratings > high)]
        if len(outside):
            raise InputError(f"{name}: a rating of {outside[0]:g} lies outside the scale from {low:g} to {high:g}")


def _check_they_vary(systems: Sequence[SystemRatings]) -> None:
    """Check that the ratings of some system differ: of others they are then alike by what these say of the scale.

    Raises:
        InputError: for ratings of each system that are all alike.
    """
    if any(np.ptp(system.ratings[system.rated]) > 0 for system in systems):
        return
    known = systems[0].ratings[systems[0].rated]
    n_missing = sum(system.n_missing for system in systems)
    blank = f'; {n_missing} ratings are missing: if a blank stands for 0, say --values "=0"' if n_missing else ""
    raise InputError(
        f"{systems[0].name}: all {len(known)} ratings are {known[0]:g}, so how much ratings vary is unknown and there "
        f"is no interval; name the ends of the scale (`scale`, --scale LOW-HIGH), or rate more outputs{blank}"
    )
