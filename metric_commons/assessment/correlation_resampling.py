"""Correlations of resampled pairs: what bootstrap intervals are made of.

A resample of n pairs is a vector w of n counts. Pearson's r needs five sums over the pairs, which are one product of
matrices for all resamples; Spearman's ρ needs the ranks within the resample, which are sums of the counts of lower
values. Neither gathers pairs or sorts.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.support.linear_algebra import matmul

_BLOCK = 1 << 20  # pairs that are resampled at a time, which bounds the memory
_KEPT = 1 << 18  # counts that are kept for the next correlation: 2 MB
_CANCELS = 1e-7  # a share of the squares below which the difference of two sums has lost half its digits


def resampled_correlations(
    left: NDArray[Any], right: NDArray[Any], method: str, n_resamples: int, seed: int
) -> NDArray[np.float64]:
    """Return the correlation in each resample of the pairs, shape (n_resamples,), NaN where it is undefined.

    Args:
        left: n finite numbers (for ranks also infinite ones).
        right: n of them.
        method: `pearson` or `spearman`.
        n_resamples: how many resamples.
        seed: of the draws.
    """
    of_counts = _spearman if method == "spearman" else _pearson
    counted = _few_counts if len(left) * n_resamples <= _KEPT else _counted
    return np.concatenate([of_counts(left, right, counts) for counts in counted(len(left), n_resamples, seed)])


@lru_cache(maxsize=2)
def _few_counts(n: int, n_resamples: int, seed: int) -> list[NDArray[np.float64]]:
    """Return all counts, kept for the other correlations of the same few pairs."""
    return list(_counted(n, n_resamples, seed))


def _counted(n: int, n_resamples: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """Yield how often each of n pairs was drawn, a resample a column, in blocks."""
    rng = np.random.default_rng(seed)
    most = max(1, _BLOCK // n)
    for begin in range(0, n_resamples, most):
        rows = min(most, n_resamples - begin)
        places = (rng.integers(0, n, size=(rows, n)) * rows + np.arange(rows)[:, None]).ravel()
        yield np.bincount(places, minlength=n * rows).reshape(n, rows).astype(np.float64)


def _spearman(left: NDArray[Any], right: NDArray[Any], counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Spearman's ρ of each column. All sums are of multiples of a quarter, and so exact."""
    x, y = _centred_ranks(left, counts), _centred_ranks(right, counts)
    weighted = counts * x
    squares = np.einsum("ij,ij->j", weighted, x)
    products = np.einsum("ij,ij->j", weighted, y)
    np.multiply(counts, y, out=weighted)
    return _quotient(products, squares, np.einsum("ij,ij->j", weighted, y))


def _centred_ranks(values: NDArray[Any], counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return each value's rank in each resample, ties by their mean rank, less the mean of all ranks."""
    order = np.argsort(values, kind="stable")
    ascending = values[order]
    is_first = np.r_[True, ascending[1:] != ascending[:-1]]
    of_distinct = counts[order]
    if not is_first.all():
        of_distinct = np.add.reduceat(of_distinct, np.flatnonzero(is_first), axis=0)
    ranks = of_distinct.copy()
    for place in range(1, len(ranks)):  # in this order of memory quicker than numpy's own cumulative sum
        ranks[place] += ranks[place - 1]
    of_distinct -= 1
    of_distinct /= 2
    of_distinct += (len(values) + 1) / 2
    ranks -= of_distinct
    distinct = np.empty(len(values), dtype=np.int64)
    distinct[order] = np.cumsum(is_first) - 1
    found: NDArray[np.float64] = ranks[distinct]
    return found


def _pearson(left: NDArray[Any], right: NDArray[Any], counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Pearson's r of each column."""
    x, y = left - left.mean(), right - right.mean()
    with np.errstate(invalid="ignore", over="ignore"):
        mean_x, mean_y, squares_x, squares_y, products = matmul(np.stack([x, y, x * x, y * y, x * y]), counts) / len(x)
        spread_x, spread_y = squares_x - mean_x**2, squares_y - mean_y**2
        found = _quotient(products - mean_x * mean_y, spread_x, spread_y)
        exact = (spread_x > _CANCELS * squares_x) & (spread_y > _CANCELS * squares_y)
    for column in np.flatnonzero(~exact):  # hardly varies, or not at all
        times = counts[:, column].astype(np.int64)
        found[column] = pearson_of_rows(np.repeat(left, times)[None], np.repeat(right, times)[None])[0]
    return found


def _quotient(
    products: NDArray[np.float64], left: NDArray[np.float64], right: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return products over the root of both spreads, in [−1, 1]; NaN where a spread is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        found: NDArray[np.float64] = np.clip(products / np.sqrt(left * right), -1.0, 1.0)
    return np.where((left > 0) & (right > 0), found, np.nan)


def pearson_of_rows(x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.float64]:
    """Return Pearson's r of each pair of rows; NaN where one does not vary."""
    varies = (np.ptp(x, axis=1) > 0) & (np.ptp(y, axis=1) > 0)  # sums of squares are not 0 after rounding
    x = x - x.mean(axis=1, keepdims=True)
    y = y - y.mean(axis=1, keepdims=True)
    spread = np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(varies, np.clip((x * y).sum(axis=1) / spread, -1.0, 1.0), np.nan)
