"""What a kernel reports of a candidate's neighbours: how many, and their summed quality (Eq. 3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SLACK = 1e-9
"""Rounding decides nothing: a similarity within this relative distance below the threshold counts as reaching it, and
b · |S| counts as the next whole number where it is this close below it."""


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


def most_neighbors(max_fraction: float, pool_size: int) -> int:
    """Return the greatest number of neighbours with which an estimate is defined: b · |S|, rounded down.

    >>> most_neighbors(0.66, 198), most_neighbors(0.29, 100)
    (130, 29)
    """
    return int(np.floor(max_fraction * pool_size + SLACK))


def quality_in_units(quality: NDArray[np.float64]) -> tuple[NDArray[np.int64], float]:
    """Return quality as whole multiples of a small unit, and the unit.

    Whole numbers add up to the same sum in any order, so estimates depend on no block size and no thread count, and
    the addition vectorises. The unit is a power of two, chosen so that no sum overflows: for 20,000 ratings in
    [0, 1] it is 2^-46.

    Returns:
        Shape (n,), int64, and the unit; an empty array where the ratings differ so much in size that the smallest
        would lose more than a billionth of itself. They are then to be summed as they are, in a fixed order.
    """
    sizes = np.abs(quality[quality != 0])
    if len(sizes) == 0:
        return np.zeros(len(quality), dtype=np.int64), 1.0
    _, bits = np.frexp(sizes.max())  # the largest is below 2^bits
    exponent = 62 - int(np.ceil(np.log2(len(quality) + 1))) - int(bits)
    exponent = min(exponent, 1000)  # 2^-exponent must stay a number
    unit = float(np.ldexp(1.0, -exponent))
    if unit > 2 * SLACK * float(sizes.min()):
        return np.empty(0, dtype=np.int64), 0.0
    return np.rint(np.ldexp(quality, exponent)).astype(np.int64), unit
