"""What a kernel reports of a candidate's neighbours: how many, and their summed quality (Eq. 3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class NeighborRule:
    """Who is a neighbour, and how much it counts.

    Attributes:
        threshold: τ; a pool text at least this similar is a neighbour.
        weights: `uniform` (Eq. 3), or `similarity`: a neighbour counts by its similarity.
    """

    threshold: float
    weights: str = "uniform"


@dataclass(frozen=True)
class NeighborTally:
    """The neighbours of c candidates in sum.

    Attributes:
        n_neighbors: |N|, shape (c,), int64.
        weight: the summed weights of the neighbours, shape (c,), float64; |N| for uniform weights.
        weighted_quality: the weighted sum of their quality, shape (c,), float64.
    """

    n_neighbors: NDArray[np.int64]
    weight: NDArray[np.float64]
    weighted_quality: NDArray[np.float64]


def quality_in_units(quality: NDArray[np.float64]) -> tuple[NDArray[np.int64], float]:
    """Return quality as whole multiples of a small unit, and the unit.

    Whole numbers add up to the same sum in any order, so estimates depend on no block size and no thread count, and
    the addition vectorises. The unit is a power of two, chosen so that no sum overflows: for 20,000 ratings in
    [0, 1] it is 2^-46, a relative error of 1e-14.
    """
    largest = float(np.max(np.abs(quality), initial=0.0))
    if largest == 0.0:
        return np.zeros(len(quality), dtype=np.int64), 1.0
    exponent = 61 - int(np.ceil(np.log2(len(quality) + 1))) - (int(np.floor(np.log2(largest))) + 1)
    exponent = min(exponent, 1000)  # ratings below 1e-280 are rounded; 2^-exponent must stay a number
    return np.rint(np.ldexp(quality, exponent)).astype(np.int64), float(np.ldexp(1.0, -exponent))
