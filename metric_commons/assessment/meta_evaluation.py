"""How well a metric agrees with human ratings, with the uncertainty of the figures, and what the ratings' noise allows.

Everything here is aware of coverage: pairs in which the metric or the rating is NaN are left out, and results say
how many were used. Metrics with different coverage are compared on the texts that all of them cover, see
`comparison.metrics`.

A bootstrap resample of n pairs is a vector w of n counts. Pearson's r needs five sums over the pairs, which are one
product of matrices for all resamples; Spearman's ρ needs the ranks within the resample, which are sums of the counts of
lower values. Neither gathers pairs or sorts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np
from numpy.typing import ArrayLike

from metric_commons.support.computing import matmul
from metric_commons.support.validation import (
    Floats,
    Integers,
    Numbers,
    check_choice,
    check_number,
    check_whole,
    describe,
)

CORRELATIONS = ("pearson", "spearman")
_LEVEL = 0.95
_DEALS = 100  # of raters into halves
_DEAL_SEED = 1910
_BLOCK = 1 << 20  # pairs that are resampled at a time, which bounds the memory
_CANCELS = 1e-7  # a share of the squares below which the difference of two sums has lost half its digits
_VARIANCE = {"pearson": 1.0, "spearman": 1.06}  # of z, times n − 3 (Fieller, Hartley & Pearson 1957)


@dataclass(frozen=True)
class Correlation:
    """A correlation coefficient and how far to trust it.

    Attributes:
        value: the coefficient; NaN where it is undefined (fewer than three pairs, a side that does not vary, or for
            Pearson an infinite value).
        p_value: two-sided, of no association.
        low: lower end of the 95 % interval.
        high: its upper end.
        n: how many pairs it is computed from.
    """

    value: float
    p_value: float
    low: float
    high: float
    n: int


def covered_pairs(estimates: ArrayLike, ratings: ArrayLike) -> tuple[Floats, Floats]:
    """Return the pairs in which neither side is NaN.

    Raises:
        TypeError: for values that are not numbers.
        ValueError: for unequal lengths or more than one dimension.
    """
    sides = []
    for name, values in (("estimates", estimates), ("ratings", ratings)):
        try:
            sides.append(np.asarray(values, dtype=float))
        except (TypeError, ValueError):
            raise TypeError(f"Expected argument `{name}` to hold numbers, but got {describe(values)}") from None
    left, right = sides
    if left.ndim != 1 or left.shape != right.shape:
        raise ValueError(
            f"Expected arguments `estimates` and `ratings` to be vectors of one length, but got shapes {left.shape} "
            f"and {right.shape}"
        )
    both = ~(np.isnan(left) | np.isnan(right))
    return left[both], right[both]


def is_undefined(left: Floats, right: Floats, method: str) -> bool:
    """Return whether pairs have no correlation: fewer than three, a constant side, an infinite value for Pearson."""
    if len(left) < 3 or bool((left == left[0]).all() or (right == right[0]).all()):
        return True
    return method == "pearson" and not bool(np.isfinite([left, right]).all())


def mean_squared_error(estimates: ArrayLike, ratings: ArrayLike) -> float:
    """Return the mean squared error over the covered pairs; NaN where there are none."""
    left, right = covered_pairs(estimates, ratings)
    return float(np.mean((left - right) ** 2)) if len(left) else math.nan


def mean_of_others(ratings: Floats) -> Floats:
    """Return for each rating the mean of all others, shape (n,); NaN where it is the only one."""
    n = len(ratings)
    return (ratings.sum() - ratings) / (n - 1) if n > 1 else np.full(n, np.nan)


def fisher_interval(r: float, n: int, level: float = 0.95, *, variance: float = 1.0) -> tuple[float, float]:
    """Confidence interval of a correlation by Fisher's transformation; NaN where it is undefined.

    Args:
        r: Pearson's correlation, or another one.
        n: of so many pairs.
        level: of the interval.
        variance: of the transformed correlation, times n − 3: 1 for Pearson's, 1.06 for Spearman's
            (Fieller, Hartley & Pearson 1957, "Tests for rank correlation coefficients", Biometrika 44).

    >>> tuple(round(bound, 3) for bound in fisher_interval(0.5, 103))
    (0.339, 0.632)
    """
    from scipy.stats import norm

    check_number(level, "level", 0.0, 1.0)
    if math.isnan(r) or n < 4 or abs(r) >= 1.0:
        return (math.nan, math.nan)
    half = float(norm.ppf(0.5 + level / 2)) * math.sqrt(variance / (n - 3))
    centre = math.atanh(r)
    return math.tanh(centre - half), math.tanh(centre + half)


def correlation(
    estimates: ArrayLike,
    ratings: ArrayLike,
    method: str = "spearman",
    *,
    n_resamples: int = 2000,
    seed: int = 12345,
) -> Correlation:
    """Correlate estimates with ratings over the covered pairs.

    Args:
        estimates: a metric's values, shape (n,), NaN where undefined.
        ratings: human ratings, shape (n,).
        method: `pearson` or `spearman`.
        n_resamples: resamples of pairs for a percentile bootstrap interval; 0 for Fisher's interval, at once.
        seed: of the bootstrap, so that results can be repeated.

    Raises:
        ValueError: for an unknown method, unequal lengths, or a number outside its range.
    """
    return correlations([(estimates, ratings, method)], n_resamples=n_resamples, seed=seed)[0]


def correlations(
    pairs: Sequence[tuple[ArrayLike, ArrayLike, str]], *, n_resamples: int, seed: int
) -> list[Correlation]:
    """Correlate each of several (estimates, ratings, method) as `correlation` does; those of one length share draws."""
    check_whole(n_resamples, "n_resamples", 0)
    check_whole(seed, "seed", 0)
    covered = []
    for estimates, ratings, method in pairs:
        check_choice(method, "method", CORRELATIONS)
        covered.append((*covered_pairs(estimates, ratings), method))
    defined = [pair for pair in covered if not is_undefined(*pair)]
    resampled = iter(resampled_correlations(defined, n_resamples, seed) if n_resamples else repeat(None))
    nan = math.nan
    return [
        Correlation(nan, nan, nan, nan, len(pair[0])) if is_undefined(*pair) else _measured(*pair, next(resampled))
        for pair in covered
    ]


def _measured(left: Floats, right: Floats, method: str, resampled: Floats | None) -> Correlation:
    from scipy import stats

    result = (stats.pearsonr if method == "pearson" else stats.spearmanr)(left, right)
    if resampled is None:
        low, high = fisher_interval(float(result.statistic), len(left), variance=_VARIANCE[method])
    else:
        tail = (1 - _LEVEL) / 2
        # A resample in which a side does not vary has no correlation.
        defined = resampled[~np.isnan(resampled)]
        low, high = np.quantile(defined, [tail, 1 - tail]) if len(defined) else (math.nan, math.nan)
    return Correlation(float(result.statistic), float(result.pvalue), float(low), float(high), len(left))


def pearson(left: Floats, right: Floats) -> float:
    """Return Pearson's r alone, without interval or p; NaN where it is undefined."""
    if len(left) < 2 or np.ptp(left) == 0 or np.ptp(right) == 0:
        return math.nan
    return float(np.corrcoef(left, right)[0, 1])


def rank_correlation(left: Floats, right: Floats) -> float:
    """Return Spearman's ρ alone, without interval or p; NaN where it is undefined."""
    from scipy.stats import rankdata

    return pearson(rankdata(left), rankdata(right)) if len(left) > 2 else math.nan


def resampled_correlations(pairs: Sequence[tuple[Numbers, Numbers, str]], n_resamples: int, seed: int) -> list[Floats]:
    """Return the correlation in each resample of each of several pairs, shape (n_resamples,), NaN where undefined.

    Args:
        pairs: n finite numbers (for ranks also infinite ones), n others, and `pearson` or `spearman`.
        n_resamples: how many resamples.
        seed: of the draws.
    """
    found: list[list[Floats]] = [[] for _ in pairs]
    for n in {len(left) for left, _, _ in pairs}:
        for counts in _counted(n, n_resamples, seed):
            for own, (left, right, method) in zip(found, pairs, strict=True):
                if len(left) == n:
                    own.append((_spearman if method == "spearman" else _pearson)(left, right, counts))
    return [np.concatenate(own) for own in found]


def _counted(n: int, n_resamples: int, seed: int) -> Iterator[Floats]:
    """Yield how often each of n pairs was drawn, a resample a column, in blocks."""
    rng = np.random.default_rng(seed)
    most = max(1, _BLOCK // n)
    for begin in range(0, n_resamples, most):
        rows = min(most, n_resamples - begin)
        places = (rng.integers(0, n, size=(rows, n)) * rows + np.arange(rows)[:, None]).ravel()
        yield np.bincount(places, minlength=n * rows).reshape(n, rows).astype(float)


def _spearman(left: Numbers, right: Numbers, counts: Floats) -> Floats:
    """Return Spearman's ρ of each column. All sums are of multiples of a quarter, and so exact."""
    x, y = _centred_ranks(left, counts), _centred_ranks(right, counts)
    weighted = counts * x
    products, squares = (np.einsum("ij,ij->j", weighted, other) for other in (y, x))
    return _quotient(products, squares, np.einsum("ij,ij->j", counts * y, y))


def _centred_ranks(values: Numbers, counts: Floats) -> Floats:
    """Return each value's rank in each resample, ties by their mean rank, less the mean of all ranks."""
    _, distinct, sizes = np.unique(values, return_inverse=True, return_counts=True)
    upper = np.cumsum(counts[np.argsort(distinct, kind="stable")], axis=0)[np.cumsum(sizes) - 1]
    lower = np.concatenate([np.zeros((1, counts.shape[1])), upper[:-1]])
    ranks: Floats = (lower + upper - len(values)) / 2
    return ranks[distinct]


def _pearson(left: Numbers, right: Numbers, counts: Floats) -> Floats:
    """Return Pearson's r of each column."""
    x, y = left - left.mean(), right - right.mean()
    with np.errstate(invalid="ignore", over="ignore"):
        mean_x, mean_y, squares_x, squares_y, products = matmul(np.stack([x, y, x * x, y * y, x * y]), counts) / len(x)
        spread_x, spread_y = squares_x - mean_x**2, squares_y - mean_y**2
        found = _quotient(products - mean_x * mean_y, spread_x, spread_y)
        exact = (spread_x > _CANCELS * squares_x) & (spread_y > _CANCELS * squares_y)
    for column in np.flatnonzero(~exact):  # hardly varies, or not at all
        times = counts[:, column].astype(np.int64)
        drawn = np.repeat([left, right], times, axis=1)
        found[column] = np.corrcoef(drawn)[0, 1] if np.ptp(drawn, axis=1).all() else np.nan
    return found


def _quotient(products: Floats, left: Floats, right: Floats) -> Floats:
    """Return products over the root of both spreads, in [−1, 1]; NaN where a spread is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.clip(products / np.sqrt(left * right), -1.0, 1.0)
    return np.where((left > 0) & (right > 0), found, np.nan)


@dataclass(frozen=True)
class RaterCeiling:
    """What the disagreement of raters leaves to be agreed with.

    Attributes:
        reliability: the share of the variance of texts' mean ratings that is not noise of the raters, in [0, 1].
        n_ratings: mean number of ratings a text.
        n_repeated: texts that were rated more than once, from which alone the noise is known.
        by_rank: the rank correlation with the mean ratings that estimates without any error would have. Ranks lose more
            to noise than values do where many texts are rated about alike.
        low: the lower end of the 95 % interval of `by_rank`; what ranks lose is taken as known.
        high: its upper end.
    """

    reliability: float
    n_ratings: float
    n_repeated: int
    by_rank: float
    low: float
    high: float

    @property
    def correlation(self) -> float:
        """The correlation with the mean ratings that estimates without any error would have: √reliability."""
        return math.sqrt(self.reliability)

    def share(self, correlation: float) -> float:
        """Return a rank correlation as a share of the ceiling: at most 1, NaN for a ceiling of 0.

        The ceiling is an estimate too, and a correlation above it is no more than all that raters allow.
        """
        return min(1.0, correlation / self.by_rank) if self.by_rank > 0 else math.nan

    def __str__(self) -> str:
        return (
            f"Rater noise caps ρ near {self.by_rank:.2f} [{self.low:.2f}, {self.high:.2f}] "
            f"({self.n_ratings:.1f} ratings a text)"
        )

    def summary(self, correlation: float) -> str:
        """Return a sentence that sets a rank correlation beside the ceiling."""
        allowed = str(self)
        repeated = f"the {self.n_repeated} texts that were rated more than once"
        if not self.by_rank > 0:
            return f"{allowed}: by {repeated}, raters agree no more than by chance."
        if correlation < 0.005:
            return f"{allowed}, and these estimates reach none of it."
        if correlation <= self.by_rank:
            return f"{allowed}: {correlation:.2f} is {self.share(correlation):.0%} of it."
        if correlation <= self.high:
            return (
                f"{allowed}: {correlation:.2f} is above the figure and within its interval, so all that is left may be "
                f"noise of the raters; {repeated} tell no more."
            )
        return (
            f"{allowed}: {correlation:.2f} is above that interval, so {repeated} are not like the rest, and no ceiling "
            "is known."
        )


def rater_ceiling(texts: Sequence[str], ratings: ArrayLike) -> RaterCeiling | None:
    """Return the ceiling that rater noise sets, from texts that were rated several times; None where none was.

    One-way analysis of variance: the variance within texts, pooled, divided by each text's number of ratings, is the
    noise in the variance of their means. The ratio of the two has the F distribution about its true value, which gives
    the interval (Shrout & Fleiss 1979, "Intraclass correlations"; exact for normal ratings, equally many a text). For
    ranks: the raters of each text are dealt into halves, the rank correlation of the halves' means is stepped up to all
    raters (Spearman 1910, Brown 1910: 2r / (1 + r)), and the mean over 100 deals, as a share of the same of values, is
    what ranks leave of the ceiling.

    Args:
        texts: one entry a rating; equal texts are one text.
        ratings: shape (n,), finite.

    Example:
        >>> ceiling = rater_ceiling(["a", "a", "b", "b"], [1, 2, 5, 6])
        >>> ceiling.reliability, round(ceiling.correlation, 3)
        (0.96875, 0.984)
        >>> rater_ceiling(["a", "b"], [1, 2]) is None
        True
    """
    from scipy.stats import f

    rated = np.asarray(ratings, dtype=float)
    _, where, counts = np.unique(np.asarray(texts, dtype=object), return_inverse=True, return_counts=True)
    n_texts = len(counts)
    if len(rated) <= n_texts or n_texts < 2:
        return None
    means = np.bincount(where, weights=rated) / counts
    within = float(((rated - means[where]) ** 2).sum()) / (len(rated) - n_texts)
    between = float(means.var(ddof=1))
    noise = within * float((1 / counts).mean())
    freedom = (n_texts - 1, len(rated) - n_texts)
    low, reliability, high = (
        0.0 if between == 0 else float(np.clip(1 - ratio * noise / between, 0, 1))
        for ratio in (f.ppf(0.5 + _LEVEL / 2, *freedom), 1.0, f.ppf(0.5 - _LEVEL / 2, *freedom))
    )
    by_ranks = _left_by_ranks(where, counts, rated)
    return RaterCeiling(
        reliability,
        len(rated) / n_texts,
        int((counts > 1).sum()),
        *(min(1.0, math.sqrt(share) * by_ranks) for share in (reliability, low, high)),
    )


def _left_by_ranks(where: Integers, counts: Integers, ratings: Floats) -> float:
    """Return the ceiling of ranks over that of values, by halves of the raters; 1 where halves tell nothing."""
    often = counts[where] > 1
    of, rated = np.unique(where[often], return_inverse=True)[1], ratings[often]
    n = int(of.max(initial=-1)) + 1
    generator = np.random.default_rng(_DEAL_SEED)
    stepped: list[tuple[float, float]] = []
    for _ in range(_DEALS if n > 2 else 0):
        order = np.lexsort((generator.random(len(of)), of))
        firsts = np.searchsorted(of[order], np.arange(n))
        half = (np.arange(len(of)) - firsts[of[order]]) % 2
        means = [
            np.bincount(of[order][half == side], weights=rated[order][half == side], minlength=n)
            / np.bincount(of[order][half == side], minlength=n)
            for side in (0, 1)
        ]
        if min(map(np.ptp, means)) > 0:
            by_value, by_rank = pearson(*means), rank_correlation(*means)
            stepped.append((2 * by_rank / (1 + by_rank), 2 * by_value / (1 + by_value)))
    of_ranks, of_values = np.mean(stepped, axis=0) if stepped else (0.0, 0.0)
    return float(np.sqrt(of_ranks / of_values)) if of_ranks > 0 and of_values > 0 else 1.0
