"""How the paper judges metrics by human ratings: Pearson's r, MSE after the best linear map, Fisher's z."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metric_commons.assessment.meta_evaluation import fisher_interval
from metric_commons.support.validation import check_quality
from referenceless_papers.statistics import fisher_z_test, linear_map_mse

__all__ = ["fisher_interval", "fisher_z_test", "linear_map_mse", "pearson"]


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
