"""A large pool in parts: each is an index of its own, and what candidates find in them adds up.

The sums being whole numbers (see `exact_sums`), the parts of a pool give what the whole would, bit for bit; weights by
similarity are sums of float64, whose last bits depend on how a pool is parted. One part at a time is in memory where
all together would take too much: they are kept in temporary files, and mapped while they are matched.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.kernels.base import Pool, PoolData, TextOptions
from bleu_neighbors_metric.kernels.bleu_star import BleuStarPool
from bleu_neighbors_metric.kernels.exact_sums import Ratings
from bleu_neighbors_metric.kernels.neighbors import NeighborRule, NeighborTally
from bleu_neighbors_metric.kernels.pool_arrays import PoolArrays

MOST_TEXTS = 200_000
"""A pool of more texts than this is parted, …"""

MOST_CHARACTERS = 160 * MOST_TEXTS
"""… or one of more characters."""

PART_TEXTS = 98_304
"""Texts to a part, at most: indexing one takes some 300 MB where they have 80 characters."""

_PART_CHARACTERS = 160 * PART_TEXTS

MOST_RESIDENT = 384 * 2**20
"""Bytes of parts that stay in memory; where there are more, all go to files."""

_BYTES_A_CHARACTER = 14
"""About what an index takes, measured on English sentences (11) and rounded up."""

_GROUP = 8192
"""Candidates that pass through all parts before the next do: a part is then mapped for seconds of work."""


def parted(texts: Sequence[str], options: TextOptions) -> PartedPool | None:
    """Return a pool in parts, or None for one that needs none.

    Raises:
        ValueError: where neither memory nor the folder of temporary files has room for it.
    """
    characters = sum(map(len, texts))
    if len(texts) <= MOST_TEXTS and characters <= MOST_CHARACTERS:
        return None
    n_parts = min(len(texts), max(-(-len(texts) // PART_TEXTS), -(-characters // _PART_CHARACTERS)))
    check_room(len(texts), characters)
    return PartedPool((BleuStarPool(texts[part::n_parts], options) for part in range(n_parts)), n_parts, len(texts))


def check_room(n_texts: int, characters: int) -> None:
    """Check that there is room for the index of so many texts.

    Raises:
        ValueError: where there is not; the message says how many texts there is room for.
    """
    needed = characters * _BYTES_A_CHARACTER
    folder = tempfile.gettempdir()
    room = max(MOST_RESIDENT, shutil.disk_usage(folder).free)
    if needed > room:
        raise ValueError(
            f"the pool's index takes about {needed / 1e9:.1f} GB, and {folder} has room for {room / 1e9:.1f} GB: draw "
            f"a random part of the texts with max_pool={n_texts * room // needed} or less (on a command line: "
            "--max-pool), or name a roomier folder of temporary files (TMPDIR)"
        )


class PartedPool(Pool):
    """Pools whose texts make up one: part p of k holds its texts p, p + k, ….

    Args:
        pools: the parts, each made when the one before it is put away; all of them read texts alike.
        n_parts: how many there are.
        size: how many texts they hold in all.
    """

    def __init__(self, pools: Iterable[BleuStarPool], n_parts: int, size: int) -> None:
        self._size = size
        self._parts: list[Callable[[], BleuStarPool]] = []
        folder: Path | None = None
        for part, pool in enumerate(pools):
            if not part:
                self._options = pool.options
                if n_parts * pool.arrays.n_bytes > MOST_RESIDENT:
                    folder = Path(tempfile.mkdtemp(prefix="bleu-neighbors-"))
                    weakref.finalize(self, _remove, folder, os.getpid())
            self._parts.append(partial(_itself, pool) if folder is None else _put(pool, folder / str(part)))
            del pool

    @classmethod
    def of_parts(cls, parts: Sequence[Callable[[], BleuStarPool]], options: TextOptions, size: int) -> PartedPool:
        """Return a pool of parts that are kept elsewhere; each function returns one, as often as it is called."""
        pool = cls((), 0, size)
        pool._parts, pool._options = list(parts), options
        return pool

    def __len__(self) -> int:
        return self._size

    def parts(self) -> Iterator[BleuStarPool]:
        """Yield the parts, each of which may leave memory as the next one comes."""
        return (part() for part in self._parts)

    def tally(
        self,
        candidates: Sequence[str],
        ratings: Ratings,
        rule: NeighborRule,
        *,
        excluded: NDArray[np.int64] | None = None,
        n_jobs: int | None = None,
    ) -> Iterator[tuple[slice, NeighborTally]]:
        """Count neighbours and sum their ratings, part by part; see `Pool.tally`."""
        k = len(self._parts)
        of_part = [ratings[slice(part, None, k)] for part in range(k)]
        for begin in range(0, len(candidates), _GROUP):
            group = candidates[begin : begin + _GROUP]
            own = None if excluded is None else excluded[begin : begin + _GROUP]
            sums: dict[int, tuple[slice, NeighborTally]] = {}
            for part, pool in enumerate(self.parts()):
                here = None if own is None else np.where((own >= 0) & (own % k == part), own // k, -1)
                for which, tally in pool.tally(group, of_part[part], rule, excluded=here, n_jobs=n_jobs):
                    sums[which.start] = which, sums[which.start][1] + tally if part else tally
                del pool
            for which, tally in sums.values():
                yield slice(begin + which.start, begin + which.stop), tally

    def compare(self, candidates: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return BLEU* of each candidate and each pool text, and the candidates' numbers of tokens."""
        similarity = np.empty((len(candidates), self._size), dtype=np.float64)
        n_tokens = np.zeros(len(candidates), dtype=np.int64)
        for part, pool in enumerate(self.parts()):
            similarity[:, part :: len(self._parts)], n_tokens = pool.compare(candidates)
        return similarity, n_tokens

    def __reduce__(self) -> tuple[Any, ...]:
        # Temporary files belong to one process: another one takes the arrays, and keeps them by its own means.
        return _restored, ([pool.arrays for pool in self.parts()], self._options, self._size)


def _restored(parts: list[PoolArrays], options: TextOptions, size: int) -> PartedPool:
    return PartedPool((BleuStarPool.of_arrays(arrays, options) for arrays in parts), len(parts), size)


def _itself(pool: BleuStarPool) -> BleuStarPool:
    return pool


def _put(pool: BleuStarPool, folder: Path) -> Callable[[], BleuStarPool]:
    """Write a part to files, and return a function that maps them."""
    folder.mkdir()
    for name, array in pool.arrays._asdict().items():
        np.save(folder / name, array, allow_pickle=False)
    return partial(_mapped, folder, pool.options)


def _mapped(folder: Path, options: TextOptions) -> BleuStarPool:
    # Not "r": compiled functions would be compiled anew for arrays that cannot be written.
    arrays = (np.asarray(np.load(folder / f"{name}.npy", mmap_mode="c")) for name in PoolArrays._fields)
    return BleuStarPool.of_arrays(PoolArrays(*arrays), options)


def _remove(folder: Path, owner: int) -> None:
    if os.getpid() == owner:  # a fork of the owner ends earlier than the files
        shutil.rmtree(folder, ignore_errors=True)


def bleu_star_pool(data: PoolData) -> Pool:
    """Prepare a pool, a large one in parts."""
    return parted(data.texts, data.options) or BleuStarPool(data.texts, data.options)
