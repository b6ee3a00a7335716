"""Similarities of many candidates to a pool, block by block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from referenceless_metrics.core.support.computing import progress_bar
from referenceless_metrics.core.support.validation import Floats

if TYPE_CHECKING:
    from bleu_neighbors_metric.estimator import BLEUNeighbors


def similarity_blocks(
    estimator: BLEUNeighbors, texts: Sequence[str] | None = None, description: str = "matching"
) -> Iterator[tuple[slice, Floats]]:
    """Yield slices of candidates with their similarities to the pool; ABSENT for texts that cannot be neighbours.

    Blocks are made on `estimator.n_jobs` threads.

    Args:
        estimator: a fitted estimator; its threshold, a and b play no part.
        texts: the candidates; None for the pool's own texts, each of them ABSENT to itself.
        description: the title of the progress bar.

    Raises:
        NotFittedError: before `fit`.
    """
    estimator.check_fitted()
    pool = estimator.pool_
    candidates = estimator.texts_ if texts is None else texts
    places = np.arange(len(candidates), dtype=np.int64) if texts is None else None
    with progress_bar(len(candidates), description, estimator.progress) as bar:
        for which, similarity in pool.in_blocks(lambda *block: block, candidates, places, estimator.n_jobs):
            yield which, similarity
            bar.update(len(similarity))
