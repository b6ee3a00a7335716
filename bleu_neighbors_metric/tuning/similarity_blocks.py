"""Similarities of many candidates to a pool, block by block, and the coverage of several thresholds from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.neighbors import most_neighbors
from metric_commons.support.progress import progress_bar
from metric_commons.support.types import Floats
from metric_commons.support.validation import check_texts

_LEAST = np.array([1e-6])  # similarity of two texts that share anything at all


def similarity_blocks(
    estimator: BLEUNeighbors, texts: Sequence[str] | None = None, description: str = "matching"
) -> Iterator[tuple[slice, Floats]]:
    """Yield candidates in order, as their places and their similarities to the pool, ABSENT to what cannot count.

    Blocks are made on `estimator.n_jobs` threads.

    Args:
        estimator: a fitted estimator; its threshold, a and b play no part.
        texts: the candidates; None for the pool's own texts, each of them ABSENT to itself.
        description: what the progress bar says.

    Raises:
        NotFittedError: before `fit`.
    """
    pool = estimator.pool
    candidates = estimator.texts_ if texts is None else texts
    own = np.arange(len(candidates), dtype=np.int64) if texts is None else None
    with progress_bar(len(candidates), description, estimator.progress) as bar:
        for which, similarity in pool.in_blocks(lambda *block: block, candidates, own, estimator.n_jobs):
            yield which, similarity
            bar.update(len(similarity))


def coverage_by_threshold(estimator: BLEUNeighbors, texts: Sequence[str] | None, thresholds: ArrayLike) -> Floats:
    """Return the share of candidates that each of several thresholds covers (Eq. 3), without their estimates.

    Args:
        estimator: a fitted estimator; its own threshold plays no part.
        texts: n candidates, at least one; None for the pool's own texts, each from the others.
        thresholds: values of τ in [0, 1], ascending, shape (t,).

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
    pool = estimator.pool
    own = np.arange(len(pool), dtype=np.int64) if texts is None else None
    candidates = estimator.texts_ if texts is None else check_texts(texts, "texts", allow_empty=False)
    values = np.asarray(thresholds, dtype=np.float64)
    n_neighbors = pool.count_neighbors(candidates, values, excluded=own, n_jobs=estimator.n_jobs)
    most = int(most_neighbors(estimator.max_fraction, len(pool) - (texts is None)))
    covered = (n_neighbors >= estimator.min_neighbors) & (n_neighbors <= most)
    if estimator.weights == "similarity":  # neighbours that weigh nothing make no mean
        covered &= pool.count_neighbors(candidates, _LEAST, excluded=own, n_jobs=estimator.n_jobs) > 0
    return np.asarray(covered.mean(axis=1), dtype=np.float64)


_N_THRESHOLDS = 61


@dataclass(frozen=True)
class CoverageCurves:
    """What share of some systems' candidates each threshold covers.

    Attributes:
        thresholds: from 0 to well beyond the one in use, which is among them, shape (t,).
        shares: one array of shape (t,) a system.
    """

    thresholds: Floats
    shares: tuple[Floats, ...]

    def rows(self, *marked: float) -> list[tuple[float, list[float]]]:
        """Return a dozen thresholds, and those that are marked, each with every system's share."""
        every = (len(self.thresholds) - 1) // 12
        return [
            (float(threshold), [float(line[i]) for line in self.shares])
            for i, threshold in enumerate(self.thresholds)
            if i % every == 0 or threshold in marked
        ]


def coverage_curves(estimator: BLEUNeighbors, systems: Sequence[Sequence[str]]) -> CoverageCurves:
    """Return the curves of systems, each with at least one candidate."""
    last = min(1.0, max(0.3, 3 * estimator.threshold_))
    thresholds = np.union1d(np.linspace(0.0, last, _N_THRESHOLDS), [estimator.threshold_])
    return CoverageCurves(thresholds, tuple(coverage_by_threshold(estimator, texts, thresholds) for texts in systems))
