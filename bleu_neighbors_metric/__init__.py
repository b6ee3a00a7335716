"""BLEU Neighbors: referenceless text quality from a pool of rated texts (Ethayarajh & Sadigh 2020)."""

from .estimates import Neighbor, NeighborEstimates
from .estimator import BLEUNeighbors

__all__ = ["BLEUNeighbors", "Neighbor", "NeighborEstimates"]
