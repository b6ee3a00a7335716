"""What BLEU Neighbors reports of candidates: quality with its coverage, and the neighbours behind one estimate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class NeighborEstimates:
    """Estimated quality of n candidates (Ethayarajh & Sadigh 2020, Eq. 3).

    Attributes:
        quality: q̂, shape (n,), float64, in the unit of the pool's ratings; NaN where undefined.
        n_neighbors: |N|, shape (n,), int64.
        fewest: the least number of neighbours with which an estimate is defined (the paper's a).
        most: the greatest (the paper's b · |S|, rounded down).
    """

    quality: NDArray[np.float64]
    n_neighbors: NDArray[np.int64]
    fewest: int
    most: int

    def __len__(self) -> int:
        return len(self.quality)

    @property
    def covered(self) -> NDArray[np.bool_]:
        """Where an estimate is defined, shape (n,)."""
        return ~np.isnan(self.quality)

    @property
    def coverage(self) -> float:
        """The share of candidates with an estimate, in [0, 1]; NaN for no candidates."""
        return float(self.covered.mean()) if len(self) else float("nan")

    @property
    def mean_quality(self) -> float:
        """The mean over the covered candidates; NaN where there are none. Report it with `coverage`."""
        return float(self.quality[self.covered].mean()) if self.covered.any() else float("nan")

    @property
    def n_too_few(self) -> int:
        """How many candidates are uncovered for too few neighbours (or none that weighs anything)."""
        return len(self) - int(self.covered.sum()) - self.n_too_many

    @property
    def n_too_many(self) -> int:
        """How many candidates are uncovered for so many neighbours that they tell nothing."""
        return int((~self.covered & (self.n_neighbors > self.most) & (self.n_neighbors >= self.fewest)).sum())


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
