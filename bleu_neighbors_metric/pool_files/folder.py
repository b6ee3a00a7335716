"""The folder that holds a fitted estimator with its index, in an uncompressed archive that processes map and share.

`index.npz` holds what an index file does, and of part p of the pool the arrays `p.lengths`, `p.order` and so on (see
`PoolArrays`). It is a copy for one machine, made by the release that reads it.

Compiled code checks no bounds, so every array is checked before it is used: its bytes by the checksum, and its numbers
by the rules of an index. That takes as long as reading the file, so it is done once, until the file changes: the note
`checked` beside it holds its number, size and times as the file system knows them, which change with any write (no
program can set the time of change, `st_ctime`), and what no other machine knows (`_machine`). A note that was made
elsewhere, or before a change, fits no file. Another user could forge a note, so it counts only where the folder, the
file and the note are this user's, and nobody else may write to them. A small file is checked each time.
"""

from __future__ import annotations

import json
import os
import stat
import uuid
from functools import partial
from pathlib import Path

from bleu_neighbors_metric.kernels.bleu_star import BleuStarPool, PoolArrays
from bleu_neighbors_metric.kernels.kernel import Pool
from bleu_neighbors_metric.kernels.parted_pool import PartedPool
from bleu_neighbors_metric.options import text_options
from bleu_neighbors_metric.pool_files.array_rules import RULES, check_arrays
from bleu_neighbors_metric.pool_files.index_file import ARRAYS, PoolState
from metric_commons.files.archive import Array, Schema, is_kind, read_archive, reading, write_archive
from metric_commons.files.atomic import atomic_write
from metric_commons.support.installation import project_version
from metric_commons.support.validation import PathName, Record, check_choice, check_number, check_path, parse_json

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
