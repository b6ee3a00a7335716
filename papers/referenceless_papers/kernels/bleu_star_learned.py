"""A learned kernel: n-gram precisions of several orders, weighted by their use for ratings of the pool.

The similarity is k(x, s) = β(x, s) Σ_n w_n P_n(x, s), with the brevity penalty β and the precisions P_n of Eq. 2
(Ethayarajh & Sadigh 2020), w ≥ 0 and Σ w_n = 1. Only w is fitted, one number per n-gram order, on the texts and ratings
of the pool and on nothing else: each pool text's rating is estimated as the mean of all others weighted by k, and w
minimises the mean squared error of those leave-one-out estimates.

The sum being linear in w, the fit needs only two numbers per text and order, Σ β P_n and Σ β P_n q over the other
texts; no matrix of pairs is built. The weights are made for `weights="similarity"`, `threshold=0`, `max_fraction=1`. As
w has seen every rating of the pool, the estimator's own `leave_one_out` is optimistic by these few fitted numbers: for
an honest figure hold texts out of the pool. (HUSE summarisation, 198 headlines, Spearman's ρ: with orders 2 to 4 0.338
so, 0.337 with each text held out of the fit too; with orders 1 to 6 0.337 and 0.305.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bleu_neighbors_metric.kernels.bleu_star import BleuStarPool
from bleu_neighbors_metric.kernels.kernel import KernelInput, Pool
from bleu_neighbors_metric.kernels.neighbors import NeighborRule, Ratings
from referenceless_metrics.core.support.computing import progress_bar
from referenceless_metrics.core.support.validation import Floats, Integers

_PRIOR = 1e-6
"""Weight of the others' plain mean in an estimate, the average sum of similarities being 1: for texts like no other."""

_NEGLIGIBLE = 1e-6  # an order of less weight is not computed


def fit_order_weights(sums: Floats, rating_sums: Floats, ratings: Floats) -> Floats:
    """Return the weights of n-gram orders that minimise the squared error of leave-one-out estimates.

    Args:
        sums: Σ β P_n over all other texts, for each text and order, shape (n, orders).
        rating_sums: the same sums of β P_n q, shape (n, orders).
        ratings: the ratings q, shape (n,).

    Returns:
        The weights, shape (orders,), at least 0, with sum 1; equal ones if nothing can be fitted.
    """
    from scipy.optimize import LinearConstraint, minimize

    n, n_orders = sums.shape
    scale = sums.mean(axis=0)
    spread = float(ratings.std())
    if n < 3 or n_orders == 1 or spread == 0.0 or not scale.any():
        return np.full(n_orders, 1.0 / n_orders)
    used = scale > 0.0
    # Ratings are centred and orders brought to one scale, so that the search is well conditioned in any unit.
    target = (ratings - ratings.mean()) / spread
    mass = sums[:, used] / scale[used]
    pull = (rating_sums[:, used] / scale[used] - ratings.mean() * mass) / spread
    others = (target.sum() - target) / (n - 1)

    def loss(weights: Floats) -> tuple[float, Floats]:
        denominator = mass @ weights + _PRIOR
        estimate = (pull @ weights + _PRIOR * others) / denominator
        error = estimate - target
        gradient = (2.0 / n) * ((error / denominator) @ (pull - estimate[:, None] * mass))
        return float(error @ error / n), gradient

    n_used = int(used.sum())
    found = []
    # The loss is not convex: the search begins at equal weights and near each order alone.
    for start in np.vstack((np.full(n_used, 1.0 / n_used), 0.9 * np.eye(n_used) + 0.1 / n_used)):
        result = minimize(
            loss,
            start,
            jac=True,
            method="SLSQP",
            bounds=[(0.0, 1.0)] * n_used,
            constraints=[LinearConstraint(np.ones(n_used), 1.0, 1.0)],
            options={"maxiter": 300, "ftol": 1e-12},
        )
        at = np.clip(result.x, 0.0, None)
        at = at / at.sum()
        found.append((loss(at)[0], at))
    best = min(found, key=lambda pair: pair[0])[1]
    weights = np.zeros(n_orders)
    weights[used] = best / scale[used]
    return np.asarray(weights / weights.sum(), dtype=np.float64)


class LearnedPool(Pool):
    """A pool matched by weighted n-gram precisions.

    Args:
        data: the pool, its quality, how texts are read (`ngram_orders` are those that are weighted), and threads.

    Attributes:
        weights_: one for each n-gram order, ascending, at least 0, with sum 1.
    """

    def __init__(self, data: KernelInput) -> None:
        super().__init__(len(data.texts))
        options = data.options
        self.weights_ = np.full(len(options.ngram_orders), 1.0 / len(options.ngram_orders))
        self._pools = [
            BleuStarPool(data.texts, replace(options, ngram_orders=(order,))) for order in options.ngram_orders
        ]
        n = len(data.texts)
        sums, rating_sums = np.zeros((2, n, len(self._pools)))
        everyone = np.arange(n, dtype=np.int64)
        ratings = Ratings.of(np.asarray(data.ratings, dtype=np.float64))
        all_others = NeighborRule(0.0, "similarity")
        with progress_bar(n * len(self._pools), "fitting weights", data.progress) as bar:
            for which, pool in enumerate(self._pools):
                for batch, tally in pool.tally(data.texts, ratings, all_others, excluded=everyone, n_jobs=data.n_jobs):
                    weights = np.asarray(tally.weight)
                    sums[batch, which] = weights
                    rating_sums[batch, which] = np.asarray(tally.rating_sums)
                    bar.update(len(weights))
        self.weights_ = fit_order_weights(sums, rating_sums, ratings.values)

    def compare(self, candidates: Sequence[str]) -> tuple[Floats, Integers]:
        """Return the weighted precisions of each candidate and each pool text, and the candidates' lengths."""
        total = np.zeros((len(candidates), len(self)))
        for weight, pool in zip(self.weights_, self._pools, strict=True):
            if weight > _NEGLIGIBLE:
                similarity, n_tokens = pool.compare(candidates)
                total += weight * similarity
        return total, n_tokens


def learned_pool(data: KernelInput) -> LearnedPool:
    """Prepare a pool, and fit the weights on it."""
    return LearnedPool(data)
