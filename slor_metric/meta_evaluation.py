"""How the paper judges metrics by human ratings: Pearson's r, MSE after the best linear map, Fisher's z."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metric_commons.validation import check_number, check_quality


def _pair(scores: ArrayLike, ratings: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    values = check_quality(scores, "scores")
    return values, check_quality(ratings, "ratings", length=len(values))


def pearson(scores: ArrayLike, ratings: ArrayLike) -> float:
    """Pearson's correlation; NaN where either does not vary.

    >>> pearson([1, 2, 3], [1, 2, 4]).__round__(3)
    0.982
    """
    from scipy.stats import pearsonr

    x, y = _pair(scores, ratings)
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return math.nan
    return float(pearsonr(x, y).statistic)


def linear_map_mse(scores: ArrayLike, ratings: ArrayLike) -> float:
    """Mean squared error after the best linear map from scores to ratings (Kann et al. 2018, Eq. 6).

    The paper's scores and ratings live on different scales, so it measures min over a, b of
    mean((a · score + b − rating)²), which is var(rating) · (1 − r²).

    Args:
        scores: shape (n,).
        ratings: shape (n,).

    Returns:
        In squared units of the ratings; their variance where the scores do not vary.

    >>> linear_map_mse([0.1, 0.2, 0.3], [1, 2, 3]).__round__(12)
    0.0
    """
    x, y = _pair(scores, ratings)
    r = pearson(x, y)
    return float(y.var()) * (1.0 - (0.0 if math.isnan(r) else r) ** 2)


def fisher_z_test(higher: float, lower: float, n_higher: int, n_lower: int) -> float:
    """One-tailed p-value of the hypothesis that one correlation is not larger than another (Fisher 1921).

    Fisher's transformation makes atanh(r) about normal with variance 1 / (n − 3). The two correlations are taken
    as independent, as in the paper; correlations of two metrics with the same ratings are not, which makes the test
    conservative.

    Args:
        higher: the correlation that is claimed to be larger.
        lower: the other one.
        n_higher: how many texts the first is over, at least 4.
        n_lower: how many texts the second is over, at least 4.

    Returns:
        p in [0, 1]; NaN where a correlation is NaN.

    >>> round(fisher_z_test(0.5, 0.3, 103, 103), 4)
    0.045
    """
    from scipy.stats import norm

    for name, value in (("higher", higher), ("lower", lower)):
        if not math.isnan(value):
            check_number(value, name, minimum=-1.0, maximum=1.0)
    check_number(n_higher, "n_higher", minimum=4, integer=True)
    check_number(n_lower, "n_lower", minimum=4, integer=True)
    if math.isnan(higher) or math.isnan(lower):
        return math.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        difference = float(np.arctanh(higher) - np.arctanh(lower))
    if math.isnan(difference):  # both 1 or both −1
        difference = 0.0
    z = difference / math.sqrt(1.0 / (n_higher - 3) + 1.0 / (n_lower - 3))
    return float(norm.sf(z))


def fisher_interval(r: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """Confidence interval of a correlation by Fisher's transformation; NaN where it is undefined.

    >>> tuple(round(bound, 3) for bound in fisher_interval(0.5, 103))
    (0.339, 0.632)
    """
    from scipy.stats import norm

    check_number(level, "level", minimum=0.0, maximum=1.0)
    if math.isnan(r) or n < 4 or abs(r) >= 1.0:
        return (math.nan, math.nan)
    half = float(norm.ppf(0.5 + level / 2)) / math.sqrt(n - 3)
    centre = math.atanh(r)
    return math.tanh(centre - half), math.tanh(centre + half)
