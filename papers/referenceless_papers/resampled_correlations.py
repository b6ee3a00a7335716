"""Correlations with percentile bootstrap intervals, as the papers' tables are measured.

A resample of n pairs is a vector w of n counts. Pearson's r needs five sums over the pairs, which are one product of
matrices for all resamples; Spearman's ρ needs the ranks within the resample, which are sums of the counts of lower
values. Neither gathers pairs or sorts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from referenceless_metrics.assessment.meta_evaluation import Correlation, covered_pairs
from referenceless_metrics.assessment.meta_evaluation import correlation as with_fishers_interval
from referenceless_metrics.core.support.computing import matmul
from referenceless_metrics.core.support.validation import Floats, Numbers, check_whole

_TAIL = 0.025
_BLOCK = 1 << 20  # pairs that are resampled at a time, which bounds the memory
_CANCELS = 1e-7  # a share of the squares below which the difference of two sums has lost half its digits


def correlation(
    estimates: ArrayLike, ratings: ArrayLike, method: str = "spearman", *, n_resamples: int = 2000, seed: int = 12345
) -> Correlation:
    """Correlate estimates with ratings over the covered pairs, with a percentile bootstrap interval.

    Args:
        estimates: a metric's values, shape (n,), NaN if undefined.
        ratings: human ratings, shape (n,).
        method: `pearson` or `spearman`.
        n_resamples: resamples of pairs.
        seed: seed of the bootstrap, so that results can be repeated.

    Raises:
        ValueError: for an unknown method, unequal lengths, or a number outside its range.
    """
    check_whole(n_resamples, "n_resamples", 1)
    check_whole(seed, "seed", 0)
    measured = with_fishers_interval(estimates, ratings, method)
    if math.isnan(measured.value):
        return measured
    (resampled,) = resampled_correlations([(*covered_pairs(estimates, ratings), method)], n_resamples, seed)
    defined = resampled[~np.isnan(resampled)]  # a resample in which a side does not vary has no correlation
    low, high = np.quantile(defined, [_TAIL, 1 - _TAIL]) if len(defined) else (math.nan, math.nan)
    return replace(measured, low=float(low), high=float(high))


def resampled_correlations(pairs: Sequence[tuple[Numbers, Numbers, str]], n_resamples: int, seed: int) -> list[Floats]:
    """Return the correlation in each resample of each of several pairs, shape (n_resamples,), NaN if undefined.

    Args:
        pairs: n finite numbers (for ranks also infinite ones), n others, and `pearson` or `spearman`.
        n_resamples: number of resamples.
        seed: seed of the draws.
    """
    found: list[list[Floats]] = [[] for _ in pairs]
    for n in {len(left) for left, _, _ in pairs}:
        for counts in _counted(n, n_resamples, seed):
            for own, (left, right, method) in zip(found, pairs, strict=True):
                if len(left) == n:
                    own.append((_spearman if method == "spearman" else _pearson)(left, right, counts))
    return [np.concatenate(own) for own in found]


def _counted(n: int, n_resamples: int, seed: int) -> Iterator[Floats]:
    """Yield the number of times each of n pairs was drawn, one column per resample, in blocks."""
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
    """Return products over the root of both spreads, in [−1, 1]; NaN if a spread is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.clip(products / np.sqrt(left * right), -1.0, 1.0)
    return np.where((left > 0) & (right > 0), found, np.nan)
