"""Similarities of many candidates to a pool, block by block: computed once, read by sweeps and learning curves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.neighbors import NeighborRule
from bleu_neighbors_metric.parallel import thread_count
from metric_commons.support.progress import progress_bar

_CELLS = 1 << 22  # similarities that are held at once, for each thread

_BITS = 31  # of the lower half of a whole number

ABSENT = -1.0
"""Stands for the similarity of a text to itself when it is left out, and of one without tokens to anything."""


def leave_one_out_blocks(
    estimator: BLEUNeighbors, description: str = "matching"
) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Yield which pool texts, and their similarities to the whole pool, shape (block, n), with ABSENT on the diagonal.

    Args:
        estimator: a fitted estimator; its threshold, a and b play no part.
        description: what the progress bar says.

    Raises:
        NotFittedError: before `fit`.
    """
    for block, similarity in similarity_blocks(estimator, estimator_texts(estimator), description):
        rows = np.arange(block.start, block.start + len(similarity))
        similarity[rows - block.start, rows] = ABSENT
        yield block, similarity


def similarity_blocks(
    estimator: BLEUNeighbors, texts: Sequence[str], description: str = "matching"
) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Yield which candidates, and their similarities to the pool, shape (block, n).

    Blocks are made on `estimator.n_jobs` threads and come in order.
    """
    pool = estimator.pool
    rows = max(1, min(256, _CELLS // max(1, len(pool))))

    def one(start: int) -> tuple[slice, NDArray[np.float64]]:
        batch = list(texts[start : start + rows])
        similarity = np.array(pool.similarities(batch), dtype=np.float64)
        similarity[_without_tokens(estimator, batch, similarity)] = ABSENT
        return slice(start, start + len(batch)), similarity

    starts = range(0, len(texts), rows)
    with progress_bar(len(texts), description, estimator.progress) as bar:
        for block, similarity in _in_order(one, starts, thread_count(estimator.n_jobs)):
            yield block, similarity
            bar.update(len(similarity))


def _without_tokens(
    estimator: BLEUNeighbors, texts: Sequence[str], similarity: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Return which candidates have no tokens, and so no neighbours, though at τ = 0 a similarity of 0 would do.

    Such a candidate is equally similar to the whole pool; whether one that is has tokens is for the pool to tell.
    """
    found = np.array([not text for text in texts], dtype=np.bool_)
    unclear = np.flatnonzero(~found & (np.ptp(similarity, axis=1) == 0))
    rule = NeighborRule(0.0, "uniform")
    for block, tally in estimator.pool.tally([texts[int(i)] for i in unclear], estimator.quality_, rule):
        found[unclear[block]] = tally.n_neighbors == 0
    return found


def halves(units: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Part whole numbers below 2^62 into halves whose sums float64 holds exactly; `joined` puts sums together.

    Exact sums are the estimator's own, whatever the order of summation, so texts with equal estimates stay tied.
    """
    return (units >> _BITS).astype(np.float64), (units & (2**_BITS - 1)).astype(np.float64)


def joined(high: NDArray[np.float64], low: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return whole sums from the sums of their halves."""
    return (high.astype(np.int64) << _BITS) + low.astype(np.int64)


def estimator_texts(estimator: BLEUNeighbors) -> list[str]:
    """Return a fitted estimator's distinct pool texts.

    Raises:
        NotFittedError: before `fit`.
    """
    _ = estimator.pool
    return estimator.texts_


def _in_order(
    function: Callable[[int], tuple[slice, NDArray[np.float64]]], items: range, threads: int
) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Apply a function on threads, no more than two blocks a thread ahead of the reader, so that memory is bounded."""
    if threads <= 1 or len(items) <= 1:
        yield from map(function, items)
        return
    with ThreadPoolExecutor(threads) as executor:
        waiting = []
        for item in items:
            waiting.append(executor.submit(function, item))
            if len(waiting) >= 2 * threads:
                yield waiting.pop(0).result()
        for future in waiting:
            yield future.result()
