"""What Eq. 3 of Ethayarajh & Sadigh (2020) says of n texts, with the reasons where it says nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.kernels.base import Pool
from bleu_neighbors_metric.kernels.neighbors import NeighborRule, estimates, leave_absent
from metric_commons.results import EMPTY, TOO_FEW, TOO_MANY, MetricResult, reasons_for


@dataclass(frozen=True)
class Neighbor:
    """One rated text beside a candidate.

    Attributes:
        text: the rated text.
        similarity: how similar the candidate is to it, in [0, 1].
        quality: its rating.
        counts: whether it is similar enough to count (similarity at or above the threshold).
    """

    text: str
    similarity: float
    quality: float
    counts: bool


def estimated(
    mean: NDArray[np.float64],
    n_neighbors: NDArray[np.int64],
    empty: NDArray[np.bool_],
    min_neighbors: int,
    most: int,
    signature: str,
) -> MetricResult:
    """Return the estimates of n texts.

    Args:
        mean: their neighbours' mean rating, NaN where there are none, shape (n,).
        n_neighbors: |N|, shape (n,).
        empty: which texts are empty, shape (n,).
        min_neighbors: a, the fewest neighbours with which an estimate is defined.
        most: b · |S|, the most.
        signature: what determines the estimates.
    """
    values = estimates(mean, n_neighbors, min_neighbors, most)
    masks = {
        EMPTY: empty,
        TOO_MANY: (n_neighbors > most) & (n_neighbors >= min_neighbors),
        TOO_FEW: np.isnan(values),
    }
    columns, details = {"n_neighbors": n_neighbors}, {"fewest": min_neighbors, "most": most}
    return MetricResult(values, reasons_for(len(values), masks), signature, columns, details)


def nearest_neighbors(
    pool: Pool, rule: NeighborRule, texts: Sequence[str], quality: NDArray[np.float64], text: str, k: int
) -> list[Neighbor]:
    """Return the k texts of a pool that are most similar to one text, the most similar first."""
    matrix, n_tokens = pool.compare([text])
    similarity = matrix[0]
    nearest = np.argsort(-similarity, kind="stable")[:k]
    counts = leave_absent(matrix.copy(), n_tokens)[0] >= rule.least
    return [Neighbor(texts[i], float(similarity[i]), float(quality[i]), bool(counts[i])) for i in nearest]
