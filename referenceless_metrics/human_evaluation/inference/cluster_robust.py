"""The variance of a weighted mean of values that vary together within clusters, of which there may be few.

Bell & McCaffrey (2002), "Bias reduction in standard errors for linear regression with multi-stage samples", Survey
Methodology 28(2): each cluster's squared residual is divided by the share of its variance that is left in the residuals
(CR2), and the degrees of freedom are Satterthwaite's; both as for independent values of equal variance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referenceless_metrics.core.support.validation import Floats, Integers


def cluster_robust_variance(
    values: Floats, weights: Floats, clusters: Integers, systems: Integers | None = None
) -> tuple[float, float]:
    """Return the variance of weights @ values, and its degrees of freedom, at least 1.

    Args:
        values: shape (n,).
        weights: shape (n,), of sum 1; of sum 1 and −1 in two systems.
        clusters: the cluster of each value, shape (n,): whole numbers from 0 up, none left out, at least two in each
            system. A cluster may hold values of both systems.
        systems: 0 or 1 each, shape (n,); None for one system.

    >>> variance, freedom = cluster_robust_variance(np.array([1.0, 2.0, 4.0]), np.full(3, 1 / 3), np.arange(3))
    >>> round(float(np.sqrt(variance)), 4), round(freedom, 4)  # the standard error of a mean, and n − 1
    (0.8819, 2.0)
    """
    members = [np.ones(len(values), dtype=bool)] if systems is None else [systems == 0, systems == 1]
    m = int(clusters.max()) + 1
    means = [_Mean.of(values[of], np.abs(weights[of]), clusters[of], m) for of in members]
    # The second system's mean is taken off.
    residuals = means[0].residuals if len(means) == 1 else means[0].residuals - means[1].residuals
    squares: Floats = np.sum([mean.squares for mean in means], axis=0)
    kept: Floats = np.sum([mean.kept for mean in means], axis=0)
    factors = np.divide(squares, kept, out=np.ones_like(kept), where=kept > 0)
    # Satterthwaite: the squared covariances of the residuals of all pairs of clusters.
    spread = _squared_covariances(means, factors)
    return float(factors @ residuals**2), max(float(factors @ kept) ** 2 / spread, 1.0)


@dataclass(frozen=True)
class _Mean:
    """A weighted mean, by cluster, as if single values were independent and had variance 1.

    Attributes:
        residuals: the clusters' weighted sums of residuals, shape (m,).
        shares: s_g, of the clusters in the weights, shape (m,).
        squares: q_g, the clusters' sums of squared weights, shape (m,).
    """

    residuals: Floats
    shares: Floats
    squares: Floats

    @classmethod
    def of(cls, values: Floats, weights: Floats, clusters: Integers, m: int) -> _Mean:
        """Return the weighted mean of values in m clusters."""
        residuals = weights * (values - weights @ values)
        return cls(*(np.bincount(clusters, each, m).astype(float) for each in (residuals, weights, weights**2)))

    @property
    def kept(self) -> Floats:
        """The variance of each cluster's residual, q_g (1 − 2 s_g) + s_g² q, shape (m,); q is the sum of q_g."""
        kept: Floats = self.squares * (1 - 2 * self.shares) + self.shares**2 * self.squares.sum()
        return kept

    @property
    def with_itself(self) -> Floats:
        """2 s_g q_g − s_g² q, shape (m,): the result of the formula of two clusters' covariance for one with itself."""
        itself: Floats = 2 * self.shares * self.squares - self.shares**2 * self.squares.sum()
        return itself


def _squared_covariances(means: Sequence[_Mean], factors: Floats) -> float:
    """Return the sum over pairs of clusters g and h of f_g f_h c_gh², c being the covariance of their residuals.

    Of one mean c_gh is −(s_h q_g + s_g q_h − s_g s_h q) for two clusters, and `kept` for one; of two means it is the
    sum, since their values are independent. All sums over pairs are products of sums over clusters.
    """
    total = 0.0
    for one in means:
        for other in means:
            q, r = one.squares.sum(), other.squares.sum()
            of_shares = factors @ (one.shares * other.shares)
            of_squares = factors @ (one.squares * other.squares)
            mixed = factors @ (one.shares * other.squares)
            mixed_back = factors @ (one.squares * other.shares)
            total += 2 * (of_squares * of_shares + mixed * mixed_back) + q * r * of_shares**2
            total -= 2 * r * of_shares * mixed_back + 2 * q * of_shares * mixed
    kept = np.sum([mean.kept for mean in means], axis=0)
    itself = np.sum([mean.with_itself for mean in means], axis=0)
    return float(total + (factors**2 * (kept**2 - itself**2)).sum())
