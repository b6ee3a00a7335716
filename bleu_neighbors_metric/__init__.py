"""BLEU Neighbors: referenceless text quality from a pool of rated texts (Ethayarajh & Sadigh 2020)."""

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.neighbors import Neighbor

__all__ = ["BLEUNeighbors", "Neighbor"]
