"""Estimates from parts of a pool, such as all but a group, or parts of a size that are drawn at random.

The neighbours of all texts are found once. A part is then a column of zeros and ones, and the counts and sums of all
parts are matrix products.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bleu_neighbors_metric.kernels.kernel import KERNELS
from bleu_neighbors_metric.kernels.neighbors import Ratings, estimates, most_neighbors, tally_parts
from bleu_neighbors_metric.tuning.similarity_blocks import similarity_blocks
from referenceless_metrics.assessment.assessment import PartEstimates
from referenceless_metrics.assessment.learning_curve import LearningCurve, learning_curve
from referenceless_metrics.core.support.validation import Floats

if TYPE_CHECKING:
    from bleu_neighbors_metric.estimator import BLEUNeighbors


def part_estimates(estimator: BLEUNeighbors) -> PartEstimates:
    """Return a function that estimates a pool's texts from parts of it, with the threshold of the whole pool.

    A kernel that learns from ratings is fitted to each part.

    Args:
        estimator: a fitted estimator; all its parameters are used.
    """

    def from_parts(members: Floats) -> Floats:
        if members.all():
            return np.repeat(estimator.leave_one_out().values[:, None], members.shape[1], axis=1)
        if not KERNELS[estimator.parameters_["kernel"]].learns:
            return estimates_in_parts(estimator, members)
        return np.stack([_refitted(estimator, part > 0) for part in members.T], axis=1)

    return from_parts


def pool_learning_curve(
    estimator: BLEUNeighbors, sizes: Sequence[int] | None = None, *, n_draws: int = 20
) -> LearningCurve:
    """Measure pools of several sizes that are drawn from a fitted estimator's pool (see `learning_curve`).

    Raises:
        NotFittedError: before `fit`.
    """
    estimator.check_fitted()
    fewest = 2 * estimator.rule_.min_neighbors
    return learning_curve(part_estimates(estimator), estimator.ratings_, sizes, fewest=fewest, n_draws=n_draws)


def _refitted(estimator: BLEUNeighbors, part: Any) -> Floats:
    texts = np.array(estimator.texts_, dtype=object)
    values = np.full(len(part), np.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a part too small for any estimate: its estimates are NaN
        parameters = {**estimator.parameters_, "n_jobs": estimator.n_jobs, "progress": False}
        other = type(estimator)(**parameters).fit(texts[part].tolist(), estimator.ratings_[part])
    values[part] = other.leave_one_out().values
    values[~part] = other.predict(texts[~part].tolist()).values
    return values


def estimates_in_parts(estimator: BLEUNeighbors, members: Floats, texts: Sequence[str] | None = None) -> Floats:
    """Return the estimates of each text from several parts of the pool, NaN for abstentions.

    Args:
        estimator: a fitted estimator; b is a share of the part, not of the pool.
        members: one column per part, 1 if a pool text belongs to it and 0 if not, shape (n, d).
        texts: c candidates; None for the pool's own texts, each one left out for itself.

    Returns:
        Estimates, shape (c, d).

    Raises:
        NotFittedError: before `fit`.
    """
    estimator.check_fitted()
    rule = estimator.rule_
    left_out = members if texts is None else np.zeros((len(texts), 1))
    most = most_neighbors(rule.max_fraction, members.sum(axis=0) - left_out)
    out = np.full(most.shape, np.nan)
    tally_of = tally_parts(members, Ratings.of(estimator.ratings_), rule)
    for which, similarity in similarity_blocks(estimator, texts, "drawing"):
        tally = tally_of(similarity)
        out[which] = estimates(tally.mean(), tally.n_neighbors, rule.min_neighbors, most[which])
    return out
