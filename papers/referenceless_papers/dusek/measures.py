"""Agreement of estimates with ratings, as the paper measures it, and summaries of many networks' estimates."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from referenceless_metrics.assessment.meta_evaluation import pearson, rank_correlation
from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_papers.statistics import mean_absolute_error, root_mean_squared_error, williams_test

Values = Floats


class Measures(NamedTuple):
    """Agreement of estimates with ratings; correlations are NaN if one side does not vary."""

    pearson: float
    spearman: float
    mae: float
    rmse: float


def pairs_of_ratings(keys: Sequence[Hashable], ratings: Values) -> Floats:
    """Return each two ratings of identical items, the earlier first, shape (2, number of pairs).

    >>> pairs_of_ratings("abba", np.array([1.0, 2.0, 3.0, 4.0])).tolist()
    [[1.0, 2.0], [4.0, 3.0]]
    """
    rows: dict[Hashable, list[float]] = {}
    for key, rating in zip(keys, ratings.tolist(), strict=True):
        rows.setdefault(key, []).append(rating)
    return np.array([pair for same in rows.values() for pair in combinations(same, 2)]).reshape(-1, 2).T


def measures(estimates: Values, ratings: Values) -> Measures:
    """Return Pearson's r, Spearman's ρ, mean absolute error and root mean squared error.

    >>> [round(value, 3) for value in measures(np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 4.0]))]
    [0.929, 1.0, 0.333, 0.577]
    """
    return Measures(
        pearson(estimates, ratings),
        rank_correlation(estimates, ratings),
        mean_absolute_error(estimates, ratings),
        root_mean_squared_error(estimates, ratings),
    )


def measures_of_draws(estimates: Values, ratings: Values) -> Values:
    """Return the measures of many draws at once.

    Args:
        estimates: shape (draws, n).
        ratings: shape (draws, n).

    Returns:
        Shape (draws, 4), in the order of `Measures`.
    """
    from scipy.stats import rankdata

    def correlate(left: Values, right: Values) -> Values:
        left, right = (each - each.mean(axis=1, keepdims=True) for each in (left, right))
        scale = np.sqrt((left**2).sum(axis=1) * (right**2).sum(axis=1))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray((left * right).sum(axis=1) / scale, dtype=np.float64)

    errors = estimates - ratings
    return np.stack(
        (
            correlate(estimates, ratings),
            correlate(rankdata(estimates, axis=1), rankdata(ratings, axis=1)),
            np.abs(errors).mean(axis=1),
            np.sqrt((errors**2).mean(axis=1)),
        ),
        axis=1,
    )


def ranks(values: Values) -> Values:
    """Return ranks, ties sharing their mean."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(values), dtype=np.float64)


def rounded(values: Values) -> Values:
    """Return estimates clipped to 1 to 6 and rounded to the nearest half, as the published figures are taken.

    >>> rounded(np.array([0.2, 3.3, 7.0])).tolist()
    [1.0, 3.5, 6.0]
    """
    return np.asarray(np.round(np.clip(values, 1.0, 6.0) * 2) / 2, dtype=np.float64)


def levels(scores: Values, *, scale: bool = False) -> Values:
    """Map a metric's scores to ratings from 1 to 6 in steps of a half, as published: 1 + 0.5 · ⌊x / 0.1⌋ (Section 4).

    Args:
        scores: scores from 0 to 1, shape (n,).
        scale: whether to map the smallest to 0 and the largest to 1 first, as for CIDEr.

    >>> levels(np.array([0.0, 0.25, 1.0])).tolist()
    [1.0, 2.0, 6.0]
    """
    scaled = (scores - scores.min()) / np.ptp(scores) if scale else scores
    return np.asarray(1 + 0.5 * np.floor(scaled / 0.1), dtype=np.float64)


def summary(estimates: Sequence[tuple[Integers, Values]], ratings: Values) -> dict[str, Any]:
    """Summarise estimates of several test sets, each with several seeds.

    Args:
        estimates: rows, shape (n,), and their estimates, shape (seeds, n), one pair per test set.
        ratings: ratings of all rows.

    Returns:
        For `rounded` and `raw` (clipped): `pooled` over test sets and seeds as published, the mean `by_fold`, and
        `by_seed`, pooled over test sets alone.
    """
    out: dict[str, Any] = {}
    seeds = len(estimates[0][1])
    for name, treat in (("rounded", rounded), ("raw", lambda values: np.clip(values, 1.0, 6.0))):
        cells = [[treat(values[seed]) for rows, values in estimates] for seed in range(seeds)]
        truth = [ratings[rows] for rows, _ in estimates]
        joined = np.concatenate(truth)
        pooled = measures(np.concatenate([value for each in cells for value in each]), np.tile(joined, seeds))
        by_fold = [measures(value, true) for each in cells for value, true in zip(each, truth, strict=True)]
        by_seed = [measures(np.concatenate(each), joined) for each in cells]
        out[name] = {
            "pooled": _plain(pooled),
            "by_fold": _plain(Measures(*map(_defined_mean, zip(*by_fold, strict=True)))),
            "by_seed": [_plain(each) for each in by_seed],
        }
    return out


def williams_tables(estimates: Mapping[str, Values], ratings: Values) -> dict[str, dict[str, dict[str, float]]]:
    """Test every pair of systems on the same rows, one-tailed: that the first correlates more than the second.

    Args:
        estimates: one estimate per row by system, shape (n,).
        ratings: shape (n,).

    Returns:
        p by correlation, first system and second system.
    """
    out: dict[str, dict[str, dict[str, float]]] = {}
    for method in ("pearson", "spearman"):
        values = {name: ranks(each) if method == "spearman" else each for name, each in estimates.items()}
        truth = ranks(ratings) if method == "spearman" else ratings
        with_truth = {name: pearson(each, truth) for name, each in values.items()}
        out[method] = {
            first: {
                second: williams_test(
                    with_truth[first], with_truth[second], pearson(left, right), len(truth), alternative="greater"
                ).p_value
                for second, right in values.items()
                if second != first
            }
            for first, left in values.items()
        }
    return out


def _defined_mean(values: Sequence[float]) -> float:
    defined = [value for value in values if not np.isnan(value)]
    return float(np.mean(defined)) if defined else float("nan")


def _plain(values: Measures) -> dict[str, float]:
    return {name: round(float(value), 5) for name, value in values._asdict().items()}
