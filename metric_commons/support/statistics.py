"""Ranks without `scipy.stats`, which takes longer to import than most scores take."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from metric_commons.support.validation import Floats


def ranks(values: ArrayLike) -> Floats:
    """Return the ranks of values, from 1, ties by their mean rank, shape (n,).

    >>> ranks([3.0, 1.0, 3.0]).tolist()
    [2.5, 1.0, 2.5]
    """
    _, place, counts = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    mean_ranks: Floats = np.cumsum(counts) - (counts - 1) / 2.0
    return mean_ranks[place]
