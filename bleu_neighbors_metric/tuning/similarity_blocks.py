"""Similarities of many candidates to a pool, block by block, and the coverage of several thresholds from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.neighbors import covered_thresholds, leave_absent, most_neighbors
from metric_commons.support.parallel import in_batches
from metric_commons.support.progress import progress_bar
from metric_commons.support.validation import check_texts

_CELLS = 1 << 22  # similarities that are held at once, for each thread


class SimilarityBlock(NamedTuple):
    """Some candidates and the whole pool.

    Attributes:
        which: the candidates' places.
        similarity: of each and each pool text, shape (c, n); ABSENT where a pool text cannot be a neighbour.
        n_tokens: tokens of each, shape (c,).
    """

    which: slice
    similarity: NDArray[np.float64]
    n_tokens: NDArray[np.int64]


def leave_one_out_blocks(estimator: BLEUNeighbors, description: str = "matching") -> Iterator[SimilarityBlock]:
    """Yield the pool's own texts, each of them ABSENT to itself.

    Args:
        estimator: a fitted estimator; its threshold, a and b play no part.
        description: what the progress bar says.

    Raises:
        NotFittedError: before `fit`.
    """
    _ = estimator.pool  # which is not there before `fit`
    return _blocks(estimator, estimator.texts_, description, leave_out=True)


def similarity_blocks(
    estimator: BLEUNeighbors, texts: Sequence[str], description: str = "matching"
) -> Iterator[SimilarityBlock]:
    """Yield candidates in order; blocks are made on `estimator.n_jobs` threads.

    Raises:
        NotFittedError: before `fit`.
    """
    return _blocks(estimator, texts, description, leave_out=False)


def _blocks(
    estimator: BLEUNeighbors, texts: Sequence[str], description: str, *, leave_out: bool
) -> Iterator[SimilarityBlock]:
    pool = estimator.pool
    rows = max(1, min(256, _CELLS // max(1, len(pool))))

    def one(which: slice) -> SimilarityBlock:
        similarity, n_tokens = pool.compare(texts[which])
        own = np.arange(which.start, which.stop, dtype=np.int64) if leave_out else None
        return SimilarityBlock(which, leave_absent(similarity, n_tokens, own), n_tokens)

    with progress_bar(len(texts), description, estimator.progress) as bar:
        for block in in_batches(one, len(texts), rows, estimator.n_jobs):
            yield block
            bar.update(len(block.n_tokens))


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
