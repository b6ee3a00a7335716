"""Ceiling that rater noise sets for correlations, from texts that were rated several times."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from referenceless_metrics.assessment.meta_evaluation import pearson, rank_correlation
from referenceless_metrics.core.support.validation import Floats, Integers

_LEVEL = 0.95
_DEALS = 100  # splits of raters into halves
_DEAL_SEED = 1910
_ROUNDING = 1e-12  # range of values, as a share of the largest, that is rounding

FEWEST_REPEATED = 10
"""Fewest texts that were rated more than once from which the ceiling is told."""


@dataclass(frozen=True)
class RaterCeiling:
    """Ceiling that rater noise sets for correlations with mean ratings.

    Attributes:
        reliability: the share of the variance of texts' mean ratings that is not noise of the raters, in [0, 1]; of few
            texts that were rated more than once, as few tell.
        n_ratings: mean number of ratings per text.
        n_repeated: number of texts that were rated more than once; only these tell the noise.
        by_rank: the rank correlation of error-free estimates with the mean ratings. Ranks lose more to noise than
            values if many texts have similar ratings. NaN if fewer than `FEWEST_REPEATED` texts were rated more than
            once: these tell no ceiling.
        low: the lower end of the 95 % interval of `by_rank`; the loss of ranks is taken as known. NaN, as `high`, if
            `by_rank` is, and if no two ratings of a text differ.
        high: its upper end.
        is_complete: whether the same raters rated every text; how lenient each of them is then lowers no correlation
            with the mean ratings, and is no noise. Else it counts as noise.
    """

    reliability: float
    n_ratings: float
    n_repeated: int
    by_rank: float
    low: float
    high: float
    is_complete: bool = False

    @property
    def correlation(self) -> float:
        """The correlation of error-free estimates with the mean ratings: √reliability."""
        return math.sqrt(self.reliability)

    @property
    def why_no_interval(self) -> str:
        """The reason why there is no interval, or no ceiling either, in words; "" if there is one."""
        if self.n_repeated < FEWEST_REPEATED:
            return f"{self.n_repeated} texts were rated more than once, {FEWEST_REPEATED} are needed"
        if self.high == 0:
            return "raters agree no more than by chance"
        return "no two ratings of a text differ" if math.isnan(self.low) else ""

    def share(self, correlation: float) -> float:
        """Return a rank correlation as a share of the ceiling, from −1 to 1: NaN for a ceiling of 0 or too few texts.

        The ceiling is an estimate, too: a correlation above it counts as all of it.
        """
        return max(-1.0, min(1.0, correlation / self.by_rank)) if self.by_rank > 0 else math.nan

    def __str__(self) -> str:
        of = f"{self.n_ratings:.1f} ratings a text"
        if not self.is_complete:
            of += ", leniency counted as noise"
        if math.isnan(self.by_rank):
            return f"The noise of raters, and the ρ that it allows, cannot be told ({of}; {self.why_no_interval})"
        if self.why_no_interval:
            return f"Rater noise caps ρ near {self.by_rank:.2f} ({of}; without an interval: {self.why_no_interval})"
        return f"Rater noise caps ρ near {self.by_rank:.2f} [{self.low:.2f}, {self.high:.2f}] ({of})"

    def summary(self, correlation: float) -> str:
        """Return a sentence that compares a rank correlation with the ceiling."""
        if math.isnan(self.by_rank):
            return f"{self}."
        repeated = f"the {self.n_repeated} texts that were rated more than once"
        if self.high == 0:
            return f"{self}."
        if not self.by_rank > 0:
            says = f"by {repeated}, raters agree no more than by chance"
        elif correlation <= self.by_rank:
            says = f"{correlation:.2f} is {self.share(correlation):.0%} of it"
            if round(correlation, 2) < 0:
                says += ", for texts of higher estimates have the lower ratings"
        elif math.isnan(self.high):
            says = f"{correlation:.2f} is above the figure"
        elif correlation <= self.high:
            says = f"{correlation:.2f} is above the figure and within its interval: all else may be noise"
        else:
            says = f"{correlation:.2f} is above that interval: {repeated} are not like the rest"
        return f"{self}: {says}."


def rater_ceiling(
    texts: Sequence[str], ratings: ArrayLike, raters: Sequence[object] | None = None
) -> RaterCeiling | None:
    """Return the ceiling that rater noise sets, from texts that were rated several times.

    None if no text was rated several times, or all ratings are alike, but for the leniency of raters of all texts.

    If each of the same k raters rated every one of n texts once, two-way analysis of variance: each rater's mean is
    taken off, and what is left within texts, over (n − 1)(k − 1) degrees of freedom, is the noise. The reliability is
    the consistency ICC(C,k) = (MS_texts − MS_rest) / MS_texts (McGraw & Wong 1996, "Forming inferences about some
    intraclass correlation coefficients", Psychological Methods 1(1)): the mean correlation of raters, stepped up to k
    of them, if they vary alike. A rater who rates all texts two points higher changes no correlation with the mean
    ratings, and here no ceiling.

    Else one-way analysis of variance: the pooled variance within texts, divided by each text's number of ratings,
    is the noise in the variance of their means. The ratio of the two has an F distribution about its true value,
    which gives the interval (Shrout & Fleiss 1979, "Intraclass correlations"; exact for normal ratings and equal
    numbers per text). For ranks, the raters of each text are split into halves at random, and the rank correlation
    of the halves' means is stepped up to all raters (Spearman 1910, Brown 1910: 2r / (1 + r)). Its mean over 100
    splits, divided by the same figure of values, is the share of the ceiling that ranks keep. If each rater rated
    every text, the same raters are a half of all texts: so leniency is in none of the ranks, and equal means stay ties.

    Args:
        texts: one entry per rating; equal texts are one text.
        ratings: shape (n,), finite.
        raters: the rater of each rating; None if they are not known.

    Example:
        >>> ceiling = rater_ceiling(["a", "a", "b", "b"], [1, 2, 5, 6])
        >>> ceiling.reliability, round(ceiling.correlation, 3)
        (0.96875, 0.984)
        >>> rater_ceiling(["a", "b"], [1, 2]) is None
        True
        >>> rater_ceiling(["a", "a", "b", "b"], [1, 3, 5, 7], ["ann", "bob"] * 2).reliability  # bob rates 2 higher
        1.0
    """
    from scipy.special import fdtri

    given = rated = np.asarray(ratings, dtype=float)
    _, where, counts = np.unique(np.asarray(texts, dtype=object), return_inverse=True, return_counts=True)
    n_texts = len(counts)
    if len(rated) <= n_texts or n_texts < 2 or not np.ptp(rated) > 0:
        return None
    means = np.bincount(where, weights=rated) / counts
    by_whom = None if raters is None else _complete(where, n_texts, raters)
    n_left = len(rated) - n_texts
    if by_whom is not None:
        n_raters = int(by_whom.max()) + 1
        of_raters = np.bincount(by_whom, weights=rated) / n_texts
        rated = rated - of_raters[by_whom] + rated.mean()
        if not np.ptp(rated) > _ROUNDING * float(np.abs(rated).max()):
            return None
        n_left -= n_raters - 1
    within = float(((rated - means[where]) ** 2).sum()) / n_left
    if within <= (_ROUNDING * float(np.abs(rated).max())) ** 2:
        within = 0.0
    between = float(means.var(ddof=1))
    noise = within * float((1 / counts).mean())
    freedom = (n_texts - 1, n_left)
    low, reliability, high = (
        0.0 if between == 0 else float(np.clip(1 - ratio * noise / between, 0, 1))
        for ratio in (fdtri(*freedom, 0.5 + _LEVEL / 2), 1.0, fdtri(*freedom, 0.5 - _LEVEL / 2))
    )
    n_repeated = int((counts > 1).sum())
    if n_repeated < FEWEST_REPEATED or within == 0:
        low = high = math.nan
    by_ranks = _left_by_ranks(where, counts, given, by_whom)
    by_rank, low, high = np.minimum(1.0, np.sqrt([reliability, low, high]) * by_ranks).tolist()
    if n_repeated < FEWEST_REPEATED:
        by_rank = math.nan
    return RaterCeiling(
        reliability, len(rated) / n_texts, n_repeated, by_rank, low, high, is_complete=by_whom is not None
    )


def _complete(where: Integers, n_texts: int, raters: Sequence[object]) -> Integers | None:
    """Return the number of each rating's rater if each rated every text once, shape (n,); None else.

    Args:
        where: the number of each rating's text, shape (n,).
        n_texts: number of texts.
        raters: the rater of each rating.
    """
    numbers: Integers = np.unique(list(map(str, raters)), return_inverse=True)[1]
    n_raters = int(numbers.max()) + 1
    if n_raters < 2 or len(where) != n_texts * n_raters:
        return None
    return numbers if len(np.unique(where * n_raters + numbers)) == len(where) else None


def _left_by_ranks(where: Integers, counts: Integers, ratings: Floats, by_whom: Integers | None) -> float:
    """Return the ceiling of ranks divided by that of values, from halves of the raters; 1 if it is unknown.

    Args:
        where: the number of each rating's text, shape (n,).
        counts: number of ratings of each text.
        ratings: the ratings, shape (n,).
        by_whom: the number of each rating's rater, if each rated every text once: the halves of all texts are then
            of the same raters.
    """
    often = counts[where] > 1
    of, rated = np.unique(where[often], return_inverse=True)[1], ratings[often]
    n = int(of.max(initial=-1)) + 1
    generator = np.random.default_rng(_DEAL_SEED)
    stepped: list[list[float]] = []
    for _ in range(_DEALS if n > 2 else 0):
        chances = generator.random(len(of)) if by_whom is None else generator.random(len(of))[by_whom]
        order = np.lexsort((chances, of))
        firsts = np.searchsorted(of[order], np.arange(n))
        half = (np.arange(len(of)) - firsts[of[order]]) % 2
        means = [
            _without_rounding(
                np.bincount(of[order][half == side], weights=rated[order][half == side], minlength=n)
                / np.bincount(of[order][half == side], minlength=n)
            )
            for side in (0, 1)
        ]
        if min(map(np.ptp, means)) > 0:
            # opposite halves step up to −∞, without a division by zero
            stepped.append([2 * r / max(1 + r, 1e-12) for r in (rank_correlation(*means), pearson(*means))])
    of_ranks, of_values = np.mean(stepped, axis=0) if stepped else (0.0, 0.0)
    return float(np.sqrt(of_ranks / of_values)) if of_ranks > 0 and of_values > 0 else 1.0


def _without_rounding(values: Floats) -> Floats:
    """Return values of which those are equal that differ by rounding alone, so that their ranks are ties."""
    unit = _ROUNDING * float(np.abs(values).max())
    return np.asarray(np.round(values / unit) * unit) if unit > 0 else values
