"""What Eq. 3 of Ethayarajh & Sadigh (2020) says of n texts, with the reasons where it says nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.kernels.neighbors import estimates
from metric_commons.results import EMPTY, TOO_FEW, TOO_MANY, MetricResult, reasons_for


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
