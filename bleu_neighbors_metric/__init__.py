"""BLEU Neighbors: referenceless text quality from a pool of rated texts (Ethayarajh & Sadigh 2020)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referenceless_metrics.core.support.installation import lazy_names

if TYPE_CHECKING:
    from bleu_neighbors_metric.estimator import BLEUNeighbors
    from bleu_neighbors_metric.kernels.neighbors import Neighbor

__all__ = ["BLEUNeighbors", "Neighbor"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "BLEUNeighbors": "bleu_neighbors_metric.estimator:BLEUNeighbors",
        "Neighbor": "bleu_neighbors_metric.kernels.neighbors:Neighbor",
    },
)
