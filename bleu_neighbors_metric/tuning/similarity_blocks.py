"""Similarities of many candidates to a pool, block by block: computed once, read by sweeps and learning curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.neighbors import leave_absent
from metric_commons.support.parallel import in_batches
from metric_commons.support.progress import progress_bar

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
    return _blocks(estimator, estimator_texts(estimator), description, leave_out=True)


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


def estimator_texts(estimator: BLEUNeighbors) -> list[str]:
    """Return a fitted estimator's distinct pool texts.

    Raises:
        NotFittedError: before `fit`.
    """
    _ = estimator.pool
    return list(estimator.texts_)
