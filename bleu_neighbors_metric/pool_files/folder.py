"""The folder that holds a fitted estimator with its index, in an uncompressed archive that processes map and share.

`index.npz` holds what an index file does, and of part p of the pool the arrays `p.lengths`, `p.order` and so on (see
`PoolArrays`). It is a copy for one machine, made by the release that reads it.

Compiled code checks no bounds, so every array is checked before it is used: its bytes by the checksum, and its numbers
by the rules of an index. That takes as long as reading the file, so it is done once, until the file changes: the note
`checked` beside it holds its number, size and times as the file system knows them, which change with any write (no
program can set the time of change, `st_ctime`), and what no other machine knows (`_machine`). A note that was made
elsewhere, or before a change, fits no file. Another user could forge a note, so it counts only where the folder, the
file and the note are this user's, and nobody else may write to them. A small file is checked each time.

A large pool's index comes in parts: each is an index of its own, and what candidates find in them adds up. The sums
being whole numbers (see `exact_sums`), the parts of a pool give what the whole would, bit for bit; only weights by
similarity at thresholds below `LEAST_WHOLE` are sums of float64, whose last bits depend on how a pool is parted. Parts
are kept in temporary files and mapped while they are matched, so that one at a time is in memory.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import tempfile
import uuid
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bleu_neighbors_metric.kernels.bleu_star import BleuStarPool, PoolArrays
from bleu_neighbors_metric.kernels.kernel import Pool, PoolData, TextOptions
from bleu_neighbors_metric.kernels.neighbors import NeighborRule, NeighborTally, Ratings
from bleu_neighbors_metric.options import text_options
from bleu_neighbors_metric.pool_files.array_rules import RULES, check_arrays
from bleu_neighbors_metric.pool_files.index_file import ARRAYS, PoolState
from metric_commons.files.archive import Array, Schema, is_kind, read_archive, reading, write_archive
from metric_commons.files.atomic import atomic_write
from metric_commons.support.installation import project_version
from metric_commons.support.validation import (
    Floats,
    Integers,
    PathName,
    Record,
    check_choice,
    check_number,
    check_path,
    parse_json,
)

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
            own = None if excluded is None else excluded[begin : begin + _GROUP]
            sums: dict[int, tuple[slice, NeighborTally]] = {}
            for part, pool in enumerate(self.parts()):
                here = self._of_part(own, part)
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
            own = self._of_part(excluded, part)
            counts += pool.count_neighbors(candidates, thresholds, excluded=own, n_jobs=n_jobs)
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
        own = folder / str(len(parts))
        own.mkdir()
        for name, array in pool.arrays._asdict().items():
            np.save(own / name, array, allow_pickle=False)
        parts.append(partial(_mapped, own, options))
        del pool
    return whole


def _mapped(folder: Path, options: TextOptions) -> BleuStarPool:
    # Not "r": compiled functions would be compiled anew for arrays that cannot be written.
    arrays = (np.asarray(np.load(folder / f"{name}.npy", mmap_mode="c")) for name in PoolArrays._fields)
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


NOTE = "checked"
_LARGEST = 2**16
_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_SMALL = 2**22  # bytes that are checked in less than 5 ms


def is_verified(file: Path) -> bool:
    """Say whether a file is the one that `note_verified` was called for."""
    path = file.parent / NOTE
    try:
        if file.stat().st_size <= _SMALL or not all(map(_is_private, (file.parent, file, path))):
            return False
        with path.open("rb") as note:
            return bool(parse_json(note.read(_LARGEST)) == _state(file))
    except (OSError, ValueError):
        return False


def note_verified(file: Path) -> None:
    """Note that a file is sound, where its folder can be written; where not, each process checks it."""
    try:
        with atomic_write(file.parent / NOTE, "w") as note:
            json.dump(_state(file), note)
        make_private(file.parent / NOTE)
    except OSError:
        return


def make_private(file: Path) -> None:
    """Let no other user write to a file, where the file system knows users."""
    file.chmod(file.stat().st_mode & ~_BY_OTHERS)


def _is_private(path: Path) -> bool:
    """Say whether a file or folder is this user's, and nobody else may write to it; not known without user numbers."""
    state = path.stat()
    return hasattr(os, "geteuid") and state.st_uid == os.geteuid() and not state.st_mode & _BY_OTHERS


def _state(file: Path) -> list[object]:
    state = file.stat()
    return [_machine(), file.name, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns]


def _machine() -> str:
    """Return what tells this machine, on Linux since it was started, from all others."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return str(uuid.getnode())


FILE = "index.npz"
KERNEL = "bleu_star"
"""The one kernel whose index is plain arrays."""

_MOST_PARTS = 10_000


def _array_rules(header: Record) -> dict[str, Array]:
    own = project_version()
    if header["release"] != own:
        raise ValueError(
            f"it was written by version {header['release']!r:.40}, and this worker has version {own}: all workers need "
            "one version; install it, or write the folder anew"
        )
    if not 1 <= header["n_parts"] <= _MOST_PARTS:
        raise ValueError("'n_parts' is that of no pool")
    parts = {f"{part}.{name}": rule for part in range(header["n_parts"]) for name, rule in RULES.items()}
    return {**ARRAYS, **parts}


_SCHEMA = Schema(
    "mapped bleu neighbors pool",
    1,
    "a pool of BLEU Neighbors to be mapped (write one with `save_shared`)",
    arrays=_array_rules,
    fields={"parameters": dict, "release": str, "pool_hash": str, "threshold": float, "n_parts": int},
    optional_fields={"calibration": dict, "n_distinct": int},
)


def is_mapped(path: PathName) -> bool:
    """Say whether a folder holds a pool to be mapped."""
    return (check_path(path) / FILE).is_file()


def write_folder(path: PathName, state: PoolState, pool: Pool, pool_hash: str, threshold: float) -> None:
    """Write a folder, whole or not at all; a pool that it holds gives way, and who has mapped that one keeps it.

    Args:
        path: the folder.
        state: the parameters, and the rated texts.
        pool: the index.
        pool_hash: what tells the pool from others.
        threshold: τ in use, also where the parameter is `auto`.

    Raises:
        OSError: where the folder cannot be written.
        ValueError: for another kernel than BLEU*, and a path that holds something else.
    """
    check_choice(state.parameters["kernel"], "kernel", (KERNEL,))
    folder = check_path(path)
    if folder.exists() and not is_kind(folder / FILE, _SCHEMA):
        leftovers = (f".{FILE}.", f".{NOTE}", NOTE)  # of a save that was killed, or whose file was taken away
        if not folder.is_dir() or not all(entry.name.startswith(leftovers) for entry in folder.iterdir()):
            raise ValueError(f"{folder}: it holds something other than a shared index; name a new folder")
    if not folder.resolve().parent.is_dir():
        raise FileNotFoundError(f"Cannot write {folder}: there is no folder {folder.resolve().parent}")
    parts = list(pool.parts()) if isinstance(pool, PartedPool) else [pool]
    header, arrays = state.stored()
    for number, part in enumerate(parts):
        assert isinstance(part, BleuStarPool)  # as the kernel is
        arrays |= {f"{number}.{name}": array for name, array in part.arrays._asdict().items()}
    own = {"pool_hash": pool_hash, "threshold": float(threshold), "n_parts": len(parts)}
    folder.mkdir(0o755, exist_ok=True)  # where no other user can put a file in place of ours
    write_archive(folder / FILE, _SCHEMA, {**header, **own, "release": project_version()}, arrays, compress=False)
    make_private(folder / FILE)  # whoever maps it trusts that it stays as it was checked
    note_verified(folder / FILE)


def read_folder(path: PathName, *, allow_models: bool = False) -> tuple[PoolState, Pool, str, float]:
    """Open a folder, and return what `write_folder` was given.

    Args:
        path: the folder. Whoever wrote it, opening it runs none of its content and fetches nothing.
        allow_models: as in `BLEUNeighbors.load`.

    Raises:
        ValueError: for a folder that holds no such pool, was written by another release, or is damaged.
    """
    file = Path(path) / FILE
    verified = is_verified(file)
    header, arrays = read_archive(file, _SCHEMA, mapped=True, verified=verified)
    with reading(file, _SCHEMA):
        state = PoolState.of_stored(header, arrays, allow_models=allow_models, verified=verified)
        check_choice(state.parameters["kernel"], "kernel", (KERNEL,))
        check_number(header["threshold"], "threshold", 0, 1)
        options = text_options({"kernel_options": None, **state.parameters})
        n_parts, n_texts = header["n_parts"], len(state.rated.texts)
        parts = [PoolArrays(**{name: arrays[f"{part}.{name}"] for name in RULES}) for part in range(n_parts)]
        if not verified:
            for number, part in enumerate(parts):
                check_arrays(part, len(range(number, n_texts, n_parts)))
            note_verified(file)
    pools = [partial(BleuStarPool.of_arrays, part, options) for part in parts]
    pool = pools[0]() if n_parts == 1 else PartedPool(pools, options, n_texts)
    return state, pool, header["pool_hash"], header["threshold"]
