"""How well a metric agrees with human ratings: correlations and errors, with their uncertainty.

Everything here is aware of coverage: pairs in which the metric or the rating is NaN are left out, and results say
how many were used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .validation import check_choice, check_number

CORRELATIONS = ("pearson", "spearman", "kendall")
_BLOCK = 1 << 20  # pairs that are resampled at a time, which bounds the memory


@dataclass(frozen=True)
class Correlation:
    """A correlation coefficient and how far to trust it.

    Attributes:
        value: the coefficient; NaN where it is undefined (fewer than three pairs, a side that does not vary, or for
            Pearson an infinite value).
        p_value: two-sided, of no association.
        low: lower end of the bootstrap confidence interval.
        high: its upper end.
        confidence: its level.
        n: how many pairs it is computed from.
    """

    value: float
    p_value: float
    low: float
    high: float
    confidence: float
    n: int


def covered_pairs(estimates: ArrayLike, ratings: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the pairs in which neither side is NaN.

    Raises:
        ValueError: for unequal lengths or more than one dimension.
    """
    left, right = np.asarray(estimates, dtype=np.float64), np.asarray(ratings, dtype=np.float64)
    if left.ndim != 1 or left.shape != right.shape:
        raise ValueError(
            f"Expected arguments `estimates` and `ratings` to be vectors of one length, but got shapes {left.shape} "
            f"and {right.shape}"
        )
    both = ~(np.isnan(left) | np.isnan(right))
    return left[both], right[both]


def mean_squared_error(estimates: ArrayLike, ratings: ArrayLike) -> float:
    """Return the mean squared error over the covered pairs; NaN where there are none."""
    left, right = covered_pairs(estimates, ratings)
    return float(np.mean((left - right) ** 2)) if len(left) else float("nan")


def correlation(
    estimates: ArrayLike,
    ratings: ArrayLike,
    method: str = "spearman",
    *,
    confidence: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 12345,
) -> Correlation:
    """Correlate estimates with ratings over the covered pairs.

    Args:
        estimates: a metric's values, shape (n,), NaN where undefined.
        ratings: human ratings, shape (n,).
        method: `pearson`, `spearman` or `kendall` (τ-b).
        confidence: level of the percentile bootstrap interval.
        n_resamples: bootstrap resamples of pairs.
        seed: of the bootstrap, so that results can be repeated.

    Raises:
        ValueError: for an unknown method, unequal lengths, or a number outside its range.
    """
    check_choice(method, "method", CORRELATIONS)
    check_number(confidence, "confidence", minimum=0, maximum=1)
    check_number(n_resamples, "n_resamples", minimum=1, integer=True)
    from scipy import stats

    left, right = covered_pairs(estimates, ratings)
    nan = float("nan")
    constant = len(left) < 3 or bool((left == left[0]).all() or (right == right[0]).all())
    if constant or (method == "pearson" and not np.isfinite([left, right]).all()):
        return Correlation(nan, nan, nan, nan, confidence, len(left))
    test = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}[method]
    result = test(left, right)
    resampled = _bootstrap(left, right, method, n_resamples, seed)
    tail = (1 - confidence) / 2
    # A resample in which a side does not vary has no correlation.
    defined = resampled[~np.isnan(resampled)]
    low, high = np.quantile(defined, [tail, 1 - tail]) if len(defined) else (nan, nan)
    return Correlation(float(result.statistic), float(result.pvalue), float(low), float(high), confidence, len(left))


def _bootstrap(
    left: NDArray[Any], right: NDArray[Any], method: str, n_resamples: int, seed: int
) -> NDArray[np.float64]:
    """Return the statistic of `n_resamples` resamples of pairs, NaN where it is undefined."""
    n = len(left)
    rng = np.random.default_rng(seed)
    if method == "spearman":  # ranks need the order of the values alone
        left, right = _codes(left), _codes(right)
    rows = max(1, _BLOCK // n)
    blocks = []
    for begin in range(0, n_resamples, rows):
        draws = rng.integers(0, n, size=(min(rows, n_resamples - begin), n))
        if method == "kendall":
            blocks.append(_kendall(left[draws], right[draws]))
        elif method == "spearman":
            blocks.append(_pearson(_midranks(left[draws]), _midranks(right[draws])))
        else:
            blocks.append(_pearson(left[draws], right[draws]))
    return np.concatenate(blocks)


def _codes(values: NDArray[np.float64]) -> NDArray[Any]:
    """Return each value's position among the distinct values in ascending order."""
    return np.unique(values, return_inverse=True)[1]


def _midranks(codes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Rank each row of small whole numbers, ties by their mean rank, by counting and so without sorting."""
    rows, width = len(codes), int(codes.max()) + 1
    bins = codes + np.arange(rows)[:, None] * width
    counts = np.bincount(bins.ravel(), minlength=rows * width).reshape(rows, width)
    ranks = np.cumsum(counts, axis=1) - (counts - 1) / 2
    return np.take_along_axis(ranks, codes, axis=1)


def _pearson(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Pearson's r of each pair of rows; NaN where one does not vary."""
    varies = (np.ptp(x, axis=1) > 0) & (np.ptp(y, axis=1) > 0)  # sums of squares are not 0 after rounding
    x = x - x.mean(axis=1, keepdims=True)
    y = y - y.mean(axis=1, keepdims=True)
    spread = np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(varies, np.clip((x * y).sum(axis=1) / spread, -1.0, 1.0), np.nan)


def _kendall(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Kendall's τ-b of each pair of rows; NaN where one does not vary."""
    from scipy import stats

    return np.array([stats.kendalltau(a, b).statistic for a, b in zip(x, y, strict=True)])
