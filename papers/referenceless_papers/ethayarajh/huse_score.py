"""HUSE: quality and diversity of a generator in one figure (Hashimoto, Zhang & Liang 2019).

A sentence is a point: how it is judged, and its log-probability under the model for each of its tokens. HUSE is twice
the error of the best classifier that tells the model's sentences from those of people, estimated by leaving one out
with k nearest neighbours: 1 where they cannot be told apart, 0 where they always can. With the judgement alone the
same gives HUSE-Q, quality; what the log-probability adds is diversity, HUSE-D = 1 + HUSE - HUSE-Q.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metric_commons.support.types import Floats
from metric_commons.support.validation import check_number, check_ratings

LEAST_LOG_PROBABILITY = -1000.0
"""Stands for the log-probability of a text that the model cannot produce, as in the authors' code."""

N_NEIGHBORS = 15


@dataclass(frozen=True)
class HuseScore:
    """HUSE and its parts.

    Attributes:
        huse: twice the error with judgement and log-probability; may exceed 1 by chance.
        huse_q: twice the error with the judgement alone.
        huse_d: 1 + huse - huse_q.
        n_model: how many of the texts are a model's.
        n_human: how many are people's.
    """

    huse: float
    huse_q: float
    huse_d: float
    n_model: int
    n_human: int


def huse_score(
    judgements: ArrayLike,
    log_probabilities: ArrayLike,
    lengths: ArrayLike,
    is_model: ArrayLike,
    *,
    n_neighbors: int = N_NEIGHBORS,
) -> HuseScore:
    """Compute HUSE, HUSE-Q and HUSE-D.

    Both coordinates are divided by their standard deviation. As in the authors' code, everything that is no farther
    than the (k + 1)-th nearest other point has a vote, so that ties in distance need no order, and a tied vote goes
    to people.

    Args:
        judgements: the mean judgement of each text, shape (n,), in any unit.
        log_probabilities: the model's log-probability of each text, summed over its tokens, shape (n,); -inf counts
            as `LEAST_LOG_PROBABILITY`.
        lengths: tokens in each text, shape (n,), at least 1.
        is_model: whether the model wrote it, shape (n,).
        n_neighbors: k.

    Raises:
        TypeError: for values that are not numbers.
        ValueError: for unequal lengths, a judgement that is NaN, a length below 1, no text of either kind, a side that
            does not vary, or no more than k + 1 texts.

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> human, worse = rng.normal(3, 1, 200), rng.normal(-3, 1, 200)
    >>> score = huse_score(np.r_[human, worse], rng.normal(-20, 2, 400), np.full(400, 10), [False] * 200 + [True] * 200)
    >>> score.huse < 0.05, score.huse_q < 0.05
    (True, True)
    """
    ratings = check_ratings(judgements, "judgements")
    n = len(ratings)
    logs = np.asarray(log_probabilities, dtype=np.float64)
    if logs.shape == (n,):
        logs = np.where(logs == -np.inf, LEAST_LOG_PROBABILITY, logs)
    logs = check_ratings(logs, "log_probabilities", length=n)
    tokens = check_ratings(lengths, "lengths", length=n)
    model = np.asarray(is_model)
    if model.shape != (n,) or model.dtype != bool:
        raise ValueError(
            f"Expected argument `is_model` to hold {n} booleans, but got shape {model.shape}, {model.dtype}"
        )
    if (tokens < 1).any():
        raise ValueError(f"Expected argument `lengths` to be at least 1, but got {tokens.min():g}")
    check_number(n_neighbors, "n_neighbors", minimum=1, integer=True)
    if n < n_neighbors + 2:
        raise ValueError(f"HUSE with {n_neighbors} neighbours needs at least {n_neighbors + 2} texts, but got {n}")
    if model.all() or not model.any():
        raise ValueError("HUSE needs texts of the model and of people, but all are of one kind")
    points = np.stack([_scaled(ratings, "judgements"), _scaled(logs / tokens, "log_probabilities")], axis=1)
    both = 2 * leave_one_out_error(points, model, n_neighbors)
    judged = 2 * leave_one_out_error(points[:, :1], model, n_neighbors)
    return HuseScore(both, judged, 1 + both - judged, int(model.sum()), int((~model).sum()))


def leave_one_out_error(points: Floats, labels: NDArray[np.bool_], n_neighbors: int) -> float:
    """Return the share of points that the majority of their neighbours mislabels, each left out in turn.

    Args:
        points: shape (n, d).
        labels: shape (n,); a tied vote counts as False.
        n_neighbors: k; all points as near as the (k + 1)-th nearest other one vote.
    """
    wrong = 0
    for row in range(len(points)):
        distance = ((points - points[row]) ** 2).sum(axis=1)
        distance[row] = np.inf
        voters = distance <= np.partition(distance, n_neighbors)[n_neighbors]
        votes = int(labels[voters].sum())
        wrong += (votes > int(voters.sum()) - votes) != bool(labels[row])
    return wrong / len(points)


def _scaled(values: Floats, name: str) -> Floats:
    if np.ptp(values) == 0:
        raise ValueError(
            f"Expected argument `{name}` to vary, but all values are {values[0]:g}: nothing can be told apart"
        )
    return np.asarray(values / values.std())
