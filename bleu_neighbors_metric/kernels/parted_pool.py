"""A large pool in parts: each is an index of its own, and what candidates find in them adds up.

The sums being whole numbers (see `neighbors`), the parts of a pool give what the whole would, bit for bit; only
weights by similarity at thresholds below `LEAST_WHOLE` are sums of float64, whose last bits depend on how a pool is
parted. Parts are kept in temporary files and mapped while they are matched, so that one at a time is in memory.
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

from bleu_neighbors_metric.kernels.bleu_star import BleuStarPool, PoolArrays
from bleu_neighbors_metric.kernels.kernel import Pool, PoolData, TextOptions
from bleu_neighbors_metric.kernels.neighbors import NeighborRule, NeighborTally, Ratings
from metric_commons.support.validation import Floats, Integers

MOST_TEXTS = 200_000
"""A pool of more texts than this is parted, …"""

MOST_CHARACTERS = 160 * MOST_TEXTS
"""… or one of more characters."""

PART_TEXTS = 98_304
"""Texts to a part, at most: indexing one takes some 300 MB where they have 80 characters."""

_PART_CHARACTERS = 160 * PART_TEXTS

_BYTES_A_CHARACTER = 14
"""About what an index takes, measured on English sentences (11) and rounded up."""

_GROUP = 8192
"""Candidates that pass through all parts before the next do: a part is then mapped for seconds of work."""


class PartedPool(Pool):
    """Pools whose texts make up one: part p of k holds its texts p, p + k, ….

    Args:
        parts: functions that return the parts, as often as they are called.
        options: how all of them read texts.
        size: how many texts they hold in all.
    """

    def __init__(self, parts: Sequence[Callable[[], BleuStarPool]], options: TextOptions, size: int) -> None:
        super().__init__(size)
        self._parts = parts
        self._options = options

    def parts(self) -> Iterator[BleuStarPool]:
        """Yield the parts, each of which may leave memory as the next one comes."""
        return (part() for part in self._parts)

    def tally(
        self,
        candidates: Sequence[str],
        ratings: Ratings,
        rule: NeighborRule,
        *,
        excluded: Integers | None = None,
        n_jobs: int | None = None,
    ) -> Iterator[tuple[slice, NeighborTally]]:
        """Count neighbours and sum their ratings, part by part; see `Pool.tally`."""
        k = len(self._parts)
        of_part = [ratings[slice(part, None, k)] for part in range(k)]
        for begin in range(0, len(candidates), _GROUP):
            group = candidates[begin : begin + _GROUP]
            left_out = None if excluded is None else excluded[begin : begin + _GROUP]
            sums: dict[int, tuple[slice, NeighborTally]] = {}
            for part, pool in enumerate(self.parts()):
                here = self._of_part(left_out, part)
                for which, tally in pool.tally(group, of_part[part], rule, excluded=here, n_jobs=n_jobs):
                    sums[which.start] = which, sums[which.start][1] + tally if part else tally
                del pool
            for which, tally in sums.values():
                yield slice(begin + which.start, begin + which.stop), tally

    def count_neighbors(
        self,
        candidates: Sequence[str],
        thresholds: Floats,
        *,
        excluded: Integers | None = None,
        n_jobs: int | None = None,
    ) -> Integers:
        """Count the neighbours of each candidate at several thresholds, part by part; see `Pool.count_neighbors`."""
        counts = np.zeros((len(thresholds), len(candidates)), dtype=np.int64)
        for part, pool in enumerate(self.parts()):
            left_out = self._of_part(excluded, part)
            counts += pool.count_neighbors(candidates, thresholds, excluded=left_out, n_jobs=n_jobs)
        return counts

    def _of_part(self, excluded: Integers | None, part: int) -> Integers | None:
        """Return which text of a part must not count for each candidate."""
        k = len(self._parts)
        return None if excluded is None else np.where((excluded >= 0) & (excluded % k == part), excluded // k, -1)

    def compare(self, candidates: Sequence[str]) -> tuple[Floats, Integers]:
        """Return BLEU* of each candidate and each pool text, and the candidates' numbers of tokens."""
        similarity = np.empty((len(candidates), len(self)))
        n_tokens = np.zeros(len(candidates), dtype=np.int64)
        for part, pool in enumerate(self.parts()):
            similarity[:, part :: len(self._parts)], n_tokens = pool.compare(candidates)
        return similarity, n_tokens

    def __reduce__(self) -> tuple[Any, ...]:
        # Temporary files belong to one process: another one takes the parts, and keeps them by its own means.
        return _in_files, (list(self.parts()), self._options, len(self))


def _in_files(pools: Iterable[BleuStarPool], options: TextOptions, size: int) -> PartedPool:
    """Return a pool whose parts are kept in temporary files, each made once the one before it is written."""
    folder = Path(tempfile.mkdtemp(prefix="bleu-neighbors-"))
    parts: list[Callable[[], BleuStarPool]] = []
    whole = PartedPool(parts, options, size)
    weakref.finalize(whole, _remove, folder, os.getpid())
    for pool in pools:
        part_folder = folder / str(len(parts))
        part_folder.mkdir()
        for name, array in pool.arrays._asdict().items():
            np.save(part_folder / name, array, allow_pickle=False)
        parts.append(partial(_mapped, part_folder, options))
        del pool
    return whole


def _mapped(folder: Path, options: TextOptions) -> BleuStarPool:
    arrays = (np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r")) for name in PoolArrays._fields)
    return BleuStarPool.of_arrays(PoolArrays(*arrays), options)


def _remove(folder: Path, owner: int) -> None:
    if os.getpid() == owner:  # a fork of the owner ends earlier than the files
        shutil.rmtree(folder, ignore_errors=True)


def bleu_star_pool(data: PoolData) -> Pool:
    """Prepare a pool, a large one in parts.

    Raises:
        ValueError: where the folder of temporary files has no room; the message says how many texts it has room for.
    """
    texts, n = data.texts, len(data.texts)
    characters = sum(map(len, texts))
    if n <= MOST_TEXTS and characters <= MOST_CHARACTERS:
        return BleuStarPool(texts, data.options)
    needed, folder = characters * _BYTES_A_CHARACTER, tempfile.gettempdir()
    room = shutil.disk_usage(folder).free
    if needed > room:
        raise ValueError(
            f"the pool's index takes about {needed / 1e9:.1f} GB, and {folder} has room for {room / 1e9:.1f} GB: draw "
            f"a random part of the texts with max_pool={n * room // needed} or less (on a command line: --max-pool), "
            "or name a roomier folder of temporary files (TMPDIR)"
        )
    n_parts = min(n, max(-(-n // PART_TEXTS), -(-characters // _PART_CHARACTERS)))
    return _in_files((BleuStarPool(texts[part::n_parts], data.options) for part in range(n_parts)), data.options, n)
