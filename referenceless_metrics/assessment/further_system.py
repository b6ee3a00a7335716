"""The rank correlation to expect on the outputs of a further system: systems differ, and that is part of the error.

Each rated system, left out whole, gives a correlation z_s = atanh ρ_s with variance 1.06 / (n_s − 3). Systems vary
around their mean with a variance τ², by moments (DerSimonian & Laird 1986, "Meta-analysis in clinical trials",
Controlled Clinical Trials 7(3)); the interval of a further system's (Higgins, Thompson & Spiegelhalter 2009, "A
re-evaluation of random-effects meta-analysis", JRSS A 172(1)) adds τ² to the variance of the mean. A few systems tell
little of τ², so that it is averaged with a usual value, as if further systems had told it.
"""

from __future__ import annotations

import math

import numpy as np

from referenceless_metrics.assessment.meta_evaluation import VARIANCE, Correlation, rank_correlation
from referenceless_metrics.core.support.validation import Floats, Integers

_FEWEST_TEXTS = 10
"""Fewest texts of a system whose correlation counts."""

_USUAL_SPREAD = 0.18
"""Standard deviation of z between systems that is taken to be usual: the greatest of six sets of ratings, by moments.

It is .12 and .18 in WebNLG 2020's fluency and correctness, .13 and .03 in E2E's quality and naturalness, .09 in
Simplicity-DA and 0 in USR. A set of a further user may lie above their mean as well as below it.
"""

_USUAL_SYSTEMS = 2.0
"""Number of systems that the usual spread stands for."""

_ALMOST_ONE = 0.999

HELD = "93 to 100%"
"""Share of simulated further systems whose measured ρ lay in the interval, least and most over six sets of ratings.

Measured by `referenceless reproduce study-designs --part further-systems` with three and five rated systems.
"""


def further_system(estimates: Floats, ratings: Floats, systems: Integers) -> Correlation:
    """Return the rank correlation to expect within a further system, with a 95 % interval.

    Args:
        estimates: estimates of n texts, each from the ratings of other systems alone, shape (n,).
        ratings: shape (n,).
        systems: the number of each text's system, shape (n,).
    """
    from scipy.special import stdtrit

    transformed, variances = [], []
    for system in np.unique(systems):
        own = systems == system
        n = int(own.sum())
        r = rank_correlation(estimates[own], ratings[own]) if n >= _FEWEST_TEXTS else math.nan
        if not math.isnan(r):
            transformed.append(math.atanh(min(max(r, -_ALMOST_ONE), _ALMOST_ONE)))
            variances.append(VARIANCE["spearman"] / (n - 3))
    if not transformed:
        return Correlation(math.nan, math.nan, math.nan, len(ratings))
    z, variance = np.array(transformed), np.array(variances)
    between = _between_systems(z, variance)
    weights = 1 / (variance + between)
    mean = float(weights @ z / weights.sum())
    reach = float(stdtrit(len(z) - 1 + _USUAL_SYSTEMS, 0.975)) * math.sqrt(between + 1 / float(weights.sum()))
    return Correlation(math.tanh(mean), math.tanh(mean - reach), math.tanh(mean + reach), len(ratings))


def _between_systems(z: Floats, variance: Floats) -> float:
    """Return τ², averaged with the usual one.

    Args:
        z: transformed correlations, shape (systems,).
        variance: variance of each by itself, shape (systems,).
    """
    freedom = len(z) - 1
    weights = 1 / variance
    around = float(weights @ (z - weights @ z / weights.sum()) ** 2)
    scale = float(weights.sum() - (weights**2).sum() / weights.sum())
    moments = max(0.0, (around - freedom) / scale) if freedom else 0.0
    return (freedom * moments + _USUAL_SYSTEMS * _USUAL_SPREAD**2) / (freedom + _USUAL_SYSTEMS)
