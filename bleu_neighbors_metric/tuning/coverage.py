"""How coverage depends on the threshold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.neighbors import covered_thresholds, most_neighbors
from bleu_neighbors_metric.tuning.similarity_blocks import similarity_blocks
from metric_commons.support.validation import check_texts


def coverage_by_threshold(estimator: BLEUNeighbors, texts: Sequence[str], thresholds: ArrayLike) -> NDArray[np.float64]:
    """Return the share of candidates that each of several thresholds covers (Eq. 3), from one pass over the pool.

    Args:
        estimator: a fitted estimator; its own threshold plays no part.
        texts: n candidates, at least one.
        thresholds: values of τ in [0, 1], shape (t,).

    Returns:
        Coverage, shape (t,), float64.

    Raises:
        NotFittedError: before `fit`.
        TypeError: for a bare string or an item that is not a string.
        ValueError: for no texts.

    Example:
        >>> pool = ["the cat sat on the mat", "the cat sat on a mat", "cat the on mat sat sat", "mat mat mat"]
        >>> metric = BLEUNeighbors(min_neighbors=1).fit(pool, [0.9, 0.8, 0.2, 0.0])
        >>> coverage_by_threshold(metric, ["a cat sat on the mat", "colourless green ideas"], [0.7, 0.9]).tolist()
        [0.5, 0.0]
    """
    checked = check_texts(texts, "texts", allow_empty=False)
    values = np.asarray(thresholds, dtype=np.float64)
    most = int(most_neighbors(estimator.max_fraction, len(estimator.pool)))
    n_covered = np.zeros(len(values), dtype=np.int64)
    for block in similarity_blocks(estimator, checked, "coverage"):
        covered = covered_thresholds(block.similarity, values, estimator.weights, estimator.min_neighbors, most)
        n_covered += covered.sum(axis=1)
    return n_covered / len(checked)
