"""The variance of a weighted mean of values that vary together within clusters, of which there may be few.

Bell & McCaffrey (2002), "Bias reduction in standard errors for linear regression with multi-stage samples", Survey
Methodology 28(2): each cluster's squared residual is divided by what it keeps of its variance in the residuals (CR2),
and the degrees of freedom are Satterthwaite's; both as for independent values of equal variance.
"""

from __future__ import annotations

import numpy as np

from referenceless_metrics.core.support.validation import Floats, Integers


def cluster_robust_variance(values: Floats, weights: Floats, clusters: Integers) -> tuple[float, float]:
    """Return the variance of weights @ values, and its degrees of freedom, at least 1.

    Args:
        values: shape (n,).
        weights: shape (n,), of sum 1.
        clusters: the cluster of each value, shape (n,): whole numbers from 0 up, none left out, at least two.

    >>> variance, freedom = cluster_robust_variance(np.array([1.0, 2.0, 4.0]), np.full(3, 1 / 3), np.arange(3))
    >>> round(float(np.sqrt(variance)), 4), round(freedom, 4)  # the standard error of a mean, and n − 1
    (0.8819, 2.0)
    """
    residuals = np.bincount(clusters, weights * (values - weights @ values))
    shares = np.bincount(clusters, weights)
    squares = np.bincount(clusters, weights**2)
    every = squares.sum()
    # The variance of each cluster's residual where single values have variance 1.
    kept = squares * (1 - 2 * shares) + shares**2 * every
    factors = np.divide(squares, kept, out=np.ones_like(kept), where=kept > 0)
    variance = float(factors @ residuals**2)
    # The covariance of the residuals of clusters g and h is −(s_h q_g + s_g q_h − s_g s_h q), with s the shares and q
    # the squares; its squares are summed over all pairs, and those of a cluster with itself put right.
    of_shares = factors @ shares**2
    mixed = factors @ (shares * squares)
    of_pairs = 2 * (factors @ squares**2) * of_shares + (every * of_shares) ** 2 + 2 * mixed**2
    of_pairs -= 4 * every * mixed * of_shares
    with_itself = 2 * shares * squares - shares**2 * every
    of_pairs += float((factors**2 * (kept**2 - with_itself**2)).sum())
    return variance, max(float(factors @ kept) ** 2 / float(of_pairs), 1.0)
